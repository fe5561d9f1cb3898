import { useEffect, useRef } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'

/** Goes along with an address: what whoever goes there wants to begin. */
export type Asked = 'event' | 'task'

/** Begins what was asked for on the way here, once: not again when one comes back or reloads. */
export const useAsked = (what: Asked, begin: () => void): void => {
  const state = useHistoryState<{ asked?: Asked } | null>()
  const latest = useRef(begin)
  latest.current = begin
  const isAsked = state?.asked === what
  useEffect(() => {
    if (!isAsked) return
    window.history.replaceState(null, '')
    latest.current()
  }, [isAsked])
}
