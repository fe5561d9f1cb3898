import {
  type Anchor,
  type AuditedPage,
  count,
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

export const checkLinks = ({ html, url }: AuditedPage, { anchors, base }: PageFacts): Finding[] => {
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
    `${nameless.length} of ${count(links.length, 'link has', 'links have')} no name.`,
    'Give each link a text, or its image an alternative text.',
  )
  const said = links.filter(vague)
  add(
    'vague-links',
    'low',
    said,
    `${count(said.length, 'link has', 'links have')} a text that does not describe the target.`,
    'Describe the target in the link text; “here” means nothing in a list of links.',
  )
  const scripted = links.filter(({ href }) => /^javascript:/i.test(href ?? ''))
  add(
    'scripted-links',
    'medium',
    scripted,
    `${count(scripted.length, 'link runs', 'links run')} a script instead of opening a page.`,
    'Use a button for an action and a URL for navigation.',
  )
  const empty = links.filter(({ href }) => href === '' || href === '#')
  add(
    'empty-links',
    'low',
    empty,
    `${count(empty.length, 'link has', 'links have')} no target.`,
    'Give each link a URL, or make it a button.',
  )
  // Without a page URL, use a placeholder base, so that relative links do not count as broken.
  const broken = links.filter(
    ({ href }) => href !== '' && URL.parse(href as string, pageUrl ?? 'http://page.invalid/') === null,
  )
  add(
    'broken-addresses',
    'medium',
    broken,
    `${count(broken.length, 'link has', 'links have')} an invalid URL.`,
    'Correct the URL.',
  )
  const insecure = links.filter(({ href }) => /^http:\/\//i.test(href ?? ''))
  if (url?.startsWith('https:'))
    add(
      'insecure-links',
      'low',
      insecure,
      `${count(insecure.length, 'link leads', 'links lead')} from an encrypted page to an unencrypted one.`,
      'Use https URLs.',
    )
  if (links.length === 0)
    findings.push({
      check: 'no-links',
      severity: 'low',
      text: 'The page has no links.',
      evidence: '',
      remedy: 'Link to the pages that a reader needs next.',
    })
  return findings
}

const KB = 1024
/** A smaller response fits into one packet, compressed or not. */
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
      text: `The HTML of the page has a size of ${inKb(bytes)}.`,
      evidence: quoteText(html.trimStart().slice(0, 80)),
      remedy: 'Move scripts, styles and data into separate files, and show less at once.',
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
      text: 'The response has no caching headers.',
      evidence: '',
      remedy: 'Send Cache-Control, and an ETag or Last-Modified.',
    })
  if (waitedMs > 800)
    findings.push({
      check: 'response-time',
      severity: waitedMs > 2_000 ? 'medium' : 'low',
      text: `The server took ${(waitedMs / 1000).toFixed(1)} s to start its response.`,
      evidence: '',
      remedy: 'Cache the page, or find out what delays it. A good limit is 0.8 s.',
    })
  if (redirects > 1)
    findings.push({
      check: 'redirects',
      severity: 'low',
      text: `The page was reached after ${redirects} redirects.`,
      evidence: '',
      remedy: 'Redirect once, directly to the final URL.',
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
      text: `${count(blocking.length, 'script blocks', 'scripts block')} the rendering of the page.`,
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
      text: `The page loads ${count(parts.length, 'script', 'scripts')} and ${count(sheets.length, 'stylesheet', 'stylesheets')}.`,
      evidence: quoteFrom(html, [...parts, ...sheets]),
      remedy: 'Bundle them, and remove what this page does not use.',
    },
    sheets.length + parts.length > 25,
  )
  const inline = facts.total.styles + facts.scripts.reduce((sum, { length }) => sum + length, 0)
  add(
    {
      check: 'inline-code',
      severity: 'low',
      text: `${inKb(inline)} of scripts and styles are inline, so browsers cannot cache them.`,
      evidence: quoteFrom(html, facts.scripts.toSorted((a, b) => b.length - a.length).slice(0, 1)),
      remedy: 'Move them into separate files.',
    },
    inline > 100 * KB,
  )
  const unsized = facts.images.filter(({ sized, src }) => !sized && src !== '')
  add(
    {
      check: 'image-sizes',
      severity: 'low',
      text: `${count(unsized.length, 'image has', 'images have')} no width and height, so the layout shifts while the page loads.`,
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
      text: `The page has ${facts.isWhole ? '' : 'more than '}${elements} elements${facts.isWhole ? '' : '; the rest was not checked'}.`,
      evidence: '',
      remedy: 'Show less at once; above 1,500 elements every change becomes slow.',
    },
    elements > 1_500 || !facts.isWhole,
  )
  return findings
}
