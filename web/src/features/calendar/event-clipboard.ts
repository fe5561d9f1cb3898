import { useEffect, useRef, useState } from 'react'
import * as t from '#locale/calendar'
import { isPageKeyEvent } from '../../shell/shortcuts.ts'
import { type Day, daysBetween } from './days.ts'
import type { DisplayedEvent } from './displayed-event.ts'
import { moveBy, type When } from './timing.ts'

interface ClipboardOptions {
  findFocusedEvent: () => DisplayedEvent | null
  /** The day of a pasted event. */
  findDay: () => Day
  copy: (item: DisplayedEvent, when: When) => void
  announce: (text: string) => void
}

const hasSelectedText = (): boolean => (window.getSelection()?.toString() ?? '') !== ''

/** Ctrl+C keeps the focused event, Ctrl+V copies it to the focused day at the same time. */
export const useEventClipboard = (options: ClipboardOptions): void => {
  const [copied, setCopied] = useState<DisplayedEvent | null>(null)
  const latest = useRef({ ...options, copied })
  latest.current = { ...options, copied }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (event.defaultPrevented || !isPageKeyEvent(event)) return
      const { findFocusedEvent, findDay, copy, announce } = latest.current
      if (event.key === 'c' && !hasSelectedText()) {
        const item = findFocusedEvent()
        if (!item || item.isBusyTime) return
        event.preventDefault()
        setCopied(item)
        announce(t.eventCopied(item.event.title))
      } else if (event.key === 'v' && latest.current.copied) {
        event.preventDefault()
        const item = latest.current.copied
        copy(item, moveBy(item, { days: daysBetween(item.first, findDay()), minutes: 0 }))
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
