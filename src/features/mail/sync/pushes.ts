import type { Db } from '../../../database/db.ts'
import { readOtherFolders } from '../../../database/other-folders.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import { afterCommit } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { toFolder, usesOf } from '../folders/folder.ts'
import { findMissingTags } from '../folders/keywords.ts'
import { type EmailFlags, findChangedFlags, pickFlags, toFlagColumns } from '../messages/email.ts'
import type { LocalChange, LocalChangeListener } from '../messages/mail-store.ts'
import { addBcc } from '../outbox/compose.ts'
import { deleteOutbox } from '../outbox/repository.ts'
import { applyKeywords, toKeywordChange } from './keyword-tags.ts'
import {
  countAttempt,
  deletePush,
  deletePushesOf,
  type FolderRecord,
  findPlacementsOf,
  insertFolder,
  insertPlacement,
  insertPush,
  listFolders,
  listPushes,
  type PlacementInFolder as Place,
  type PushRecord,
  relocate,
  selectWithFolder,
  updatePlacement,
} from './repository.ts'
import { applyServerState, NEW_FOLDERS, type Session, selectFolders, toIdentity } from './session.ts'

type PlacementKey = Pick<Place, 'id' | 'folderId'>

const findPlacementKeys = (tx: Db, emailId: number): Promise<PlacementKey[]> =>
  tx.selectFrom('mail_placements').select(['id', 'folderId']).where('emailId', '=', emailId).execute()

/** A move from several folders concerns all placements. */
const toMoveOrigin = (
  { before, move }: LocalChange,
  placements: readonly PlacementKey[],
): Pick<MoveInput, 'fromId' | 'placementIds'> => {
  const [from = null, ...others] = (move?.from ?? [{ id: before.folderId }]).map(({ id }) => id)
  if (others.length > 0) return {}
  const toIds = (left: readonly PlacementKey[]) => ({ placementIds: left.map(({ id }) => id) })
  if (from !== null) return { fromId: from, ...toIds(placements.filter(({ folderId }) => folderId === from)) }
  // An earlier move created the folder, so that its id was not known. The placements are those not in the other folders.
  const kept = readOtherFolders(before).map(({ id }) => id)
  return kept.length === 0 ? {} : toIds(placements.filter(({ folderId }) => !kept.includes(folderId)))
}

/** The push of a move. */
const toMoveInput = (change: LocalChange, placements: readonly PlacementKey[]): MoveInput => {
  const { email, move } = change
  const to = move?.to ?? { id: email.folderId, role: email.folder }
  return {
    folder: to.role,
    ...(to.id !== null && { folderId: to.id }),
    ...toMoveOrigin(change, placements),
  }
}

/** Queues a local change of an email for its server, in the same transaction. */
export const createLocalChanges =
  (deps: { clock: Clock; wake: (accountId: string) => void }): LocalChangeListener =>
  async (tx, change) => {
    const { kind, email, before, removedFrom } = change
    const { accountId, id: emailId } = email
    if (accountId === null) return
    // A deleted email is not sent.
    if (kind === 'removed' && !removedFrom) await deleteOutbox(tx, emailId)
    const placements = (await findPlacementKeys(tx, emailId)).filter(
      ({ folderId }) => removedFrom?.includes(folderId) ?? true,
    )
    if (placements.length === 0) return
    const createdAt = deps.clock.now().toISOString()
    const push = (pushKind: 'flags' | 'keywords' | 'move' | 'delete', input: unknown): Promise<void> =>
      insertPush(tx, { accountId, kind: pushKind, emailId, input, createdAt })

    if (kind === 'removed') {
      if (!removedFrom) await deletePushesOf(tx, emailId)
      const placementIds = placements.map(({ id }) => id)
      // The placements remain without an email, so that the sync does not fetch the messages again.
      await tx.updateTable('mail_placements').set({ emailId: null }).where('id', 'in', placementIds).execute()
      await push('delete', { placementIds })
    } else {
      const flags = findChangedFlags(before, email)
      if (Object.keys(flags).length > 0) await push('flags', flags)
      const tags = {
        add: findMissingTags(before.tags, email.tags),
        remove: findMissingTags(email.tags, before.tags),
      }
      if (tags.add.length + tags.remove.length > 0) await push('keywords', tags)
      if (kind === 'moved') await push('move', toMoveInput(change, placements))
    }
    afterCommit(() => deps.wake(accountId))
  }

/**
 * Appends a copy of a sent message to the server's Sent folder. First searches for its Message-ID: the server
 * may have stored it, or an earlier attempt of ours may have been interrupted.
 */
