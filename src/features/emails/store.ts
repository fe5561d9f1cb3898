import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import { PLACES, positionOf } from '../../database/positions.ts'
import { prepare } from '../../database/prepared.ts'
import type { EmailBodyRow, EmailRow } from '../../database/tables/mail.ts'
import { addToTally, clearTally } from '../../database/tallies.ts'

export type EmailRecord = Selectable<EmailRow>
export type WholeEmail = EmailRecord & Pick<EmailBodyRow, 'text' | 'html'>
export type NewEmailRow = Omit<Insertable<EmailRow>, 'id' | 'position' | 'threadId'>

/** How many there are. */
export const TALLY = 'emails'
/** How many were deleted whose words may still lie, without them, in the index. */
export const ERASED = 'emails.erased'
/** When the index was last tidied, in hours. */
export const TIDIED = 'emails.tidied'

const MINUTE_MS = 60_000

/** The next free place after those that are taken, among the first `span`. */
const freePosition = (first: number, span: number) =>
  sql<number>`coalesce((select max(position) + 1 from emails
    where position >= ${BigInt(first)} and position < ${BigInt(first + span)}), ${BigInt(first)})`

const ATTEMPTS = 20

/** Inserts the e-mail in its place in time; it begins a conversation of its own. */
export const insertEmail = async (tx: Db, row: NewEmailRow): Promise<EmailRecord> => {
  const first = positionOf(row.date)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Another may take the same place at the same moment; a full millisecond overflows into the minute after it.
    const position = freePosition(first, attempt < ATTEMPTS / 2 ? PLACES : PLACES * MINUTE_MS)
    const inserted = await tx
      .insertInto('emails')
      .values({ ...row, position, threadId: 0 })
      .onConflict((taken) => taken.column('position').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (inserted) {
      await addToTally(tx, TALLY, 1)
      return inserted
    }
  }
  throw new Error('No place in time was free for an e-mail.')
}

export const insertBody = async (
  tx: Db,
  emailId: number,
  body: { text: string; html: string | null },
): Promise<void> => {
  await tx
    .insertInto('email_bodies')
    .values({ emailId, ...body })
    .execute()
}

export const updateBody = async (
  tx: Db,
  emailId: number,
  body: { text: string; html: string | null },
): Promise<void> => {
  await tx.updateTable('email_bodies').set(body).where('emailId', '=', emailId).execute()
}

const selectWhole = prepare<{ id: number }, WholeEmail>((db, parameter) =>
  db
    .selectFrom('emails')
    .innerJoin('email_bodies', 'email_bodies.emailId', 'emails.id')
    .selectAll('emails')
    .select(['email_bodies.text', 'email_bodies.html'])
    .where('emails.id', '=', parameter('id')),
)

export const findWhole = async (db: Db, id: number): Promise<WholeEmail | undefined> =>
  (await selectWhole(db, { id }))[0]

export const findEmail = (db: Db, id: number): Promise<EmailRecord | undefined> =>
  db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst()

/** For a change that depends on what is there: others wait for it. (SQLite has one writer anyway.) */
export const lockEmail = async (tx: Db, id: number): Promise<EmailRecord | undefined> => {
  await tx
    .updateTable('emails')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .execute()
  return findEmail(tx, id)
}

