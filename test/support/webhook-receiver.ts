import { createServer, type IncomingHttpHeaders } from 'node:http'
import { eventually } from './eventually.ts'

export interface ReceivedHook {
  headers: IncomingHttpHeaders & {
    'webhook-id': string
    'webhook-timestamp': string
    'webhook-signature': string
  }
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what was sent
  body: any
}

/** A webhook endpoint with scripted responses. */
export interface WebhookReceiver {
  url: string
  received: ReceivedHook[]
  /** Sets the response to all further requests. */
  answer(status: number, text?: string): void
  /** Sets the response status per request. */
  answerTo(choose: (hook: ReceivedHook) => number): void
  until(count: number): Promise<ReceivedHook[]>
  close(): Promise<void>
}

export const startReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedHook[] = []
  let choose: (hook: ReceivedHook) => number = () => 204
  let said = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const hook = { headers: request.headers as ReceivedHook['headers'], text, body: JSON.parse(text) }
      received.push(hook)
      const status = choose(hook)
      response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {})
      response.end(status === 204 ? undefined : said)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer(status, text = '') {
      choose = () => status
      said = text
    },
    answerTo(chosen) {
      choose = chosen
    },
    async until(count) {
      await eventually(() => received.length >= count)
      return received
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
