/* The SSE baseline: a bare server that sends each new task to all clients and stores nothing. */
import { createServer, type ServerResponse } from 'node:http'

const listeners = new Set<ServerResponse>()
let count = 0

/** The same fields as those of the service. */
const createTask = (id: number, title: string, at: string) => ({
  id,
  uid: String(id),
  title,
  notes: '',
  status: 'todo',
  priority: 'normal',
  dueAt: null,
  dueDay: null,
  startAt: null,
  startDay: null,
  remindAt: null,
  estimateMinutes: null,
  percentComplete: 0,
  tags: [],
  recurrence: null,
  recurrenceFrom: 'due',
  emailId: null,
  eventId: null,
  listId: 1,
  sectionId: null,
  parentId: null,
  position: 'a0',
  assigneeId: null,
  changedBy: null,
  completedAt: null,
  createdAt: at,
  updatedAt: at,
  nextTaskId: null,
})

createServer((request, response) => {
  if (request.method === 'GET') {
    if (request.url !== '/api/events') return void response.end('here')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 2000\nid: 0\n\n')
    listeners.add(response)
    response.on('close', () => listeners.delete(response))
    return
  }
  let text = ''
  request.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  request.on('end', () => {
    const id = ++count
    const timestamp = new Date().toISOString()
    const task = createTask(id, JSON.parse(text).title as string, timestamp)
    const event = { id, type: 'task.created', subject: String(id), timestamp, data: task }
    const frame = `id: ${id}\nevent: task.created\ndata: ${JSON.stringify(event)}\n\n`
    for (const listener of listeners) listener.write(frame)
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(task))
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
