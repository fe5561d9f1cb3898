/*
 * The calendar baseline: a bare Fastify server on the same database file. It has one prepared statement per
 * route and an equal response schema. It has no authentication, validation, log, notifications or conflict
 * detection.
 */
import { randomUUID } from 'node:crypto'
import SQLite from 'better-sqlite3'
import fastify from 'fastify'

const { DATABASE_FILE, PORT } = process.env as Record<string, string>
const database = new SQLite(DATABASE_FILE as string)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
const app = fastify()

const text = { type: 'string' }
const nullableText = { type: 'string', nullable: true }
const texts = { type: 'array', items: text }
const person = { name: text, email: text }
const event = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    recurringEventId: { type: 'integer', nullable: true },
    occurrenceStart: nullableText,
    start: text,
    end: text,
    uid: text,
    title: text,
    description: text,
    location: text,
    meetingUrl: nullableText,
    allDay: { type: 'boolean' },
    timezone: text,
    status: text,
    source: text,
    bookingId: nullableText,
    organizer: { type: 'object', nullable: true, properties: person },
    attendees: { type: 'array', items: { type: 'object', properties: { ...person, status: text } } },
    reminders: {
      type: 'array',
      items: { type: 'object', properties: { minutesBefore: { type: 'integer' } } },
    },
    notes: text,
    tags: texts,
    recurrence: nullableText,
    exdates: texts,
    rdates: texts,
    busy: { type: 'boolean' },
    emailId: { type: 'integer', nullable: true },
    createdAt: text,
    updatedAt: text,
  },
}

const columns = Object.keys(event.properties)
  .filter((name) => name !== 'recurringEventId' && name !== 'occurrenceStart')
  .map((name) => `"${name}"`)
const window = database.prepare(
  `select ${columns.join(', ')}, null as "recurringEventId", null as "occurrenceStart" from events
   where "userId" = (select id from users where role in ('owner', 'local'))
     and start >= ? and start < ? order by start, id limit ?`,
)

type Row = Record<string, string | number | null>
const JSON_COLUMNS = ['organizer', 'attendees', 'reminders', 'tags', 'exdates', 'rdates']
const toResponse = (row: Row): Record<string, unknown> => {
  const result: Record<string, unknown> = row
  for (const name of JSON_COLUMNS) if (row[name] !== null) result[name] = JSON.parse(row[name] as string)
  return result
}

app.get(
  '/events',
  {
    schema: {
      response: {
        200: {
          type: 'object',
          properties: { events: { type: 'array', items: event }, nextCursor: nullableText },
        },
      },
    },
  },
  async (request) => {
    const { start, end, limit } = request.query as Record<string, string>
    return { events: (window.all(start, end, Number(limit)) as Row[]).map(toResponse), nextCursor: null }
  },
)

const columnNames = (database.pragma('table_info(events)') as { name: string }[])
  .map(({ name }) => name)
  .filter((name) => name !== 'id')
const insert = database.prepare(
  `insert into events (${columnNames.map((name) => `"${name}"`).join(', ')})
   values (${columnNames.map((name) => `@${name}`).join(', ')}) returning id`,
)
const model = database.prepare('select * from events limit 1').get() as Row
app.post('/events', { schema: { response: { 201: event } } }, async (request, reply) => {
  const { title, start, end } = request.body as Record<string, string>
  const row: Row = { ...model, uid: randomUUID(), recurrenceId: '', title, start, end, lastEnd: end } as Row
  // Uses `all` to complete the statement, unlike `get`. SQLite checkpoints its WAL only after a completed
  // statement.
  const [{ id }] = insert.all(row) as [{ id: number }]
  reply.code(201)
  return toResponse({ ...row, id })
})

app.get('/ready', async () => 'ready')
await app.listen({ port: Number(PORT) })
