import type { Db } from '../../database/db.ts'
import { cutLooseLinks } from '../../database/schema-info.ts'
import {
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  oneOf,
  orNull,
  own,
  portable,
  text,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { CLOSED_BY, DIRECTIONS, dueOnDay, STATUSES, toPlace, toRemindAt } from './commitment.ts'
import type { Commitments } from './commitments.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

const rows = portable('commitments', {
  file: 'commitments.jsonl',
  isAdded: true,
  columns: {
    id: id('commitments'),
    userId: own,
    direction: oneOf(...DIRECTIONS),
    personName: text,
    personAddress: text,
    text,
    quote: text,
    quoteOffset: integer,
    emailId: idOrNull('emails'),
    threadId: idOrNull('emails'),
    subject: text,
    promisedAt: instant,
    confidence: integer,
    dueAt: instantOrNull,
    dueDay: textOrNull,
    lateAt: without(null),
    place: without(0),
    remindAt: without(null),
    status: oneOf(...STATUSES),
    closedAt: instantOrNull,
    closedBy: orNull(oneOf(...CLOSED_BY)),
    closingEmailId: idOrNull('emails'),
    closingQuote: textOrNull,
    taskId: idOrNull('tasks'),
    isPrivate: flag,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
  complete(row) {
    if (row.dueDay !== null && (!DAY.test(row.dueDay) || row.dueAt === null))
      throw new Error('dueDay must be a day such as 2026-03-01, with dueAt')
    // `afterImport` recalculates the days of open promises in the time zone of the account.
    const lateAt = row.dueDay === null ? row.dueAt : dueOnDay(row.dueDay, 'UTC').lateAt
    return { ...row, lateAt, place: toPlace(row), remindAt: toRemindAt(row, Date.parse(row.createdAt)) }
  },
})

export const createCommitmentsPart = (deps: {
  commitments: Commitments
  zoneOf: (userId: number) => Promise<string>
}): DataPart => ({
  folder: 'commitments',
  tables: [rows],
  others: ['commitment_mails'],

  async afterImport(tx: Db, { userId }) {
    for (const [column, to] of [
      ['emailId', 'emails'],
      ['closingEmailId', 'emails'],
      ['taskId', 'tasks'],
    ] as const)
      await cutLooseLinks(tx, userId, { from: 'commitments', column, to })
    await deps.commitments.recalculateDays(tx, userId, await deps.zoneOf(userId))
  },
})
