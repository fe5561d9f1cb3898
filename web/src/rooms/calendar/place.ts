import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useWorld } from '../../api/context.tsx'
import type { Memory } from '../../api/memory.ts'
import { SOURCES, type Source, STATUSES, type Status } from './words.ts'

export const VIEWS = ['month', 'week', 'day', 'agenda'] as const
export type View = (typeof VIEWS)[number]

/** What part of the calendar is looked at. All of it stands in the address, so that going back and reloading work. */
export interface Place {
  view: View
  /** A day in it, as 2026-03-02; null is today. */
  date: string | null
  status: Status | null
  source: Source | null
  search: string
}

const HERE = '/calendar'
const SMALL = '(max-width: 720px)'

const oneOf = <T extends string>(known: readonly T[], value: string | null): T | null =>
  known.find((entry) => entry === value) ?? null

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** Small screens and large ones are remembered apart: what is good for one is not for the other. */
const memoryName = (): string => (window.matchMedia(SMALL).matches ? 'calendar-view.small' : 'calendar-view')

const usualView = (memory: Memory): View =>
  oneOf(VIEWS, memory.read(memoryName())) ?? (window.matchMedia(SMALL).matches ? 'agenda' : 'week')

export const addressOf = ({ view, date, status, source, search }: Partial<Place>): string => {
  const query = new URLSearchParams()
  const parts = { view, date, status, source, search }
  for (const [name, value] of Object.entries(parts)) if (value) query.set(name, value)
  return `${HERE}${query.size > 0 ? `?${query}` : ''}`
}

export const usePlace = () => {
  const { memory } = useWorld()
  const search = useSearch()
  const [, navigate] = useLocation()
  const place = useMemo((): Place => {
    const query = new URLSearchParams(search)
    const date = query.get('date') ?? ''
    return {
      view: oneOf(VIEWS, query.get('view')) ?? usualView(memory),
      date: DAY.test(date) ? date : null,
      status: oneOf(STATUSES, query.get('status')),
      source: oneOf(SOURCES, query.get('source')),
      search: query.get('search') ?? '',
    }
  }, [search, memory])

  const go = useCallback(
    (change: Partial<Place>, options: { replace?: boolean } = {}) => {
      if (change.view) memory.write(memoryName(), change.view)
      navigate(addressOf({ ...place, ...change }), options)
    },
    [place, navigate, memory],
  )
  /** Also later, and from elsewhere: in the view that is open by then, or usual, with nothing hidden. */
  const goToDay = useCallback(
    (date: string) => {
      const { pathname, search: now } = window.location
      const asked = pathname === HERE ? new URLSearchParams(now).get('view') : null
      const view = oneOf(VIEWS, asked)
      navigate(addressOf({ date, ...(view && { view }) }))
    },
    [navigate],
  )
  return { place, go, goToDay }
}
