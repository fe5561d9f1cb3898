import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Calendar } from '../../api/calendars.ts'
import { type Client, unwrap, unwrapVersion } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { type Day, daysBetween, instantOf } from './days.ts'
import { isPendingDeletion, usePendingEventDeletions } from './delete-event.ts'
import { type DisplayedEvent, inOrder, toDisplayedEvent } from './displayed-event.ts'
import type { CalendarEvent, Source, Status } from './event.ts'
import { matchesSearch } from './filter.ts'

export const calendarKey = ['calendar'] as const

const PAGE = 200
const MAX_PAGES = 25
/** All-day events use the days of their own time zone. Time zones differ by up to 26 hours. */
const WIDEST_ZONES_HOURS = 26

interface Window {
  first: Day
  count: number
  timezone: string
  status: Status | null
  source: Source | null
}

const listEvents = (client: Client, { first, count, timezone, status, source }: Window) => {
  const from = first.toZonedDateTime(timezone).subtract({ hours: WIDEST_ZONES_HOURS })
  const until = first.add({ days: count }).toZonedDateTime(timezone).add({ hours: WIDEST_ZONES_HOURS })
  const query = {
    start: instantOf(from),
    end: instantOf(until),
    limit: PAGE,
    ...(status && { status }),
    ...(source && { source }),
  }
  return queryOptions({
    queryKey: [...calendarKey, 'events', query],
    queryFn: async ({ signal }) => {
      const events: CalendarEvent[] = []
      let cursor: string | null = null
      for (let page = 0; page < MAX_PAGES; page++) {
        const params = { query: cursor === null ? query : { ...query, cursor } }
        const answer: { events: CalendarEvent[]; nextCursor: string | null } = await unwrap(
          client.GET('/api/calendar/events', { params, signal }),
        )
        events.push(...answer.events)
        cursor = answer.nextCursor
        if (cursor === null) break
      }
      return { events, isCut: cursor !== null }
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
}

/** One event or occurrence, with its ETag. */
export const eventQuery = (client: Client, id: number, occurrence: string | null) =>
  queryOptions({
    queryKey: [...calendarKey, 'event', id, occurrence],
    queryFn: () =>
      unwrapVersion(
        client.GET('/api/calendar/events/{id}', {
          params: { path: { id }, query: occurrence === null ? {} : { occurrence } },
        }),
      ),
    staleTime: 0,
  })

export const alarmsQuery = (client: Client, id: number) =>
  queryOptions({
    queryKey: [...calendarKey, 'alarms', id],
    queryFn: () => unwrap(client.GET('/api/calendar/events/{id}/alarms', { params: { path: { id } } })),
    staleTime: 0,
  })

/** Events of a range of days, prepared for the views. Those of hidden calendars are left out. */
export const useDisplayedEvents = (
  window: Window,
  search: string,
  calendars: ReadonlyMap<number, Calendar>,
) => {
  const query = useQuery(listEvents(useClient(), window))
  const pendingDeletions = usePendingEventDeletions()
  const { first, count, timezone } = window
  const events = query.data?.events
  const displayedEvents = useMemo((): DisplayedEvent[] => {
    const last = first.add({ days: count - 1 })
    return (events ?? [])
      .filter(
        (event) =>
          calendars.get(event.calendarId)?.visible !== false &&
          !isPendingDeletion(event, pendingDeletions) &&
          (search === '' || matchesSearch(event, search)),
      )
      .map((event) => toDisplayedEvent(event, timezone, calendars.get(event.calendarId) ?? null))
      .filter((entry) => daysBetween(first, entry.last) >= 0 && daysBetween(entry.first, last) >= 0)
      .sort(inOrder)
  }, [events, pendingDeletions, search, first, count, timezone, calendars])
  return { query, displayedEvents }
}
