import type { FolderListing, FolderState } from '../mailbox.ts'
import { takeIn } from './arrivals.ts'
import { compareAll, followMarks, followVanished, settleGone } from './changes.ts'
import { followed } from './folders.ts'
import {
  deleteFolder,
  type FolderRecord,
  listFolders,
  listReadUids,
  listUids,
  markFolderGone,
  markStaleGone,
  saveFolder,
  updateFolder,
} from './placement-store.ts'
import type { Session } from './session.ts'

const CHUNK = 100

export interface PassDeps {
  /** Called between batches: what is urgent gets its turn in a long fetch. True when another folder was opened. */
  between(): Promise<boolean>
}

/** Whether messages came or went; where the server counts changes, whether anything happened at all. */
export const isInStep = (row: FolderRecord, state: FolderState): boolean =>
  row.uidValidity === state.uidValidity &&
  row.uidNext === state.uidNext &&
  row.total === state.exists &&
  row.highestModseq === state.highestModseq

/** What happened to messages that are known already. */
const followKnown = async (session: Session, folder: FolderRecord, state: FolderState): Promise<void> => {
  if (folder.highestModseq === null || state.highestModseq === null) return compareAll(session, folder)
  if (folder.highestModseq === state.highestModseq && folder.total === state.exists) return
  const changes = await session.mailbox.changesSince(folder.highestModseq)
  if (changes === null) return compareAll(session, folder)
  await followMarks(session, folder, changes.changed)
  if (changes.vanished !== null) return followVanished(session, folder, changes.vanished)
  const there = new Set(await session.mailbox.uids())
  const known = await listUids(session.db, folder)
  await followVanished(
    session,
    folder,
    known.filter((uid) => !there.has(uid)),
  )
}

/** What is not known yet, the newest first; what arrives meanwhile goes to the front. */
const followNew = async (session: Session, folder: FolderRecord, deps: PassDeps): Promise<void> => {
  const known = new Set(await listReadUids(session.db, folder, folder.uidNext))
  let seen = folder.uidNext
  let waiting: number[] = []
  for (;;) {
    const fresh = (await session.mailbox.uids(seen)).filter((uid) => !known.has(uid))
    waiting.push(...fresh)
    seen = Math.max(seen, (fresh.at(-1) ?? 0) + 1)
    if (waiting.length === 0) return
    const chunk = waiting.slice(-CHUNK)
    waiting = waiting.slice(0, -CHUNK)
    await takeIn(session, folder, chunk)
    if (await deps.between()) {
      const state = await session.open(folder.path)
      // Numbered anew in the middle of it: the next look begins again.
      if (state.uidValidity !== folder.uidValidity) return
    }
  }
}

/** Brings one folder in step, or leaves it where it was for the next try: its position moves at the very end. */
export const followFolder = async (session: Session, row: FolderRecord, deps: PassDeps): Promise<void> => {
  const state = await session.reopen(row.path)
  const isRenumbered = row.uidValidity !== state.uidValidity
  const folder = await session.write((tx) =>
    updateFolder(tx, row.id, {
      total: state.exists,
      ...(isRenumbered && { uidValidity: state.uidValidity, uidNext: 1, highestModseq: null }),
    }),
  )
  await followKnown(session, { ...folder, total: row.total }, state)
  await followNew(session, folder, deps)
  await session.write(async (tx) => {
    await markStaleGone(tx, folder, session.now())
    await updateFolder(tx, folder.id, {
      uidNext: Math.max(state.uidNext, folder.uidNext),
      highestModseq: state.highestModseq,
    })
  })
}

const saveListing = async (session: Session, listing: readonly FolderListing[]): Promise<FolderRecord[]> => {
  const changed: FolderRecord[] = []
  const before = new Map((await listFolders(session.db, session.accountId)).map((row) => [row.path, row]))
  for (const { path, use } of listing) {
    const state = await session.mailbox.peek(path)
    const known = before.get(path)
    before.delete(path)
    if (known && known.use === use && state.highestModseq !== null && isInStep(known, state)) continue
    const row = await session.write((tx) =>
      saveFolder(tx, session.accountId, { path, use, total: known?.total ?? state.exists }),
    )
    changed.push(row)
  }
  for (const row of before.values())
    await session.write(async (tx) => {
      const left = await listUids(tx, row)
      if (left.length === 0) return deleteFolder(tx, row.id)
      await markFolderGone(tx, row, session.now())
    })
  return changed
}

/** Looks at every folder, and settles what had vanished before and was in none of them. */
export const followEverything = async (session: Session, deps: PassDeps): Promise<void> => {
  const begun = session.now()
  const listing = followed(await session.mailbox.folders())
  for (const row of await saveListing(session, listing)) await followFolder(session, row, deps)
  await settleGone(session, begun)
}
