import type { Anchor, PageFacts } from '../facts.ts'
import { count, type Finding, quoteFrom } from '../finding.ts'
import type { AuditedPage } from '../page.ts'

/** Words that say nothing of where a link leads. */
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
    'Give each link words, or its picture an alternative text.',
  )
  const said = links.filter(vague)
  add(
    'vague-links',
    'low',
    said,
    `${count(said.length, 'link says', 'links say')} nothing of what is behind.`,
    'Let the words of a link name what is behind it; “here” means nothing in a list of links.',
  )
  const scripted = links.filter(({ href }) => /^javascript:/i.test(href ?? ''))
  add(
    'scripted-links',
    'medium',
    scripted,
    `${count(scripted.length, 'link runs', 'links run')} a script instead of leading anywhere.`,
    'Use a button for what acts, and an address for what leads somewhere.',
  )
  const empty = links.filter(({ href }) => href === '' || href === '#')
  add(
    'empty-links',
    'low',
    empty,
    `${count(empty.length, 'link leads', 'links lead')} nowhere.`,
    'Give each link its address, or make it a button.',
  )
  // Without an address of its own a page's relative links cannot be told from broken ones.
  const broken = links.filter(
    ({ href }) => href !== '' && URL.parse(href as string, pageUrl ?? 'http://page.invalid/') === null,
  )
  add(
    'broken-addresses',
    'medium',
    broken,
    `${count(broken.length, 'link has', 'links have')} an address that is none.`,
    'Write the address anew.',
  )
  const insecure = links.filter(({ href }) => /^http:\/\//i.test(href ?? ''))
  if (url?.startsWith('https:'))
    add(
      'insecure-links',
      'low',
      insecure,
      `${count(insecure.length, 'link leads', 'links lead')} from a page that is encrypted to one that is not.`,
      'Use https addresses.',
    )
  if (links.length === 0)
    findings.push({
      check: 'no-links',
      severity: 'low',
      text: 'The page leads nowhere: it has no links.',
      evidence: '',
      remedy: 'Link to where a reader goes from here.',
    })
  return findings
}
