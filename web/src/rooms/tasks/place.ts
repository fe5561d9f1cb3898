import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Task } from './groups.ts'

export const VIEWS = ['open', 'done', 'all'] as const
export type View = (typeof VIEWS)[number]

export const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const satisfies readonly Task['priority'][]

export interface Filter {
  view: View
  q: string
  tag: string | null
  priority: Task['priority'] | null
}

/** What the room shows; the address says it, so that it can be reloaded, shared and gone back to. */
interface Place extends Filter {
  /** The task that is open. */
  task: number | null
}

const oneOf = <T extends string>(all: readonly T[], given: string | null): T | null =>
  all.find((each) => each === given) ?? null

const readPlace = (search: string): Place => {
  const asked = new URLSearchParams(search)
  const task = asked.get('task') ?? ''
  return {
    view: oneOf(VIEWS, asked.get('view')) ?? 'open',
    q: asked.get('q') ?? '',
    tag: asked.get('tag') || null,
    priority: oneOf(PRIORITIES, asked.get('priority')),
    task: /^[1-9]\d{0,14}$/.test(task) ? Number(task) : null,
  }
}

const hrefOf = ({ view, q, tag, priority, task }: Place): string => {
  const asked = new URLSearchParams({
    ...(view !== 'open' && { view }),
    ...(q !== '' && { q }),
    ...(tag !== null && { tag }),
    ...(priority !== null && { priority }),
    ...(task !== null && { task: String(task) }),
  }).toString()
  return `/tasks${asked && `?${asked}`}`
}

/** Leads to one task, whatever else is shown. */
export const taskHref = (id: number): string => `/tasks?task=${id}`

/** Of an entry of the history that was made by opening a task here: to close it is to go back. */
const OPENED = { opened: 'task' }

export const usePlace = () => {
  const [, navigate] = useLocation()
  const search = useSearch()
  const place = useMemo(() => readPlace(search), [search])
  const go = useCallback(
    (change: Partial<Place>, options: { replace?: boolean; state?: unknown } = {}) => {
      // What is in the address now: a field that is typed into may ask later than it was drawn.
      navigate(hrefOf({ ...readPlace(window.location.search), ...change }), options)
    },
    [navigate],
  )
  return {
    place,
    go,
    open: (task: number): void => go({ task }, { state: OPENED }),
    close(): void {
      const state: unknown = window.history.state
      const isOurs = typeof state === 'object' && state !== null && 'opened' in state
      if (isOurs) window.history.back()
      else go({ task: null }, { replace: true })
    },
  }
}
