import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as t from '#locale/shell'
import { followTask, tasksKey } from '../api/cached-tasks.ts'
import { useServices, useSessionState, useStore } from '../api/context.tsx'
import type { StreamEvent } from '../api/event-stream.ts'
import { sharedDataKeys } from '../api/shares.ts'
import { taskListsKey } from '../api/task-lists.ts'

/** Batches events that arrive together into one refetch. */
const BATCH_MS = 300
const FEW = 20

/** Query keys to invalidate per event area. */
const KEYS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  email: [['emails'], ['commitments'], ['stats'], ['assistant-item']],
  mail_rule: [['emails'], ['stats']],
  task: [['task'], ['stats'], ['assistant-item'], ['time-entries', 'running']],
  task_lists: [taskListsKey, ['task-sections'], ['stats']],
  task_comments: [['task-comments']],
  time_entries: [['time-entries']],
  event: [['calendar'], ['stats'], ['assistant-item']],
  booking: [['calendar'], ['stats']],
  calendars: [['calendars'], ['calendar'], ['stats']],
  stream: [['stream'], ['stats']],
  notification: [['notifications', 'list']],
  share: sharedDataKeys,
  contact: [['contacts']],
  commitment: [['commitments'], ['stats']],
  import: [['imports']],
}

/** Types whose area is not the first part of their name. They contain no task and no event. */
const AREAS: Readonly<Record<string, string>> = {
  'task.lists_updated': 'task_lists',
  'task.comment_created': 'task_comments',
  'task.comment_updated': 'task_comments',
  'task.comment_deleted': 'task_comments',
  'task.time_entry_created': 'time_entries',
  'task.time_entry_updated': 'time_entries',
  'task.time_entry_deleted': 'time_entries',
  'event.calendars_updated': 'calendars',
}

const areaOf = (type: string): string => AREAS[type] ?? type.split('.', 1)[0] ?? ''

/** Applies live events to the query cache and shows the connection state. */
export const LiveIndicator = () => {
  const { live, connectivity } = useServices()
  const queries = useQueryClient()
  const isReachable = useStore(connectivity.isReachable)
  const connectionState = useStore(live.state)
  const isIn = useSessionState().status === 'in'
  // A connection may look open long after it has failed.
  const state = isReachable ? connectionState : 'connecting'
  useEffect(() => {
    // Reconnects at once when the service is reachable again, without waiting for the next retry.
    if (!isIn || !isReachable) return
    const ending = new AbortController()
    const areas = new Set<string>()
    let tasks: StreamEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    // Queries behind an edited form keep their data. A conflict then shows up when the form is saved. A refetch during
    // a change would show the value before the change, and the change ends with a refetch of its own.
    const isRefetchable = ({ meta, queryKey }: Query): boolean =>
      meta?.isEdited !== true && queries.isMutating({ mutationKey: queryKey.slice(0, 1) }) === 0
    const refetch = (): void => {
      timer = undefined
      const all = areas.has('reset')
      const keys = [...areas].flatMap((area) => KEYS[area] ?? [])
      areas.clear()
      const taskEvents = tasks
      tasks = []
      // Task events contain the task, so the lists need no refetch. Above the limit a refetch is cheaper.
      if (taskEvents.length <= FEW) for (const event of taskEvents) followTask(queries, event)
      else keys.push(tasksKey)
      if (all) void queries.invalidateQueries({ predicate: isRefetchable })
      else for (const queryKey of keys) void queries.invalidateQueries({ queryKey, predicate: isRefetchable })
    }
    void live.follow((event) => {
      const area = areaOf(event.type)
      areas.add(area)
      if (area === 'task') tasks.push(event)
      timer ??= setTimeout(refetch, BATCH_MS)
    }, ending.signal)
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [live, queries, isIn, isReachable])
  return (
    <p className="live-sign" data-state={state}>
      <i aria-hidden="true" />
      <span>{state === 'live' ? t.connectionStates.live : t.connectionStates.connecting}</span>
    </p>
  )
}
