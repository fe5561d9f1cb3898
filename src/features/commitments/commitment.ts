import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { CommitmentRow } from '../../database/tables/commitments.ts'
import { invalidField } from '../../platform/errors.ts'
import { Instant, Nullable } from '../../platform/http/shapes.ts'
import { readInstant } from '../../platform/time.ts'
import { endOfDay, startOfDay } from '../../recurrence/time-zones.ts'

/* The definition of a commitment: its fields, their API schema, and their columns. */

export const DIRECTIONS = ['mine', 'theirs'] as const
export const STATUSES = ['open', 'done', 'dismissed'] as const
export type Status = (typeof STATUSES)[number]
export const CLOSED_BY = ['email', 'task', 'user'] as const

export const MAX_TEXT_LENGTH = 500

export const Id = (example: number, description?: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [example],
    ...(description !== undefined && { description }),
  })
const Text = Type.String({
  minLength: 1,
  maxLength: MAX_TEXT_LENGTH,
  pattern: '\\S',
  examples: ['I will send you the offer by Friday'],
})
const StatusField = Type.Enum([...STATUSES], { type: 'string', examples: ['open'] })
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-03-06'] })

export const Commitment = Type.Object(
  {
    id: Id(31),
    direction: Type.Enum([...DIRECTIONS], {
      type: 'string',
      examples: ['theirs'],
      description: '`mine`: you promised it; `theirs`: the other person promised it to you',
    }),
    person: Type.Object(
      {
        name: Type.String({ examples: ['Ana Ruiz'], description: 'Empty if unknown' }),
        address: Type.String({ examples: ['ana@example.org'], description: 'In lower case' }),
        contactId: Nullable(Id(12, 'The contact that has the address')),
      },
      { title: 'CommitmentPerson', description: 'The other person' },
    ),
    text: Text,
    quote: Type.String({
      examples: ['I will send you the offer by Friday, and you get me the plan.'],
      description: 'The sentence in the email. Kept when the email is deleted',
    }),
    quoteOffset: Type.Integer({
      minimum: 0,
      examples: [42],
      description: 'Position of the quote in the text of the email',
    }),
    emailId: Nullable(Id(4711, 'The email with the promise; null after it was deleted')),
    threadId: Nullable(Id(4700)),
    subject: Type.String({ examples: ['Offer for the kitchen'] }),
    promisedAt: Instant,
    confidence: Type.Number({ minimum: 0, maximum: 1, examples: [0.9] }),
    dueAt: Nullable(Instant),
    dueDay: Nullable(
      Type.String({
        format: 'date',
        examples: ['2026-03-06'],
        description: 'Due on this day, without an hour. `dueAt` is the start of the day',
      }),
    ),
    isOverdue: Type.Boolean({ examples: [false], description: 'Open and past its due date' }),
    status: StatusField,
    closedAt: Nullable(Instant),
    closedBy: Nullable(
      Type.Enum([...CLOSED_BY], {
        type: 'string',
        examples: ['email'],
        description: '`email`: a later email shows it; `task`: its task was completed; `user`: you closed it',
      }),
    ),
    closingEmailId: Nullable(
      Id(4720, 'The email that shows that the promise was kept. While `status` is `open`, a suggestion'),
    ),
    closingQuote: Nullable(Type.String({ examples: ['Please find the offer attached.'] })),
    taskId: Nullable(Id(42, 'The task that was created from it')),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Commitment' },
)
export type Commitment = Static<typeof Commitment>
/** A commitment with its version, which the ETag needs. `extra` changes with the clock and with contacts. */
export type VersionedCommitment = Commitment & { version: number; extra: string }

export const CommitmentChange = Type.Object(
  {
    text: Type.Optional(Text),
    status: Type.Optional(StatusField),
    dueAt: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 40,
          examples: ['2026-03-06'],
          description: 'Due time. A date without a time is the same as `dueDay`. Null removes the due date',
        }),
      ),
    ),
    dueDay: Type.Optional(Nullable(Day)),
    rejectSuggestion: Type.Optional(
      Type.Boolean({ examples: [true], description: 'Removes the email that suggests that it was kept' }),
    ),
  },
  { additionalProperties: false, title: 'CommitmentChange', examples: [{ status: 'done' }] },
)
export type CommitmentChange = Static<typeof CommitmentChange>

