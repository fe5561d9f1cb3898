import { isTextField, openField } from './type-ahead.ts'

/** Shortcuts that work before the frame, which handles all shortcuts, has loaded. */
export type EarlyShortcut = 'quick-add' | 'palette' | 'assistant'

const CHORDS: Readonly<Record<string, EarlyShortcut>> = { k: 'palette', j: 'assistant' }
export const isMac = /Mac|iP(hone|ad)/.test(navigator.platform)

let pressed: EarlyShortcut | null = null
let listening: AbortController | null = null

const readShortcut = (event: KeyboardEvent, areKeysEnabled: () => boolean): EarlyShortcut | null => {
  const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event
  if (altKey || shiftKey) return null
  if (isMac ? metaKey : ctrlKey) return CHORDS[key.toLowerCase()] ?? null
  const isKey = key === 'q' && !ctrlKey && !metaKey && !isTextField(target)
  return isKey && areKeysEnabled() ? 'quick-add' : null
}

/** Holds the keys that follow a shortcut. Otherwise the first ones would be lost, and the others act on the page. */
export const holdEarlyShortcuts = (areKeysEnabled: () => boolean): void => {
  listening = new AbortController()
  const onKey = (event: KeyboardEvent): void => {
    const shortcut = readShortcut(event, areKeysEnabled)
    if (shortcut === null) return
    event.preventDefault()
    openField(
      () => {
        pressed = shortcut
      },
      () => {
        pressed = null
      },
    )
  }
  window.addEventListener('keydown', onKey, { signal: listening.signal })
}

/** Ends the listening, and returns what to open now. */
export const takeEarlyShortcut = (): EarlyShortcut | null => {
  listening?.abort()
  const shortcut = pressed
  pressed = null
  return shortcut
}
