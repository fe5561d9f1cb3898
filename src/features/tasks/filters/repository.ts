import type { Db } from '../../../database/db.ts'
import type { AcceptedShare } from '../../sharing/repository.ts'

interface Named {
  id: number
  name: string
}

type Share = Pick<AcceptedShare, 'ownerId' | 'resourceId'>

/** Lists the sections of own lists and of shared ones. */
export const listVisibleSections = async (
  db: Db,
  userId: number,
  shares: readonly Share[],
): Promise<Named[]> => {
  const sections = await db
    .selectFrom('task_sections')
    .select(['id', 'name'])
    .where('userId', '=', userId)
    .execute()
  for (const { ownerId, resourceId } of shares)
    sections.push(
      ...(await db
        .selectFrom('task_sections')
        .select(['id', 'name'])
        .where('listId', '=', resourceId)
        .where('userId', '=', ownerId)
        .execute()),
    )
  return sections
}

/** Lists the people who see a list together with an account: the owners of shared lists, and all members. */
export const listPeople = async (db: Db, userId: number, shares: readonly Share[]): Promise<Named[]> => {
  const members = (ownerId: number) =>
    db
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.memberId')
      .select(['users.id', 'users.name'])
      .where('shares.userId', '=', ownerId)
      .where('shares.kind', '=', 'taskList')
      .where('shares.status', '=', 'accepted')
  const people = await members(userId).execute()
  people.push(...(await db.selectFrom('users').select(['id', 'name']).where('id', '=', userId).execute()))
  for (const { ownerId, resourceId } of shares) {
    people.push(...(await db.selectFrom('users').select(['id', 'name']).where('id', '=', ownerId).execute()))
    people.push(...(await members(ownerId).where('shares.resourceId', '=', resourceId).execute()))
  }
  return people
}
