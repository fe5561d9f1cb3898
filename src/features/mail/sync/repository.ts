import { type ExpressionBuilder, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { toBatches } from '../../../database/batches.ts'
import type { Db } from '../../../database/db.ts'
import { hasRows } from '../../../database/rows.ts'
import type {
  FlagColumn,
  MailFolderRow,
  MailPlacementRow,
  MailPushRow,
} from '../../../database/tables/mail.ts'
import type { Tables } from '../../../database/tables.ts'
import type { FolderRecord } from '../folders/repository.ts'

export type { FolderRecord }
export type PlacementRecord = Selectable<MailPlacementRow>

const BATCH_SIZE = 500

/** Splits values for several statements, because a statement has a limit of parameters. */
export const splitBatches = <T>(values: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(values.length / BATCH_SIZE) }, (_, index) =>
    values.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  )

const findInBatches = async <T, R>(values: readonly T[], find: (part: T[]) => Promise<R[]>): Promise<R[]> => {
  const found: R[] = []
  for (const part of splitBatches(values)) found.push(...(await find(part)))
  return found
}

export const listFolders = (db: Db, accountId: string): Promise<FolderRecord[]> =>
  db.selectFrom('mail_folders').selectAll().where('accountId', '=', accountId).orderBy('path').execute()

