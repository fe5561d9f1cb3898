import { type MarkupVisitor, readMarkup, type Tag } from '../../../nlu/markup.ts'
import { checkAccessibility } from './checks/accessibility.ts'
import { checkLinks, checkWeight } from './checks/links.ts'
import { checkHeadings, checkMetadata, checkSocial } from './checks/metadata.ts'
import { checkSecurity } from './checks/security.ts'
import { checkRobots, checkStructuredData } from './checks/structured-data.ts'
import type { AuditTexts, Grade } from './locales/en.ts'
import {
  type AuditedPage,
  COST,
  type Finding,
  Findings,
  PageFacts,
  type Place,
  SECTION_KEYS,
  SEVERITIES,
  type SectionKey,
} from './page.ts'
import { type AuditLanguage, auditTexts } from './texts.ts'

export interface SectionPlan {
  key: SectionKey
  /** Weight in the total score. */
  weight: number
  check: (page: AuditedPage, facts: PageFacts, texts: AuditTexts, findings: Findings) => void
}

export const SECTIONS: readonly SectionPlan[] = [
  { key: 'metadata', weight: 15, check: checkMetadata },
  { key: 'headings', weight: 10, check: checkHeadings },
  { key: 'accessibility', weight: 20, check: checkAccessibility },
  { key: 'links', weight: 10, check: checkLinks },
  { key: 'structured-data', weight: 8, check: checkStructuredData },
  { key: 'social', weight: 7, check: checkSocial },
  { key: 'robots', weight: 8, check: checkRobots },
  { key: 'security', weight: 12, check: checkSecurity },
  { key: 'weight', weight: 10, check: checkWeight },
]

/** Other names of the sections that callers may use. */
const SYNONYMS: Readonly<Record<SectionKey, string>> = {
  metadata: 'seo|search|search engines|title|meta|content',
  headings: 'seo|search|search engines|content|structure',
  accessibility: 'a11y|language|viewport|mobile|images|forms',
  links: 'seo|search|search engines|content',
  'structured-data': 'seo|search|search engines|structure|schema|json-ld|structured data',
  social: 'social cards|social media|sharing|open graph',
  robots: 'seo|search|search engines|indexing|sitemap|crawling',
  security: 'forms|headers|security headers|https|privacy',
  weight: 'mobile|images|performance|speed|compression|page weight',
}

/** Returns the sections that match the given names, and the names that match none. */
export const sectionsFor = (
  focus: readonly string[],
): { sections: readonly SectionPlan[]; unknown: string[] } => {
  const asked = focus.map((word) => {
    const known = word.trim().toLowerCase().replaceAll('_', ' ')
    const named = SECTION_KEYS.filter((key) => key === known || key === known.replaceAll(' ', '-'))
    const meant = SECTION_KEYS.filter((key) => SYNONYMS[key].split('|').includes(known))
    return { word, keys: named.length > 0 ? named : meant }
  })
  const keys = new Set(asked.flatMap((each) => each.keys))
  const unknown = asked.filter((each) => each.keys.length === 0).map(({ word }) => word)
  return { sections: keys.size === 0 ? SECTIONS : SECTIONS.filter(({ key }) => keys.has(key)), unknown }
}

/** Collects the text of an open element. Number and length are limited, whatever the depth of the page. */
interface Capture {
  name: string
  text: string
  end(text: string, to: number): void
}

const MAX_OPEN = 40

/** Like browsers, a new link or heading closes an open one of the same kind. */
const kindOf = (name: string): string => (/^h[1-6]$/.test(name) ? 'heading' : name)
const EXCLUSIVE = new Set(['a', 'button', 'heading', 'title'])

const createCaptures = () => {
  const open: Capture[] = []

  const endFrom = (index: number, to: number): void => {
    for (const capture of open.splice(index).reverse()) capture.end(capture.text, to)
  }

  return {
    begin(capture: Omit<Capture, 'text'>, from: number): void {
      const kind = kindOf(capture.name)
      if (EXCLUSIVE.has(kind)) {
        const index = open.findIndex(({ name }) => kindOf(name) === kind)
        if (index >= 0) endFrom(index, from)
      }
      if (open.length < MAX_OPEN) open.push({ ...capture, text: '' })
    },
    add(words: string, longest: number): void {
      for (const capture of open)
        if (capture.text.length < longest) capture.text += words.slice(0, longest - capture.text.length)
    },
    close(name: string, to: number): void {
      // Like browsers, the end tag of any heading closes the open heading.
      const index = open.findLastIndex((capture) => kindOf(capture.name) === kindOf(name))
      if (index >= 0) endFrom(index, to)
    },
    isWithin: (name: string): boolean => open.some((capture) => capture.name === name),
    endAll: (to: number): void => endFrom(0, to),
  }
}

