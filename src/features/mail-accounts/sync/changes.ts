import type { MessageState } from '../mailbox.ts'
import {
  deletePlacement,
  type FolderRecord,
  findPlacements,
  findPlacementsOf,
  listGone,
  listUids,
  markGone,
  updatePlacement,
} from './placement-store.ts'
import { findPushed } from './push-store.ts'
import type { Session } from './session.ts'
import { followServer } from './truth.ts'

const AT_ONCE = 500

const inParts = async <T>(values: readonly T[], work: (part: T[]) => Promise<void>): Promise<void> => {
  for (let start = 0; start < values.length; start += AT_ONCE)
    await work(values.slice(start, start + AT_ONCE))
}

/** Marks that were set or taken away on the server. */
export const followMarks = (
  session: Session,
  folder: FolderRecord,
  states: readonly MessageState[],
): Promise<void> =>
  inParts(states, async (part) => {
    const byUid = new Map(part.map((state) => [state.uid, state]))
    const known = await findPlacements(session.db, folder, [...byUid.keys()])
    const differing = known.filter(({ uid, read, starred }) => {
      const state = byUid.get(uid)
      return state && (state.read !== (read === 1) || state.starred !== (starred === 1))
    })
    if (differing.length === 0) return
    await session.write(async (tx) => {
      const emailIds = differing.flatMap(({ emailId }) => (emailId === null ? [] : [emailId]))
      const pushed = await findPushed(tx, emailIds)
      for (const { id, uid, emailId } of differing) {
        if (emailId !== null && pushed.has(emailId)) continue
        const state = byUid.get(uid) as MessageState
        await updatePlacement(tx, id, { read: state.read ? 1 : 0, starred: state.starred ? 1 : 0 })
        if (emailId !== null) await followServer(session, tx, emailId)
      }
    })
  })

/** Messages that are no longer where they were. They may be in another folder: what becomes of them is settled later. */
export const followVanished = (
  session: Session,
  folder: FolderRecord,
  uids: readonly number[],
): Promise<void> => inParts(uids, (part) => session.write((tx) => markGone(tx, folder, part, session.now())))

/** For servers that cannot say what changed: everything is compared. */
export const compareAll = async (session: Session, folder: FolderRecord): Promise<void> => {
  const known = await listUids(session.db, folder)
  if (known.length === 0) return
  const there = new Set(await session.mailbox.uids())
  await followVanished(
    session,
    folder,
    known.filter((uid) => !there.has(uid)),
  )
  const common = known.filter((uid) => there.has(uid))
  await inParts(common, async (part) => followMarks(session, folder, await session.mailbox.states(part)))
}

/**
 * What vanished before a look at every folder, and was in none of them, is gone from the server. What was in its
 * trash, or a draft (which programs replace when they save it), goes here too; anything else is put into the trash,
 * for a server that loses mail must not make us lose it.
 */
export const settleGone = async (session: Session, before: string): Promise<void> => {
  for (;;) {
    const gone = await listGone(session.db, session.accountId, before)
    if (gone.length === 0) return
    await session.write(async (tx) => {
      for (const { id, emailId, use } of gone) {
        await deletePlacement(tx, id)
        if (emailId === null) continue
        if ((await findPlacementsOf(tx, emailId)).length > 0) await followServer(session, tx, emailId)
        else if (use === 'trash' || use === 'drafts') await session.filing.remove(tx, emailId)
        else await session.filing.move(tx, emailId, 'trash')
      }
    })
  }
}
