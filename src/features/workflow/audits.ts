import type { Clock } from '../../platform/clock.ts'
import { AppError, invalid, invalidField } from '../../platform/errors.ts'
import type { LanguageOf } from '../../platform/language.ts'
import type { Outbound, OutboundResponse } from '../../platform/outbound/port.ts'
import type { Asker } from '../models/consultation.ts'
import type { AnswerMetaWithReason } from '../models/model-router.ts'
import type { Audit } from './page-audit/audit.ts'
import { type AuditedPage, decodePage } from './page-audit/page.ts'
import type { AuditInput, AuditReport } from './schema.ts'

export interface FetchLimits {
  timeoutMs: number
  maxBytes: number
}

const PAGE: FetchLimits = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 }
const ROBOTS: FetchLimits = { timeoutMs: 3_000, maxBytes: 512 * 1024 }

/** Steps of fetching a page. */
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
  new AppError('invalid', 'page_unavailable', `Could not fetch the page (${step}): ${message}`, {
    cause,
    details: { errors: [{ path: 'url', message: `${step}: ${message}` }] },
  })

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const toFailedStep = (error: AppError, host: string): Step => {
  // An error about another host comes from a redirect.
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
  return /^ECONN|^EHOST|^ENET|^UND_ERR|^EPIPE/.test(errorCode(error.cause)) ? 'connection' : 'answer'
}

/** Private addresses are never fetched, whether the caller or a redirect names them. */
const ask = (
  outbound: Outbound,
  url: string,
  accept: string,
  limits: FetchLimits,
): Promise<OutboundResponse> => outbound.fetch(url, { trust: 'content', headers: { accept }, ...limits })

const isPage = (contentType: string): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)

/** Fetches a page with its response data. Also fetches robots.txt if `withRobots` is set. */
export type PageFetch = (url: string, withRobots: boolean) => Promise<AuditedPage>

export const createPageFetch = (
  { outbound, clock }: { outbound: Outbound; clock: Clock },
  limits: FetchLimits = PAGE,
): PageFetch => {
  const orUnavailable = async <T>(
    url: string,
    step: Step | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AppError) || (error.kind !== 'invalid' && error.kind !== 'upstream')) throw error
      const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
      throw unavailable(step ?? toFailedStep(error, host), error.message, error.cause)
    }
  }

  /** Returns the text, null if there is no robots.txt, or undefined if it could not be fetched. */
  const fetchRobots = async (url: string): Promise<string | null | undefined> => {
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
    const answer = await orUnavailable(url, undefined, () =>
      ask(outbound, url, 'text/html,application/xhtml+xml;q=0.9', limits),
    )
    const waitedMs = Math.max(0, clock.now().getTime() - asked)
    const { host } = new URL(answer.url)
    const contentType = answer.headers.get('content-type') ?? ''
    if (answer.status < 200 || answer.status > 299) {
      answer.discard()
      throw unavailable('status', `${host} responded with status ${answer.status}.`)
    }
    if (!isPage(contentType)) {
      answer.discard()
      const problem = contentType === '' ? 'sent no content type' : 'did not send an HTML page'
      throw unavailable('type', `${host} ${problem}. Only text/html can be audited.`)
    }
    const bytes = await orUnavailable(answer.url, 'body', () => answer.bytes())
    const { html, charset, undecodable } = decodePage(bytes, contentType)
    return {
      html,
      url: answer.url,
      delivery: {
        status: answer.status,
        headers: new Map(answer.headers),
        cookies: answer.headers.getSetCookie(),
        bytes: bytes.length,
        redirects: answer.redirects.length,
        waitedMs,
        charset,
        undecodable,
        robotsTxt: withRobots ? await fetchRobots(answer.url) : undefined,
      },
    }
  }
}

/** Lets a model rewrite the texts of an audit. All content of the page is untrusted data. */
export type Reword = (audit: Audit, asker: Asker) => Promise<{ audit: Audit; made: AnswerMetaWithReason }>

export interface AuditsDeps {
  fetchPage: PageFetch
  clock: Clock
  reword: Reword
  languageOf: LanguageOf
}

/** Accepts input without a scheme, such as "example.com". */
const parseAddress = (text: string): string => {
  const typed = text.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalidField('url', 'must be an http or https URL, such as https://example.com/')
  return url.href
}

/** Loads the engine with the first audit, so that the server starts faster. */
const loadEngine = async () => {
  const [audit, { writeMarkdown }] = await Promise.all([
    import('./page-audit/audit.ts'),
    import('./page-audit/markdown.ts'),
  ])
  return { ...audit, writeMarkdown }
}

export type Audits = ReturnType<typeof createAudits>

export const createAudits = ({ fetchPage, clock, reword, languageOf }: AuditsDeps) => {
  const loadPage = async ({ url, html, focus = [] }: AuditInput): Promise<AuditedPage> => {
    const address = url === undefined ? null : parseAddress(url)
    if (html !== undefined) return { html, url: address, delivery: null }
    if (address === null)
      throw invalid('Send the url or the html of the page.', [
        { path: 'url', message: 'url or html is required' },
      ])
    const { sectionsFor } = await loadEngine()
    const withRobots = sectionsFor(focus).sections.some(({ key }) => key === 'robots')
    return fetchPage(address, withRobots)
  }

  return {
    /** Writes the report in the language of the account, or in English without an account. */
    async audit(input: AuditInput, asker: Asker, userId: number): Promise<AuditReport> {
      const page = await loadPage(input)
      const { auditPage, writeMarkdown } = await loadEngine()
      const found = auditPage(page, {
        company: input.company,
        focus: input.focus,
        language: await languageOf(userId),
      })
      const { audit, made } = await reword(found, asker)
      const { url, delivery } = page
      return {
        ...audit,
        url,
        fetched: delivery !== null,
        bytes: delivery?.bytes ?? Buffer.byteLength(page.html),
        auditedAt: clock.now().toISOString(),
        markdown: writeMarkdown(audit, url),
        ...made,
      }
    },
  }
}
