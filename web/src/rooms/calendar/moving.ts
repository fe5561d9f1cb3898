import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { Day } from './days.ts'
import { dayOf, daysBetween } from './days.ts'
import { followPointer, type Point } from './dragging.ts'
import { type Shown, showEvent } from './shown.ts'
import { moveBy, type Shift, STEP_MINUTES, stretchBy, type When } from './timing.ts'

/** A place in the calendar: a day, and a minute of it where hours are drawn. */
export interface Spot {
  day: Day
  minute: number | null
}

/** What of the calendar lies under a point: days are marked with `data-day`, those that show hours also with `data-hours`. */
export const spotAt = ({ x, y }: Point): Spot | null => {
  const under = document
    .elementsFromPoint(x, y)
    .find((element): element is HTMLElement => element instanceof HTMLElement && !!element.dataset.day)
  if (!under?.dataset.day) return null
  if (under.dataset.hours === undefined) return { day: dayOf(under.dataset.day), minute: null }
  const { top, height } = under.getBoundingClientRect()
  return { day: dayOf(under.dataset.day), minute: Math.round(((y - top) / height) * 24 * 60) }
}

export type Grip = 'whole' | 'end'

interface Moving {
  shown: Shown
  when: When
  /** By keys: it waits for Enter. */
  byKeys: boolean
}

const isMoved = ({ shown: { event }, when }: Moving): boolean =>
  when.start !== event.start || when.end !== event.end

const steps = (minutes: number): number => Math.round(minutes / STEP_MINUTES) * STEP_MINUTES

const shiftBetween = (from: Spot, to: Spot): Shift => ({
  days: daysBetween(from.day, to.day),
  minutes: from.minute === null || to.minute === null ? 0 : steps(to.minute - from.minute),
})

const KEYS: Readonly<Record<string, Shift>> = {
  ArrowLeft: { days: -1, minutes: 0 },
  ArrowRight: { days: 1, minutes: 0 },
  ArrowUp: { days: 0, minutes: -STEP_MINUTES },
  ArrowDown: { days: 0, minutes: STEP_MINUTES },
}

/** Where there are no hours, up and down are weeks. */
const shiftOf = (key: string, hasHours: boolean): Shift | undefined => {
  const shift = KEYS[key]
  if (shift?.days !== 0 || hasHours) return shift
  return { days: shift.minutes < 0 ? -7 : 7, minutes: 0 }
}

export interface MovingOptions {
  timezone: string
  /** Asks and saves; settles when the calendar shows how it is now. */
  save: (shown: Shown, when: When) => Promise<void>
  say: (text: string) => void
  /** Where it would be, in words. */
  tell: (shown: Shown) => string
}

export type Mover = ReturnType<typeof useMoving>

/** Carrying an event elsewhere, by pointer or by keys. Until it is saved it only seems to be there. */
export const useMoving = ({ timezone, save, say, tell }: MovingOptions) => {
  const [moving, setMoving] = useState<Moving | null>(null)
  const ghost =
    moving && isMoved(moving) ? showEvent({ ...moving.shown.event, ...moving.when }, timezone) : null

  const settle = (moved: Moving) => {
    if (!isMoved(moved)) return setMoving(null)
    setMoving({ ...moved, byKeys: false })
    void save(moved.shown, moved.when).finally(() => setMoving(null))
  }

  return {
    /** The event that is carried, and where it would be. */
    carried: moving?.shown.key ?? null,
    ghost,

    press(down: PointerEvent, shown: Shown, grip: Grip, scroller: HTMLElement | null) {
      if (down.button !== 0 || moving) return
      down.stopPropagation()
      const from = spotAt({ x: down.clientX, y: down.clientY })
      if (!from) return
      let current: Moving = { shown, when: shown.event, byKeys: false }
      const change = grip === 'whole' ? moveBy : stretchBy
      followPointer(down.nativeEvent, {
        scroller,
        onMove: (point) => {
          const to = spotAt(point)
          if (!to) return
          current = { ...current, when: change(shown, shiftBetween(from, to)) }
          setMoving(current)
        },
        onDrop: () => settle(current),
        onCancel: () => setMoving(null),
      })
    },

    /** `m` lifts it, arrows carry it, with Shift they move its end; Enter puts it down, Escape puts it back. */
    onKey(event: KeyboardEvent, shown: Shown, hasHours: boolean) {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const isCarried = moving?.byKeys && moving.shown.key === shown.key
      const take = () => {
        event.preventDefault()
        event.stopPropagation()
      }
      if (!isCarried) {
        if (event.key !== 'm' || moving) return
        take()
        setMoving({ shown, when: shown.event, byKeys: true })
        return say(
          'Lifted. Arrow keys move it, with Shift they move its end. Enter to keep, Escape to put back.',
        )
      }
      if (event.key === 'Escape') {
        take()
        setMoving(null)
        return say('Put back.')
      }
      if (event.key === 'Enter' || event.key === ' ') {
        take()
        return settle(moving)
      }
      const hours = hasHours && !shown.isBar
      const shift = shiftOf(event.key, hours)
      if (!shift) return
      take()
      const now = showEvent({ ...shown.event, ...moving.when }, timezone)
      const when = event.shiftKey ? stretchBy(now, shift) : moveBy(now, shift)
      setMoving({ ...moving, when })
      say(tell(showEvent({ ...shown.event, ...when }, timezone)))
    },

    /** Leaving it in the air puts it back. */
    onBlur(shown: Shown) {
      if (moving?.byKeys && moving.shown.key === shown.key) setMoving(null)
    },
  }
}
