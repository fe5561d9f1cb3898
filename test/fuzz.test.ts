import { afterEach, expect, it } from 'vitest'
import type { Engine } from '../src/database/database.ts'
import {
  createRandomGenerator,
  createRequestGenerator,
  type FuzzRequest,
  type OpenApiDocument,
} from './support/api-fuzz.ts'
import { makeDataPlace, onEveryDatabase } from './support/databases.ts'
import { startFactotum } from './support/process.ts'

/** `npm run fuzz` sends 50,000 requests to each database, `npm test` a shorter run. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 350)
/** Each database gets other requests, so that a short run covers more operations. */
const SEEDS: Record<Engine, number> = {
  sqlite: Number(process.env.FUZZ_SEED ?? 1),
  postgres: Number(process.env.FUZZ_SEED ?? 2),
}
const CLIENTS = 12
const PASSWORD = 'correct horse battery'
/** An event stream never ends; every other response arrives much earlier. */
const STREAM_READ_MS = 150
const ANSWER_LIMIT_MS = 60_000

/** Operations that delete the account in use: other accounts run them. */
const ENDS_ACCOUNT =
  /\/settings\/account|\/security\/(password|email|2fa)|\/auth\/logout|\/security\/sessions/

interface Answer {
  status: number
  body: unknown
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const send = async (
  url: string,
  { method, path, headers, body }: FuzzRequest,
  token?: string,
): Promise<Answer> => {
  const stop = new AbortController()
  const limit = setTimeout(() => stop.abort(), ANSWER_LIMIT_MS)
  try {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      signal: stop.signal,
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    })
    const type = answer.headers.get('content-type') ?? ''
    if (type.includes('event-stream')) {
      setTimeout(() => stop.abort(), STREAM_READ_MS)
      await answer.text().catch(() => '')
      return { status: answer.status, body: null }
    }
    const text = await answer.text()
    return { status: answer.status, body: type.includes('json') && text ? JSON.parse(text) : null }
  } finally {
    clearTimeout(limit)
  }
}

