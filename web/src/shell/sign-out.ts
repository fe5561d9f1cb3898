import { unwrap } from '../api/client.ts'
import { useWorld } from '../api/context.tsx'
import { ApiError } from '../api/problem.ts'
import { useNotify } from '../ui/toast.tsx'

/** Signs out here and on the server; without the server one stays signed in, because the cookie would stay good. */
export const useSignOut = () => {
  const { client, session } = useWorld()
  const notify = useNotify()
  return async (): Promise<void> => {
    try {
      await unwrap(client.POST('/api/auth/logout'))
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401))
        return void notify('You are still signed in: Factotum cannot be reached right now.', { failed: true })
    }
    session.end('farewell')
  }
}
