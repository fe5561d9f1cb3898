import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { PLACES, positionOf } from '../../database/positions.ts'
import { prepareInsert } from '../../database/prepared.ts'
import type { EmailBodyRow } from '../../database/tables/mail.ts'
import type { NewEmailRow } from './email.ts'
import type { EmailRecord } from './email-repository.ts'

const MINUTE_MS = 60_000

/** Selects the first free position after those taken in [first, end). */
const freePosition = (first: bigint, end: bigint) =>
  sql<number>`coalesce((select max(position) + 1 from emails
    where position >= ${first} and position < ${end}), ${first})`

const ATTEMPTS = 20

const insertRow = prepareInsert<
  NewEmailRow & { first: bigint; end: bigint },
  { id: number; position: number }
>((db, { first, end, ...row }) =>
  db
    .insertInto('emails')
    .values({ ...row, position: freePosition(first, end), threadId: 0 })
    .onConflict((taken) => taken.column('position').doNothing())
    .returning(['id', 'position']),
)

/** Inserts the email at the position of its date. It has no thread yet. */
export const insertEmail = async (tx: Db, row: NewEmailRow): Promise<EmailRecord> => {
  const first = positionOf(row.date)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // A concurrent insert can take the same position. A full millisecond overflows into the next minute.
    const end = first + (attempt < ATTEMPTS / 2 ? PLACES : PLACES * MINUTE_MS)
    const [place] = await insertRow(tx, { ...row, first: BigInt(first), end: BigInt(end) })
    if (place) return { ...row, ...place, threadId: 0, readAttempts: 0 }
  }
  throw new Error('Could not insert an email: no position for its date is free.')
}

const insertBodyRow = prepareInsert<EmailBodyRow>((db, row) => db.insertInto('email_bodies').values(row))

export const insertBody = async (
  tx: Db,
  emailId: number,
  body: { text: string; html: string | null },
): Promise<void> => {
  await insertBodyRow(tx, { emailId, ...body })
}

/** Moves the email to the position of another date, with its tags. */
export const moveInTime = async (tx: Db, id: number, date: string): Promise<number> => {
  const first = positionOf(date)
  const { position } = await tx
    .updateTable('emails')
    .set({ position: freePosition(BigInt(first), BigInt(first + PLACES * MINUTE_MS)) })
    .where('id', '=', id)
    .returning('position')
    .executeTakeFirstOrThrow()
  await tx.updateTable('email_tags').set({ position }).where('emailId', '=', id).execute()
  return position
}
