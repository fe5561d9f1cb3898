/*
 * The task baseline: a bare Fastify server on the same database file. It has one prepared statement per route
 * and an equal response schema. It has no authentication, validation, log or security headers.
 */
import SQLite from 'better-sqlite3'
import fastify from 'fastify'
import { Task, TaskList } from '../src/features/tasks/schema.ts'
import { FIRST_CLOSED } from '../src/features/tasks/task.ts'

const { DATABASE_FILE, PORT } = process.env as Record<string, string>
const database = new SQLite(DATABASE_FILE as string)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
const app = fastify()

const columns = Object.keys(Task.properties)
  .map((name) => `tasks."${name}"`)
  .join()

interface Row {
  id: number
  tags: string
  place: number
}
const toResponse = (row: Row) => ({ ...row, tags: JSON.parse(row.tags) as string[] })
const toPage = (rows: Row[], keyOf: (row: Row) => unknown[]) => {
  const page = rows.slice(0, 50)
  const last = page.at(-1)
  const cursor =
    last && rows.length > 50 ? Buffer.from(JSON.stringify(keyOf(last))).toString('base64url') : null
  return { tasks: page.map(toResponse), nextCursor: cursor }
}

const list = database.prepare(`select ${columns}, place from tasks order by place, id limit 51`)
const tagged = database.prepare(
  `select ${columns}, tasks.place from task_tags join tasks on tasks.id = task_tags."taskId"
   where tag = 'home' and task_tags.place < ${FIRST_CLOSED} order by task_tags.place, task_tags."taskId" limit 51`,
)
const found = database.prepare(
  `select ${columns}, tasks.place from task_words join tasks on tasks.id = task_words.rowid
   where task_words match '"report"* AND "#done"' order by task_words.rowid desc limit 51`,
)
const one = database.prepare(`select ${columns} from tasks where id = ?`)
app.get('/list', { schema: { response: { 200: TaskList } } }, async () =>
  toPage(list.all() as Row[], ({ place, id }) => [place, id]),
)
app.get('/tagged', { schema: { response: { 200: TaskList } } }, async () =>
  toPage(tagged.all() as Row[], ({ place, id }) => [place, id]),
)
app.get('/found', { schema: { response: { 200: TaskList } } }, async () =>
  toPage(found.all() as Row[], ({ id }) => [0, id]),
)
app.get<{ Params: { id: string } }>('/tasks/:id', { schema: { response: { 200: Task } } }, async (request) =>
  toResponse(one.get(Number(request.params.id)) as Row),
)
app.get('/ready', async () => 'ready')
await app.listen({ port: Number(PORT) })
