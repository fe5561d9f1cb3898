import { endOf } from '../dates/read.ts'
import type { Phrase } from '../lexicon/lexicon.ts'
import type { Sentence } from './sentence.ts'
import { isMark, type Words } from './words.ts'

/* Finds the command of a message that adds something: "add a task", "trag … ein", "remind me to". */

/** Phrases of a command. The words between the parts of a phrase belong to the item. */
const COMMANDS = ['as_task', 'as_event', 'remind_me', 'must', 'invite', 'make', 'make_end'] as const
type Command = (typeof COMMANDS)[number]

const isPolite = ({ category }: Phrase): boolean => category === 'courtesy' || category === 'fillers'

const longest = (phrases: readonly Phrase[]): Phrase | undefined =>
  phrases.toSorted((one, other) => other.to - other.from - (one.to - one.from))[0]

/** Accounts for polite words at the end. */
const usePoliteEnd = ({ phrases, tokens }: Sentence, words: Words): void => {
  for (let end = tokens.length; end > 0; ) {
    const polite = longest(phrases.filter((one) => one.to === end && isPolite(one)))
    if (!polite && !isMark(tokens[end - 1]?.text ?? '')) break
    if (polite) words.use(polite.at)
    end = polite?.from ?? end - 1
  }
}

export interface CommandReading {
  has: (...all: readonly Command[]) => boolean
  /** The message begins with a word such as "task" or "new event". */
  isHead: boolean
}

/** Words of a whole sentence. */
const SENTENCE = /(?<!\p{L})(?:is|are|was|were|has|have|will|'s|ist|sind|war|waren|hat|haben|wird)(?!\p{L})/iu

/** Finds the command of a message, and accounts for its words. */
export const readCommand = (sentence: Sentence, words: Words): CommandReading => {
  const { phrases, tokens, times } = sentence
  const found = new Set<Command>()
  const take = (phrase: Phrase | undefined): boolean => {
    if (!phrase?.at.every((index) => words.isFree(index))) return false
    found.add(phrase.category as Command)
    words.use(phrase.at)
    return true
  }
  const findAt = (at: number, ...categories: readonly Command[]): Phrase | undefined =>
    longest(phrases.filter(({ from, category }) => from === at && categories.includes(category as Command)))
  const isUsed = (at: number): boolean => at < tokens.length && !words.isFree(at)
  let start = 0
  const skip = (): void => {
    while (isUsed(start)) start++
    const polite = longest(phrases.filter((one) => one.from === start && isPolite(one)))
    if (!polite || polite.to >= tokens.length || (findAt(start, 'must')?.to ?? 0) >= polite.to) return
    words.use(polite.at)
    skip()
  }
  skip()
  usePoliteEnd(sentence, words)
  const head = findAt(start, 'as_task', 'as_event', 'remind_me')
  const isHead = take(head)
  if (!isHead && take(findAt(start, 'make', 'must', 'invite'))) {
    skip()
    // "Legen Sie … an"
    if (tokens[start]?.text === 'Sie') words.use([start])
    skip()
    take(findAt(start, 'must'))
  }
  for (const phrase of phrases) {
    const { category, from, to } = phrase
    const before = tokens[from - 1]
    const isClause = before !== undefined && /^[,:.;]$/.test(before.text)
    const isAfterTime = times.some((time) => endOf(time) === before?.to)
    const isEnd = tokens.slice(to).every((_, index) => !words.isFree(to + index))
    const isNext =
      (category === 'make' && isClause && found.size === 0) ||
      (category === 'must' && (isClause || isAfterTime))
    const isCommand = category === 'remind_me' || category === 'invite' || (category === 'make_end' && isEnd)
    if (!(isNext || isCommand) || !take(phrase)) continue
    // "James is leaving, add his party on Friday": the sentence before says why.
    if (category === 'make' && isNext && SENTENCE.test(sentence.text.slice(0, before?.from)))
      words.use(tokens.keys().toArray().slice(0, from))
    const polite = longest(phrases.filter((one) => one.to === from && isPolite(one)))
    if (polite) words.use(polite.at)
  }
  // Words such as "task" are a part of the command only after a verb.
  const has = (...all: readonly Command[]): boolean => all.some((one) => found.has(one))
  if (isHead || has('make', 'must', 'make_end'))
    for (const phrase of phrases) if (['as_task', 'as_event'].includes(phrase.category)) take(phrase)
  return { has, isHead }
}
