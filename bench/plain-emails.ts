/* The mail baseline. Its requests are in comparisons.ts. */
import { Email, EmailSummary } from '../src/features/mail/messages/email.ts'
import { Highlights } from '../src/features/mail/messages/schema.ts'
import { LIMIT, openPlainServer, type PlainRow, parseColumns, toPage } from './plain-server.ts'

const { app, database, userId, listen } = openPlainServer()

/** The fields that are made of several columns, or of none. */
const GROUPED = ['from', 'folders', 'invitation', 'delivery', 'returned', 'highlights']
const toColumns = (schema: { properties: object }): string[] =>
  Object.keys(schema.properties).filter((name) => !GROUPED.includes(name))
const toList = (columns: readonly string[]): string => columns.map((name) => `emails."${name}"`).join()
const summary = `${toList(toColumns(EmailSummary))}, emails.position, "otherFolders", "fromName", "fromAddress", "deliveryStatus",
  "deliveryError", "deliveryAt", "returnReason"`

const list = database.prepare(
  `select ${summary} from emails where "userId" = ${userId} order by position desc limit ${LIMIT}`,
)
const search = database.prepare(
  `select ${summary} from email_words cross join emails on position = email_words.rowid
   where email_words match ? and emails."userId" = ${userId} order by email_words.rowid desc limit ${LIMIT}`,
)
const others = toColumns(Email).filter(
  (name) => !Object.hasOwn(EmailSummary.properties, name) && name !== 'text' && name !== 'html',
)
const one = database.prepare(
  `select ${summary}, ${toList(others)}, text, html
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
    // A whole number of words, like the service.
    const snippet = `${text.slice(0, 199).replace(/\s\S{0,20}$/, '')}…`
    const row = [position, name, address, to, subject, subject, snippet, now, now, now]
    const { lastInsertRowid } = insertEmail.run(...row)
    insertBody.run(lastInsertRowid, text)
    insertWords.run(position, subject, `${name} ${address}`, to, text)
    return lastInsertRowid
  },
)

const JSON_COLUMNS = ['mailingList', 'unreadable', 'to', 'cc', 'tags', 'attachments', 'analysis']
const JSON_OF_ONE = [...JSON_COLUMNS, 'bcc', 'replyTo', 'security']
const toResponse = (row: PlainRow, names = JSON_COLUMNS) => {
  const response = parseColumns(row, names)
  response.from = { name: row.fromName, address: row.fromAddress }
  const others = JSON.parse((row.otherFolders as string | null) ?? '[]')
  response.folders = row.folderId === null ? others : [{ id: row.folderId, role: row.folder }, ...others]
  response.invitation = null
  response.delivery = null
  response.returned = null
  return response
}
const toMatch = (row: PlainRow) => {
  const response = toResponse(row)
  // The searched word is in none of the fields of a summary.
  response.highlights = []
  return response
}

const properties = {
  emails: {
    type: 'array',
    items: { type: 'object', properties: { ...EmailSummary.properties, highlights: Highlights } },
  },
  nextCursor: { type: 'string', nullable: true },
}
const byPosition = (row: PlainRow) => [row.position]
app.get('/api/emails', { schema: { response: { 200: { type: 'object', properties } } } }, async (request) => {
  const { q } = request.query as { q?: string }
  const { items, nextCursor } =
    q === undefined
      ? toPage(list.all(), byPosition, (row) => toResponse(row))
      : toPage(search.all(`"#${userId}" AND (${q})`), byPosition, toMatch)
  return { emails: items, nextCursor }
})
const readOne = (id: number | bigint) => toResponse(one.get(id) as PlainRow, JSON_OF_ONE) as never
app.get<{ Params: { id: string } }>(
  '/api/emails/:id',
  { schema: { response: { 200: Email } } },
  async ({ params }) => readOne(Number(params.id)),
)
app.post('/api/emails', { schema: { response: { 201: Email } } }, async (request, reply) => {
  const { from, to, subject, text } = request.body as {
    from: { name: string; address: string }
    to: unknown
    subject: string
    text: string
  }
  const id = create({ ...from, to: JSON.stringify(to), subject, text })
  reply.code(201)
  return readOne(id)
})
await listen()
