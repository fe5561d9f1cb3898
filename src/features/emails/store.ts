import { setImmediate } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import { prepare } from '../../database/prepared.ts'
import type { EmailBodyRow, EmailRow } from '../../database/tables/mail.ts'
import { addToTally, clearTally } from '../../database/tallies.ts'
import { readUsedTags } from '../../database/used-tags.ts'
import type { Whole } from './shown-email.ts'

export type EmailRecord = Selectable<EmailRow>
export type WholeEmail = EmailRecord & Pick<EmailBodyRow, 'text' | 'html'>
export type NewEmailRow = Omit<EmailRow, 'id' | 'position' | 'threadId' | 'readAttempts'>

/** How many there are. */
export const TALLY = 'emails'
/** How many were deleted whose words may still lie, without them, in the index. */
export const ERASED = 'emails.erased'
/** When the index was last tidied, in hours. */
export const TIDIED = 'emails.tidied'
/** How many there were then. */
export const TIDIED_SIZE = 'emails.tidied-size'
/** Up to which number e-mails have not been asked yet by which list they came. */
export const UNLISTED = 'emails.unlisted'

export const updateBody = async (
  tx: Db,
  emailId: number,
  body: { text: string; html: string | null },
): Promise<void> => {
  await tx.updateTable('email_bodies').set(body).where('emailId', '=', emailId).execute()
}

const withBodies = (db: Db) =>
  db.selectFrom('emails').innerJoin('email_bodies', 'email_bodies.emailId', 'emails.id')

/** What it takes to show all of one. */
const SHOWN = [
  'emails.id',
  'emails.position',
  'emails.threadId',
  'emails.version',
  'emails.mailingList',
  'emails.unreadable',
  'emails.shown',
  'emails.bcc',
  'emails.replyTo',
  'emails.inReplyTo',
  'email_bodies.text',
  'email_bodies.html',
] as const

const selectShown = prepare<{ id: number }, Whole>((db, parameter) =>
  withBodies(db).select(SHOWN).where('emails.id', '=', parameter('id')),
)

/** As much of it as is shown. */
export const findShown = async (db: Db, id: number): Promise<Whole | undefined> =>
  (await selectShown(db, { id }))[0]

export const findWhole = (db: Db, id: number): Promise<WholeEmail | undefined> =>
  withBodies(db)
    .selectAll('emails')
    .select(['email_bodies.text', 'email_bodies.html'])
    .where('emails.id', '=', id)
    .executeTakeFirst()

const selectEmail = prepare<{ id: number }, EmailRecord>((db, parameter) =>
  db.selectFrom('emails').selectAll().where('id', '=', parameter('id')),
)

export const findEmail = async (db: Db, id: number): Promise<EmailRecord | undefined> =>
  (await selectEmail(db, { id }))[0]

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
  change: Partial<NewEmailRow> & Pick<NewEmailRow, 'shown'>,
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

/** Its bodies, tags, links and attachments go along. */
export const deleteEmail = async (tx: Db, id: number): Promise<void> => {
  const { numDeletedRows } = await tx.deleteFrom('emails').where('id', '=', id).executeTakeFirst()
  await addToTally(tx, TALLY, -Number(numDeletedRows))
  await addToTally(tx, ERASED, Number(numDeletedRows))
}

/** Deleted at once: on SQLite nobody is answered meanwhile. */
const AT_ONCE = 500

/** All of it, uploads too, in the caller's transaction; between pieces others are answered. */
export const deleteEverything = async (tx: Db): Promise<void> => {
  // By numbers that rise: what was deleted before is not looked at again.
  for (let gone = 0; ; ) {
    const next = tx.selectFrom('emails').select('id').where('id', '>', gone).orderBy('id').limit(AT_ONCE)
    const ids = await next.execute()
    const last = ids.at(-1)?.id
    if (last === undefined) break
    await tx.deleteFrom('emails').where('id', '>', gone).where('id', '<=', last).execute()
    gone = last
    await setImmediate()
  }
  for (const table of ['attachments', 'unsubscriptions', 'mail_rules'] as const)
    await tx.deleteFrom(table).execute()
  for (const name of [TALLY, ERASED, TIDIED_SIZE, UNLISTED]) await clearTally(tx, name)
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

/** A conversation from its beginning. */
export const listThread = (
  db: Db,
  threadId: number,
  page: { limit: number; after: number | undefined },
): Promise<(Whole & { position: number })[]> =>
  withBodies(db)
    .select(SHOWN)
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

/** All of them, for what is done with everything. */
export const everyEmail = (db: Db): AsyncGenerator<WholeEmail> =>
  everyRow((after, limit) =>
    withBodies(db)
      .selectAll('emails')
      .select(['email_bodies.text', 'email_bodies.html'])
      .where('emails.id', '>', after?.id ?? 0)
      .orderBy('emails.id')
      .limit(limit)
      .execute(),
  )

/** Those that came as a message, and which blob that is. */
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

/** Those that were made of fields, with their texts. */
export const everyMadeEmail = (db: Db): AsyncGenerator<WholeEmail> =>
  everyRow((after, limit) =>
    db
      .selectFrom('emails')
      .innerJoin('email_bodies', 'email_bodies.emailId', 'emails.id')
      .selectAll('emails')
      .select(['email_bodies.text', 'email_bodies.html'])
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

/** What has come from someone: not what was written here. */
const RECEIVED = ['inbox', 'archive', 'trash'] as const

/** How many came in each of some stretches of time, in one journey to the database. */
export const countReceived = async (
  db: Db,
  stretches: readonly { from: number; below: number }[],
): Promise<number[]> => {
  const counts = await db
    .selectNoFrom((row) =>
      stretches.map(({ from, below }, index) =>
        row
          .selectFrom('emails')
          .select(COUNT)
          .where('folder', 'in', RECEIVED)
          .where('position', '>=', from)
          .where('position', '<', below)
          .as(`stretch${index}`),
      ),
    )
    .executeTakeFirstOrThrow()
  const named = counts as Record<string, number | null>
  return stretches.map((_, index) => Number(named[`stretch${index}`] ?? 0))
}

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

/** More than anybody remembers. */
const MOST_TAGS = 1000

export const listUsedTags = (db: Db) => readUsedTags(db, 'emails', MOST_TAGS)

/** Whoever's it is: mail is the desk's, not a person's. E-mails outlive their account, so that nothing is held. */
export const hasAccount = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('mail_accounts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
