import { useEffect, useRef } from 'react'
import { useWorld } from '../api/context.tsx'
import { useLatestUndo } from '../ui/toast.tsx'
import { isForPage } from './shortcuts.ts'

const isUndo = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'chord' | 'letter' | null => {
  if (key.toLowerCase() !== 'z' || altKey || shiftKey) return null
  return ctrlKey || metaKey ? 'chord' : 'letter'
}

/** Takes back what was said last and can be taken back. In a field the browser's own way of doing so is left alone. */
export const useUndoKey = (): void => {
  const { memory } = useWorld()
  const undo = useLatestUndo()
  const current = useRef(undo)
  current.current = undo
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const how = isUndo(event)
      if (how === null || event.defaultPrevented || !isForPage(event)) return
      if (how === 'letter' && memory.read('shortcuts') === 'off') return
      if (!current.current) return
      event.preventDefault()
      current.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [memory])
}
