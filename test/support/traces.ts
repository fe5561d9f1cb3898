import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Instance } from './instance.ts'

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => statSync(path).isFile())

const bytesOf = (mark: string): string => Buffer.from(mark).toString('latin1').toLowerCase()

/** Which marks lie in which file, whatever the file is for, or in its name. */
export const findInFiles = (directory: string, marks: readonly string[]): string[] =>
  filesIn(directory).flatMap((path) => {
    const text = readFileSync(path).toString('latin1').toLowerCase()
    const name = Buffer.from(path).toString('latin1').toLowerCase()
    return marks
      .filter((mark) => text.includes(bytesOf(mark)) || name.includes(bytesOf(mark)))
      .map((mark) => `${mark} in ${path.slice(directory.length + 1)}`)
  })

/** Which marks are in which table, as any query could find them; the job queue's own tables among them. */
export const findInTables = async (
  { database: { db } }: Instance,
  marks: readonly string[],
): Promise<string[]> => {
  const found: string[] = []
  for (const { name, schema } of await db.introspection.getTables()) {
    const table = schema === undefined ? sql.table(name) : sql.table(`${schema}.${name}`)
    const { rows } = await sql<Record<string, unknown>>`select * from ${table}`
      .execute(db)
      // An index of words holds no rows that can be read.
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
