import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { BlockList, isIP, type Socket } from 'node:net'
import { parse } from 'node:querystring'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySerializerCompiler,
  LogController,
} from 'fastify'
import type { TSchema } from 'typebox'
import { readEpoch } from '../../database/change-order.ts'
import type { Db } from '../../database/db.ts'
import type { ProcessLock } from '../../database/process-lock.ts'
import { type Credentials, callerKey } from '../access/caller.ts'
import { addGuard } from '../access/guard.ts'
import { createCors, createOrigins, type Origins } from '../access/origins.ts'
import type { Clock } from '../clock.ts'
import { AppError, invalid } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type Random, randomId } from '../random.ts'
import { addBasePath, createUrlRewriter, toBasePath } from './base-path.ts'
import { addEtags } from './etag.ts'
import { routeHeadAsGet } from './head-requests.ts'
import { addIdempotency } from './idempotency.ts'
import { addLongReads } from './long-reads.ts'
import { toOpenApiSchema } from './openapi.ts'
import { answerBrokenRequest, sendProblem } from './problem.ts'
import { createBodyWatch, REQUEST_LIMITS, type RequestLimits } from './request-limits.ts'
import { addDeclaredStatus, addJsonCompression } from './responses.ts'
import { addRouteTable, answerUnknown, type RouteTable } from './route-table.ts'
import { addDocumentHeaders, createSecurityHeaders, DOCUMENT_HEADERS } from './security-headers.ts'
import { isTypedAddress, type NoPage } from './shapes.ts'
import { addBodyParsers, compileValidator } from './validation.ts'

/** An ETag that `etagOf` creates: resource, version, and other visible state. */
const VERSION_TAG = /"([^".~]+\.\d+)((?:~[^"]*)?)"/
/** The same tag as sent to clients, with the epoch if there is one. */
const EPOCH_TAG = /"([^".~]+\.\d+)(?:\.(\w+))?((?:~[^"]*)?)"/g
const HAS_VERSION = /"[^".~]+\.\d/
const NO_MATCH = '""'

/**
 * After a restore, versions continue from their values at the backup. Clients therefore get them with the
 * epoch that began then (database/change-order.ts), and a version from before the restore never matches.
 * Only this hook knows about epochs.
 */
const addEpochs = (app: FastifyInstance, readEpoch: () => Promise<number>): void => {
  /** Read with the first version that is sent or received, then cached. Empty if nothing was restored. */
  let epoch: string | undefined
  const withEpoch = (use: (epoch: string) => void, done: (error?: Error) => void): void => {
    if (epoch === undefined) {
      readEpoch().then((began) => {
        epoch = began === 0 ? '' : began.toString(36)
        withEpoch(use, done)
      }, done)
      return
    }
    if (epoch !== '') use(epoch)
    done()
  }

  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['if-match'] === undefined && headers['if-none-match'] === undefined) return done()
    const named = (['if-match', 'if-none-match'] as const).filter((name) =>
      HAS_VERSION.test(headers[name] ?? ''),
    )
    if (named.length === 0) return done()
    withEpoch((now) => {
      for (const name of named)
        headers[name] = headers[name]?.replaceAll(
          EPOCH_TAG,
          (_, version: string, sentEpoch: string | undefined, suffix) =>
            sentEpoch === now ? `"${version}${suffix}"` : NO_MATCH,
        )
    }, done)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (epoch === '') return done(null, payload)
    const etag = reply.getHeader('etag')
    if (typeof etag !== 'string' || !VERSION_TAG.test(etag)) return done(null, payload)
    withEpoch(
      (now) => reply.header('etag', etag.replace(VERSION_TAG, `"$1.${now}$2"`)),
      (error) => (error ? done(error as never) : done(null, payload)),
    )
  })
}

interface Draining {
  /** Still answers requests, and closes each connection after its response, so that a proxy reuses none. */
  announce(): void
  /** Accepts no new requests, waits for running ones, then closes the remaining connections. */
  drain(withinMs: number): Promise<void>
}

const stopping = (): AppError =>
  new AppError('unavailable', 'unavailable', 'This instance is shutting down.', {
    details: { retryAfterSeconds: 5 },
  })

