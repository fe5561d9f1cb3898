import { createClassifier, toTextBlocks } from '../learning/texts.ts'
import type { Piece } from '../meetings/title.ts'
import { onOneLine, sentencesOf } from '../text.ts'
import { markHosts } from './links.ts'

/* Tells phishing, emergencies and demands for payment from other mail. */

export type MailKind = 'phishing' | 'emergency' | 'dunning' | 'ordinary'

export interface Letter {
  subject: string
  /** Email address of the sender, "" if unknown. */
  from: string
  text: string
}

/** The beginning of a mail says what it is about. */
const MAX_CHARACTERS = 3000

export const toMailBlocks = ({ subject, from, text }: Letter): ReturnType<typeof toTextBlocks> => {
  const start = text.slice(0, MAX_CHARACTERS)
  return toTextBlocks(`${subject.slice(0, 300)}\n${start}`, markHosts(start, from), 1)
}

const score = createClassifier<MailKind>(new URL('../models/mails.json', import.meta.url))

export interface KindDecision {
  kind: MailKind
  /** Score of the kind minus the score of `ordinary`. */
  margin: number
}

export const classifyMail = (letter: Letter): KindDecision => {
  const scores = score(toMailBlocks(letter))
  const kind = (Object.keys(scores) as MailKind[]).reduce((one, other) =>
    scores[other] > scores[one] ? other : one,
  )
  return { kind, margin: scores[kind] - scores.ordinary }
}

/** A warning needs more certainty than the choice between two kinds. */
const MIN_MARGIN = 0.3

export const isCertain = ({ margin }: KindDecision): boolean => margin >= MIN_MARGIN

const MAX_SENTENCES = 40

/** Returns the sentence that shows a kind best. */
export const findEvidence = (text: string, kind: MailKind): Piece | undefined => {
  const sentences = sentencesOf(text.slice(0, MAX_CHARACTERS)).slice(0, MAX_SENTENCES)
  const values = sentences.map(({ from, to }) => {
    const scores = score(toTextBlocks(text.slice(from, to), []))
    return scores[kind] - scores.ordinary
  })
  const best = sentences[values.indexOf(Math.max(...values))]
  if (!best) return undefined
  const words = text.slice(best.from, best.to)
  return { text: onOneLine(words).trim(), offset: best.from + words.length - words.trimStart().length }
}
