import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A Chat Completions request, as far as tests read it. */
export interface CompletionRequest {
  model: string
  stream?: boolean
  messages: { role: string; content: unknown }[]
  tools?: unknown[]
  response_format?: { type: string }
}

/** `close` closes the connection without a response. */
export type OddAnswer =
  | { message: object; finish?: string | null }
  | { deltas: readonly object[]; finish?: string | null }
  | { error: unknown; status: number }
  | { events: readonly string[] }
  | 'close'

export interface OddServer {
  url: string
  asked: CompletionRequest[]
  /** Model names for `GET /v1/models`, or a status. */
  models: readonly string[] | number
  answer: (request: CompletionRequest, turn: number) => OddAnswer
  close(): Promise<void>
}

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString() || 'null')
}

const chunk = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** Streams an answer word by word, so that a tag can be divided. */
const toDeltas = (answer: Extract<OddAnswer, { message: object }>): object[] => {
  const { content, ...rest } = answer.message as { content?: unknown }
  if (typeof content !== 'string') return [answer.message]
  return [...(content.match(/[\s\S]{1,4}/g) ?? []).map((text) => ({ content: text })), rest]
}

/** Starts an OpenAI-compatible server with quirks: each answer is written as the test gives it. */
export const startOddServer = async (port = 0): Promise<OddServer> => {
  const sockets = new Set<Socket>()
  const odd: OddServer = {
    url: '',
    asked: [],
    models: ['odd-model'],
    answer: () => ({ message: { content: 'Hello.' } }),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer(async (request, response) => {
    const sendJson = (status: number, body: unknown): void => {
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (request.method === 'GET') {
      if (typeof odd.models === 'number') return sendJson(odd.models, { error: 'no' })
      return sendJson(200, { object: 'list', data: odd.models.map((id) => ({ id, object: 'model' })) })
    }
    const body = (await readJson(request)) as CompletionRequest
    odd.asked.push(body)
    const answer = odd.answer(body, odd.asked.length - 1)
    if (answer === 'close') return void request.socket.destroy()
    if ('error' in answer) return sendJson(answer.status, answer.error)
    if ('events' in answer || body.stream) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if ('events' in answer) return void response.end(answer.events.join(''))
      for (const delta of 'deltas' in answer ? answer.deltas : toDeltas(answer))
        response.write(chunk(delta, null))
      response.write(chunk({}, answer.finish ?? 'stop'))
      return void response.end('data: [DONE]\n\n')
    }
    const message = 'message' in answer ? answer.message : {}
    const choice = {
      index: 0,
      message: { role: 'assistant', ...message },
      finish_reason: answer.finish ?? 'stop',
    }
    sendJson(200, { id: 'c', object: 'chat.completion', choices: [choice] })
  })
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  // Rejects if the port is in use.
  await once(server, 'listening')
  odd.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return odd
}
