import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { createStore } from '../api/store.ts'

/** The item that the page is about. The assistant gets it with each message, so that "this" refers to it. */
export interface PageSubject {
  type: 'email' | 'event' | 'task' | 'contact'
  id: number
  title: string
  /** Start of one occurrence of a recurring event. */
  occurrence?: string
}

interface CurrentSubject {
  subject: PageSubject
  /** Address of the page. An item in a popover or a dialog stays the subject until the page changes. */
  path: string
}

const current = createStore<CurrentSubject | null>(null)

/**
 * Declares the open item. `isTransient`: it is in a popover or a dialog, which closes when the user turns to the
 * assistant. It stays the subject of the page then.
 */
export const usePageSubject = (subject: PageSubject | null, { isTransient = false } = {}): void => {
  const [path] = useLocation()
  const { type, id, title, occurrence } = subject ?? {}
  useEffect(() => {
    if (type === undefined || id === undefined || title === undefined) return
    const mine = { subject: { type, id, title, ...(occurrence && { occurrence }) }, path }
    current.set(mine)
    return () => {
      if (!isTransient && current.get() === mine) current.set(null)
    }
  }, [type, id, title, occurrence, path, isTransient])
}

export const pageSubject = {
  subscribe: current.subscribe,
  /** The subject of the page at this address. */
  get(path: string): PageSubject | null {
    const now = current.get()
    return now?.path === path ? now.subject : null
  },
}
