/*
 * Mails of our own with a grade of urgency from 0 to 10 and the action items to find. A hash of the name assigns
 * each mail to the tuning half or to the validation half. Rules may be written for the tuning half only.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { analyzeMail, type MailAnalysis } from '../../src/nlu/mail/analysis.ts'
import type { F1 } from './smcalflow.ts'

interface OwnItem {
  /** `me`, `them` or a name. */
  person: string
  /** Words that the item must contain. */
  words: string
}

export interface OwnMail {
  name: string
  grade: number
  from: string
  subject: string
  text: string
  items: OwnItem[]
}

const OPTIONS = { date: Date.parse('2026-11-17T09:00:00Z'), timezone: 'Europe/Berlin' }

const parseMail = (block: string): OwnMail => {
  const [head = '', ...lines] = block.split('\n')
  const [name = '', grade = '', from = '', subject = ''] = head.split(' | ')
  const end = lines.lastIndexOf('---')
  return {
    name,
    grade: Number(grade),
    from,
    subject,
    text: lines.slice(0, end).join('\n'),
    items: lines
      .slice(end + 1)
      .filter((line) => line.trim() !== '')
      .map((line) => ({
        person: line.slice(0, line.indexOf(':')),
        words: line.slice(line.indexOf(':') + 1).trim(),
      })),
  }
}

const isTuning = ({ name }: OwnMail): boolean =>
  (createHash('sha256').update(name).digest()[0] ?? 0) % 2 === 0

/**
 * `own` has mails of all kinds, `items` mails with and without action items. `posts` has posts of forums. Their grade
 * is how soon they need an answer.
 */
export const readOwnMails = (
  file: 'own' | 'items' | 'posts' = 'own',
): { tuning: OwnMail[]; validation: OwnMail[] } => {
  const url = new URL(`./mails/${file}.txt`, import.meta.url)
  const mails = readFileSync(url, 'utf8').split(/^=== /m).slice(1).map(parseMail)
  return { tuning: mails.filter(isTuning), validation: mails.filter((mail) => !isTuning(mail)) }
}

export const analyzeOwnMail = ({ from, subject, text }: OwnMail): MailAnalysis =>
  analyzeMail({ text, subject, from: /<([^>]+)>/.exec(from)?.[1] ?? from }, OPTIONS)

/** Counts the pairs with different grades that the scores put in the right order. Equal scores count half. */
export const scorePairs = (
  mails: readonly { grade: number; score: number }[],
): { right: number; of: number } => {
  let [right, of] = [0, 0]
  for (const [index, a] of mails.entries())
    for (const b of mails.slice(index + 1)) {
      if (a.grade === b.grade) continue
      of++
      if (a.score === b.score) right += 0.5
      else if (a.grade > b.grade === a.score > b.score) right++
    }
  return { right, of }
}

const rank = (values: readonly number[]): number[] =>
  values.map((value) => {
    const below = values.filter((other) => other < value).length
    const equal = values.filter((other) => other === value).length
    return below + (equal - 1) / 2
  })

/** Spearman's rank correlation of grades and scores. */
export const correlateRanks = (mails: readonly { grade: number; score: number }[]): number => {
  const [a, b] = [rank(mails.map(({ grade }) => grade)), rank(mails.map(({ score }) => score))]
  const mean = (mails.length - 1) / 2
  const sum = (f: (x: number, y: number) => number): number =>
    a.reduce((total, x, index) => total + f(x - mean, (b[index] as number) - mean), 0)
  return sum((x, y) => x * y) / Math.sqrt(sum((x) => x * x) * sum((_, y) => y * y))
}

export const gradeUrgency = (mails: readonly OwnMail[]): { grade: number; score: number }[] =>
  mails.map((mail) => ({ grade: mail.grade, score: analyzeOwnMail(mail).urgency.score }))

interface FoundItem {
  person: string
  text: string
}

const itemsOf = ({ actionItems }: MailAnalysis): FoundItem[] =>
  actionItems.map(({ owner, person, text }) => ({ person: person ?? owner, text }))

const isSame = (found: FoundItem, { person, words }: OwnItem): boolean =>
  found.person === person && found.text.toLowerCase().includes(words.toLowerCase())

/** Scores action items: an item counts if person and words are right. Each expected item counts once. */
export const scoreItems = (mails: readonly OwnMail[]): F1 & { wrong: string[] } => {
  const scores = { hit: 0, predicted: 0, expected: 0, wrong: [] as string[] }
  for (const mail of mails) {
    const found = itemsOf(analyzeOwnMail(mail))
    const open = [...found]
    for (const item of mail.items) {
      const at = open.findIndex((one) => isSame(one, item))
      if (at < 0) scores.wrong.push(`${mail.name}: missing ${item.person}: ${item.words}`)
      else open.splice(at, 1)
    }
    for (const { person, text } of open) scores.wrong.push(`${mail.name}: unexpected ${person}: ${text}`)
    scores.predicted += found.length
    scores.expected += mail.items.length
    scores.hit += found.length - open.length
  }
  return scores
}
