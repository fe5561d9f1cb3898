import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'

const TICKS_PER_SECOND = 100

/** A server in a separate process, so that its cost is measured separately from the client. */
export interface Server {
  url: string
  child: ChildProcess
  /** CPU time of all threads so far, in milliseconds. */
  cpuMs(): number
  residentMb(): number
  stop(): Promise<void>
}

const fetchStatus = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const request = get(url, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', () => resolve(0))
  })

/** The arguments of `npm start`. */
export const SERVE = ['bin/factotum.mjs', 'serve']

/** Starts `node …args` and waits until `readyPath` returns 200. */
export const startServer = async (
  args: string[],
  environment: Record<string, string>,
  port: number,
  readyPath: string,
): Promise<Server & { startMs: number }> => {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...environment, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  while ((await fetchStatus(url + readyPath)) !== 200) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} exited with code ${child.exitCode}`)
    if (performance.now() - began > 30_000)
      throw new Error(`${args.join(' ')} did not become ready within 30 s`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const startMs = performance.now() - began
  const proc = (file: string): string => readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  return {
    url,
    child,
    startMs,
    cpuMs() {
      const fields = proc('stat').split(') ')[1]?.split(' ') ?? []
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
    },
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(proc('status'))?.[1]) / 1000,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

let nextPort = 4300 + Math.floor(Math.random() * 500)
export const freePort = (): number => nextPort++

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
