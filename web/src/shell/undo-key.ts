import { useEffect, useRef } from 'react'
import { useServices } from '../api/context.tsx'
import { useLatestUndo } from '../ui/toast.tsx'
import { isPageKeyEvent } from './shortcuts.ts'

const getUndoKey = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: KeyboardEvent): 'chord' | 'letter' | null => {
  if (key.toLowerCase() !== 'z' || altKey || shiftKey) return null
  return ctrlKey || metaKey ? 'chord' : 'letter'
}

/** `z` or Ctrl+Z runs the undo of the newest toast. Text fields keep the browser's own undo. */
export const useUndoKey = (): void => {
  const { browserStorage } = useServices()
  const undo = useLatestUndo()
  const current = useRef(undo)
  current.current = undo
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const how = getUndoKey(event)
      if (how === null || event.defaultPrevented || !isPageKeyEvent(event)) return
      if (how === 'letter' && browserStorage.read('shortcuts') === 'off') return
      if (!current.current) return
      event.preventDefault()
      current.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [browserStorage])
}
