import { count, type Finding, quoteFrom, quoteText } from '../issue.ts'
import { type AuditedPage, type Block, contentOf, metasNamed, type PageFacts } from '../page.ts'
import { findDisallowRule, readRobotsTxt } from '../robots-txt.ts'

/** Properties that search engines require for common types. A nested list means any one of them. */
const NEEDED: Readonly<Record<string, readonly (string | readonly string[])[]>> = {
  Organization: ['name', 'url'],
  LocalBusiness: ['name', 'address'],
  Person: ['name'],
  WebSite: ['name', 'url'],
  WebPage: ['name'],
  Article: ['headline', 'author', 'datePublished'],
  NewsArticle: ['headline', 'author', 'datePublished'],
  BlogPosting: ['headline', 'author', 'datePublished'],
  Product: ['name', ['offers', 'review', 'aggregateRating']],
  Event: ['name', 'startDate', 'location'],
  BreadcrumbList: ['itemListElement'],
  FAQPage: ['mainEntity'],
  Recipe: ['name', 'image'],
  JobPosting: ['title', 'description', 'datePosted', 'hiringOrganization'],
  VideoObject: ['name', 'thumbnailUrl', 'uploadDate'],
}

const MOST_ITEMS = 200

type Item = Record<string, unknown>
const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typesOf = (item: Item): string[] =>
  [item['@type']]
    .flat()
    .filter((type): type is string => typeof type === 'string')
    .map((type) => type.replace(/^https?:\/\/schema\.org\//i, ''))

/** Returns the items of a block: one, a list, or a graph. */
const itemsOf = (value: unknown): Item[] => {
  const top = (Array.isArray(value) ? value : [value]).filter(isItem).slice(0, MOST_ITEMS)
  return top
    .flatMap((item) =>
      Array.isArray(item['@graph']) ? item['@graph'].filter(isItem).slice(0, MOST_ITEMS) : [item],
    )
    .slice(0, MOST_ITEMS)
}

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

const findMissingProperties = (item: Item): string[] =>
  typesOf(item).flatMap((type) =>
    (Object.hasOwn(NEEDED, type) ? (NEEDED[type] ?? []) : [])
      .filter((wanted) => ![wanted].flat().some((name) => isPresent(item[name])))
      .map((wanted) => `${type}: ${[wanted].flat().join(' or ')}`),
  )

const parse = (text: string): { value: unknown } | { fault: string } => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { fault: error instanceof Error ? error.message.slice(0, 120) : 'not JSON' }
  }
}

const hasVocabulary = (block: Block, value: unknown): boolean =>
  /schema\.org/i.test(block.text) || itemsOf(value).some((item) => isPresent(item['@context']))

export const checkStructuredData = ({ html }: AuditedPage, { structured, items }: PageFacts): Finding[] => {
  if (structured.length === 0 && items.length === 0)
    return [
      {
        check: 'structured-data',
        severity: 'medium',
        text: 'The page has no structured data.',
        evidence: '',
        remedy:
          'Describe the page in JSON-LD with the schema.org vocabulary, for example as Organization, Product or Article.',
      },
    ]
  const findings: Finding[] = []
  const read = structured.slice(0, MOST_ITEMS).map((block) => ({ block, result: parse(block.text) }))
  const broken = read.flatMap(({ block, result }) =>
    'fault' in result ? [{ block, fault: result.fault }] : [],
  )
  const whole = read.flatMap(({ block, result }) =>
    'value' in result ? [{ block, value: result.value }] : [],
  )
  if (broken.length > 0)
    findings.push({
      check: 'structured-data-syntax',
      severity: 'high',
      text: `${count(broken.length, 'block', 'blocks')} of structured data cannot be parsed: ${broken[0]?.fault ?? ''}.`,
      evidence: quoteFrom(
        html,
        broken.map(({ block }) => block),
      ),
      remedy: 'Make it valid JSON; one wrong comma makes the whole block unreadable.',
    })
  const strange = whole.filter(({ block, value }) => !hasVocabulary(block, value))
  if (strange.length > 0)
    findings.push({
      check: 'structured-data-context',
      severity: 'medium',
      text: `${count(strange.length, 'block', 'blocks')} of structured data without a vocabulary.`,
      evidence: quoteFrom(
        html,
        strange.map(({ block }) => block),
      ),
      remedy: 'Add "@context": "https://schema.org".',
    })
  const untyped = whole.filter(({ value }) => itemsOf(value).some((item) => typesOf(item).length === 0))
  if (untyped.length > 0)
    findings.push({
      check: 'structured-data-type',
      severity: 'medium',
      text: 'Structured data contains an item without a type.',
      evidence: quoteFrom(
        html,
        untyped.map(({ block }) => block),
      ),
      remedy: 'Give each item an "@type".',
    })
  const lacking = whole.flatMap(({ block, value }) =>
    itemsOf(value)
      .map((item) => ({ block, lacks: findMissingProperties(item) }))
      .filter(({ lacks }) => lacks.length > 0),
  )
  if (lacking.length > 0) {
    const lacks = [...new Set(lacking.flatMap((each) => each.lacks))]
    findings.push({
      check: 'structured-data-properties',
      severity: 'low',
      text: `Structured data lacks properties that search engines require: ${lacks.slice(0, 6).join('; ')}.`,
      evidence: quoteFrom(html, [...new Set(lacking.map(({ block }) => block))]),
      remedy: `Add ${lacks.slice(0, 6).join('; ')}.`,
    })
  }
  if (structured.length === 0)
    findings.push({
      check: 'microdata',
      severity: 'info',
      text: `The page describes ${count(items.length, 'item', 'items')} with microdata or RDFa.`,
      evidence: quoteFrom(html, items),
      remedy: '',
    })
  return findings
}

