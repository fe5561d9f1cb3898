import { useState } from 'react'
import { useAttempt } from './use-attempt.ts'

/** Like useAttempt, for a button that is busy until the work has ended. */
export const useBusyAttempt = () => {
  const attempt = useAttempt()
  const [isBusy, setIsBusy] = useState(false)
  return {
    isBusy,
    async attempt(work: () => Promise<unknown>): Promise<boolean> {
      setIsBusy(true)
      const isDone = await attempt(work)
      setIsBusy(false)
      return isDone
    },
  }
}