/**
 * Shuts the server down gracefully. The health route answers until the end, because load balancers rely on
 * it.
 */
const addDraining = (app: FastifyInstance): Draining => {
  let draining = false
  let closesConnections = false
  /** The last response of each connection. The responses of a connection end in the order of its requests. */
  const responses = new Map<Socket, ServerResponse>()

  app.addHook('onRequest', (request, reply, done) => {
    if (request.route.config?.whileDraining) return done()
    if (draining) return done(stopping())
    const { socket } = request
    if (!responses.has(socket)) socket.once('close', () => responses.delete(socket))
    responses.set(socket, reply.raw)
    done()
  })
  // A connection that is busy when draining starts would otherwise stay open for another request.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closesConnections) reply.header('connection', 'close')
    done(null, payload)
  })

  const waitUntilIdle = async (withinMs: number): Promise<void> => {
    const active = [...responses.values()].filter((response) => !response.closed && !response.destroyed)
    const signal = AbortSignal.timeout(withinMs)
    await Promise.allSettled(active.map((response) => once(response, 'close', { signal })))
  }

  return {
    announce() {
      closesConnections = true
    },

    async drain(withinMs) {
      draining = true
      closesConnections = true
      await waitUntilIdle(withinMs)
      const closed = app.close()
      // Browsers keep spare connections that were never used. Node does not count them as idle.
      setImmediate(() => app.server.closeAllConnections())
      await closed
    },
  }
}

/** `true`, a number of hops, or the addresses and networks of the proxies. */
type TrustProxy = boolean | number | string[]

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const createPeerTrust = (trust: TrustProxy): ((peer: string | undefined) => boolean) => {
  if (!Array.isArray(trust)) return () => trust === true || (typeof trust === 'number' && trust > 0)
  const proxies = new BlockList()
  for (const entry of trust) {
    const [address = '', bits] = entry.split('/')
    if (bits === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(bits), familyOf(address))
  }
  return (peer) => peer !== undefined && proxies.check(peer, familyOf(peer))
}

const WELL_FORMED = /^[\w.-]{1,100}$/

/** Assigns an id to each request. Behind a trusted proxy, uses the id that the proxy sends. */
const createRequestIds = (random: Random, trust: TrustProxy): ((request: IncomingMessage) => string) => {
  const isProxy = createPeerTrust(trust)
  const instance = randomId(random).slice(0, 6)
  let count = 0
  return (request) => {
    const given = request.headers['x-request-id']
    if (typeof given === 'string' && WELL_FORMED.test(given) && isProxy(request.socket.remoteAddress))
      return given
    return `${instance}-${(++count).toString(36)}`
  }
}

const hostOf = (scheme: string, authority: string): string | undefined =>
  URL.parse(`${scheme}//${authority}`)?.host

/**
 * RFC 9112, 3.2: rejects a request with two hosts, because this server and a proxy could each use a different
 * one.
 */
const requireOneHost = ({ rawHeaders, headers, httpVersion, url = '/' }: IncomingMessage): void => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) throw invalid('There is more than one Host header.')
  if (count === 0 && httpVersion === '1.1') throw invalid('There is no Host header.')
  if (url.startsWith('/')) return
  const target = URL.parse(url)
  if (target !== null && target.host !== hostOf(target.protocol, headers.host ?? ''))
    throw invalid('The host of the request URL differs from the Host header.')
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The options of the matched route. Fastify creates `routeOptions` again at each access. */
    route: FastifyRequest['routeOptions']
  }
}

/** RFC 9112, 9.3: connections of HTTP/1.1 persist without these headers. Other clients need them. */
const omitKeepAlive = ({ httpVersionMinor }: IncomingMessage, response: ServerResponse): void => {
  if (httpVersionMinor === 1 && response.shouldKeepAlive) response.removeHeader('connection')
}

/**
 * Runs before anything else for every request: assigns the id, sets the security headers, and rejects
 * requests from pages of other origins. Returns true if it has already answered.
 */
