import { compilePatterns } from '../lexicon/patterns.ts'
import { smallOf } from '../lower-case.ts'

export type Category =
  | 'conversation'
  | 'meeting'
  | 'newsletter'
  | 'receipt'
  | 'shipping'
  | 'notification'
  | 'security'
  | 'auto-reply'
  | 'bounce'

export interface MailFacts {
  subject: string
  /** Email address of the sender, "" if unknown. */
  from: string
  text: string
  /** Header names are in lower case. */
  headers?: Readonly<Record<string, string>>
}

type Part = 'subject' | 'from' | 'text'

interface Sign {
  category: Category
  part: Part
  /** Each matching list adds its weight. */
  weight: number
  pattern: RegExp
}

let lists: { signs: readonly Sign[]; sales: readonly RegExp[] } | undefined

const loadLists = () => {
  if (lists) return lists
  const all = [...compilePatterns(new URL('../lexicon/mail-categories.txt', import.meta.url))]
  const [sales, signs] = [
    all.filter(([name]) => name.startsWith('sales ')),
    all.filter(([name]) => !name.startsWith('sales ')),
  ]
  lists = {
    signs: signs.map(([name, pattern]) => {
      const [category, part, weight] = name.split(' ')
      return { category: category as Category, part: part as Part, weight: Number(weight), pattern }
    }),
    sales: sales.map(([, pattern]) => pattern),
  }
  return lists
}

const CATEGORIES: readonly Category[] = [
  'bounce',
  'auto-reply',
  'security',
  'receipt',
  'shipping',
  'newsletter',
  'notification',
  'meeting',
]

/** Categories whose typical words also occur in personal mail. */
const WRITTEN_ALIKE: ReadonlySet<Category> = new Set(['receipt', 'shipping', 'newsletter', 'notification'])
const TO_A_PERSON =
  /^\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin|sehr geehrter? (?:frau|herr)|guten (?:tag|morgen|abend) (?:frau|herr))\s+(?!(?:customer|client|user|member|subscriber|kund|mitglied|damen|there|all|team)\p{L}*)[\p{L}.'’ -]{1,40}[,!]/u
const isPersonal = (text: string): boolean => TO_A_PERSON.test(text) && /\?|\bplease\b|\bbitte\b/.test(text)

const sumWeights = (signs: readonly Sign[]): number => signs.reduce((sum, { weight }) => sum + weight, 0)

/** Below this score a mail is personal. */
const ENOUGH = 2

export const categoryOf = ({
  subject,
  from,
  text,
  headers = {},
}: MailFacts): { category: Category; confidence: number } => {
  const start = smallOf(text.slice(0, 8000))
  const parts = { subject, from, text: start }
  const matches = loadLists().signs.filter(({ part, pattern }) => pattern.test(parts[part]))
  const scores = CATEGORIES.map((category) => {
    const own = matches.filter((sign) => sign.category === category)
    const worded = sumWeights(own.filter(({ part }) => part === 'text'))
    return { category, worded, score: sumWeights(own) + fromHeaders(category, headers) }
  })
  const found = scores.reduce((a, b) => (b.score > a.score ? b : a))
  const best =
    WRITTEN_ALIKE.has(found.category) && found.score < 3 && found.worded === found.score && isPersonal(start)
      ? { ...found, score: 0 }
      : found
  if (best.score < ENOUGH)
    return { category: 'conversation', confidence: Math.round((0.9 - best.score * 0.2) * 100) / 100 }
  return {
    category: best.category,
    confidence: Math.min(0.98, Math.round((0.5 + best.score * 0.12) * 100) / 100),
  }
}

/** RFC 3834 and RFC 8058 define headers that identify automated mail. */
const fromHeaders = (category: Category, headers: Readonly<Record<string, string>>): number => {
  const auto = headers['auto-submitted']?.toLowerCase() ?? ''
  if (category === 'auto-reply') return auto.startsWith('auto-replied') || headers['x-autoreply'] ? 3 : 0
  if (category === 'notification') return auto.startsWith('auto-generated') ? 1.5 : 0
  if (category === 'newsletter') return headers['list-unsubscribe'] ? 1.5 : 0
  if (category === 'bounce') return headers['x-failed-recipients'] ? 3 : 0
  return 0
}

/** So many lists of sales phrases make a mail advertising. */
const MIN_SALES = 2

/** True for newsletters and for sales mail to strangers. */
export const isAdvertising = (text: string, category: Category): boolean => {
  if (category === 'newsletter') return true
  if (category !== 'conversation' && category !== 'meeting') return false
  const small = smallOf(text.slice(0, 8000))
  return loadLists().sales.filter((pattern) => pattern.test(small)).length >= MIN_SALES
}

/** True for categories to which nobody expects an answer. */
export const isMachine = (category: Category): boolean =>
  category !== 'conversation' && category !== 'meeting'
