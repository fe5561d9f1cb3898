import { FOLLOW_UPS, findPhrases, type Language, type Phrase } from '../../../nlu/lexicon/lexicon.ts'
import { isInTime, type RequestContext, readSentence, type Sentence } from '../../../nlu/requests/sentence.ts'
import { DAY_MS } from './context.ts'
import { findPageTarget, type Item, type Memory } from './memory.ts'

/* Finds what a message refers to without its name: "the second one", "both", "that day", "her number". */

export interface Resolved {
  /** The message with a pronoun, a date or a name in the place of each reference. */
  text: string
  /** The items of the conversation that the message counts or points at. Empty for a plain pronoun. */
  items: readonly Item[]
}

const ORDINALS = ['nth_1', 'nth_2', 'nth_3', 'nth_4', 'nth_5']

/** An ordinal before another word than these counts something else: "the first draft". */
const AFTER_ORDINAL =
  /^(?:to|of|as|on|at|by|until|due|for|in|is|was|back|away|again|auf|ab|als|vor|um|am|bis|für|fällig|weg|wieder|[^\p{L}\p{N}])$/u
/** "Move it to the second" is a date. */
const BEFORE_DATE = /^(?:to|on|by|until|till|am|auf|bis|zum)$/u
const ARTICLE = /^(?:the|number|nummer|der|die|das|den|dem)$/u

interface Reference {
  from: number
  to: number
  items: readonly Item[]
}

const isSame = (one: Item | null, other: Item): boolean => one?.kind === other.kind && one.id === other.id

/** The two items that "both" and "the other one" are about. */
const pairOf = ({ list, recent = [] }: Memory): readonly Item[] => {
  if (list.length === 2) return list
  const newest = recent.slice(0, 2)
  return newest.length === 2 ? newest.toReversed() : []
}

const listItems = (phrase: Phrase, memory: Memory): readonly Item[] => {
  const { list, focus } = memory
  const pair = pairOf(memory)
  switch (phrase.category) {
    case 'both':
      return pair
    case 'other_one': {
      const others = pair.filter((one) => !isSame(focus, one))
      return others.length === 1 ? others : []
    }
    case 'all_of_them':
      return list.length > 1 ? list : []
    case 'last_one':
      return list.slice(-1)
    default:
      return list.slice(ORDINALS.indexOf(phrase.category), ORDINALS.indexOf(phrase.category) + 1)
  }
}

/** Includes the article before a reference, and the noun or "of these" after it. */
const widen = ({ tokens, phrases }: Sentence, phrase: Phrase): { from: number; to: number } => {
  const noun = phrases.find(({ category, from }) => category === 'listed_noun' && from === phrase.to)
  const hasArticle = ARTICLE.test(tokens[phrase.from - 1]?.folded ?? '')
  const [next, last] = [tokens[phrase.to]?.folded ?? '', tokens[phrase.to + 1]?.folded ?? '']
  const ofThem =
    next === 'davon'
      ? 1
      : /^(?:of|von)$/u.test(next) && /^(?:these|those|them|diesen|denen)$/u.test(last)
        ? 2
        : 0
  return { from: phrase.from - Number(hasArticle), to: noun?.to ?? phrase.to + ofThem }
}

const findListed = (sentence: Sentence, memory: Memory): Reference | undefined => {
  const { tokens, phrases } = sentence
  for (const category of ['both', 'other_one', 'last_one', ...ORDINALS, 'all_of_them']) {
    const phrase = phrases.find((one) => one.category === category)
    if (!phrase) continue
    const { from, to } = widen(sentence, phrase)
    const isCounted = ['last_one', ...ORDINALS].includes(category)
    const [before, after] = [tokens[from - 1]?.folded ?? '', tokens[to]?.folded ?? '.']
    if (isCounted && to === phrase.to && (BEFORE_DATE.test(before) || !AFTER_ORDINAL.test(after))) continue
    const items = listItems(phrase, memory)
    if (items.length > 0) return { from, to, items }
  }
  return undefined
}

