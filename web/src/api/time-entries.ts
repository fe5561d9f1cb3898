import { queryOptions } from '@tanstack/react-query'
import { type Client, type Shape, unwrap } from './client.ts'
import { useClient } from './context.tsx'
import { usePaged } from './paged.ts'
import { useRefetch } from './use-refetch.ts'

export type TimeEntry = Shape<'TimeEntry'>
export type TimeEntryInput = Shape<'NewTimeEntry'>
export type TimeEntryChange = Shape<'TimeEntryChange'>

const timeEntriesKey = ['time-entries'] as const
const runningTimerKey = [...timeEntriesKey, 'running'] as const

/** The time entries of a task, newest first. */
export const useTimeEntries = (taskId: number) => {
  const client = useClient()
  return usePaged([...timeEntriesKey, taskId], (page) =>
    unwrap(
      client.GET('/api/tasks/{id}/time-entries', {
        params: { path: { id: taskId }, query: { ...page, limit: 20 } },
      }),
    ),
  )
}

/** The running timer of the user; null for none. */
export const runningTimerQuery = (client: Client) =>
  queryOptions({
    queryKey: runningTimerKey,
    queryFn: async () => {
      const { timeEntries } = await unwrap(
        client.GET('/api/time-entries', { params: { query: { running: true, limit: 1 } } }),
      )
      return timeEntries[0] ?? null
    },
  })

export const useTimerActions = () => {
  const client = useClient()
  const refetch = useRefetch(timeEntriesKey)
  const of = (taskId: number) => ({ params: { path: { id: taskId } } })
  return {
    start: (taskId: number) =>
      unwrap(client.POST('/api/tasks/{id}/time-entries/start', of(taskId))).finally(refetch),
    stop: (taskId: number) =>
      unwrap(client.POST('/api/tasks/{id}/time-entries/stop', of(taskId))).finally(refetch),
  }
}

export const useTimeEntryActions = (taskId: number) => {
  const client = useClient()
  const refetch = useRefetch(timeEntriesKey)
  const at = (id: number) => ({ path: { id: taskId, entryId: id } })
  return {
    add: (body: TimeEntryInput) =>
      unwrap(client.POST('/api/tasks/{id}/time-entries', { params: { path: { id: taskId } }, body })).finally(
        refetch,
      ),
    change: ({ id }: TimeEntry, body: TimeEntryChange) =>
      unwrap(client.PATCH('/api/tasks/{id}/time-entries/{entryId}', { params: at(id), body })).finally(
        refetch,
      ),
    send: ({ id }: TimeEntry) =>
      unwrap(client.DELETE('/api/tasks/{id}/time-entries/{entryId}', { params: at(id) })).finally(refetch),
  }
}
