/*
 * Many SSE clients in a separate process: `node live-listeners.ts URL CLIENTS EVENTS`. Prints "ready" when
 * all are connected. Prints the result as JSON when each has received every event.
 */
import { get } from 'node:http'

const [url = '', clients = '', events = ''] = process.argv.slice(2)
const [CLIENTS, EVENTS] = [Number(clients), Number(events)]
const { AUTHORIZATION } = process.env
const headers = { accept: 'text/event-stream', ...(AUTHORIZATION && { authorization: AUTHORIZATION }) }
const MARK = /"title":"caption (\d+) (\d+)/g

const latencies: number[] = []
let connected = 0
let finished = 0
let outOfOrder = 0

const finish = (): void => {
  latencies.sort((a, b) => a - b)
  const at = (part: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN
  const result = { received: latencies.length, outOfOrder, p50: at(0.5), p99: at(0.99), worst: at(1) }
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0))
}

const listen = (): void => {
  get(`${url}/api/events`, { agent: false, headers }, (response) => {
    let rest = ''
    let next = 0
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      if (next === 0 && rest === '' && connected < CLIENTS && ++connected === CLIENTS)
        process.stdout.write('ready\n')
      const now = process.hrtime.bigint()
      rest += chunk
      const end = rest.lastIndexOf('\n\n')
      if (end < 0) return
      for (const [, n, sentAt] of rest.slice(0, end).matchAll(MARK)) {
        if (Number(n) !== next++) outOfOrder++
        latencies.push(Number(now - BigInt(sentAt as string)) / 1e6)
      }
      // Keeps one character, so that the next chunk is not taken for the first.
      rest = rest.slice(end + 1)
      if (next === EVENTS && ++finished === CLIENTS) finish()
    })
  }).on('error', (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
}

for (let n = 0; n < CLIENTS; n++) setTimeout(listen, n * 2)
