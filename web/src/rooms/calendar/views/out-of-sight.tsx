import { ChevronDown, ChevronUp } from 'lucide-react'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** What is drawn in one day, from the minute it begins. */
interface Stretch {
  from: number
  to: number
}

interface Hidden {
  /** How many end before the hours that are in sight, and how many begin after them, for each day. */
  above: readonly number[]
  below: readonly number[]
}

const NOTHING: Hidden = { above: [], below: [] }
const DAY_MINUTES = 24 * 60
/** So much of it must show, or nobody sees that it is there. */
const SEEN_MINUTES = 10

const isSame = (one: Hidden, other: Hidden): boolean =>
  one.above.join() === other.above.join() && one.below.join() === other.below.join()

const heightOf = (scroller: HTMLElement, part: string): number =>
  scroller.querySelector<HTMLElement>(part)?.offsetHeight ?? 1

/** Brings an hour under the head. */
export const scrollToMinute = (scroller: HTMLElement, minute: number, behavior?: ScrollBehavior): void => {
  const top = (minute / DAY_MINUTES) * heightOf(scroller, '.hours-body')
  scroller.scrollTo({ top, ...(behavior && { behavior }) })
}

const minuteAt = (scroller: HTMLElement, top: number): number =>
  (top / heightOf(scroller, '.hours-body')) * DAY_MINUTES

const lastMinute = (scroller: HTMLElement): number =>
  minuteAt(scroller, scroller.scrollTop + scroller.clientHeight - heightOf(scroller, '.hours-head'))

const useHidden = (
  scroller: RefObject<HTMLElement | null>,
  days: readonly (readonly Stretch[])[],
): Hidden => {
  const [hidden, setHidden] = useState(NOTHING)
  const asked = JSON.stringify(days)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when they are others, not when they are new
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = (): void => {
      element.style.setProperty('--head', `${heightOf(element, '.hours-head')}px`)
      const first = minuteAt(element, element.scrollTop) + SEEN_MINUTES
      const last = lastMinute(element) - SEEN_MINUTES
      const now = {
        above: days.map((stretches) => stretches.filter(({ to }) => to < first).length),
        below: days.map((stretches) => stretches.filter(({ from }) => from > last).length),
      }
      setHidden((before) => (isSame(before, now) ? before : now))
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [scroller, asked])
  return hidden
}

const WAYS = { above: ChevronUp, below: ChevronDown } as const

interface MarksProps {
  way: keyof Hidden
  hidden: Hidden
  onShow: (day: number) => void
}

/**
 * At the edge of each day: there is something earlier, or later. For eyes and the mouse alone: whoever hears the page,
 * or goes through it by keys, comes by every event anyway.
 */
export const Marks = ({ way, hidden, onShow }: MarksProps) => {
  const Icon = WAYS[way]
  return (
    <div className="hours-hidden" data-way={way} aria-hidden="true">
      {hidden[way].map((count, day) =>
        count === 0 ? null : (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is known by its place
            key={day}
            type="button"
            tabIndex={-1}
            style={{ gridColumn: day + 2 }}
            onClick={() => onShow(day)}
          >
            <Icon size={14} />
            {count}
            <span>{way === 'above' ? 'earlier' : 'later'}</span>
          </button>
        ),
      )}
    </div>
  )
}

/** What lies outside of the hours in sight, and the way to what is nearest of it. */
export const useOutOfSight = (
  scroller: RefObject<HTMLElement | null>,
  days: readonly (readonly Stretch[])[],
) => {
  const hidden = useHidden(scroller, days)
  return {
    hidden,
    show(way: keyof Hidden, day: number): void {
      const element = scroller.current
      if (!element) return
      const first = minuteAt(element, element.scrollTop)
      const starts = (days[day] ?? []).map(({ from }) => from)
      const minute =
        way === 'above'
          ? Math.max(...starts.filter((from) => from < first))
          : Math.min(...starts.filter((from) => from > lastMinute(element) - SEEN_MINUTES))
      const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
      scrollToMinute(element, Math.max(0, minute - 30), isStill ? 'instant' : 'smooth')
    },
  }
}
