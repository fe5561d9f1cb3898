import type { Db } from '../../../database/db.ts'
import { AppError, isTemporary, toUnreadableReason } from '../../../platform/errors.ts'
import { createYielder } from '../../../platform/yield.ts'
import type { MessagePlace } from '../../system-mail/recognition.ts'
import type { MessageSketch } from '../accounts/ports.ts'
import { toFolder } from '../folders/folder.ts'
import { toTags } from '../folders/keywords.ts'
import { pickFlags, toFlagColumns } from '../messages/email.ts'
import type { MailStore, ReadMessage } from '../messages/mail-store.ts'
import { applyKeywords, writeKeywords } from './keyword-tags.ts'
import {
  beginAttempts,
  countChecks,
  type FolderRecord,
  findByIdentity,
  findPlacements,
  findPlacementsOf,
  insertPlacement,
  listEmailsOfIdentity,
  listUnchecked,
  type PlacementRecord,
  relocate,
  updatePlacement,
  withdrawAttempt,
} from './repository.ts'
import { applyServerState, type Session, toIdentity } from './session.ts'

/** Limits of one batch. They bound the memory, and the time that the transaction blocks other writers. */
const BATCH_MESSAGES = 25
const BATCH_BYTES = 2 * 1024 * 1024
/** Messages that are parsed and staged at the same time. They wait for the disk together. */
const READ_TOGETHER = 8
/** Other requests wait at most this long for the next turn of the event loop. */
const TURN_MS = 8
const MAX_BYTES = 50 * 1024 * 1024
/** The part of an oversized message that is fetched to read its header. */
const HEAD_BYTES = 64 * 1024
/**
 * One attempt in a batch and one alone. After that, the message is stored as unreadable instead of parsed
 * again.
 */
const MAX_ATTEMPTS = 2
const INTERRUPTED = `The service stopped ${MAX_ATTEMPTS} times while reading this message.`
const NOT_DELIVERED = 'The mail server did not deliver this message.'

interface IncomingMessage {
  sketch: MessageSketch
  identity: string
  /** The email of a placement whose content is checked. */
  formerEmailId?: number | null
}

interface KnownPlacement {
  placement: PlacementRecord
  isMoved: boolean
}

/**
 * Finds the earlier placement of a message: one it was moved from, or one from before its folder was renumbered. A copy
 * is recognised only if the server identifies its messages. Otherwise returns undefined, and the message is fetched:
 * another message can have the same Message-ID and size. `all` are the placements with the identity of the message, and
 * `free` those that no other message has taken.
 */
const findKnownPlacement = (
  folder: FolderRecord,
  { objectId, receivedAt }: MessageSketch,
  { all, free }: { all: readonly PlacementRecord[]; free: readonly PlacementRecord[] },
): KnownPlacement | undefined => {
  const hasOldNumbering = (place: PlacementRecord): boolean =>
    place.folderId === folder.id && place.uidValidity !== folder.uidValidity
  const findLeft = (places: readonly PlacementRecord[]): PlacementRecord | undefined =>
    places.find(hasOldNumbering) ?? places.find((place) => place.goneAt !== null)
  if (objectId !== null) {
    // A copy may have been deleted here, in its folder only.
    const copies = free
      .filter((place) => place.objectId === objectId)
      .toSorted((a, b) => Number(a.emailId === null) - Number(b.emailId === null))
    const left = findLeft(copies)
    if (left) return { placement: left, isMoved: true }
    const [copy] = copies
    if (copy) return { placement: copy, isMoved: false }
  }
  const isAmbiguous = new Set(all.map(({ emailId }) => emailId)).size > 1
  if (isAmbiguous) return undefined
  const left = findLeft(
    free.filter(
      (place) =>
        (place.objectId === null || objectId === null) &&
        (place.receivedAt === null || place.receivedAt === receivedAt),
    ),
  )
  return left && { placement: left, isMoved: true }
}

const addPlacement = (
  { accountId }: Session,
  tx: Db,
  { id: folderId, uidValidity }: FolderRecord,
  { sketch, identity }: IncomingMessage,
  emailId: number | null,
): Promise<void> =>
  insertPlacement(tx, {
    accountId,
    folderId,
    uidValidity,
    uid: sketch.uid,
    emailId,
    identity,
    ...toFlagColumns(pickFlags(sketch)),
    keywords: writeKeywords(sketch.keywords),
    receivedAt: sketch.receivedAt,
    objectId: sketch.objectId,
    unchecked: 0,
    goneAt: null,
  })

