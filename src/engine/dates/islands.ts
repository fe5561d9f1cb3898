import { feastsAt, isFeastWord } from './holidays.ts'
import { LEXICON } from './lexicon.ts'
import { isNumberWord } from './numbers.ts'
import { baseOf, type Token } from './tokens.ts'
import { zoneAt } from './zones.ts'

/** Tokens that may belong to one expression, and nothing else. */
export interface Island {
  from: number
  to: number
}

const GLUE = new Set(
  'the a at on of in within during for to and from between until before after since by around every ago uhr ampm rel coming edge lean few dowshort'.split(
    ' ',
  ),
)
const MARKS = new Set([...",.-–—~/():'’+&@"])

/** No expression is longer; the cost of reading grows with the square of this. */
const LONGEST = 48
const MOST_GLUE = 6

/** The last two part and end the moments of ISO 8601. */
const ENDINGS = new Set(['st', 'nd', 'rd', 'th', 'ish', 's', 't', 'z'])
const SIZES = new Set(['m', 'p', 'q', 'thousand', 'hundred'])
/** For each word of the lexicon whether it is a time by itself, or only holds one together. */
const NAMED = new Map(
  [...LEXICON].map(([word, lexemes]) => [word, lexemes.some(([kind]) => !GLUE.has(kind))]),
)

const isCore = (token: Token, grammarWords: ReadonlySet<string>): boolean | undefined => {
  if (token.kind === 'number') return true
  if (token.kind === 'mark') return MARKS.has(token.text) ? false : undefined
  if (!token.apart && ENDINGS.has(token.text)) return false
  if (SIZES.has(token.text)) return false
  const known = NAMED.get(token.text) ?? NAMED.get(baseOf(token.text))
  if (known) return true
  if (isNumberWord(token.text) || isFeastWord(token.text)) return true
  if (known === false) return false
  return grammarWords.has(token.text) ? CORE_WORDS.has(token.text) : undefined
}

/** Words of the grammar that are a time all by themselves. */
const CORE_WORDS = new Set(
  'eod eom eow eoy cob eob feierabend nightly bom boy viertelstunde dreiviertelstunde ganztägig moment present nineties eighties seventies sixties halb weekday workday werktag monatserste monatsersten monatsletzte monatsletzten advent'.split(
    ' ',
  ),
)

/** At the beginning of a line it holds nothing together. */
const isBullet = ({ text }: Token): boolean => /^[-–—~+]$/.test(text)

/** "2. Tuesday at 3", on a line of its own; "2. May" is a day. */
const isNumbering = (tokens: readonly Token[], at: number): boolean => {
  const [number, mark, next] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  return (
    number?.kind === 'number' &&
    number.text.length <= 2 &&
    mark !== undefined &&
    !mark.apart &&
    /^[.)]$/.test(mark.text) &&
    next?.kind === 'word' &&
    next.apart &&
    !(LEXICON.get(next.text) ?? []).some(([kind]) => kind === 'month')
  )
}

/** "Jeden Di": two letters that are a day there alone. */
const isShortDay = ({ text }: Token, previous: Token | undefined): boolean =>
  text.length === 2 &&
  previous?.text.startsWith('jede') === true &&
  (LEXICON.get(text) ?? []).some(([kind]) => kind === 'dowshort')

const isBlankLine = (text: string, from: number, to: number): boolean =>
  to - from > 1 && /\n[^\S\n]*\n/.test(text.slice(from, Math.min(to, from + 200)))

/** The feast that is named here in several words, not each of which says so. */
const feastLength = (tokens: readonly Token[], at: number): number =>
  isFeastWord((tokens[at] as Token).text)
    ? Math.max(0, ...feastsAt(tokens, at).map(({ length }) => length))
    : 0

/** A zone may follow, in words that mean nothing else to the reader. */
const withZone = (text: string, tokens: readonly Token[], end: number): number => {
  const after = tokens[end]?.text === '(' || tokens[end]?.text === ',' ? end + 1 : end
  const next = tokens[after]
  const zone = next?.kind === 'word' ? zoneAt(text, next) : undefined
  if (!zone || !next) return end
  let to = after
  while (to < tokens.length && (tokens[to] as Token).end <= next.start + zone.length) to++
  return tokens[to]?.text === ')' ? to + 1 : to
}

export const findIslands = (
  text: string,
  tokens: readonly Token[],
  grammarWords: ReadonlySet<string>,
  /** What is a day here though its words are not. */
  days: readonly { from: number; to: number }[] = [],
): Island[] => {
  const isDay = (index: number): boolean => days.some(({ from, to }) => index >= from && index < to)
  const islands: Island[] = []
  let start = -1
  let firstCore = -1
  let lastCore = -1
  const close = (): void => {
    if (firstCore >= 0)
      islands.push({ from: Math.max(start, firstCore - MOST_GLUE), to: withZone(text, tokens, lastCore) })
    start = -1
    firstCore = -1
  }
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    const previous = tokens[index - 1]
    const isFirst =
      previous !== undefined && token.apart && text.slice(previous.end, token.start).includes('\n')
    if (isFirst && isNumbering(tokens, index)) {
      close()
      index++
      continue
    }
    // The day may come after the zone: "4pm AEST on Thursday", "9am New York time tomorrow".
    const zoned = firstCore >= 0 && index === lastCore ? withZone(text, tokens, index) : 0
    if (zoned > index) {
      lastCore = zoned
      index = zoned - 1
      continue
    }
    const core =
      isFirst && isBullet(token)
        ? undefined
        : isDay(index) || isShortDay(token, previous) || isCore(token, grammarWords)
    if (core === undefined || (previous && token.apart && isBlankLine(text, previous.end, token.start)))
      close()
    if (core === undefined) continue
    if (start >= 0 && index - Math.max(start, firstCore - MOST_GLUE) >= LONGEST && firstCore >= 0) close()
    if (start < 0) start = index
    if (core) {
      if (firstCore < 0) firstCore = index
      index += Math.max(1, feastLength(tokens, index)) - 1
      lastCore = index + 1
    } else if (firstCore >= 0 && index - lastCore < MOST_GLUE) {
      // Closing words such as "ago" and "pm" come after the last number.
      lastCore = Math.max(lastCore, index + 1)
    } else if (firstCore >= 0) close()
  }
  close()
  return islands
}
