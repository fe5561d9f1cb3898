import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import * as t from '#locale/calendar'
import { isMovable } from './calendars/calendar-access.ts'
import type { Day } from './days.ts'
import { dayOf, daysBetween, isSameDay } from './days.ts'
import { type DisplayedEvent, toDisplayedEvent } from './displayed-event.ts'
import { followPointer, type Point } from './drag.ts'
import { DEFAULT_HOURS } from './new-event-range.ts'
import {
  moveBy,
  type Shift,
  STEP_MINUTES,
  stretchBy,
  stretchStartBy,
  toAllDay,
  toTimed,
  type When,
} from './timing.ts'

/** A position in the calendar. */
export interface GridPosition {
  day: Day
  /** The minute in an hour grid; null elsewhere. */
  minute: number | null
  /** The row of all-day events above an hour grid. */
  isAllDayRow: boolean
}

/**
 * Finds the calendar position under a point. Days have `data-day`; days with an hour grid also have
 * `data-hours`, and those of the row above it `data-all-day`.
 */
export const findGridPosition = ({ x, y }: Point): GridPosition | null => {
  const under = document
    .elementsFromPoint(x, y)
    .find((element): element is HTMLElement => element instanceof HTMLElement && !!element.dataset.day)
  if (!under?.dataset.day) return null
  const isAllDayRow = under.dataset.allDay !== undefined
  const day = dayOf(under.dataset.day)
  if (under.dataset.hours === undefined) return { day, minute: null, isAllDayRow }
  const { top, height } = under.getBoundingClientRect()
  return { day, minute: Math.round(((y - top) / height) * 24 * 60), isAllDayRow }
}

/** The part of an event that a drag moves. */
export type Grip = 'whole' | 'start' | 'end'

interface EventMove {
  item: DisplayedEvent
  when: When
  isCopy: boolean
  /** A keyboard move, which is saved when the modifier key is released. */
  byKeys: boolean
}

const isMoved = ({ item: { event }, when }: EventMove): boolean =>
  when.start !== event.start || when.end !== event.end || when.allDay !== event.allDay

const withTimes = ({ event, calendar }: DisplayedEvent, when: When, timezone: string): DisplayedEvent =>
  toDisplayedEvent({ ...event, ...when }, timezone, calendar)

const steps = (minutes: number): number => Math.round(minutes / STEP_MINUTES) * STEP_MINUTES

const shiftBetween = (from: GridPosition, to: GridPosition): Shift => ({
  days: daysBetween(from.day, to.day),
  minutes: from.minute === null || to.minute === null ? 0 : steps(to.minute - from.minute),
})

const CHANGES = { whole: moveBy, start: stretchStartBy, end: stretchBy } as const

const HALF_HOUR = 30

/** The times of an event that is dragged between two positions, also between the hours and the row above them. */
const dragTo = (
  item: DisplayedEvent,
  grip: Grip,
  { from, to, timezone }: { from: GridPosition; to: GridPosition; timezone: string },
): When => {
  if (grip === 'whole' && to.isAllDayRow && !item.isBar) return toAllDay(item, to.day)
  if (grip === 'whole' && to.minute !== null && item.event.allDay)
    return toTimed(to.day, Math.floor(to.minute / HALF_HOUR) * HALF_HOUR, timezone)
  return CHANGES[grip](item, shiftBetween(from, to))
}

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

/** Alt moves the event, Shift its end, both its start. */
const readGrip = ({ altKey, shiftKey }: KeyboardEvent): Grip | null => {
  if (altKey) return shiftKey ? 'start' : 'whole'
  return shiftKey ? 'end' : null
}

/** The times after a key, or null if the key does nothing. `item` has the times so far. */
const changeByKey = (
  event: KeyboardEvent,
  item: DisplayedEvent,
  { hasHours, timezone }: { hasHours: boolean; timezone: string },
): When | null => {
  const grip = readGrip(event)
  if (grip === null || event.ctrlKey || event.metaKey) return null
  if (grip === 'whole' && event.key === 'PageUp' && !item.isBar) return toAllDay(item, item.first)
  if (grip === 'whole' && event.key === 'PageDown' && item.event.allDay)
    return toTimed(item.first, DEFAULT_HOURS.from, timezone)
  const shift = shiftOf(event.key, hasHours && !item.isBar)
  return shift ? CHANGES[grip](item, shift) : null
}

