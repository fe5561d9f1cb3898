import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import * as t from '#locale/calendar'
import type { Day } from './days.ts'
import { dayOf, daysBetween } from './days.ts'
import { type DisplayedEvent, toDisplayedEvent } from './displayed-event.ts'
import { followPointer, type Point } from './drag.ts'
import { moveBy, type Shift, STEP_MINUTES, stretchBy, type When } from './timing.ts'

/** A position in the calendar: a day, and a minute in views with an hour grid. */
export interface GridPosition {
  day: Day
  minute: number | null
}

/**
 * Finds the calendar position under a point. Days have `data-day`; days with an hour grid also have
 * `data-hours`.
 */
export const findGridPosition = ({ x, y }: Point): GridPosition | null => {
  const under = document
    .elementsFromPoint(x, y)
    .find((element): element is HTMLElement => element instanceof HTMLElement && !!element.dataset.day)
  if (!under?.dataset.day) return null
  if (under.dataset.hours === undefined) return { day: dayOf(under.dataset.day), minute: null }
  const { top, height } = under.getBoundingClientRect()
  return { day: dayOf(under.dataset.day), minute: Math.round(((y - top) / height) * 24 * 60) }
}

export type Grip = 'whole' | 'end'

interface EventMove {
  item: DisplayedEvent
  when: When
  /** A keyboard move, which waits for Enter. */
  byKeys: boolean
}

const isMoved = ({ item: { event }, when }: EventMove): boolean =>
  when.start !== event.start || when.end !== event.end

const withTimes = ({ event, calendar }: DisplayedEvent, when: When, timezone: string): DisplayedEvent =>
  toDisplayedEvent({ ...event, ...when }, timezone, calendar)

const steps = (minutes: number): number => Math.round(minutes / STEP_MINUTES) * STEP_MINUTES

const shiftBetween = (from: GridPosition, to: GridPosition): Shift => ({
  days: daysBetween(from.day, to.day),
  minutes: from.minute === null || to.minute === null ? 0 : steps(to.minute - from.minute),
})

const KEYS: Readonly<Record<string, Shift>> = {
  ArrowLeft: { days: -1, minutes: 0 },
  ArrowRight: { days: 1, minutes: 0 },
  ArrowUp: { days: 0, minutes: -STEP_MINUTES },
  ArrowDown: { days: 0, minutes: STEP_MINUTES },
}

/** In views without hours, up and down move by a week. */
const shiftOf = (key: string, hasHours: boolean): Shift | undefined => {
  const shift = KEYS[key]
  if (shift?.days !== 0 || hasHours) return shift
  return { days: shift.minutes < 0 ? -7 : 7, minutes: 0 }
}

export interface EventMoveOptions {
  timezone: string
  /** Asks for the scope and saves. Settles after the calendar was refetched. */
  save: (item: DisplayedEvent, when: When) => Promise<void>
  announce: (text: string) => void
  /** Describes the new position for screen readers. */
  describe: (item: DisplayedEvent) => string
}

export type Mover = ReturnType<typeof useEventMove>

/** Moves an event by drag and drop or by keyboard. Shows a ghost until the change is saved. */
export const useEventMove = ({ timezone, save, announce, describe }: EventMoveOptions) => {
  const [moving, setMoving] = useState<EventMove | null>(null)
  const ghost = moving && isMoved(moving) ? withTimes(moving.item, moving.when, timezone) : null

  const settle = (moved: EventMove) => {
    if (!isMoved(moved)) return setMoving(null)
    setMoving({ ...moved, byKeys: false })
    void save(moved.item, moved.when).finally(() => setMoving(null))
  }

  return {
    /** Key of the event that is being moved. */
    carried: moving?.item.key ?? null,
    ghost,

    press(down: PointerEvent, item: DisplayedEvent, grip: Grip, scroller: HTMLElement | null) {
      if (down.button !== 0 || moving) return
      down.stopPropagation()
      const from = findGridPosition({ x: down.clientX, y: down.clientY })
      if (!from) return
      let current: EventMove = { item, when: item.event, byKeys: false }
      const change = grip === 'whole' ? moveBy : stretchBy
      followPointer(down.nativeEvent, {
        scroller,
        onMove: (point) => {
          const to = findGridPosition(point)
          if (!to) return
          current = { ...current, when: change(item, shiftBetween(from, to)) }
          setMoving(current)
        },
        onDrop: () => settle(current),
        onCancel: () => setMoving(null),
      })
    },

    /** `m` starts the move. Arrow keys move the event, with Shift its end. Enter saves, Escape cancels. */
    onKey(event: KeyboardEvent, item: DisplayedEvent, hasHours: boolean) {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const isCarried = moving?.byKeys && moving.item.key === item.key
      const take = () => {
        event.preventDefault()
        event.stopPropagation()
      }
      if (!isCarried) {
        if (event.key !== 'm' || moving) return
        take()
        setMoving({ item, when: item.event, byKeys: true })
        return announce(t.moveStarted)
      }
      if (event.key === 'Escape') {
        take()
        setMoving(null)
        return announce(t.moveCancelled)
      }
      if (event.key === 'Enter' || event.key === ' ') {
        take()
        return settle(moving)
      }
      const hours = hasHours && !item.isBar
      const shift = shiftOf(event.key, hours)
      if (!shift) return
      take()
      const now = withTimes(item, moving.when, timezone)
      const when = event.shiftKey ? stretchBy(now, shift) : moveBy(now, shift)
      setMoving({ ...moving, when })
      announce(describe(withTimes(item, when, timezone)))
    },

    /** Losing the focus cancels a keyboard move. */
    onBlur(item: DisplayedEvent) {
      if (moving?.byKeys && moving.item.key === item.key) setMoving(null)
    },
  }
}
