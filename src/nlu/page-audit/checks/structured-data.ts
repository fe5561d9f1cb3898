import type { AuditTexts } from '../locales/en.ts'
import {
  type AuditedPage,
  type Block,
  contentOf,
  type Finding,
  metasNamed,
  type PageFacts,
  quoteFrom,
  quoteText,
} from '../page.ts'

type RobotsTexts = AuditTexts['robots']

/** RFC 9309 section 2.5: a crawler must read at least 500 KiB. */
const MOST_CHARACTERS = 512_000
const MOST_RULES = 5_000

interface Rule {
  allow: boolean
  pattern: string
  line: string
}

export interface RobotsTxt {
  /** The rules for user agent "*", as written in the file. */
  rules: Rule[]
  sitemaps: string[]
}

const readRobotsTxt = (text: string): RobotsTxt => {
  const rules: Rule[] = []
  const sitemaps: string[] = []
  let isForAll = false
  let inAgents = false
  for (const raw of text.slice(0, MOST_CHARACTERS).split(/\r\n|\r|\n/)) {
    const line = (raw.split('#', 1)[0] ?? '').trim()
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (name === 'user-agent') {
      isForAll = (inAgents && isForAll) || value === '*'
      inAgents = true
      continue
    }
    if (name === 'sitemap') sitemaps.push(line)
    if (name !== 'allow' && name !== 'disallow') continue
    inAgents = false
    if (isForAll && value !== '' && rules.length < MOST_RULES)
      rules.push({ allow: name === 'allow', pattern: value, line })
  }
  return { rules, sitemaps }
}

/**
 * Matches a pattern in which "*" is any text and "$" the end. One pass suffices, because the earliest match
 * of each piece is the best.
 */
const matchesPattern = (pattern: string, path: string): boolean => {
  const isWhole = pattern.endsWith('$')
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = '', ...rest] = pieces
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, piece] of rest.entries()) {
    if (isWhole && index === rest.length - 1) return path.length - piece.length >= at && path.endsWith(piece)
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return !isWhole || at === path.length
}

/** Returns the line that disallows a path. The longest matching rule decides, and `allow` wins a tie. */
const findDisallowRule = ({ rules }: RobotsTxt, path: string): string | undefined => {
  let best: Rule | undefined
  for (const rule of rules) {
    const longer = best === undefined || rule.pattern.length > best.pattern.length
    const tie = best !== undefined && rule.pattern.length === best.pattern.length && rule.allow
    if ((longer || tie) && matchesPattern(rule.pattern, path)) best = rule
  }
  return best === undefined || best.allow ? undefined : best.line
}

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

const findMissingProperties = (item: Item, { alternatives }: AuditTexts['structuredData']): string[] =>
  typesOf(item).flatMap((type) =>
    (Object.hasOwn(NEEDED, type) ? (NEEDED[type] ?? []) : [])
      .filter((wanted) => ![wanted].flat().some((name) => isPresent(item[name])))
      .map((wanted) => `${type}: ${alternatives([wanted].flat())}`),
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

export const checkStructuredData = (
  { html }: AuditedPage,
  { structured, items }: PageFacts,
  { structuredData: texts }: AuditTexts,
): Finding[] => {
  if (structured.length === 0 && items.length === 0)
    return [
      {
        check: 'structured-data',
        severity: 'medium',
        text: texts.missing.text,
        evidence: '',
        remedy: texts.missing.remedy,
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
      text: texts.syntax.text({ blocks: broken.length, fault: broken[0]?.fault ?? '' }),
      evidence: quoteFrom(
        html,
        broken.map(({ block }) => block),
      ),
      remedy: texts.syntax.remedy,
    })
  const strange = whole.filter(({ block, value }) => !hasVocabulary(block, value))
  if (strange.length > 0)
    findings.push({
      check: 'structured-data-context',
      severity: 'medium',
      text: texts.context.text(strange.length),
      evidence: quoteFrom(
        html,
        strange.map(({ block }) => block),
      ),
      remedy: texts.context.remedy,
    })
  const untyped = whole.filter(({ value }) => itemsOf(value).some((item) => typesOf(item).length === 0))
  if (untyped.length > 0)
    findings.push({
      check: 'structured-data-type',
      severity: 'medium',
      text: texts.type.text,
      evidence: quoteFrom(
        html,
        untyped.map(({ block }) => block),
      ),
      remedy: texts.type.remedy,
    })
  const lacking = whole.flatMap(({ block, value }) =>
    itemsOf(value)
      .map((item) => ({ block, lacks: findMissingProperties(item, texts) }))
      .filter(({ lacks }) => lacks.length > 0),
  )
  if (lacking.length > 0) {
    const properties = [...new Set(lacking.flatMap((each) => each.lacks))].slice(0, 6).join('; ')
    findings.push({
      check: 'structured-data-properties',
      severity: 'low',
      text: texts.properties.text(properties),
      evidence: quoteFrom(html, [...new Set(lacking.map(({ block }) => block))]),
      remedy: texts.properties.remedy(properties),
    })
  }
  if (structured.length === 0)
    findings.push({
      check: 'microdata',
      severity: 'info',
      text: texts.microdata(items.length),
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

const metaFindings = ({ html }: AuditedPage, facts: PageFacts, texts: RobotsTexts): Finding[] => {
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
            text: texts.noindex.text,
            evidence: quoteFrom(html, noindexTags),
            remedy: texts.noindex.remedy,
          },
        ]),
    ...(nofollowTags.length === 0
      ? []
      : [
          {
            check: 'nofollow',
            severity: 'low' as const,
            text: texts.nofollow.text,
            evidence: quoteFrom(html, nofollowTags),
            remedy: texts.nofollow.remedy,
          },
        ]),
  ]
}

const headerFindings = ({ delivery }: AuditedPage, { noindexHeader: texts }: RobotsTexts): Finding[] => {
  const header = delivery?.headers.get('x-robots-tag') ?? ''
  if (!hasDirective(header, 'noindex')) return []
  return [
    {
      check: 'noindex-header',
      severity: 'critical',
      text: texts.text,
      evidence: quoteText(`x-robots-tag: ${header}`),
      remedy: texts.remedy,
    },
  ]
}

const fileFindings = ({ url, delivery }: AuditedPage, texts: RobotsTexts): Finding[] => {
  const text = delivery?.robotsTxt
  if (text === undefined || url === null) return []
  if (text === null)
    return [
      {
        check: 'robots-txt',
        severity: 'low',
        text: texts.noRobotsTxt.text,
        evidence: '',
        remedy: texts.noRobotsTxt.remedy,
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
            text: texts.disallow.text,
            evidence: quoteText(line),
            remedy: texts.disallow.remedy,
          },
        ]),
    ...(file.sitemaps.length > 0
      ? []
      : [
          {
            check: 'sitemap',
            severity: 'low' as const,
            text: texts.sitemap.text,
            evidence: quoteText(text.trim()),
            remedy: texts.sitemap.remedy,
          },
        ]),
  ]
}

export const checkRobots = (
  page: AuditedPage,
  facts: PageFacts,
  { robots: texts }: AuditTexts,
): Finding[] => [
  ...metaFindings(page, facts, texts),
  ...headerFindings(page, texts),
  ...fileFindings(page, texts),
]
