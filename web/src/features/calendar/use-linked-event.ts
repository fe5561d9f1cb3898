import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { EVENT_PARAMETER } from './address.ts'
import type { DisplayedEvent } from './displayed-event.ts'

/**
 * Opens the event that the address names. Then removes it from the address, so that Back and a reload do not open it
 * again.
 */
export const useLinkedEvent = (
  displayedEvents: readonly DisplayedEvent[],
  isLoaded: boolean,
  open: (item: DisplayedEvent, anchor: HTMLElement) => void,
): void => {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const latest = useRef(open)
  latest.current = open
  const key = new URLSearchParams(search).get(EVENT_PARAMETER)
  useEffect(() => {
    if (key === null || !isLoaded) return
    const item = displayedEvents.find((each) => each.key === key)
    const anchor = document.querySelector<HTMLElement>(`[data-event="${CSS.escape(key)}"]`)
    const rest = new URLSearchParams(search)
    rest.delete(EVENT_PARAMETER)
    navigate(`${path}?${rest}`, { replace: true })
    anchor?.scrollIntoView({ block: 'center' })
    if (item && anchor) latest.current(item, anchor)
  }, [key, isLoaded, displayedEvents, path, search, navigate])
}
