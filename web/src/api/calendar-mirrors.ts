import { queryOptions } from '@tanstack/react-query'
import { type Client, type Shape, unwrap } from './client.ts'
import { useClient } from './context.tsx'
import { useRefetch } from './use-refetch.ts'

export type CalendarMirror = Shape<'CalendarMirror'>
export type MirrorDetail = CalendarMirror['detail']

const mirrorsKey = ['calendar-mirrors'] as const
const eventsKey = ['calendar'] as const

/** The calendars that show the events of a calendar. */
export const mirrorsQuery = (client: Client, calendarId: number) =>
  queryOptions({
    queryKey: [...mirrorsKey, calendarId],
    queryFn: () =>
      unwrap(client.GET('/api/calendars/{id}/mirrors', { params: { path: { id: calendarId } } })),
  })

export const useMirrorActions = (calendarId: number) => {
  const client = useClient()
  const refetch = useRefetch([...mirrorsKey, calendarId], eventsKey)
  const at = ({ id }: Pick<CalendarMirror, 'id'>) => ({ path: { id: calendarId, mirrorId: id } })
  return {
    async add(targetCalendarId: number, detail: MirrorDetail): Promise<void> {
      const params = { path: { id: calendarId } }
      await unwrap(client.POST('/api/calendars/{id}/mirrors', { params, body: { targetCalendarId, detail } }))
      await refetch()
    },
    async change(mirror: CalendarMirror, detail: MirrorDetail): Promise<void> {
      const params = at(mirror)
      await unwrap(
        client.PATCH('/api/calendars/{id}/mirrors/{mirrorId}', { params, body: { detail } }),
      ).finally(refetch)
    },
    async remove(mirror: CalendarMirror): Promise<void> {
      await unwrap(client.DELETE('/api/calendars/{id}/mirrors/{mirrorId}', { params: at(mirror) })).finally(
        refetch,
      )
    },
  }
}
