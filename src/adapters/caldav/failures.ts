import { AppError, type StepFailure } from '../../platform/errors.ts'
import { failedAt, socketFailure } from '../../platform/outbound/steps.ts'

type Where = Pick<StepFailure, 'step' | 'reason'>

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const whereOf = (error: AppError): Where => {
  const code = codeOf(error.cause)
  if (error.kind === 'invalid') return { step: 'dns', reason: 'forbidden_address' }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { step: 'dns', reason: 'unknown_host' }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { step: 'connect', reason: 'timeout' }
  if (error.code === 'upstream_timeout' && code === '') return { step: 'command', reason: 'timeout' }
  if (code === 'UND_ERR_SOCKET') return { step: 'command', reason: 'closed' }
  return socketFailure({ code }) ?? { step: 'command', reason: 'other' }
}

/** What the guarded client threw, as a step and a reason. What is none of its failures (an abort) is thrown on. */
export const toFailure = (host: string, error: unknown): unknown =>
  error instanceof AppError && (error.kind === 'upstream' || error.kind === 'invalid')
    ? failedAt(host, whereOf(error), error)
    : error

const BUSY = [408, 423, 425, 429]

const whereRefused = (status: number): Where => {
  if (status === 401) return { step: 'login', reason: 'credentials' }
  if ([403, 404, 410].includes(status)) return { step: 'select', reason: 'missing' }
  // What is refused now will be refused again, unlike what a server has no time for.
  if (status >= 400 && status < 500 && !BUSY.includes(status)) return { step: 'command', reason: 'refused' }
  return { step: 'command', reason: 'other' }
}

/**
 * An answer that is a refusal. Its body is not quoted: a server that is asked with a password may repeat it there.
 * `condition` is the name of a precondition (RFC 4918 §16).
 */
export const refusedWith = (
  host: string,
  status: number,
  condition?: string | undefined,
  where: Where = whereRefused(status),
): AppError =>
  failedAt(host, { ...where, said: condition ? `HTTP ${status}, ${condition}` : `HTTP ${status}` })

/** An answer that makes no sense. */
export const senseless = (host: string, said: string, cause?: unknown): AppError =>
  failedAt(host, { step: 'command', reason: 'other', said }, cause)

/** There is nothing here to read calendars from. */
export const noCalendars = (host: string, said: string): AppError =>
  failedAt(host, { step: 'select', reason: 'missing', said })
