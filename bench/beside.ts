import autocannon from 'autocannon'
import { median, type Server } from './processes.ts'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 10
/** Gives V8 time to optimize hot code. Our server has more code than the plain one. */
const WARM_UP_SECONDS = 4

export interface Target {
  server: Server
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** False if responses always differ, for example because each request creates a record. */
  isSame?: boolean
}

interface Figures {
  perSecond: number
  cpuMicros: number
}

export const load = async (
  { server, path, method = 'GET', headers = {}, body }: Target,
  seconds: number,
): Promise<Figures> => {
  const cpuBefore = server.cpuMs()
  const result = await autocannon({
    url: server.url + path,
    connections: CONNECTIONS,
    duration: seconds,
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} responses were not 2xx`)
  const responses = result.requests.total
  return {
    perSecond: responses / result.duration,
    cpuMicros: ((server.cpuMs() - cpuBefore) * 1000) / responses,
  }
}

/** Fetches the response body without the uptime, which differs between requests. */
const fetchBody = async ({ server, path, headers = {} }: Target): Promise<string> =>
  (await (await fetch(server.url + path, { headers })).text()).replace(
    /"uptimeSeconds":\d+/,
    '"uptimeSeconds":0',
  )

/** Measures our server and the plain baseline alternately. Checks first that both return identical bodies. */
export const compare = async (
  title: string,
  ours: Target,
  plain: Target,
  aim?: number,
  /** Matches content that only our response has. */
  ignored = /^$/,
): Promise<void> => {
  const [ourBody, plainBody] =
    ours.isSame === false ? [] : [(await fetchBody(ours)).replace(ignored, ''), await fetchBody(plain)]
  if (ourBody !== plainBody) throw new Error(`${title}: the responses differ:\n${ourBody}\n${plainBody}`)
  const rounds: { ours: Figures; plain: Figures }[] = []
  await load(ours, WARM_UP_SECONDS)
  await load(plain, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await load(ours, SECONDS), plain: await load(plain, SECONDS) })
  const ratio = median(rounds.map((round) => round.ours.perSecond / round.plain.perSecond))
  const cpuRatio = median(rounds.map((round) => round.plain.cpuMicros / round.ours.cpuMicros))
  const figure = (pick: (round: (typeof rounds)[number]) => number) => Math.round(median(rounds.map(pick)))
  console.log(
    `${title.padEnd(28)} ${ratio.toFixed(2)} × the throughput of the plain server (by CPU ${cpuRatio.toFixed(2)}${aim === undefined ? '' : `; target ≥ ${aim}`})  ` +
      `ours ${figure((r) => r.ours.perSecond)}/s, ${figure((r) => r.ours.cpuMicros)} µs; ` +
      `plain ${figure((r) => r.plain.perSecond)}/s, ${figure((r) => r.plain.cpuMicros)} µs`,
  )
}
