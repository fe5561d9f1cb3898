import { createLanguageModels } from '../../src/adapters/ai/language-models.ts'
import { calcom } from '../../src/adapters/calcom/calcom.ts'
import { createCalDav } from '../../src/adapters/caldav/calendar-server.ts'
import { calendly } from '../../src/adapters/calendly/calendly.ts'
import { createMailDns } from '../../src/adapters/dns/mail-dns.ts'
import { createImap } from '../../src/adapters/imap/mailbox.ts'
import { createSmtp } from '../../src/adapters/smtp/transport.ts'
import { createStripe } from '../../src/adapters/stripe/stripe.ts'
import { type App, buildApp, type Deps } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Database, type Engine, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createPasswords } from '../../src/features/auth/passwords.ts'
import { createLog } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import type { WorkerPool } from '../../src/platform/workers/worker-pool.ts'
import { requireDeclaredChanges } from './changes.ts'
import { createMovableClock, type MovableClock } from './clock.ts'
import { type DataPlace, makeDataPlace } from './databases.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  body: any
}

export interface Call {
  body?: unknown
  token?: string | undefined
  headers?: Record<string, string>
}

/** A running instance, used over HTTP. */
export interface Instance {
  url: string
  place: DataPlace
  clock: MovableClock
  database: Database
  app: App
  call(method: string, path: string, options?: Call): Promise<Answer>
  get(path: string, options?: Call): Promise<Answer>
  post(path: string, body?: unknown, options?: Call): Promise<Answer>
  close(): Promise<void>
}

const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  return /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
}

export interface InstanceOptions {
  engine?: Engine
  environment?: Record<string, string>
  /** The data location of another instance, to share one database. */
  place?: DataPlace
  clock?: MovableClock
  deps?: Partial<Deps>
}

/**
 * A run creates hundreds of accounts, so bcrypt uses the minimum cost. A separate test checks the production
 * cost.
 */
const QUICK = 4

/** Runs tasks in this thread. Starting a thread costs more than a cheap task. */
const NO_THREADS: Pick<WorkerPool, 'run'> = {
  run: async (task, input) => (await import(task.module))[task.name](input),
}

/** Starts the production server on its own data, on a free port. */
export const startInstance = async (options: InstanceOptions = {}): Promise<Instance> => {
  const place = options.place ?? (await makeDataPlace(options.engine ?? 'sqlite', 'prepared'))
  const clock = options.clock ?? createMovableClock()
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...place.environment, ...options.environment })
  const database = await openDatabase({ ...config, onIdleError: () => {} })
  await migrate(database, undefined, options.deps?.steps)
  const app = await buildApp(config, {
    database,
    clock,
    random: systemRandom,
    log: createLog(config.logLevel),
    secretKey: config.secretKey as string,
    version: '0.0.0-test',
    consoleDirectory: '/nonexistent',
    helpDirectory: '/nonexistent',
    mailbox: createImap,
    transport: createSmtp,
    mailDns: createMailDns(),
    calendarServer: createCalDav,
    languageModels: createLanguageModels,
    bookingProviders: { calcom, calendly },
    payments: createStripe,
    passwords: createPasswords(NO_THREADS, QUICK),
    ...options.deps,
  })
  requireDeclaredChanges(app.changes)
  await app.http.listen({ host: config.host, port: config.port })
  const address = app.http.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server listens nowhere.')
  const url = `http://127.0.0.1:${address.port}`

  const call: Instance['call'] = async (method, path, { body, token, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && {
        body:
          typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      }),
    })
    return { status: response.status, headers: response.headers, body: await readBody(response) }
  }
  return {
    url,
    place,
    clock,
    database,
    app,
    call,
    get: (path, given) => call('GET', path, given),
    post: (path, body, given) => call('POST', path, { ...given, body }),
    async close() {
      await app.close()
      if (options.place === undefined) await place.remove()
    },
  }
}