const linkToKnownEmail = async (
  session: Session,
  tx: Db,
  folder: FolderRecord,
  { sketch, identity }: IncomingMessage,
  former: KnownPlacement,
): Promise<void> => {
  const { receivedAt, objectId } = sketch
  const place = { folderId: folder.id, uidValidity: folder.uidValidity, uid: sketch.uid }
  const flags = toFlagColumns(pickFlags(sketch))
  const { id, emailId } = former.placement
  if (former.isMoved) {
    await relocate(tx, id, place)
    await updatePlacement(tx, id, { ...flags, receivedAt, objectId })
    await applyKeywords(session, tx, former.placement, sketch.keywords, { isMoved: true })
  } else {
    await addPlacement(session, tx, folder, { sketch, identity }, emailId)
    if (emailId !== null) await addTags(session, tx, emailId, sketch)
  }
  if (emailId !== null) await applyServerState(session, tx, emailId)
}

const addTags = (session: Session, tx: Db, emailId: number, { keywords }: MessageSketch): Promise<boolean> =>
  session.store.changeTags(tx, session.userId, emailId, { add: toTags(keywords), remove: [] })

const fileNew = async (
  session: Session,
  tx: Db,
  folder: FolderRecord,
  { sketch, identity, formerEmailId = null }: IncomingMessage,
  raw: ReadMessage | undefined,
): Promise<{ isNew: boolean }> => {
  const { accountId, userId, store } = session
  const { receivedAt } = sketch
  const arrival = {
    userId,
    accountId,
    folder: toFolder(folder.use),
    folderId: folder.id,
    tags: toTags(sketch.keywords),
    ...pickFlags(sketch),
    receivedAt,
    listCandidates: () => listEmailsOfIdentity(tx, accountId, identity),
  }
  const isNew = receivedAt >= session.since && formerEmailId === null
  const filed = raw ? await store.file(tx, { ...arrival, isNew, raw }) : null
  await addPlacement(session, tx, folder, { sketch, identity }, filed?.id ?? null)
  if (formerEmailId !== null && formerEmailId !== filed?.id) await leaveEmail(session, tx, formerEmailId)
  if (filed?.ruled) await store.notifyLocalChange(tx, filed.ruled)
  // The email existed before, for example because it was sent from here. The server decides its folder.
  if (filed && !filed.created) {
    await addTags(session, tx, filed.id, sketch)
    await applyServerState(session, tx, filed.id)
  }
  return { isNew: filed?.created === true }
}

/** The placement of an email turned out to be that of another one. */
const leaveEmail = async (session: Session, tx: Db, emailId: number): Promise<void> => {
  const { store, userId } = session
  if ((await findPlacementsOf(tx, emailId)).length > 0) return applyServerState(session, tx, emailId)
  const email = await store.find(tx, userId, emailId)
  if (email) await store.move(tx, userId, emailId, email.folder)
}

interface Batch {
  messages: Map<number, ReadMessage>
  /** Messages that were fetched but could not be parsed. */
  failures: Map<number, { raw: Buffer; error: unknown }>
}

const discardAll = async ({ messages }: Batch): Promise<void> => {
  for (const message of messages.values()) await message.discard()
}

/** The folder helps to recognise mail that this instance sent itself. */
const toPlace = (session: Session, folder: FolderRecord): MessagePlace => ({
  accountId: session.accountId,
  isSent: folder.use === 'sent',
})

/** Messages that are being fetched. Their attempts are counted. */
interface Fetching {
  incoming: readonly IncomingMessage[]
  fetched: Promise<{ uid: number; raw: Buffer }[]>
}

/** Counts the attempts, and begins to fetch the messages. */
const beginFetch = async (
  session: Session,
  folder: FolderRecord,
  incoming: readonly IncomingMessage[],
): Promise<Fetching> => {
  await countAttempts(session, folder, incoming)
  const uids = incoming.map(({ sketch }) => sketch.uid)
  const fetched = session.turns.fetch(() => Array.fromAsync(session.mailbox.fetch(uids)))
  // A failure is handled with the messages.
  fetched.catch(() => {})
  return { incoming, fetched }
}

