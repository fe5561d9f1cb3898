import { useWorld } from '../api/context.tsx'
import { useNotify } from '../ui/toast.tsx'

export const useSignOut = () => {
  const { session } = useWorld()
  const notify = useNotify()
  return async (): Promise<void> => {
    try {
      await session.signOut()
    } catch {
      notify('You are still signed in: Factotum cannot be reached right now.', { failed: true })
    }
  }
}
