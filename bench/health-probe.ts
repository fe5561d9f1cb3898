/* A thread that asks for the health of a server all the time: its own clock does not wait for the rest of a benchmark. */
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 10

/** When it was asked, by the wall clock, and how long the answer took. */
export interface HealthSample {
  at: number
  ms: number
}

const { url } = workerData as { url: string }
const agent = new Agent({ keepAlive: true })

const ask = (): Promise<void> =>
  new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    request.on('error', () => resolve())
  })

for (;;) {
  const began = performance.now()
  const at = Date.now()
  await ask()
  parentPort?.postMessage({ at, ms: performance.now() - began } satisfies HealthSample)
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}
