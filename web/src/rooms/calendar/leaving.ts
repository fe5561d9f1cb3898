import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ifMatch, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError, tell } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import type { CalendarEvent } from './words.ts'

export type Scope = 'this' | 'following' | 'all'

/** What a change is about: an event, or some occurrences of a series. */
export interface Aim {
  id: number
  occurrence: string | null
  scope: Scope
}

export const aimQuery = ({ occurrence, scope }: Aim): { occurrence?: string; scope?: Scope } =>
  occurrence === null ? {} : { occurrence, scope }

const UNDO_MS = 10_000
const key = ['calendar-leaving']
const nothing: readonly Aim[] = []

/** What was deleted but can still be taken back: it is hidden, and not gone yet. */
export const useLeaving = (): readonly Aim[] =>
  useQuery({
    queryKey: key,
    queryFn: () => nothing,
    initialData: nothing,
    // It is only ever set: nobody else knows.
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data

export const isLeaving = ({ id, occurrenceStart }: CalendarEvent, leaving: readonly Aim[]): boolean =>
  leaving.some((aim) => {
    if (aim.id !== id) return false
    if (aim.occurrence === null || aim.scope === 'all') return true
    if (occurrenceStart === null) return false
    return aim.scope === 'this' ? occurrenceStart === aim.occurrence : occurrenceStart >= aim.occurrence
  })

/**
 * Deletes once the time to take it back is over, or the page is left. Until then nothing has happened, so that taking
 * it back brings back all of it: a series with each of its changed occurrences, and nobody was told otherwise.
 */
export const useDelete = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const change = (how: (leaving: readonly Aim[]) => readonly Aim[]) =>
    queries.setQueryData<readonly Aim[]>(key, (leaving) => how(leaving ?? nothing))

  return (aim: Aim, etag: string | null, said: string): void => {
    let isSettled = false
    const settle = (): boolean => {
      const isFirst = !isSettled
      isSettled = true
      clearTimeout(timer)
      window.removeEventListener('pagehide', remove)
      return isFirst
    }
    const comeBack = () => change((leaving) => leaving.filter((entry) => entry !== aim))
    const send = async () => {
      const params = { path: { id: aim.id }, query: aimQuery(aim) }
      try {
        await unwrap(
          client.DELETE('/api/calendar/events/{id}', { params, headers: ifMatch(etag), keepalive: true }),
        )
      } catch (error) {
        const isGone = error instanceof ApiError && error.status === 404
        const isChanged = error instanceof ApiError && error.status === 412
        if (isChanged) notify('It was changed in the meantime, so it is still there.', { failed: true })
        else if (!isGone) notify(tell(error), { failed: true })
      }
      await queries.invalidateQueries({ queryKey: ['calendar'] })
      comeBack()
    }
    const remove = () => {
      if (!settle()) return
      takeAway()
      void send()
    }
    const timer = setTimeout(remove, UNDO_MS)
    window.addEventListener('pagehide', remove)
    change((leaving) => [...leaving, aim])
    const takeAway = notify(said, {
      undo: () => {
        if (settle()) comeBack()
      },
    })
  }
}