const asJson = (method: string, path: string, body?: unknown): FuzzRequest => ({
  operation: `${method} ${path.replace(/\/[^/]*[\d_][^/]*/g, '/{id}')}`,
  method,
  path,
  headers: body === undefined ? {} : { 'content-type': 'application/json' },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

/** Signs in. Registers first if the account does not exist or its password changed. */
const createVisitor = (url: string, name: string) => {
  let round = 0
  let token: string | undefined
  const enter = async (): Promise<string> => {
    const person = { email: `${name}-${++round}@example.org`, password: PASSWORD, name }
    const { status, body } = await send(url, asJson('POST', '/api/auth/register', person))
    if (status !== 201)
      throw new Error(`Registration of ${person.email} answered ${status}: ${JSON.stringify(body)}`)
    return (body as { token: string }).token
  }
  return {
    token: async (): Promise<string> => {
      token ??= await enter()
      return token
    },
    signOut: (): void => {
      token = undefined
    },
  }
}

interface Failure {
  request: FuzzRequest
  answer: Answer | string
}

const describeFailure = ({ request, answer }: Failure): string => {
  const { method, path, body } = request
  const result = typeof answer === 'string' ? answer : `${answer.status} ${JSON.stringify(answer.body)}`
  return `${method} ${path} ${String(body ?? '').slice(0, 500)} → ${result}`
}

/** Returns one example for each failed operation, with the number of failures. */
const listFailures = (failures: readonly Failure[]): string[] =>
  Object.entries(Object.groupBy(failures, ({ request }) => request.operation)).map(
    ([operation, all = []]) => `${operation} (${all.length}): ${describeFailure(all[0] as Failure)}`,
  )

const fuzz = async (url: string, seed: number) => {
  const document = (await send(url, asJson('GET', '/api-docs'))).body as OpenApiDocument
  const random = createRandomGenerator(seed)
  const generator = createRequestGenerator(document, random)
  const owner = createVisitor(url, 'owner')
  const others = ['ben', 'cleo', 'dan'].map((name) => createVisitor(url, name))
  await owner.token()
  const statuses: Record<number, number> = {}
  const failures: Failure[] = []
  let sent = 0

  const attempt = async (request: FuzzRequest, token?: string): Promise<Answer | undefined> => {
    try {
      const answer = await send(url, request, token)
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.status === 500) failures.push({ request, answer })
      if (answer.status < 300) generator.learn(request.path, answer.body)
      return answer
    } catch (error) {
      failures.push({ request, answer: String((error as Error).cause ?? error) })
      return undefined
    }
  }

  const tryOperations = async (client: number): Promise<void> => {
    const visitor = client % 4 === 0 ? (others[client % 3] as typeof owner) : owner
    while (sent < REQUESTS) {
      sent++
      const isOwner = visitor === owner
      const request = generator.next(({ path }) => !isOwner || !ENDS_ACCOUNT.test(path))
      const token = random.chance(0.15) ? undefined : await visitor.token()
      const answer = await attempt(request, token)
      if (answer?.status === 401 && token !== undefined && !request.path.startsWith('/api/auth')) {
        const me = await send(url, asJson('GET', '/api/auth/me'), token)
        if (me.status === 401) visitor.signOut()
      }
    }
  }

  /** Creates and deletes webhooks while everything else writes. */
  const changeWebhooks = async (): Promise<void> => {
    while (sent < REQUESTS) {
      const token = await owner.token()
      const path = '/api/settings/webhooks'
      const made = await attempt(
        asJson('POST', path, { url: 'https://example.invalid/hook', events: ['task.created'] }),
        token,
      )
      const id = (made?.body as { id?: string } | undefined)?.id
      if (id === undefined) await new Promise((resolve) => setTimeout(resolve, 50))
      else {
        void attempt(asJson('POST', `${path}/${id}/test`), token)
        await attempt(asJson('DELETE', `${path}/${id}`), token)
      }
    }
  }

  /** Deletes resources while other requests read and change them. */
  const deleteThings = async (): Promise<void> => {
    const kinds = { emails: '/api/emails', tasks: '/api/tasks', events: '/api/calendar/events' }
    while (sent < REQUESTS) {
      const [name, path] = random.pick(Object.entries(kinds))
      const list = await attempt(asJson('GET', `${path}?limit=5`), await owner.token())
      const items = ((list?.body as Record<string, { id: number }[]> | undefined)?.[name] ?? []) as {
        id: number
      }[]
      for (const { id } of items) {
        const email = asJson('POST', `/api/emails/${id}/analyze`)
        await Promise.all([attempt(asJson('DELETE', `${path}/${id}`)), name === 'emails' && attempt(email)])
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  const clients = Array.from({ length: CLIENTS }, (_, client) => tryOperations(client))
  await Promise.all([...clients, changeWebhooks(), deleteThings()])
  return { statuses, failures, operations: generator.operations.length }
}

onEveryDatabase('requests made from the OpenAPI document', (engine) => {
  it(
    'never get a 500 while resources are deleted and webhooks change',
    async () => {
      const place = await makeDataPlace(engine, 'prepared')
      closing.push(place.remove)
      const running = await startFactotum({ ...place.environment, LOG_LEVEL: 'error', REGISTRATION: 'open' })
      closing.push(async () => {
        running.child.kill('SIGKILL')
        await running.ended
      })
      const { statuses, failures, operations } = await fuzz(running.url, SEEDS[engine])
      console.info(`${engine}: ${operations} operations, answers by status ${JSON.stringify(statuses)}`)
      if (failures.length > 0) console.info(running.output().slice(-20_000))
      expect(listFailures(failures)).toEqual([])
      expect(statuses[200]).toBeGreaterThan(REQUESTS / 20)
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)
    },
    60_000 + REQUESTS * 60,
  )
})
