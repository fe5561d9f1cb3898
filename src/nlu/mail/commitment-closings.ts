/*
 * Decides whether a later mail shows that a promise was kept. Only clear words together with the subject of the
 * promise close it. Doubtful mail suggests it, and the person decides.
 */

import { ownText } from '../history.ts'
import { loadPatterns } from '../lexicon/patterns.ts'
import { onOneLine, sentencesOf } from '../text.ts'

export interface LaterMail {
  text: string
  subject: string
  /** Names of the attached files. */
  files: readonly string[]
  /** Whether the one who promised wrote it, and not the one who received the promise. */
  isByAuthor: boolean
  isSameThread: boolean
}

export interface Closing {
  /** `suggested`: the mail may show it. */
  verdict: 'closed' | 'suggested'
  /** The sentence of the mail that shows it. */
  quote: string
}

const pattern = loadPatterns(new URL('../lexicon/mail-promises.txt', import.meta.url))

const MAX_STEM_LENGTH = 5
const MAX_TEXT_LENGTH = 20_000
const MAX_SENTENCES = 60
const MAX_QUOTE_LENGTH = 300
/** A mail of this length with "done" says nothing else. */
const SHORT = 160

/** Returns the beginnings of the words that carry the subject of a text. */
export const keywordsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
      .filter((word) => !pattern('no subject').test(word))
      .map((word) => word.slice(0, MAX_STEM_LENGTH)),
  )

const countShared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let count = 0
  for (const word of one) if (other.has(word)) count++
  return count
}

/** Whether two promises of one person are about the same thing. */
export const isSameCommitment = (one: string, other: string): boolean => {
  const [a, b] = [keywordsOf(one), keywordsOf(other)]
  if (a.size === 0 || b.size === 0)
    return a.size === b.size && onOneLine(one).toLowerCase() === onOneLine(other).toLowerCase()
  return countShared(a, b) / Math.min(a.size, b.size) >= 0.6
}

const clip = (text: string): string =>
  text.length <= MAX_QUOTE_LENGTH ? text : `${text.slice(0, MAX_QUOTE_LENGTH - 1).trimEnd()}…`.toWellFormed()

interface Signs {
  quote: string
  delivers: boolean
  refers: boolean
  done: boolean
  received: boolean
  /** Keywords that the sentence shares with the promise. */
  shared: number
}

const readSigns = (own: string, wanted: ReadonlySet<string>): Signs[] =>
  sentencesOf(own)
    .slice(0, MAX_SENTENCES)
    .flatMap(({ from, to }): Signs[] => {
      const words = onOneLine(own.slice(from, to)).trim()
      if (words.length < 3 || words.length > 600 || /\?\s*$/.test(words)) return []
      const refers = pattern('refers').test(words)
      const delivers = pattern('delivers').test(words)
      const received = pattern('received').test(words)
      const isOpen = pattern('not yet').test(words)
      const done = pattern('done').test(words)
      if (isOpen || !(refers || delivers || received || done)) return []
      return [
        {
          quote: clip(words),
          refers,
          delivers,
          received,
          done,
          shared: countShared(wanted, keywordsOf(words)),
        },
      ]
    })

const judgeOwn = (
  signs: readonly Signs[],
  { files, isSameThread, text }: LaterMail,
  { sharedFiles, isOnly, own }: { sharedFiles: number; isOnly: boolean; own: string },
): Closing | undefined => {
  const hasContent = files.length > 0 || /https?:\/\//.test(text)
  const best = signs.toSorted((a, b) => b.shared - a.shared)
  for (const { quote, refers, delivers, done, shared } of best) {
    const about = shared + sharedFiles
    const isDelivered = delivers && (hasContent || !pattern('attaches').test(quote))
    if (isSameThread) {
      if (refers && (about > 0 || isOnly)) return { verdict: 'closed', quote }
      if (about > 0 && (isDelivered || done)) return { verdict: 'closed', quote }
      if (done && isOnly && own.length <= SHORT) return { verdict: 'closed', quote }
    } else if (about > 1 && (refers || isDelivered || done)) return { verdict: 'closed', quote }
    else if (about > 0 && refers && isDelivered) return { verdict: 'closed', quote }
  }
  const doubtful = best.find(
    ({ refers, delivers, done, shared }) =>
      shared + sharedFiles > 0 || (isSameThread && isOnly && (refers || done || (delivers && hasContent))),
  )
  return doubtful && { verdict: 'suggested', quote: doubtful.quote }
}

/** Decides whether `mail` keeps the promise. `isOnly`: no other promise of that person is open in the thread. */
export const findClosing = (
  promise: string,
  mail: LaterMail,
  { isOnly }: { isOnly: boolean },
): Closing | undefined => {
  const own = onOneLine(ownText(mail.text.slice(0, MAX_TEXT_LENGTH))).trim()
  const wanted = keywordsOf(promise)
  const signs = readSigns(ownText(mail.text.slice(0, MAX_TEXT_LENGTH)), wanted)
  if (!mail.isByAuthor) {
    const thanks = signs.find(({ received, shared }) => received && shared > 0 && mail.isSameThread)
    return thanks && { verdict: 'suggested', quote: thanks.quote }
  }
  const sharedFiles = countShared(wanted, keywordsOf(mail.files.join(' ').replace(/[_\-.\d]+/g, ' ')))
  const found = judgeOwn(signs, mail, { sharedFiles, isOnly, own })
  if (found) return found
  if (mail.isSameThread && sharedFiles > 0)
    return { verdict: 'suggested', quote: clip(mail.files.join(', ')) }
  const isAnswer = mail.isSameThread && isOnly && pattern('communicates').test(promise) && own.length >= 20
  return isAnswer && !pattern('not yet').test(own) ? { verdict: 'suggested', quote: clip(own) } : undefined
}
