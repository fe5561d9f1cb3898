import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Db } from '../../database/db.ts'
import type { DavCaller } from '../../platform/access/caller.ts'
import { anyone, dav } from '../../platform/access/route-access.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AppError } from '../../platform/errors.ts'
import { statusOf, toAppError } from '../../platform/http/problem.ts'
import type { CollectionLog } from './collection-log.ts'
import { type Backends, createMkcalendar, createMkcol, deleteCollection } from './collections.ts'
import { A, C, D, type Element, writeDocument, Xml } from './elements.ts'
import { DavError } from './errors.ts'
import { moveResource } from './moves.ts'
import { ROOT, readPath } from './paths.ts'
import { propfind } from './propfind.ts'
import { proppatch } from './proppatch.ts'
import { report } from './reports.ts'
import type { DavAnswer, DavRequest, Handler } from './request.ts'
import { deleteResource, getResource, putResource } from './resources.ts'
import { type Person, Session } from './session.ts'
import { createTokenWriter } from './sync-token.ts'

/** RFC 4918 §18, RFC 4791 §5.1, RFC 6352 §6.1, RFC 5689 §3.1. */
const CLASSES = '1, 3, access-control, extended-mkcol, calendar-access'
const ALLOWED = 'OPTIONS, GET, HEAD, PUT, DELETE, MOVE, PROPFIND, PROPPATCH, REPORT, MKCOL, MKCALENDAR'
/** The largest resource, with room for the XML of a long multiget. */
const MAX_BODY_BYTES = 10 * 1024 * 1024

const config = { ...dav, page: true } as const
/** Clients send their credentials here too. */
const discovery = { ...anyone, ignoresCredentials: true, page: true } as const

export interface DavDeps {
  db: Db
  log: CollectionLog
  backends: Backends
  clock: Clock
  personOf(account: number): Promise<Person>
  zoneOf(account: number): Promise<string>
}

/** The preconditions that a backend names in the code of an error. */
const CONDITIONS = new Map<string, Element>([
  ['supported-calendar-component', C.supportedCalendarComponent],
  ['valid-calendar-data', C.validCalendarData],
  ['valid-calendar-object-resource', C.validCalendarObjectResource],
  ['min-date-time', C.minDateTime],
  ['max-date-time', C.maxDateTime],
  ['max-instances', C.maxInstances],
  ['valid-address-data', A.validAddressData],
])

const send = (reply: FastifyReply, { status, headers = {}, body }: DavAnswer): FastifyReply => {
  reply.code(status).headers({ dav: CLASSES, ...headers })
  if (body === undefined) return reply.send()
  if (!(body instanceof Xml)) return reply.send(body)
  return reply.header('content-type', 'application/xml; charset=utf-8').send(writeDocument(body))
}

/** RFC 4918 §16: a precondition is an element of DAV:error. */
const sendError = (
  error: FastifyError | AppError | DavError,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  if (error instanceof DavError) {
    const { status, condition } = error
    if (status === 405) reply.header('allow', ALLOWED)
    return send(reply, { status, ...(condition && { body: D.error(condition) }) })
  }
  const known = toAppError(error, request)
  if (!known) request.log.error({ requestId: request.id, err: error }, 'request failed')
  const status = known ? statusOf(known) : 500
  const { retryAfterSeconds } = known?.details ?? {}
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
  if (!known) return send(reply, { status })
  const condition = CONDITIONS.get(known.code)
  const text = D.responsedescription(known.message)
  return send(reply, { status, body: D.error(condition ? [condition(), text] : text) })
}

/** Serves CalDAV and CardDAV below `/dav/`. */
export const davRoutes =
  ({ db, clock, log, backends, personOf, zoneOf }: DavDeps): FastifyPluginAsync =>
  async (app) => {
    const handlers: Readonly<Record<string, Handler>> = {
      GET: getResource,
      PUT: putResource,
      DELETE: (request) =>
        request.target.type === 'resource' ? deleteResource(request) : deleteCollection(request),
      MOVE: moveResource,
      PROPFIND: propfind,
      PROPPATCH: proppatch,
      REPORT: report,
      MKCOL: createMkcol(backends),
      MKCALENDAR: createMkcalendar(backends),
    }

    const toDavRequest = async (request: FastifyRequest): Promise<DavRequest> => {
      const target = readPath(request.url)
      if (!target) throw new DavError(404)
      const session = new Session({
        account: request.user,
        // The guard admits no other caller.
        caller: request.caller as DavCaller,
        person: await personOf(request.user),
        basePath: app.basePath,
        log,
      })
      const tokens = createTokenWriter(await log.readEpoch())
      return {
        db,
        log,
        session,
        target,
        now: clock.now(),
        zoneOf,
        headers: request.headers,
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        properties: {
          session,
          tokens,
          readText: async (collection, uid) =>
            (await collection.backend.read(db, session.account, collection, [uid])).get(uid),
        },
      }
    }

    for (const method of ['PROPFIND', 'PROPPATCH', 'REPORT', 'MKCOL', 'MKCALENDAR', 'MOVE'])
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
    app.removeAllContentTypeParsers()
    // Any type: clients label iCalendar and XML in many ways.
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    app.setErrorHandler(sendError)
    app.route({
      method: 'OPTIONS',
      url: '/*',
      config: discovery,
      handler: (_request, reply) => send(reply, { status: 204, headers: { allow: ALLOWED } }),
    })
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const handle = handlers[request.method] as Handler
      return send(reply, await handle(await toDavRequest(request)))
    }
    app.get('/*', { config }, handler)
    app.route({
      method: Object.keys(handlers).filter((method) => method !== 'GET') as HTTPMethods[],
      url: '/*',
      config,
      bodyLimit: MAX_BODY_BYTES,
      // The body is bytes. A route without this declaration takes none.
      schema: { body: {} },
      validatorCompiler: () => () => true,
      handler,
    })
  }

/** RFC 6764 §5: clients ask with PROPFIND as well. */
export const wellKnownRoutes: FastifyPluginAsync = async (app) => {
  if (!app.supportedMethods.includes('PROPFIND')) app.addHttpMethod('PROPFIND', { hasBody: true })
  for (const url of ['caldav', 'caldav/', 'carddav', 'carddav/'].map((name) => `/.well-known/${name}`))
    app.route({
      method: ['GET', 'PROPFIND' as HTTPMethods],
      url,
      config: discovery,
      handler: (_request, reply) => reply.redirect(ROOT, 301),
    })
}
