import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { DAYS, type DayPage, type Task } from './groups.ts'

export const VIEWS = ['open', 'done', 'all'] as const
export type View = (typeof VIEWS)[number]

export const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const satisfies readonly Task['priority'][]

export interface Filter {
  view: View
  q: string
  tag: string | null
  priority: Task['priority'] | null
  /** Id of the chosen list; null for all lists. */
  list: number | null
  days: DayPage | null
}

/** How the tree of a list is shown. */
export const LAYOUTS = ['list', 'board'] as const
export type Layout = (typeof LAYOUTS)[number]

/** The choice in the navigation: a list, days, or all tasks. */
export type Chosen = Pick<Filter, 'list' | 'days'>

/** Task view state, stored in the URL, so that reload, sharing and Back work. */
interface UrlState extends Filter {
  /** Null for the layout that this browser remembers for the list. */
  layout: Layout | null
  /** Id of the open task. */
  task: number | null
}

const oneOf = <T extends string>(all: readonly T[], given: string | null): T | null =>
  all.find((each) => each === given) ?? null

const readId = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

export const readUrlState = (search: string): UrlState => {
  const params = new URLSearchParams(search)
  return {
    view: oneOf(VIEWS, params.get('view')) ?? 'open',
    q: params.get('q') ?? '',
    tag: params.get('tag') || null,
    priority: oneOf(PRIORITIES, params.get('priority')),
    list: readId(params.get('list')),
    days: oneOf(DAYS, params.get('days')),
    layout: oneOf(LAYOUTS, params.get('layout')),
    task: readId(params.get('task')),
  }
}

export const hrefOf = (state: UrlState): string => {
  const { view, q, tag, priority, list, days, layout, task } = state
  const params = new URLSearchParams({
    ...(view !== 'open' && { view }),
    ...(q !== '' && { q }),
    ...(tag !== null && { tag }),
    ...(priority !== null && { priority }),
    ...(list !== null && { list: String(list) }),
    ...(days !== null && { days }),
    ...(layout !== null && { layout }),
    ...(task !== null && { task: String(task) }),
  }).toString()
  return `/tasks${params && `?${params}`}`
}

/** Link to one task without filters. */
export const taskHref = (id: number): string => `/tasks?task=${id}`

/** History state that marks an entry created by opening a task. Closing the task then goes back. */
const OPENED = { opened: 'task' }

const isOpenedHere = (): boolean => {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'opened' in state
}

export const useUrlState = () => {
  const [, navigate] = useLocation()
  const search = useSearch()
  const urlState = useMemo(() => readUrlState(search), [search])
  const go = useCallback(
    (change: Partial<UrlState>, options: { replace?: boolean; state?: unknown } = {}) => {
      // Reads the current URL, because a debounced search field may call this with outdated props.
      navigate(hrefOf({ ...readUrlState(window.location.search), ...change }), options)
    },
    [navigate],
  )
  return {
    urlState,
    go,
    /** Link to a list or to days, with the other filters of this page. */
    hrefFor: (chosen: Chosen): string => hrefOf({ ...urlState, ...chosen, layout: null, task: null }),
    /** Opens a task, instead of the one that is open. */
    open: (task: number): void => go({ task }, { state: OPENED, replace: isOpenedHere() }),
    close: useCallback((): void => {
      if (isOpenedHere()) window.history.back()
      else go({ task: null }, { replace: true })
    }, [go]),
  }
}
