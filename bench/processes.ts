import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TICKS_PER_SECOND = 100
const READY_MS = 180_000

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
    // The first start may build the console.
    if (performance.now() - began > READY_MS)
      throw new Error(`${args.join(' ')} did not become ready within ${READY_MS / 1000} s`)
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

const BUSY_SHARE = 0.05
const LONGEST_BACKGROUND_MS = 180_000

/** Waits until the jobs after the start, such as reading a filled mailbox, have ended. They are no cost of a request. */
export const waitUntilIdle = async ({ cpuMs }: Server): Promise<void> => {
  for (const began = performance.now(); performance.now() - began < LONGEST_BACKGROUND_MS; ) {
    const [before, since] = [cpuMs(), performance.now()]
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    if (cpuMs() - before < BUSY_SHARE * (performance.now() - since)) return
  }
}

/** A wide range, because two benchmarks on one machine must not use the same port. */
let nextPort = 10_000 + Math.floor(Math.random() * 20_000)
export const freePort = (): number => nextPort++

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** As many directories as `withDirectories` was asked for. */
type Directories = [string, string, string, string]

/** Creates temporary directories, and removes them after `work`. */
export const withDirectories = async <T>(
  count: number,
  work: (directories: Directories) => Promise<T>,
): Promise<T> => {
  const directories = Array.from({ length: count }, () => mkdtempSync(join(tmpdir(), 'factotum-bench-')))
  try {
    return await work(directories as Directories)
  } finally {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  }
}
