import { holidaysAt, isHolidayWord } from './holidays.ts'
import { LEXICON } from './lexicon.ts'
import { baseOf, type Token } from './tokens.ts'
import { isNumberWord } from './values.ts'
import { zoneAt } from './zones.ts'

/** A run of tokens [from, to) that may form one time expression. */
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

/** Limits the tokens of an island, because the parse time grows with its square. */
const MAX_TOKENS = 48
const MAX_GLUE = 6

/** Suffixes of numbers. "t" and "z" occur in ISO 8601 timestamps. */
const ENDINGS = new Set(['st', 'nd', 'rd', 'th', 'ish', 's', 't', 'z'])
const SIZES = new Set(['m', 'p', 'q', 'thousand', 'hundred'])
/** Tells for each word of the lexicon whether it names a time. Otherwise it only connects other words. */
const NAMES_TIME = new Map(
  [...LEXICON].map(([word, lexemes]) => [word, lexemes.some(([kind]) => !GLUE.has(kind))]),
)

const isCore = (token: Token, grammarWords: ReadonlySet<string>): boolean | undefined => {
  if (token.kind === 'number') return true
  if (token.kind === 'mark') return MARKS.has(token.text) ? false : undefined
  if (!token.spaceBefore && ENDINGS.has(token.text)) return false
  if (SIZES.has(token.text)) return false
  const known = NAMES_TIME.get(token.text) ?? NAMES_TIME.get(baseOf(token.text))
  if (known) return true
  if (isNumberWord(token.text) || isHolidayWord(token.text)) return true
  if (known === false) return false
  return grammarWords.has(token.text) ? CORE_WORDS.has(token.text) : undefined
}

/** Words of the grammar that name a time on their own. */
const CORE_WORDS = new Set(
  'eod eom eow eoy cob eob feierabend nightly bom boy viertelstunde dreiviertelstunde ganztägig moment present nineties eighties seventies sixties halb weekday workday werktag monatserste monatsersten monatsletzte monatsletzten advent'.split(
    ' ',
  ),
)

/** At the start of a line, these marks are list bullets and connect nothing. */
const isBullet = ({ text }: Token): boolean => /^[-–—~+]$/.test(text)

/** "2. Tuesday at 3" on its own line is a numbered item; "2. May" is a day. */
const isNumbering = (tokens: readonly Token[], at: number): boolean => {
  const [number, mark, next] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  return (
    number?.kind === 'number' &&
    number.text.length <= 2 &&
    mark !== undefined &&
    !mark.spaceBefore &&
    /^[.)]$/.test(mark.text) &&
    next?.kind === 'word' &&
    next.spaceBefore &&
    !(LEXICON.get(next.text) ?? []).some(([kind]) => kind === 'month')
  )
}

/** Two letters are a weekday only after "jede": "jeden Di". */
const isShortDay = ({ text }: Token, previous: Token | undefined): boolean =>
  text.length === 2 &&
  previous?.text.startsWith('jede') === true &&
  (LEXICON.get(text) ?? []).some(([kind]) => kind === 'dowshort')

const isBlankLine = (text: string, from: number, to: number): boolean =>
  to - from > 1 && /\n[^\S\n]*\n/.test(text.slice(from, Math.min(to, from + 200)))

/** Counts the tokens of a holiday name, because not every word of the name marks it. */
const holidayLength = (tokens: readonly Token[], at: number): number =>
  isHolidayWord((tokens[at] as Token).text)
    ? Math.max(0, ...holidaysAt(tokens, at).map(({ length }) => length))
    : 0

/** Extends an island by a zone name. The lexicon does not know the words of zone names. */
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
  /** Abbreviated weekdays, which the lexicon does not know. */
  days: readonly { from: number; to: number }[] = [],
): Island[] => {
  const isDay = (index: number): boolean => days.some(({ from, to }) => index >= from && index < to)
  const islands: Island[] = []
  let start = -1
  let firstCore = -1
  let lastCore = -1
  const close = (): void => {
    if (firstCore >= 0)
      islands.push({ from: Math.max(start, firstCore - MAX_GLUE), to: withZone(text, tokens, lastCore) })
    start = -1
    firstCore = -1
  }
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    const previous = tokens[index - 1]
    const isFirst =
      previous !== undefined && token.spaceBefore && text.slice(previous.end, token.start).includes('\n')
    if (isFirst && isNumbering(tokens, index)) {
      close()
      index++
      continue
    }
    // The day may follow the zone: "4pm AEST on Thursday", "9am New York time tomorrow".
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
    if (core === undefined || (previous && token.spaceBefore && isBlankLine(text, previous.end, token.start)))
      close()
    if (core === undefined) continue
    if (start >= 0 && index - Math.max(start, firstCore - MAX_GLUE) >= MAX_TOKENS && firstCore >= 0) close()
    if (start < 0) start = index
    if (core) {
      if (firstCore < 0) firstCore = index
      index += Math.max(1, holidayLength(tokens, index)) - 1
      lastCore = index + 1
    } else if (firstCore >= 0 && index - lastCore < MAX_GLUE) {
      // Words such as "ago" and "pm" follow the last number.
      lastCore = Math.max(lastCore, index + 1)
    } else if (firstCore >= 0) close()
  }
  close()
  return islands
}
