import type { Db } from '../../src/database/db.ts'
import { emptyAnalysis, emptyCounts } from '../../src/features/imports/import-state.ts'

/** Rows of imports of files, for copies of a database. */
export const fillImports = async (
  db: Db,
  userId: number,
  texts: readonly string[],
  at: string,
): Promise<void> => {
  for (const [n, text] of texts.entries()) {
    const { id: importId } = await db
      .insertInto('file_imports')
      .values({
        userId,
        filename: text,
        format: n % 2 ? 'mbox' : null,
        size: n,
        state: 'done',
        options: '{}',
        analysis: n % 2 ? JSON.stringify(emptyAnalysis()) : null,
        counts: JSON.stringify(emptyCounts()),
        doneRecords: n,
        problemCount: n,
        error: n % 2 ? text : null,
        version: 1,
        createdAt: at,
        updatedAt: at,
        finishedAt: n % 2 ? at : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('file_import_pieces')
      .values({ importId, number: n, userId, size: 5, blob: '0'.repeat(64) })
      .execute()
    await db
      .insertInto('file_import_items')
      .values({
        userId,
        importId,
        kind: 'tasks',
        key: text,
        itemId: n % 2 ? n : null,
        payload: JSON.stringify({ text }),
      })
      .execute()
    await db
      .insertInto('file_import_problems')
      .values({
        userId,
        importId,
        severity: 'changed',
        file: text,
        line: n % 2 ? n : null,
        field: text,
        value: text,
        reason: text,
      })
      .execute()
  }
}
