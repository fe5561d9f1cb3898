import { readMarkup, type Tag } from '../../../nlu/markup.ts'

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Points that a finding costs its section, out of 100. */
export const COST: Readonly<Record<Severity, number>> = {
  critical: 50,
  high: 25,
  medium: 12,
  low: 5,
  info: 0,
}

export interface Finding {
  /** Name of the check. Each check reports at most one finding. */
  check: string
  severity: Severity
  text: string
  /** Quoted from the page or its headers. "" if something is missing. */
  evidence: string
  /** The recommendation. "" if no action is needed. */
  remedy: string
}

const MAX_EVIDENCE_LENGTH = 240
const MAX_PLACES = 3

export interface Place {
  from: number
  to: number
}

export const quoteText = (text: string): string => text.slice(0, MAX_EVIDENCE_LENGTH).toWellFormed()

/** Collects the findings of a section. */
export class Findings {
  readonly all: Finding[] = []
  private readonly html: string

  constructor(html: string) {
    this.html = html
  }

  /** Adds a finding about something that is missing, or with evidence from outside the markup. */
  add(check: string, severity: Severity, texts: { text: string; remedy: string }, evidence = ''): void {
    const { text, remedy } = texts
    this.all.push({ check, severity, text, evidence, remedy })
  }

  /** Adds a finding that quotes these places. `text` may name their number. Without places, nothing is wrong. */
  addPlaces(
    check: string,
    severity: Severity,
    { text, remedy }: { text: string | ((places: number) => string); remedy: string },
    places: readonly Place[],
  ): void {
    if (places.length === 0) return
    const written = typeof text === 'string' ? text : text(places.length)
    this.add(check, severity, { text: written, remedy }, this.quote(places))
  }

  /** Quotes the first few places, one per line. */
  quote(places: readonly Place[]): string {
    return places
      .slice(0, MAX_PLACES)
      .map(({ from, to }) => this.html.slice(from, Math.min(to, from + MAX_EVIDENCE_LENGTH)).toWellFormed())
      .join('\n')
  }
}

export const SECTION_KEYS = [
  'metadata',
  'headings',
  'accessibility',
  'links',
  'structured-data',
  'social',
  'robots',
  'security',
  'weight',
] as const
export type SectionKey = (typeof SECTION_KEYS)[number]

export interface Decoded {
  html: string
  charset: string
  /** Number of characters that could not be decoded. */
  undecodable: number
}

/** The HTML standard searches this many bytes for an encoding declaration. */
const PRESCANNED = 1024

const decoderOf = (label: string | undefined) => {
  try {
    return label ? new TextDecoder(label) : undefined
  } catch {
    return undefined
  }
}

const CHARSET = /charset\s*=\s*["']?([^\s;"']{1,40})/i

/**
 * Returns the encoding declared in a `<meta>` tag. UTF-16 cannot be correct there, because the tag was read
 * as ASCII.
 */
const declaredIn = (bytes: Uint8Array): string | undefined => {
  let found: string | undefined
  readMarkup(new TextDecoder('latin1').decode(bytes.subarray(0, PRESCANNED)), {
    open({ name, attributes }) {
      if (name !== 'meta' || found !== undefined) return
      found = attributes.get('charset')?.trim() ?? CHARSET.exec(attributes.get('content') ?? '')?.[1]
    },
    close() {},
    text() {},
    doctype() {},
  })
  return found !== undefined && /^utf-?16/i.test(found) ? 'utf-8' : found
}

const markOf = (bytes: Uint8Array): string | undefined => {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined
}

const unreadIn = (text: string): number => {
  let [count, at] = [0, text.indexOf('\ufffd')]
  while (at >= 0) {
    count++
    at = text.indexOf('\ufffd', at + 1)
  }
  return count
}

/** Decodes a page as browsers do: by byte order mark, HTTP header, `<meta>` tag, else as UTF-8. */
export const decodePage = (bytes: Uint8Array, contentType: string): Decoded => {
  const decoder =
    decoderOf(markOf(bytes)) ??
    decoderOf(CHARSET.exec(contentType)?.[1]) ??
    decoderOf(declaredIn(bytes)) ??
    new TextDecoder()
  const html = decoder.decode(bytes)
  return { html, charset: decoder.encoding, undecodable: unreadIn(html) }
}

/** A page that was fetched, or passed in as HTML. */
export interface AuditedPage {
  html: string
  /** Null if only the HTML was given. */
  url: string | null
  /** Null if the page was not fetched. */
  delivery: Delivery | null
}

export interface Delivery {
  status: number
  /** Names are in lower case. Repeated headers are joined with ", ". */
  headers: ReadonlyMap<string, string>
  cookies: readonly string[]
  /** Size of the decoded page. */
  bytes: number
  redirects: number
  /** Milliseconds until the response started. */
  waitedMs: number
  /** The encoding used, and the number of characters that could not be decoded. */
  charset: string
  undecodable: number
  /** Null if there is none, undefined if it could not be fetched. */
  robotsTxt: string | null | undefined
}

export interface Heading extends Place {
  level: number
  text: string
}
export interface Image extends Place {
  /** Null without the attribute. "" marks a decorative image. */
  alt: string | null
  /** Hidden from assistive technology by role or aria-hidden. */
  hidden: boolean
  src: string
  sized: boolean
}
export interface Anchor extends Place {
  href: string | null
  /** Accessible name from its text, images or labels. */
  name: string
}
export interface Control extends Place {
  type: string
  id: string
  labelled: boolean
  autocomplete: string | null
}
export interface Button extends Place {
  name: string
}
export interface Script extends Place {
  src: string | null
  type: string
  /** Blocks rendering. */
  blocks: boolean
  integrity: boolean
  length: number
}
export interface Block extends Place {
  text: string
}

/** The parts of a page that the checks use. Lists are limited in length; `total` counts everything. */
export class PageFacts {
  doctype: string | null = null
  html: Tag | null = null
  titles: Block[] = []
  metas: Tag[] = []
  links: Tag[] = []
  base: string | null = null
  headings: Heading[] = []
  images: Image[] = []
  anchors: Anchor[] = []
  controls: Control[] = []
  buttons: Button[] = []
  labelsFor = new Set<string>()
  forms: Tag[] = []
  scripts: Script[] = []
  structured: Block[] = []
  /** Elements with `itemscope` or with `typeof` (RDFa). */
  items: Tag[] = []
  frames: Tag[] = []
  repeatedIds: Tag[] = []
  /** Resources that the page loads, with the loading tag. */
  loaded: { url: string; tag: Tag }[] = []
  landmarks = new Set<string>()
  /** False if the page was too large to be read to its end. */
  isWhole = true
  total = { elements: 0, anchors: 0, images: 0, styles: 0, words: 0 }
}

const fold = (text: string | undefined): string => (text ?? '').trim().toLowerCase()

/** Finds `<meta>` tags by `name`, `property` or `http-equiv`. */
export const metasNamed = (facts: PageFacts, name: string): Tag[] =>
  facts.metas.filter(({ attributes }) =>
    ['name', 'property', 'http-equiv'].some((key) => fold(attributes.get(key)) === name),
  )

export const contentOf = (tag: Tag | undefined): string => tag?.attributes.get('content')?.trim() ?? ''

export const linksOf = (facts: Pick<PageFacts, 'links'>, rel: string): Tag[] =>
  facts.links.filter(({ attributes }) => fold(attributes.get('rel')).split(/\s+/).includes(rel))
