import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { controlKey } from '#locale/shell'
import { useServices } from '../api/context.tsx'
import { isMac } from './early-shortcuts.ts'
import { createKeySequence, findPageAction, readGlobalKey } from './key-map.ts'
import { isTextField, openField } from './type-ahead.ts'

const NOTHING = () => {}
/** Open overlays that handle keys themselves. Closing ones no longer do. */
const OPEN_OVERLAYS =
  ':is([role="dialog"], [role="menu"], .dialog, .menu, .combobox-popup):not(.toast, [data-closed])'

/** Whether a key event may trigger a page shortcut: not while typing, and not under an overlay. */
export const isPageKeyEvent = ({ target }: KeyboardEvent): boolean =>
  !isTextField(target) && document.querySelector(OPEN_OVERLAYS) === null

/** Target of the `/` shortcut. */
const searchField = () => document.querySelector<HTMLInputElement>('input[type="search"]')

interface ShortcutActions {
  onHelp: () => void
  onQuickAdd: () => void
}

/** Single-key shortcuts interfere with speech input, so users can turn them off (WCAG 2.1.4). */
export const useShortcuts = ({ onHelp, onQuickAdd }: ShortcutActions) => {
  const { browserStorage } = useServices()
  const [, navigate] = useLocation()
  const [enabled, setEnabled] = useState(() => browserStorage.read('shortcuts') !== 'off')
  const [followsG] = useState(createKeySequence)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!isPageKeyEvent(event)) return
      const action = readGlobalKey(event.key, followsG(event.key, performance.now()), enabled)
      if (!action) return
      event.preventDefault()
      if (action.kind === 'help') onHelp()
      else if (action.kind === 'page') navigate(action.href)
      else if (action.kind === 'quick-add') onQuickAdd()
      else {
        const field = searchField()
        if (field) field.focus()
        else openField(() => navigate('/settings', { state: { focus: 'search' } }), NOTHING)
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [enabled, followsG, navigate, onHelp, onQuickAdd])

  return {
    enabled,
    enable(wanted: boolean) {
      browserStorage.write('shortcuts', wanted ? null : 'off')
      setEnabled(wanted)
    },
  }
}

const hasCommands = (overlay: Element): boolean => overlay.matches('[data-palette]')

const toChord = (letter: string) =>
  isMac
    ? { letter, label: `⌘${letter}`, ariaKeyShortcuts: `Meta+${letter}` }
    : { letter, label: `${controlKey}+${letter}`, ariaKeyShortcuts: `Control+${letter}` }
export const PALETTE_KEYS = toChord('K')
export const ASSISTANT_KEYS = toChord('J')

/**
 * A letter with Ctrl or Cmd opens the command palette or the assistant from anywhere, text fields included, unless an
 * overlay is open. Both also work with the content of some popovers, which have `data-palette`.
 */
export const useChord = ({ letter }: typeof PALETTE_KEYS, onOpen: () => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toUpperCase() !== letter || event.altKey || event.shiftKey) return
      if (event.defaultPrevented || !(isMac ? event.metaKey : event.ctrlKey)) return
      event.preventDefault()
      if ([...document.querySelectorAll(OPEN_OVERLAYS)].every(hasCommands)) onOpen()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [letter, onOpen])
}

/** Shortcuts of the current page. The user setting turns them off too. */
export const useKeys = (keys: Readonly<Record<string, () => void>>): void => {
  const { browserStorage } = useServices()
  const [followsG] = useState(createKeySequence)
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!isPageKeyEvent(event)) return
      const action = findPageAction(current.current, event.key, followsG(event.key, performance.now()))
      if (!action || browserStorage.read('shortcuts') === 'off') return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [browserStorage, followsG])
}
