import type { Db } from '../../../database/db.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ReadMessage } from '../../emails/mail-filing.ts'
import type { MessageSketch } from '../mailbox.ts'
import { folderFor, identityOf } from './folders.ts'
import {
  type FolderRecord,
  findByIdentity,
  insertPlacement,
  type PlacementRecord,
  relocate,
  updatePlacement,
} from './placement-store.ts'
import type { Session } from './session.ts'
import { followServer } from './truth.ts'

/** What is fetched and filed at once: small enough for the memory and for whoever else wants to write. */
const BATCH_MESSAGES = 25
const BATCH_BYTES = 4 * 1024 * 1024
const LARGEST = 50 * 1024 * 1024

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

const isUnreadable = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'invalid' || error.kind === 'too_large')

/** Fetches and reads the messages; what can never be stored is left out, so that the rest is not kept waiting. */
const fetchBatch = async (
  session: Session,
  folder: FolderRecord,
  batch: readonly Known[],
): Promise<Map<number, ReadMessage>> => {
  const place = { accountId: session.accountId, isSent: folder.use === 'sent' }
  const found = new Map<number, ReadMessage>()
  try {
    for await (const { uid, raw } of session.mailbox.fetch(batch.map(({ sketch }) => sketch.uid))) {
      try {
        const message = await session.filing.read(raw, place)
        if (message) found.set(uid, message)
      } catch (error) {
        if (!isUnreadable(error)) throw error
        session.log.error({ err: error, uid }, 'a message cannot be stored and is left on its server')
      }
    }
    return found
  } catch (error) {
    for (const message of found.values()) await message.discard()
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
  for (const batch of batchesOf(fresh.filter(({ sketch }) => sketch.size <= LARGEST))) {
    const read = await fetchBatch(session, folder, batch)
    await session.write(async (tx) => {
      let synced = 0
      for (const each of batch) {
        const { isNew } = await fileNew(session, tx, folder, each, read.get(each.sketch.uid))
        if (isNew) synced++
      }
      await session.countSynced(tx, synced)
    })
  }
  const huge = fresh.filter(({ sketch }) => sketch.size > LARGEST)
  if (huge.length === 0) return
  session.log.warn(
    { uids: huge.map(({ sketch }) => sketch.uid) },
    'messages beyond 50 MiB are left on their server',
  )
  await session.write(async (tx) => {
    for (const each of huge) await fileNew(session, tx, folder, each, undefined)
  })
}
