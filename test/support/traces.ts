import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import type { Instance } from './instance.ts'

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => statSync(path).isFile())

const bytesOf = (mark: string): string => Buffer.from(mark).toString('latin1').toLowerCase()

/** Finds marks in the contents and names of all files. */
export const findInFiles = (directory: string, marks: readonly string[]): string[] =>
  filesIn(directory).flatMap((path) => {
    const text = readFileSync(path).toString('latin1').toLowerCase()
    const name = Buffer.from(path).toString('latin1').toLowerCase()
    return marks
      .filter((mark) => text.includes(bytesOf(mark)) || name.includes(bytesOf(mark)))
      .map((mark) => `${mark} in ${path.slice(directory.length + 1)}`)
  })

/** Finds marks in all tables, including those of the job queue. */
export const findInTables = async (
  { database: { db } }: Instance,
  marks: readonly string[],
): Promise<string[]> => {
  const found: string[] = []
  for (const { name, schema } of await db.introspection.getTables()) {
    const table = schema === undefined ? sql.table(name) : sql.table(`${schema}.${name}`)
    const { rows } = await sql<Record<string, unknown>>`select * from ${table} ${ALL_ACCOUNTS}`
      .execute(db)
      // The table of a word index has no readable rows.
      .catch(() => ({ rows: [] }))
    const text = JSON.stringify(rows, (_, value) => {
      if (typeof value === 'bigint') return String(value)
      return value?.type === 'Buffer' ? Buffer.from(value.data).toString('utf8') : value
    }).toLowerCase()
    const isThere = (mark: string): boolean =>
      text.includes(mark.toLowerCase()) || text.includes(JSON.stringify(mark).slice(1, -1).toLowerCase())
    found.push(...marks.filter(isThere).map((mark) => `${mark} in ${name}`))
  }
  return found
}