/** Parses fetched messages. A message that cannot be parsed does not prevent the others from being filed. */
const readBatch = async (
  session: Session,
  folder: FolderRecord,
  { fetched }: Pick<Fetching, 'fetched'>,
): Promise<Batch> => {
  const waiting = (await fetched).values()
  const batch: Batch = { messages: new Map(), failures: new Map() }
  const readNext = async (): Promise<void> => {
    for (const { uid, raw } of waiting) {
      try {
        const message = await session.store.read(raw, toPlace(session, folder))
        if (message) batch.messages.set(uid, message)
      } catch (error) {
        if (isTemporary(error)) throw error
        batch.failures.set(uid, { raw, error })
      }
    }
  }
  const results = await session.turns.store(() =>
    Promise.allSettled(Array.from({ length: READ_TOGETHER }, readNext)),
  )
  // Thrown after all have ended, because the rest is discarded.
  for (const result of results)
    if (result.status === 'rejected') {
      await discardAll(batch)
      throw result.reason
    }
  return batch
}

const toBatches = (incoming: readonly IncomingMessage[]): IncomingMessage[][] => {
  const batches: IncomingMessage[][] = []
  let bytes = 0
  for (const each of incoming) {
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

/** Stores the parsed messages of a batch in one transaction. */
const fileBatch = async (
  session: Session,
  folder: FolderRecord,
  incoming: readonly IncomingMessage[],
  messages: ReadonlyMap<number, ReadMessage>,
): Promise<void> =>
  session.write(async (tx) => {
    let synced = 0
    const pause = createYielder(TURN_MS)
    await session.store.placeAll(tx, [...messages.values()])
    for (const each of incoming) {
      await pause()
      const { isNew } = await fileNew(session, tx, folder, each, messages.get(each.sketch.uid))
      if (isNew) synced++
    }
    await session.countSynced(tx, session.userId, synced)
  })

/** Counts the attempt in a separate transaction. If a message crashes the process, the count survives. */
const countAttempts = (
  session: Session,
  folder: FolderRecord,
  incoming: readonly IncomingMessage[],
): Promise<void> =>
  session.write((tx) =>
    beginAttempts(
      tx,
      incoming.map(({ sketch, identity }) => ({
        accountId: session.accountId,
        folderId: folder.id,
        uidValidity: folder.uidValidity,
        uid: sketch.uid,
        identity,
        ...toFlagColumns(pickFlags(sketch)),
      })),
    ),
  )

/** A lost connection or a full disk is not the fault of a message. A server that refuses to deliver it is. */
const isRefusal = (error: unknown): boolean => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  return failure?.step === 'command' && (failure.reason === 'refused' || failure.reason === 'other')
}

/** Reverts the attempt count, if possible, when the failure has nothing to do with the messages. */
const endAttempts = async (
  session: Session,
  folder: FolderRecord,
  incoming: readonly IncomingMessage[],
  error: unknown,
): Promise<void> => {
  if (isRefusal(error)) return
  const uids = incoming.map(({ sketch }) => sketch.uid)
  await session
    .writeLast((tx) => withdrawAttempt(tx, folder, uids))
    .catch((err: unknown) =>
      session.log.warn({ err }, 'could not revert the count of an attempt to read messages'),
    )
}

/** Whether the server delivers another message. If not, its refusal is not specific to this message. */
const canFetchAnother = async ({ mailbox }: Session, uid: number): Promise<boolean> => {
  const other = (await mailbox.uids()).findLast((each) => each !== uid)
  return other !== undefined && (await mailbox.fetchHead(other, HEAD_BYTES)) !== undefined
}

/**
 * Fetches one message. Undefined: the message no longer exists. Null: the server delivers others but not this
 * one.
 */
const fetchOne = async (session: Session, uid: number): Promise<Buffer | null | undefined> => {
  let found: Buffer | undefined
  try {
    for await (const { raw } of session.mailbox.fetch([uid])) found = raw
    return found
  } catch (error) {
    if (!isRefusal(error) || !(await canFetchAnother(session, uid))) throw error
    session.log.warn({ err: error, uid }, 'mail server does not deliver a message')
    return null
  }
}

/**
 * Stores a message that could not be parsed, so that users see it in its folder and can download it. If the
 * database rejects its header, the message is stored without header fields.
 */
const fileUnreadable = async (
  session: Session,
  folder: FolderRecord,
  incoming: IncomingMessage,
  message: { raw: Buffer | null; head: Buffer | null; reason: string },
): Promise<void> => {
  const { messageId, subject, from, size } = incoming.sketch
  const file = async (given: Parameters<MailStore['stageUnreadable']>[0]): Promise<void> => {
    const staged = await session.store.stageUnreadable(given, toPlace(session, folder))
    if (!staged) return fileBatch(session, folder, [incoming], new Map())
    try {
      await fileBatch(session, folder, [incoming], new Map([[incoming.sketch.uid, staged]]))
    } catch (error) {
      await staged.discard()
      throw error
    }
  }
  session.log.warn({ uid: incoming.sketch.uid, reason: message.reason }, 'could not read a message')
  try {
    await file({ ...message, size, envelope: { messageId, subject, from } })
  } catch (error) {
    if (isTemporary(error)) throw error
    const nothing = { messageId: null, subject: '', from: null }
    await file({ raw: message.raw, head: null, reason: message.reason, size, envelope: nothing })
  }
}

/** Imports one message alone, after the batch that contained it failed. */
const importSingle = async (
  session: Session,
  folder: FolderRecord,
  incoming: IncomingMessage,
  attempts: number,
): Promise<void> => {
  const { uid } = incoming.sketch
  const fileUnread = async (reason: string, fetched?: Buffer): Promise<void> => {
    const raw = fetched ?? (await fetchOne(session, uid))
    if (raw === undefined) return fileBatch(session, folder, [incoming], new Map())
    const message = { raw, head: raw, reason: raw === null ? NOT_DELIVERED : reason }
    await fileUnreadable(session, folder, incoming, message)
  }
  if (attempts >= MAX_ATTEMPTS) return fileUnread(INTERRUPTED)
  const fetching = await beginFetch(session, folder, [incoming])
  let batch: Batch | undefined
  try {
    batch = await readBatch(session, folder, fetching)
    const failure = batch.failures.get(uid)
    if (failure) throw failure.error
    await fileBatch(session, folder, [incoming], batch.messages)
  } catch (error) {
    if (batch) await discardAll(batch)
    try {
      if (isTemporary(error)) throw error
      session.log.warn({ err: error, uid }, 'failed to read a message')
      await fileUnread(toUnreadableReason(error), batch?.failures.get(uid)?.raw)
    } catch (failure) {
      if (isTemporary(failure)) await endAttempts(session, folder, [incoming], failure)
      throw failure
    }
  }
}

/** Imports a batch. If the batch fails, imports its messages one by one. */
const importBatch = async (session: Session, folder: FolderRecord, fetching: Fetching): Promise<void> => {
  const { incoming } = fetching
  let batch: Batch | undefined
  let remaining = incoming
  try {
    batch = await readBatch(session, folder, fetching)
    const { failures } = batch
    const readable = incoming.filter(({ sketch }) => !failures.has(sketch.uid))
    await fileBatch(session, folder, readable, batch.messages)
    remaining = incoming.filter(({ sketch }) => failures.has(sketch.uid))
    for (const each of remaining) {
      const { raw, error } = failures.get(each.sketch.uid) as { raw: Buffer; error: unknown }
      session.log.warn({ err: error, uid: each.sketch.uid }, 'failed to read a message')
      await fileUnreadable(session, folder, each, { raw, head: raw, reason: toUnreadableReason(error) })
      remaining = remaining.filter((other) => other !== each)
    }
  } catch (error) {
    if (batch) await discardAll(batch)
    if (isTemporary(error)) {
      await endAttempts(session, folder, remaining, error)
      throw error
    }
    const messages = remaining.length
    session.log.warn({ err: error, messages }, 'batch failed, importing its messages one by one')
    for (const each of remaining) await importSingle(session, folder, each, 1)
  }
}

/** Imports batches. The next one is fetched while one is stored. Returns false if the storage became full. */
const importBatches = async (
  session: Session,
  folder: FolderRecord,
  batches: readonly IncomingMessage[][],
): Promise<boolean> => {
  let next: Fetching | undefined
  try {
    for (const [index, incoming] of batches.entries()) {
      if (!(await session.hasSpace())) return false
      const current = next ?? (await beginFetch(session, folder, incoming))
      next = undefined
      const following = batches[index + 1]
      if (following) next = await beginFetch(session, folder, following)
      await importBatch(session, folder, current)
    }
    return true
  } finally {
    if (next) {
      await next.fetched.catch(() => {})
      await endAttempts(session, folder, next.incoming, undefined)
    }
  }
}

/** Stores only the header of a message that is too large to fetch. */
const importOversized = async (
  session: Session,
  folder: FolderRecord,
  incoming: IncomingMessage,
): Promise<void> => {
  const head = await session.mailbox.fetchHead(incoming.sketch.uid, HEAD_BYTES)
  if (head === undefined) return fileBatch(session, folder, [incoming], new Map())
  const reason = `The message is larger than ${MAX_BYTES / 1024 / 1024} MiB and was not downloaded.`
  await fileUnreadable(session, folder, incoming, { raw: null, head, reason })
}

/**
 * Imports new messages of the open folder. Messages that were moved are linked without being fetched. Returns false if
 * the storage became full. The rest then stays on the server, for a later sync.
 */
export const importMessages = async (
  session: Session,
  folder: FolderRecord,
  uids: readonly number[],
): Promise<boolean> => {
  const sketches = await session.turns.fetch(() => session.mailbox.sketches(uids))
  const incoming = sketches
    .map((sketch): IncomingMessage => ({ sketch, identity: toIdentity(sketch) }))
    .toSorted((a, b) => b.sketch.uid - a.sketch.uid)
  const identities = incoming.map(({ identity }) => identity)
  const places = await findByIdentity(session.db, session.accountId, identities)
  const used = new Set<number>()
  const fresh: IncomingMessage[] = []
  const moved: { incoming: IncomingMessage; former: KnownPlacement }[] = []
  for (const each of incoming) {
    const all = places.filter(({ identity }) => identity === each.identity)
    const former = findKnownPlacement(folder, each.sketch, {
      all,
      free: all.filter(({ id }) => !used.has(id)),
    })
    if (former?.isMoved) used.add(former.placement.id)
    if (former) moved.push({ incoming: each, former })
    else fresh.push(each)
  }
  if (moved.length > 0)
    await session.write(async (tx) => {
      for (const { incoming: each, former } of moved)
        await linkToKnownEmail(session, tx, folder, each, former)
    })
  const freshUids = fresh.map(({ sketch }) => sketch.uid)
  const records = await findPlacements(session.db, folder, freshUids)
  const attempts = new Map(records.map((record) => [record.uid, record.attempts]))
  const attemptsOf = ({ sketch }: IncomingMessage): number => attempts.get(sketch.uid) ?? 0
  const fitting = fresh.filter(({ sketch }) => sketch.size <= MAX_BYTES)
  const batches = toBatches(fitting.filter((each) => attemptsOf(each) === 0))
  if (!(await importBatches(session, folder, batches))) return false
  // Last, so that a message that crashes the process does not block the others.
  for (const each of fitting.filter((other) => attemptsOf(other) > 0)) {
    if (!(await session.hasSpace())) return false
    await importSingle(session, folder, each, attemptsOf(each))
  }
  for (const each of fresh.filter(({ sketch }) => sketch.size > MAX_BYTES))
    await importOversized(session, folder, each)
  return true
}

/**
 * Compares messages that an older version took for copies of others with their emails, and files those that are not.
 * Does nothing while the storage is full.
 */
export const checkPlacements = async (session: Session, folder: FolderRecord): Promise<void> => {
  while (await session.hasSpace()) {
    const places = await listUnchecked(session.db, folder, BATCH_MESSAGES)
    if (places.length === 0) return
    // Counted first, so that a message that crashes the process does not do so forever.
    const emailIds = new Map(places.map(({ uid, emailId }) => [uid, emailId]))
    const uids = [...emailIds.keys()]
    await session.write((tx) => countChecks(tx, folder, uids))
    const sketches = await session.turns.fetch(() => session.mailbox.sketches(uids))
    const incoming = sketches
      .filter(({ size }) => size <= MAX_BYTES)
      .map((sketch) => ({
        sketch,
        identity: toIdentity(sketch),
        formerEmailId: emailIds.get(sketch.uid) ?? null,
      }))
    await importBatches(session, folder, toBatches(incoming))
  }
}
