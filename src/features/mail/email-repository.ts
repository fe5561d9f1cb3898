import { setImmediate } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { PLACES, positionOf } from '../../database/positions.ts'
import { prepare, prepareInsert } from '../../database/prepared.ts'
import { everyRow } from '../../database/schema-info.ts'
import type { AttachmentRow, EmailBodyRow, EmailRow } from '../../database/tables/mail.ts'
import { addToTally, clearTally } from '../../database/tallies.ts'
import { readUsedTags } from '../../database/used-tags.ts'
import type { NewEmailRow, WholeEmail } from './email.ts'

export type EmailRecord = Selectable<EmailRow>

/** Tally: the number of emails. */
export const TALLY = 'emails'
/** Tally: the number of deleted emails whose words may still be in the index file. */
export const ERASED = 'emails.erased'
/** Tally: when the index was last optimised, in hours since 1970. */
export const OPTIMISED_AT = 'emails.tidied'
/** Tally: the number of emails at that time. */
export const OPTIMISED_SIZE = 'emails.tidied-size'
/** Tally: emails up to this id have not been checked for a mailing list. */
export const UNLISTED = 'emails.unlisted'

export const updateBody = async (
  tx: Db,
  emailId: number,
  body: { text: string; html: string | null },
): Promise<void> => {
  await tx.updateTable('email_bodies').set(body).where('emailId', '=', emailId).execute()
}

const selectWhole = (db: Db) =>
  db
    .selectFrom('emails')
    .innerJoin('email_bodies', 'email_bodies.emailId', 'emails.id')
    .selectAll('emails')
    .select(['email_bodies.text', 'email_bodies.html'])

const selectWholeById = prepare<{ id: number }, WholeEmail>((db, parameter) =>
  selectWhole(db).where('emails.id', '=', parameter('id')),
)

export const findWhole = async (db: Db, id: number): Promise<WholeEmail | undefined> =>
  (await selectWholeById(db, { id }))[0]

const selectEmail = prepare<{ id: number }, EmailRecord>((db, parameter) =>
  db.selectFrom('emails').selectAll().where('id', '=', parameter('id')),
)

export const findEmail = async (db: Db, id: number): Promise<EmailRecord | undefined> =>
  (await selectEmail(db, { id }))[0]

/** Locks the email for a change that depends on its current values. SQLite has a single writer anyway. */
export const lockEmail = async (tx: Db, id: number): Promise<EmailRecord | undefined> => {
  await tx
    .updateTable('emails')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .execute()
  return findEmail(tx, id)
}

/** Writes the change and increments the version. */
export const updateEmail = (
  tx: Db,
  email: Pick<EmailRecord, 'id' | 'version'>,
  change: Partial<NewEmailRow>,
  at: string,
): Promise<EmailRecord> =>
  tx
    .updateTable('emails')
    .set({
      ...change,
      version: email.version + 1,
      updatedAt: at,
    })
    .where('id', '=', email.id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Foreign keys also delete its bodies, tags, links and attachments. */
export const deleteEmail = async (tx: Db, id: number): Promise<void> => {
  const { numDeletedRows } = await tx.deleteFrom('emails').where('id', '=', id).executeTakeFirst()
  await addToTally(tx, TALLY, -Number(numDeletedRows))
  await addToTally(tx, ERASED, Number(numDeletedRows))
}

/** The batch size of a deletion. SQLite blocks the event loop during a batch. */
const BATCH = 500

/**
 * Deletes all emails and uploads in the caller's transaction, and yields to the event loop between batches.
 */
export const deleteEverything = async (tx: Db): Promise<void> => {
  // Delete in ascending order of ids, so that deleted rows are not scanned again.
  for (let deletedUpTo = 0; ; ) {
    const next = tx.selectFrom('emails').select('id').where('id', '>', deletedUpTo).orderBy('id').limit(BATCH)
    const ids = await next.execute()
    const last = ids.at(-1)?.id
    if (last === undefined) break
    await tx.deleteFrom('emails').where('id', '>', deletedUpTo).where('id', '<=', last).execute()
    deletedUpTo = last
    await setImmediate()
  }
  for (const table of ['attachments', 'unsubscriptions', 'mail_rules'] as const)
    await tx.deleteFrom(table).execute()
  for (const name of [TALLY, ERASED, OPTIMISED_SIZE, UNLISTED]) await clearTally(tx, name)
}

const selectByMessageId = prepare<{ messageId: string }, EmailRecord>((db, parameter) =>
  db.selectFrom('emails').selectAll().where('messageId', '=', parameter('messageId')).orderBy('id'),
)

export const findByMessageId = (db: Db, messageId: string): Promise<EmailRecord[]> =>
  selectByMessageId(db, { messageId })

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

/** Lists a thread, oldest first. */
export const listThread = (
  db: Db,
  threadId: number,
  page: { limit: number; after: number | undefined },
): Promise<WholeEmail[]> =>
  selectWhole(db)
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

export const listTags = async (db: Db, ids: readonly number[]): Promise<Map<number, string[]>> => {
  const rows = await db.selectFrom('emails').select(['id', 'tags']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, tags }) => [id, JSON.parse(tags) as string[]]))
}

/** Streams all emails with their bodies. */
export const everyEmail = (db: Db): AsyncGenerator<WholeEmail> =>
  everyRow((after, limit) =>
    selectWhole(db)
      .where('emails.id', '>', after?.id ?? 0)
      .orderBy('emails.id')
      .limit(limit)
      .execute(),
  )

