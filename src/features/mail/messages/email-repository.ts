import { setImmediate } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import { STORAGE } from '../../../database/account-storage.ts'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Db } from '../../../database/db.ts'
import { countInFolder, FOLDER_TALLY, UNREAD_FOLDER_TALLY } from '../../../database/folder-tallies.ts'
import { readOtherFolders } from '../../../database/other-folders.ts'
import { PLACES, positionOf } from '../../../database/positions.ts'
import { prepare } from '../../../database/prepared.ts'
import { countRows, hasRows } from '../../../database/rows.ts'
import { everyRow } from '../../../database/schema-info.ts'
import {
  type EmailBodyRow,
  type EmailRow,
  HTML_VERSION,
  SECURITY_VERSION,
} from '../../../database/tables/mail.ts'
import { accountTally, addToTally, clearAccountTallies, clearTally } from '../../../database/tallies.ts'
import { readUsedTags } from '../../../database/used-tags.ts'
import { notFound } from '../../../platform/errors.ts'
import type { NewEmailRow, WholeEmail } from './email.ts'

export type EmailRecord = Selectable<EmailRow>

/** Tally of each account: the number of its emails. */
export const TALLY = 'emails'
/** Tally of each account: its unread emails outside the trash and the junk folder. Triggers keep it. */
export const UNREAD_TALLY = 'unread-emails'
/** Tally of each account: its emails of high or critical urgency. Triggers keep it. */
export const URGENT_TALLY = 'urgent-emails'
/** The tallies of each account. */
export const ACCOUNT_TALLIES = [
  TALLY,
  UNREAD_TALLY,
  URGENT_TALLY,
  STORAGE,
  FOLDER_TALLY,
  UNREAD_FOLDER_TALLY,
] as const
/** Tally: the number of deleted emails whose words may still be in the index file. */
export const ERASED = 'emails.erased'
/** Tally: when the index was last optimised, in hours since 1970. */
export const OPTIMISED_AT = 'emails.tidied'
/** Tally: the number of emails at that time. */
export const OPTIMISED_SIZE = 'emails.tidied-size'

type Body = Pick<EmailBodyRow, 'text' | 'html'>

export const updateBody = async (tx: Db, emailId: number, body: Body): Promise<void> => {
  await tx
    .updateTable('email_bodies')
    .set({ ...body, htmlVersion: HTML_VERSION })
    .where('emailId', '=', emailId)
    .execute()
}

const selectWhole = (db: Db) =>
  db
    .selectFrom('emails')
    .innerJoin('email_bodies', 'email_bodies.emailId', 'emails.id')
    .selectAll('emails')
    .select(['email_bodies.text', 'email_bodies.html'])

interface EmailKey {
  userId: number
  id: number
}

const selectWholeById = prepare<EmailKey, WholeEmail>((db, values) =>
  selectWhole(db).where('emails.id', '=', values.id).where('emails.userId', '=', values.userId),
)

export const findWhole = async (db: Db, userId: number, id: number): Promise<WholeEmail | undefined> =>
  (await selectWholeById(db, { userId, id }))[0]

const selectEmail = prepare<EmailKey, EmailRecord>((db, values) =>
  db.selectFrom('emails').selectAll().where('id', '=', values.id).where('userId', '=', values.userId),
)

export const findEmail = async (db: Db, userId: number, id: number): Promise<EmailRecord | undefined> =>
  (await selectEmail(db, { userId, id }))[0]

export const getEmail = async (db: Db, userId: number, id: number): Promise<EmailRecord> => {
  const email = await findEmail(db, userId, id)
  if (!email) throw notFound('email')
  return email
}

