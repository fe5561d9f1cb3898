import type { Db } from '../../../database/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { isTemporary } from '../../../platform/temporary-failure.ts'
import { toUnreadableReason } from '../../../platform/unreadable-reason.ts'
import type { MailFiling, ReadMessage } from '../../emails/mail-filing.ts'
import type { MessagePlace } from '../../system-mail/recognition.ts'
import type { MessageSketch } from '../mailbox.ts'
import { folderFor, identityOf } from './folders.ts'
import {
  beginAttempt,
  type FolderRecord,
  findByIdentity,
  findPlacements,
  insertPlacement,
  type PlacementRecord,
  relocate,
  updatePlacement,
  withdrawAttempt,
} from './placement-store.ts'
import type { Session } from './session.ts'
import { followServer } from './truth.ts'

/** What is fetched and filed at once: small enough for the memory and for whoever else wants to write. */
const BATCH_MESSAGES = 25
const BATCH_BYTES = 4 * 1024 * 1024
const LARGEST = 50 * 1024 * 1024
/** Fetched of a message that is too large, for its header. */
const HEAD_BYTES = 64 * 1024
/** One in a batch and one alone. A message whose reading ended so often without a result is not read again. */
const MOST_ATTEMPTS = 2
const INTERRUPTED = `The service stopped ${MOST_ATTEMPTS} times while reading it.`
const NOT_HANDED_OVER = 'The mail server did not hand it over.'

interface Known {
  sketch: MessageSketch
  identity: string
}

/**
 * The place that a message was known by before it came here: it has left it, or its folder has been numbered anew.
 * Failing that, a place in another folder that holds the same message.
 */
const formerPlace = (
  folder: FolderRecord,
  candidates: readonly PlacementRecord[],
): { placement: PlacementRecord; isMoved: boolean } | undefined => {
  const isStale = (place: PlacementRecord): boolean =>
    place.folderId === folder.id && place.uidValidity !== folder.uidValidity
  const left = candidates.find(isStale) ?? candidates.find((place) => place.goneAt !== null)
  if (left) return { placement: left, isMoved: true }
  const twin = candidates.find((place) => place.folderId !== folder.id)
  return twin && { placement: twin, isMoved: false }
}

const adopt = async (
  session: Session,
  tx: Db,
  folder: FolderRecord,
  { sketch, identity }: Known,
  former: { placement: PlacementRecord; isMoved: boolean },
): Promise<void> => {
  const { accountId } = session
  const { uid } = sketch
  const place = { folderId: folder.id, uidValidity: folder.uidValidity, uid }
  const flags = { read: sketch.read ? 1 : 0, starred: sketch.starred ? 1 : 0 }
  const { id, emailId } = former.placement
  if (former.isMoved) {
    await relocate(tx, id, place)
    await updatePlacement(tx, id, flags)
  } else await insertPlacement(tx, { ...place, ...flags, accountId, emailId, identity, goneAt: null })
  if (emailId !== null) await followServer(session, tx, emailId)
}

const fileNew = async (
  session: Session,
  tx: Db,
  folder: FolderRecord,
  { sketch, identity }: Known,
  raw: ReadMessage | undefined,
): Promise<{ isNew: boolean }> => {
  const { accountId, filing } = session
  const { uid, read, starred, receivedAt } = sketch
  const arrival = { accountId, folder: folderFor(folder.use), read, starred, receivedAt }
  const isNew = receivedAt >= session.since
  const filed = raw ? await filing.file(tx, { ...arrival, isNew, raw }) : null
  await insertPlacement(tx, {
    accountId,
    folderId: folder.id,
    uidValidity: folder.uidValidity,
    uid,
    emailId: filed?.id ?? null,
    identity,
    read: read ? 1 : 0,
    starred: starred ? 1 : 0,
    goneAt: null,
  })
  if (filed?.ruled) await filing.tell(tx, filed.ruled)
  // One that was here already, such as one that was sent from here: the server says where it lies.
  if (filed && !filed.created) await followServer(session, tx, filed.id)
  return { isNew: filed?.created === true }
}

interface Batch {
  messages: Map<number, ReadMessage>
  /** Messages that were fetched and could not be read. */
  failures: Map<number, { raw: Buffer; error: unknown }>
}

const discardAll = async ({ messages }: Batch): Promise<void> => {
  for (const message of messages.values()) await message.discard()
}

/** Mail of the service itself is recognised by where it lies, too. */
const toPlace = (session: Session, folder: FolderRecord): MessagePlace => ({
  accountId: session.accountId,
  isSent: folder.use === 'sent',
})

/** Fetches and reads messages. One that cannot be read does not keep the others from being filed. */
const fetchBatch = async (
  session: Session,
  folder: FolderRecord,
  known: readonly Known[],
): Promise<Batch> => {
  const batch: Batch = { messages: new Map(), failures: new Map() }
  try {
    for await (const { uid, raw } of session.mailbox.fetch(known.map(({ sketch }) => sketch.uid))) {
      try {
        const message = await session.filing.read(raw, toPlace(session, folder))
        if (message) batch.messages.set(uid, message)
      } catch (error) {
        if (isTemporary(error)) throw error
        batch.failures.set(uid, { raw, error })
      }
    }
    return batch
  } catch (error) {
    await discardAll(batch)
    throw error
  }
}

