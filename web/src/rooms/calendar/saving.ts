import { useQueryClient } from '@tanstack/react-query'
import { type Client, ifMatch, type Shape, unwrap, unwrapVersion, type Versioned } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { calendarKey } from './events.ts'
import { type Aim, aimQuery } from './leaving.ts'
import { type CalendarEvent, countWords } from './words.ts'

export type EventChange = Shape<'EventChange'>
export type NewEvent = Shape<'NewEvent'>

const takesTime = ({ busy, status }: CalendarEvent): boolean => busy && status !== 'cancelled'

/** The names of what takes up some of the same time. */
const overlapsWith = async (client: Client, event: CalendarEvent): Promise<string[]> => {
  if (!takesTime(event)) return []
  const query = { start: event.start, end: event.end, limit: 20 }
  const { events } = await unwrap(client.GET('/api/calendar/events', { params: { query } }))
  return events.filter((other) => takesTime(other) && other.id !== event.id).map(({ title }) => title)
}

const overlapWords = ([first, ...rest]: string[]): string =>
  first === undefined
    ? ''
    : ` It overlaps with “${first}”${rest.length > 0 ? ` and ${countWords(rest.length, 'other')}` : ''}.`

export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412

interface Saying {
  said: string
  undo?: () => void
}

/** The way to it, when it is not among what is shown. */
export type WayTo = (event: CalendarEvent) => (() => void) | null

/** Saves, says so with what it overlaps, and has everything that shows events read them anew. */
export const useSaving = (wayTo: WayTo = () => null) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const refresh = () => queries.invalidateQueries({ queryKey: calendarKey })

  const finish = async (event: CalendarEvent, { said, undo }: Saying, names?: Promise<string[]>) => {
    // Not knowing what it overlaps is no reason to call the saving a failure.
    const overlaps = await (names ?? overlapsWith(client, event)).catch(() => [])
    const show = wayTo(event)
    notify(`${said}${overlapWords(overlaps)}`, {
      ...(undo && { undo }),
      ...(show && { offer: { label: 'Show', accept: show } }),
    })
    await refresh()
  }

  const namesOf = (ids: readonly number[]): Promise<string[]> =>
    Promise.all(
      ids.map(async (id, index) => {
        if (index > 0) return ''
        const call = client.GET('/api/calendar/events/{id}', { params: { path: { id }, query: {} } })
        return (await unwrap(call)).title
      }),
    )

  return {
    refresh,
    async create(body: NewEvent): Promise<void> {
      const event = await unwrap(client.POST('/api/calendar/events', { body }))
      await finish(event, { said: `“${event.title}” is in your calendar.` }, namesOf(event.conflicts))
    },
    /** Takes alarms off; what is not there any more need not be. */
    async silence(id: number, alarmIds: readonly string[]): Promise<void> {
      for (const alarmId of alarmIds)
        try {
          const path = { id, alarmId }
          await unwrap(client.DELETE('/api/calendar/events/{id}/alarms/{alarmId}', { params: { path } }))
        } catch (error) {
          if (!(error instanceof ApiError && error.status === 404)) throw error
        }
      await refresh()
    },
    async change(
      aim: Aim,
      body: EventChange,
      etag: string | null,
      saying: Saying,
    ): Promise<Versioned<CalendarEvent>> {
      const saved = await unwrapVersion(
        client.PATCH('/api/calendar/events/{id}', {
          params: { path: { id: aim.id }, query: aimQuery(aim) },
          body,
          headers: ifMatch(etag),
        }),
      )
      await finish(saved.value, saying)
      return saved
    },
  }
}
