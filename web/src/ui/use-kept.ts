import { useEffect, useMemo, useRef } from 'react'
import type { Written } from '../api/begun.ts'
import { useWorld } from '../api/context.tsx'
import { useNotify } from './toast.tsx'

export interface Kept {
  /** What was written the last time and not sent. */
  read(): Written | null
  keep(written: Written): void
  /** It is on its way: whoever leaves meanwhile is told nothing. */
  send(): void
  /** It was sent, or is not wanted any more. */
  forget(): void
}

/**
 * Keeps what is written under a name until it is sent, by whatever way its form is left; null keeps nothing. Who leaves
 * is told, unless it stands in plain sight when they come back.
 */
export const useKept = (name: string | null, { silent = false } = {}): Kept => {
  const { begun, session } = useWorld()
  const notify = useNotify()
  const isWritten = useRef(false)
  const tell = useRef<() => void>(() => {})
  tell.current = () => {
    if (name === null || silent || !isWritten.current || begun.get(name) === null) return
    if (session.state.get().status !== 'in') return
    const takeAway = notify('Not saved, but kept until you come back.', {
      offer: { label: 'Discard', accept: () => begun.set(name, null) },
    })
    begun.onReturn(name, takeAway)
  }
  useEffect(() => {
    if (name !== null) begun.returnTo(name)
    isWritten.current = false
    const leave = tell.current
    return () => leave()
  }, [name, begun])

  return useMemo(
    () => ({
      read: () => (name !== null && session.state.get().status === 'in' ? begun.get(name) : null),
      keep(written) {
        if (name === null || session.state.get().status !== 'in') return
        isWritten.current = true
        begun.set(name, Object.keys(written).length === 0 ? null : written)
      },
      send() {
        isWritten.current = false
      },
      forget() {
        if (name !== null) begun.set(name, null)
      },
    }),
    [name, begun, session],
  )
}