/** Streams the emails that have a raw message. */
export const everyRawMessage = (db: Db): AsyncGenerator<{ id: number; rawBlob: string }> =>
  everyRow((after, limit) =>
    db
      .selectFrom('emails')
      .select(['id', 'rawBlob'])
      .where('rawBlob', 'is not', null)
      .$narrowType<{ rawBlob: string }>()
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

/** Streams the emails that were created from fields, with their bodies. */
export const everyComposedEmail = (db: Db): AsyncGenerator<WholeEmail> =>
  everyRow((after, limit) =>
    selectWhole(db)
      .where('emails.rawBlob', 'is', null)
      .where('emails.id', '>', after?.id ?? 0)
      .orderBy('emails.id')
      .limit(limit)
      .execute(),
  )

export const everyAttachment = (db: Db): AsyncGenerator<{ id: string; filename: string; blob: string }> =>
  everyRow((after, limit) =>
    db
      .selectFrom('attachments')
      .select(['id', 'filename', 'blob'])
      .where('id', '>', after?.id ?? '')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

const countOf = async (query: { execute(): Promise<{ count: number }[]> }): Promise<number> =>
  Number((await query.execute())[0]?.count ?? 0)
const COUNT = sql<number>`count(*)`.as('count')

/** Folders of received mail. */
const RECEIVED = ['inbox', 'archive', 'trash'] as const

/** Counts received emails in each range with one query. */
export const countReceived = async (
  db: Db,
  ranges: readonly { from: number; below: number }[],
): Promise<number[]> => {
  const counts = await db
    .selectNoFrom((row) =>
      ranges.map(({ from, below }, index) =>
        row
          .selectFrom('emails')
          .select(COUNT)
          .where('folder', 'in', RECEIVED)
          .where('position', '>=', from)
          .where('position', '<', below)
          .as(`range${index}`),
      ),
    )
    .executeTakeFirstOrThrow()
  const named = counts as Record<string, number | null>
  return ranges.map((_, index) => Number(named[`range${index}`] ?? 0))
}

/** Counts unread emails outside the trash. */
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

const MOST_TAGS = 1000

export const listUsedTags = (db: Db) => readUsedTags(db, 'emails', MOST_TAGS)

/**
 * Checks accounts of all users, because mail is shared in an instance. No lock is needed, because emails
 * outlive their account.
 */
export const hasAccount = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('mail_accounts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export type AttachmentRecord = Selectable<AttachmentRow>

const insertAttachment = prepareInsert<AttachmentRow>((db, row) => db.insertInto('attachments').values(row))

export const insertAttachments = async (tx: Db, rows: readonly AttachmentRow[]): Promise<void> => {
  for (const row of rows) await insertAttachment(tx, row)
}

export const findAttachment = (db: Db, emailId: number, id: string): Promise<AttachmentRecord | undefined> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('id', '=', id)
    .where('emailId', '=', emailId)
    .executeTakeFirst()

export const listAttachments = (db: Db, emailId: number): Promise<AttachmentRecord[]> =>
  db.selectFrom('attachments').selectAll().where('emailId', '=', emailId).execute()

/** Lists the declared types of the attachments of some emails. */
export const listAttachmentTypes = async (
  db: Db,
  emailIds: readonly number[],
): Promise<{ emailId: number; contentType: string; filename: string }[]> =>
  emailIds.length === 0
    ? []
    : db
        .selectFrom('attachments')
        .select(['emailId', 'contentType', 'filename'])
        .where('emailId', 'in', emailIds)
        .$narrowType<{ emailId: number }>()
        .execute()

/** Finds uploads that are not attached to an email yet. */
export const findUploads = (db: Db, ids: readonly string[]): Promise<AttachmentRecord[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('attachments').selectAll().where('id', 'in', ids).where('emailId', 'is', null).execute()

/** Attaches uploads to an email. Returns false if another email took one of them at the same time. */
export const attach = async (tx: Db, emailId: number, ids: readonly string[]): Promise<boolean> => {
  if (ids.length === 0) return true
  const { numUpdatedRows } = await tx
    .updateTable('attachments')
    .set({ emailId })
    .where('id', 'in', ids)
    .where('emailId', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === BigInt(ids.length)
}

export const deleteAttachments = async (tx: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await tx.deleteFrom('attachments').where('id', 'in', ids).execute()
}

export const findOldUploads = (db: Db, before: string, limit: number): Promise<AttachmentRecord[]> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('emailId', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(limit)
    .execute()

/** Lists emails with a raw message that another version of the service could not read, oldest first. */
export const listUnreadable = async (
  db: Db,
  readerVersion: string,
  page: { after: number; limit: number },
): Promise<number[]> => {
  const rows = await db
    .selectFrom('emails')
    .select('id')
    .where('unreadable', 'is not', null)
    .where('rawBlob', 'is not', null)
    .where((row) => row.or([row('readerVersion', 'is', null), row('readerVersion', '!=', readerVersion)]))
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const setReadAttempts = async (tx: Db, id: number, readAttempts: number): Promise<void> => {
  await tx.updateTable('emails').set({ readAttempts }).where('id', '=', id).execute()
}

/** Records that this version could not read the message either. */
export const setUnreadable = async (
  tx: Db,
  { id }: Pick<EmailRecord, 'id'>,
  change: { unreadable?: string; readerVersion: string },
): Promise<void> => {
  await tx
    .updateTable('emails')
    .set({ ...change, readAttempts: 0 })
    .where('id', '=', id)
    .execute()
}

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
