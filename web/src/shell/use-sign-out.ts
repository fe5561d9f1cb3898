import * as t from '#locale/shell'
import { useServices } from '../api/context.tsx'
import { useNotify } from '../ui/toast.tsx'

export const useSignOut = () => {
  const { session, pendingDeletions } = useServices()
  const notify = useNotify()
  return async (): Promise<void> => {
    // Sends pending deletions first, because they need the session.
    await pendingDeletions.commitAll()
    try {
      await session.signOut()
    } catch {
      notify(t.signOutFailed, { failed: true })
    }
  }
}
