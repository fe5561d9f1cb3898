import { type Shape, unwrap } from '../../api/client.ts'
import { useWorld } from '../../api/context.tsx'

/** The refresh token goes into a cookie, where no script can read it. */
const headers = { 'x-session': 'cookie' }

export const useSignIn = () => {
  const { client, session } = useWorld()
  return (body: Shape<'Login'>) =>
    session.alone(async () => {
      const { token } = await unwrap(client.POST('/api/auth/login', { body, headers }))
      session.begin(token)
    })
}

export const useSignUp = () => {
  const { client, session } = useWorld()
  return (body: Shape<'Registration'>) =>
    session.alone(async () => {
      const { token } = await unwrap(client.POST('/api/auth/register', { body, headers }))
      session.begin(token)
    })
}
