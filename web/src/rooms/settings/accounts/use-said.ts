import { useQueryClient } from '@tanstack/react-query'
import { tell } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'

/** For what is done with the accounts under this key: their list is read again, and how it went is said. */
export const useSaid = (queryKey: 'mail-accounts' | 'calendar-accounts') => {
  const queries = useQueryClient()
  const notify = useNotify()
  const changed = async (): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: [queryKey] }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }
  const say = async <T>(work: Promise<T>, said: string | null): Promise<T | null> => {
    try {
      const done = await work
      await changed()
      if (said !== null) notify(said)
      return done
    } catch (error) {
      notify(tell(error), { failed: true })
      return null
    }
  }
  return { changed, say, notify }
}

export const turned = ({ name, enabled }: { name: string; enabled: boolean }): string =>
  enabled ? `${name} is turned off.` : `${name} is turned on.`
