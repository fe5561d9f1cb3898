import type { AuditTexts } from '../locales/en.ts'
import {
  type Anchor,
  type AuditedPage,
  type Delivery,
  type Findings,
  linksOf,
  type PageFacts,
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
  { url }: AuditedPage,
  { anchors, base }: PageFacts,
  { links: texts }: AuditTexts,
  findings: Findings,
): void => {
  const links = anchors.filter(({ href }) => href !== null)
  const linksTo = (pattern: RegExp) => links.filter(({ href }) => pattern.test(href ?? ''))
  const pageUrl = url === null ? undefined : (URL.parse(base ?? '', url)?.href ?? url)
  const nameless = links.filter(({ name }) => name === '')
  const names = texts.names.text({ nameless: nameless.length, links: links.length })
  findings.addPlaces('link-names', 'high', { ...texts.names, text: names }, nameless)
  findings.addPlaces('vague-links', 'low', texts.vague, links.filter(vague))
  findings.addPlaces('scripted-links', 'medium', texts.scripted, linksTo(/^javascript:/i))
  findings.addPlaces('empty-links', 'low', texts.empty, linksTo(/^#?$/))
  // Without a page URL, use a placeholder base, so that relative links do not count as broken.
  const broken = links.filter(
    ({ href }) => href !== '' && URL.parse(href as string, pageUrl ?? 'http://page.invalid/') === null,
  )
  findings.addPlaces('broken-addresses', 'medium', texts.broken, broken)
  if (url?.startsWith('https:'))
    findings.addPlaces('insecure-links', 'low', texts.insecure, linksTo(/^http:\/\//i))
  if (links.length === 0) findings.add('no-links', 'low', texts.none)
}

const KB = 1024
/** A smaller response fits into one packet, compressed or not. */
const WORTH_COMPRESSING = 1_400

const toKilobytes = (bytes: number): number => Math.round(bytes / KB)

const checkDelivery = (
  { headers, bytes, redirects, waitedMs }: Delivery,
  texts: AuditTexts['weight'],
  findings: Findings,
): void => {
  const encoding = headers.get('content-encoding') ?? ''
  if (bytes > WORTH_COMPRESSING && !/gzip|br|zstd|deflate/i.test(encoding))
    findings.add(
      'compression',
      'medium',
      { ...texts.compression, text: texts.compression.text(toKilobytes(bytes)) },
      encoding === '' ? '' : quoteText(`content-encoding: ${encoding}`),
    )
  if (!headers.has('cache-control') && !headers.has('etag') && !headers.has('last-modified'))
    findings.add('caching', 'low', texts.caching)
  if (waitedMs > 800)
    findings.add('response-time', waitedMs > 2_000 ? 'medium' : 'low', {
      ...texts.responseTime,
      text: texts.responseTime.text(waitedMs / 1000),
    })
  if (redirects > 1)
    findings.add('redirects', 'low', { ...texts.redirects, text: texts.redirects.text(redirects) })
}

export const checkWeight = (
  { html, delivery }: AuditedPage,
  { scripts, images, total, isWhole, ...facts }: PageFacts,
  { weight: texts }: AuditTexts,
  findings: Findings,
): void => {
  const bytes = delivery?.bytes ?? Buffer.byteLength(html)
  if (bytes > 150 * KB)
    findings.add(
      'weight',
      bytes > 2048 * KB ? 'high' : bytes > 500 * KB ? 'medium' : 'low',
      { ...texts.size, text: texts.size.text(toKilobytes(bytes)) },
      quoteText(html.trimStart().slice(0, 80)),
    )
  if (delivery) checkDelivery(delivery, texts, findings)
  const blocking = scripts.filter(({ blocks }) => blocks)
  findings.addPlaces(
    'blocking-scripts',
    blocking.length > 3 ? 'medium' : 'low',
    texts.blockingScripts,
    blocking,
  )
  const sheets = linksOf(facts, 'stylesheet')
  const files = scripts.filter(({ src }) => src !== null)
  const requests = [...files, ...sheets]
  if (requests.length > 25)
    findings.addPlaces(
      'requests',
      requests.length > 60 ? 'medium' : 'low',
      { ...texts.requests, text: texts.requests.text({ scripts: files.length, sheets: sheets.length }) },
      requests,
    )
  const inline = total.styles + scripts.reduce((sum, { length }) => sum + length, 0)
  if (inline > 100 * KB)
    findings.add(
      'inline-code',
      'low',
      { ...texts.inlineCode, text: texts.inlineCode.text(toKilobytes(inline)) },
      findings.quote(scripts.toSorted((a, b) => b.length - a.length).slice(0, 1)),
    )
  const unsized = images.filter(({ sized, src }) => !sized && src !== '')
  findings.addPlaces('image-sizes', 'low', texts.imageSizes, unsized)
  const { elements } = total
  if (elements > 1_500 || !isWhole)
    findings.add('elements', elements > 5_000 ? 'medium' : 'low', {
      ...texts.elements,
      text: isWhole ? texts.elements.text(elements) : texts.elements.cut(elements),
    })
}
