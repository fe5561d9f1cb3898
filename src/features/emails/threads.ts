import type { Db } from '../../database/db.ts'
import { positionOf } from '../../database/positions.ts'
import { isReplySubject } from './mime/subjects.ts'
import type { EmailRecord } from './store.ts'
import {
  clearThread,
  findLinkedThreads,
  insertLinks,
  listBySubject,
  mergeThreads,
  setThread,
  type Threaded,
} from './thread-store.ts'

/** Within which the same subject between the same people is taken for one conversation: 30 days, as positions. */
const WINDOW = positionOf('1970-01-31T00:00:00.000Z')

interface Person {
  address: string
}

const addressesIn = (json: string): string[] =>
  (JSON.parse(json) as Person[]).map(({ address }) => address.toLowerCase())

const peopleOf = (email: Threaded): Set<string> =>
  new Set([email.fromAddress.toLowerCase(), ...addressesIn(email.to), ...addressesIn(email.cc)])

const senderOf = (email: Threaded): string => email.fromAddress.toLowerCase()

/** Who wrote either is known to the other, and there is more than one of them: a subject alone ties nothing together. */
const areAcquainted = (a: Threaded, b: Threaded): boolean => {
  const [peopleA, peopleB] = [peopleOf(a), peopleOf(b)]
  const others = peopleA.intersection(peopleB)
  others.delete(senderOf(a))
  return (
    peopleA.has(senderOf(b)) && peopleB.has(senderOf(a)) && (senderOf(a) !== senderOf(b) || others.size > 0)
  )
}

/** An answer that does not say to what: from old programs, and messages made by hand. */
const isLooseReply = (email: Threaded): boolean =>
  email.inReplyTo === null && email.references === '[]' && isReplySubject(email.subject)

const mayAnswer = (answer: Threaded, other: Threaded): boolean =>
  answer.position > other.position && isLooseReply(answer)

/** Every message id that it has or names. */
export const linksOf = (email: Pick<EmailRecord, 'messageId' | 'inReplyTo' | 'references'>): string[] => {
  const ids = [email.messageId, email.inReplyTo, ...(JSON.parse(email.references) as string[])]
  return [...new Set(ids.filter((id): id is string => id !== null && id !== ''))]
}

const findBySubject = async (tx: Db, email: Threaded): Promise<number[]> => {
  if (email.subjectKey === '') return []
  const { position } = email
  // One that is no such answer itself can only be answered by a later one.
  const after = isLooseReply(email) ? position - WINDOW : position
  const found = (await listBySubject(tx, email, { after, before: position + WINDOW })).find(
    (candidate) =>
      (mayAnswer(email, candidate) || mayAnswer(candidate, email)) && areAcquainted(email, candidate),
  )
  return found ? [found.threadId] : []
}

/**
 * Puts a new e-mail into its conversation and says which that is. One that links two conversations makes them one:
 * the older keeps its number, for it is the one that others know.
 */
export const joinThread = async (tx: Db, email: EmailRecord): Promise<number> => {
  const links = linksOf(email)
  const linked = await findLinkedThreads(tx, links)
  const found = linked.length > 0 ? linked : await findBySubject(tx, email)
  const threadId = found.length > 0 ? Math.min(...found) : email.id
  await mergeThreads(
    tx,
    found.filter((id) => id !== threadId),
    threadId,
  )
  await setThread(tx, email.id, threadId)
  await insertLinks(tx, email.id, links)
  return threadId
}

/** For an e-mail whose own words about where it belongs have changed. */
export const rejoinThread = async (tx: Db, email: EmailRecord): Promise<number> => {
  await clearThread(tx, email.id)
  return joinThread(tx, email)
}
