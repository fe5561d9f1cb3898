import { checkAccessibility } from './checks/accessibility.ts'
import { checkLinks, checkWeight } from './checks/links.ts'
import { checkHeadings, checkMetadata, checkSocial } from './checks/metadata.ts'
import { checkSecurity } from './checks/security.ts'
import { checkRobots, checkStructuredData } from './checks/structured-data.ts'
import { type AuditedPage, type Finding, type PageFacts, SECTION_KEYS, type SectionKey } from './page.ts'

export interface SectionPlan {
  key: SectionKey
  heading: string
  /** Weight in the total score. */
  weight: number
  check: (page: AuditedPage, facts: PageFacts) => Finding[]
}

export const SECTIONS: readonly SectionPlan[] = [
  { key: 'metadata', heading: 'Metadata', weight: 15, check: checkMetadata },
  { key: 'headings', heading: 'Headings and structure', weight: 10, check: checkHeadings },
  { key: 'accessibility', heading: 'Accessibility', weight: 20, check: checkAccessibility },
  { key: 'links', heading: 'Links', weight: 10, check: checkLinks },
  { key: 'structured-data', heading: 'Structured data', weight: 8, check: checkStructuredData },
  { key: 'social', heading: 'Social cards', weight: 7, check: checkSocial },
  { key: 'robots', heading: 'Search engines', weight: 8, check: checkRobots },
  { key: 'security', heading: 'Security', weight: 12, check: checkSecurity },
  { key: 'weight', heading: 'Weight and delivery', weight: 10, check: checkWeight },
]

const SEARCH: readonly SectionKey[] = ['metadata', 'headings', 'links', 'structured-data', 'robots']

/** Alternative names that callers may use. */
const SYNONYMS: Readonly<Record<string, readonly SectionKey[]>> = {
  seo: SEARCH,
  search: SEARCH,
  'search engines': SEARCH,
  indexing: ['robots'],
  sitemap: ['robots'],
  crawling: ['robots'],
  title: ['metadata'],
  meta: ['metadata'],
  content: ['metadata', 'headings', 'links'],
  structure: ['headings', 'structured-data'],
  a11y: ['accessibility'],
  language: ['accessibility'],
  viewport: ['accessibility'],
  mobile: ['accessibility', 'weight'],
  images: ['accessibility', 'weight'],
  forms: ['accessibility', 'security'],
  schema: ['structured-data'],
  'json-ld': ['structured-data'],
  'structured data': ['structured-data'],
  'social cards': ['social'],
  'social media': ['social'],
  sharing: ['social'],
  'open graph': ['social'],
  headers: ['security'],
  'security headers': ['security'],
  https: ['security'],
  privacy: ['security'],
  performance: ['weight'],
  speed: ['weight'],
  compression: ['weight'],
  'page weight': ['weight'],
}

/** Returns the sections that match the given names, and the names that match none. */
export const sectionsFor = (
  focus: readonly string[],
): { sections: readonly SectionPlan[]; unknown: string[] } => {
  const asked = focus.map((word) => {
    const known = word.trim().toLowerCase().replaceAll('_', ' ')
    const keys = SECTION_KEYS.filter((key) => key === known || key === known.replaceAll(' ', '-'))
    return {
      word,
      keys: keys.length > 0 ? keys : Object.hasOwn(SYNONYMS, known) ? (SYNONYMS[known] ?? []) : [],
    }
  })
  const keys = new Set(asked.flatMap((each) => each.keys))
  const unknown = asked.filter((each) => each.keys.length === 0).map(({ word }) => word)
  return { sections: keys.size === 0 ? SECTIONS : SECTIONS.filter(({ key }) => keys.has(key)), unknown }
}
