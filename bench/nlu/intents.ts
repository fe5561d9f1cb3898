import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestClass } from '../../src/nlu/intents/classifier.ts'
import { loadCases } from './data.ts'

/*
 * Requests with their class. The public sets have labels of their own, which are mapped to the business of the
 * assistant. Each set is split by a hash of the text: a sentence that occurs in two sets is in the same part of
 * both. Nobody reads the validation part.
 */

export type Part = 'train' | 'tune' | 'validation'

export interface LabelledRequest {
  text: string
  requestClass: RequestClass
  part: Part
}

export const INTENT_SETS = {
  hwu64: { folder: 'intents-hwu64', files: ['train', 'valid', 'test'] },
  clinc150: { folder: 'intents-clinc150', files: ['train', 'val', 'test'] },
  slurp: { folder: 'intents-slurp', files: ['devel', 'test'] },
} as const

export type IntentSet = keyof typeof INTENT_SETS

/** Returns a stable number from 0 to 9 for a text. */
const toBucket = (text: string): number =>
  Number.parseInt(createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, 6), 16) % 10

const toPart = (text: string, trainBuckets: number, tuneBuckets: number): Part => {
  const bucket = toBucket(text)
  return bucket < trainBuckets ? 'train' : bucket < trainBuckets + tuneBuckets ? 'tune' : 'validation'
}

/** A reminder is a task here, and a change of an entry is not a new entry. The public labels do not say which. */
const REMINDER = /\b(?:remind|reminders?|notify|notification|alert)\b/iu
const MOVES = /\b(?:reschedule|move|postpone|shift|push|change|rename|extend)\b/iu
const DROPS =
  /\b(?:remove|delete|cancel|erase|clear|drop|scratch|eliminate|cross|take off|take|off|check off|mark|rid)\b/iu

const LABELS: Readonly<Record<string, (text: string) => RequestClass>> = {
  calendar_query: () => 'ask_events',
  calendar: () => 'ask_events',
  meeting_schedule: () => 'ask_events',
  calendar_set: (text) =>
    REMINDER.test(text) ? 'make_task' : MOVES.test(text) ? 'change_event' : 'make_event',
  schedule_meeting: () => 'make_event',
  calendar_remove: (text) => (REMINDER.test(text) ? 'change_task' : 'change_event'),
  calendar_update: (text) => (DROPS.test(text) || MOVES.test(text) ? 'change_event' : 'make_event'),
  email_query: () => 'ask_mail',
  email_sendemail: () => 'write_mail',
  lists_query: () => 'ask_tasks',
  reminder: () => 'ask_tasks',
  todo_list: () => 'ask_tasks',
  shopping_list: () => 'ask_tasks',
  lists_createoradd: () => 'make_task',
  reminder_update: (text) => (DROPS.test(text) ? 'change_task' : 'make_task'),
  todo_list_update: (text) => (DROPS.test(text) ? 'change_task' : 'make_task'),
  shopping_list_update: (text) => (DROPS.test(text) ? 'change_task' : 'make_task'),
  lists_remove: () => 'change_task',
  datetime_query: () => 'date',
  datetime_convert: () => 'date',
  date: () => 'date',
  time: () => 'date',
  timezone: () => 'date',
}

/** An alarm may become a reminder or be rejected; both are correct. */
const isScored = ({ intent }: { intent: string }): boolean => !intent.startsWith('alarm')

export const loadIntentSet = (set: IntentSet): LabelledRequest[] =>
  INTENT_SETS[set].files
    .flatMap((file) => loadCases<{ text: string; intent: string }>(INTENT_SETS[set].folder, file))
    .filter(isScored)
    .map(({ text, intent }) => ({
      text,
      requestClass: Object.hasOwn(LABELS, intent) ? (LABELS[intent]?.(text) ?? 'outside') : 'outside',
      part: toPart(text, 8, 1),
    }))

/** True if the folder has only held-out sentences, which have no training part. */
export const isHeldOut = (set: IntentSet): boolean =>
  INTENT_SETS[set].files
    .slice(0, -1)
    .every((file) => loadCases<unknown>(INTENT_SETS[set].folder, file).length === 0)

const loadOwnFile = (file: string, trainBuckets: number, tuneBuckets: number): LabelledRequest[] => {
  let requestClass: RequestClass = 'outside'
  const requests: LabelledRequest[] = []
  const lines = readFileSync(new URL(`./sentences/${file}.txt`, import.meta.url), 'utf8').split('\n')
  for (const line of lines)
    if (line.startsWith('# ')) requestClass = line.slice(2) as RequestClass
    else if (line !== '')
      requests.push({ text: line, requestClass, part: toPart(line, trainBuckets, tuneBuckets) })
  return requests
}

/**
 * Loads the project's own sentences. A line such as `# make_task` names the class of the lines below it. Half of the
 * varied German sentences validate, because a rate of 0.5 % needs 200 sentences.
 */
export const loadOwnRequests = (language: 'english' | 'german'): LabelledRequest[] =>
  language === 'english'
    ? loadOwnFile('english', 6, 2)
    : [
        ...loadOwnFile('german', 6, 2),
        ...loadOwnFile('german-varied', 3, 2),
        // Written after the German tuning.
        ...loadOwnFile('german-late', 0, 0),
      ]
