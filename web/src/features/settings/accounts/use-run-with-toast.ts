import { useQueryClient } from '@tanstack/react-query'
import { describeError } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'

/** Runs account actions: refetches the account list and shows the result in a toast. */
export const useRunWithToast = (queryKey: 'mail-accounts' | 'calendar-accounts') => {
  const queries = useQueryClient()
  const notify = useNotify()
  const changed = async (): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: [queryKey] }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }
  const runWithToast = async <T>(work: Promise<T>, toastText: string | null): Promise<T | null> => {
    try {
      const done = await work
      await changed()
      if (toastText !== null) notify(toastText)
      return done
    } catch (error) {
      notify(describeError(error), { failed: true })
      return null
    }
  }
  return { changed, runWithToast, notify }
}

export const toggledText = ({ name, enabled }: { name: string; enabled: boolean }): string =>
  enabled ? `${name} is turned off.` : `${name} is turned on.`