export const findEmails = (db: Db, userId: number, ids: readonly number[]): Promise<EmailRecord[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('emails')
        .selectAll()
        .where('userId', '=', userId)
        .where('id', 'in', ids)
        .orderBy('id')
        .execute()

/** Returns the account of an email, for background jobs that know only the email. */
export const findEmailOwner = async (db: Db, id: number): Promise<number | undefined> => {
  const row = await db
    .selectFrom('emails')
    .select('userId')
    .where('id', '=', id)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  return row?.userId
}

/** Locks the email for a change that depends on its current values. SQLite has a single writer anyway. */
export const lockEmail = async (tx: Db, userId: number, id: number): Promise<EmailRecord | undefined> => {
  await tx
    .updateTable('emails')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .where('userId', '=', userId)
    .execute()
  return findEmail(tx, userId, id)
}

/** Locks the email, so that another row can refer to it. Returns false if the account does not have it. */
export const holdEmail = async (tx: Db, userId: number, id: number): Promise<boolean> =>
  (await lockEmail(tx, userId, id)) !== undefined

/** Writes the change and increments the version. */
export const updateEmail = async (
  tx: Db,
  email: Pick<EmailRecord, 'id' | 'userId' | 'version' | 'folderId' | 'otherFolders'>,
  change: Partial<NewEmailRow>,
  at: string,
): Promise<EmailRecord> => {
  if (change.folderId !== undefined && change.folderId !== email.folderId) {
    await countInFolder(tx, email.userId, email.folderId, -1)
    await countInFolder(tx, email.userId, change.folderId, 1)
  }
  const changed = await tx
    .updateTable('emails')
    .set({
      ...change,
      version: email.version + 1,
      updatedAt: at,
    })
    .where('id', '=', email.id)
    .where('userId', '=', email.userId)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (change.otherFolders !== undefined && change.otherFolders !== email.otherFolders)
    await replaceFolders(tx, changed)
  return changed
}

/** Foreign keys also delete its bodies, tags, links and attachments. */
export const deleteEmail = async (tx: Db, userId: number, id: number): Promise<void> => {
  const deleted = await tx
    .deleteFrom('emails')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('folderId')
    .executeTakeFirst()
  if (!deleted) return
  await addToTally(tx, accountTally(TALLY, userId), -1)
  await addToTally(tx, ERASED, 1)
  await countInFolder(tx, userId, deleted.folderId, -1)
}

/** The batch size of a deletion. SQLite blocks the event loop during a batch. */
const BATCH = 500

/**
 * Deletes all emails and uploads of all accounts in the caller's transaction, and yields to the event loop between
 * batches.
 */
export const deleteEverything = async (tx: Db): Promise<void> => {
  // Delete in ascending order of ids, so that deleted rows are not scanned again.
  for (let deletedUpTo = 0; ; ) {
    const ids = await tx
      .selectFrom('emails')
      .select('id')
      .where('id', '>', deletedUpTo)
      .orderBy('id')
      .limit(BATCH)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    const last = ids.at(-1)?.id
    if (last === undefined) break
    await tx
      .deleteFrom('emails')
      .where('id', '>', deletedUpTo)
      .where('id', '<=', last)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    deletedUpTo = last
    await setImmediate()
  }
  for (const table of ['attachments', 'unsubscriptions', 'mail_rules', 'mail_templates'] as const)
    await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
  for (const name of ACCOUNT_TALLIES) await clearAccountTallies(tx, name)
  for (const name of [ERASED, OPTIMISED_SIZE]) await clearTally(tx, name)
}

/** Lists the first emails of an account, with the content that refers to blobs and the word index. */
export const listStored = (
  tx: Db,
  userId: number,
  limit: number,
): Promise<Pick<EmailRecord, 'id' | 'position' | 'rawBlob'>[]> =>
  tx
    .selectFrom('emails')
    .select(['id', 'position', 'rawBlob'])
    .where('userId', '=', userId)
    .orderBy('id')
    .limit(limit)
    .execute()

const selectByMessageId = prepare<{ userId: number; messageId: string }, EmailRecord>((db, values) =>
  db
    .selectFrom('emails')
    .selectAll()
    .where('userId', '=', values.userId)
    .where('messageId', '=', values.messageId)
    .orderBy('id'),
)

export const findByMessageId = (db: Db, userId: number, messageId: string): Promise<EmailRecord[]> =>
  selectByMessageId(db, { userId, messageId })

export const replaceTags = async (
  tx: Db,
  email: Pick<EmailRecord, 'id' | 'userId' | 'position'>,
  tags: readonly string[],
): Promise<void> => {
  const { id: emailId, userId, position } = email
  await tx.deleteFrom('email_tags').where('emailId', '=', emailId).where('userId', '=', userId).execute()
  if (tags.length > 0)
    await tx
      .insertInto('email_tags')
      .values(tags.map((tag) => ({ userId, tag, position, emailId })))
      .execute()
}

/** Writes the rows of `otherFolders`, which lists read. */
export const replaceFolders = async (
  tx: Db,
  email: Pick<EmailRecord, 'id' | 'userId' | 'position' | 'otherFolders' | 'read' | 'snoozedUntil'>,
): Promise<void> => {
  const { id: emailId, userId, position, read, snoozedUntil } = email
  await tx.deleteFrom('email_folders').where('emailId', '=', emailId).where('userId', '=', userId).execute()
  const places = readOtherFolders(email)
  const unread = read === 0 && snoozedUntil === null ? 1 : 0
  if (places.length > 0)
    await tx
      .insertInto('email_folders')
      .values(
        places.map(({ id, role }) => ({ userId, emailId, folderId: id, folder: role, position, unread })),
      )
      .execute()
}

/** Lists a thread, oldest first. */
export const listThread = (
  db: Db,
  userId: number,
  threadId: number,
  page: { limit: number; after: number | undefined },
): Promise<WholeEmail[]> =>
  selectWhole(db)
    .where('emails.userId', '=', userId)
    .where('emails.threadId', '=', threadId)
    .$if(page.after !== undefined, (query) => query.where('emails.position', '>', page.after as number))
    .orderBy('emails.position')
    .limit(page.limit + 1)
    .execute()

/** The ids must be those of the account's own emails. */
export const readTexts = (db: Db, ids: readonly number[], longest: number) =>
  db
    .selectFrom('email_bodies')
    .select(['emailId', sql<string>`substr(text, 1, ${sql.lit(longest)})`.as('text')])
    .where('emailId', 'in', ids)
    .execute()

export const listTags = async (
  db: Db,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, string[]>> => {
  const rows = await db
    .selectFrom('emails')
    .select(['id', 'tags'])
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, tags }) => [id, JSON.parse(tags) as string[]]))
}

