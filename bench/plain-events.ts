/* The SSE baseline: a bare server that broadcasts each request body to all clients and stores nothing. */
import { createServer, type ServerResponse } from 'node:http'

const listeners = new Set<ServerResponse>()
let count = 0

createServer((request, response) => {
  if (request.method === 'GET') {
    if (request.url !== '/api/events') return void response.end('here')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': here\n\n')
    listeners.add(response)
    response.on('close', () => listeners.delete(response))
    return
  }
  let text = ''
  request.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  request.on('end', () => {
    const frame = `id: ${++count}\nevent: task.created\ndata: ${text}\n\n`
    for (const listener of listeners) listener.write(frame)
    response.writeHead(201).end()
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
