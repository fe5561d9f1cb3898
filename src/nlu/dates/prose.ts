import { baseOf, MAX_TEXT_LENGTH, type Node, type Token, tokenize } from './chart.ts'
import type { TerseDays } from './formats.ts'
import { isDateWord, isMonth, isWordOf, lexemesOf } from './lexicon.ts'
import type { Duration, When } from './values.ts'

/** A text for the parser. Links are masked, and every offset equals that of the original. */
export interface Prose {
  text: string
  tokens: readonly Token[]
}

const LINKS = /https?:\/\/[^\s<>"]{1,2000}/g
const ADDRESSES = /https?:\/\/[^\s<>"]{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}/g

/** Masks links and email addresses, because they contain no time expressions. */
export const toProse = (whole: string): Prose => {
  const start = whole.slice(0, MAX_TEXT_LENGTH)
  const text = start.replace(start.includes('@') ? ADDRESSES : LINKS, (link) => '\u0001'.repeat(link.length))
  return { text, tokens: tokenize(text) }
}

const CONTEXT = new Set(
  'in on of this next last since until till by during for from to through thru early late mid end every each coming between before after and or am im den ab bis'.split(
    ' ',
  ),
)
const GREETING = /^(?:good|guten|gute|schönen|happy)$/
const VERBS = /^(?:will|would|should|shouldn't|must|can|could|may|might|to|won't|doesn't|that|which|not)$/
const GLUE_KINDS = new Set(
  'the a at on of in within during for to and from between until before after since by around every ago'.split(
    ' ',
  ),
)

const CLOCK_SIGN = /^(?:[:h]|am|pm|a|p|uhr|o'clock|oclock)$/

const isLabelled = (own: readonly Token[], before: Token | undefined, after: Token | undefined): boolean =>
  before?.kind === 'word' &&
  isWordOf('label', before.text) &&
  own[0]?.kind === 'number' &&
  !CLOCK_SIGN.test((own[1] ?? after)?.text ?? '') &&
  // Only the space distinguishes "Room 5, 12 March" from "Room 12 May". A month makes it a date.
  !own.slice(1, 4).some(({ text }) => isMonth(text))

export const isAmbiguous = (token: Token): boolean =>
  token.kind === 'word' && isWordOf('ambiguous', token.text)

const isMeaningful = (token: Token): boolean => {
  if (token.kind === 'number') return true
  if (token.kind === 'mark' || isWordOf('ambiguous', token.text)) return false
  const lexemes = lexemesOf(isDateWord(token.text) ? token.text : baseOf(token.text))
  return lexemes.length === 0 || lexemes.some(([kind]) => !GLUE_KINDS.has(kind))
}

const isOnlyDay = ({ date, time }: When): boolean =>
  date?.is === 'fields' && date.d !== undefined && date.m === undefined && date.dow === undefined && !time

/** Words after which an ordinal stands alone. In "the second time" it belongs to the next word. */
const isFollower = (token: Token): boolean =>
  isDateWord(token.text) ||
  /^(?:with|or|is|if|works|would|please|we|i|you|as|but|called|so)$/.test(token.text)

const NUMBERED =
  /(?:tag|mal|stock|stockwerk|etage|platz|jubiläum|kapitel|lebensjahr|jahr|woche|monat|jahrhundert|klasse|runde|semester|quartal|versuch|stelle|grad|etappe|ausgabe|folge|auflage|halbjahr|stunde|minute|loch|satz|punkt|absatz)(?:e|es|s|en)?$/

/** Rejects ambiguous words unless their neighbors confirm that they mean a time. */
export const isPlausible = (node: Node, tokens: readonly Token[], terse: readonly TerseDays[]): boolean => {
  const own = tokens.slice(node.from, node.to)
  const before = tokens[node.from - 1]
  const first = own[0] as Token
  if (before && !first.spaceBefore && /^[$€£#§_]$/.test(before.text)) return false
  if (isLabelled(own, before, tokens[node.to])) return false
  const value = node.value as When & Partial<Duration>
  if (node.kind === 'when' && value.time?.is === 'part' && !value.date) {
    if (before && GREETING.test(before.text)) return false
    if (first.text === 'morgen' || first.text === 'eve') return false
    // "Morning Ana," is a greeting.
    const [next, mark] = [tokens[node.to], tokens[node.to + 1]]
    if (
      !before &&
      first.capitalized &&
      own.length === 1 &&
      (next?.text === ',' || (next?.capitalized && mark?.text === ','))
    )
      return false
  }
  if (node.kind === 'dur') {
    // "Twice a week" is a frequency, not a duration.
    if (before && first.text === 'a' && /^(?:once|twice|times)$/.test(before.text)) return false
    if (
      value.unit === 'second' &&
      own.some(({ text }) => text === 'second') &&
      !own.some(({ kind }) => kind === 'number')
    )
      return false
    if (own.length === 2 && own[1]?.text === 'h' && own[1].spaceBefore) return false
  }
  if (
    node.kind === 'when' &&
    value.date?.is === 'days' &&
    value.date.edge &&
    own.length === 2 &&
    first.text === 'mid'
  )
    return true
  const after = tokens[node.to]
  if (own.at(-1)?.kind === 'number' && after) {
    // Amounts and fractions: "from 3 to 4 euros", "3/4 of the page".
    if (value.time && !value.date && isWordOf('counted', after.text)) return false
    if (own.length === 3 && own[1]?.text === '/' && after.text === 'of') return false
  }
  if (first.text === 'last' && before && VERBS.test(before.text)) return false
  if (
    own.at(-1)?.kind === 'number' &&
    after &&
    !after.spaceBefore &&
    /^[-/]$/.test(after.text) &&
    tokens[node.to + 1]?.kind === 'number' &&
    !tokens[node.to + 1]?.spaceBefore
  )
    return false
  if (own.length === 2 && first.text === 'this' && own[1]?.text === 'may' && !own[1].capitalized) return false
  if (
    node.kind === 'when' &&
    value.date?.is === 'fields' &&
    isOnlyDay(value) &&
    after?.kind === 'word' &&
    (!isFollower(after) || NUMBERED.test(after.text)) &&
    // "Am 21. besorgen" and "für den 28. Zahnarzt" name a day; "zum 50. Geburtstag" does not.
    !(/^(?:am|bis|für|auf)$/.test(first.text) && !NUMBERED.test(after.text))
  )
    return false
  if (own.some(isMeaningful) || own.filter(isAmbiguous).length > 1) return true
  if (terse.some(({ from, to }) => from >= node.from && to <= node.to)) return true
  if (!own.some(isAmbiguous)) return node.to - node.from > 0 && own.some(({ kind }) => kind !== 'mark')
  const word = own.find(isAmbiguous) as Token
  const at = tokens.indexOf(word)
  const [previous, following] = [tokens[at - 1], tokens[at + 1]]
  if (
    previous &&
    CONTEXT.has(previous.text) &&
    !(word.text === 'may' && /^(?:this|and|or|to|that|it)$/.test(previous.text) && !word.capitalized)
  )
    return true
  // "Mon Ami" is a name.
  if (following?.capitalized && !isDateWord(following.text)) return false
  return (
    word.capitalized &&
    word.text.length > 2 &&
    previous !== undefined &&
    !/^[.!?:;>]$/.test(previous.text) &&
    word.text !== 'second'
  )
}
