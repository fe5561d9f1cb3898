import type { Block, PageFacts } from '../facts.ts'
import { count, type Finding, quoteFrom } from '../finding.ts'
import type { AuditedPage } from '../page.ts'

/** What search engines ask of the kinds that are met most; a list within a list is a choice. */
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

/** The things a block is about: one, a list, or a graph of them. */
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

const lackingIn = (item: Item): string[] =>
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

const speaksOf = (block: Block, value: unknown): boolean =>
  /schema\.org/i.test(block.text) || itemsOf(value).some((item) => isPresent(item['@context']))

export const checkStructuredData = ({ html }: AuditedPage, { structured, items }: PageFacts): Finding[] => {
  if (structured.length === 0 && items.length === 0)
    return [
      {
        check: 'structured-data',
        severity: 'medium',
        text: 'The page has no structured data.',
        evidence: '',
        remedy: 'Describe what it is about in JSON-LD by schema.org: an Organization, a Product, an Article.',
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
      text: `${count(broken.length, 'block', 'blocks')} of structured data cannot be read: ${broken[0]?.fault ?? ''}.`,
      evidence: quoteFrom(
        html,
        broken.map(({ block }) => block),
      ),
      remedy: 'Make it valid JSON; one wrong comma hides all of it.',
    })
  const strange = whole.filter(({ block, value }) => !speaksOf(block, value))
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
      text: 'Structured data describes something without saying what it is.',
      evidence: quoteFrom(
        html,
        untyped.map(({ block }) => block),
      ),
      remedy: 'Give each thing an "@type".',
    })
  const lacking = whole.flatMap(({ block, value }) =>
    itemsOf(value)
      .map((item) => ({ block, lacks: lackingIn(item) }))
      .filter(({ lacks }) => lacks.length > 0),
  )
  if (lacking.length > 0) {
    const lacks = [...new Set(lacking.flatMap((each) => each.lacks))]
    findings.push({
      check: 'structured-data-properties',
      severity: 'low',
      text: `Structured data lacks what search engines ask for: ${lacks.slice(0, 6).join('; ')}.`,
      evidence: quoteFrom(html, [...new Set(lacking.map(({ block }) => block))]),
      remedy: `Add ${lacks.slice(0, 6).join('; ')}.`,
    })
  }
  if (structured.length === 0)
    findings.push({
      check: 'microdata',
      severity: 'info',
      text: `The page describes ${count(items.length, 'thing', 'things')} by microdata or RDFa.`,
      evidence: quoteFrom(html, items),
      remedy: '',
    })
  return findings
}
