import type { Audit } from '../../../engine/audit/audit.ts'
import type { AuditedPage } from '../../../engine/audit/page.ts'
import type { SectionKey } from '../../../engine/audit/section-keys.ts'
import type { Clock } from '../../../platform/clock.ts'
import { invalid, invalidField } from '../../../platform/errors.ts'
import type { ReadModelStatus } from '../model-status.ts'
import type { PageFetch } from './page-fetch.ts'
import type { AuditReport, AuditWish } from './schema.ts'

/** What a model may say anew: words. Scores, findings and evidence stay what the checks made them. */
export interface Rewording {
  summary?: string
  recommendations?: Partial<Record<SectionKey, readonly string[]>>
  model: string
  provider: string
  usage: { inputTokens: number; outputTokens: number }
}

/** Undefined: no model was asked. All words of the page in `audit` are data, whoever wrote them. */
export type Reword = (audit: Audit) => Promise<Rewording | undefined>

export interface AuditsDeps {
  fetchPage: PageFetch
  clock: Clock
  modelStatus: ReadModelStatus
  reword?: Reword | undefined
}

const LONGEST_SUMMARY = 4_000
const LONGEST_ADVICE = 1_000
const MOST_ADVICE = 20

const inOtherWords = (audit: Audit, { summary, recommendations = {} }: Rewording): Audit => ({
  ...audit,
  summary: summary?.trim().slice(0, LONGEST_SUMMARY) || audit.summary,
  sections: audit.sections.map((section) => {
    const words = (recommendations[section.key] ?? [])
      .slice(0, MOST_ADVICE)
      .map((advice) => advice.trim().slice(0, LONGEST_ADVICE))
      .filter((advice) => advice !== '')
    return words.length === 0 ? section : { ...section, recommendations: words }
  }),
})

/** People type "example.com". */
const addressOf = (text: string): string => {
  const typed = text.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalidField('url', 'must be an http or https address, such as https://example.com/')
  return url.href
}

/** The engine is loaded with the first page: a start need not wait for it. */
const loadEngine = async () => {
  const [{ auditPage }, { writeMarkdown }, { sectionsFor }] = await Promise.all([
    import('../../../engine/audit/audit.ts'),
    import('../../../engine/audit/markdown.ts'),
    import('../../../engine/audit/sections.ts'),
  ])
  return { auditPage, writeMarkdown, sectionsFor }
}

export type Audits = ReturnType<typeof createAudits>

export const createAudits = ({ fetchPage, clock, modelStatus, reword }: AuditsDeps) => {
  const pageOf = async ({ url, html, focus = [] }: AuditWish): Promise<AuditedPage> => {
    const address = url === undefined ? null : addressOf(url)
    if (html !== undefined) return { html, url: address, delivery: null }
    if (address === null)
      throw invalid('Say which page: its url, or its html.', [{ path: 'url', message: 'or html is needed' }])
    const { sectionsFor } = await loadEngine()
    return fetchPage(
      address,
      sectionsFor(focus).sections.some(({ key }) => key === 'robots'),
    )
  }

  return {
    async audit(wish: AuditWish): Promise<AuditReport> {
      const page = await pageOf(wish)
      const { auditPage, writeMarkdown } = await loadEngine()
      const found = auditPage(page, { company: wish.company, focus: wish.focus })
      const reworded = await reword?.(found)
      const audit = reworded ? inOtherWords(found, reworded) : found
      const { url, delivery } = page
      return {
        ...audit,
        ...{ url, fetched: delivery !== null, bytes: delivery?.bytes ?? Buffer.byteLength(page.html) },
        auditedAt: clock.now().toISOString(),
        markdown: writeMarkdown(audit, url),
        ...(reworded
          ? { engine: 'llm', model: reworded.model, provider: reworded.provider, usage: reworded.usage }
          : {
              ...{ engine: 'builtin', model: (await modelStatus()).model, provider: 'builtin' },
              usage: { inputTokens: 0, outputTokens: 0 },
            }),
      }
    },
  }
}
