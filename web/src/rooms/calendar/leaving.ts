import { useQueryClient } from '@tanstack/react-query'
import { ifMatch, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useLeave, useLeaving } from '../../ui/use-leaving.ts'
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

const KIND = 'event'

export const useLeavingEvents = (): readonly Aim[] => useLeaving<Aim>(KIND)

export const isLeaving = ({ id, occurrenceStart }: CalendarEvent, leaving: readonly Aim[]): boolean =>
  leaving.some((aim) => {
    if (aim.id !== id) return false
    if (aim.occurrence === null || aim.scope === 'all') return true
    if (occurrenceStart === null) return false
    return aim.scope === 'this' ? occurrenceStart === aim.occurrence : occurrenceStart >= aim.occurrence
  })

export const useDelete = () => {
  const client = useClient()
  const queries = useQueryClient()
  const leave = useLeave()

  return (aim: Aim, etag: string | null, words: { said: string; back: string }): void =>
    leave({
      kind: KIND,
      what: aim,
      ...words,
      async send() {
        const params = { path: { id: aim.id }, query: aimQuery(aim) }
        try {
          await unwrap(
            client.DELETE('/api/calendar/events/{id}', { params, headers: ifMatch(etag), keepalive: true }),
          )
        } finally {
          await queries.invalidateQueries({ queryKey: ['calendar'] })
        }
      },
    })
}
