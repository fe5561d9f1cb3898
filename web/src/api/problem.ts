import * as t from '#locale/app'
import type { components } from './schema.ts'

type Problem = components['schemas']['Problem']

export interface FieldError {
  path: string
  message: string
  /** Describes an error of the server in the language of the console. */
  describe?: (label: string) => string
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

/** An error of a field that the console finds before it sends the form. */
export const toFieldError = (path: string, message: string, fieldMessage = message): ApiError =>
  new ApiError({
    status: 400,
    code: 'validation_failed',
    message,
    fields: [{ path, message: fieldMessage }],
  })

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body

const readRetryAfter = (response: Response): number | null => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}

export const unreachable = (): ApiError =>
  new ApiError({ status: 0, code: 'unreachable', message: t.unreachable })

const GATEWAY = [502, 503, 504]

/** A gateway error without a JSON body comes from a proxy that cannot reach the service. */
export const isFromProxy = (response: Response): boolean =>
  GATEWAY.includes(response.status) && !/json/.test(response.headers.get('content-type') ?? '')

/** Most visits see no error, so these texts are loaded with the first one. Null if they cannot be loaded. */
const loadErrorTexts = () => import('#locale/errors').catch(() => null)

/** The text of an error in the language of the console. English keeps the text of the server. */
export const toErrorText = async ({ code, detail }: { code: string; detail: string }): Promise<string> =>
  (await loadErrorTexts())?.codes[code] ?? detail

/** Converts an error response to an ApiError. A proxy may send a body that is not problem+json. */
export const toApiError = async (response: Response, body: unknown): Promise<ApiError> => {
  if (isFromProxy(response)) return unreachable()
  const { status } = response
  if (!isProblem(body))
    return new ApiError({
      status,
      code: 'internal',
      message: t.unexpectedStatus(status),
      retryAfterSeconds: readRetryAfter(response),
    })
  const texts = await loadErrorTexts()
  return new ApiError({
    status,
    code: body.code,
    message: await toErrorText(body),
    fields: (body.errors ?? []).map(({ path, message }) => ({
      path,
      message,
      describe: (label) => texts?.fieldError({ label, message }) ?? message,
    })),
    retryAfterSeconds: readRetryAfter(response),
  })
}

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Formats any error for the user. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof ApiError)) return t.unexpectedError
  if (error.code !== 'rate_limited' || error.retryAfterSeconds === null) return error.message
  const minutes = Math.ceil(error.retryAfterSeconds / 60)
  return minutes > 1 ? t.waitMinutes(minutes) : t.waitMinute
}
