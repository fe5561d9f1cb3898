import { useWorld } from '../api/context.tsx'
import { useNotify } from '../ui/toast.tsx'

export const useSignOut = () => {
  const { session, leaving } = useWorld()
  const notify = useNotify()
  return async (): Promise<void> => {
    // What was deleted is not kept because somebody leaves; afterwards nobody could send it.
    await leaving.sendAll()
    try {
      await session.signOut()
    } catch {
      notify('You are still signed in: Factotum cannot be reached right now.', { failed: true })
    }
  }
}