/** Writes the change and counts it. */
export const updateEmail = (
  tx: Db,
  email: Pick<EmailRecord, 'id' | 'version'>,
  change: Updateable<EmailRow>,
  at: string,
): Promise<EmailRecord> =>
  tx
    .updateTable('emails')
    .set({ ...change, version: email.version + 1, updatedAt: at })
    .where('id', '=', email.id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Moves it to another place in time; what is found by the place moves along. */
export const moveInTime = async (tx: Db, id: number, date: string): Promise<number> => {
  const first = positionOf(date)
  const { position } = await tx
    .updateTable('emails')
    .set({ position: freePosition(first, PLACES * MINUTE_MS) })
    .where('id', '=', id)
    .returning('position')
    .executeTakeFirstOrThrow()
  await tx.updateTable('email_tags').set({ position }).where('emailId', '=', id).execute()
  return position
}

/** Its bodies, tags, links and attachments go along. */
export const deleteEmail = async (tx: Db, id: number): Promise<void> => {
  const { numDeletedRows } = await tx.deleteFrom('emails').where('id', '=', id).executeTakeFirst()
  await addToTally(tx, TALLY, -Number(numDeletedRows))
  await addToTally(tx, ERASED, Number(numDeletedRows))
}

/** Uploads too. */
export const deleteEverything = async (tx: Db): Promise<void> => {
  await tx.deleteFrom('emails').execute()
  await tx.deleteFrom('attachments').execute()
  for (const name of [TALLY, ERASED]) await clearTally(tx, name)
}

export const findByMessageId = (db: Db, messageId: string): Promise<EmailRecord[]> =>
  db.selectFrom('emails').selectAll().where('messageId', '=', messageId).orderBy('id').execute()

export const replaceTags = async (
  tx: Db,
  email: Pick<EmailRecord, 'id' | 'position'>,
  tags: readonly string[],
): Promise<void> => {
  await tx.deleteFrom('email_tags').where('emailId', '=', email.id).execute()
  const { id: emailId, position } = email
  if (tags.length > 0)
    await tx
      .insertInto('email_tags')
      .values(tags.map((tag) => ({ tag, position, emailId })))
      .execute()
}

/** A conversation from its beginning. */
export const listThread = (
  db: Db,
  threadId: number,
  page: { limit: number; after: number | undefined },
): Promise<WholeEmail[]> =>
  db
    .selectFrom('emails')
    .innerJoin('email_bodies', 'email_bodies.emailId', 'emails.id')
    .selectAll('emails')
    .select(['email_bodies.text', 'email_bodies.html'])
    .where('emails.threadId', '=', threadId)
    .$if(page.after !== undefined, (query) => query.where('emails.position', '>', page.after as number))
    .orderBy('emails.position')
    .limit(page.limit + 1)
    .execute()

export const readTexts = (db: Db, ids: readonly number[], longest: number) =>
  db
    .selectFrom('email_bodies')
    .select(['emailId', sql<string>`substr(text, 1, ${sql.lit(longest)})`.as('text')])
    .where('emailId', 'in', ids)
    .execute()

/** All of them, for what is done with everything. */
export const everyEmail = (db: Db): AsyncGenerator<WholeEmail> =>
  everyRow((after, limit) =>
    db
      .selectFrom('emails')
      .innerJoin('email_bodies', 'email_bodies.emailId', 'emails.id')
      .selectAll('emails')
      .select(['email_bodies.text', 'email_bodies.html'])
      .where('emails.id', '>', after?.id ?? 0)
      .orderBy('emails.id')
      .limit(limit)
      .execute(),
  )

const countOf = async (query: { execute(): Promise<{ count: number }[]> }): Promise<number> =>
  Number((await query.execute())[0]?.count ?? 0)
const COUNT = sql<number>`count(*)`.as('count')

/** What has come from someone: not what was written here. */
const RECEIVED = ['inbox', 'archive', 'trash'] as const

export const countReceived = (db: Db, from: number, below: number): Promise<number> =>
  countOf(
    db
      .selectFrom('emails')
      .select(COUNT)
      .where('folder', 'in', RECEIVED)
      .where('position', '>=', from)
      .where('position', '<', below),
  )

/** What was thrown away need not be read. */
export const countUnread = (db: Db): Promise<number> =>
  countOf(
    db
      .selectFrom('emails')
      .select(COUNT)
      .where('read', '=', sql.lit(0))
      .where('folder', 'in', ['inbox', 'archive', 'sent', 'drafts']),
  )

export const countUrgent = (db: Db): Promise<number> =>
  countOf(db.selectFrom('emails').select(COUNT).where('urgency', 'in', ['high', 'critical']))