export const insertFolder = (
  tx: Db,
  folder: Pick<FolderRecord, 'userId' | 'accountId' | 'path' | 'name' | 'parentId' | 'use' | 'total'> &
    Partial<Pick<FolderRecord, 'selectable' | 'subscribed'>>,
): Promise<FolderRecord> =>
  tx
    .insertInto('mail_folders')
    .values({ ...folder, uidValidity: '', uidNext: 1, highestModseq: null })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'path']).doUpdateSet({ use: folder.use, total: folder.total }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateFolder = (tx: Db, id: number, change: Updateable<MailFolderRow>): Promise<FolderRecord> =>
  tx.updateTable('mail_folders').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

const selectUids = (db: Db, folder: FolderRecord) =>
  db.selectFrom('mail_placements').select('uid').where(inFolder(folder)).orderBy('uid')

/** In ascending order. Only UIDs of the current UIDVALIDITY. */
export const listUids = async (db: Db, folder: FolderRecord): Promise<number[]> =>
  (await selectUids(db, folder).execute()).map(({ uid }) => uid)

/** UIDs from a number on, without messages whose import has not finished. */
export const listReadUids = async (db: Db, folder: FolderRecord, from: number): Promise<number[]> => {
  const rows = await selectUids(db, folder).where('uid', '>=', from).where('attempts', '=', 0).execute()
  return rows.map(({ uid }) => uid)
}

/** The placements with these UIDs, or all that have the current UIDVALIDITY of the folder. */
const inFolder =
  ({ id, uidValidity }: FolderRecord, uids?: readonly number[]) =>
  (row: ExpressionBuilder<Tables, 'mail_placements'>) =>
    row.and([
      row('folderId', '=', id),
      row('uidValidity', '=', uidValidity),
      ...(uids ? [row('uid', 'in', uids)] : []),
    ])

export const findPlacements = (
  db: Db,
  folder: FolderRecord,
  uids: readonly number[],
): Promise<PlacementRecord[]> =>
  findInBatches(uids, (part) =>
    db.selectFrom('mail_placements').selectAll().where(inFolder(folder, part)).execute(),
  )

export const findByIdentity = (
  db: Db,
  accountId: string,
  identities: readonly string[],
): Promise<PlacementRecord[]> =>
  findInBatches(identities, (part) =>
    db
      .selectFrom('mail_placements')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('identity', 'in', part)
      // A message whose import has not finished has no email yet. Linking to it would lose the message.
      .where('attempts', '=', 0)
      .execute(),
  )

/** Emails that a message without a Message-ID is compared with. */
const MAX_CANDIDATES = 20

/** Lists emails of an identity. */
export const listEmailsOfIdentity = async (
  tx: Db,
  accountId: string,
  identity: string,
): Promise<number[]> => {
  const rows = await tx
    .selectFrom('mail_placements')
    .select('emailId')
    .where('accountId', '=', accountId)
    .where('identity', '=', identity)
    .where('emailId', 'is not', null)
    .$narrowType<{ emailId: number }>()
    .distinct()
    .limit(MAX_CANDIDATES)
    .execute()
  return rows.map(({ emailId }) => emailId)
}

/** A message whose check was interrupted twice stays with its email. */
const MAX_CHECKS = 2

const selectUnchecked = (db: Db) =>
  db
    .selectFrom('mail_placements')
    // The index needs this condition.
    .where('unchecked', '>', sql.lit(0))
    .where('unchecked', '<=', MAX_CHECKS)

/** Lists placements whose content was not compared with that of their email. */
export const listUnchecked = (
  db: Db,
  folder: FolderRecord,
  limit: number,
): Promise<Pick<PlacementRecord, 'uid' | 'emailId'>[]> =>
  selectUnchecked(db)
    .select(['uid', 'emailId'])
    .where('accountId', '=', folder.accountId)
    .where(inFolder(folder))
    .where('goneAt', 'is', null)
    .limit(limit)
    .execute()

export const findUncheckedFolders = async (db: Db, accountId: string): Promise<Set<number>> => {
  const rows = await selectUnchecked(db)
    .select('folderId')
    .where('accountId', '=', accountId)
    .where('goneAt', 'is', null)
    .distinct()
    .execute()
  return new Set(rows.map(({ folderId }) => folderId))
}

export const countChecks = async (tx: Db, folder: FolderRecord, uids: readonly number[]): Promise<void> => {
  await tx
    .updateTable('mail_placements')
    .set((placement) => ({ unchecked: placement('unchecked', '+', 1) }))
    .where(inFolder(folder, uids))
    .execute()
}

/** A placement with the path and the special use of its folder. */
export type PlacementInFolder = PlacementRecord & Pick<FolderRecord, 'path' | 'use'>

export const selectWithFolder = (db: Db) =>
  db
    .selectFrom('mail_placements')
    .innerJoin('mail_folders', 'mail_folders.id', 'mail_placements.folderId')
    .selectAll('mail_placements')
    .select(['mail_folders.path', 'mail_folders.use'])

/** The current placements of an email. */
export const findPlacementsOf = (db: Db, emailId: number): Promise<PlacementInFolder[]> =>
  selectWithFolder(db).where('emailId', '=', emailId).where('goneAt', 'is', null).execute()

type NewPlacement = Insertable<MailPlacementRow>

/** Replaces the row that counts the import attempts of the message. Without keywords, those of the row stay. */
export const insertPlacement = async (tx: Db, placement: Omit<NewPlacement, 'attempts'>): Promise<void> => {
  const row = { attempts: 0, ...placement }
  await tx
    .insertInto('mail_placements')
    .values(row)
    .onConflict((conflict) => conflict.columns(['folderId', 'uidValidity', 'uid']).doUpdateSet(row))
    .execute()
}

type AttemptRow = Pick<
  Insertable<MailPlacementRow>,
  'accountId' | 'folderId' | 'uidValidity' | 'uid' | 'identity' | 'attempts' | FlagColumn
>

/**
 * Records the attempt before the messages are fetched. A remaining row means that the import did not finish.
 */
export const beginAttempts = async (tx: Db, rows: readonly Omit<AttemptRow, 'attempts'>[]): Promise<void> => {
  for (const batch of toBatches(rows))
    await tx
      .insertInto('mail_placements')
      .values(batch.map((row) => ({ ...row, attempts: 1 })))
      .onConflict((conflict) =>
        conflict
          .columns(['folderId', 'uidValidity', 'uid'])
          .doUpdateSet((known) => ({ attempts: known('mail_placements.attempts', '+', 1) }))
          .where('mail_placements.attempts', '>', 0),
      )
      .execute()
}

/** Reverts the last attempt. It ended for a reason that has nothing to do with the message. */
export const withdrawAttempt = async (
  tx: Db,
  folder: FolderRecord,
  uids: readonly number[],
): Promise<void> => {
  for (const part of splitBatches(uids)) {
    await tx.deleteFrom('mail_placements').where(inFolder(folder, part)).where('attempts', '=', 1).execute()
    await tx
      .updateTable('mail_placements')
      .set((placement) => ({ attempts: placement('attempts', '-', 1) }))
      .where(inFolder(folder, part))
      .where('attempts', '>', 1)
      .execute()
  }
}

export const updatePlacement = async (
  tx: Db,
  id: number,
  change: Updateable<MailPlacementRow>,
): Promise<void> => {
  await tx.updateTable('mail_placements').set(change).where('id', '=', id).execute()
}

/** Moves a placement. A concurrent sync may have found the message there already; that row is replaced. */
export const relocate = async (
  tx: Db,
  id: number,
  to: { folderId: number; uidValidity: string; uid: number },
): Promise<void> => {
  await tx
    .deleteFrom('mail_placements')
    .where('folderId', '=', to.folderId)
    .where('uidValidity', '=', to.uidValidity)
    .where('uid', '=', to.uid)
    .where('id', '!=', id)
    .execute()
  await updatePlacement(tx, id, { ...to, goneAt: null })
}

const setGone = (tx: Db, { id }: FolderRecord, at: string) =>
  tx.updateTable('mail_placements').set({ goneAt: at }).where('folderId', '=', id).where('goneAt', 'is', null)

export const markGone = async (
  tx: Db,
  folder: FolderRecord,
  uids: readonly number[],
  at: string,
): Promise<void> => {
  await setGone(tx, folder, at).where(inFolder(folder, uids)).execute()
}

/** Marks placements whose UIDs date from before the folder was renumbered. */
export const markStaleGone = async (tx: Db, folder: FolderRecord, at: string): Promise<void> => {
  await setGone(tx, folder, at).where('uidValidity', '!=', folder.uidValidity).execute()
}

export const hasPlacements = (db: Db, folder: FolderRecord): Promise<boolean> =>
  hasRows(db.selectFrom('mail_placements').where('folderId', '=', folder.id))

/** All placements of a folder with its current UIDs. */
export const listPlacements = (db: Db, folder: FolderRecord): Promise<PlacementRecord[]> =>
  db.selectFrom('mail_placements').selectAll().where(inFolder(folder)).execute()

export const markFolderGone = async (tx: Db, folder: FolderRecord, at: string): Promise<void> => {
  await setGone(tx, folder, at).execute()
}

export const listGone = (db: Db, accountId: string, before: string): Promise<PlacementInFolder[]> =>
  selectWithFolder(db)
    .where('mail_placements.accountId', '=', accountId)
    .where('goneAt', '<', before)
    .limit(BATCH_SIZE)
    .execute()

export const hasGone = (db: Db, accountId: string): Promise<boolean> =>
  hasRows(db.selectFrom('mail_placements').where('accountId', '=', accountId).where('goneAt', 'is not', null))

export const deletePlacement = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('mail_placements').where('id', '=', id).execute()
}