const batchesOf = (known: readonly Known[]): Known[][] => {
  const batches: Known[][] = []
  let bytes = 0
  for (const each of known) {
    const last = batches.at(-1)
    if (last && last.length < BATCH_MESSAGES && bytes + each.sketch.size <= BATCH_BYTES) last.push(each)
    else {
      batches.push([each])
      bytes = 0
    }
    bytes += each.sketch.size
  }
  return batches
}

/** Files what was read of a batch in one transaction. */
const fileBatch = async (
  session: Session,
  folder: FolderRecord,
  known: readonly Known[],
  messages: ReadonlyMap<number, ReadMessage>,
): Promise<void> =>
  session.write(async (tx) => {
    let synced = 0
    for (const each of known) {
      const { isNew } = await fileNew(session, tx, folder, each, messages.get(each.sketch.uid))
      if (isNew) synced++
    }
    await session.countSynced(tx, synced)
  })

/** Notes in a transaction of its own that messages are being read, so that a process that dies of one is known. */
const beginAttempts = (session: Session, folder: FolderRecord, known: readonly Known[]): Promise<void> =>
  session.write(async (tx) => {
    for (const { sketch, identity } of known)
      await beginAttempt(tx, {
        accountId: session.accountId,
        folderId: folder.id,
        uidValidity: folder.uidValidity,
        uid: sketch.uid,
        emailId: null,
        identity,
        read: sketch.read ? 1 : 0,
        starred: sketch.starred ? 1 : 0,
        goneAt: null,
      })
  })

/** A lost connection or a full disk says nothing about a message. A server that refuses to hand it over does. */
const isRefusal = (error: unknown): boolean => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  return failure?.step === 'command' && (failure.reason === 'refused' || failure.reason === 'other')
}

/** Takes the attempt back, as far as possible, when it failed for a reason that has nothing to do with the messages. */
const endAttempts = async (
  session: Session,
  folder: FolderRecord,
  known: readonly Known[],
  error: unknown,
): Promise<void> => {
  if (isRefusal(error)) return
  const uids = known.map(({ sketch }) => sketch.uid)
  await session
    .writeLast((tx) => withdrawAttempt(tx, folder, uids))
    .catch((err: unknown) => session.log.warn({ err }, 'an attempt to read messages stays counted'))
}

/** Whether the server hands over another message: if not, its refusal says nothing about this one. */
const handsOverAnother = async ({ mailbox }: Session, uid: number): Promise<boolean> => {
  const other = (await mailbox.uids()).findLast((each) => each !== uid)
  return other !== undefined && (await mailbox.fetchHead(other, HEAD_BYTES)) !== undefined
}

/** Fetches one message: undefined when it is gone, null when the server hands over others but not this one. */
const fetchOne = async (session: Session, uid: number): Promise<Buffer | null | undefined> => {
  let found: Buffer | undefined
  try {
    for await (const { raw } of session.mailbox.fetch([uid])) found = raw
    return found
  } catch (error) {
    if (!isRefusal(error) || !(await handsOverAnother(session, uid))) throw error
    session.log.warn({ err: error, uid }, 'the mail server does not hand a message over')
    return null
  }
}

/**
 * Stores a message that could not be read, so that it is seen in its folder and can be downloaded. When its header is
 * what the database rejects, it is stored without anything that was read from it.
 */
const fileUnreadable = async (
  session: Session,
  folder: FolderRecord,
  known: Known,
  message: { raw: Buffer | null; head: Buffer | null; reason: string },
): Promise<void> => {
  const { messageId, subject, from } = known.sketch
  const file = async (given: Parameters<MailFiling['stageUnreadable']>[0]): Promise<void> => {
    const staged = await session.filing.stageUnreadable(given, toPlace(session, folder))
    if (!staged) return fileBatch(session, folder, [known], new Map())
    try {
      await fileBatch(session, folder, [known], new Map([[known.sketch.uid, staged]]))
    } catch (error) {
      await staged.discard()
      throw error
    }
  }
  session.log.warn({ uid: known.sketch.uid, reason: message.reason }, 'a message could not be read')
  try {
    await file({ ...message, envelope: { messageId, subject, from } })
  } catch (error) {
    if (isTemporary(error)) throw error
    const nothing = { messageId: null, subject: '', from: null }
    await file({ raw: message.raw, head: null, reason: message.reason, envelope: nothing })
  }
}