const hasDirective = (text: string, word: string): boolean =>
  text
    .toLowerCase()
    .split(/[\s,:]+/)
    .some((each) => each === word || each === 'none')

const metaFindings = ({ html }: AuditedPage, facts: PageFacts): Finding[] => {
  const tags = ['robots', 'googlebot'].flatMap((name) => metasNamed(facts, name))
  const noindexTags = tags.filter((tag) => hasDirective(contentOf(tag), 'noindex'))
  const nofollowTags = tags.filter((tag) => hasDirective(contentOf(tag), 'nofollow'))
  return [
    ...(noindexTags.length === 0
      ? []
      : [
          {
            check: 'noindex',
            severity: 'critical' as const,
            text: 'The page tells search engines not to index it.',
            evidence: quoteFrom(html, noindexTags),
            remedy: 'Remove noindex, unless the page must not appear in search results.',
          },
        ]),
    ...(nofollowTags.length === 0
      ? []
      : [
          {
            check: 'nofollow',
            severity: 'low' as const,
            text: 'The page tells search engines not to follow its links.',
            evidence: quoteFrom(html, nofollowTags),
            remedy: 'Remove nofollow, so that search engines find the linked pages.',
          },
        ]),
  ]
}

const headerFindings = ({ delivery }: AuditedPage): Finding[] => {
  const header = delivery?.headers.get('x-robots-tag') ?? ''
  if (!hasDirective(header, 'noindex')) return []
  return [
    {
      check: 'noindex-header',
      severity: 'critical',
      text: 'The server tells search engines not to index the page.',
      evidence: quoteText(`x-robots-tag: ${header}`),
      remedy:
        'Remove noindex from the X-Robots-Tag header, unless the page must not appear in search results.',
    },
  ]
}

const fileFindings = ({ url, delivery }: AuditedPage): Finding[] => {
  const text = delivery?.robotsTxt
  if (text === undefined || url === null) return []
  if (text === null)
    return [
      {
        check: 'robots-txt',
        severity: 'low',
        text: 'The site has no robots.txt.',
        evidence: '',
        remedy: 'Add one that names the sitemap. An empty file is fine too.',
      },
    ]
  const file = readRobotsTxt(text)
  const { pathname, search } = new URL(url)
  const line = findDisallowRule(file, pathname + search)
  return [
    ...(line === undefined
      ? []
      : [
          {
            check: 'robots-disallow',
            severity: 'critical' as const,
            text: 'robots.txt blocks search engines from this page.',
            evidence: quoteText(line),
            remedy: 'Allow the page, unless it must not appear in search results.',
          },
        ]),
    ...(file.sitemaps.length > 0
      ? []
      : [
          {
            check: 'sitemap',
            severity: 'low' as const,
            text: 'robots.txt names no sitemap.',
            evidence: quoteText(text.trim()),
            remedy: 'Add a line such as “Sitemap: https://example.com/sitemap.xml”.',
          },
        ]),
  ]
}

export const checkRobots = (page: AuditedPage, facts: PageFacts): Finding[] => [
  ...metaFindings(page, facts),
  ...headerFindings(page),
  ...fileFindings(page),
]
