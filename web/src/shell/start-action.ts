import { useEffect, useRef } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'

/** Action to start on the target page, passed in the history state. */
export type StartAction = 'event' | 'reply' | 'task'

/**
 * Runs the requested action once. Clears the history state, so that Back or a reload does not run it again.
 */
export const useStartAction = (what: StartAction, begin: () => void): void => {
  const state = useHistoryState<{ startAction?: StartAction } | null>()
  const latest = useRef(begin)
  latest.current = begin
  const isRequested = state?.startAction === what
  useEffect(() => {
    if (!isRequested) return
    window.history.replaceState(null, '')
    latest.current()
  }, [isRequested])
}
