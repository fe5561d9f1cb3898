import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { GENERATE, toAiEnvironment } from './comparisons.ts'
import { freePort, median, SERVE, type Server, startServer } from './processes.ts'
import type { Report } from './table.ts'

const IN_FLIGHT = 32
const ROUNDS = 5
const SECONDS = 3
const SINGLE = 200

interface Target {
  server: Server
  path: string
  body: string
}

const json = { 'content-type': 'application/json' }

const measureThroughput = async ({ server, path, body }: Target): Promise<number> => {
  const url = server.url + path
  const result = await autocannon({
    url,
    connections: IN_FLIGHT,
    duration: SECONDS,
    method: 'POST',
    headers: json,
    body,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} responses were not 2xx`)
  return result.requests.total / result.duration
}

const measureRequest = async ({ server, path, body }: Target): Promise<number> => {
  const began = performance.now()
  const response = await fetch(server.url + path, { method: 'POST', headers: json, body })
  await response.text()
  if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
  return performance.now() - began
}

/** Measures the time from the provider's first chunk to its arrival here. */
const measureFirstChunk = async ({ server, path, body }: Target): Promise<number> => {
  const headers = { ...json, accept: 'text/event-stream' }
  const response = await fetch(server.url + path, { method: 'POST', headers, body })
  let text = ''
  for await (const part of response.body ?? []) {
    text += Buffer.from(part as Uint8Array).toString()
    const [, at] = /\bat (\d+(?:\.\d+)?) /.exec(text) ?? []
    if (at === undefined) continue
    const arrived = performance.timeOrigin + performance.now()
    await response.body?.cancel().catch(() => undefined)
    return arrived - Number(at)
  }
  throw new Error(`${path} sent no timestamp: ${text}`)
}

const alternate = async (one: () => Promise<number>, other: () => Promise<number>, times: number) => {
  const results: [number, number][] = []
  for (let n = 0; n < times; n++) results.push([await one(), await other()])
  return results
}

const compare = async (title: string, ours: Target, bare: Target, report: Report): Promise<void> => {
  await alternate(
    () => measureRequest(ours),
    () => measureRequest(bare),
    30,
  )
  const singles = await alternate(
    () => measureRequest(ours),
    () => measureRequest(bare),
    SINGLE,
  )
  const overhead = median(singles.map(([our]) => our)) - median(singles.map(([, their]) => their))
  await alternate(
    () => measureThroughput(ours),
    () => measureThroughput(bare),
    1,
  )
  const rounds = await alternate(
    () => measureThroughput(ours),
    () => measureThroughput(bare),
    ROUNDS,
  )
  report({
    group: 'other',
    work: `AI: ${title}, ${IN_FLIGHT} at once`,
    ours: `${Math.round(median(rounds.map(([our]) => our)))}/s, ${overhead.toFixed(2)} ms more for one`,
    limit: `${Math.round(median(rounds.map(([, their]) => their)))}/s`,
    ratioByThroughput: median(rounds.map(([our, their]) => our / their)),
    checks: [],
  })
}

export const benchAi = async (report: Report): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  const provider = await startServer(['bench/ai-provider.ts'], {}, freePort(), '/v1/models')
  const address = `${provider.url}/v1`
  const settings = toAiEnvironment(address)
  const ours = await startServer(SERVE, { DATA_DIR: dataDir, ...settings }, freePort(), '/api/health')
  const bare = await startServer(['bench/plain-ai.ts'], { PROVIDER_URL: address }, freePort(), '/ready')
  const { path } = GENERATE
  const generate = { server: ours, path, body: JSON.stringify(GENERATE.body) }
  const chat = { server: ours, path: '/api/ai/chat', body: '{"message":"Hello"}' }
  const plain = { ...generate, server: bare }
  try {
    await compare('generate', generate, plain, report)
    await compare('chat', chat, plain, report)
    for (const [title, target] of [
      ['generate, streamed', generate],
      ['chat, streamed', chat],
    ] as const) {
      const results: number[] = []
      for (let n = 0; n < SINGLE; n++) results.push(await measureFirstChunk(target))
      report({
        group: 'other',
        work: `AI: ${title}, after the first chunk of the provider`,
        checks: [{ values: results.slice(20), unit: ' ms' }],
      })
    }
  } finally {
    await Promise.all([ours.stop(), bare.stop(), provider.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}
