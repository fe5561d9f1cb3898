import { ChevronDown, ChevronUp } from 'lucide-react'
import { type RefObject, useLayoutEffect, useState } from 'react'
import * as t from '#locale/calendar'

/** Minutes of one day that an event occupies. */
interface Stretch {
  from: number
  to: number
}

interface Hidden {
  /** Number of events before and after the visible hours, per day. */
  above: readonly number[]
  below: readonly number[]
}

const NOTHING: Hidden = { above: [], below: [] }
const DAY_MINUTES = 24 * 60
/** An event counts as visible if this many minutes of it are displayed. */
const SEEN_MINUTES = 10

const isSame = (one: Hidden, other: Hidden): boolean =>
  one.above.join() === other.above.join() && one.below.join() === other.below.join()

const heightOf = (scroller: HTMLElement, part: string): number =>
  scroller.querySelector<HTMLElement>(part)?.offsetHeight ?? 1

/** Scrolls a minute of the day to the top edge, below the header. */
export const scrollToMinute = (scroller: HTMLElement, minute: number, behavior?: ScrollBehavior): void => {
  const top = (minute / DAY_MINUTES) * heightOf(scroller, '.hours-body')
  scroller.scrollTo({ top, ...(behavior && { behavior }) })
}

const minuteAt = (scroller: HTMLElement, top: number): number =>
  (top / heightOf(scroller, '.hours-body')) * DAY_MINUTES

const lastMinute = (scroller: HTMLElement): number =>
  minuteAt(scroller, scroller.scrollTop + scroller.clientHeight - heightOf(scroller, '.hours-head'))

const useHiddenCounts = (
  scroller: RefObject<HTMLElement | null>,
  days: readonly (readonly Stretch[])[],
): Hidden => {
  const [hidden, setHidden] = useState(NOTHING)
  const asked = JSON.stringify(days)
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the days by value
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const update = (): void => {
      element.style.setProperty('--head', `${heightOf(element, '.hours-head')}px`)
      const first = minuteAt(element, element.scrollTop) + SEEN_MINUTES
      const last = lastMinute(element) - SEEN_MINUTES
      const now = {
        above: days.map((stretches) => stretches.filter(({ to }) => to < first).length),
        below: days.map((stretches) => stretches.filter(({ from }) => from > last).length),
      }
      setHidden((before) => (isSame(before, now) ? before : now))
    }
    update()
    element.addEventListener('scroll', update, { passive: true })
    const observer = new ResizeObserver(update)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', update)
      observer.disconnect()
    }
  }, [scroller, asked])
  return hidden
}

const ICONS = { above: ChevronUp, below: ChevronDown } as const

interface HiddenEventMarkersProps {
  direction: keyof Hidden
  hidden: Hidden
  onShow: (day: number) => void
}

/**
 * Markers for events before or after the visible hours. They are only for mouse users: screen readers and the
 * Tab key reach every event anyway.
 */
export const HiddenEventMarkers = ({ direction, hidden, onShow }: HiddenEventMarkersProps) => {
  const Icon = ICONS[direction]
  return (
    <div className="hours-hidden" data-way={direction} aria-hidden="true">
      {hidden[direction].map((count, day) =>
        count === 0 ? null : (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the weekday column
            key={day}
            type="button"
            tabIndex={-1}
            style={{ gridColumn: day + 2 }}
            onClick={() => onShow(day)}
          >
            <Icon size={14} />
            {count}
            <span>{direction === 'above' ? t.earlier : t.later}</span>
          </button>
        ),
      )}
    </div>
  )
}

/** Counts the events outside the visible hours and scrolls to the nearest one. */
export const useHiddenEvents = (
  scroller: RefObject<HTMLElement | null>,
  days: readonly (readonly Stretch[])[],
) => {
  const hidden = useHiddenCounts(scroller, days)
  return {
    hidden,
    show(direction: keyof Hidden, day: number): void {
      const element = scroller.current
      if (!element) return
      const first = minuteAt(element, element.scrollTop)
      const starts = (days[day] ?? []).map(({ from }) => from)
      const minute =
        direction === 'above'
          ? Math.max(...starts.filter((from) => from < first))
          : Math.min(...starts.filter((from) => from > lastMinute(element) - SEEN_MINUTES))
      const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
      scrollToMinute(element, Math.max(0, minute - 30), isStill ? 'instant' : 'smooth')
    },
  }
}
