import { queryOptions } from '@tanstack/react-query'
import { type Client, unwrap } from './client.ts'

const SOON_MS = 2_000

/** How the booking provider is reached, and how the last sync went. */
export const bookingSettingsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['booking-settings'],
    queryFn: () => unwrap(client.GET('/api/bookingsvc/settings')),
    refetchInterval: ({ state }) => (state.data?.syncing ? SOON_MS : false),
  })

/** What can be booked, asked of the provider. */
export const eventTypesQuery = (client: Client, isConfigured: boolean) =>
  queryOptions({
    queryKey: ['booking-event-types'],
    queryFn: async () => (await unwrap(client.GET('/api/bookingsvc/event-types'))).eventTypes,
    enabled: isConfigured,
    retry: false,
  })

/** The first bookings that could not be read. Another count asks again. */
export const unreadableBookingsQuery = (client: Client, count: number) =>
  queryOptions({
    queryKey: ['unreadable-bookings', count],
    queryFn: async () =>
      (
        await unwrap(client.GET('/api/bookingsvc/unreadable', { params: { query: { limit: 20 } } }))
      ).unreadable.map(({ id, bookingId, reason }) => ({ id, name: bookingId ?? 'No id', reason })),
  })
