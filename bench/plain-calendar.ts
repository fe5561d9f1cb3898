/* The calendar baseline, without notifications and conflict detection. Its requests are in comparisons.ts. */
import { randomUUID } from 'node:crypto'
import { Event } from '../src/features/calendar/event.ts'
import { EventList, SavedEvent } from '../src/features/calendar/schema.ts'
import { LIMIT, openPlainServer, type PlainRow, parseColumns, toPage } from './plain-server.ts'

const { app, database, userId, listen } = openPlainServer()

const columns = Object.keys(Event.properties)
  .filter((name) => name !== 'recurringEventId' && name !== 'occurrenceStart')
  .map((name) => `"${name}"`)
  .join()
const select = `select ${columns}, null as "recurringEventId", null as "occurrenceStart" from events
  where "userId" = ${userId}`
const window = database.prepare(
  `${select} and start >= ? and start < ? order by start, id limit cast(? as integer) + 1`,
)
const list = database.prepare(`${select} and "seriesId" is null order by start, id limit ${LIMIT}`)
const bySource = database.prepare(
  `${select} and "seriesId" is null and source = ? order by start, id limit ${LIMIT}`,
)
const one = database.prepare(`${select} and id = ?`)

const JSON_COLUMNS = ['organizer', 'attendees', 'reminders', 'tags', 'exdates', 'rdates']
const toResponse = (row: PlainRow) => parseColumns(row, JSON_COLUMNS)
const byStart = ({ start, id }: PlainRow) => [start, id]

app.get('/api/calendar/events', { schema: { response: { 200: EventList } } }, async (request) => {
  const { start, end, limit, source } = request.query as Record<string, string>
  const rows =
    start !== undefined
      ? window.all(start, end, Number(limit))
      : source === undefined
        ? list.all()
        : bySource.all(source)
  const { items, nextCursor } = toPage(rows, byStart, toResponse)
  return { events: items, nextCursor } as never
})
app.get<{ Params: { id: string } }>(
  '/api/calendar/events/:id',
  { schema: { response: { 200: Event } } },
  async ({ params }) => toResponse(one.get(Number(params.id)) as PlainRow) as never,
)

const model = database.prepare('select * from events limit 1').get() as PlainRow
const names = Object.keys(model).filter((name) => name !== 'id')
const insert = database.prepare(
  `insert into events (${names.map((name) => `"${name}"`).join()})
   values (${names.map((name) => `@${name}`).join()}) returning id`,
)
app.post('/api/calendar/events', { schema: { response: { 201: SavedEvent } } }, async (request, reply) => {
  const { title, start, end } = request.body as Record<string, string>
  const now = new Date().toISOString()
  const row: PlainRow = {
    ...model,
    uid: randomUUID(),
    recurrenceId: '',
    title: title as string,
    start: new Date(start as string).toISOString(),
    end: new Date(end as string).toISOString(),
    lastEnd: new Date(end as string).toISOString(),
    description: '',
    location: '',
    meetingUrl: null,
    timezone: 'UTC',
    source: 'manual',
    bookingId: null,
    organizer: null,
    attendees: '[]',
    tags: '[]',
    createdAt: now,
    updatedAt: now,
  }
  // Uses `all` to complete the statement, unlike `get`. SQLite checkpoints its WAL only after a completed
  // statement.
  const [{ id }] = insert.all(row) as [{ id: number }]
  reply.code(201)
  return {
    ...toResponse({ ...row, id, recurringEventId: null, occurrenceStart: null }),
    conflicts: [],
  } as never
})
await listen()