/** Limits the lists. Elements beyond the limit are still counted. */
const MAX_LISTED = 2_000
const MAX_IDS = 50_000
const MAX_WORDS_LENGTH = 400
const MAX_STRUCTURED_LENGTH = 400_000

const LANDMARKS = new Set(['main', 'nav', 'header', 'footer', 'aside'])
const CONTROLS = new Set(['input', 'select', 'textarea'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** Inputs that need no label: their value names them, or they are hidden. */
const UNLABELLED_INPUTS = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
/** Elements that may occur in the head. Like browsers, any other tag starts the body. */
const HEAD = new Set(
  'html head title meta link base script style noscript template object bgsound basefont'.split(' '),
)
const LOADS: Record<string, string> = {
  script: 'src',
  img: 'src',
  iframe: 'src',
  audio: 'src',
  video: 'src',
  source: 'src',
  embed: 'src',
  object: 'data',
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns the accessible label of a tag. */
const labelOf = ({ attributes }: Tag): string =>
  squeeze(
    attributes.get('aria-label') ||
      (attributes.get('aria-labelledby') ? 'labelled elsewhere' : '') ||
      attributes.get('title') ||
      '',
  )

const isHidden = ({ attributes }: Tag): boolean =>
  attributes.get('aria-hidden') === 'true' || /^(?:presentation|none)$/.test(attributes.get('role') ?? '')

const keep = <T>(list: T[], one: T): void => {
  if (list.length < MAX_LISTED) list.push(one)
}

/** Collects the facts of a page while its markup is read. */
class FactsReader implements MarkupVisitor {
  readonly facts = new PageFacts()
  private readonly captures = createCaptures()
  private readonly ids = new Set<string>()
  private inHead = true
  /** Numbers of open elements of these kinds. */
  private drawings = 0
  private templates = 0
  private unscripted = 0

  doctype(words: string): void {
    if (/^!?doctype/i.test(words)) this.facts.doctype ??= words
  }

  open(tag: Tag): void {
    this.facts.total.elements++
    const { name } = tag
    if (this.inHead && !HEAD.has(name)) this.inHead = false
    if (name === 'svg') this.drawings++
    else if (name === 'template') this.templates++
    else if (name === 'noscript') this.unscripted++
    if (this.templates > 0) return
    this.readAttributes(tag)
    if (LANDMARKS.has(name)) this.facts.landmarks.add(name)
    if (this.unscripted === 0) this.openElement(tag)
  }

  close(name: string, from: number): void {
    if (name === 'svg') this.drawings = Math.max(0, this.drawings - 1)
    else if (name === 'template') this.templates = Math.max(0, this.templates - 1)
    else if (name === 'noscript') this.unscripted = Math.max(0, this.unscripted - 1)
    this.captures.close(name, from)
  }

  text(words: string): void {
    const inCode = this.captures.isWithin('script') || this.captures.isWithin('style')
    this.captures.add(words, inCode ? MAX_STRUCTURED_LENGTH : MAX_WORDS_LENGTH)
    if (!inCode) this.facts.total.words += words.length
  }

  end(at: number): void {
    this.captures.endAll(at)
  }

  private openElement(tag: Tag): void {
    const { facts } = this
    const { name, attributes, from, to } = tag
    if (CONTROLS.has(name)) this.openControl(tag)
    else if (HEADINGS.has(name)) this.openHeading(tag)
    switch (name) {
      case 'html':
        facts.html ??= tag
        break
      case 'base':
        facts.base ??= attributes.get('href') ?? null
        break
      case 'title':
        if (this.drawings > 0) break
        this.capture(tag, (text, place) => keep(facts.titles, { text: squeeze(text), ...place }))
        break
      case 'meta':
        keep(facts.metas, tag)
        break
      case 'link':
        keep(facts.links, tag)
        break
      case 'script':
        this.openScript(tag)
        break
      case 'style':
        this.capture(tag, (text) => {
          facts.total.styles += text.length
        })
        break
      case 'img':
        this.openImage(tag)
        break
      case 'a': {
        facts.total.anchors++
        const href = attributes.get('href')?.trim() ?? null
        this.capture(tag, (text) =>
          keep(facts.anchors, { href, name: squeeze(text) || labelOf(tag), from, to }),
        )
        break
      }
      case 'button':
        this.capture(tag, (text) => keep(facts.buttons, { name: squeeze(text) || labelOf(tag), from, to }))
        break
      case 'label': {
        const target = attributes.get('for')
        if (target && facts.labelsFor.size < MAX_LISTED) facts.labelsFor.add(target)
        this.capture(tag, () => {})
        break
      }
      case 'form':
        keep(facts.forms, tag)
        break
      case 'iframe':
        keep(facts.frames, tag)
        break
    }
  }

  private capture(tag: Tag, end: (text: string, place: Place) => void): void {
    this.captures.begin(
      {
        name: tag.name,
        end: (text, to) => end(text, { from: tag.from, to: Math.max(to, tag.to) }),
      },
      tag.from,
    )
  }

  private openHeading(tag: Tag): void {
    const level = Number(tag.name.slice(1))
    this.capture(tag, (text, place) =>
      keep(this.facts.headings, { level, text: squeeze(text) || labelOf(tag), ...place }),
    )
  }

  private openScript(tag: Tag): void {
    const { attributes } = tag
    const type = (attributes.get('type') ?? '').trim().toLowerCase()
    if (type === 'application/ld+json') {
      this.capture(tag, (text, place) => keep(this.facts.structured, { text, ...place }))
      return
    }
    const src = attributes.get('src') ?? null
    const isCode = type === '' || type.includes('javascript') || type === 'module'
    const blocks =
      this.inHead &&
      isCode &&
      src !== null &&
      type !== 'module' &&
      !attributes.has('async') &&
      !attributes.has('defer')
    this.capture(tag, (text, { from }) =>
      keep(this.facts.scripts, {
        src,
        type,
        blocks,
        integrity: attributes.has('integrity'),
        length: text.length,
        from,
        to: tag.to,
      }),
    )
  }

  private openControl(tag: Tag): void {
    const { attributes } = tag
    const type = tag.name === 'input' ? (attributes.get('type') ?? 'text').trim().toLowerCase() : tag.name
    if (type === 'image')
      keep(this.facts.buttons, {
        name: squeeze(attributes.get('alt') ?? '') || labelOf(tag),
        from: tag.from,
        to: tag.to,
      })
    if (tag.name === 'input' && UNLABELLED_INPUTS.has(type)) return
    keep(this.facts.controls, {
      type,
      id: attributes.get('id') ?? '',
      from: tag.from,
      to: tag.to,
      labelled: labelOf(tag) !== '' || this.captures.isWithin('label'),
      autocomplete: attributes.get('autocomplete') ?? null,
    })
  }

  private openImage(tag: Tag): void {
    const { attributes, from, to } = tag
    const alt = attributes.get('alt')?.trim() ?? null
    this.facts.total.images++
    keep(this.facts.images, {
      alt,
      hidden: isHidden(tag) || labelOf(tag) !== '',
      src: attributes.get('src') ?? '',
      from,
      to,
      sized: attributes.has('width') && attributes.has('height'),
    })
    if (alt) this.captures.add(` ${alt} `, MAX_WORDS_LENGTH)
  }

  private readAttributes(tag: Tag): void {
    const { name, attributes } = tag
    if (attributes.size === 0) return
    const id = attributes.get('id')
    if (id) {
      if (this.ids.has(id)) keep(this.facts.repeatedIds, tag)
      else if (this.ids.size < MAX_IDS) this.ids.add(id)
    }
    if (attributes.has('itemscope') || attributes.has('typeof')) keep(this.facts.items, tag)
    const role = attributes.get('role')
    if (role === 'main' || role === 'navigation') this.facts.landmarks.add(role === 'main' ? 'main' : 'nav')
    const isSheet = name === 'link' && /\bstylesheet\b/i.test(attributes.get('rel') ?? '')
    const url = attributes.get(isSheet ? 'href' : (LOADS[name] ?? ''))?.trim()
    if (url) keep(this.facts.loaded, { url, tag })
  }
}

const readFacts = (html: string): PageFacts => {
  const reader = new FactsReader()
  reader.facts.isWhole = readMarkup(html, reader)
  reader.end(html.length)
  return reader.facts
}

export interface AuditSection {
  key: SectionKey
  heading: string
  score: number
  /** Weight in the total score. */
  weight: number
  findings: Finding[]
  recommendations: string[]
}

export interface Audit {
  /** The language of all texts. */
  language: AuditLanguage
  title: string
  score: number
  /** Starts with the verdict. */
  summary: string
  /** The sentence that names the score and the number of findings. */
  verdict: string
  /** Explains how the score was calculated. */
  explanation: string
  sections: AuditSection[]
  /** The text of the `<title>` element. */
  pageTitle: string
}

export interface AuditOptions {
  company?: string | undefined
  focus?: readonly string[] | undefined
  /** English by default. */
  language?: AuditLanguage | undefined
}

const order = ({ severity }: Finding): number => SEVERITIES.indexOf(severity)

const scoreSection = (
  { key, weight }: SectionPlan,
  found: Finding[],
  { sectionHeadings }: AuditTexts,
): AuditSection => {
  const findings = found.toSorted((a, b) => order(a) - order(b))
  const cost = findings.reduce((sum, { severity }) => sum + COST[severity], 0)
  const recommendations = [...new Set(findings.map(({ remedy }) => remedy).filter((remedy) => remedy !== ''))]
  return {
    key,
    heading: sectionHeadings[key],
    weight,
    score: Math.max(0, 100 - cost),
    findings,
    recommendations,
  }
}

const explain = (sections: readonly AuditSection[], score: number, { report }: AuditTexts): string =>
  report.explanation({
    costs: SEVERITIES.filter((severity) => COST[severity] > 0).map((severity) => ({
      severity,
      points: COST[severity],
    })),
    sections,
    weights: sections.reduce((sum, { weight }) => sum + weight, 0),
    score,
  })

const gradeOf = (score: number): Grade => {
  if (score >= 90) return 'excellent'
  if (score >= 75) return 'good'
  return score >= 50 ? 'fair' : 'poor'
}

/**
 * Audits a page. Each finding quotes its evidence, and the explanation shows how the score was calculated.
 */
export const auditPage = (page: AuditedPage, options: AuditOptions = {}): Audit => {
  const { language = 'en' } = options
  const texts = auditTexts(language)
  const { report } = texts
  const facts = readFacts(page.html)
  const { sections: plans, unknown } = sectionsFor(options.focus ?? [])
  const sections = plans.map((plan) => {
    const found = new Findings(page.html)
    plan.check(page, facts, texts, found)
    return scoreSection(plan, found.all, texts)
  })
  const weights = sections.reduce((sum, { weight }) => sum + weight, 0)
  // Round down, so that only a page without findings gets 100 points.
  const score = Math.floor(sections.reduce((sum, { score: own, weight }) => sum + own * weight, 0) / weights)
  const findings = sections.flatMap((section) => section.findings)
  const serious = findings.filter(({ severity }) => severity === 'critical' || severity === 'high')
  const pageTitle = facts.titles[0]?.text.slice(0, 200) ?? ''
  const name =
    options.company?.trim() || (page.url === null ? '' : new URL(page.url).host) || pageTitle || null
  const open = findings.filter(({ severity }) => severity !== 'info').length
  const worst = sections.toSorted((a, b) => a.score - b.score)[0]
  const verdict = report.verdict({
    name,
    grade: gradeOf(score),
    score,
    findings: open,
    serious: serious.length,
  })
  const summary = [
    verdict,
    ...(worst && worst.score < 100 ? [report.weakestSection(worst)] : []),
    ...(serious.length > 0
      ? [
          report.fixFirst(
            serious
              .toSorted((a, b) => order(a) - order(b))
              .slice(0, 3)
              .map(({ text }) => text)
              .join(' '),
          ),
        ]
      : []),
    ...(page.delivery === null ? [report.neverFetched] : []),
    ...(unknown.length > 0 ? [report.unknownFocus(unknown.join(', '))] : []),
  ].join(' ')
  return {
    language,
    title: report.title(name),
    score,
    summary,
    verdict,
    explanation: explain(sections, score, texts),
    sections,
    pageTitle,
  }
}