/** Takes in one message on its own, after something went wrong with the batch that it was part of. */
const takeInAlone = async (
  session: Session,
  folder: FolderRecord,
  known: Known,
  attempts: number,
): Promise<void> => {
  const { uid } = known.sketch
  const fileUnread = async (reason: string, fetched?: Buffer): Promise<void> => {
    const raw = fetched ?? (await fetchOne(session, uid))
    if (raw === undefined) return fileBatch(session, folder, [known], new Map())
    const message = { raw, head: raw, reason: raw === null ? NOT_HANDED_OVER : reason }
    await fileUnreadable(session, folder, known, message)
  }
  if (attempts >= MOST_ATTEMPTS) return fileUnread(INTERRUPTED)
  await beginAttempts(session, folder, [known])
  let batch: Batch | undefined
  try {
    batch = await fetchBatch(session, folder, [known])
    const failure = batch.failures.get(uid)
    if (failure) throw failure.error
    await fileBatch(session, folder, [known], batch.messages)
  } catch (error) {
    if (batch) await discardAll(batch)
    try {
      if (isTemporary(error)) throw error
      session.log.warn({ err: error, uid }, 'reading a message failed')
      await fileUnread(toUnreadableReason(error), batch?.failures.get(uid)?.raw)
    } catch (failure) {
      if (isTemporary(failure)) await endAttempts(session, folder, [known], failure)
      throw failure
    }
  }
}

/** Takes in a batch; when anything about it fails, message by message. */
const takeInBatch = async (
  session: Session,
  folder: FolderRecord,
  known: readonly Known[],
): Promise<void> => {
  await beginAttempts(session, folder, known)
  let batch: Batch | undefined
  let left = known
  try {
    batch = await fetchBatch(session, folder, known)
    const { failures } = batch
    const readable = known.filter(({ sketch }) => !failures.has(sketch.uid))
    await fileBatch(session, folder, readable, batch.messages)
    left = known.filter(({ sketch }) => failures.has(sketch.uid))
    for (const each of left) {
      const { raw, error } = failures.get(each.sketch.uid) as { raw: Buffer; error: unknown }
      session.log.warn({ err: error, uid: each.sketch.uid }, 'reading a message failed')
      await fileUnreadable(session, folder, each, { raw, head: raw, reason: toUnreadableReason(error) })
      left = left.filter((other) => other !== each)
    }
  } catch (error) {
    if (batch) await discardAll(batch)
    if (isTemporary(error)) {
      await endAttempts(session, folder, left, error)
      throw error
    }
    session.log.warn(
      { err: error, messages: left.length },
      'a batch failed and is taken in message by message',
    )
    for (const each of left) await takeInAlone(session, folder, each, 1)
  }
}

/** Stores what the header of a message says that is too large to be fetched. */
const takeInHuge = async (session: Session, folder: FolderRecord, known: Known): Promise<void> => {
  const head = await session.mailbox.fetchHead(known.sketch.uid, HEAD_BYTES)
  if (head === undefined) return fileBatch(session, folder, [known], new Map())
  const reason = `It is larger than ${LARGEST / 1024 / 1024} MiB and was not downloaded.`
  await fileUnreadable(session, folder, known, { raw: null, head, reason })
}

/** Takes in messages of the open folder that are not known there: those known from elsewhere without fetching them. */
export const takeIn = async (
  session: Session,
  folder: FolderRecord,
  uids: readonly number[],
): Promise<void> => {
  const sketches = await session.mailbox.sketches(uids)
  const known = sketches
    .map((sketch): Known => ({ sketch, identity: identityOf(sketch) }))
    .toSorted((a, b) => b.sketch.uid - a.sketch.uid)
  const places = await findByIdentity(
    session.db,
    session.accountId,
    known.map(({ identity }) => identity),
  )
  const used = new Set<number>()
  const fresh: Known[] = []
  const moved: { known: Known; former: { placement: PlacementRecord; isMoved: boolean } }[] = []
  for (const each of known) {
    const candidates = places.filter(({ identity, id }) => identity === each.identity && !used.has(id))
    const former = formerPlace(folder, candidates)
    if (former?.isMoved) used.add(former.placement.id)
    if (former) moved.push({ known: each, former })
    else fresh.push(each)
  }
  if (moved.length > 0)
    await session.write(async (tx) => {
      for (const { known: each, former } of moved) await adopt(session, tx, folder, each, former)
    })
  const records = await findPlacements(
    session.db,
    folder,
    fresh.map(({ sketch }) => sketch.uid),
  )
  const attempts = new Map(records.map((record) => [record.uid, record.attempts]))
  const attemptsOf = ({ sketch }: Known): number => attempts.get(sketch.uid) ?? 0
  const fitting = fresh.filter(({ sketch }) => sketch.size <= LARGEST)
  for (const batch of batchesOf(fitting.filter((each) => attemptsOf(each) === 0)))
    await takeInBatch(session, folder, batch)
  // Last, so that a message that ends the process does not keep others back.
  for (const each of fitting.filter((other) => attemptsOf(other) > 0))
    await takeInAlone(session, folder, each, attemptsOf(each))
  for (const each of fresh.filter(({ sketch }) => sketch.size > LARGEST))
    await takeInHuge(session, folder, each)
}
