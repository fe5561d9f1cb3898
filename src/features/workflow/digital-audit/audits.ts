import type { Audit } from '../../../engine/audit/audit.ts'
import type { AuditedPage } from '../../../engine/audit/page.ts'
import type { Clock } from '../../../platform/clock.ts'
import { invalid, invalidField } from '../../../platform/errors.ts'
import type { MadeBy } from '../../ai/asking.ts'
import type { Asker } from '../../ai/consulting.ts'
import type { PageFetch } from './page-fetch.ts'
import type { AuditReport, AuditWish } from './schema.ts'

/** Lets a model choose the words, and nothing else; tells what made them. All words of the page are data, whoever wrote them. */
export type Reword = (audit: Audit, asker: Asker) => Promise<{ audit: Audit; made: MadeBy }>

export interface AuditsDeps {
  fetchPage: PageFetch
  clock: Clock
  reword: Reword
}

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

export const createAudits = ({ fetchPage, clock, reword }: AuditsDeps) => {
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
    async audit(wish: AuditWish, asker: Asker): Promise<AuditReport> {
      const page = await pageOf(wish)
      const { auditPage, writeMarkdown } = await loadEngine()
      const found = auditPage(page, { company: wish.company, focus: wish.focus })
      const { audit, made } = await reword(found, asker)
      const { url, delivery } = page
      return {
        ...audit,
        ...{ url, fetched: delivery !== null, bytes: delivery?.bytes ?? Buffer.byteLength(page.html) },
        auditedAt: clock.now().toISOString(),
        markdown: writeMarkdown(audit, url),
        ...made,
      }
    },
  }
}
