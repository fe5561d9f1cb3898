import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A scripted response of a model: text, tool calls, or a failure. */
export type ScriptedAnswer =
  | { say: string; calls?: readonly Call[]; cut?: boolean }
  | { calls: readonly Call[]; say?: string; cut?: boolean }
  | { status: number; body?: unknown; retryAfter?: string }
  | { fault: 'garbage' | 'silence' | 'cut' | 'silent-stream' | 'error-event' }

export interface Call {
  name: string
  input: unknown
}

/** A request that the provider received. */
export interface ReceivedRequest {
  path: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  body: any
  isStream: boolean
  /** True if the client disconnected before the end. */
  isAborted: boolean
}

/** The wire format of a provider. */
export interface Protocol {
  /** Returns the API key of a request. */
  keyOf(headers: IncomingMessage['headers']): string | undefined
  isStream(path: string, body: unknown): boolean
  whole(said: ModelAnswer, body: unknown): unknown
  /** Server-sent events as they are sent. */
  chunks(said: ModelAnswer, body: unknown): string[]
  /** Number of chunks before the first word. */
  lead: number
  errorEvent(): string
  refusal(status: number): unknown
  models(): unknown
}

export interface ModelAnswer {
  words: readonly string[]
  calls: readonly Call[]
  isCut: boolean
}

export const USAGE = { input: 100, output: 20 }

const read = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text === '' ? undefined : JSON.parse(text)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export interface Provider {
  url: string
  port: number
  /** Received requests, in order. */
  asked: ReceivedRequest[]
  /** Number of requests for the list of models. */
  modelListRequests: number
  /** Scripted responses in order. A function computes one from the request. The last one repeats. */
  script: (ScriptedAnswer | ((asked: ReceivedRequest, turn: number) => ScriptedAnswer))[]
  /** Milliseconds between the chunks of a stream. */
  paceMs: number
  /** The only accepted key, or null for any. */
  key: string | null
  close(): Promise<void>
}

/** Starts a local server that behaves like a provider. */
export const startProvider = async (protocol: Protocol, path = '/v1'): Promise<Provider> => {
  const sockets = new Set<Socket>()
  const provider: Provider = {
    url: '',
    port: 0,
    asked: [],
    modelListRequests: 0,
    script: [{ say: 'Hello there.' }],
    paceMs: 0,
    key: null,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  let turn = 0

  const refuse = (response: ServerResponse, status: number, retryAfter?: string, body?: unknown): void => {
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    })
    response.end(JSON.stringify(body ?? protocol.refusal(status)))
  }

  const fail = (response: ServerResponse, fault: string, isStream: boolean, body: unknown): void => {
    if (fault === 'silence') return
    if (fault === 'garbage') {
      const type = isStream ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'content-type': type })
      response.end(isStream ? 'data: {"what\n\ndata: is this\n\n' : '<html>not what you asked for</html>')
      return
    }
    const said: ModelAnswer = { words: ['The ', 'answer ', 'goes ', 'on'], calls: [], isCut: false }
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    if (!isStream) response.write(JSON.stringify(protocol.whole(said, body)).slice(0, 30))
    else for (const chunk of protocol.chunks(said, body).slice(0, protocol.lead + 2)) response.write(chunk)
    if (fault === 'error-event') response.end(protocol.errorEvent())
    else if (fault === 'cut') setTimeout(() => response.socket?.destroy(), 50)
  }

  const speak = async (
    response: ServerResponse,
    asked: ReceivedRequest,
    said: ModelAnswer,
  ): Promise<void> => {
    if (!asked.isStream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(protocol.whole(said, asked.body)))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of protocol.chunks(said, asked.body)) {
      if (response.destroyed) return
      response.write(chunk)
      if (provider.paceMs > 0) await pause(provider.paceMs)
    }
    response.end()
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const place = request.url ?? ''
    const body = await read(request)
    if (provider.key !== null && protocol.keyOf(request.headers) !== provider.key)
      return refuse(response, 401)
    if (request.method === 'GET') {
      provider.modelListRequests += 1
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(protocol.models()))
      return
    }
    const isStream = protocol.isStream(place, body)
    const asked: ReceivedRequest = { path: place, headers: request.headers, body, isStream, isAborted: false }
    response.once('close', () => {
      asked.isAborted = !response.writableFinished
    })
    provider.asked.push(asked)
    const next = provider.script[Math.min(turn++, provider.script.length - 1)] as Provider['script'][number]
    const said = typeof next === 'function' ? next(asked, provider.asked.length - 1) : next
    if ('status' in said) return refuse(response, said.status, said.retryAfter, said.body)
    if ('fault' in said) return fail(response, said.fault, isStream, body)
    const words = said.say === undefined ? [] : (said.say.match(/\S+\s*|\s+/g) ?? [])
    await speak(response, asked, { words, calls: said.calls ?? [], isCut: said.cut ?? false })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  provider.port = (server.address() as AddressInfo).port
  provider.url = `http://127.0.0.1:${provider.port}${path}`
  return new Proxy(provider, {
    set(target, name, value) {
      if (name === 'script') turn = 0
      return Reflect.set(target, name, value)
    },
  })
}
