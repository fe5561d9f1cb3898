import type { Intent } from '../../../nlu/intents/intent.ts'
import { createRequest, rangeOf } from '../../../nlu/intents/request.ts'
import { FOLLOW_UPS, findPhrases, fold, tokenize } from '../../../nlu/lexicon/lexicon.ts'
import { hasOnly, hasPhrase, type RequestContext, readSentence } from '../../../nlu/requests/sentence.ts'
import { type Item, listChanges, type Memory, type Option } from './memory.ts'

/* Reads answers to the last turn, which only the person can give: yes and no, undo, send, and the choice of an option. */

export type Control =
  | { kind: 'undo'; count: number }
  | { kind: 'ask_undo' }
  | { kind: 'nothing_to_undo' }
  | { kind: 'nothing_to_send' }
  | { kind: 'confirm'; actionId: string }
  | { kind: 'press_button' }
  | { kind: 'reject' }
  | { kind: 'nothing' }
  | { kind: 'send'; draft: Item }
  | { kind: 'choose'; option: Option }

const YES =
  /^(?:yes|yeah|yep|yup|sure|ok(?:ay)?|do it|do that|go ahead|correct|right|confirm|ja|jep|klar|genau|mach das|bestätigen?|passt|gerne?)(?:[\s,.!]+(?:please|bitte|do it|do that|mach das|go ahead))?[\s.!]*$/iu
const NO =
  /^(?:no|nope|nah|cancel|never ?mind|don'?t(?: do it)?|stop|forget it|leave it|nein|nee?|lass (?:es|das)|abbrechen|doch nicht|lieber nicht)(?:[\s,]+(?:thanks|thank you|danke))?[\s.!]*$/iu
const SEND =
  /^(?:please |bitte )?(?:send (?:it|that|the (?:draft|mail|email|reply|answer))(?: (?:now|off))?|send|(?:schick|send)e? (?:es|sie|ihn|das|den entwurf|die (?:mail|antwort))(?: (?:ab|los|jetzt))?|abschicken|absenden)(?:,? (?:please|bitte))?[\s.!]*$/iu

const FIRST_HALF =
  /^(?:in the |at |am |early )?(?:morning|a\.?m\.?|morgens?|früh|vormittags?)(?:[\s,]+(?:please|bitte))?[\s.!]*$/iu
const SECOND_HALF =
  /^(?:in the |at |am )?(?:afternoon|evening|night|p\.?m\.?|nachmittags?|abends?|nachts?)(?:[\s,]+(?:please|bitte))?[\s.!]*$/iu

const MAX_WORDS = 14

const ORDINALS = ['nth_1', 'nth_2', 'nth_3', 'nth_4', 'nth_5']

/** Returns the option that an ordinal names. */
const pickOrdinal = (text: string, options: readonly Option[]): Option | undefined => {
  const number = /^(\d)[\s.!)]*$/u.exec(text)?.[1]
  if (number) return options[Number(number) - 1]
  const tokens = tokenize(text)
  const categories = (['en', 'de'] as const).flatMap((language) =>
    findPhrases(tokens, language, FOLLOW_UPS).map(({ category }) => category),
  )
  const index = ORDINALS.findIndex((one) => categories.includes(one))
  if (index >= 0) return options[index]
  // The last button means none of them.
  return categories.includes('last_one') ? options.findLast(({ intent }) => intent !== null) : undefined
}

const hourOf = ({ intent }: Option): number | undefined => {
  const { start, due } = (intent?.arguments ?? {}) as { start?: string; due?: string }
  const wall = start ?? due
  return wall && wall.length > 10 ? Number(wall.slice(11, 13)) : undefined
}

/** Finds the only option in the named half of the day: "in the afternoon". */
const pickHalf = (text: string, options: readonly Option[]): Option | undefined => {
  const isFirst = FIRST_HALF.test(text)
  if (!isFirst && !SECOND_HALF.test(text)) return undefined
  const fits = options.filter((option) => {
    const hour = hourOf(option)
    return hour !== undefined && hour < 12 === isFirst
  })
  return fits.length === 1 ? fits[0] : undefined
}

const EMPTY =
  /^(?:the|that|this|one|with|please|i|mean|meant|der|die|das|den|dem|mit|bitte|ich|meine|[^\p{L}\p{N}])$/u

const contentOf = (text: string): string[] =>
  tokenize(text)
    .map(({ folded }) => folded)
    .filter((word) => !EMPTY.test(word))

