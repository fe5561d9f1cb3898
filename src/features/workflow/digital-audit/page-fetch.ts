import { decodePage } from '../../../engine/audit/charset.ts'
import type { AuditedPage } from '../../../engine/audit/page.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Outbound, OutboundResponse } from '../../../platform/outbound/outbound.ts'

export interface FetchLimits {
  timeoutMs: number
  maxBytes: number
}

const PAGE: FetchLimits = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 }
const ROBOTS: FetchLimits = { timeoutMs: 3_000, maxBytes: 512 * 1024 }

/** How far the way to a page went. */
type Step =
  | 'address'
  | 'lookup'
  | 'connection'
  | 'encryption'
  | 'redirect'
  | 'answer'
  | 'status'
  | 'type'
  | 'body'

const unavailable = (step: Step, message: string, cause?: unknown): AppError =>
  new AppError('invalid', 'page_unavailable', `The page could not be had (${step}): ${message}`, {
    cause,
    details: { errors: [{ path: 'url', message: `${step}: ${message}` }] },
  })

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const stepOf = (error: AppError, host: string): Step => {
  // A host that nobody asked for was named by a redirect.
  if (
    /redirect/.test(error.message) ||
    (error.kind === 'invalid' &&
      / is (?:not )?a /.test(error.message) &&
      !error.message.startsWith(`${host} `))
  )
    return 'redirect'
  if (error.kind === 'invalid') return 'address'
  if (/could not be found/.test(error.message)) return 'lookup'
  if (/\(TLS\)/.test(error.message)) return 'encryption'
  if (error.code === 'upstream_timeout') return 'answer'
  return /^ECONN|^EHOST|^ENET|^UND_ERR|^EPIPE/.test(codeOf(error.cause)) ? 'connection' : 'answer'
}

/** Private addresses are never fetched: whoever names one is refused, be it the caller or a redirect. */
const ask = (
  outbound: Outbound,
  url: string,
  accept: string,
  limits: FetchLimits,
): Promise<OutboundResponse> => outbound.fetch(url, { trust: 'content', headers: { accept }, ...limits })

const isPage = (contentType: string): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)

/** The page with how it came. Its robots.txt is asked for when `withRobots`. */
export type PageFetch = (url: string, withRobots: boolean) => Promise<AuditedPage>

export const createPageFetch = (
  { outbound, clock }: { outbound: Outbound; clock: Clock },
  limits: FetchLimits = PAGE,
): PageFetch => {
  const tried = async <T>(url: string, step: Step | undefined, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AppError) || (error.kind !== 'invalid' && error.kind !== 'upstream')) throw error
      const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
      throw unavailable(step ?? stepOf(error, host), error.message, error.cause)
    }
  }

  /** Its text, null when there is none, undefined when nobody knows. */
  const robotsOf = async (url: string): Promise<string | null | undefined> => {
    try {
      const answer = await ask(outbound, new URL('/robots.txt', url).href, 'text/plain', ROBOTS)
      if (answer.status === 200) return await answer.text()
      answer.discard()
      return answer.status >= 400 && answer.status < 500 ? null : undefined
    } catch {
      return undefined
    }
  }

  return async (url, withRobots) => {
    const asked = clock.now().getTime()
    const answer = await tried(url, undefined, () =>
      ask(outbound, url, 'text/html,application/xhtml+xml;q=0.9', limits),
    )
    const waitedMs = Math.max(0, clock.now().getTime() - asked)
    const { host } = new URL(answer.url)
    const contentType = answer.headers.get('content-type') ?? ''
    if (answer.status < 200 || answer.status > 299) {
      answer.discard()
      throw unavailable('status', `${host} answered with status ${answer.status}.`)
    }
    if (!isPage(contentType)) {
      answer.discard()
      const said = contentType === '' ? 'does not say what it sent' : 'sent something else than a page'
      throw unavailable('type', `${host} ${said}; only text/html is audited.`)
    }
    const bytes = await tried(answer.url, 'body', () => answer.bytes())
    const { html, charset, undecodable } = decodePage(bytes, contentType)
    return {
      html,
      url: answer.url,
      delivery: {
        ...{
          status: answer.status,
          headers: new Map(answer.headers),
          cookies: answer.headers.getSetCookie(),
        },
        ...{ bytes: bytes.length, redirects: answer.redirects.length, waitedMs, charset, undecodable },
        robotsTxt: withRobots ? await robotsOf(answer.url) : undefined,
      },
    }
  }
}
