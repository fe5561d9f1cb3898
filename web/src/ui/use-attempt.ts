import { describeError } from '../api/problem.ts'
import { useNotify } from './toast.tsx'

/** Runs work that no form shows. A toast tells why it failed. Resolves to false if it did. */
export const useAttempt = () => {
  const notify = useNotify()
  return async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      notify(describeError(error), { failed: true })
      return false
    }
  }
}
