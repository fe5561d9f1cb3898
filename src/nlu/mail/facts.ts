import { replyOf } from '../history.ts'
import { smallOf } from '../lower-case.ts'

export const INSIGHT_KINDS = [
  'amount',
  'deadline',
  'order',
  'invoice',
  'tracking',
  'flight',
  'link',
  'email',
  'phone',
  'company',
  'person',
  'injection',
  'hidden',
  'phishing',
] as const
export type InsightKind = (typeof INSIGHT_KINDS)[number]

/** A fact found in a mail. `offset` is -1 if it is not part of the visible text. */
export interface Insight {
  kind: InsightKind
  text: string
  offset: number
}

/** True for kinds that warn the reader. */
export const isWarning = (kind: InsightKind): boolean =>
  kind === 'injection' || kind === 'hidden' || kind === 'phishing'

const PATTERNS: readonly (readonly [InsightKind, RegExp, number])[] = [
  [
    'amount',
    /(?:(?:[$€£]|\b(?:EUR|USD|GBP|CHF))\s?\d{1,3}(?:[.,\s]\d{3})*(?:[.,]\d{1,2})?|\b\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{1,2})?\s?(?:€|\$|£|EUR|USD|GBP|CHF|Euro|euros|dollars))(?![\w])/g,
    0,
  ],
  [
    'order',
    /\b(?:order|bestell(?:ung|nummer)?|auftrag(?:snummer)?|booking|reservation|buchung(?:snummer)?|confirmation)\s?(?:no\.?|nr\.?|number|id|code|#|:)*\s*[#:]?\s*([A-Z0-9][A-Z0-9-]{3,24}\d[A-Z0-9-]*|\d{4,20})\b/gi,
    1,
  ],
  [
    'invoice',
    /\b(?:invoice|rechnung(?:snummer)?|receipt)\s?(?:no\.?|nr\.?|number|#|:)*\s*[#:]?\s*([A-Z]{0,6}[-/]?\d[\w/-]{2,24})\b/gi,
    1,
  ],
  [
    'tracking',
    /\b(?:tracking|sendung(?:s(?:nummer|verfolgung))?)\s?(?:no\.?|nr\.?|number|id|#|:)*\s*[#:]?\s*([A-Z0-9]{8,34})\b/gi,
    1,
  ],
  [
    'flight',
    /\b(?:flight|flug)\s?(?:no\.?|nr\.?|number)?\s?:?\s*([A-Z][A-Z0-9]\s?\d{2,4})\b|\b((?:LH|BA|AF|KL|UA|AA|DL|LX|OS|EW|FR|U2|EK|QR|TK|SK|AY|IB|VY|SQ|NH|JL)\s?\d{2,4})\b/g,
    1,
  ],
  ['link', /https?:\/\/[^\s<>"')\]]{4,500}/g, 0],
  ['email', /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}(?![\w-])/g, 0],
  [
    'phone',
    /(?<![\w/.-])(?:\+\d{1,3}[\s.-]?)?(?:\(\d{1,5}\)[\s.-]?)?\d{2,5}(?:[\s./-]\d{2,8}){1,4}(?![\w/.-]?\d)/g,
    0,
  ],
  [
    'person',
    /\b(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?|Herrn?|Frau)\s(?:(?:Dr|Prof)\.\s){0,2}(?!Dr\b|Prof\b)\p{Lu}[\p{L}'’-]{1,30}(?:\s\p{Lu}[\p{L}'’-]{1,30})?/gu,
    0,
  ],
  [
    'person',
    /\b(?:[Cc]ontact|[Aa]sk|[Cc]olleague|[Mm]anager|assistant|successor|[Kk]olleg(?:e|en|in)|[Aa]nsprechpartner(?:in)?(?: ist)?)\s(?!(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau)\b)(\p{Lu}\p{Ll}{1,30}\s\p{Lu}\p{Ll}{1,30})(?!\p{L})/gu,
    1,
  ],
  [
    'order',
    /\b(?:[Bb]uchungscode|[Bb]ooking (?:reference|code)|[Cc]onfirmation code|[Rr]eservation code|PNR)\s?(?::|is|ist|lautet)?\s*([A-Z0-9]{5,8})\b/g,
    1,
  ],
  [
    'company',
    /\b(?:\p{Lu}[\p{L}&-]{1,30}\s){1,4}(?:GmbH(?: & Co\. KG)?|AG|SE|KG|UG|e\.V\.|Inc\.?|LLC|Ltd\.?|Corp\.?|Corporation|Limited|S\.A\.|B\.V\.|PLC|plc)(?![\p{L}])/gu,
    0,
  ],
]

/** Prompt injections, matched against lower-case text. */
const INJECTION =
  /\b(?:ignore|disregard|forget|override)\s(?:all\s|any\s|the\s|your\s|my\s)*(?:previous|prior|above|earlier|preceding|other|system)\s(?:instructions?|prompts?|rules?|messages?|commands?|directives?)|\byou are (?:now|no longer) (?:an?|in|the)\b[^.\n]{0,40}\b(?:ai|assistant|mode|model|dan|developer)|\b(?:system prompt|developer mode|jailbreak)\b|\b(?:as an?|dear|attention|hey|note to(?: the)?) (?:ai|llm|language model|assistant|chatbot|copilot)\b|\bdo not (?:tell|inform|alert|mention (?:this )?to) the user|\b(?:exfiltrate|forward|send|leak) (?:all |the |any )?(?:emails?|passwords?|credentials|api keys?|inbox|conversation) (?:to|at)\b|<\/?(?:system|instructions?|prompt)>|\[(?:inst|system)\]|<\|im_start\|>|\bignoriere (?:alle |die )?(?:vorherigen|bisherigen|obigen) (?:anweisungen|befehle)/g
/**
 * Invisible characters that can carry or disguise text: direction overrides and tags. Newsletters pad their preview
 * line with characters of zero width, so those do not count.
 */
const INVISIBLE = /[\u202a-\u202e\u2061-\u2064\u{e0000}-\u{e007f}]/gu
/** Elements that readers may not see. The console judges the rendered message; this only searches for injections. */
const HIDDEN_STYLE =
  /<(\w{1,12})\b[^<>]{0,600}style\s?=\s?["'][^"'<>]{0,400}(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0(?![.\d])|(?:max-)?height\s?:\s?0|color\s?:\s?(?:#fff(?:fff)?|white)\b)[^>]{0,300}>([^<]{12,2000})/giu

const MAX_FACTS = 40

export const findInsights = (text: string): Insight[] => {
  const found: Insight[] = []
  const own = text.slice(0, 50_000)
  const links: [number, number][] = []
  for (const [kind, pattern, group] of PATTERNS) {
    if (kind === 'email' && !own.includes('@')) continue
    let count = 0
    for (const match of own.matchAll(pattern)) {
      const words = (match[group] ?? match[2] ?? match[0]).replace(/[.,;:!?]+$/, '')
      const offset = match.index + match[0].indexOf(words)
      if (kind === 'link') links.push([match.index, match.index + match[0].length])
      else if (links.some(([from, to]) => offset >= from && offset < to)) continue
      if (kind === 'phone' && !isPhone(words, own.slice(Math.max(0, match.index - 24), match.index))) continue
      if (found.some((other) => other.kind === kind && other.text === words)) continue
      found.push({ kind, text: words, offset })
      if (++count >= MAX_FACTS) break
    }
  }
  return found.sort((a, b) => a.offset - b.offset)
}

/** Requires enough digits, and an international prefix or a word such as "tel". */
const isPhone = (text: string, before: string): boolean => {
  const digits = text.replace(/\D/g, '').length
  if (digits < 7 || digits > 15 || /^\d{4}-\d{2}-\d{2}$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(text))
    return false
  return (
    text.startsWith('+') ||
    text.startsWith('(') ||
    /(?:tel|phone|mobile?|cell|call|fax|handy|mobil|fon|direct|durchwahl|nummer|number)\W{0,12}$/i.test(
      before,
    ) ||
    /^0\d{2,4}[\s/-]\d/.test(text) ||
    /^\d{3}[-. ]\d{3}[-. ]\d{4}$/.test(text)
  )
}

/** Finds prompt injections, also in elements that readers may not see, and invisible characters. */
export const findTricks = (text: string, html = ''): Insight[] => {
  const found: Insight[] = []
  const read = text.slice(0, 200_000)
  for (const { 0: words, index } of smallOf(read).matchAll(INJECTION))
    found.push({ kind: 'injection', text: read.slice(index, index + words.length), offset: index })
  const invisible = [...read.matchAll(INVISIBLE)]
  // Single direction marks are legitimate; many of them are not.
  if (invisible.length >= 8)
    found.push({
      kind: 'hidden',
      text: `${invisible.length} invisible characters`,
      offset: invisible[0]?.index ?? -1,
    })
  for (const match of html.slice(0, 500_000).matchAll(HIDDEN_STYLE)) {
    const words = (match[2] as string).replace(/&\w+;|\s+/g, ' ').trim()
    if (words.length < 12) continue
    if (smallOf(words).search(INJECTION) >= 0)
      found.push({ kind: 'injection', text: words.slice(0, 200), offset: -1 })
  }
  return found.slice(0, MAX_FACTS)
}

/** Emails, tasks and events with this tag are never sent to a provider or a client. */
const PRIVATE = 'private'

const isPrivateTag = (tag: string): boolean => tag.trim().toLowerCase() === PRIVATE

export const isPrivate = (tags: readonly string[]): boolean => tags.some(isPrivateTag)

/** Returns the tags that a copy inherits. It stays private even if the original is deleted. */
export const privateTagsOf = (tags: readonly string[]): string[] => tags.filter(isPrivateTag).slice(0, 1)

/** Excludes private items from a search, so that not even the number of hits reveals their words. */
export const WITHOUT_PRIVATE = `-tag:${PRIVATE}`

const SNIPPET_LENGTH = 200
/** The snippet comes from the beginning of the text. */
const MAX_TEXT = 50_000

/**
 * Returns the first words of the writer on one line. Falls back to the quoted history, as in a forwarded
 * mail.
 */
export const snippetOf = (text: string): string => {
  const beginning = text.slice(0, MAX_TEXT)
  const line = (replyOf(beginning) || replyOf(beginning, true) || beginning)
    .replace(/https?:\/\/\S{60,}/g, '…')
    .replace(/(?:[\s\u00ad\u200b-\u200f\u2060\ufeff]|\u034f)+/g, ' ')
    .trim()
  if (line.length <= SNIPPET_LENGTH) return line
  return `${line
    .slice(0, SNIPPET_LENGTH - 1)
    .replace(/\s\S{0,20}$/, '')
    .toWellFormed()}…`
}
