import type { Db } from '../../../database/db.ts'
import { bestFolder } from './folders.ts'
import { findPlacementsOf } from './placement-store.ts'
import { findPushed } from './push-store.ts'
import type { Session } from './session.ts'

/**
 * Makes an e-mail what its server says it is: where it lies and how it is marked. What was done here and the server
 * has not heard of yet goes first; it comes back here once the server has it.
 */
export const followServer = async (
  session: Pick<Session, 'filing'>,
  tx: Db,
  emailId: number,
): Promise<void> => {
  if ((await findPushed(tx, [emailId])).size > 0) return
  const places = await findPlacementsOf(tx, emailId)
  const folder = bestFolder(places.map(({ use }) => use))
  if (folder === undefined) return
  await session.filing.setFlags(tx, emailId, {
    read: places.some(({ read }) => read === 1),
    starred: places.some(({ starred }) => starred === 1),
  })
  await session.filing.move(tx, emailId, folder)
}
