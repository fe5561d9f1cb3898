/*
 * The account baseline: a bare Fastify server on the same database file. It has one prepared statement per
 * route and an equal response schema. It has no authorization checks, validation, log or security headers.
 */
import SQLite from 'better-sqlite3'
import fastify from 'fastify'
import { deriveKeys } from '../src/platform/secrets/seal.ts'
import { verifyJws } from '../src/platform/secrets/signatures.ts'

const { DATABASE_FILE, SECRET_KEY, PORT, HEALTH } = process.env as Record<string, string>
const database = new SQLite(DATABASE_FILE as string)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
const key = deriveKeys(SECRET_KEY as string).signing
const app = fastify()

const me = database.prepare(
  `select users.id, users.email, users.name, null as "avatarUrl", users.timezone, 0 as "twoFactorEnabled", users."createdAt"
   from sessions join users on users.id = sessions."userId" where sessions.id = ?`,
)
const text = { type: 'string' }
app.get(
  '/me',
  {
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            email: text,
            name: text,
            avatarUrl: { type: 'string', nullable: true },
            timezone: text,
            twoFactorEnabled: { type: 'boolean' },
            createdAt: text,
          },
        },
      },
    },
  },
  async (request) => {
    const payload = verifyJws((request.headers.authorization ?? '').slice('Bearer '.length), key)
    const { sid } = JSON.parse(String(payload)) as { sid: string }
    return me.get(sid)
  },
)

const one = database.prepare('select 1')
const health = JSON.parse(HEALTH ?? '{}') as Record<string, unknown>
app.get(
  '/health',
  {
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            status: text,
            version: text,
            uptimeSeconds: { type: 'integer' },
            database: { type: 'object', properties: { engine: text, ok: { type: 'boolean' } } },
            checks: { type: 'object', additionalProperties: true },
          },
        },
      },
    },
  },
  async () => {
    one.get()
    return health
  },
)
app.get('/ready', async () => 'ready')
await app.listen({ port: Number(PORT) })
