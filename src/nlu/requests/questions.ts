import { findPhrases, type Phrase, QUESTIONS, type Token } from '../lexicon/lexicon.ts'
import type { ReservationType } from '../reservations/reservation.ts'
import { isInTime, type Sentence, startsWith } from './sentence.ts'

/* Reads a question about a contact or a reservation: which field it asks for, and which words name the item. */

export const CONTACT_FIELDS = ['phone', 'email', 'address', 'birthday', 'company'] as const
export type ContactField = (typeof CONTACT_FIELDS)[number]

/** The types that a word of the lexicon means. */
const TYPES: Readonly<Record<string, readonly ReservationType[]>> = {
  flight: ['flight'],
  train: ['train', 'bus'],
  hotel: ['hotel'],
  restaurant: ['restaurant'],
  parcel: ['parcel', 'order'],
  bill: ['invoice'],
  to_pay: ['invoice'],
  trip: ['flight', 'train', 'bus', 'boat', 'taxi', 'car', 'hotel', 'restaurant', 'event'],
}

/** "Booking" and "reservation" name no type of their own. */
const TRIPS = ['trip']

/** Categories whose words say what is asked, and name nothing. */
const ASKING = [
  ...CONTACT_FIELDS,
  ...Object.keys(TYPES),
  ...['question', 'when', 'until_when', 'where', 'who', 'how_long', 'how_much', 'how_many', 'how_old'],
  ...[
    'reference',
    'seat',
    'platform',
    'courtesy',
    'small',
    'pronoun',
    'person_pronoun',
    'contact',
    'has_new',
  ],
  ...[
    'tell',
    'who_is',
    'last',
    'wrote',
    'born',
    'email_address',
    'trip_words',
    'open',
    'paid',
    'again',
    'add_contact',
    'overdue',
    'no_date',
    'of_me',
  ],
]

/** A message that begins with one of these changes something. */
const COMMANDS = [
  'to_pay',
  'create',
  'change',
  'cancel',
  'move',
  'remind',
  'send',
  'add_person',
  'remove_person',
  'rename',
]

const MAX_SHORT = 4

export interface Question {
  sentence: Sentence
  has: (...categories: readonly string[]) => boolean
  /** True if the message begins with a phrase of the category, after polite words. */
  begins: (category: string) => boolean
  /** The tokens of the phrases of some categories. */
  at: (...categories: readonly string[]) => ReadonlySet<number>
  /** True if it is worded as a question or an order to tell something. */
  isWorded: boolean
  /** True for short messages without a command, too: "Owen's number". */
  isAsking: boolean
  fields: readonly ContactField[]
  types: readonly ReservationType[]
  /** The tokens that may name the item. */
  names: readonly number[]
  /** The same, with those of times: "Jan" and "April" are names, too. */
  words: readonly number[]
}

/** Days since 1970. */
export interface Period {
  first: number
  last: number
}

/** The days that a question names. "By Tuesday" means all days until then. */
export const readPeriods = ({ times }: Pick<Sentence, 'times'>): Period[] =>
  times.flatMap(({ dated, start, end, inclusive, bound, kind }) => {
    if (!dated || !start || kind === 'recurrence') return []
    const isExclusive = end !== undefined && end.seconds === undefined && !inclusive
    const last = end ? end.day - Number(isExclusive) : start.day
    if (bound === 'by' || bound === 'until') return { first: Number.NEGATIVE_INFINITY, last }
    if (bound === 'before') return { first: Number.NEGATIVE_INFINITY, last: start.day - 1 }
    if (bound === 'after' || bound === 'since')
      return { first: start.day + Number(bound === 'after'), last: Number.POSITIVE_INFINITY }
    return { first: start.day, last }
  })

/** "Booking number" asks for no phone number, and "email address" for no street. */
const isInside = (one: Phrase, other: Phrase): boolean =>
  one.category !== other.category &&
  ['reference', 'email', 'email_address', 'phone'].includes(other.category) &&
  other.at.length > one.at.length &&
  one.at.every((at) => other.at.includes(at))

const withoutParts = (phrases: readonly Phrase[]): Phrase[] =>
  phrases.filter(
    (one) =>
      !phrases.some((other) => isInside(one, other) && other.category !== one.category) ||
      !ASKING.includes(one.category),
  )

export const readQuestion = (sentence: Sentence): Question => {
  const { tokens, text } = sentence
  const extra = findPhrases(tokens, sentence.language, QUESTIONS)
  const phrases = withoutParts(
    [...sentence.phrases, ...extra].filter(({ category }) => ASKING.includes(category)),
  )
  const at = (...categories: readonly string[]): ReadonlySet<number> =>
    new Set(phrases.filter(({ category }) => categories.includes(category)).flatMap((one) => one.at))
  const has = (...categories: readonly string[]): boolean => at(...categories).size > 0
  const known = at(...ASKING)
  const named = Object.keys(TYPES).filter((name) => !TRIPS.includes(name) && has(name))
  const words = tokens.flatMap(({ text: word }, index) =>
    known.has(index) || !/[\p{L}\p{N}]/u.test(word) ? [] : index,
  )
  const all = { ...sentence, phrases: [...sentence.phrases, ...extra] }
  const begins = (category: string): boolean => startsWith(all, category)
  const isWorded = /\?\s*$/u.test(text) || ['question', 'tell', 'who_is'].some(begins)
  return {
    sentence,
    has,
    at,
    begins,
    isWorded,
    isAsking: isWorded || (tokens.length <= MAX_SHORT && !COMMANDS.some(begins)),
    fields: CONTACT_FIELDS.filter(
      (field) =>
        has(field) ||
        (field === 'email' && has('email_address')) ||
        (field === 'birthday' && has('how_old', 'born')),
    ),
    types: [
      ...new Set((named.length > 0 ? named : has('trip') ? TRIPS : []).flatMap((name) => TYPES[name] ?? [])),
    ],
    names: words.filter((index) => !isInTime(sentence, tokens[index] as Token)),
    words,
  }
}
