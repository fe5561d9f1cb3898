import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSessionState, useStore, useWorld } from '../api/context.tsx'
import type { StreamEvent } from '../api/event-stream.ts'
import { followTask, tasksKey } from '../api/task-lists.ts'

/** Several changes that come together are one reason to read anew. */
const GATHERED_MS = 300
const FEW = 20

/** What is read anew when something of an area has changed. */
const KEYS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  email: [['emails'], ['stats']],
  mail_rule: [['emails'], ['stats']],
  task: [['stats']],
  event: [['calendar'], ['stats']],
  booking: [['calendar'], ['stats']],
  stream: [['stream'], ['stats']],
  notification: [['notifications', 'list']],
}

/** What somebody is typing over stays what they began with: saving then tells that it was changed meanwhile. */
const isReadAnew = ({ meta }: Query): boolean => meta?.isEdited !== true

const areaOf = (type: string): string => type.split('.', 1)[0] ?? ''

/** Keeps what is shown in step with what happens, and says whether it does. */
export const LiveSign = () => {
  const { live, reach } = useWorld()
  const queries = useQueryClient()
  const isUp = useStore(reach.isUp)
  const heard = useStore(live.state)
  const isIn = useSessionState().status === 'in'
  // A line may look open long after nothing comes through it.
  const state = isUp ? heard : 'connecting'
  useEffect(() => {
    // When the service is back, so is the line: it does not wait until its own next try.
    if (!isIn || !isUp) return
    const ending = new AbortController()
    const areas = new Set<string>()
    let tasks: StreamEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAnew = (): void => {
      timer = undefined
      const all = areas.has('reset')
      const keys = [...areas].flatMap((area) => KEYS[area] ?? [])
      areas.clear()
      const told = tasks
      tasks = []
      // What is told of a task is the task: nothing has to be read, unless there are too many of them.
      if (told.length <= FEW) for (const event of told) followTask(queries, event)
      else keys.push(tasksKey)
      if (all) void queries.invalidateQueries({ predicate: isReadAnew })
      else for (const queryKey of keys) void queries.invalidateQueries({ queryKey, predicate: isReadAnew })
    }
    void live.follow((event) => {
      const area = areaOf(event.type)
      areas.add(area)
      if (area === 'task') tasks.push(event)
      timer ??= setTimeout(readAnew, GATHERED_MS)
    }, ending.signal)
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [live, queries, isIn, isUp])
  return (
    <p className="live-sign" data-state={state}>
      <i aria-hidden="true" />
      <span>{state === 'live' ? 'Live' : 'Connecting…'}</span>
    </p>
  )
}
