import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useWorld } from '../api/context.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ROOMS } from './rooms.ts'

const SECOND_KEY_WITHIN_MS = 1_500
const NEVER = Number.NEGATIVE_INFINITY
/** What keeps the keys to itself while it is open; while it fades away it no longer does. */
const BUSY = ':is(.dialog, .menu, .combobox-popup):not([data-closed])'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

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
      if (isTyping(event.target) || document.querySelector(BUSY)) return
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

/** Keys of the room that is shown; they are off where the others are. */
export const useKeys = (keys: Readonly<Record<string, () => void>>): void => {
  const { memory } = useWorld()
  const current = useRef(keys)
  current.current = keys
  const wentAt = useRef(NEVER)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector(BUSY)) return
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

/** What `useKeys` is given in the mail, in words. */
const MAIL_KEYS = [
  ['Next and previous', ['j', 'k']],
  ['Open', ['Enter']],
  ['Select', ['x']],
  ['Archive', ['e']],
  ['Delete', ['#']],
  ['Read or unread', ['u']],
  ['Star', ['s']],
  ['Reply, reply to all, forward', ['r', 'a', 'f']],
  ['New e-mail', ['c']],
] as const

/** What `useKeys` is given in the calendar, in words. */
const CALENDAR_KEYS = [
  ['New event', ['n']],
  ['Today', ['t']],
  ['Forward and back', ['j', 'k']],
  ['Month, week, day, agenda', ['1', '2', '3', '4']],
  ['Move the event that has the focus, then arrows', ['m']],
] as const

const ROOM_KEYS = [
  ...MAIL_KEYS.map(([label, keys]) => ['Mail', label, keys] as const),
  ...CALENDAR_KEYS.map(([label, keys]) => ['Calendar', label, keys] as const),
]

interface HelpProps {
  open: boolean
  onClose: () => void
  enabled: boolean
  onEnable: (wanted: boolean) => void
}

export const ShortcutHelp = ({ open, onClose, enabled, onEnable }: HelpProps) => (
  <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
    <dl className="facts">
      {ROOMS.map(({ label, key }) => (
        <div className="shortcut" key={key}>
          <dt>Go to {label}</dt>
          <dd>
            <kbd>g</kbd> then <kbd>{key}</kbd>
          </dd>
        </div>
      ))}
      <div className="shortcut">
        <dt>Search</dt>
        <dd>
          <kbd>/</kbd>
        </dd>
      </div>
      {ROOM_KEYS.map(([room, label, keys]) => (
        <div className="shortcut" key={`${room} ${label}`}>
          <dt>
            {room}: {label}
          </dt>
          <dd className="shortcut-keys">
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dd>
        </div>
      ))}
      <div className="shortcut">
        <dt>This list</dt>
        <dd>
          <kbd>?</kbd>
        </dd>
      </div>
      <div className="shortcut">
        <dt>Close a dialog or a menu</dt>
        <dd>
          <kbd>Esc</kbd>
        </dd>
      </div>
    </dl>
    <label className="check">
      <input type="checkbox" checked={enabled} onChange={(event) => onEnable(event.target.checked)} />
      <span>
        Use shortcuts of single keys
        <span className="field-hint"> (turn them off if you control this page by voice)</span>
      </span>
    </label>
  </Dialog>
)
