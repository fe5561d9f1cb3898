import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { toRouterPath } from '../../api/base-path.ts'
import type { BrowserStorage } from '../../api/browser-storage.ts'
import { useServices } from '../../api/context.tsx'
import { SOURCES, type Source, STATUSES, type Status } from './event.ts'

export const VIEWS = ['month', 'week', 'day', 'agenda'] as const
export type View = (typeof VIEWS)[number]

/** Calendar view state, stored in the URL, so that reload and Back work. */
export interface UrlState {
  view: View
  /** A day in the view as YYYY-MM-DD; null is today. */
  date: string | null
  status: Status | null
  source: Source | null
  search: string
}

const BASE_PATH = '/calendar'
const SMALL = '(max-width: 720px)'

const oneOf = <T extends string>(known: readonly T[], value: string | null): T | null =>
  known.find((entry) => entry === value) ?? null

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** Small and large screens remember their last view separately. */
const viewStorageKey = (): string =>
  window.matchMedia(SMALL).matches ? 'calendar-view.small' : 'calendar-view'

const defaultView = (browserStorage: BrowserStorage): View =>
  oneOf(VIEWS, browserStorage.read(viewStorageKey())) ??
  (window.matchMedia(SMALL).matches ? 'agenda' : 'week')

export const addressOf = ({ view, date, status, source, search }: Partial<UrlState>): string => {
  const query = new URLSearchParams()
  const parts = { view, date, status, source, search }
  for (const [name, value] of Object.entries(parts)) if (value) query.set(name, value)
  return `${BASE_PATH}${query.size > 0 ? `?${query}` : ''}`
}

/** Parameter of the event to open. The page removes it when the event is open. */
export const EVENT_PARAMETER = 'event'

/** The address of an event: its day, with the event open. */
export const eventAddress = ({
  id,
  occurrence,
  day,
}: {
  id: number
  /** `occurrenceStart` of one occurrence of a series. */
  occurrence: string | null
  day: string | null
}): string => {
  const address = addressOf({ view: 'day', date: day })
  return `${address}&${new URLSearchParams({ [EVENT_PARAMETER]: `${id}@${occurrence ?? ''}` })}`
}

export const useUrlState = () => {
  const { browserStorage } = useServices()
  const search = useSearch()
  const [, navigate] = useLocation()
  const urlState = useMemo((): UrlState => {
    const query = new URLSearchParams(search)
    const date = query.get('date') ?? ''
    return {
      view: oneOf(VIEWS, query.get('view')) ?? defaultView(browserStorage),
      date: DAY.test(date) ? date : null,
      status: oneOf(STATUSES, query.get('status')),
      source: oneOf(SOURCES, query.get('source')),
      search: query.get('search') ?? '',
    }
  }, [search, browserStorage])

  const go = useCallback(
    (change: Partial<UrlState>, options: { replace?: boolean } = {}) => {
      if (change.view) browserStorage.write(viewStorageKey(), change.view)
      navigate(addressOf({ ...urlState, ...change }), options)
    },
    [urlState, navigate, browserStorage],
  )
  /**
   * Opens a day with all filters cleared. Toasts call it later, so it reads the view from the current URL.
   */
  const goToDay = useCallback(
    (date: string) => {
      const { pathname, search: now } = window.location
      const asked = toRouterPath(pathname) === BASE_PATH ? new URLSearchParams(now).get('view') : null
      const view = oneOf(VIEWS, asked)
      navigate(addressOf({ date, ...(view && { view }) }))
    },
    [navigate],
  )
  return { urlState, go, goToDay }
}
