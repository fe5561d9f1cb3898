import { type Shape, unwrap } from '../../api/client.ts'
import { useWorld } from '../../api/context.tsx'
import { ApiError } from '../../api/problem.ts'
import { browserLocale, browserTimeZone } from '../../ui/time.tsx'

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

/** A browser may know newer zones than the service, or none; nobody is turned away for that. */
const isAboutBrowser = (error: unknown): boolean =>
  error instanceof ApiError && error.fields.some(({ path }) => path === 'timezone' || path === 'locale')

export const useSignUp = () => {
  const { client, session } = useWorld()
  const send = (body: Shape<'Registration'>) => unwrap(client.POST('/api/auth/register', { body, headers }))
  return (body: Shape<'Registration'>) =>
    session.alone(async () => {
      const own = { timezone: browserTimeZone(), locale: browserLocale() }
      const { token } = await send({ ...body, ...own }).catch((error: unknown) => {
        if (isAboutBrowser(error)) return send(body)
        throw error
      })
      session.begin(token)
    })
}