/** The day of the event that the conversation is about. */
const dayOf = ({ focus }: Memory, toLocal: (at: string) => number): string | undefined =>
  focus?.kind === 'event' && focus.start
    ? new Date(Math.floor(toLocal(focus.start) / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
    : undefined

/** "Invite her", "his number": the person is the one of the conversation. */
const findPersonWords = ({ phrases }: Sentence): Phrase | undefined => {
  const hasPhrase = (category: string, fits: (one: Phrase) => boolean): boolean =>
    phrases.some((one) => one.category === category && fits(one))
  return phrases.find(({ category, from, to }) => {
    if (category === 'person_possessive') return hasPhrase('person_thing', (one) => one.from === to)
    return category === 'person_object' && hasPhrase('person_verb', (one) => one.to === from)
  })
}

const replace = (text: string, sentence: Sentence, from: number, to: number, words: string): string => {
  const [first, last] = [sentence.tokens[from], sentence.tokens[to - 1]]
  return first && last ? text.slice(0, first.from) + words + text.slice(last.to) : text
}

const read = (text: string, language: Language, context: RequestContext): Sentence => {
  const sentence = readSentence(text, language, context)
  return { ...sentence, phrases: findPhrases(sentence.tokens, language, FOLLOW_UPS) }
}

/** Resolves the references of a message. `toLocal` returns the local time of an instant. */
export const resolveReferences = (
  written: string,
  language: Language,
  context: RequestContext,
  memory: Memory,
  toLocal: (at: string) => number,
): Resolved => {
  let sentence = read(written, language, context)
  const page = findPageTarget(written, memory)
  const listed = page ? undefined : findListed(sentence, memory)
  let { text } = sentence
  if (listed) {
    text = replace(text, sentence, listed.from, listed.to, language === 'de' ? 'es' : 'it')
    sentence = read(text, language, context)
  }
  const one = sentence.phrases.find(({ category }) => category === 'that_one')
  if (one && !listed && memory.focus) {
    text = replace(text, sentence, one.from, one.to, language === 'de' ? 'es' : 'it')
    sentence = read(text, language, context)
  }
  const day = sentence.phrases.find(({ category }) => category === 'that_day')
  const date = day && dayOf(memory, toLocal)
  if (day && date) {
    text = replace(text, sentence, day.from, day.to, `${language === 'de' ? 'am' : 'on'} ${date}`)
    sentence = read(text, language, context)
  }
  const words = memory.person ? findPersonWords(sentence) : undefined
  const [first] = words ? [sentence.tokens[words.from]] : []
  if (words && first && memory.person && !isInTime(sentence, first)) {
    const isPossessive = words.category === 'person_possessive'
    const name = isPossessive && language === 'en' ? `${memory.person}'s` : memory.person
    text =
      isPossessive && language === 'de'
        ? germanPossessive(text, sentence, words, memory.person)
        : replace(text, sentence, words.from, words.to, name)
  }
  return { text, items: page ? [page] : (listed?.items ?? []) }
}

/** "Seine Nummer" becomes "die Nummer von Jan". */
const germanPossessive = (text: string, sentence: Sentence, { from, to }: Phrase, person: string): string => {
  const noun = sentence.tokens[to]
  return noun ? replace(text, sentence, from, to + 1, `die ${noun.text} von ${person}`) : text
}

const PRONOUN =
  /(?<!\p{L})(?:it|them|(?:this|that) (?:one|task|event|meeting|mail|e-?mail|message|draft)|(?:this|that)(?=[\s.,!?]*$|\s+(?:to|by|as|on|at|for|until|from|with|back|done|an?|in|high|low|urgent|again)\b))(?!\p{L})|(?<!\p{L})(?:daraus|hieraus)(?!\p{L})|(?<!\p{L})(?:es|ihn|sie|dazu|daran|diese[nrsm]? (?:aufgabe|termin|mail|nachricht)|das|den|die)(?=[\s.,!?]*$|\s+(?:auf|ab|als|um|bitte|nach|in|mit|für|hinzu|ein|zu|vor|hoch|dringend|am|bis|wieder|jetzt|erst|lieber|doch|zusammen|zurück|weiter)(?!\p{L}))/iu
const INSTEAD = /(?<!\p{L})(?:instead|rather|stattdessen|lieber|doch lieber)(?!\p{L})/iu

/** Returns the item that a pronoun, an ordinal or the open page refers to. */
export const findReference = (
  message: string,
  memory: Memory,
  context: RequestContext = { now: 0, timezone: 'UTC' },
): Item | null => {
  const page = findPageTarget(message, memory)
  if (page) return page
  for (const language of ['en', 'de'] as const) {
    const [item, other] = findListed(read(message, language, context), memory)?.items ?? []
    if (item && !other) return item
  }
  return PRONOUN.test(message) || INSTEAD.test(message) ? memory.focus : null
}
