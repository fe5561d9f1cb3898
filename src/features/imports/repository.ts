import type { Insertable, Selectable, Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { toBatches } from '../../database/batches.ts'
import type { Db } from '../../database/db.ts'
import { filterOnly } from '../../database/planner.ts'
import type {
  FileImportItemRow,
  FileImportPieceRow,
  FileImportProblemRow,
  FileImportRow,
} from '../../database/tables/imports.ts'
import { versionedRows } from '../../platform/resources.ts'

export type ImportRow = Selectable<FileImportRow>
export type ItemRow = Selectable<FileImportItemRow>
export type ProblemRow = Selectable<FileImportProblemRow>
export type PieceRow = Selectable<FileImportPieceRow>

/** A change of an import. The caller stamps it. */
export type ImportChange = Omit<Updateable<FileImportRow>, 'updatedAt'>

export const importRows = versionedRows('file_imports', 'import')

export const listImports = (
  db: Db,
  userId: number,
  page: { limit: number; below: number | undefined },
): Promise<ImportRow[]> =>
  importRows
    .select(db, userId)
    .$if(page.below !== undefined, (query) => query.where('id', '<', page.below as number))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

/** Whether another import of the account is being read or written. */
export const hasActive = async (
  db: Db,
  userId: number,
  states: readonly string[],
  except: number,
): Promise<boolean> =>
  (await db
    .selectFrom('file_imports')
    .select('id')
    .where('userId', '=', userId)
    .where('state', 'in', states)
    .where('id', '!=', except)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Imports of all accounts that have been in a state since before that time. */
export const listStale = (
  db: Db,
  states: readonly string[],
  before: string,
): Promise<Pick<ImportRow, 'id' | 'userId'>[]> =>
  db
    .selectFrom('file_imports')
    .select(['id', 'userId'])
    .where('state', 'in', states)
    .where('updatedAt', '<', before)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()

export const insertPiece = async (tx: Db, row: PieceRow): Promise<void> => {
  await tx.insertInto('file_import_pieces').values(row).execute()
}

export const findPiece = (
  db: Db,
  userId: number,
  importId: number,
  number: number,
): Promise<Pick<PieceRow, 'blob' | 'size'> | undefined> =>
  db
    .selectFrom('file_import_pieces')
    .select(['blob', 'size'])
    .where('importId', '=', importId)
    .where('number', '=', number)
    .where('userId', '=', userId)
    .executeTakeFirst()

/** Deletes the pieces of one upload, or of all uploads of an account. Returns their hashes. */
export const deletePieces = async (tx: Db, userId: number, importId?: number): Promise<string[]> => {
  const rows = await tx
    .deleteFrom('file_import_pieces')
    .where('userId', '=', userId)
    .$if(importId !== undefined, (query) => query.where('importId', '=', importId as number))
    .returning('blob')
    .execute()
  return rows.map(({ blob }) => blob)
}

export const insertItems = async (tx: Db, rows: readonly Insertable<FileImportItemRow>[]): Promise<void> => {
  for (const batch of toBatches(rows)) await tx.insertInto('file_import_items').values(batch).execute()
}

/** The newest items of an import. */
export const listLastItems = (tx: Db, userId: number, importId: number, limit: number): Promise<ItemRow[]> =>
  tx
    .selectFrom('file_import_items')
    .selectAll()
    .where('importId', '=', importId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** The items of a source record in one import, oldest first. */
export const listItemsOfKey = (
  tx: Db,
  userId: number,
  importId: number,
  kind: string,
  key: string,
): Promise<ItemRow[]> =>
  tx
    .selectFrom('file_import_items')
    .selectAll()
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('importId', '=', importId)
    .orderBy('id')
    .execute()

/** The ids that earlier imports gave to a source record. */
export const listItemIds = async (tx: Db, userId: number, kind: string, key: string): Promise<number[]> => {
  const rows = await tx
    .selectFrom('file_import_items')
    .select('itemId')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .limit(20)
    .execute()
  return rows.flatMap(({ itemId }) => itemId ?? [])
}

export const deleteItems = async (tx: Db, userId: number, ids: readonly number[]): Promise<void> => {
  if (ids.length > 0)
    await tx.deleteFrom('file_import_items').where('userId', '=', userId).where('id', 'in', ids).execute()
}

export const insertProblems = async (
  tx: Db,
  rows: readonly Insertable<FileImportProblemRow>[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += 100)
    await tx
      .insertInto('file_import_problems')
      .values(rows.slice(from, from + 100))
      .execute()
}

export const deleteProblems = async (tx: Db, userId: number, importId: number): Promise<void> => {
  await tx
    .deleteFrom('file_import_problems')
    .where('importId', '=', importId)
    .where('userId', '=', userId)
    .execute()
}

export const listProblems = (
  db: Db,
  userId: number,
  importId: number,
  page: { limit: number; after: number },
): Promise<ProblemRow[]> =>
  db
    .selectFrom('file_import_problems')
    .selectAll()
    .where('importId', '=', importId)
    .where('userId', '=', userId)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit + 1)
    .execute()

/** The version of a row; undefined if it no longer exists. */
export const findVersion = async (
  tx: Db,
  table: 'tasks' | 'task_lists' | 'emails',
  userId: number,
  id: number,
): Promise<number | undefined> => {
  const query = tx.selectFrom(table).select('version').where('userId', '=', userId).where('id', '=', id)
  return (await query.executeTakeFirst())?.version
}

export const findListNamed = (tx: Db, userId: number, name: string): Promise<{ id: number } | undefined> =>
  tx
    .selectFrom('task_lists')
    .select('id')
    .where('userId', '=', userId)
    .where('name', '=', name)
    .orderBy('id')
    .executeTakeFirst()

export const findSectionNamed = (
  tx: Db,
  userId: number,
  listId: number,
  name: string,
): Promise<{ id: number } | undefined> =>
  tx
    .selectFrom('task_sections')
    .select('id')
    .where('userId', '=', userId)
    .where('listId', '=', listId)
    .where('name', '=', name)
    .orderBy('id')
    .executeTakeFirst()

export const hasSubtasks = async (tx: Db, userId: number, id: number): Promise<boolean> =>
  (await tx
    .selectFrom('tasks')
    .select('id')
    .where(filterOnly('userId'), '=', userId)
    .where('parentId', '=', id)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const hasTasksIn = async (tx: Db, userId: number, listId: number): Promise<boolean> =>
  (await tx
    .selectFrom('tasks')
    .select('id')
    .where('userId', '=', userId)
    .where('listId', '=', listId)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Which of these message ids the account has. */
export const listKnownMessageIds = async (
  db: Db,
  userId: number,
  messageIds: readonly string[],
): Promise<Set<string>> => {
  if (messageIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('emails')
    .select('messageId')
    .where('userId', '=', userId)
    .where('messageId', 'in', messageIds)
    .execute()
  return new Set(rows.flatMap(({ messageId }) => messageId ?? []))
}
