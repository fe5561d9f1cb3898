import type { KeyedReservation } from '../../nlu/reservations/extract.ts'
import type { ExtractionRequest } from '../../nlu/reservations/extract-task.ts'
import type { Language } from '../../platform/language.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { runTask } from '../../platform/workers/run-task.ts'
import { defineTask } from '../../platform/workers/task.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import type { MailToRead } from '../mail/messages/analyses.ts'
import type { Reservation } from './reservation-schema.ts'
import { toTitle } from './reservation-text.ts'

/** Larger mails go to a worker thread. Dates cost more than markup. */
const SMALL_TEXT = 4_000
const SMALL_SOURCE = 32_000
/** The extraction ignores everything beyond these limits. */
const MAX_TEXT = 30_000
const MAX_HTML = 512 * 1024

const TASK = defineTask<ExtractionRequest, KeyedReservation[]>(
  new URL('../../nlu/reservations/extract-task.ts', import.meta.url),
  'extract',
)

export type ReadReservations = (mail: Omit<MailToRead, 'id'>, timezone: string) => Promise<KeyedReservation[]>

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

/** Finds the reservations of an email, in a worker thread if that may take long. */
export const createReservationReader =
  (workers: WorkerPool): ReadReservations =>
  (mail, timezone) => {
    const { subject, from, calendars, jsonLd } = mail
    const text = mail.text.slice(0, MAX_TEXT)
    const html = mail.html?.slice(0, MAX_HTML) ?? null
    const sender = from.name || (from.address.split('@')[1] ?? '')
    const sourceLength = (html?.length ?? 0) + lengthOf(calendars) + lengthOf(jsonLd)
    return runTask(
      workers,
      TASK,
      {
        mail: { subject, text, html, sender, calendars, jsonLd },
        options: { date: Date.parse(mail.date), timezone },
      },
      {
        isCheap: text.length <= SMALL_TEXT && sourceLength <= SMALL_SOURCE,
        subject: 'the text',
        code: 'unreadable_message',
      },
    )
  }

const toTime = (time: KeyedReservation['start']): Reservation['start'] =>
  time === null ? null : { ...time, instant: new Date(time.instant).toISOString() }

/** The id is a digest: the key contains the booking reference. */
export const toReservation = (
  { key, items, ...found }: KeyedReservation,
  language: Language,
): Reservation => ({
  ...found,
  articles: items,
  id: digest(key).slice(0, 32),
  title: toTitle(found, language),
  start: toTime(found.start),
  end: toTime(found.end),
  evidence: found.evidence
    .filter(({ text }) => text !== '')
    .map(({ offset, ...quote }) => ({ ...quote, offset: offset < 0 ? null : offset })),
})
