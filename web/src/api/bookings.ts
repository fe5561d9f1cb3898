import { queryOptions } from '@tanstack/react-query'
import * as t from '#locale/ui'
import { type Client, unwrap } from './client.ts'

const BUSY_POLL_MS = 2_000

/** Booking provider settings and the result of the last sync. */
export const bookingSettingsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['booking-settings'],
    queryFn: () => unwrap(client.GET('/api/bookingsvc/settings')),
    refetchInterval: ({ state }) => (state.data?.syncing ? BUSY_POLL_MS : false),
  })

/** Event types, fetched from the provider. */
export const eventTypesQuery = (client: Client, isConfigured: boolean) =>
  queryOptions({
    queryKey: ['booking-event-types'],
    queryFn: async () => (await unwrap(client.GET('/api/bookingsvc/event-types'))).eventTypes,
    enabled: isConfigured,
    retry: false,
  })

/** The first unreadable bookings. `count` is part of the key, so a changed count fetches again. */
export const unreadableBookingsQuery = (client: Client, count: number) =>
  queryOptions({
    queryKey: ['unreadable-bookings', count],
    queryFn: async () =>
      (
        await unwrap(client.GET('/api/bookingsvc/unreadable', { params: { query: { limit: 20 } } }))
      ).unreadable.map(({ id, bookingId, reason }) => ({ id, name: bookingId ?? t.noId, reason })),
  })
