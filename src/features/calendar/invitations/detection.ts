import type { Db } from '../../../database/db.ts'
import { readingIn } from '../../../database/transaction.ts'
import type { DetectedMeeting, DetectOptions } from '../../../nlu/meetings/detect.ts'
import type { DetectRequest, detect } from '../../../nlu/meetings/detect-task.ts'
import { readRule } from '../../../nlu/recurrence/rule.ts'
import type { Clock } from '../../../platform/clock.ts'
import { notFound } from '../../../platform/errors.ts'
import { defineTask, runTask } from '../../../platform/workers/run-task.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { listByUid } from '../event-repository.ts'
import type { CalendarReader } from '../ical/reader.ts'
import { isoOf, isWithinReach, readMoment, requireZone } from '../times.ts'
import { contextOf } from './automatic-updates.ts'
import type { UpdateJournal } from './journal.ts'
import { type AnswerPost, type InvitationMail, readMail } from './mail.ts'
import type { DetectInput, FoundMeeting, InvitationCard } from './schema.ts'
import { invitationTexts } from './texts.ts'
import type { createUpdateDecision } from './update-decision.ts'

const MAX_TITLE_LENGTH = 1000

/** Converts a detected meeting to the API form, which `from-email` accepts. */
const foundOf = (meeting: DetectedMeeting): FoundMeeting => {
  const { endStated: _, start, end, title, recurrence, ...rest } = meeting
  return {
    ...rest,
    title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed(),
    start: isoOf(start),
    end: isoOf(end),
    recurrence: recurrence !== null && 'fault' in readRule(recurrence) ? null : recurrence,
  }
}

/** Excludes years that the calendar does not support: such a number is not a year. */
const isPossible = ({ start, end }: FoundMeeting): boolean => isWithinReach(start) && isWithinReach(end)

/** A text full of dates takes 7 ms per 1,000 characters on a slow machine. */
const SMALL_TEXT = 4_000
/** The engine reads at most this many characters. */
const MAX_TEXT_LENGTH = 60_000

const TASK = defineTask<DetectRequest, ReturnType<typeof detect>>(
  new URL('../../../nlu/meetings/detect-task.ts', import.meta.url),
  'detect',
)

/** Detects meetings. Long texts are processed in a worker thread. The engine is loaded on first use. */
export const findMeetings = async (workers: WorkerPool, text: string, options: DetectOptions) => {
  const input = { text: text.slice(0, MAX_TEXT_LENGTH), options }
  const { meetings, signals } = await runTask(workers, TASK, input, {
    isCheap: text.length <= SMALL_TEXT,
    subject: 'the text',
    code: 'unreadable_message',
  })
  const found = meetings.map(foundOf).filter(isPossible)
  const confidence = Math.max(0, ...found.map((meeting) => meeting.confidence))
  return { detected: found.length > 0, confidence, meetings: found, signals }
}

export type DetectMeetings = ReturnType<typeof createDetecting>

/** Detects meetings in a text without a language model. Writes nothing. */
export const createDetecting =
  ({
    clock,
    zoneOf,
    workers,
  }: {
    clock: Clock
    zoneOf: (userId: number) => Promise<string>
    workers: WorkerPool
  }) =>
  async (userId: number, { text, subject, referenceTime, timezone: zone }: DetectInput) => {
    const here = zone === undefined ? await zoneOf(userId) : requireZone('timezone', zone)
    const now =
      referenceTime === undefined
        ? clock.now().getTime()
        : Date.parse(readMoment('referenceTime', referenceTime, here))
    return findMeetings(workers, text, { now, timezone: here, ...(subject && { subject }) })
  }

export type DescribeInvitation = ReturnType<typeof createInvitationCards>

/** Describes the meeting in an email, its effect on the calendar, or why it had none. Writes nothing. */
export const createInvitationCards =
  (deps: {
    db: Db
    invitationMail: InvitationMail
    post: Pick<AnswerPost, 'accounts'>
    decide: ReturnType<typeof createUpdateDecision>
    journal: UpdateJournal
    reader: Pick<CalendarReader, 'readFile'>
    habitsOf: (userId: number) => Promise<{ timezone: string; locale: string }>
  }) =>
  async (userId: number, emailId: number): Promise<InvitationCard> => {
    const { timezone, locale } = await deps.habitsOf(userId)
    const view = readingIn(deps.db)
    const mail = await deps.invitationMail.find(view, userId, emailId)
    if (!mail) throw notFound('email')
    const components = await readMail(mail, { timezone, reader: deps.reader })
    const first = components?.[0]
    if (!components || !first) throw notFound('invitation: this email has no calendar part')
    const { entry, method } = first
    const rows = await listByUid(view, userId, [...new Set(components.map((each) => each.entry.uid))])
    const decision = await deps.decide(view, components, await contextOf(view, userId, deps, mail, rows))
    const change = await deps.journal.findOfEmail(view, userId, emailId)
    const known = rows.find(({ uid, recurrenceId }) => uid === entry.uid && recurrenceId === '') ?? rows[0]
    const state = change ? (change.isUndone ? 'undone' : 'applied') : decision.state
    return {
      emailId,
      method: method ?? 'PUBLISH',
      title: entry.title || known?.title || '',
      start: first.kind === 'entry' ? first.entry.start : null,
      end: first.kind === 'entry' ? first.entry.end : null,
      allDay: first.kind === 'entry' && first.entry.allDay,
      timezone: first.kind === 'entry' ? first.entry.timezone : null,
      location: entry.location,
      sender: mail.from,
      organizer: entry.organizer,
      eventId: known ? (known.seriesId ?? known.id) : null,
      state,
      reason: change || !decision.reason ? null : decision.reason(invitationTexts(locale).reasons),
      actionId: change && !change.isUndone ? change.actionId : null,
    }
  }
