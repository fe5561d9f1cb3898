import type { Insertable, Selectable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { toBatches } from '../../database/batches.ts'
import type { Db } from '../../database/db.ts'
import type { DavCollectionKind, DavCollectionRow, DavResourceRow } from '../../database/tables/dav.ts'

export type CollectionRecord = Selectable<DavCollectionRow>
export type ResourceRecord = Selectable<DavResourceRow>

export const listCollectionRows = (db: Db, userId: number): Promise<CollectionRecord[]> =>
  db.selectFrom('dav_collections').selectAll().where('userId', '=', userId).orderBy('id').execute()

export const findCollectionRow = (
  db: Db,
  userId: number,
  kind: DavCollectionKind,
  itemId: number,
): Promise<CollectionRecord | undefined> =>
  db
    .selectFrom('dav_collections')
    .selectAll()
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('itemId', '=', itemId)
    .executeTakeFirst()

/** Does nothing if the collection has a row, or another one has its name. */
export const insertCollectionRow = async (tx: Db, row: Insertable<DavCollectionRow>): Promise<void> => {
  await tx
    .insertInto('dav_collections')
    .values(row)
    .onConflict((existing) => existing.doNothing())
    .execute()
}

export const deleteCollectionRows = async (tx: Db, userId: number, ids: readonly number[]): Promise<void> => {
  await tx.deleteFrom('dav_collections').where('userId', '=', userId).where('id', 'in', ids).execute()
}

export const saveProperties = async (
  tx: Db,
  userId: number,
  id: number,
  properties: string,
): Promise<void> => {
  await tx
    .updateTable('dav_collections')
    .set({ properties })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

/**
 * Reserves revisions for changes, and locks the log until the transaction ends: revisions become visible in their
 * order. Returns undefined if no client uses the collection.
 */
export const reserveRevisions = (
  tx: Db,
  userId: number,
  kind: DavCollectionKind,
  itemId: number,
  count: number,
): Promise<Pick<CollectionRecord, 'id' | 'revision'> | undefined> =>
  tx
    .updateTable('dav_collections')
    .set((row) => ({ revision: row('revision', '+', count) }))
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('itemId', '=', itemId)
    .where('revision', '>', 0)
    .returning(['id', 'revision'])
    .executeTakeFirst()

/** Sets the count of changes, if it is the given one. Returns whether it was. */
export const setRevision = async (
  tx: Db,
  { userId, id, revision }: Pick<CollectionRecord, 'userId' | 'id' | 'revision'>,
  next: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('dav_collections')
    .set({ revision: next })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const selectResources = (db: Db, userId: number, collectionId: number) =>
  db
    .selectFrom('dav_resources')
    .selectAll()
    .where('userId', '=', userId)
    .where('collectionId', '=', collectionId)

/** Also finds deleted resources. */
export const findResourceByName = (
  db: Db,
  userId: number,
  collectionId: number,
  name: string,
): Promise<ResourceRecord | undefined> =>
  selectResources(db, userId, collectionId).where('name', '=', name).executeTakeFirst()

export const listResourcesByName = async (
  db: Db,
  userId: number,
  collectionId: number,
  names: readonly string[],
): Promise<ResourceRecord[]> => {
  const found: ResourceRecord[] = []
  for (const batch of toBatches(names))
    found.push(
      ...(await selectResources(db, userId, collectionId)
        .where('deletedAt', 'is', null)
        .where('name', 'in', batch)
        .execute()),
    )
  return found
}

/** Lists living resources in the order of their changes. */
export const listResources = (db: Db, userId: number, collectionId: number): Promise<ResourceRecord[]> =>
  selectResources(db, userId, collectionId).where('deletedAt', 'is', null).orderBy('revision').execute()

/** Lists changed resources after a revision, and unless `onlyAlive` the deleted ones. */
export const listChangedResources = (
  db: Db,
  userId: number,
  collectionId: number,
  after: number,
  limit: number,
  onlyAlive: boolean,
): Promise<ResourceRecord[]> =>
  selectResources(db, userId, collectionId)
    .where('revision', '>', after)
    .$if(onlyAlive, (query) => query.where('deletedAt', 'is', null))
    .orderBy('revision')
    .limit(limit)
    .execute()

/** Lists the living and the deleted resources of items. */
export const listResourcesByUid = (
  db: Db,
  userId: number,
  collectionId: number,
  uids: readonly string[],
): Promise<ResourceRecord[]> =>
  uids.length === 0
    ? Promise.resolve([])
    : selectResources(db, userId, collectionId).where('uid', 'in', uids).orderBy('revision').execute()

/** Returns the names that were free. */
export const insertResources = async (
  tx: Db,
  rows: readonly Insertable<DavResourceRow>[],
): Promise<Set<string>> => {
  const names = new Set<string>()
  for (const batch of toBatches(rows))
    for (const { name } of await tx
      .insertInto('dav_resources')
      .values(batch)
      .onConflict((existing) => existing.doNothing())
      .returning('name')
      .execute())
      names.add(name)
  return names
}

export const updateResource = async (
  tx: Db,
  { userId, id }: Pick<ResourceRecord, 'userId' | 'id'>,
  change: Partial<Pick<ResourceRecord, 'uid' | 'revision' | 'deletedAt'>>,
): Promise<void> => {
  await tx
    .updateTable('dav_resources')
    .set(change)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

export const deleteResource = async (
  tx: Db,
  { userId, id }: Pick<ResourceRecord, 'userId' | 'id'>,
): Promise<void> => {
  await tx.deleteFrom('dav_resources').where('userId', '=', userId).where('id', '=', id).execute()
}

/** Removes what is known of deletions before a time. Tokens from before the last of them expire. */
export const pruneDeletions = async (tx: Db, before: string): Promise<void> => {
  const pruned = await tx
    .deleteFrom('dav_resources')
    .where('deletedAt', '<', before)
    .returning(['collectionId', 'revision'])
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  for (const [id, rows] of Map.groupBy(pruned, ({ collectionId }) => collectionId)) {
    const revision = Math.max(...rows.map((row) => row.revision))
    await tx
      .updateTable('dav_collections')
      .set({ prunedRevision: revision })
      .where('id', '=', id)
      .where('prunedRevision', '<', revision)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
  }
}