export interface EventMoveOptions {
  timezone: string
  /** Asks for the scope and saves. Settles after the calendar was refetched. */
  save: (item: DisplayedEvent, when: When) => Promise<void>
  copy: (item: DisplayedEvent, when: When) => Promise<void>
  announce: (text: string) => void
  /** Describes the new position for screen readers. */
  describe: (item: DisplayedEvent) => string
  /** The day that the view is about. */
  day: Day
  /** Shows the days before (-1) or after (+1). */
  turn: (direction: -1 | 1) => void
  goTo: (day: Day) => void
}

export interface PressOptions {
  grip: Grip
  scroller: HTMLElement | null
  /** The edges left and right lead to other days. */
  canTurn: boolean
}

export type Mover = ReturnType<typeof useEventMove>

/** Moves or copies an event by drag and drop or by keyboard. Shows a ghost until the change is saved. */
export const useEventMove = (options: EventMoveOptions) => {
  const { timezone, save, copy, announce, describe, day } = options
  /** A drag lasts longer than a render. */
  const latest = useRef(options)
  latest.current = options
  const [moving, setMoving] = useState<EventMove | null>(null)
  /** After a long press, the event shows handles for a finger. */
  const [held, setHeld] = useState<string | null>(null)
  const ghost = moving && isMoved(moving) ? withTimes(moving.item, moving.when, timezone) : null

  const settle = (moved: EventMove) => {
    setHeld(null)
    if (!isMoved(moved)) return setMoving(null)
    setMoving({ ...moved, byKeys: false })
    const send = moved.isCopy ? copy : save
    void send(moved.item, moved.when).finally(() => setMoving(null))
  }

  return {
    /** Key of the event that is being moved. A copied event stays where it is. */
    carried: moving?.isCopy ? null : (moving?.item.key ?? null),
    /** Key of the event that shows handles. */
    held,
    ghost,
    release: () => setHeld(null),

    press(down: PointerEvent, item: DisplayedEvent, { grip, scroller, canTurn }: PressOptions) {
      if (down.button !== 0 || moving) return
      const canMove = isMovable(item)
      // An event whose time cannot be changed can still be copied.
      if (!canMove && !down.altKey) return
      // A finger needs the handles that a long press shows. Without them, it moves the whole event.
      if (grip !== 'whole' && down.pointerType === 'touch' && held !== item.key) return
      down.stopPropagation()
      const from = findGridPosition({ x: down.clientX, y: down.clientY })
      if (!from) return
      let current: EventMove = { item, when: item.event, isCopy: !canMove, byKeys: false }
      followPointer(down.nativeEvent, {
        scroller,
        isHandle: grip !== 'whole',
        onMove: (point, isCopy) => {
          const to = findGridPosition(point)
          if (!to) return
          const when = dragTo(item, grip, { from, to, timezone })
          current = { ...current, when, isCopy: (isCopy && grip === 'whole') || !canMove }
          setMoving(current)
        },
        onDrop: () => settle(current),
        onCancel: () => {
          setMoving(null)
          if (!isSameDay(latest.current.day, day)) options.goTo(day)
        },
        onHold: () => {
          if (canMove) setHeld(item.key)
        },
        ...(canTurn && { onTurn: (direction) => latest.current.turn(direction) }),
      })
    },

    /** Arrow keys with Alt move the event, with Shift its end, with both its start. Escape cancels. */
    onKey(event: KeyboardEvent, item: DisplayedEvent, hasHours: boolean) {
      const isCarried = moving?.byKeys && moving.item.key === item.key
      const take = () => {
        event.preventDefault()
        event.stopPropagation()
      }
      if (isCarried && event.key === 'Escape') {
        take()
        setMoving(null)
        return announce(t.moveCancelled)
      }
      if (moving && !isCarried) return
      const now = isCarried ? withTimes(item, moving.when, timezone) : item
      const when = changeByKey(event, now, { hasHours, timezone })
      if (!when) return
      take()
      setMoving({ item, when, isCopy: false, byKeys: true })
      announce(describe(withTimes(item, when, timezone)))
    },

    /** Releasing the modifier keys saves a keyboard move. */
    onKeyUp(event: KeyboardEvent, item: DisplayedEvent) {
      if (!moving?.byKeys || moving.item.key !== item.key) return
      if (event.key === 'Alt') event.preventDefault()
      if (!event.altKey && !event.shiftKey) settle(moving)
    },

    /** Losing the focus cancels a keyboard move. */
    onBlur(item: DisplayedEvent) {
      if (moving?.byKeys && moving.item.key === item.key) setMoving(null)
    },
  }
}