const createRequestCheck = (options: {
  origins: Origins
  https: boolean
  corsOrigins: readonly string[]
  /** Whether an unknown path is answered with an HTML page. */
  isPage: (request: FastifyRequest) => boolean
}) => {
  const headers = createSecurityHeaders(options)
  const cors = createCors(options.corsOrigins)
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    request.route = request.routeOptions
    const { page, secret } = request.route.config ?? {}
    const isPage = page || (request.is404 && options.isPage(request))
    reply.headers(isPage ? headers.forPages : secret ? headers.forSecrets : headers.forData)
    reply.header('x-request-id', request.id)
    omitKeepAlive(request.raw, reply.raw)
    requireOneHost(request.raw)
    const { socket } = request
    options.origins.check({
      method: request.method,
      headers: request.headers,
      peer: socket.remoteAddress,
      scheme: request.protocol,
      host: request.host,
    })
    return cors.answerPreflight(request, reply)
  }
}

const refuse = (names: string[]) =>
  invalid(
    `${names[0]} is unknown.`,
    names.map((path) => ({ path, message: 'is unknown' })),
  )

/**
 * The schema of a route validates declared parts. This hook rejects query and body parts that a route does
 * not declare.
 */
const rejectUndeclaredInput = (app: FastifyInstance): void => {
  app.addHook('preValidation', (request, _reply, done) => {
    // An unknown path or method is answered by 404 or 405, whatever was sent.
    if (request.is404) return done()
    if ((request.body === undefined || request.body === null) && !request.url.includes('?')) return done()
    const { schema, config } = request.route
    const query = Object.keys(request.query as object)
    if (!schema?.querystring && query.length > 0 && !config.page) return done(refuse(query))
    const { body } = request
    if (schema?.body || body === undefined || body === null) return done()
    if (typeof body !== 'object' || Array.isArray(body)) return done(invalid('This route takes no body.'))
    const names = Object.keys(body)
    // An empty object is allowed, because many clients send one with every POST.
    done(names.length > 0 ? refuse(names) : undefined)
  })
}

const require = createRequire(import.meta.url)

type Stringify = (value: unknown) => string

/** Several routes share a schema. A compiled one has no state. */
const serializers = new WeakMap<object, Stringify>()

/** Serializes responses by their schema, and drops undeclared fields. Compiles on first use. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let stringify: Stringify | undefined
  return (value: unknown) => {
    stringify ??= serializers.get(schema)
    if (!stringify) {
      const build = require('fast-json-stringify') as (schema: unknown) => Stringify
      stringify = build(toOpenApiSchema(schema as unknown as Record<string, unknown>))
      serializers.set(schema, stringify)
    }
    return stringify(value)
  }
}

/** A query that is not UTF-8 decodes to text that no parameter accepts, so it is rejected. */
const readQuery = (text: string): Record<string, unknown> => {
  try {
    decodeURIComponent(text)
  } catch {
    return { query: '\0' }
  }
  return parse(text, '&', '=', { maxKeys: 0 })
}

const MAX_JSON_BYTES = 1024 * 1024

export interface ServerOptions {
  access: 'open' | 'private'
  /** Open access that was not configured explicitly is limited to this machine. */
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
  /** Called with the error that ended a request. */
  onFailure?: (error: unknown) => void
  /** The page that a browser gets for an unknown path. */
  noPage?: NoPage | undefined
  requestLimits?: RequestLimits | undefined
}

export interface Server {
  app: FastifyInstance
  routes: RouteTable
  origins: Origins
  draining: Draining
}

/**
 * Drops Fastify's `info` messages, because the application logs the same events. All requests share one logger, so that
 * a request that logs nothing costs nothing. Log lines name their request.
 */
const createServerLogger = (log: Logger): FastifyBaseLogger => {
  const shared = Object.create(log.level === 'info' ? log.child({}, { level: 'warn' }) : log)
  shared.child = () => shared
  return shared
}

const trustOf = (setting: TrustProxy) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting

