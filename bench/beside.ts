import autocannon from 'autocannon'
import { type Comparison, fetchBody, type Kind, type Subject } from './comparisons.ts'
import { freePort, median, type Server, startServer, waitUntilIdle } from './processes.ts'
import type { Report } from './table.ts'

/** `ROUNDS` and `SECONDS` shorten or lengthen a run. */
export const ROUNDS = Number(process.env.ROUNDS ?? 7)
export const SECONDS = Number(process.env.SECONDS ?? 1)
const CONNECTIONS = 10
/** Gives V8 time to optimize hot code. Our server has more code than the plain one. */
const WARM_UP_SECONDS = 3 * SECONDS

/** The throughput of PocketBase, as a share of the plain server. */
const PEER = { list: 0.25, read: 0.16, create: 0.18, me: 0.1, search: 0.01 }
const TIMES_PEER = 3
const SHARE_BY_CPU = 0.7
/** The plain server only sends a constant. */
const SHARE_OF_HEALTH = 0.5

export interface Target {
  server: Server
  path: string
  headers?: Record<string, string>
  body?: object | undefined
}

export interface Figures {
  perSecond: number
  cpuMicros: number
}

export const load = async (
  { server, path, headers = {}, body }: Target,
  seconds: number,
): Promise<Figures> => {
  const cpuBefore = server.cpuMs()
  const result = await autocannon({
    url: server.url + path,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} responses were not 2xx`)
  const responses = result.requests.total
  return {
    perSecond: responses / result.duration,
    cpuMicros: ((server.cpuMs() - cpuBefore) * 1000) / responses,
  }
}

export const formatFigures = (rounds: readonly Figures[]): string =>
  `${Math.round(median(rounds.map((round) => round.perSecond)))}/s, ` +
  `${Math.round(median(rounds.map((round) => round.cpuMicros)))} µs`

const checksOf = (kind: Kind, byCpu: number[], byThroughput: number[]) =>
  kind === 'health'
    ? [{ name: 'CPU', values: byCpu, atLeast: SHARE_OF_HEALTH }]
    : [
        { name: 'CPU', values: byCpu, atLeast: SHARE_BY_CPU },
        { name: 'throughput', values: byThroughput, atLeast: Number((TIMES_PEER * PEER[kind]).toFixed(2)) },
      ]

/** Measures our server and the plain one alternately. Checks first that both return identical bodies. */
export const compare = async (
  servers: { ours: Server; plain: Server },
  comparison: Comparison,
  report: Report,
  headers: Record<string, string> = {},
): Promise<void> => {
  const { work, kind, path, body, isAnonymous } = comparison
  const [ourBody, plainBody] = [
    await fetchBody(servers.ours, comparison, headers),
    await fetchBody(servers.plain, comparison, headers),
  ]
  if (ourBody !== plainBody) throw new Error(`${work}: the responses differ:\n${ourBody}\n${plainBody}`)
  const measure = (server: Server, seconds: number) =>
    load({ server, path, headers: isAnonymous ? {} : headers, body }, seconds)
  await measure(servers.ours, WARM_UP_SECONDS)
  await measure(servers.plain, WARM_UP_SECONDS)
  const rounds: { ours: Figures; plain: Figures }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await measure(servers.ours, SECONDS), plain: await measure(servers.plain, SECONDS) })
  const byThroughput = rounds.map(({ ours, plain }) => ours.perSecond / plain.perSecond)
  const byCpu = rounds.map(({ ours, plain }) => plain.cpuMicros / ours.cpuMicros)
  report({
    group: kind ? 'limit' : 'other',
    work,
    ours: formatFigures(rounds.map(({ ours }) => ours)),
    limit: formatFigures(rounds.map(({ plain }) => plain)),
    ratioByThroughput: median(byThroughput),
    ratioByCpu: median(byCpu),
    checks: kind ? checksOf(kind, byCpu, byThroughput) : [],
  })
}

/** Compares all requests of a subject with its plain server. */
export const compareSubject = async (
  ours: Server,
  { script, comparisons }: Subject,
  environment: Record<string, string>,
  report: Report,
  headers: Record<string, string> = {},
): Promise<void> => {
  const plain = await startServer([script], environment, freePort(), '/ready')
  try {
    await waitUntilIdle(ours)
    for (const comparison of comparisons) await compare({ ours, plain }, comparison, report, headers)
  } finally {
    await plain.stop()
  }
}

/** Compares the CPU time of the same requests on few and on many rows, alternately. */
export const compareGrowth = async (
  servers: { few: Server; many: Server },
  requests: readonly { work: string; path: string }[],
  { from, to }: { from: number; to: number },
  atMost: number | undefined,
  report: Report,
): Promise<void> => {
  const toSize = (count: number): string => count.toLocaleString('en')
  for (const { work, path } of requests) {
    const rounds: { few: Figures; many: Figures }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const few = await load({ server: servers.few, path }, SECONDS)
      const many = await load({ server: servers.many, path }, SECONDS)
      // The first round is the warm-up.
      if (round > 0) rounds.push({ few, many })
    }
    const values = rounds.map(({ few, many }) => many.cpuMicros / few.cpuMicros)
    report({
      group: atMost === undefined ? 'other' : 'growth',
      work: `${work}, ${toSize(from)} to ${toSize(to)}`,
      ours: formatFigures(rounds.map(({ many }) => many)),
      limit: formatFigures(rounds.map(({ few }) => few)),
      ratioByThroughput: median(rounds.map(({ few, many }) => few.perSecond / many.perSecond)),
      ratioByCpu: median(values),
      checks: [{ name: 'CPU', values, ...(atMost !== undefined && { atMost }) }],
    })
  }
}
