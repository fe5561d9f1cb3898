import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import type { DataPlace } from './databases.ts'
import { PASSWORD } from './people.ts'

/*
 * One small instance per released version and engine, with data of every kind, and the answers of its API.
 * `npm run fixture` creates those of the present version. This file uses nothing but HTTP, so that it also runs in the
 * checkout of an older version.
 */

export const FIXTURES = resolve('test/fixtures/upgrades')
export const FIXTURE_KEY = 'the secret key of all upgrade fixtures'
const EMAIL = 'robin@sample.example'

type Row = Record<string, unknown>
type Get = (path: string) => Promise<Response>

/** Fields that every version has, with the same meaning. */
const LISTS: Record<string, string[]> = {
  '/api/tasks?limit=200': [
    'id',
    'title',
    'notes',
    'status',
    'priority',
    'dueAt',
    'tags',
    'estimateMinutes',
    'emailId',
  ],
  '/api/emails?limit=200': [
    'id',
    'subject',
    'folder',
    'from',
    'to',
    'date',
    'tags',
    'read',
    'starred',
    'threadId',
  ],
  '/api/calendar/events?start=2026-02-01&end=2026-06-01': [
    'id',
    'title',
    'start',
    'end',
    'timezone',
    'tags',
    'notes',
  ],
  '/api/mail-rules?limit=200': ['id', 'name', 'q', 'does', 'enabled'],
  '/api/settings/mail-accounts': ['id', 'address'],
  '/api/settings/calendar-accounts': ['id', 'kind', 'url'],
  '/api/settings/webhooks': ['id', 'url', 'events'],
  '/api/ai/conversations': ['id', 'title'],
  '/api/contacts?limit=200&known=true': ['id', 'name', 'organization', 'phones'],
}
const OBJECTS: Record<string, string[]> = {
  '/api/settings/profile': ['name', 'email'],
  '/api/settings/preferences': ['timezone', 'locale', 'weekStart', 'workingHours'],
}

const pick = (row: Row, fields: readonly string[]): Row =>
  Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, row[field]]))

const hashOf = async (response: Response): Promise<string> => {
  const bytes = Buffer.from(await response.arrayBuffer())
  // The body of an error differs from request to request.
  return response.status === 200 ? createHash('sha256').update(bytes).digest('hex') : String(response.status)
}

/** Reads the text and the attachments of an email. */
const readEmail = async (get: Get, id: unknown): Promise<Row> => {
  const { text, attachments } = (await (await get(`/api/emails/${id}`)).json()) as {
    text: string
    attachments: { id: string; filename: string; size: number }[]
  }
  const files: Row[] = []
  for (const { id: attachmentId, filename, size } of attachments)
    files.push({
      filename,
      size,
      bytes: await hashOf(await get(`/api/emails/${id}/attachments/${attachmentId}`)),
    })
  return { text, files, raw: await hashOf(await get(`/api/emails/${id}/raw`)) }
}

/** Signs in and reads the data of the fixture. A path that the version does not have yet is left out. */
export const readAnswers = async (url: string): Promise<Record<string, unknown>> => {
  const signedIn = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  const { token } = (await signedIn.json()) as { token: string }
  const get: Get = (path) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const answers: Record<string, unknown> = {}
  for (const [path, fields] of Object.entries(LISTS)) {
    const response = await get(path)
    if (response.status !== 200) continue
    const rows = Object.values((await response.json()) as object).find(Array.isArray) as Row[]
    answers[path] = rows
      .map((row) => pick(row, fields))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    if (path.startsWith('/api/emails'))
      for (const { id } of rows) answers[`/api/emails/${id}`] = await readEmail(get, id)
  }
  for (const [path, fields] of Object.entries(OBJECTS))
    answers[path] = pick((await (await get(path)).json()) as Row, fields)
  return answers
}

const fileOf = (version: string, suffix: string): string => join(FIXTURES, `${version}-${suffix}`)

/** Writes a stopped instance and its answers. */
export const writeFixture = (version: string, place: DataPlace, answers: unknown): void => {
  mkdirSync(FIXTURES, { recursive: true })
  if (place.databaseUrl === null)
    execFileSync('tar', [
      '--create',
      '--gzip',
      `--file=${fileOf(version, 'sqlite.tar.gz')}`,
      `--directory=${place.dataDir}`,
      ...['factotum.db', 'blobs'].filter((name) => existsSync(join(place.dataDir, name))),
    ])
  else {
    const dump = execFileSync(
      'pg_dump',
      ['--inserts', '--no-owner', '--no-privileges', `--dbname=${place.databaseUrl}`],
      { encoding: 'utf8' },
    )
    // psql's own commands; a client does not know them.
    writeFileSync(fileOf(version, 'postgres.sql.gz'), gzipSync(dump.replace(/^\\.*$/gm, ''), { level: 9 }))
  }
  writeFileSync(fileOf(version, `${place.engine}.json.gz`), gzipSync(JSON.stringify(answers), { level: 9 }))
}

/** Fills an empty place with the instance, and returns the answers that it gave. */
export const loadFixture = async (version: string, place: DataPlace): Promise<Record<string, unknown>> => {
  if (place.databaseUrl === null)
    execFileSync('tar', [
      '--extract',
      `--file=${fileOf(version, 'sqlite.tar.gz')}`,
      `--directory=${place.dataDir}`,
    ])
  else {
    const client = new pg.Client({ connectionString: place.databaseUrl })
    await client.connect()
    try {
      await client.query(gunzipSync(readFileSync(fileOf(version, 'postgres.sql.gz'))).toString())
    } finally {
      await client.end()
    }
  }
  place.environment.SECRET_KEY = FIXTURE_KEY
  return JSON.parse(gunzipSync(readFileSync(fileOf(version, `${place.engine}.json.gz`))).toString())
}
