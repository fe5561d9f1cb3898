import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort, SERVE, type Server, startServer } from './processes.ts'
import type { Report } from './table.ts'

const CLIENTS = 1_000
const EVENTS = 200
/** A higher rate than live captions of speech. */
const EVERY_MS = 100

interface Result {
  received: number
  outOfOrder: number
  p50: number
  p99: number
  worst: number
}

const createTask = async (url: string, n: number): Promise<void> => {
  const title = `caption ${n} ${process.hrtime.bigint()} and what somebody says in one line of a live stream`
  const response = await fetch(`${url}/api/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`Creating a task returned status ${response.status}.`)
}

const peakMb = ({ child }: Server): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1000

const measure = async (server: Server): Promise<Result & { peakMb: number; cpuMs: number }> => {
  const listeners = spawn(
    process.execPath,
    [join(import.meta.dirname, 'live-listeners.ts'), server.url, String(CLIENTS), String(EVENTS)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface(listeners.stdout)
  const output: string[] = []
  lines.on('line', (line) => output.push(line))
  while (!output.includes('ready')) await once(lines, 'line')
  const before = server.cpuMs()
  for (let n = 0; n < EVENTS; n++) {
    const began = performance.now()
    await createTask(server.url, n)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, EVERY_MS - (performance.now() - began))))
  }
  while (output.length < 2) await once(lines, 'line')
  const result = JSON.parse(output[1] as string) as Result
  return { ...result, peakMb: peakMb(server), cpuMs: server.cpuMs() - before }
}

const describeRun = ({ p50, p99, peakMb: mb, cpuMs }: Awaited<ReturnType<typeof measure>>): string =>
  `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${mb.toFixed(0)} MB, CPU ${(cpuMs / 1000).toFixed(1)} s`

/**
 * Sends 200 events to 1,000 SSE clients. All clients must receive all events in order, with p99 < 250 ms and
 * at most 250 MB.
 */
export const benchLive = async (report: Report): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  const port = freePort()
  const ours = await startServer(SERVE, { DATA_DIR: dataDir }, port, '/api/health')
  const result = await measure(ours)
  await ours.stop()
  rmSync(dataDir, { recursive: true, force: true })
  const bare = await startServer([join(import.meta.dirname, 'plain-events.ts')], {}, freePort(), '/')
  const limit = await measure(bare)
  await bare.stop()
  if (result.received !== CLIENTS * EVENTS || result.outOfOrder > 0)
    throw new Error(`${result.received} events received, ${result.outOfOrder} out of order.`)
  report({
    group: 'other',
    work: `live events: ${EVENTS} to ${CLIENTS} clients`,
    ours: describeRun(result),
    limit: describeRun(limit),
    ratioByCpu: limit.cpuMs / result.cpuMs,
    checks: [
      { name: 'p99', values: [result.p99], atMost: 250, unit: ' ms' },
      { name: 'memory', values: [result.peakMb], atMost: 250, unit: ' MB' },
    ],
  })
}
