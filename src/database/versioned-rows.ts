import type { Generated, Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { Db } from './db.ts'
import type { Tables } from './tables.ts'

/** The columns that all these tables have. */
interface VersionedRow {
  id: Generated<number>
  userId: number
  version: number
}

/** Statements for a table whose rows belong to an account, have a version, and are listed in order of creation. */
export const versionedRows = <T extends keyof Tables & string>(table: T) => {
  type Row = Tables[T]
  type Stored = Selectable<Row>
  const rowsOf = (db: Db) => db as unknown as Kysely<{ rows: VersionedRow }>
  const name = table as unknown as 'rows'
  return {
    insert: (tx: Db, row: Insertable<Row>): Promise<Stored> =>
      rowsOf(tx)
        .insertInto(name)
        .values(row as Insertable<VersionedRow>)
        .returningAll()
        .executeTakeFirstOrThrow() as Promise<Stored>,

    find: (db: Db, userId: number, id: number): Promise<Stored | undefined> =>
      rowsOf(db)
        .selectFrom(name)
        .selectAll()
        .where('id', '=', id)
        .where('userId', '=', userId)
        .executeTakeFirst() as Promise<Stored | undefined>,

    /** Locks the row until the commit. Only a write locks a row on both database engines. */
    lock: (tx: Db, userId: number, id: number): Promise<Stored | undefined> =>
      rowsOf(tx)
        .updateTable(name)
        .set((row) => ({ version: row.ref('version') }))
        .where('id', '=', id)
        .where('userId', '=', userId)
        .returningAll()
        .executeTakeFirst() as Promise<Stored | undefined>,

    update: (
      tx: Db,
      { id, userId, version }: { id: number; userId: number; version: number },
      change: Updateable<Row>,
    ): Promise<Stored> =>
      rowsOf(tx)
        .updateTable(name)
        .set({ ...(change as Updateable<VersionedRow>), version: version + 1 })
        .where('id', '=', id)
        .where('userId', '=', userId)
        .returningAll()
        .executeTakeFirstOrThrow() as Promise<Stored>,

    async remove(tx: Db, userId: number, id: number): Promise<void> {
      await rowsOf(tx).deleteFrom(name).where('id', '=', id).where('userId', '=', userId).execute()
    },

    async count(tx: Db, userId: number): Promise<number> {
      const { count } = await rowsOf(tx)
        .selectFrom(name)
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('userId', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    list: (db: Db, userId: number, page: { limit: number; after: number | undefined }): Promise<Stored[]> =>
      rowsOf(db)
        .selectFrom(name)
        .selectAll()
        .where('userId', '=', userId)
        .$if(page.after !== undefined, (query) => query.where('id', '>', page.after as number))
        .orderBy('id')
        .limit(page.limit + 1)
        .execute() as Promise<Stored[]>,
  }
}
