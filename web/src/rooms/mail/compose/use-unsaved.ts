import { useEffect, useRef } from 'react'
import { useWorld } from '../../../api/context.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import type { Fields } from './seeds.ts'

/** Of a draft that could not be saved: its words wait in this tab, and are saved when it is gone on with. */
export const useUnsaved = () => {
  const { begun, session } = useWorld()
  const notify = useNotify()
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  return {
    read: (name: string): Fields | null => (begun.get(name)?.fields?.now as Fields | undefined) ?? null,
    keep(name: string, fields: Fields): void {
      const now = session.state.get()
      if (now.status === 'out' && now.why === 'farewell') return
      begun.set(name, { fields: { was: null, now: fields } })
      if (isLeft.current)
        notify('The draft could not be saved. Its words wait here for you.', { failed: true })
    },
    forget: (name: string): void => begun.set(name, null),
  }
}
