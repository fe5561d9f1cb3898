import { isDateWord, lexemesOf } from '../dates/lexicon.ts'
import { endOf } from '../dates/read.ts'
import { findPhrases, fold } from '../lexicon/lexicon.ts'
import { type Argument, type Role, tagArguments } from '../tagger/tagger.ts'
import type { Sentence } from './sentence.ts'

/*
 * A second opinion about a new item. The rules take what is left for the title, so words that they do not know end up
 * there. The tagger marks the title and the times on its own.
 */

export interface Opinion {
  /** Words of the message were used in a doubtful way. */
  isDoubtful: boolean
  /** The title that is more likely. */
  otherTitle?: string
}

/** "Lunch with Ana": the people after these words belong to the title. */
const BEFORE_PERSON =
  /^\s+(?:with|w|for|of|to|mit|für|bei|von|an)(?:\s(?:the|my|dem|der|den|meine[mnr]))?\s$/iu
/** A title goes on after one of these words. */
const GOES_ON =
  /^(?:with|w|for|of|to|in|at|about|on|from|mit|für|bei|beim|von|vom|an|in|im|zu|zur|zum|über|wegen)$/u
const COMPANY = /\s(?:with|mit|for|für|and|und)\s/giu
const AND = /^(?:and|und)$/u
const SMALL = /^(?:the|an?|die|das|der|den|dem|eine?[nmr]?|zu)$/u

const toWords = (title: string): string[] =>
  (fold(title).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !SMALL.test(word))

const findTitle = (text: string, found: readonly Argument[]): string | undefined => {
  const title = found.find(({ role }) => role === 'title')
  if (!title) return undefined
  let { end } = title
  for (const { role, start, end: last } of found)
    if (role === 'person' && start > end && BEFORE_PERSON.test(text.slice(end, start))) end = last
  return text.slice(title.start, end).replace(/^["“„'‘]|["“”'’]$/gu, '')
}

const TIMES: ReadonlySet<Role> = new Set(['date', 'time', 'start', 'end', 'duration', 'recurrence', 'until'])

const DAYS = new Set(['dow', 'dows', 'dowshort', 'dayword', 'month'])

/** Numbers and names of days that are times for the tagger, but not for the date reader. */
const losesTime = ({ text, times }: Sentence, found: readonly Argument[]): boolean =>
  found.some(({ role, start, end }) => {
    if (!TIMES.has(role) || times.some((time) => start < endOf(time) && end > time.offset)) return false
    return (fold(text.slice(start, end)).match(/[\p{L}\p{N}]+/gu) ?? []).some(
      (word) => /\d/.test(word) || lexemesOf(word).some(([kind]) => DAYS.has(kind)),
    )
  })

/** Categories of phrases that a title does not contain. */
const COMMANDS = new Set([
  'make',
  'remind_me',
  'courtesy',
  'correction',
  'list',
  'priority',
  'must',
  'also_say',
])

/** A range that the date reader did not take for one. */
const RANGE = /\d\s*(?:to|till?|until|bis|-|–)\s*\d/u

const namesCommand = ({ text, tokens, language }: Sentence, title: string): boolean => {
  const from = text.indexOf(title)
  return findPhrases(tokens, language).some(({ category, from: first, to }) => {
    const [start, end] = [tokens[first]?.from ?? 0, tokens[to - 1]?.to ?? 0]
    const isSmall = to - first === 1 && (category === 'make' || AND.test(tokens[first]?.folded ?? ''))
    return COMMANDS.has(category) && !isSmall && from >= 0 && start >= from && end <= from + title.length
  })
}

/** The title is put together from words that are apart, other than people. */
const isBroken = (text: string, title: string): boolean => {
  const [all, own] = [toWords(text).join(' '), title.replace(COMPANY, '\n').split('\n')]
  return !own.every((part) => all.includes(toWords(part).join(' ')))
}

/** Judges the title that the rules read. */
export const judgeTitle = (sentence: Sentence, title: string): Opinion => {
  const { text } = sentence
  const found = tagArguments(text)
  const at = text.indexOf(title)
  // A person who writes quotation marks leaves no doubt.
  if (at > 0 && /["“„'‘«]/u.test(text[at - 1] as string)) return { isDoubtful: losesTime(sentence, found) }
  const colon = /:\s+(?=\S)/u.exec(title)
  if (colon) return { isDoubtful: true, otherTitle: title.slice(colon.index + colon[0].length) }
  const isOdd =
    /,/u.test(title) || RANGE.test(title) || namesCommand(sentence, title) || isBroken(text, title)
  const other = findTitle(text, found)
  const [own, theirs] = [toWords(title), toWords(other ?? '')]
  // The tagger often leaves out the verb of a chore, and the weekday of "Sunday roast".
  const lost = own.filter(
    (word, index) => !theirs.includes(word) && !isDateWord(word) && (index > 0 || theirs[0] !== own[1]),
  )
  const isLonger =
    theirs.every((word, index) => own[index] === word) && GOES_ON.test(own[theirs.length] ?? '')
  // "Evening primrose oil"
  const isShortened = isDateWord(theirs[0] ?? '') && theirs.slice(1).join(' ') === own.join(' ')
  if (other && ((lost.length > 0 && lost.length < own.length && !isLonger) || isShortened))
    return { isDoubtful: true, otherTitle: other }
  const isApart = theirs.length > 0 && lost.length === own.length
  return { isDoubtful: isOdd || isApart || losesTime(sentence, found) }
}
