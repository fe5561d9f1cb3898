import autocannon from 'autocannon'
import { median, type Server } from './processes.ts'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 10
/** Until V8 has compiled what is run again and again for good: ours is more code than a plain one. */
const WARM_UP_SECONDS = 4

export interface Target {
  server: Server
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** False when no two answers can be the same, such as of something made anew each time. */
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
    throw new Error(`${path}: ${result.non2xx} answers were not 2xx`)
  const answers = result.requests.total
  return { perSecond: answers / result.duration, cpuMicros: ((server.cpuMs() - cpuBefore) * 1000) / answers }
}

/** The uptime is the one thing that may differ from one moment to the next. */
const bodyOf = async ({ server, path, headers = {} }: Target): Promise<string> =>
  (await (await fetch(server.url + path, { headers })).text()).replace(
    /"uptimeSeconds":\d+/,
    '"uptimeSeconds":0',
  )

/** Times ours and the plain limit in turns, after making sure that both say the same to the byte. */
export const compare = async (
  title: string,
  ours: Target,
  plain: Target,
  aim?: number,
  /** What only ours says. */
  besides = /^$/,
): Promise<void> => {
  const [ourBody, plainBody] =
    ours.isSame === false ? [] : [(await bodyOf(ours)).replace(besides, ''), await bodyOf(plain)]
  if (ourBody !== plainBody) throw new Error(`${title}: the answers differ:\n${ourBody}\n${plainBody}`)
  const rounds: { ours: Figures; plain: Figures }[] = []
  await load(ours, WARM_UP_SECONDS)
  await load(plain, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await load(ours, SECONDS), plain: await load(plain, SECONDS) })
  const ratio = median(rounds.map((round) => round.ours.perSecond / round.plain.perSecond))
  const cpuRatio = median(rounds.map((round) => round.plain.cpuMicros / round.ours.cpuMicros))
  const figure = (pick: (round: (typeof rounds)[number]) => number) => Math.round(median(rounds.map(pick)))
  console.log(
    `${title.padEnd(28)} ${ratio.toFixed(2)} of the plain limit (by CPU ${cpuRatio.toFixed(2)}${aim === undefined ? '' : `; aim ≥ ${aim}`})  ` +
      `ours ${figure((r) => r.ours.perSecond)}/s, ${figure((r) => r.ours.cpuMicros)} µs; ` +
      `plain ${figure((r) => r.plain.perSecond)}/s, ${figure((r) => r.plain.cpuMicros)} µs`,
  )
}
