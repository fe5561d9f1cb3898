import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useWorld } from '../api/context.tsx'
import { ROOMS } from './rooms.ts'

const SECOND_KEY_WITHIN_MS = 1_500
const NEVER = Number.NEGATIVE_INFINITY
/** What keeps the keys to itself while it is open; while it fades away it no longer does. */
const BUSY = ':is(.dialog, .menu, .combobox-popup):not([data-closed])'

/** Where letters are taken; a box that is ticked takes none. */
const FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, select'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS))

/** Nothing else takes keys now: no field, and nothing that lies over the page. */
export const isForPage = ({ target }: KeyboardEvent): boolean =>
  !isTyping(target) && document.querySelector(BUSY) === null

/** The field that `/` leads to, wherever it is shown. */
const searchField = () => document.querySelector<HTMLInputElement>('input[type="search"]')

/** Single keys get in the way of speech input, so they can be turned off (WCAG 2.1.4). */
export const useShortcuts = (onHelp: () => void) => {
  const { memory } = useWorld()
  const [, navigate] = useLocation()
  const [enabled, setEnabled] = useState(() => memory.read('shortcuts') !== 'off')
  const wentAt = useRef(NEVER)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!isForPage(event)) return
      const room = ROOMS.find(({ key }) => key === event.key)
      const afterG = performance.now() - wentAt.current < SECOND_KEY_WITHIN_MS
      wentAt.current = event.key === 'g' && enabled ? performance.now() : NEVER
      if (event.key === '?') onHelp()
      else if (!enabled) return
      else if (afterG && room) navigate(room.href)
      else if (event.key === '/') {
        const field = searchField()
        if (field) field.focus()
        else navigate('/settings', { state: { focus: 'search' } })
      } else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [enabled, navigate, onHelp])

  return {
    enabled,
    enable(wanted: boolean) {
      memory.write('shortcuts', wanted ? null : 'off')
      setEnabled(wanted)
    },
  }
}

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform)
export const FINDER_KEYS = isMac ? { seen: '⌘K', heard: 'Meta+K' } : { seen: 'Ctrl+K', heard: 'Control+K' }

/** From wherever one is, a field too; only what lies over the page keeps it away. */
export const useFinderKey = (onFind: () => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return
      if (event.defaultPrevented || !(isMac ? event.metaKey : event.ctrlKey)) return
      event.preventDefault()
      if (document.querySelector(BUSY) === null) onFind()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onFind])
}

/** Keys of the room that is shown; they are off where the others are. */
export const useKeys = (keys: Readonly<Record<string, () => void>>): void => {
  const { memory } = useWorld()
  const current = useRef(keys)
  current.current = keys
  const wentAt = useRef(NEVER)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!isForPage(event)) return
      // What follows `g` leads to a room.
      const afterG = performance.now() - wentAt.current < SECOND_KEY_WITHIN_MS
      wentAt.current = event.key === 'g' ? performance.now() : NEVER
      const action = current.current[event.key]
      if (!action || afterG || memory.read('shortcuts') === 'off') return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [memory])
}
