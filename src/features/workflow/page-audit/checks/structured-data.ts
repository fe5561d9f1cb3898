import type { AuditTexts } from '../locales/en.ts'
import {
  type AuditedPage,
  type Block,
  contentOf,
  type Findings,
  metasNamed,
  type PageFacts,
  quoteText,
} from '../page.ts'

type RobotsTexts = AuditTexts['robots']

/** RFC 9309 section 2.5: a crawler must read at least 500 KiB. */
const MAX_CHARACTERS = 512_000
const MAX_RULES = 5_000

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
  for (const raw of text.slice(0, MAX_CHARACTERS).split(/\r\n|\r|\n/)) {
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
    if (isForAll && value !== '' && rules.length < MAX_RULES)
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

const MAX_ITEMS = 200

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
  const top = (Array.isArray(value) ? value : [value]).filter(isItem).slice(0, MAX_ITEMS)
  return top
    .flatMap((item) =>
      Array.isArray(item['@graph']) ? item['@graph'].filter(isItem).slice(0, MAX_ITEMS) : [item],
    )
    .slice(0, MAX_ITEMS)
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
  _page: AuditedPage,
  { structured, items }: PageFacts,
  { structuredData: texts }: AuditTexts,
  findings: Findings,
): void => {
  if (structured.length === 0 && items.length === 0) findings.add('structured-data', 'medium', texts.missing)
  const read = structured.slice(0, MAX_ITEMS).map((block) => ({ block, result: parse(block.text) }))
  const broken = read.flatMap(({ block, result }) =>
    'fault' in result ? [{ ...block, fault: result.fault }] : [],
  )
  const whole = read.flatMap(({ block, result }) =>
    'value' in result ? [{ ...block, value: result.value }] : [],
  )
  const syntax = texts.syntax.text({ blocks: broken.length, fault: broken[0]?.fault ?? '' })
  findings.addPlaces('structured-data-syntax', 'high', { ...texts.syntax, text: syntax }, broken)
  const strange = whole.filter((block) => !hasVocabulary(block, block.value))
  findings.addPlaces('structured-data-context', 'medium', texts.context, strange)
  const untyped = whole.filter(({ value }) => itemsOf(value).some((item) => typesOf(item).length === 0))
  findings.addPlaces('structured-data-type', 'medium', texts.type, untyped)
  const lacking = whole.flatMap((block) => {
    const lacks = itemsOf(block.value).flatMap((item) => findMissingProperties(item, texts))
    return lacks.length > 0 ? [{ ...block, lacks }] : []
  })
  const properties = [...new Set(lacking.flatMap(({ lacks }) => lacks))].slice(0, 6).join('; ')
  const { text, remedy } = texts.properties
  findings.addPlaces(
    'structured-data-properties',
    'low',
    { text: text(properties), remedy: remedy(properties) },
    lacking,
  )
  if (structured.length === 0)
    findings.addPlaces('microdata', 'info', { text: texts.microdata, remedy: '' }, items)
}

const hasDirective = (text: string, word: string): boolean =>
  text
    .toLowerCase()
    .split(/[\s,:]+/)
    .some((each) => each === word || each === 'none')

const checkRobotsFile = ({ url, delivery }: AuditedPage, texts: RobotsTexts, findings: Findings): void => {
  const text = delivery?.robotsTxt
  if (text === undefined || url === null) return
  if (text === null) {
    findings.add('robots-txt', 'low', texts.noRobotsTxt)
    return
  }
  const file = readRobotsTxt(text)
  const { pathname, search } = new URL(url)
  const line = findDisallowRule(file, pathname + search)
  if (line !== undefined) findings.add('robots-disallow', 'critical', texts.disallow, quoteText(line))
  if (file.sitemaps.length === 0) findings.add('sitemap', 'low', texts.sitemap, quoteText(text.trim()))
}

export const checkRobots = (
  page: AuditedPage,
  facts: PageFacts,
  { robots: texts }: AuditTexts,
  findings: Findings,
): void => {
  const tags = ['robots', 'googlebot'].flatMap((name) => metasNamed(facts, name))
  const tagsWith = (word: string) => tags.filter((tag) => hasDirective(contentOf(tag), word))
  findings.addPlaces('noindex', 'critical', texts.noindex, tagsWith('noindex'))
  findings.addPlaces('nofollow', 'low', texts.nofollow, tagsWith('nofollow'))
  const header = page.delivery?.headers.get('x-robots-tag') ?? ''
  if (hasDirective(header, 'noindex'))
    findings.add('noindex-header', 'critical', texts.noindexHeader, quoteText(`x-robots-tag: ${header}`))
  checkRobotsFile(page, texts, findings)
}
