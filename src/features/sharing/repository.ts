import { type Selectable, sql, type Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { ShareRow } from '../../database/tables/shares.ts'

export type ShareRecord = Selectable<ShareRow>
export type ShareKind = ShareRow['kind']
export type ShareRole = ShareRow['role']

/** An accepted share, as its member sees it. */
export interface AcceptedShare {
  id: number
  ownerId: number
  ownerName: string
  ownerEmail: string
  resourceId: number
  role: ShareRole
  visible: boolean
  color: string | null
  notifications: ShareRecord['notifications']
}

type AcceptedRow = Omit<AcceptedShare, 'visible'> & { visible: number }

/** The owner's side of a share is found by `userId`, the member's side by `memberId`. */
const acceptedBy = (db: Db, memberId: number, kind: ShareKind) =>
  db
    .selectFrom('shares')
    .innerJoin('users', 'users.id', 'shares.userId')
    .select([
      'shares.id as id',
      'shares.userId as ownerId',
      'users.name as ownerName',
      'users.email as ownerEmail',
      'shares.resourceId as resourceId',
      'shares.role as role',
      'shares.visible as visible',
      'shares.color as color',
      'shares.notifications as notifications',
    ])
    .where('shares.memberId', '=', memberId)
    .where('shares.kind', '=', kind)
    .where('shares.status', '=', sql.lit('accepted'))
    // A disabled account shares nothing.
    .where('users.disabledAt', 'is', null)

const selectAccepted = prepare<{ memberId: number; kind: ShareKind }, AcceptedRow>((db, values) =>
  acceptedBy(db, values.memberId, values.kind).orderBy('shares.resourceId'),
)

const selectAcceptedOne = prepare<{ memberId: number; kind: ShareKind; resourceId: number }, AcceptedRow>(
  (db, values) =>
    acceptedBy(db, values.memberId, values.kind).where('shares.resourceId', '=', values.resourceId).limit(1),
)

const fromRow = (row: AcceptedRow): AcceptedShare => ({ ...row, visible: row.visible === 1 })

export const listAccepted = async (db: Db, memberId: number, kind: ShareKind): Promise<AcceptedShare[]> =>
  (await selectAccepted(db, { memberId, kind })).map(fromRow)

export const findAccepted = async (
  db: Db,
  memberId: number,
  kind: ShareKind,
  resourceId: number,
): Promise<AcceptedShare | undefined> => {
  const [row] = await selectAcceptedOne(db, { memberId, kind, resourceId })
  return row && fromRow(row)
}

/** Locks the accepted share of a member, so that it cannot be revoked before the transaction ends. */
export const lockAccepted = async (
  tx: Db,
  memberId: number,
  kind: ShareKind,
  resourceId: number,
): Promise<void> => {
  await tx
    .selectFrom('shares')
    .select('id')
    .where('memberId', '=', memberId)
    .where('kind', '=', kind)
    .where('resourceId', '=', resourceId)
    .where('status', '=', 'accepted')
    .forShare()
    .execute()
}

export interface Member {
  memberId: number
  role: ShareRole
  resourceId: number
}

/**
 * Lists the accounts with access to any of these resources of an account. It locks their shares until the transaction
 * ends, so that a member whose share was revoked gets no later change.
 */
export const listMembers = async (
  tx: Db,
  userId: number,
  kind: ShareKind,
  resourceIds: readonly number[],
): Promise<Member[]> => {
  const members = await tx
    .selectFrom('shares')
    .select(['memberId', 'role', 'resourceId'])
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('resourceId', 'in', resourceIds)
    .where('status', '=', 'accepted')
    .where('memberId', 'is not', null)
    .forShare()
    .execute()
  return members as Member[]
}

/** Returns the ids of the resources of an account that it shares. */
export const listSharedIds = async (db: Db, userId: number, kind: ShareKind): Promise<number[]> => {
  const rows = await db
    .selectFrom('shares')
    .select('resourceId')
    .distinct()
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .execute()
  return rows.map(({ resourceId }) => resourceId)
}

const withMember = (db: Db, userId: number, kind: ShareKind, resourceId: number) =>
  db
    .selectFrom('shares')
    .leftJoin('users as member', (join) =>
      join.onRef('member.id', '=', 'shares.memberId').on('shares.status', '=', 'accepted'),
    )
    .selectAll('shares')
    .select('member.name as memberName')
    .where('shares.userId', '=', userId)
    .where('shares.kind', '=', kind)
    .where('shares.resourceId', '=', resourceId)

export const listShares = (db: Db, userId: number, kind: ShareKind, resourceId: number) =>
  withMember(db, userId, kind, resourceId).orderBy('shares.emailKey').execute()

export type OwnedShare = Awaited<ReturnType<typeof listShares>>[number]

export const findShare = (
  db: Db,
  userId: number,
  kind: ShareKind,
  resourceId: number,
  id: number,
): Promise<OwnedShare | undefined> =>
  withMember(db, userId, kind, resourceId).where('shares.id', '=', id).executeTakeFirst()

/** Inserts a share, or offers it again with another role. */
export const upsertShare = (
  tx: Db,
  row: Omit<ShareRecord, 'id' | 'memberId' | 'color'>,
): Promise<ShareRecord> =>
  tx
    .insertInto('shares')
    .values({ ...row, memberId: null, color: null })
    .onConflict((existing) =>
      existing.columns(['userId', 'kind', 'resourceId', 'emailKey']).doUpdateSet((excluded) => ({
        role: row.role,
        status: sql<
          ShareRow['status']
        >`case shares.status when 'accepted' then 'accepted' else 'pending' end`,
        version: sql<number>`${excluded.ref('shares.version')} + 1`,
        updatedAt: row.updatedAt,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateShare = async (
  tx: Db,
  userId: number,
  id: number,
  change: Updateable<ShareRow>,
): Promise<void> => {
  await tx
    .updateTable('shares')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Changes how a member displays a share. This is no change of the share itself. */
export const updateView = async (
  tx: Db,
  memberId: number,
  id: number,
  view: Pick<Updateable<ShareRow>, 'visible' | 'color' | 'notifications'>,
): Promise<void> => {
  await tx
    .updateTable('shares')
    .set(view)
    .where('id', '=', id)
    .where('memberId', '=', memberId)
    .where('status', '=', 'accepted')
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
}

export const deleteShare = (tx: Db, userId: number, id: number): Promise<ShareRecord | undefined> =>
  tx.deleteFrom('shares').where('userId', '=', userId).where('id', '=', id).returningAll().executeTakeFirst()

export const deleteSharesOf = (
  tx: Db,
  userId: number,
  kind: ShareKind,
  resourceId: number,
): Promise<ShareRecord[]> =>
  tx
    .deleteFrom('shares')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('resourceId', '=', resourceId)
    .returningAll()
    .execute()

/** A person's side: accepted shares by account, and offers by address. */
const offeredTo = (db: Db, { id, emailKey }: { id: number; emailKey: string }) =>
  db
    .selectFrom('shares')
    .innerJoin('users as owner', 'owner.id', 'shares.userId')
    .selectAll('shares')
    .select(['owner.name as ownerName', 'owner.email as ownerEmail'])
    .where('shares.userId', '<>', id)
    .where('owner.disabledAt', 'is', null)
    .where(({ and, or, eb }) =>
      or([
        and([eb('shares.memberId', '=', id), eb('shares.status', '=', 'accepted')]),
        and([eb('shares.emailKey', '=', emailKey), eb('shares.status', '=', 'pending')]),
      ]),
    )
    .modifyEnd(ALL_ACCOUNTS)

export const listOffered = (db: Db, person: { id: number; emailKey: string }) =>
  offeredTo(db, person).orderBy('shares.id').execute()

export type OfferedRecord = Awaited<ReturnType<typeof listOffered>>[number]

export const findOffered = (
  db: Db,
  person: { id: number; emailKey: string },
  id: number,
): Promise<OfferedRecord | undefined> => offeredTo(db, person).where('shares.id', '=', id).executeTakeFirst()

export const lockShare = async (tx: Db, id: number): Promise<void> => {
  await tx
    .updateTable('shares')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
}

export interface Person {
  id: number
  name: string
  emailKey: string
}

export const findPerson = (db: Db, id: number): Promise<Person | undefined> =>
  db.selectFrom('users').select(['id', 'name', 'emailKey']).where('id', '=', id).executeTakeFirst()

/** Finds the account with an address. The local account has none. */
export const findPersonByEmail = (db: Db, emailKey: string): Promise<Person | undefined> =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'emailKey'])
    .where('emailKey', '=', emailKey)
    .where('role', '<>', 'local')
    .executeTakeFirst()
