import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Db } from '../../database/database.ts'
import type { Credentials } from '../access/caller.ts'
import { addGuard } from '../access/guard.ts'
import { createOrigins, type Origins } from '../access/origins.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type Random, randomId } from '../random.ts'
import { addBodyParsers } from './body.ts'
import { addEtags } from './etag.ts'
import { addIdempotency } from './idempotency.ts'
import { sendProblem } from './problem.ts'
import { addRouteTable, answerUnknown, type RouteTable } from './route-table.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { compileSerializer } from './serialization.ts'
import { compileValidator } from './validation.ts'

const JSON_LIMIT = 1024 * 1024

export interface ServerOptions {
  access: 'open' | 'private'
  /** Open access that nobody asked for is for this machine alone. */
  onlyThisMachine: boolean
  publicUrl: string | null
  corsOrigins: readonly string[]
  allowedHosts: readonly string[]
  trustProxy: boolean | number | string[]
  rateLimit: number
}

export interface ServerDeps {
  db: Db
  clock: Clock
  random: Random
  log: Logger
  credentials: Credentials
}

/** What the framework has to say at `info` is said better elsewhere. */
const withoutChatter = (log: Logger): Logger =>
  log.level === 'info' ? log.child({}, { level: 'warn' }) : log

const trustOf = (setting: ServerOptions['trustProxy']) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting

/** Names each request; behind a proxy that names them already, by its name. */
const createRequestIds = (random: Random) => {
  const instance = randomId(random).slice(0, 6)
  let count = 0
  return () => `${instance}-${(++count).toString(36)}`
}

const addRateLimit = async (app: FastifyInstance, perMinute: number): Promise<void> => {
  const { default: rateLimit } = await import('@fastify/rate-limit')
  await app.register(rateLimit, {
    global: false,
    max: perMinute,
    timeWindow: 60_000,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate_limited', 'rate_limited', 'Too many requests. Wait a while.', {
        details: { retryAfterSeconds: ttl / 1000 },
      }),
  })
  // For whatever comes, refused requests and unknown paths included.
  app.addHook('onRequest', app.rateLimit())
}

const addCors = async (app: FastifyInstance, origins: readonly string[]): Promise<void> => {
  const { default: cors } = await import('@fastify/cors')
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['ETag', 'Location', 'Retry-After', 'X-Request-Id'],
    maxAge: 600,
  })
}

/** A connection that was busy when the closing began would otherwise be kept open for a next request. */
const closeConnectionsOnClosing = (app: FastifyInstance): void => {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** The server with everything that is true of every request; the rooms only add their routes. */
export const createServer = async (
  options: ServerOptions,
  { db, clock, random, log, credentials }: ServerDeps,
): Promise<{ app: FastifyInstance; routes: RouteTable; origins: Origins }> => {
  const app = fastify({
    loggerInstance: withoutChatter(log) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: trustOf(options.trustProxy),
    bodyLimit: JSON_LIMIT,
    requestIdHeader: options.trustProxy === false ? false : 'x-request-id',
    genReqId: createRequestIds(random),
    routerOptions: { maxParamLength: 500 },
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    frameworkErrors: sendProblem as never,
    schemaController: {
      compilersFactory: {
        buildValidator: () => compileValidator as never,
        buildSerializer: () => compileSerializer as never,
      },
    },
  })
  const origins = createOrigins(options)
  app.setErrorHandler(sendProblem)
  addBodyParsers(app)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  addSecurityHeaders(app, { https: options.publicUrl?.startsWith('https:') ?? false })
  if (options.access === 'private') await addRateLimit(app, options.rateLimit)
  addGuard(app, { credentials, access: options.access, origins })
  if (options.corsOrigins.length > 0) await addCors(app, options.corsOrigins)
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug({ req: request, res: reply, ms: Math.round(reply.elapsedTime) }, 'request answered')
    done()
  })
  closeConnectionsOnClosing(app)
  addEtags(app)
  const routes = addRouteTable(app)
  addIdempotency(app, { db, clock, random })
  app.setNotFoundHandler(answerUnknown(routes))
  return { app, routes, origins }
}
