import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  body: any
}

export interface RawCall {
  method?: string
  path: string
  /** Sent unchanged; `host: undefined` sends the default. */
  headers?: Record<string, string | string[]>
  /** Each chunk is written separately, so without a Content-Length the body is chunked. */
  body?: string | Uint8Array | readonly (string | Uint8Array)[]
}

const parse = (type: string | undefined, text: string): unknown =>
  /json/.test(type ?? '') && text !== '' ? JSON.parse(text) : text

/** Sends a request with headers that `fetch` forbids, over its own connection. */
export const exchange = (url: string, call: RawCall): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const outgoing = request(
      {
        host: hostname,
        port,
        method: call.method ?? 'GET',
        path: call.path,
        headers: call.headers ?? {},
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const { statusCode = 0, headers } = response
          resolve({ status: statusCode, headers, text, body: parse(headers['content-type'], text) })
        })
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    const { body } = call
    if (Array.isArray(body)) for (const chunk of body) outgoing.write(chunk)
    else if (body !== undefined) return void outgoing.end(body)
    outgoing.end()
  })

/** Sends raw bytes and reads until the other side closes the connection. */
export const converse = (url: string, bytes: string): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n')
      const [start = '', ...lines] = head.split('\r\n')
      const headers = Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
        }),
      )
      const text = rest.join('\r\n\r\n')
      resolve({
        status: Number(start.split(' ')[1]),
        headers,
        text,
        body: parse(headers['content-type'], text),
      })
    })
  })
