import { SOURCES, type Source, STATUSES, type Status } from './event.ts'

export const VIEWS = ['year', 'month', 'week', 'day', 'agenda'] as const
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

export const BASE_PATH = '/calendar'

const oneOf = <T extends string>(known: readonly T[], value: string | null): T | null =>
  known.find((entry) => entry === value) ?? null

export const readView = (value: string | null): View | null => oneOf(VIEWS, value)

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** Reads the query string. Ignores unknown values. */
export const readUrlState = (search: string, defaultView: View): UrlState => {
  const query = new URLSearchParams(search)
  const date = query.get('date') ?? ''
  return {
    view: readView(query.get('view')) ?? defaultView,
    date: DAY.test(date) ? date : null,
    status: oneOf(STATUSES, query.get('status')),
    source: oneOf(SOURCES, query.get('source')),
    search: query.get('search') ?? '',
  }
}

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
