import type { components } from './schema.ts'

type Problem = components['schemas']['Problem']

export interface FieldError {
  path: string
  message: string
}

/** An error response of the API, or a network failure (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: readonly FieldError[]
  readonly retryAfterSeconds: number | null

  constructor(given: {
    status: number
    code: string
    message: string
    fields?: readonly FieldError[]
    retryAfterSeconds?: number | null
  }) {
    super(given.message)
    this.name = 'ApiError'
    this.status = given.status
    this.code = given.code
    this.fields = given.fields ?? []
    this.retryAfterSeconds = given.retryAfterSeconds ?? null
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body

const readRetryAfter = (response: Response): number | null => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}

export const unreachable = (): ApiError =>
  new ApiError({ status: 0, code: 'unreachable', message: 'Factotum cannot be reached right now.' })

const GATEWAY = [502, 503, 504]

/** A gateway error without a JSON body comes from a proxy that cannot reach the service. */
export const isFromProxy = (response: Response): boolean =>
  GATEWAY.includes(response.status) && !/json/.test(response.headers.get('content-type') ?? '')

/** Converts an error response to an ApiError. A proxy may send a body that is not problem+json. */
export const toApiError = (response: Response, body: unknown): ApiError =>
  isFromProxy(response)
    ? unreachable()
    : new ApiError({
        status: response.status,
        code: isProblem(body) ? body.code : 'internal',
        message: isProblem(body) ? body.detail : `The service answered with ${response.status}.`,
        fields: isProblem(body) ? (body.errors ?? []) : [],
        retryAfterSeconds: readRetryAfter(response),
      })

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Formats any error for the user. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'Something went wrong in this page. Reload it and try again.'
  if (error.code !== 'rate_limited' || error.retryAfterSeconds === null) return error.message
  const minutes = Math.ceil(error.retryAfterSeconds / 60)
  const wait =
    minutes > 1 ? `${minutes} minutes` : `${Math.max(1, Math.ceil(error.retryAfterSeconds))} seconds`
  return `Too many tries. Wait ${wait}, then try again.`
}