export type PushRecord = Selectable<MailPushRow>

export const insertPush = async (
  tx: Db,
  {
    input,
    ...row
  }: { accountId: string; kind: MailPushRow['kind']; emailId: number; input: unknown; createdAt: string },
): Promise<void> => {
  await tx
    .insertInto('mail_pushes')
    .values({ ...row, payload: JSON.stringify(input), attempts: 0 })
    .execute()
}

export const listPushes = (db: Db, accountId: string, limit: number): Promise<PushRecord[]> =>
  db
    .selectFrom('mail_pushes')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Returns the emails with changes that the server has not received yet. */
export const findPushed = async (db: Db, emailIds: readonly number[]): Promise<Set<number>> => {
  const rows = await findInBatches(emailIds, (part) =>
    db.selectFrom('mail_pushes').select('emailId').where('emailId', 'in', part).execute(),
  )
  return new Set(rows.map(({ emailId }) => emailId))
}

export const deletePush = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('mail_pushes').where('id', '=', id).execute()
}

export const deletePushesOf = async (tx: Db, emailId: number): Promise<void> => {
  await tx.deleteFrom('mail_pushes').where('emailId', '=', emailId).execute()
}

export const countAttempt = async (tx: Db, id: number): Promise<void> => {
  await tx
    .updateTable('mail_pushes')
    .set((push) => ({ attempts: push('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
