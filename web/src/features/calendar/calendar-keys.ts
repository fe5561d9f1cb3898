import { useEffect, useRef } from 'react'
import { useServices } from '../../api/context.tsx'
import { isPageKeyEvent, useKeys } from '../../shell/shortcuts.ts'
import type { View } from './address.ts'

/** The keys of the views, as in Google Calendar. */
export const VIEW_KEYS: Record<View, string> = { year: 'y', month: 'm', week: 'w', day: 'd', agenda: 'a' }

/** `g` also begins the keys that open other pages, so it waits for a second key. */
const SECOND_KEY_MS = 700

/** Calls `run` after `g` and a pause, or after `gg`. */
const useGoKey = (run: () => void): void => {
  const { browserStorage } = useServices()
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    const stop = () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
    }
    const onKey = (event: KeyboardEvent) => {
      const wasPressed = timer !== null
      stop()
      if (event.key !== 'g' || event.ctrlKey || event.metaKey || event.altKey) return
      if (!isPageKeyEvent(event) || browserStorage.read('shortcuts') === 'off') return
      if (wasPressed) {
        event.preventDefault()
        latest.current()
      } else timer = setTimeout(() => latest.current(), SECOND_KEY_MS)
    }
    window.addEventListener('keydown', onKey)
    return () => {
      stop()
      window.removeEventListener('keydown', onKey)
    }
  }, [browserStorage])
}

interface CalendarKeys {
  onView: (view: View) => void
  onStep: (steps: number) => void
  onToday: () => void
  onNew: () => void
  onGoToDate: () => void
  /** Edits or deletes the focused event. */
  onEdit: () => void
  onDelete: () => void
}

/** Keys of the calendar page, as in Google Calendar. */
export const useCalendarKeys = (keys: CalendarKeys): void => {
  const forward = () => keys.onStep(1)
  const back = () => keys.onStep(-1)
  useKeys({
    ...Object.fromEntries(
      Object.entries(VIEW_KEYS).map(([view, key]) => [key, () => keys.onView(view as View)]),
    ),
    c: keys.onNew,
    e: keys.onEdit,
    '#': keys.onDelete,
    t: keys.onToday,
    j: forward,
    n: forward,
    k: back,
    p: back,
  })
  useGoKey(keys.onGoToDate)
}
