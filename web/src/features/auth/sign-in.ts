import { type Shape, unwrap } from '../../api/client.ts'
import { useServices } from '../../api/context.tsx'
import { ApiError } from '../../api/problem.ts'
import { toFormatLocale } from '../../locales/languages.ts'
import { browserTimeZone } from '../../ui/time.tsx'

/** Stores the refresh token in an HttpOnly cookie. */
const headers = { 'x-session': 'cookie' }

export const useSignIn = () => {
  const { client, session } = useServices()
  return (body: Shape<'Login'>) =>
    session.runExclusive(async () => {
      const { token } = await unwrap(client.POST('/api/auth/login', { body, headers }))
      session.begin(token)
    })
}

/**
 * The browser may report a time zone or locale that the service does not know. Registration is then repeated
 * without them.
 */
const isLocaleError = (error: unknown): boolean =>
  error instanceof ApiError && error.fields.some(({ path }) => path === 'timezone' || path === 'locale')

export const useSignUp = () => {
  const { client, session } = useServices()
  const send = (body: Shape<'Registration'>) => unwrap(client.POST('/api/auth/register', { body, headers }))
  return (body: Shape<'Registration'>) =>
    session.runExclusive(async () => {
      const own = { timezone: browserTimeZone(), locale: toFormatLocale() }
      const { token } = await send({ ...body, ...own }).catch((error: unknown) => {
        if (isLocaleError(error)) return send(body)
        throw error
      })
      session.begin(token)
    })
}
