/*
 * The contacts baseline: a bare Fastify server on the same database file, with one prepared statement and an equal
 * response schema. It has no authentication, validation, log or security headers.
 */
import SQLite from 'better-sqlite3'
import fastify from 'fastify'
import { Suggestions } from '../src/features/contacts/schema.ts'

const { DATABASE_FILE, PORT } = process.env as Record<string, string>
const database = new SQLite(DATABASE_FILE as string)
database.pragma('journal_mode = WAL')
const app = fastify()

const suggest = database.prepare(
  `select contacts.id as "contactId", contacts.name, contacts.organization, address
   from contact_addresses join contacts on contacts.id = "contactId"
   where contact_addresses.id in (select "addressId" from contact_terms where "userId" = 1 and term >= ? and term < ?)
   order by score desc, contact_addresses.id desc limit 8`,
)
app.get<{ Querystring: { q: string } }>(
  '/suggest',
  { schema: { response: { 200: Suggestions } } },
  async ({ query: { q } }) => ({ suggestions: suggest.all(q, `${q}\u{10ffff}`) }),
)
app.get('/ready', async () => 'ready')
await app.listen({ port: Number(PORT) })
