import type { AuditTexts } from '../locales/en.ts'
import {
  type Anchor,
  type AuditedPage,
  type Delivery,
  type Finding,
  linksOf,
  type PageFacts,
  quoteFrom,
  quoteText,
} from '../page.ts'

/** Link texts that do not describe the target. */
const VAGUE = new Set(
  `click here|here|read more|more|learn more|this|link|this link|click|go|details|continue|hier|mehr|weiterlesen|mehr lesen|hier klicken|klicken sie hier`.split(
    '|',
  ),
)

const vague = ({ name }: Anchor): boolean => VAGUE.has(name.toLowerCase().replace(/[\s.…»›>!:→]+$/u, ''))

export const checkLinks = (
  { html, url }: AuditedPage,
  { anchors, base }: PageFacts,
  { links: texts }: AuditTexts,
): Finding[] => {
  const findings: Finding[] = []
  const links = anchors.filter(({ href }) => href !== null)
  const pageUrl = url === null ? undefined : (URL.parse(base ?? '', url)?.href ?? url)
  const add = (
    check: string,
    severity: Finding['severity'],
    found: Anchor[],
    text: string,
    remedy: string,
  ): void => {
    if (found.length > 0) findings.push({ check, severity, text, evidence: quoteFrom(html, found), remedy })
  }

  const nameless = links.filter(({ name }) => name === '')
  add(
    'link-names',
    'high',
    nameless,
    texts.names.text({ nameless: nameless.length, links: links.length }),
    texts.names.remedy,
  )
  const said = links.filter(vague)
  add('vague-links', 'low', said, texts.vague.text(said.length), texts.vague.remedy)
  const scripted = links.filter(({ href }) => /^javascript:/i.test(href ?? ''))
  add('scripted-links', 'medium', scripted, texts.scripted.text(scripted.length), texts.scripted.remedy)
  const empty = links.filter(({ href }) => href === '' || href === '#')
  add('empty-links', 'low', empty, texts.empty.text(empty.length), texts.empty.remedy)
  // Without a page URL, use a placeholder base, so that relative links do not count as broken.
  const broken = links.filter(
    ({ href }) => href !== '' && URL.parse(href as string, pageUrl ?? 'http://page.invalid/') === null,
  )
  add('broken-addresses', 'medium', broken, texts.broken.text(broken.length), texts.broken.remedy)
  const insecure = links.filter(({ href }) => /^http:\/\//i.test(href ?? ''))
  if (url?.startsWith('https:'))
    add('insecure-links', 'low', insecure, texts.insecure.text(insecure.length), texts.insecure.remedy)
  if (links.length === 0)
    findings.push({
      check: 'no-links',
      severity: 'low',
      text: texts.none.text,
      evidence: '',
      remedy: texts.none.remedy,
    })
  return findings
}

const KB = 1024
/** A smaller response fits into one packet, compressed or not. */
const WORTH_COMPRESSING = 1_400

const toKilobytes = (bytes: number): number => Math.round(bytes / KB)

type WeightTexts = AuditTexts['weight']

const sizeFindings = ({ html }: AuditedPage, bytes: number, { size: texts }: WeightTexts): Finding[] => {
  const severity =
    bytes > 2048 * KB ? 'high' : bytes > 500 * KB ? 'medium' : bytes > 150 * KB ? 'low' : undefined
  if (!severity) return []
  return [
    {
      check: 'weight',
      severity,
      text: texts.text(toKilobytes(bytes)),
      evidence: quoteText(html.trimStart().slice(0, 80)),
      remedy: texts.remedy,
    },
  ]
}

const deliveryFindings = (
  { headers, bytes, redirects, waitedMs }: Delivery,
  texts: WeightTexts,
): Finding[] => {
  const findings: Finding[] = []
  const encoding = headers.get('content-encoding') ?? ''
  if (bytes > WORTH_COMPRESSING && !/gzip|br|zstd|deflate/i.test(encoding))
    findings.push({
      check: 'compression',
      severity: 'medium',
      text: texts.compression.text(toKilobytes(bytes)),
      evidence: encoding === '' ? '' : quoteText(`content-encoding: ${encoding}`),
      remedy: texts.compression.remedy,
    })
  if (!headers.has('cache-control') && !headers.has('etag') && !headers.has('last-modified'))
    findings.push({
      check: 'caching',
      severity: 'low',
      text: texts.caching.text,
      evidence: '',
      remedy: texts.caching.remedy,
    })
  if (waitedMs > 800)
    findings.push({
      check: 'response-time',
      severity: waitedMs > 2_000 ? 'medium' : 'low',
      text: texts.responseTime.text(waitedMs / 1000),
      evidence: '',
      remedy: texts.responseTime.remedy,
    })
  if (redirects > 1)
    findings.push({
      check: 'redirects',
      severity: 'low',
      text: texts.redirects.text(redirects),
      evidence: '',
      remedy: texts.redirects.remedy,
    })
  return findings
}

export const checkWeight = (
  page: AuditedPage,
  facts: PageFacts,
  { weight: texts }: AuditTexts,
): Finding[] => {
  const { html } = page
  const bytes = page.delivery?.bytes ?? Buffer.byteLength(html)
  const findings = [
    ...sizeFindings(page, bytes, texts),
    ...(page.delivery ? deliveryFindings(page.delivery, texts) : []),
  ]
  const add = (finding: Finding, isSo: boolean): void => {
    if (isSo) findings.push(finding)
  }

  const blocking = facts.scripts.filter(({ blocks }) => blocks)
  add(
    {
      check: 'blocking-scripts',
      severity: blocking.length > 3 ? 'medium' : 'low',
      text: texts.blockingScripts.text(blocking.length),
      evidence: quoteFrom(html, blocking),
      remedy: texts.blockingScripts.remedy,
    },
    blocking.length > 0,
  )
  const sheets = linksOf(facts, 'stylesheet')
  const parts = facts.scripts.filter(({ src }) => src !== null)
  add(
    {
      check: 'requests',
      severity: sheets.length + parts.length > 60 ? 'medium' : 'low',
      text: texts.requests.text({ scripts: parts.length, sheets: sheets.length }),
      evidence: quoteFrom(html, [...parts, ...sheets]),
      remedy: texts.requests.remedy,
    },
    sheets.length + parts.length > 25,
  )
  const inline = facts.total.styles + facts.scripts.reduce((sum, { length }) => sum + length, 0)
  add(
    {
      check: 'inline-code',
      severity: 'low',
      text: texts.inlineCode.text(toKilobytes(inline)),
      evidence: quoteFrom(html, facts.scripts.toSorted((a, b) => b.length - a.length).slice(0, 1)),
      remedy: texts.inlineCode.remedy,
    },
    inline > 100 * KB,
  )
  const unsized = facts.images.filter(({ sized, src }) => !sized && src !== '')
  add(
    {
      check: 'image-sizes',
      severity: 'low',
      text: texts.imageSizes.text(unsized.length),
      evidence: quoteFrom(html, unsized),
      remedy: texts.imageSizes.remedy,
    },
    unsized.length > 0,
  )
  const { elements } = facts.total
  add(
    {
      check: 'elements',
      severity: elements > 5_000 ? 'medium' : 'low',
      text: facts.isWhole ? texts.elements.text(elements) : texts.elements.cut(elements),
      evidence: '',
      remedy: texts.elements.remedy,
    },
    elements > 1_500 || !facts.isWhole,
  )
  return findings
}
