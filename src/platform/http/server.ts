import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  LogController,
} from 'fastify'
import type { Db } from '../../database/db.ts'
import { readEpoch } from '../../database/epoch.ts'
import type { ProcessLock } from '../../database/process-lock.ts'
import type { Credentials } from '../access/caller.ts'
import { addGuard } from '../access/guard.ts'
import { createOrigins, type Origins } from '../access/origins.ts'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Random } from '../random.ts'
import { createArrival } from './arrival.ts'
import { addBodyParsers } from './body.ts'
import { addDraining, type Draining } from './draining.ts'
import { addEpochs } from './epochs.ts'
import { addEtags } from './etag.ts'
import { addIdempotency } from './idempotency.ts'
import { answerBrokenRequest, sendProblem } from './problem.ts'
import { readQuery } from './query.ts'
import { createRequestIds, type TrustProxy } from './request-ids.ts'
import { createBodyWatch, REQUEST_LIMITS, type RequestLimits } from './request-limits.ts'
import { addRouteTable, answerUnknown, type RouteTable } from './route-table.ts'
import { compileSerializer } from './serialization.ts'
import { addStrictness } from './strictness.ts'
import { isTypedAddress, type NoPage } from './typed-address.ts'
import { compileValidator } from './validation.ts'

const JSON_LIMIT = 1024 * 1024

export interface ServerOptions {
  access: 'open' | 'private'
  /** Open access that nobody asked for is for this machine alone. */
  onlyThisMachine: boolean
  publicUrl: string | null
  corsOrigins: readonly string[]
  allowedHosts: readonly string[]
  trustProxy: TrustProxy
  rateLimit: number
}

export interface ServerDeps {
  db: Db
  processLock: ProcessLock
  clock: Clock
  random: Random
  log: Logger
  credentials: Credentials
  /** Called with whatever ended a request. */
  onFailure?: (error: unknown) => void
  /** What a browser shows at an address that leads nowhere. */
  noPage?: NoPage | undefined
  requestLimits?: RequestLimits | undefined
}

export interface Server {
  app: FastifyInstance
  routes: RouteTable
  origins: Origins
  draining: Draining
}

/** What the framework has to say at `info` is said better elsewhere. */
const withoutChatter = (log: Logger): Logger =>
  log.level === 'info' ? log.child({}, { level: 'warn' }) : log

const trustOf = (setting: TrustProxy) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting

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

const addRequestLog = (app: FastifyInstance, log: Logger): void => {
  const isWanted = log.isLevelEnabled('debug')
  app.addHook('onResponse', (request, reply, done) => {
    if (isWanted)
      request.log.debug(
        { requestId: request.id, req: request, res: reply, ms: Math.round(reply.elapsedTime) },
        'request answered',
      )
    done()
  })
}

/** The server with everything that is true of every request; the rooms only add their routes. */
export const createServer = async (options: ServerOptions, deps: ServerDeps): Promise<Server> => {
  const { db, processLock, clock, random, log, credentials, onFailure, noPage } = deps
  const { requestLimits = REQUEST_LIMITS } = deps
  const origins = createOrigins(options)
  const bodyWatch = createBodyWatch(requestLimits)
  const https = options.publicUrl?.startsWith('https:') ?? false
  const arrive = createArrival({
    ...{ origins, https, corsOrigins: options.corsOrigins },
    isPage: noPage === undefined ? () => false : isTypedAddress,
  })

  const app = fastify({
    loggerInstance: withoutChatter(log) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: trustOf(options.trustProxy),
    bodyLimit: JSON_LIMIT,
    // One logger for all: a line that belongs to a request names it, and a request that logs nothing costs nothing.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    genReqId: createRequestIds(random, options.trustProxy),
    routerOptions: { maxParamLength: 500, querystringParser: readQuery },
    // Who sends none is told so by a problem, too.
    http: {
      requireHostHeader: false,
      headersTimeout: requestLimits.headersMs,
      connectionsCheckingInterval: requestLimits.checkEveryMs,
    },
    requestTimeout: requestLimits.totalMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    // A path that cannot be read reaches no route, and so none of the hooks below.
    frameworkErrors(error, request, reply) {
      bodyWatch.watch(request.raw, reply.raw)
      try {
        if (!arrive(request, reply)) sendProblem(error, request, reply)
      } catch (refusal) {
        sendProblem(refusal as AppError, request, reply)
      }
    },
    schemaController: {
      compilersFactory: {
        buildValidator: () => compileValidator as never,
        buildSerializer: () => compileSerializer as never,
      },
    },
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    onFailure?.(error)
    return sendProblem(error, request, reply)
  })
  addBodyParsers(app)

  app.addHook('onRequest', (request, reply, done) => {
    bodyWatch.watch(request.raw, reply.raw)
    try {
      if (!arrive(request, reply)) done()
    } catch (refusal) {
      done(refusal as AppError)
    }
  })
  if (options.access === 'private') await addRateLimit(app, options.rateLimit)
  const draining = addDraining(app)
  const routes = addRouteTable(app)
  addGuard(app, { credentials, access: options.access })
  addStrictness(app)
  addEtags(app)
  addEpochs(app, () => readEpoch(db))
  addRequestLog(app, log)
  addIdempotency(app, { db, processLock, clock, random, log })
  app.setNotFoundHandler(answerUnknown(routes, noPage))
  return { app, routes, origins, draining }
}