const appendSent = async (session: Session, emailId: number, sent: FolderRecord): Promise<boolean> => {
  const { mailbox, store, db, accountId, userId } = session
  if (mailbox.filesSentItself || (await findPlacementsOf(db, emailId)).length > 0) return true
  const email = await store.find(db, userId, emailId)
  const sentRaw = await store.readRaw(db, userId, emailId)
  if (!email?.messageId || !sentRaw) return true
  const raw = await addBcc(sentRaw, email.bcc)
  const messageId = `<${email.messageId}>`
  const flags = { ...pickFlags<EmailFlags>(email), read: true }
  const state = await session.reopen(sent.path)
  const [existingUid] = await mailbox.search(messageId)
  const receivedAt = session.now()
  const place =
    existingUid === undefined
      ? await mailbox.append(sent.path, { raw, flags, receivedAt: new Date(receivedAt) })
      : { uid: existingUid, uidValidity: state.uidValidity }
  if (place === null || (sent.uidValidity !== '' && sent.uidValidity !== place.uidValidity)) return true
  await session.write((tx) =>
    insertPlacement(tx, {
      accountId,
      folderId: sent.id,
      ...place,
      emailId,
      identity: toIdentity({ messageId, size: raw.length, receivedAt }),
      ...toFlagColumns(flags),
      goneAt: null,
    }),
  )
  return true
}

const BATCH_SIZE = 100
/** A server that refuses the same change this often will keep refusing it. */
const MAX_ATTEMPTS = 5

/** A move to the folder of a purpose, or to a certain server folder. */
interface MoveInput {
  folder: Folder
  folderId?: number
  /** The server folder that the email was in. */
  fromId?: number
  /** The placements that were in that folder. Without `fromId` and these, all placements are moved. */
  placementIds?: number[]
}

/** The server's folder for a purpose. Creates one if none exists. */
export const findOrCreateFolder = async (
  session: Session,
  purpose: Exclude<Folder, 'other'>,
): Promise<FolderRecord> => {
  const { accountId, userId, mailbox } = session
  const folders = selectFolders(await listFolders(session.db, accountId))
  const existing = usesOf(purpose).flatMap((use) => folders.find((folder) => folder.use === use) ?? [])[0]
  if (existing) return existing
  const name = NEW_FOLDERS[purpose]
  const path = await mailbox.createFolder(name)
  return (
    folders.find((folder) => folder.path === path) ??
    session.write((tx) =>
      insertFolder(tx, { userId, accountId, path, name, parentId: null, use: purpose, total: 0 }),
    )
  )
}

/** Returns undefined if the folder was deleted meanwhile. */
const findTarget = async (
  session: Session,
  { folder, folderId }: MoveInput,
): Promise<FolderRecord | undefined> => {
  const folders = await listFolders(session.db, session.accountId)
  const target = folders.find(({ id }) => id === folderId)
  return target ?? (folder === 'other' ? undefined : findOrCreateFolder(session, folder))
}

/** Opens the folder. Returns false if its UIDs are no longer valid; the next sync repairs them. */
const openIfCurrent = async (session: Session, place: Place): Promise<boolean> =>
  (await session.open(place.path)).uidValidity === place.uidValidity

const pushFlags = async (
  session: Session,
  places: readonly Place[],
  input: Partial<EmailFlags>,
): Promise<boolean> => {
  for (const place of places) {
    if (!(await openIfCurrent(session, place))) return false
    await session.mailbox.setFlags(place.uid, input)
    const [state] = await session.mailbox.states([place.uid])
    if (state) await session.write((tx) => updatePlacement(tx, place.id, toFlagColumns(pickFlags(state))))
  }
  return true
}

/** Sends changed tags as keywords. A tag that the server does not permit stays here. */
const pushKeywords = async (
  session: Session,
  places: readonly Place[],
  tags: { add: string[]; remove: string[] },
): Promise<boolean> => {
  for (const place of places) {
    const change = toKeywordChange(place, tags)
    if (change.add.length + change.remove.length === 0) continue
    if (!(await openIfCurrent(session, place))) return false
    await session.mailbox.setKeywords(place.uid, change)
    const [state] = await session.mailbox.states([place.uid])
    if (state) await session.write((tx) => applyKeywords(session, tx, place, state.keywords))
  }
  return true
}

/** Keywords that tell the filter of the server, and other programs, what the user decided. */
const JUNK = ['$Junk']
const NOT_JUNK = ['$NotJunk']

const markJunk = async (session: Session, place: Place, target: FolderRecord): Promise<void> => {
  if (target.use === 'junk') await session.mailbox.setKeywords(place.uid, { add: JUNK, remove: NOT_JUNK })
  else if (place.use === 'junk' && target.use !== 'trash')
    await session.mailbox.setKeywords(place.uid, { add: NOT_JUNK, remove: JUNK })
}

const isAtTarget = (place: Place, target: FolderRecord, { folder, folderId }: MoveInput): boolean =>
  place.folderId === target.id || (folderId !== target.id && toFolder(place.use) === folder)

/**
 * The placements to move. Copies in other folders stay where they are. If another program has moved the message
 * meanwhile, it is moved from there.
 */
const selectMoved = (places: readonly Place[], target: FolderRecord, input: MoveInput): readonly Place[] => {
  const { fromId, placementIds } = input
  const moved = places.filter((place) => !isAtTarget(place, target, input))
  const from = moved.filter((place) => place.folderId === fromId)
  if (from.length > 0) return from
  return placementIds ? moved.filter(({ id }) => placementIds.includes(id)) : moved
}