export type CommitmentRecord = Selectable<CommitmentRow>

export const toCommitment = (
  row: CommitmentRecord,
  contactId: number | null,
  now: string,
): VersionedCommitment => {
  const {
    userId: _,
    personName,
    personAddress,
    lateAt,
    place: __,
    isPrivate: ___,
    remindAt: ____,
    ...rest
  } = row
  const isOverdue = row.status === 'open' && lateAt !== null && lateAt <= now
  return {
    ...rest,
    confidence: row.confidence / 100,
    person: { name: personName, address: personAddress, contactId },
    isOverdue,
    extra: `${isOverdue ? 'late' : ''}${contactId ?? ''}`,
  }
}

/** The latest instant with a four-digit year. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
const WITHOUT_DATE = 1_000_000_000_000_000
const CLOSED = 2_000_000_000_000_000

/**
 * Returns the position in lists: open ones by due date, then those without one, the newest first, then closed ones, the
 * last closed first. All open ones are below `CLOSED`.
 */
export const toPlace = (
  row: Pick<CommitmentRecord, 'status' | 'dueAt' | 'promisedAt' | 'closedAt'>,
): number => {
  if (row.status !== 'open') return CLOSED + LATEST - Date.parse(row.closedAt ?? row.promisedAt)
  if (row.dueAt !== null) return Date.parse(row.dueAt)
  return WITHOUT_DATE + LATEST - Date.parse(row.promisedAt)
}

const HOUR_MS = 3_600_000
/** Hours of a due day at which a reminder is useful. */
const REMINDER_HOURS = [8, 16]

/** Returns the time of the reminder. A promise of a day reminds in its morning, or in its afternoon if that is past. */
export const toRemindAt = (
  { status, dueAt, dueDay }: Pick<CommitmentRecord, 'status' | 'dueAt' | 'dueDay'>,
  now: number,
): string | null => {
  if (status !== 'open' || dueAt === null) return null
  const start = Date.parse(dueAt)
  const times = dueDay === null ? [start] : REMINDER_HOURS.map((hour) => start + hour * HOUR_MS)
  const next = times.find((time) => time > now && time <= LATEST)
  return next === undefined ? null : new Date(next).toISOString()
}

export type Due = Pick<CommitmentRecord, 'dueAt' | 'dueDay' | 'lateAt'>

export const NO_DUE: Due = { dueAt: null, dueDay: null, lateAt: null }

export const dueOnDay = (dueDay: string, timezone: string): Due => ({
  dueAt: new Date(startOfDay(dueDay, timezone)).toISOString(),
  dueDay,
  lateAt: new Date(Math.min(LATEST, endOfDay(dueDay, timezone))).toISOString(),
})

export const dueAtTime = (at: string): Due => ({ dueAt: at, dueDay: null, lateAt: at })

/** Reads the due date of a change. Returns undefined if the change has none. */
export const readDue = (
  { dueAt, dueDay }: Pick<CommitmentChange, 'dueAt' | 'dueDay'>,
  timezone: string,
): Due | undefined => {
  if (dueAt === undefined && dueDay === undefined) return undefined
  if (dueAt && dueDay) throw invalidField('dueDay', 'is only allowed without dueAt')
  const day = dueDay ?? (dueAt && /^\d{4}-\d{2}-\d{2}$/.test(dueAt) ? dueAt : null)
  if (day !== null) {
    const path = dueDay ? 'dueDay' : 'dueAt'
    const start = readInstant(path, day, timezone)
    if (!/^\d{4}-/.test(start) || start < '0001') throw invalidField(path, 'must be a day such as 2026-03-01')
    return dueOnDay(day, timezone)
  }
  return dueAt ? dueAtTime(readInstant('dueAt', dueAt, timezone)) : NO_DUE
}
