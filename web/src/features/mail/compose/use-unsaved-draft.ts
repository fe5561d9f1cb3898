import { useEffect, useRef } from 'react'
import { useServices } from '../../../api/context.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import type { Fields } from './seeds.ts'

/**
 * Keeps the text of a draft that could not be saved in this tab. The draft is saved when the user continues
 * it.
 */
export const useUnsavedDraft = () => {
  const { savedForms, session } = useServices()
  const notify = useNotify()
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])
  return {
    read: (name: string): Fields | null => (savedForms.get(name)?.fields?.now as Fields | undefined) ?? null,
    save(name: string, fields: Fields): void {
      const now = session.state.get()
      if (now.status === 'out' && now.why === 'signed-out') return
      savedForms.set(name, { fields: { was: null, now: fields } })
      if (isUnmounted.current)
        notify('The draft could not be saved. Its words wait here for you.', { failed: true })
    },
    discard: (name: string): void => savedForms.set(name, null),
  }
}
