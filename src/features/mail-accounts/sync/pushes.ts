import type { Folder } from '../../../database/tables/mail.ts'
import { AppError } from '../../../platform/errors.ts'
import type { MessageFlags } from '../mailbox.ts'
import { folderFor, NEW_FOLDERS } from './folders.ts'
import {
  type FolderRecord,
  findPlacementsOf,
  listFolders,
  type PlacementRecord,
  relocate,
  saveFolder,
  updatePlacement,
} from './placement-store.ts'
import { countAttempt, deletePush, listPushes, type PushRecord } from './push-store.ts'
import { appendSent } from './sent-copy.ts'
import type { Session } from './session.ts'
import { followServer } from './truth.ts'

const AT_ONCE = 100
/** A server that refuses the same thing this often will go on refusing. */
const MOST_ATTEMPTS = 5

type Place = PlacementRecord & { path: string; use: string | null }

/** The folder of the server for a purpose; made when there is none. */
export const folderOn = async (session: Session, wanted: Folder): Promise<FolderRecord> => {
  const folders = await listFolders(session.db, session.accountId)
  const named =
    folders.find(({ use }) => use === wanted) ??
    // Where everything lies in one folder, that is the archive.
    (wanted === 'archive' ? folders.find(({ use }) => use === 'all') : undefined)
  if (named) return named
  const path = NEW_FOLDERS[wanted]
  const made = folders.find((folder) => folder.path === path)
  if (!made) await session.mailbox.createFolder(path)
  return made ?? session.write((tx) => saveFolder(tx, session.accountId, { path, use: wanted, total: 0 }))
}

/** Whether the numbers that are known of a folder still mean something; if not, the next look mends it. */
const openAt = async (session: Session, place: Place): Promise<boolean> =>
  (await session.open(place.path)).uidValidity === place.uidValidity

const pushFlags = async (
  session: Session,
  places: readonly Place[],
  wish: Partial<MessageFlags>,
): Promise<boolean> => {
  for (const place of places) {
    if (!(await openAt(session, place))) return false
    await session.mailbox.setFlags(place.uid, wish)
    const [state] = await session.mailbox.states([place.uid])
    if (state)
      await session.write((tx) =>
        updatePlacement(tx, place.id, { read: state.read ? 1 : 0, starred: state.starred ? 1 : 0 }),
      )
  }
  return true
}

const pushMove = async (session: Session, places: readonly Place[], wanted: Folder): Promise<boolean> => {
  const target = await folderOn(session, wanted)
  for (const place of places) {
    if (place.folderId === target.id || folderFor(place.use) === wanted) continue
    if (!(await openAt(session, place))) return false
    const moved = await session.mailbox.move(place.uid, target.path)
    await session.write((tx) =>
      moved
        ? relocate(tx, place.id, { folderId: target.id, ...moved })
        : updatePlacement(tx, place.id, { goneAt: session.now() }),
    )
  }
  return true
}

const placesOf = (session: Session, push: PushRecord): Promise<Place[]> => {
  if (push.kind !== 'delete') return findPlacementsOf(session.db, push.emailId)
  const { placementIds } = JSON.parse(push.wish) as { placementIds: number[] }
  return session.db
    .selectFrom('mail_placements')
    .innerJoin('mail_folders', 'mail_folders.id', 'mail_placements.folderId')
    .selectAll('mail_placements')
    .select(['mail_folders.path', 'mail_folders.use'])
    .where('mail_placements.id', 'in', placementIds)
    .where('goneAt', 'is', null)
    .execute()
}

/** False when it has to wait for a look at the folder. */
const perform = async (session: Session, push: PushRecord): Promise<boolean> => {
  const places = await placesOf(session, push)
  const wish: unknown = JSON.parse(push.wish)
  switch (push.kind) {
    case 'flags':
      return pushFlags(session, places, wish as Partial<MessageFlags>)
    case 'move':
      return pushMove(session, places, (wish as { folder: Folder }).folder)
    case 'delete':
      return pushMove(session, places, 'trash')
    case 'append':
      return appendSent(session, push.emailId, await folderOn(session, 'sent'))
  }
}

const isRefusal = (error: unknown): boolean => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  return (
    failure !== undefined &&
    (failure.reason === 'refused' || failure.reason === 'other' || failure.reason === 'missing')
  )
}

/** Tells the server what was done here, in the order it was done. Says whether there was anything to tell. */
export const pushAll = async (session: Session): Promise<boolean> => {
  const pushes = await listPushes(session.db, session.accountId, AT_ONCE)
  for (const push of pushes) {
    try {
      if (!(await perform(session, push))) continue
    } catch (error) {
      if (!isRefusal(error)) throw error
      session.log.warn({ err: error, kind: push.kind }, 'the mail server refused a change')
      if (push.attempts + 1 < MOST_ATTEMPTS) {
        await session.write((tx) => countAttempt(tx, push.id))
        continue
      }
    }
    // From here on the server is right again, also about what it made of this.
    await session.write(async (tx) => {
      await deletePush(tx, push.id)
      if (push.kind !== 'delete') await followServer(session, tx, push.emailId)
    })
  }
  return pushes.length > 0
}