/** Notifies the user about a move that the server did not make. The state of the server applies instead. */
const reportLostMove = async (
  session: Session,
  tx: Db,
  emailId: number,
  folder: string,
  reason: 'moved' | 'refused',
): Promise<void> => {
  const { userId } = session
  const email = await session.store.find(tx, userId, emailId)
  if (!email) return
  await session.changes.record(tx, {
    userId,
    type: 'mail_account.conflict',
    subject: String(userId),
    data: { emailId, title: email.subject, folder, reason },
  })
}

/** Whether the server has the message in the folder, although it did not report a moved message. */
const isInFolder = async (session: Session, emailId: number | null, path: string): Promise<boolean> => {
  const email = emailId === null ? undefined : await session.store.find(session.db, session.userId, emailId)
  // Without a Message-ID, the message cannot be recognised.
  if (!email?.messageId) return true
  await session.open(path)
  return (await session.mailbox.search(`<${email.messageId}>`)).length > 0
}

/** Without `emailId`, the email was deleted here, so that nobody waits for the move. */
const pushMove = async (
  session: Session,
  places: readonly Place[],
  input: MoveInput,
  emailId?: number,
): Promise<boolean> => {
  const target = await findTarget(session, input)
  const reportLost = async (tx: Db, reason: 'moved' | 'refused'): Promise<void> => {
    if (emailId !== undefined) await reportLostMove(session, tx, emailId, target?.name ?? '', reason)
  }
  if (!target) {
    await session.write((tx) => reportLost(tx, 'refused'))
    return true
  }
  const left = selectMoved(places, target, input)
  if (left.length === 0 && !places.some((place) => isAtTarget(place, target, input)))
    await session.write((tx) => reportLost(tx, 'moved'))
  for (const place of left) {
    if (!(await openIfCurrent(session, place))) return false
    await markJunk(session, place, target)
    const moved = await session.mailbox.move(place.uid, target.path)
    const isLost = !moved && !(await isInFolder(session, place.emailId, target.path))
    await session.write(async (tx) => {
      if (moved) await relocate(tx, place.id, { folderId: target.id, ...moved })
      else await updatePlacement(tx, place.id, { goneAt: session.now() })
      if (isLost) await reportLost(tx, 'moved')
    })
  }
  return true
}

/** The placements that a push concerns, with those that have vanished from their folder. */
const findPushPlacements = (session: Session, push: PushRecord): Promise<Place[]> => {
  const query = selectWithFolder(session.db)
  if (push.kind !== 'delete') return query.where('emailId', '=', push.emailId).execute()
  const { placementIds } = JSON.parse(push.payload) as { placementIds: number[] }
  return query.where('mail_placements.id', 'in', placementIds).execute()
}

/** Returns false if the push must wait for the next sync. */
const executePush = async (session: Session, push: PushRecord): Promise<boolean> => {
  const known = await findPushPlacements(session, push)
  const places = known.filter(({ goneAt }) => goneAt === null)
  // A message that left its folder is in another one, or was deleted. The next sync finds out.
  if (push.kind !== 'append' && known.length > places.length) return false
  const input: unknown = JSON.parse(push.payload)
  switch (push.kind) {
    case 'flags':
      return pushFlags(session, places, input as Partial<EmailFlags>)
    case 'move':
      return pushMove(session, places, input as MoveInput, push.emailId)
    case 'keywords':
      return pushKeywords(session, places, input as { add: string[]; remove: string[] })
    case 'delete':
      return pushMove(session, places, { folder: 'trash' })
    case 'append':
      return appendSent(session, push.emailId, await findOrCreateFolder(session, 'sent'))
  }
}

const isRefusal = (error: unknown): boolean => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  return (
    failure !== undefined &&
    (failure.reason === 'refused' || failure.reason === 'other' || failure.reason === 'missing')
  )
}

/** The name of the folder that a move is for. Empty if it has no folder on the server. */
const nameTarget = async (session: Session, { payload }: PushRecord): Promise<string> => {
  const { folder, folderId } = JSON.parse(payload) as MoveInput
  const folders = await listFolders(session.db, session.accountId)
  const target = folders.find(({ id, use }) => id === folderId || usesOf(folder).some((one) => one === use))
  return target?.name ?? ''
}

/** Sends queued local changes to the server in their original order. Returns whether there were any. */
export const pushAll = async (session: Session): Promise<boolean> => {
  const pushes = await listPushes(session.db, session.accountId, BATCH_SIZE)
  for (const push of pushes) {
    let isRefused = false
    try {
      if (!(await executePush(session, push))) continue
    } catch (error) {
      if (!isRefusal(error)) throw error
      session.log.warn({ err: error, kind: push.kind }, 'mail server refused a change')
      if (push.attempts + 1 < MAX_ATTEMPTS) {
        await session.write((tx) => countAttempt(tx, push.id))
        continue
      }
      isRefused = true
    }
    // From here on, the server state applies again, including its result of this push.
    await session.write(async (tx) => {
      await deletePush(tx, push.id)
      if (isRefused && push.kind === 'move')
        await reportLostMove(session, tx, push.emailId, await nameTarget(session, push), 'refused')
      if (push.kind !== 'delete') await applyServerState(session, tx, push.emailId)
    })
  }
  return pushes.length > 0
}
