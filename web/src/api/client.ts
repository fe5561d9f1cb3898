import createClient from 'openapi-fetch'
import * as t from '#locale/app'
import { toPublicUrl, toRouterPath } from './base-path.ts'
import type { Connectivity } from './connectivity.ts'
import { ApiError, toApiError } from './problem.ts'
import type { components, paths } from './schema.ts'
import type { Session } from './session.ts'

export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name]

/** Endpoints that need no access token. */
const PUBLIC = new Set(['/api/health', '/api/auth/login', '/api/auth/register'])

const signedOut = () => new ApiError({ status: 401, code: 'unauthorized', message: t.sessionEnded })

/** A wrong password is a 401 as well. Only a rejected token has the code `unauthorized`. */
const isRefusedToken = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return (body as { code?: unknown } | null)?.code === 'unauthorized'
}

const isRead = ({ method }: Request): boolean => method === 'GET'

/** Aborts reads when the user signs out: the response would be a 401 or arrive too late. */
const abortOnSignOut = (session: Session, request: Request): Request =>
  new Request(request, { signal: AbortSignal.any([request.signal, session.signOutSignal()]) })

/** Adds the access token. On a rejected token, refreshes it once and repeats the request. */
const createFetch =
  (session: Session, connectivity: Connectivity) =>
  async (request: Request): Promise<Response> => {
    if (PUBLIC.has(toRouterPath(new URL(request.url).pathname))) return connectivity.send(request)
    const sendWith = (token: string) => {
      const copy = isRead(request) ? abortOnSignOut(session, request) : request.clone()
      copy.headers.set('authorization', `Bearer ${token}`)
      return connectivity.send(copy)
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

export const createApiClient = (session: Session, connectivity: Connectivity) =>
  createClient<paths>({ baseUrl: toPublicUrl(''), fetch: createFetch(session, connectivity) })

interface ApiResult<T> {
  data?: T | undefined
  error?: unknown
  response: Response
}

/** Returns the response data, or throws an ApiError. */
export const unwrap = async <T>(call: Promise<ApiResult<T>>): Promise<T> => {
  const { data, response, error } = await call
  if (!response.ok) throw await toApiError(response, error)
  return data as T
}

/** Returns the file of a call with `parseAs: 'blob'`, whose type the API document does not know. */
export const unwrapFile = async (call: Promise<ApiResult<unknown>>): Promise<Blob> =>
  (await unwrap(call)) as Blob

/** A resource with the ETag of the version that was read. */
export interface Versioned<T> {
  value: T
  etag: string | null
}

export const unwrapVersion = async <T>(call: Promise<ApiResult<T>>): Promise<Versioned<T>> => {
  const { data, response, error } = await call
  if (!response.ok) throw await toApiError(response, error)
  return { value: data as T, etag: response.headers.get('etag') }
}

/** Headers that make a change fail with 412 if the resource has another version. */
export const ifMatch = (etag: string | null): Record<string, string> =>
  etag === null ? {} : { 'if-match': etag }