const everyWhole = (query: ReturnType<typeof selectWhole>): AsyncGenerator<WholeEmail> =>
  everyRow((after, limit) =>
    query
      .where('emails.id', '>', after?.id ?? 0)
      .orderBy('emails.id')
      .limit(limit)
      .execute(),
  )

/** Streams the emails of all accounts with their bodies. */
export const everyEmail = (db: Db) => everyWhole(selectWhole(db).modifyEnd(ALL_ACCOUNTS))

/** Streams the emails of an account with their bodies. */
export const everyEmailOf = (db: Db, userId: number) =>
  everyWhole(selectWhole(db).where('emails.userId', '=', userId))

/** Streams the emails that were created from fields, with their bodies. */
export const everyComposedEmail = (db: Db, userId: number) =>
  everyWhole(selectWhole(db).where('emails.userId', '=', userId).where('emails.rawBlob', 'is', null))

/** Returns the number of emails of an account. */
export const countStored = (db: Db, userId: number): Promise<number> =>
  countRows(db.selectFrom('emails').where('userId', '=', userId))

/** Streams the emails that have a raw message. */
export const everyRawMessage = (db: Db, userId: number): AsyncGenerator<{ id: number; rawBlob: string }> =>
  everyRow((after, limit) =>
    db
      .selectFrom('emails')
      .select(['id', 'rawBlob'])
      .where('userId', '=', userId)
      .where('rawBlob', 'is not', null)
      .$narrowType<{ rawBlob: string }>()
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

export const everyAttachment = (
  db: Db,
  userId: number,
): AsyncGenerator<{ id: string; filename: string; blob: string }> =>
  everyRow((after, limit) =>
    db
      .selectFrom('attachments')
      .select(['id', 'filename', 'blob'])
      .where('userId', '=', userId)
      .where('id', '>', after?.id ?? '')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

const MAX_TAGS = 1000

export const listUsedTags = (db: Db, userId: number) => readUsedTags(db, userId, 'emails', MAX_TAGS)

/** Whether the user has this mail account. No lock is needed, because emails outlive their mail account. */
export const hasAccount = (db: Db, userId: number, id: string): Promise<boolean> =>
  hasRows(db.selectFrom('mail_accounts').where('id', '=', id).where('userId', '=', userId))

/**
 * Lists emails of all accounts with a raw message that another version of the service could not read, oldest first.
 */
export const listUnreadable = (
  db: Db,
  readerVersion: string,
  page: { after: number; limit: number },
): Promise<Pick<EmailRecord, 'id' | 'userId'>[]> =>
  db
    .selectFrom('emails')
    .select(['id', 'userId'])
    .where('unreadable', 'is not', null)
    .where('rawBlob', 'is not', null)
    .where((row) => row.or([row('readerVersion', 'is', null), row('readerVersion', '!=', readerVersion)]))
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()

/** Writes what the service knows about a message, without a new version of the email. */
export const updateUnversioned = async (
  tx: Db,
  { id, userId }: Pick<EmailRecord, 'id' | 'userId'>,
  change: Partial<Pick<EmailRecord, 'contentHash' | 'readAttempts' | 'readerVersion' | 'unreadable'>>,
): Promise<void> => {
  await tx.updateTable('emails').set(change).where('id', '=', id).where('userId', '=', userId).execute()
}

const MINUTE_MS = 60_000

/** Selects the first free position after those taken in [first, end), by any account. */
const freePosition = (first: bigint, end: bigint) =>
  sql<number>`coalesce((select max(position) + 1 from emails
    where position >= ${first} and position < ${end}), ${first})`

/** A concurrent insert can take the same position. A full millisecond overflows into the next minute. */
const ATTEMPTS = 20
const endOfAttempt = (first: number, attempt: number): number =>
  first + (attempt < ATTEMPTS / 2 ? PLACES : PLACES * MINUTE_MS)
const noFreePosition = (): Error => new Error('Could not insert an email: no position for its date is free.')

const insertRow = prepare<NewEmailRow & { first: bigint; end: bigint }, { id: number; position: number }>(
  (db, { first, end, ...row }) =>
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
    const end = BigInt(endOfAttempt(first, attempt))
    const [place] = await insertRow(tx, { ...row, first: BigInt(first), end })
    if (place) {
      await countInFolder(tx, row.userId, row.folderId, 1)
      return { ...row, ...place, threadId: 0, readAttempts: 0, securityVersion: SECURITY_VERSION }
    }
  }
  throw noFreePosition()
}

/**
 * Inserts an imported email at its position, or at a free one of its date if another account has taken it. Returns the
 * position.
 */
export const insertImported = async (tx: Db, row: EmailRecord): Promise<number> => {
  const first = positionOf(row.date)
  const isOfDate = row.position >= first && row.position < first + PLACES * MINUTE_MS
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const end = BigInt(endOfAttempt(first, attempt))
    const position =
      attempt === 0 && isOfDate ? sql<number>`${row.position}` : freePosition(BigInt(first), end)
    const placed = await tx
      .insertInto('emails')
      .values({ ...row, position })
      .onConflict((taken) => taken.column('position').doNothing())
      .returning('position')
      .executeTakeFirst()
    if (placed) return placed.position
  }
  throw noFreePosition()
}

const insertBodyRow = prepare<Selectable<EmailBodyRow>>((db, row) =>
  db.insertInto('email_bodies').values(row),
)

export const insertBody = async (
  tx: Db,
  emailId: number,
  body: Body & { htmlVersion?: number },
): Promise<void> => {
  await insertBodyRow(tx, { emailId, htmlVersion: HTML_VERSION, ...body })
}

/** Moves the email to the position of another date, with its tags. */
export const moveInTime = async (
  tx: Db,
  { id, userId }: Pick<EmailRecord, 'id' | 'userId'>,
  date: string,
): Promise<number> => {
  const first = positionOf(date)
  const { position } = await tx
    .updateTable('emails')
    .set({ position: freePosition(BigInt(first), BigInt(first + PLACES * MINUTE_MS)) })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('position')
    .executeTakeFirstOrThrow()
  for (const table of ['email_tags', 'email_folders'] as const)
    await tx
      .updateTable(table)
      .set({ position })
      .where('emailId', '=', id)
      .where('userId', '=', userId)
      .execute()
  return position
}