/** Apps are counted by their password, because several of them share the address of a home network. */
const addRateLimit = async (
  app: FastifyInstance,
  perMinute: number,
  credentials: Credentials,
): Promise<void> => {
  const { default: rateLimit } = await import('@fastify/rate-limit')
  await app.register(rateLimit, {
    global: false,
    max: perMinute,
    timeWindow: 60_000,
    enableDraftSpec: true,
    async keyGenerator(request) {
      if (request.route.config?.access !== 'dav') return request.ip
      const app = await credentials.dav.identify(request)
      return app ? callerKey(app) : request.ip
    },
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate_limited', 'rate_limited', 'Too many requests. Wait before you try again.', {
        details: { retryAfterSeconds: ttl / 1000 },
      }),
  })
  // Applies to every request, also to rejected ones and unknown paths.
  app.addHook('onRequest', app.rateLimit())
}

const addRequestLog = (app: FastifyInstance, log: Logger): void => {
  app.addHook('onResponse', (request, reply, done) => {
    // The level can change at run time. The logger of the request has a level of its own.
    if (log.isLevelEnabled('debug')) {
      // Only these fields: a whole request contains its body, and its address may contain a token.
      const req = { method: request.method, url: request.url.split('?', 1)[0] }
      const res = { statusCode: reply.statusCode }
      const ms = Math.round(reply.elapsedTime)
      log.debug({ requestId: request.id, req, res, ms }, 'request answered')
    }
    done()
  })
}

/** Creates the server with the hooks for every request. Features only add their routes. */
export const createServer = async (options: ServerOptions, deps: ServerDeps): Promise<Server> => {
  const { db, processLock, clock, random, log, credentials, onFailure, noPage } = deps
  const { requestLimits = REQUEST_LIMITS } = deps
  const origins = createOrigins(options)
  const bodyWatch = createBodyWatch(requestLimits)
  const https = options.publicUrl?.startsWith('https:') ?? false
  const basePath = toBasePath(options.publicUrl)
  const removeBasePath = createUrlRewriter(basePath)
  const checkRequest = createRequestCheck({
    origins,
    https,
    corsOrigins: options.corsOrigins,
    isPage: noPage === undefined ? () => false : isTypedAddress,
  })

  const app = fastify({
    loggerInstance: createServerLogger(log),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: trustOf(options.trustProxy),
    bodyLimit: MAX_JSON_BYTES,
    requestIdHeader: false,
    genReqId: createRequestIds(random, options.trustProxy),
    routerOptions: { maxParamLength: 500, querystringParser: readQuery },
    rewriteUrl(request) {
      routeHeadAsGet(request as IncomingMessage)
      return removeBasePath(request)
    },
    exposeHeadRoutes: false,
    // A request without a Host header also gets a problem document.
    http: {
      requireHostHeader: false,
      headersTimeout: requestLimits.headersMs,
      connectionsCheckingInterval: requestLimits.checkEveryMs,
    },
    requestTimeout: requestLimits.totalMs,
    forceCloseConnections: 'idle',
    // A timer for each of hundreds of routes would slow down the start.
    pluginTimeout: 0,
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    // A malformed path matches no route, so the hooks below do not run.
    frameworkErrors(error, request, reply) {
      bodyWatch.watch(request.raw, reply.raw)
      try {
        reply.headers(DOCUMENT_HEADERS)
        if (!checkRequest(request, reply)) sendProblem(error, request, reply)
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
  addBasePath(app, basePath)
  app.decorateRequest('route', null as never)
  addDocumentHeaders(app)

  app.addHook('onRequest', (request, reply, done) => {
    bodyWatch.watch(request.raw, reply.raw)
    try {
      if (!checkRequest(request, reply)) done()
    } catch (refusal) {
      done(refusal as AppError)
    }
  })
  if (options.access === 'private') await addRateLimit(app, options.rateLimit, credentials)
  const draining = addDraining(app)
  const routes = addRouteTable(app)
  addGuard(app, { credentials, access: options.access })
  rejectUndeclaredInput(app)
  addLongReads(app)
  addEtags(app)
  addEpochs(app, () => readEpoch(db))
  addJsonCompression(app)
  addRequestLog(app, log)
  addDeclaredStatus(app)
  addIdempotency(app, { db, processLock, clock, random, log })
  app.setNotFoundHandler(answerUnknown(routes, noPage))
  return { app, routes, origins, draining }
}
