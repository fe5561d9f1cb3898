/*
 * Mails of our own with the promises that they contain. A hash of the text assigns each mail to the tuning half or to
 * the validation half. Rules may be written for the tuning half only.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type FoundCommitment, findCommitments } from '../../src/nlu/mail/commitments.ts'
import type { Rate } from './data.ts'

interface ExpectedPromise {
  words: string
  person: string | null
  day: string | null
}

export interface PromiseMail {
  text: string
  from: string
  subject: string
  people: string[]
  promises: ExpectedPromise[]
}

const FILE = new URL('./mails/promises.txt', import.meta.url)
const TIMEZONE = 'Europe/Berlin'
const OPTIONS = { date: Date.parse('2026-11-17T09:00:00Z'), timezone: TIMEZONE }

const parsePromise = (given: string): ExpectedPromise => {
  const [words = '', day = null] = given.split(' @')
  const [, person = null, rest = words] = /^(\p{Lu}\p{L}+): (.*)$/u.exec(words) ?? []
  return { words: rest, person, day }
}

const parseLine = (line: string): PromiseMail => {
  const [expected = '', whole = ''] = line.split(' :: ')
  const [, head = '', text = whole] = /^\[([^\]]+)\] (.*)$/u.exec(whole) ?? []
  const [from = '', subject = ''] = head.startsWith('cc ') ? [] : head.split(' | ')
  return {
    text: text.replaceAll('\\n', '\n'),
    from,
    subject,
    people: head.startsWith('cc ') ? head.slice(3).split(', ') : [],
    promises: expected === '-' ? [] : expected.split(' ; ').map(parsePromise),
  }
}

const isTuning = ({ text }: PromiseMail): boolean =>
  (createHash('sha256').update(text).digest()[0] ?? 0) % 2 === 0

export const readPromiseMails = (): { tuning: PromiseMail[]; validation: PromiseMail[] } => {
  const mails = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map(parseLine)
  return { tuning: mails.filter(isTuning), validation: mails.filter((mail) => !isTuning(mail)) }
}

const toDay = ({ dueAt }: FoundCommitment): string | null =>
  dueAt === null ? null : new Intl.DateTimeFormat('sv', { timeZone: TIMEZONE }).format(new Date(dueAt))

const isSame = (found: FoundCommitment, { words, person }: ExpectedPromise): boolean =>
  words
    .toLowerCase()
    .split(' ')
    .every((word) => found.text.toLowerCase().includes(word)) &&
  (found.person?.split(' ')[0] ?? null) === person

interface PromiseScores {
  precision: Rate
  recall: Rate
  /** Right due days among the found promises that have one. */
  days: Rate
}

/** Scores promises by words and person. Each expected promise counts once. */
export const scorePromises = (mails: readonly PromiseMail[]): PromiseScores => {
  const precision: Rate = { right: 0, of: 0, wrong: [] }
  const recall: Rate = { right: 0, of: 0, wrong: [] }
  const days: Rate = { right: 0, of: 0, wrong: [] }
  for (const { promises, text, from, subject, people } of mails) {
    const found = findCommitments({ text, from, subject, people, isOwn: false }, OPTIONS)
    const rest = [...found]
    for (const expected of promises) {
      const at = rest.findIndex((one) => isSame(one, expected))
      const [hit] = at < 0 ? [] : rest.splice(at, 1)
      if (!hit) recall.wrong.push(`missing: ${text}`)
      else if (expected.day !== null) {
        days.of++
        if (toDay(hit) === expected.day) days.right++
        else days.wrong.push(`due ${toDay(hit)}: ${text}`)
      }
    }
    for (const { text: words } of rest) precision.wrong.push(`unexpected: ${words}`)
    precision.of += found.length
    precision.right += found.length - rest.length
    recall.of += promises.length
    recall.right += found.length - rest.length
  }
  return { precision, recall, days }
}
