import { useEffect, useMemo, useRef } from 'react'
import * as t from '#locale/ui'
import { useServices } from '../api/context.tsx'
import type { FormChanges } from '../api/saved-forms.ts'
import { useNotify } from './toast.tsx'

export interface SavedForm {
  /** The unsent input of the last visit. */
  read(): FormChanges | null
  save(changes: FormChanges): void
  /** The submit has started: leaving now shows no toast. */
  markSubmitting(): void
  /** Deletes the saved input after a submit or a discard. */
  discard(): void
}

/**
 * Saves form input under a name until it is submitted; null saves nothing. Leaving the form shows a toast,
 * unless `silent` is set because the restored input is visible anyway.
 */
export const useSavedForm = (name: string | null, { silent = false } = {}): SavedForm => {
  const { savedForms, session } = useServices()
  const notify = useNotify()
  const hasUnsentInput = useRef(false)
  const notifyOnLeave = useRef<() => void>(() => {})
  notifyOnLeave.current = () => {
    if (name === null || silent || !hasUnsentInput.current || savedForms.get(name) === null) return
    if (session.state.get().status !== 'in') return
    const dismissToast = notify(t.inputKept, {
      offer: { label: t.discard, accept: () => savedForms.set(name, null) },
    })
    savedForms.onReopen(name, dismissToast)
  }
  useEffect(() => {
    if (name !== null) savedForms.reopen(name)
    hasUnsentInput.current = false
    const leave = notifyOnLeave.current
    return () => leave()
  }, [name, savedForms])

  return useMemo(
    () => ({
      read: () => (name !== null && session.state.get().status === 'in' ? savedForms.get(name) : null),
      save(changes) {
        if (name === null || session.state.get().status !== 'in') return
        hasUnsentInput.current = true
        savedForms.set(name, Object.keys(changes).length === 0 ? null : changes)
      },
      markSubmitting() {
        hasUnsentInput.current = false
      },
      discard() {
        if (name !== null) savedForms.set(name, null)
      },
    }),
    [name, savedForms, session],
  )
}
