import { useMemo } from 'react'
import { useStore, useWorld } from '../api/context.tsx'
import { ApiError, tell } from '../api/problem.ts'
import { rememberRow } from './next-focus.ts'
import { useNotify } from './toast.tsx'

/** What of a kind was deleted and can still be taken back: it is not shown. */
export const useLeaving = <T>(kind: string): readonly T[] => {
  const departures = useStore(useWorld().leaving.departures)
  return useMemo(
    () => departures.filter((departure) => departure.kind === kind).map(({ what }) => what as T),
    [departures, kind],
  )
}

/** The ids of a kind that are not shown. */
export const useLeavingIds = <Id = number>(kind: string): ReadonlySet<Id> => {
  const leaving = useLeaving<Id>(kind)
  return useMemo(() => new Set(leaving), [leaving])
}

interface Farewell {
  kind: string
  what: unknown
  /** Both are said: that it is deleted, and that it is there again. */
  said: string
  back: string
  /** Sends it, and has what shows it read anew; `atOnce` when the page is being left. */
  send: (atOnce: boolean) => Promise<unknown>
}

const statusOf = (error: unknown): number | null => (error instanceof ApiError ? error.status : null)

/** Deletes once the time to take it back is over. */
export const useLeave = () => {
  const { leaving } = useWorld()
  const notify = useNotify()
  return ({ kind, what, said, back, send }: Farewell): void => {
    const goOn = rememberRow()
    const departure = leaving.begin({ kind, what }, async (atOnce) => {
      takeAway()
      try {
        await send(atOnce)
      } catch (error) {
        const status = statusOf(error)
        if (status === 412) notify('It was changed in the meantime, so it is still there.', { failed: true })
        // Who else deleted it wanted the same.
        else if (status !== 404) notify(`It is still there. ${tell(error)}`, { failed: true })
      }
    })
    const takeAway = notify(said, {
      undo: () => {
        if (departure.takeBack()) notify(back)
      },
      onOver: departure.go,
    })
    goOn()
  }
}
