import type { TimeExpression } from '../dates/read.ts'
import { onOneLine, sentencesOf } from '../text.ts'
import { pattern as request } from './action-items.ts'
import { nameSender, type Sender } from './sender.ts'

/*
 * Writes the title of a task as a person would note it: without courtesy, date and reason, with names for pronouns.
 * English titles begin with the verb. German titles end with the infinitive.
 */

export interface TitleContext {
  german: boolean
  sender: Sender
  /** The text of the mail before the request. Pronouns refer to it. */
  before: string
  /** The times of the request, with offsets in it. */
  times: readonly TimeExpression[]
  /** The subject of an answer that is asked for: "let me know". */
  topic?: string | undefined
}

const MAX_LENGTH = 2000

const POLITE =
  /^(?:(?:and|also|so|then|but|und|dann|außerdem)[\s,]+)?(?:(?:when|whenever|if|wenn|falls|sobald) [^,]{1,80}, )?(?:(?:please|pls|kindly|bitte)[\s,]+)?(?:(?:(?:could|can|would|will) you|(?:i|we) (?:would |will |['’]d |['’]ll )?(?:need|want|like) you to|you (?:need|have) to|(?:könnten|können|würden|möchten) sie|(?:könntest|kannst|würdest|magst|möchtest|willst) du|you (?=(?:get|send|bring|make|call|take|write|check)\s)|(?:könntet|könnt) ihr)\s+)?(?:(?:please|pls|kindly|bitte|maybe|also|auch|mir bitte|uns bitte|(?:be sure|make sure|remember|try) to|(?:do not|don['’]t) forget to)[\s,]+)*/iu
/** The words after these tell why, or what happens otherwise. */
const REASON =
  /[\s,]+(?:so that|because|since|in order to|to avoid|otherwise|or else|as soon as (?:possible|you can)|asap|at your earliest convenience|thanks|thank you|damit|weil|da|sonst|andernfalls|ansonsten|um zu|denn|oder \p{Ll}+ (?:sie|mir|uns|dich))(?!\p{L}).*$|,\s+(?:as|so|or|dann|so dass|sodass)\s.*$/iu
const SOON =
  /\s*(?<!\p{L})(?:so (?:bald|schnell) wie möglich|möglichst (?:bald|schnell)|schnellstmöglich|umgehend|zeitnah|bei gelegenheit)(?!\p{L})/giu

/** Removes the dates. "Now" is no date and stays. */
const removeTimes = (text: string, times: readonly TimeExpression[]): string =>
  times
    .filter(({ duration, kind }) => duration?.n !== 0 && kind !== 'duration' && kind !== 'recurrence')
    .toSorted((a, b) => b.offset - a.offset)
    .reduce((rest, { offset, text: words }) => {
      const lead =
        /(?:\s(?:by|on|at|before|until|till|for|latest|spätestens|bis|bis zum|am|um|zum|im))*\s*$/iu.exec(
          rest.slice(0, offset),
        )
      return `${rest.slice(0, lead?.index ?? offset)} ${rest.slice(offset + words.length)}`
    }, text)

const NOUN_PHRASE = {
  en: /(?<!(?:of|in|on|for|from|with|at|by|to|about)\s)\b(?:the|your|our|my|this|that|an?)\s((?:[\p{L}-]+\s){0,2}?[\p{L}-]+)(?=[.,;:!?\n]|\s(?:is|are|was|were|has|have|will|that|which|for|from|to|by|on|in|at|and|of|needs?)\b|$)/giu,
  de: /(?<!(?:in|im|an|am|auf|für|mit|von|zu|bei|aus|nach|über|unter|wegen)\s)(?<!\p{L})(die|eine|ihre|deine|unsere|meine|das|ein|ihr|dein|unser|mein|den|einen|ihren|deinen|unseren|meinen)\s((?:\p{Ll}+(?:e|en)\s)?\p{Lu}[\p{L}-]+)/giu,
}
const GENDER: Readonly<Record<string, RegExp>> = {
  sie: /e$/iu,
  es: /^(?:das|(?:ihr|dein|unser|mein|e?in)|ein)$/iu,
  ihn: /en$/iu,
}
const PERSON_SUBJECT =
  /(?:^|[.!?]\s|\n)\s*(\p{Lu}\p{Ll}+)\s(?:hat|ist|liegt|braucht|wartet|muss|steht|has|is|needs|was)\s/gu

/** Finds what a pronoun stands for: the first noun of its gender in the sentence next before it, or a person. */
const resolve = (
  pronoun: string,
  before: string,
  german: boolean,
): { words: string; isPerson: boolean } | undefined => {
  const gender = GENDER[pronoun]
  if (german && !gender) return undefined
  for (const { from, to } of sentencesOf(before).reverse().slice(0, 4)) {
    const sentence = before.slice(from, to).trim()
    const found = [...sentence.matchAll(NOUN_PHRASE[german ? 'de' : 'en'])]
    const noun = german ? found.find(([, article = '']) => gender?.test(article))?.[2] : found[0]?.[1]
    if (noun) return { words: german ? noun : `the ${noun}`, isPerson: false }
    const [, person] = sentence.matchAll(PERSON_SUBJECT).next().value ?? []
    if (person) return { words: person, isPerson: true }
  }
  return undefined
}

const AMOUNT = /[€£$]\s?\d[\d.,]*\d|\d[\d.,]*\s?(?:EUR|Euro|€|£|\$|CHF|USD|GBP)(?!\p{L})/giu
const PAYS = /(?<!\p{L})(?:pay|transfer|settle|überweis\p{L}*|(?:be)?zahl\p{L}*|begleich\p{L}*)(?!\p{L})/iu
const ADDED = /^[^\p{L}]{0,3}(?:zuzüglich|zzgl\.?|plus)[^\p{L}]{0,3}$/iu

const toNumber = (amount: string): number => {
  const digits = amount.replace(/[^\d.,]/g, '')
  return Number(
    /,\d{1,2}$/.test(digits) ? digits.replace(/\./g, '').replace(',', '.') : digits.replace(/,/g, ''),
  )
}

/** Adds a fee to an amount: "61,20 EUR zuzüglich 2,50 EUR". */
const findAmount = (text: string): string | undefined => {
  const [first, second] = [...text.matchAll(AMOUNT)]
  if (!first || !second) return first?.[0]
  if (!ADDED.test(text.slice(first.index + first[0].length, second.index))) return first[0]
  const sum = (toNumber(first[0]) + toNumber(second[0])).toFixed(2)
  return first[0].replace(/\d[\d.,]*\d|\d/, first[0].includes(',') ? sum.replace('.', ',') : sum)
}

const writePayment = (text: string, { german, sender, before }: TitleContext): string | undefined => {
  const payee = nameSender(sender, german, true)
  const amount = PAYS.test(text) ? (findAmount(text) ?? findAmount(before)) : undefined
  if (amount === undefined || !payee) return undefined
  return german
    ? `${amount} an ${payee.accusative} ${/überweis/iu.test(text) ? 'überweisen' : 'zahlen'}`
    : `Pay ${amount} to ${payee.name}`
}

const writeEnglish = (text: string, { sender, before, topic }: TitleContext): string => {
  const named = nameSender(sender, false)?.name
  const answered =
    topic && /^(?:let (?:me|us) know|get back to (?:me|us))$/iu.test(text) ? `${text} about ${topic}` : text
  const addressed = named
    ? answered
        .replace(/\b(?:me|us)\b/giu, named)
        .replace(/\b(?:my|our)\b/giu, `${named}’s`)
        .replace(/\byour\b/giu, 'the')
    : answered
  return addressed.replace(
    /(?<=^[\p{L}-]+\s(?:back\s|up\s|off\s)?)(?:it|them)(?!\p{L})/iu,
    (pronoun) => resolve(pronoun, before, false)?.words ?? pronoun,
  )
}

const IRREGULAR: Readonly<Record<string, string>> = {
  gib: 'geben',
  nimm: 'nehmen',
  lies: 'lesen',
  sprich: 'sprechen',
  hilf: 'helfen',
  wirf: 'werfen',
  sieh: 'sehen',
  übernimm: 'übernehmen',
}
const PARTICLES = new Set(
  'ab an auf aus bei durch ein fertig her hin mit nach nieder raus rein um vor weg weiter zu zurück zusammen bereit fest'.split(
    ' ',
  ),
)
const FILLERS = new Set('bitte doch mal noch kurz gern gerne auch einfach sich dir dich euch dann'.split(' '))
const ARTICLES =
  /^(?:der|die|das|den|dem|eine?[nmr]?|ihre?[nmr]?|deine?[nmr]?|eure?[nmr]?|unsere?[nmr]?|meine?[nmr]?)$/iu
const SENDING = /(?:schick|send|mail|leit|überweis|zurückgeb|fax)\p{L}*$/iu

/** "schick" and "aktualisiere" as infinitives. */
const toInfinitive = (imperative: string): string | undefined => {
  const word = imperative.toLowerCase()
  const irregular = IRREGULAR[word]
  if (irregular) return irregular
  const stem = [word, word.replace(/e$/, ''), word.replace(/e?t$/, '')].find((one) =>
    request('stem').test(one),
  )
  if (stem === undefined) return undefined
  return /[^aeiouäöü](?:er|el|r|l)$/.test(stem) && word.endsWith('e') && /[^aeiouäöüe][rl]$/.test(stem)
    ? `${stem.slice(0, -1)}e${stem.at(-1)}n`
    : `${stem}en`
}

interface Predicate {
  /** The infinitive. */
  verb: string
  words: readonly string[]
  /** The words after a separated particle. */
  tail: readonly string[]
}

/** Splits a German request into its verb, as an infinitive, and the other words. */
const splitVerb = (text: string): Predicate | undefined => {
  const words = text.split(' ')
  const [first = '', second = ''] = words
  const isFormal = second.toLowerCase() === 'sie' && /e?n$/u.test(first)
  const infinitive = isFormal ? first.toLowerCase() : toInfinitive(first)
  if (infinitive === undefined) {
    const verb = words.at(-1) as string
    return /^\p{Ll}+e?n$/u.test(verb) ? { verb, words: words.slice(0, -1), tail: [] } : undefined
  }
  const rest = words.slice(isFormal ? 2 : 1)
  const at = rest.findIndex(
    (word, index) =>
      PARTICLES.has(word.replace(/[:,]$/, '')) &&
      (/[:,]$/.test(word) || index === rest.length - 1 || BEHIND.test(rest[index + 1] as string)),
  )
  if (at < 0) return { verb: infinitive, words: rest, tail: [] }
  const [, particle = '', mark = ''] = /^(.*?)([:,]?)$/.exec(rest[at] as string) ?? []
  return { verb: `${particle}${infinitive}${mark}`, words: rest.slice(0, at), tail: rest.slice(at + 1) }
}
/** The words after a separated particle. */
const BEHIND = /^(?:unter|wegen|und|wenn)$/

/** Articles at the beginning and after "und" are left out, as in a headline. */
const dropArticles = (words: readonly string[]): string[] =>
  words.filter((word, at) => {
    const isFirst = at === 0 || /^(?:und|oder)$/iu.test(words[at - 1] as string)
    return !(isFirst && at + 1 < words.length && ARTICLES.test(word))
  })

const writeGerman = (text: string, { sender, before }: TitleContext): string => {
  const predicate = splitVerb(text)
  if (!predicate) return text
  const { verb, tail } = predicate
  const named = nameSender(sender, true)
  let recipient = ''
  const words = predicate.words
    .filter((word) => !FILLERS.has(word.toLowerCase()))
    .flatMap((word, at) => {
      const small = word.toLowerCase()
      if (named && small === 'mich') return [named.accusative]
      if (named && (small === 'mir' || small === 'uns')) {
        if (!SENDING.test(verb)) return [at > 0 && small === 'uns' ? named.accusative : named.dative]
        recipient = ` an ${named.accusative}`
        return []
      }
      const meant = at < 2 ? resolve(small, before, true) : undefined
      if (meant?.isPerson && named && verb === 'abholen') recipient = ` von ${named.dative}`
      return [meant?.words ?? word]
    })
  return [...dropArticles(words), recipient.trim(), verb, ...tail].filter((word) => word !== '').join(' ')
}

const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** Turns a request into the title of a task. Without a context, only the courtesy is removed. */
export const writeTaskTitle = (text: string, context?: TitleContext): string => {
  const tidy = text.slice(0, MAX_LENGTH).replace(/\s+/gu, ' ').trim()
  const timeless = context ? removeTimes(onOneLine(text).slice(0, MAX_LENGTH), context.times) : tidy
  const bare = timeless
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(POLITE, '')
    .replace(context ? REASON : /$/, '')
    .replace(context ? SOON : /$/, '')
    .replace(/[\s.?!,;:]{1,20}$/u, '')
  if (bare.length < 3) return capitalize(tidy)
  if (!context) return capitalize(bare)
  const payment = writePayment(bare, context)
  if (payment) return payment
  return capitalize(context.german ? writeGerman(bare, context) : writeEnglish(bare, context))
}
