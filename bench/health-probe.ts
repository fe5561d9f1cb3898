/*
 * A worker thread that polls an endpoint. Its timer is independent of the main thread of the
 * benchmark.
 */
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 10

/** The wall-clock time of a request and its latency. */
export interface HealthSample {
  at: number
  ms: number
}

const { url, headers = {} } = workerData as { url: string; headers?: Record<string, string> }
const agent = new Agent({ keepAlive: true })

const sendRequest = (): Promise<void> =>
  new Promise((resolve) => {
    const request = get(url, { agent, headers }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    request.on('error', () => resolve())
  })

for (;;) {
  const began = performance.now()
  const at = Date.now()
  await sendRequest()
  parentPort?.postMessage({ at, ms: performance.now() - began } satisfies HealthSample)
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}
