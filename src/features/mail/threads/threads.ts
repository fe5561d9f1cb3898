import { sql } from 'kysely'
import { toBatches } from '../../../database/batches.ts'
import type { Db } from '../../../database/db.ts'
import { filterOnly } from '../../../database/planner.ts'
import { positionOf } from '../../../database/positions.ts'
import { prepare } from '../../../database/prepared.ts'
import type { EmailRecord } from '../messages/email-repository.ts'
import { isReplySubject } from '../mime/addresses.ts'

const MAX_CANDIDATES = 50

/** Finds the threads of an account that contain or reference any of these messages. */
const findLinkedThreads = async (
  tx: Db,
  userId: number,
  messageIds: readonly string[],
): Promise<number[]> => {
  if (messageIds.length === 0) return []
  const rows = await tx
    .selectFrom('email_links')
    .innerJoin('emails', 'emails.id', 'email_links.emailId')
    .select('emails.threadId')
    .where('email_links.userId', '=', userId)
    .where('email_links.messageId', 'in', messageIds)
    .execute()
  return [...new Set(rows.map((row) => row.threadId))]
}

/** The columns that decide whether two emails belong to the same thread. */
const THREADING_COLUMNS = [
  'id',
  'userId',
  'threadId',
  'position',
  'subject',
  'subjectKey',
  'fromAddress',
  'to',
  'cc',
  'inReplyTo',
  'references',
] as const
type Threaded = Pick<EmailRecord, (typeof THREADING_COLUMNS)[number]>

interface SubjectSearch {
  userId: number
  subjectKey: string
  first: number
  last: number
  id: number
}

const selectBySubject = prepare<SubjectSearch, Threaded>((db, values) =>
  db
    .selectFrom('emails')
    .select(THREADING_COLUMNS)
    .where('userId', '=', values.userId)
    .where('subjectKey', '=', values.subjectKey)
    // With two comparisons, SQLite reads all emails of the time range instead of those with the subject.
    .where((row) => row.between('position', values.first, values.last))
    .where('id', '!=', values.id)
    .orderBy('position', 'desc')
    .limit(MAX_CANDIDATES),
)

/** Lists emails with the same subject between two positions, newest first. */
const listBySubject = (
  tx: Db,
  { id, userId, subjectKey }: Threaded,
  { after, before }: { after: number; before: number },
): Promise<Threaded[]> => selectBySubject(tx, { id, userId, subjectKey, first: after + 1, last: before - 1 })

/** Increments the version too, so that clients notice the new thread id. */
const mergeThreads = async (
  tx: Db,
  userId: number,
  threadIds: readonly number[],
  into: number,
): Promise<void> => {
  if (threadIds.length > 0)
    await tx
      .updateTable('emails')
      .set((row) => ({ threadId: into, version: row('version', '+', 1) }))
      .where('userId', '=', userId)
      .where('threadId', 'in', threadIds)
      .execute()
}

const setThread = async (tx: Db, { id, userId }: EmailRecord, threadId: number): Promise<void> => {
  await tx.updateTable('emails').set({ threadId }).where('id', '=', id).where('userId', '=', userId).execute()
}

export const insertLinks = async (
  tx: Db,
  { id: emailId, userId }: Pick<EmailRecord, 'id' | 'userId'>,
  messageIds: readonly string[],
): Promise<void> => {
  for (const batch of toBatches(messageIds))
    await tx
      .insertInto('email_links')
      .values(batch.map((messageId) => ({ userId, messageId, emailId })))
      .onConflict((known) => known.doNothing())
      .execute()
}

/** Puts the email into a thread of its own and removes its references. */
const clearThread = async (tx: Db, { id, userId }: EmailRecord): Promise<void> => {
  await tx
    .deleteFrom('email_links')
    .where('emailId', '=', id)
    .where(filterOnly('userId'), '=', userId)
    .execute()
  await tx
    .updateTable('emails')
    .set({ threadId: sql`id` })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .execute()
}

/** Maximum age difference for joining by subject: 30 days, as positions. */
const MAX_AGE = positionOf('1970-01-31T00:00:00.000Z')

interface Person {
  address: string
}

const parseAddresses = (json: string): string[] =>
  (JSON.parse(json) as Person[]).map(({ address }) => address.toLowerCase())

const listPeople = (email: Threaded): Set<string> =>
  new Set([email.fromAddress.toLowerCase(), ...parseAddresses(email.to), ...parseAddresses(email.cc)])

const senderOf = (email: Threaded): string => email.fromAddress.toLowerCase()

/**
 * Each email must include the sender of the other, and there must be at least two people. Equal subjects
 * alone do not make a thread.
 */
const areCorrespondents = (a: Threaded, b: Threaded): boolean => {
  const [peopleA, peopleB] = [listPeople(a), listPeople(b)]
  const others = peopleA.intersection(peopleB)
  others.delete(senderOf(a))
  return (
    peopleA.has(senderOf(b)) && peopleB.has(senderOf(a)) && (senderOf(a) !== senderOf(b) || others.size > 0)
  )
}

/** A reply without In-Reply-To and References, as some old programs send it. */
const isLooseReply = (email: Threaded): boolean =>
  email.inReplyTo === null && email.references === '[]' && isReplySubject(email.subject)

const mayReplyTo = (reply: Threaded, other: Threaded): boolean =>
  reply.position > other.position && isLooseReply(reply)

/** All message ids that the email has or refers to. */
export const linksOf = (email: Pick<EmailRecord, 'messageId' | 'inReplyTo' | 'references'>): string[] => {
  const ids = [email.messageId, email.inReplyTo, ...(JSON.parse(email.references) as string[])]
  return [...new Set(ids.filter((id): id is string => id !== null && id !== ''))]
}

const findBySubject = async (tx: Db, email: Threaded): Promise<number[]> => {
  if (email.subjectKey === '') return []
  const { position } = email
  // An email that is not a loose reply can only be answered by a later one.
  const after = isLooseReply(email) ? position - MAX_AGE : position
  const found = (await listBySubject(tx, email, { after, before: position + MAX_AGE })).find(
    (candidate) =>
      (mayReplyTo(email, candidate) || mayReplyTo(candidate, email)) && areCorrespondents(email, candidate),
  )
  return found ? [found.threadId] : []
}

/**
 * Assigns a new email to a thread of its account and returns the thread id. An email that links two threads merges
 * them. The smaller id remains, because clients already know it.
 */
export const joinThread = async (tx: Db, email: EmailRecord): Promise<number> => {
  const links = linksOf(email)
  const linked = await findLinkedThreads(tx, email.userId, links)
  const found = linked.length > 0 ? linked : await findBySubject(tx, email)
  const threadId = found.length > 0 ? Math.min(...found) : email.id
  await mergeThreads(
    tx,
    email.userId,
    found.filter((id) => id !== threadId),
    threadId,
  )
  await setThread(tx, email, threadId)
  await insertLinks(tx, email, links)
  return threadId
}

/** Assigns an email to a thread again after its references have changed. */
export const rejoinThread = async (tx: Db, email: EmailRecord): Promise<number> => {
  await clearThread(tx, email)
  return joinThread(tx, email)
}
