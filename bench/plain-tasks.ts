/* The task baseline. Its requests are in comparisons.ts. */
import { Task, TaskList } from '../src/features/tasks/schema.ts'
import { FIRST_CLOSED, marks } from '../src/features/tasks/task.ts'
import { LIMIT, openPlainServer, type PlainRow, parseColumns, toPage } from './plain-server.ts'

const { app, database, userId, listen } = openPlainServer()

/** The column of each field. */
const names = Object.keys(Task.properties).map((name) =>
  name === 'nextTaskId' ? '"successorId" as "nextTaskId"' : `"${name}"`,
)
const columns = names.map((name) => `tasks.${name}`).join()
const list = database.prepare(
  `select ${columns}, place from tasks where "userId" = ${userId} order by place, id limit ${LIMIT}`,
)
const tagged = database.prepare(
  `select ${columns}, tasks.place from task_tags join tasks on tasks.id = task_tags."taskId"
   where tag = ? and task_tags."userId" = ${userId} and task_tags.place < ${FIRST_CLOSED}
   order by task_tags.place, task_tags."taskId" limit ${LIMIT}`,
)
const found = database.prepare(
  `select ${columns} from task_words join tasks on tasks.id = task_words.rowid
   where task_words match ? and tasks."userId" = ${userId} order by task_words.rowid desc limit ${LIMIT}`,
)
const one = database.prepare(`select ${columns} from tasks where id = ? and "userId" = ${userId}`)

const toResponse = (row: PlainRow) => parseColumns(row, ['tags'])
const byPlace = ({ place, id }: PlainRow) => [place, id]
const byId = ({ id }: PlainRow) => [0, id]

interface Query {
  tag?: string
  q?: string
  status?: string
}
app.get<{ Querystring: Query }>(
  '/api/tasks',
  { schema: { response: { 200: TaskList } } },
  async ({ query: { tag, q, status } }) => {
    const { items, nextCursor } =
      q !== undefined
        ? toPage(found.all(`"${q}"* AND "#${status}" AND "${marks.user(userId)}"`), byId, toResponse)
        : toPage(tag === undefined ? list.all() : tagged.all(tag), byPlace, toResponse)
    return { tasks: items, nextCursor } as never
  },
)
app.get<{ Params: { id: string } }>(
  '/api/tasks/:id',
  { schema: { response: { 200: Task } } },
  async ({ params }) => toResponse(one.get(Number(params.id)) as PlainRow) as never,
)

const model = database.prepare('select * from tasks limit 1').get() as PlainRow
const stored = Object.keys(model).filter((name) => name !== 'id')
// A trigger adds the words to the search index.
const insert = database.prepare(
  `insert into tasks (${stored.map((name) => `"${name}"`).join()})
   values (${stored.map((name) => `@${name}`).join()}) returning ${names.join()}`,
)
app.post<{ Body: { title: string } }>(
  '/api/tasks',
  { schema: { response: { 201: Task } } },
  async ({ body: { title } }, reply) => {
    const now = new Date().toISOString()
    const row: PlainRow = {
      ...model,
      title,
      notes: '',
      status: 'todo',
      priority: 'normal',
      dueAt: null,
      duePlace: null,
      estimateMinutes: null,
      tags: '[]',
      completedAt: null,
      closedAt: null,
      lateAt: null,
      words: `#l1 ${marks.user(userId)} #open #todo #normal ${title.toLowerCase()}`,
      createdAt: now,
      updatedAt: now,
    }
    // Uses `all` to complete the statement, unlike `get`. SQLite checkpoints its WAL only after a completed
    // statement.
    const [created] = insert.all(row) as [PlainRow]
    reply.code(201)
    return toResponse(created) as never
  },
)
await listen()
