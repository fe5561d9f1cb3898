import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { defaultCalendar } from '#locale/shared-texts'
import { type Client, type Shape, unwrap } from './client.ts'
import { useClient } from './context.tsx'
import { useRefetch } from './use-refetch.ts'

export type Calendar = Shape<'Calendar'>
export type CalendarChange = Shape<'CalendarChange'>
export type NewCalendar = Shape<'NewCalendar'>

/** The colors that the service gives to new calendars, in this order. */
export const CALENDAR_COLORS = [
  '#3366cc',
  '#2e8b57',
  '#c2410c',
  '#7c3aed',
  '#b91c1c',
  '#0e7490',
  '#a16207',
  '#be185d',
] as const
export type CalendarColor = (typeof CALENDAR_COLORS)[number]

/** The name that the server gives to a first calendar. It is translated until somebody renames the calendar. */
const UNTOUCHED_NAME = /^Calendar$/

const toDisplayName = ({ name, account }: Calendar): string =>
  account === null && UNTOUCHED_NAME.test(name) ? defaultCalendar : name

const calendarsKey = ['calendars'] as const
const eventsKey = ['calendar'] as const

/** The user's calendars and those shared with the user. An account has 100 own calendars at most. */
export const calendarsQuery = (client: Client) =>
  queryOptions({
    queryKey: calendarsKey,
    queryFn: async () =>
      (await unwrap(client.GET('/api/calendars', { params: { query: { limit: 200 } } }))).calendars.map(
        (calendar) => ({ ...calendar, name: toDisplayName(calendar) }),
      ),
  })

const NONE: readonly Calendar[] = []

export const useCalendars = () => {
  const { data: calendars = NONE, isPending } = useQuery(calendarsQuery(useClient()))
  const byId = useMemo(
    (): ReadonlyMap<number, Calendar> => new Map(calendars.map((calendar) => [calendar.id, calendar])),
    [calendars],
  )
  return { calendars, byId, isPending }
}

export const useCalendarActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const refetch = useRefetch(calendarsKey)
  const { mutateAsync: change } = useMutation({
    mutationKey: calendarsKey,
    mutationFn: ({ id, change: body }: { id: number; change: CalendarChange }) =>
      unwrap(client.PATCH('/api/calendars/{id}', { params: { path: { id } }, body })),
    /** Optimistic update: the views show and hide the events at once. */
    onMutate: async ({ id, change: body }) => {
      // A running fetch may still return the old values.
      await queries.cancelQueries({ queryKey: calendarsKey })
      const before = queries.getQueryData(calendarsQuery(client).queryKey)
      queries.setQueryData(calendarsQuery(client).queryKey, (calendars) =>
        calendars?.map((calendar) => {
          if (calendar.id === id) return { ...calendar, ...body }
          return body.isDefault && calendar.owner === null ? { ...calendar, isDefault: false } : calendar
        }),
      )
      return before
    },
    onError: (_error, _variables, before) => queries.setQueryData(calendarsQuery(client).queryKey, before),
    onSettled: async () => {
      // A refetch during a second change would show the value before that change.
      if (queries.isMutating({ mutationKey: calendarsKey }) === 1) await refetch()
    },
  })

  return {
    change: (id: number, body: CalendarChange): Promise<Calendar> => change({ id, change: body }),
    async create(body: NewCalendar): Promise<Calendar> {
      const calendar = await unwrap(client.POST('/api/calendars', { body }))
      await refetch()
      return calendar
    },
    /** `events`: whether its events move to the default calendar. */
    async remove(id: number, events: 'move' | 'delete'): Promise<void> {
      const params = { path: { id }, query: { events } }
      try {
        await unwrap(client.DELETE('/api/calendars/{id}', { params }))
      } finally {
        await Promise.all([refetch(), queries.invalidateQueries({ queryKey: eventsKey })])
      }
    },
  }
}
