/*
 * The frame of the plain servers: a bare Fastify server on the same database file. It has one prepared statement per
 * route and an equal response schema. It has no authentication, validation, log or security headers.
 */
import SQLite from 'better-sqlite3'
import fastify from 'fastify'
import { compileSerializer } from '../src/platform/http/server.ts'

const { DATABASE_FILE, PORT } = process.env as Record<string, string>

export const openPlainServer = () => {
  const database = new SQLite(DATABASE_FILE as string)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('cache_size = -16000')
  const app = fastify({
    schemaController: { compilersFactory: { buildSerializer: () => compileSerializer as never } },
  })
  app.get('/ready', async () => 'ready')
  const owner = database.prepare("select id from users where role in ('owner', 'local')").pluck()
  return {
    database,
    app,
    /** The account of requests without a token. */
    userId: owner.get() as number,
    listen: () => app.listen({ port: Number(PORT) }),
  }
}

export type PlainRow = Record<string, string | number | null>

/** Parses the JSON columns of a row in place. */
export const parseColumns = (row: PlainRow, names: readonly string[]): Record<string, unknown> => {
  const result: Record<string, unknown> = row
  for (const name of names) if (row[name] !== null) result[name] = JSON.parse(row[name] as string)
  return result
}

const PAGE = 50

/** A statement reads one row more than a page, like the service. */
export const LIMIT = PAGE + 1

export const toPage = (
  rows: readonly unknown[],
  toKey: (row: PlainRow) => readonly unknown[],
  toResponse: (row: PlainRow) => unknown,
): { items: unknown[]; nextCursor: string | null } => {
  const page = rows.slice(0, PAGE) as PlainRow[]
  const last = page.at(-1)
  const nextCursor =
    last && rows.length > PAGE ? Buffer.from(JSON.stringify(toKey(last))).toString('base64url') : null
  return { items: page.map(toResponse), nextCursor }
}
