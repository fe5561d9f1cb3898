import createClient from 'openapi-fetch'
import { ApiError, refusalOf } from './problem.ts'
import type { Reach } from './reach.ts'
import type { components, paths } from './schema.ts'
import type { Session } from './session.ts'

export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name]

/** These need no one to be signed in. */
const PUBLIC = new Set(['/api/health', '/api/auth/login', '/api/auth/register'])

const signedOut = () =>
  new ApiError({ status: 401, code: 'unauthorized', message: 'Your session has ended. Sign in again.' })

/** A wrong password is a 401 as well; only this one speaks of the token. */
const isRefusedToken = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return (body as { code?: unknown } | null)?.code === 'unauthorized'
}

const isRead = ({ method }: Request): boolean => method === 'GET'

/** What only reads is given up when somebody signs out: its answer would be a refusal, or come too late for anyone. */
const untilFarewell = (session: Session, request: Request): Request =>
  new Request(request, { signal: AbortSignal.any([request.signal, session.nextFarewell()]) })

/** Adds the token; one that is refused is replaced, once, and the request repeated. */
const createFetch =
  (session: Session, reach: Reach) =>
  async (request: Request): Promise<Response> => {
    if (PUBLIC.has(new URL(request.url).pathname)) return reach.send(request)
    const sendWith = (token: string) => {
      const copy = isRead(request) ? untilFarewell(session, request) : request.clone()
      copy.headers.set('authorization', `Bearer ${token}`)
      return reach.send(copy)
    }
    const token = await session.token()
    if (token === null) throw signedOut()
    const response = await sendWith(token)
    if (!(await isRefusedToken(response))) return response
    const fresh = await session.replace(token)
    if (fresh === null) throw signedOut()
    return sendWith(fresh)
  }

export type Client = ReturnType<typeof createApiClient>

export const createApiClient = (session: Session, reach: Reach) =>
  createClient<paths>({ baseUrl: window.location.origin, fetch: createFetch(session, reach) })

interface Answer<T> {
  data?: T | undefined
  error?: unknown
  response: Response
}

/** What the call brought, or the refusal, thrown. */
export const unwrap = async <T>(call: Promise<Answer<T>>): Promise<T> => {
  const { data, response, error } = await call
  if (!response.ok) throw refusalOf(response, error)
  return data as T
}

/** A resource, and the name of the version that was read. */
export interface Versioned<T> {
  value: T
  etag: string | null
}

export const unwrapVersion = async <T>(call: Promise<Answer<T>>): Promise<Versioned<T>> => {
  const { data, response, error } = await call
  if (!response.ok) throw refusalOf(response, error)
  return { value: data as T, etag: response.headers.get('etag') }
}

/** Headers of a change that must meet the version it was made against. */
export const ifMatch = (etag: string | null): Record<string, string> =>
  etag === null ? {} : { 'if-match': etag }
