/*
 * The mail baseline: a bare Fastify server on the same database file. It has one prepared statement per route
 * and an equal response schema. It has no authentication, validation, log or security headers.
 */
import SQLite from 'better-sqlite3'
import fastify from 'fastify'
import { Email, EmailSummary } from '../src/features/mail/email.ts'
import { compileSerializer } from '../src/platform/http/server.ts'

const { DATABASE_FILE, PORT } = process.env as Record<string, string>
const database = new SQLite(DATABASE_FILE as string)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.pragma('cache_size = -16000')
const app = fastify({
  schemaController: { compilersFactory: { buildSerializer: () => compileSerializer as never } },
})

const COLUMNS = `emails.id, position, "messageId", "threadId", "mailingList", unreadable, "accountId", folder, "fromName", "fromAddress", "to", cc,
  emails.subject, snippet, date, tags, read, starred, attachments, "createdAt", "updatedAt"`
const { id: userId } = database.prepare("select id from users where role in ('owner', 'local')").get() as {
  id: number
}
const list = database.prepare(
  `select ${COLUMNS} from emails where "userId" = ${userId} order by position desc limit 51`,
)
const search = database.prepare(
  `select ${COLUMNS} from email_words cross join emails on position = email_words.rowid
   where email_words match ? order by email_words.rowid desc limit 51`,
)
const one = database.prepare(
  `select ${COLUMNS}, bcc, "replyTo", "inReplyTo", text, html
   from emails join email_bodies on "emailId" = emails.id where emails.id = ? and "userId" = ${userId}`,
)

const insertEmail = database.prepare(
  `insert into emails (position, "threadId", folder, "fromName", "fromAddress", "to", cc, bcc, "replyTo", subject,
   "subjectKey", "references", snippet, date, tags, read, starred, attachments, "hasAttachments", version, "createdAt", "updatedAt", "userId")
   values (?, 0, 'inbox', ?, ?, ?, '[]', '[]', '[]', ?, ?, '[]', ?, ?, '[]', 0, 0, '[]', 0, 1, ?, ?, ${userId})`,
)
const insertBody = database.prepare('insert into email_bodies ("emailId", text, html) values (?, ?, null)')
const insertWords = database.prepare(
  `insert into email_words (rowid, subject, sender, recipients, body, account) values (?, ?, ?, ?, ?, '#${userId}')`,
)
let position = BigInt(Date.now()) * 2048n
const create = database.transaction(
  (input: Record<'name' | 'address' | 'to' | 'subject' | 'text', string>) => {
    const { name, address, to, subject, text } = input
    const now = new Date().toISOString()
    position++
    const snippet = text.slice(0, 150)
    const row = [position, name, address, to, subject, subject, snippet, now, now, now]
    const { lastInsertRowid } = insertEmail.run(...row)
    insertBody.run(lastInsertRowid, text)
    insertWords.run(position, subject, `${name} ${address}`, to, text)
    return lastInsertRowid
  },
)

type Row = Record<string, string> & { position: number }
const JSON_COLUMNS = ['mailingList', 'unreadable', 'to', 'cc', 'bcc', 'replyTo', 'tags', 'attachments']
const toResponse = (row: Row) => ({
  ...row,
  ...Object.fromEntries(JSON_COLUMNS.flatMap((name) => (row[name] ? [[name, JSON.parse(row[name])]] : []))),
  from: { name: row.fromName, address: row.fromAddress },
  analysis: null,
  delivery: null,
})
const toPage = (rows: unknown[]) => {
  const page = rows.slice(0, 50) as Row[]
  const last = page.at(-1)
  const nextCursor =
    rows.length > 50 && last ? Buffer.from(JSON.stringify([last.position])).toString('base64url') : null
  return { emails: page.map(toResponse), nextCursor }
}

const properties = {
  emails: { type: 'array', items: EmailSummary },
  nextCursor: { type: 'string', nullable: true },
}
app.get('/emails', { schema: { response: { 200: { type: 'object', properties } } } }, async (request) => {
  const { q } = request.query as { q?: string }
  return toPage(q === undefined ? list.all() : search.all(`"#${userId}" AND (${q})`))
})
app.get('/emails/:id', { schema: { response: { 200: Email } } }, async (request) =>
  toResponse(one.get((request.params as { id: string }).id) as Row),
)
app.post('/emails', { schema: { response: { 201: Email } } }, async (request, reply) => {
  const { from, to, subject, text } = request.body as {
    from: { name: string; address: string }
    to: unknown
    subject: string
    text: string
  }
  const id = create({ ...from, to: JSON.stringify(to), subject, text })
  reply.code(201)
  return toResponse(one.get(id) as Row)
})
app.get('/ready', async () => 'ready')
await app.listen({ port: Number(PORT) })
