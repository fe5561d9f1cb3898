import type { Generated, Insertable, Kysely, Selectable, SelectQueryBuilder, Updateable } from 'kysely'
import type { Db } from '../database/db.ts'
import { countRows } from '../database/rows.ts'
import type { Tables } from '../database/tables.ts'
import { notFound } from './errors.ts'
import { pageOf, readCursor, requireMatch } from './http/etag.ts'
import type { PageRequest } from './http/shapes.ts'

interface PageOf<Row> {
  page: Row[]
  nextCursor: string | null
}

/** Reads a page of numbered rows, oldest first unless `order` is `desc`. */
export const readByNumber = async <D, T extends keyof D, Row extends { id: number }>(
  query: SelectQueryBuilder<D, T, Row>,
  { limit, cursor }: PageRequest,
  order: 'asc' | 'desc' = 'asc',
): Promise<PageOf<Row>> => {
  const after = readCursor(cursor, 'integer')?.[0]
  const rows = await (query as unknown as SelectQueryBuilder<{ rows: { id: number } }, 'rows', Row>)
    .$if(after !== undefined, (rest) => rest.where('id', order === 'asc' ? '>' : '<', after as number))
    .orderBy('id', order)
    .limit(limit + 1)
    .execute()
  return pageOf(rows as Row[], limit, ({ id }) => [id])
}

/** Reads a page of rows with a random id, newest first unless `order` is `asc`. */
export const readByAge = async <D, T extends keyof D, Row extends { id: string; createdAt: string }>(
  query: SelectQueryBuilder<D, T, Row>,
  { limit, cursor }: PageRequest,
  order: 'asc' | 'desc' = 'desc',
): Promise<PageOf<Row>> => {
  const after = readCursor(cursor, 'instant', 'text')
  type Columns = { id: string; createdAt: string }
  const rows = await (query as unknown as SelectQueryBuilder<{ rows: Columns }, 'rows', Row>)
    .$if(after !== undefined, (rest) =>
      rest.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), order === 'asc' ? '>' : '<', tuple(...(after as [string, string]))),
      ),
    )
    .orderBy('createdAt', order)
    .orderBy('id', order)
    .limit(limit + 1)
    .execute()
  return pageOf(rows as Row[], limit, ({ createdAt, id }) => [createdAt, id])
}

interface OwnedRow {
  id: Generated<number>
  userId: number
}

type OwnedTable = {
  [T in keyof Tables]: Selectable<Tables[T]> extends { id: number | string; userId: number } ? T : never
}[keyof Tables]
type IdOf<T extends OwnedTable> =
  Selectable<Tables[T]> extends { id: infer Id extends number | string } ? Id : never

/** The statements for rows of an account. `noun` names the resource in errors. */
export const ownedRows = <T extends OwnedTable>(table: T, noun: string) => {
  type Stored = Selectable<Tables[T]>
  type Id = IdOf<T>
  const rowsOf = (db: Db) => db as unknown as Kysely<{ rows: OwnedRow }>
  const name = table as unknown as 'rows'

  const own = (db: Db, userId: number) => rowsOf(db).selectFrom(name).selectAll().where('userId', '=', userId)

  const find = (db: Db, userId: number, id: Id): Promise<Stored | undefined> =>
    own(db, userId)
      .where('id', '=', id as number)
      .executeTakeFirst() as Promise<Stored | undefined>

  return {
    find,

    /** The rows of the account, for a list or a filter. */
    select: (db: Db, userId: number) => own(db, userId) as unknown as SelectQueryBuilder<Tables, T, Stored>,

    async get(db: Db, userId: number, id: Id): Promise<Stored> {
      const row = await find(db, userId, id)
      if (!row) throw notFound(noun)
      return row
    },

    insert: (tx: Db, row: Insertable<Tables[T]>): Promise<Stored> =>
      rowsOf(tx)
        .insertInto(name)
        .values(row as unknown as Insertable<OwnedRow>)
        .returningAll()
        .executeTakeFirstOrThrow() as unknown as Promise<Stored>,

    /** Returns whether the row existed. */
    async delete(tx: Db, userId: number, id: Id): Promise<boolean> {
      const { numDeletedRows } = await rowsOf(tx)
        .deleteFrom(name)
        .where('id', '=', id as number)
        .where('userId', '=', userId)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    count: (tx: Db, userId: number): Promise<number> =>
      countRows(rowsOf(tx).selectFrom(name).where('userId', '=', userId)),
  }
}

type VersionedTable = {
  [T in OwnedTable]: Selectable<Tables[T]> extends { version: number } ? T : never
}[OwnedTable]

/** The statements and checks of a plain resource: rows of an account that have a version. */
export const versionedRows = <T extends VersionedTable>(table: T, noun: string) => {
  type Stored = Selectable<Tables[T]>
  type Id = IdOf<T>
  const rowsOf = (db: Db) => db as unknown as Kysely<{ rows: OwnedRow & { version: number } }>
  const name = table as unknown as 'rows'
  const rows = ownedRows(table, noun)

  /** Locks the row until the commit. Only a write locks a row on both database engines. */
  const lock = (tx: Db, userId: number, id: Id): Promise<Stored | undefined> =>
    rowsOf(tx)
      .updateTable(name)
      .set((row) => ({ version: row.ref('version') }))
      .where('id', '=', id as number)
      .where('userId', '=', userId)
      .returningAll()
      .executeTakeFirst() as unknown as Promise<Stored | undefined>

  /** Locks the row for a change that is based on the version in `If-Match`. */
  const getLocked = async (tx: Db, userId: number, id: Id, ifMatch: string | undefined): Promise<Stored> => {
    const row = await lock(tx, userId, id)
    if (!row) throw notFound(noun)
    requireMatch(ifMatch, row as { id: Id; version: number })
    return row
  }

  return {
    ...rows,
    lock,
    getLocked,

    update: (
      tx: Db,
      { id, userId }: { id: Id; userId: number },
      change: Updateable<Tables[T]>,
    ): Promise<Stored> =>
      rowsOf(tx)
        .updateTable(name)
        .set((row) => ({ ...(change as object), version: row('version', '+', 1) }))
        .where('id', '=', id as number)
        .where('userId', '=', userId)
        .returningAll()
        .executeTakeFirstOrThrow() as unknown as Promise<Stored>,

    /** Returns the deleted row. */
    async remove(tx: Db, userId: number, id: Id, ifMatch: string | undefined): Promise<Stored> {
      const row = await getLocked(tx, userId, id, ifMatch)
      await rows.delete(tx, userId, id)
      return row
    },
  }
}