/** Finds the option that an answer names: by its label, by "yes" or "no", or by its place. */
const pickOption = (text: string, options: readonly Option[]): Option | undefined => {
  const said = fold(text).replace(/[.!?]+$/u, '')
  const same = options.find(({ label }) => fold(label) === said)
  if (same) return same
  const acting = options.filter(({ intent, isUndo }) => intent !== null || isUndo)
  if (YES.test(text))
    return acting.find(({ label }) => YES.test(label)) ?? (acting.length === 1 ? acting[0] : undefined)
  if (NO.test(text)) return options.find((one) => !acting.includes(one)) ?? { label: text, intent: null }
  const words = contentOf(text)
  const isNamed = (label: string): boolean => {
    const known = contentOf(label)
    return words.every((word) => known.some((one) => one === word))
  }
  const isPart = ({ label }: Option): boolean => said.length > 2 && fold(label).includes(said)
  const named = options.filter((one) => isPart(one) || (words.length > 0 && isNamed(one.label)))
  if (named.length === 1) return named[0]
  return words.length < 4 ? (pickHalf(text, options) ?? pickOrdinal(text, options)) : undefined
}

const UNDO_WORDS = [
  'undo',
  'yes',
  'change',
  'courtesy',
  'correction',
  'pronoun',
  'no',
  'fillers',
  'small',
] as const
/** Nouns for the last change. They need one. */
const UNDO_NOUNS = ['both', 'task', 'event', 'mail', 'draft', 'all_of_them'] as const

/** Returns how many changes are unwanted, in any words: "oops, undo that please". */
const countUndo = (written: string, context: RequestContext, memory: Memory): number => {
  const changes = listChanges(memory).length
  for (const language of ['en', 'de'] as const) {
    const sentence = readSentence(written, language, context)
    const own = findPhrases(sentence.tokens, language, FOLLOW_UPS)
    const all = { ...sentence, phrases: [...sentence.phrases, ...own] }
    const categories = changes > 0 ? [...UNDO_WORDS, ...UNDO_NOUNS] : UNDO_WORDS
    if (hasPhrase(all, 'undo') && hasOnly(all, categories)) return hasPhrase(all, 'both') ? 2 : 1
  }
  return 0
}

/** Reads an answer to the last turn. Returns undefined if the message is a request. */
export const readControl = (
  message: string,
  context: RequestContext,
  memory: Memory,
): Control | undefined => {
  const written = message.trim().replace(/[’‘]/gu, "'")
  if (written.split(/\s+/u).length > MAX_WORDS) return undefined
  const { question, actionIds, confirmableId, isUndoDoubtful, focus } = memory
  const option = question && pickOption(written, question.options)
  if (option) return { kind: 'choose', option }
  if (actionIds.length > 0 && YES.test(written))
    return confirmableId ? { kind: 'confirm', actionId: confirmableId } : { kind: 'press_button' }
  if (actionIds.length > 0 && NO.test(written)) return { kind: 'reject' }
  const count = countUndo(written, context, memory)
  if (count > 0) {
    const changes = listChanges(memory).length
    if (changes === 0) return { kind: 'nothing_to_undo' }
    return isUndoDoubtful ? { kind: 'ask_undo' } : { kind: 'undo', count: Math.min(count, changes) }
  }
  if (NO.test(written)) return { kind: 'nothing' }
  if (SEND.test(written))
    return focus?.kind === 'draft' ? { kind: 'send', draft: focus } : { kind: 'nothing_to_send' }
  return undefined
}

/** An answer to a question for a missing part continues the request. */
export const continueRequest = (message: string, { question }: Memory): string | undefined =>
  question?.continues && message.trim().split(/\s+/u).length <= 8
    ? `${question.continues} ${message.trim()}`
    : undefined

const FOLLOW_UP = /^(?:and|und|what about|how about|was ist mit|wie (?:ist|sieht) es(?: aus)?(?: mit)?)\s+/iu

/** Repeats the last question with another time: "and on Friday?". */
export const readFollowUpQuestion = (
  message: string,
  context: RequestContext,
  { lookup }: Memory,
): Intent | undefined => {
  if (!lookup || !FOLLOW_UP.test(message)) return undefined
  const { times } = createRequest(message.replace(FOLLOW_UP, ''), 0, context)
  const time = times.find(({ start, kind }) => start && kind !== 'recurrence')
  if (!time) return undefined
  const { from: _, to: __, ...rest } = lookup.arguments as Record<string, unknown>
  return { ...lookup, arguments: { ...rest, ...rangeOf(time, context) } } as Intent
}
