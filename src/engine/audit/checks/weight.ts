import { linksOf, type PageFacts } from '../facts.ts'
import { count, type Finding, quoteFrom, quoteText } from '../finding.ts'
import type { AuditedPage, Delivery } from '../page.ts'

const KB = 1024
/** Below this an answer fits into one packet, compressed or not. */
const WORTH_COMPRESSING = 1_400

const inKb = (bytes: number): string => `${Math.round(bytes / KB)} kB`

const sizeFindings = ({ html }: AuditedPage, bytes: number): Finding[] => {
  const severity =
    bytes > 2048 * KB ? 'high' : bytes > 500 * KB ? 'medium' : bytes > 150 * KB ? 'low' : undefined
  if (!severity) return []
  return [
    {
      check: 'weight',
      severity,
      text: `The page’s own text weighs ${inKb(bytes)}.`,
      evidence: quoteText(html.trimStart().slice(0, 80)),
      remedy: 'Move scripts, styles and data out of the page, and show less at once.',
    },
  ]
}

const deliveryFindings = ({ headers, bytes, redirects, waitedMs }: Delivery): Finding[] => {
  const findings: Finding[] = []
  const encoding = headers.get('content-encoding') ?? ''
  if (bytes > WORTH_COMPRESSING && !/gzip|br|zstd|deflate/i.test(encoding))
    findings.push({
      check: 'compression',
      severity: 'medium',
      text: `The page is sent uncompressed: ${inKb(bytes)}.`,
      evidence: encoding === '' ? '' : quoteText(`content-encoding: ${encoding}`),
      remedy: 'Compress text with Brotli or gzip.',
    })
  if (!headers.has('cache-control') && !headers.has('etag') && !headers.has('last-modified'))
    findings.push({
      check: 'caching',
      severity: 'low',
      text: 'Nothing says how long the page stays fresh, or whether it has changed.',
      evidence: '',
      remedy: 'Send Cache-Control, and an ETag or Last-Modified.',
    })
  if (waitedMs > 800)
    findings.push({
      check: 'response-time',
      severity: waitedMs > 2_000 ? 'medium' : 'low',
      text: `The server took ${(waitedMs / 1000).toFixed(1)} s to begin its answer.`,
      evidence: '',
      remedy: 'Cache the page, or find out what it waits for: 0.8 s is a good upper limit.',
    })
  if (redirects > 1)
    findings.push({
      check: 'redirects',
      severity: 'low',
      text: `It took ${redirects} redirects to get to the page.`,
      evidence: '',
      remedy: 'Redirect once, straight to the address that answers.',
    })
  return findings
}

export const checkWeight = (page: AuditedPage, facts: PageFacts): Finding[] => {
  const { html } = page
  const bytes = page.delivery?.bytes ?? Buffer.byteLength(html)
  const findings = [...sizeFindings(page, bytes), ...(page.delivery ? deliveryFindings(page.delivery) : [])]
  const add = (finding: Finding, isSo: boolean): void => {
    if (isSo) findings.push(finding)
  }

  const blocking = facts.scripts.filter(({ blocks }) => blocks)
  add(
    {
      check: 'blocking-scripts',
      severity: blocking.length > 3 ? 'medium' : 'low',
      text: `${count(blocking.length, 'script holds', 'scripts hold')} up the page before anything is shown.`,
      evidence: quoteFrom(html, blocking),
      remedy: 'Load scripts with defer or async.',
    },
    blocking.length > 0,
  )
  const sheets = linksOf(facts, 'stylesheet')
  const parts = facts.scripts.filter(({ src }) => src !== null)
  add(
    {
      check: 'requests',
      severity: sheets.length + parts.length > 60 ? 'medium' : 'low',
      text: `The page asks for ${count(parts.length, 'script', 'scripts')} and ${count(sheets.length, 'stylesheet', 'stylesheets')}.`,
      evidence: quoteFrom(html, [...parts, ...sheets]),
      remedy: 'Bundle them, and leave out what this page does not use.',
    },
    sheets.length + parts.length > 25,
  )
  const inline = facts.total.styles + facts.scripts.reduce((sum, { length }) => sum + length, 0)
  add(
    {
      check: 'inline-code',
      severity: 'low',
      text: `${inKb(inline)} of scripts and styles stand in the page itself and cannot be kept by browsers.`,
      evidence: quoteFrom(html, facts.scripts.toSorted((a, b) => b.length - a.length).slice(0, 1)),
      remedy: 'Move them into files of their own.',
    },
    inline > 100 * KB,
  )
  const unsized = facts.images.filter(({ sized, src }) => !sized && src !== '')
  add(
    {
      check: 'image-sizes',
      severity: 'low',
      text: `${count(unsized.length, 'image has', 'images have')} no width and height, so that the page jumps while it loads.`,
      evidence: quoteFrom(html, unsized),
      remedy: 'Give images width and height.',
    },
    unsized.length > 0,
  )
  const { elements } = facts.total
  add(
    {
      check: 'elements',
      severity: elements > 5_000 ? 'medium' : 'low',
      text: `The page has ${facts.isWhole ? '' : 'more than '}${elements} elements${facts.isWhole ? '' : ', and was not looked at any further'}.`,
      evidence: '',
      remedy: 'Show less at once; beyond 1,500 elements every change costs time.',
    },
    elements > 1_500 || !facts.isWhole,
  )
  return findings
}
