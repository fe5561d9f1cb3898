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
} from './thread-store.ts'

/** Within which the same subject between the same people is taken for one conversation: 30 days, as positions. */
const WINDOW = positionOf('1970-01-31T00:00:00.000Z')

interface Person {
  address: string
}

const addressesIn = (json: string): string[] =>
  (JSON.parse(json) as Person[]).map(({ address }) => address.toLowerCase())

const peopleOf = (email: EmailRecord): Set<string> =>
  new Set([email.fromAddress.toLowerCase(), ...addressesIn(email.to), ...addressesIn(email.cc)])

/** Who wrote either is known to the other: a subject alone ties nothing together. */
const areAcquainted = (a: EmailRecord, b: EmailRecord): boolean =>
  peopleOf(a).has(b.fromAddress.toLowerCase()) && peopleOf(b).has(a.fromAddress.toLowerCase())

/** An answer that does not say to what: from old programs, and messages made by hand. */
const isLooseReply = (email: EmailRecord): boolean =>
  email.inReplyTo === null && email.references === '[]' && isReplySubject(email.subject)

const linksOf = (email: EmailRecord): string[] => {
  const ids = [email.messageId, email.inReplyTo, ...(JSON.parse(email.references) as string[])]
  return [...new Set(ids.filter((id): id is string => id !== null && id !== ''))]
}

const findBySubject = async (tx: Db, email: EmailRecord): Promise<number[]> => {
  if (email.subjectKey === '') return []
  const isLoose = isLooseReply(email)
  const found = (await listBySubject(tx, email, WINDOW)).find(
    (candidate) => (isLoose || isLooseReply(candidate)) && areAcquainted(email, candidate),
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
