import { describeError } from '../api/problem.ts'
import { useNotify } from './toast.tsx'

/** Runs work that no form shows. A toast tells why it failed. */
export const useAttempt = () => {
  const notify = useNotify()
  return async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
}
