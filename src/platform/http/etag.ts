import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { digest } from '../secrets/digest.ts'

/** A row that counts its changes. */
export interface Versioned {
  id: number | string
  version: number
  /** What also shows but is no change that anyone could be in conflict with, such as when it was last used. */
  shown?: string | null
}

const SHOWN = /~[^",]*"/g

export const etagOf = ({ id, version, shown }: Versioned): string =>
  `"${id}.${version}${shown ? `~${shown}` : ''}"`

export const isVersioned = (payload: unknown): payload is Versioned =>
  typeof payload === 'object' &&
  payload !== null &&
  'version' in payload &&
  typeof payload.version === 'number'

/** RFC 9110, 13.1: a list of tags, or `*`. Weak and strong compare alike here: a tag names a version, not bytes. */
const matches = (header: string, etag: string): boolean =>
  header.trim() === '*' ||
  header.split(',').some((given) => {
    const tag = given.trim().replace(/^W\//, '')
    return tag === etag
  })

/** Refuses a change that was made against another version than the one there is. Call it inside the transaction. */
export const requireMatch = (ifMatch: string | undefined, current: Versioned): void =>
  requireTag(ifMatch, etagOf(current))

export const requireTag = (ifMatch: string | undefined, etag: string): void => {
  if (ifMatch !== undefined && !matches(ifMatch.replaceAll(SHOWN, '"'), etag.replaceAll(SHOWN, '"')))
    throw new AppError(
      'precondition',
      'precondition_failed',
      'This was changed in the meantime. Read it again, then repeat the change.',
    )
}

/** What is only listed has no tag: whoever names one means something else. */
export const requireUntagged = (ifMatch: string | undefined): void => requireTag(ifMatch, '')

/** A page of a list is no resource of its own. */
const isPage = ({ routeOptions }: FastifyRequest): boolean => {
  const querystring = routeOptions.schema?.querystring as { properties?: object } | undefined
  return Object.hasOwn(querystring?.properties ?? {}, 'cursor')
}

/** What counts no changes of its own, such as what a machine keeps up to date, is told apart by what it says. */
const contentTag = (request: FastifyRequest, reply: FastifyReply, payload: unknown): string | undefined =>
  typeof payload === 'string' &&
  !isPage(request) &&
  String(reply.getHeader('content-type')).startsWith('application/json')
    ? `"${digest(payload).slice(0, 22)}"`
    : undefined

/** Single resources carry an ETag; a reader who has that version already gets 304. */
export const addEtags = (app: FastifyInstance): void => {
  app.addHook('preSerialization', (_request, reply, payload, done) => {
    if (isVersioned(payload)) reply.header('etag', etagOf(payload))
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || reply.statusCode !== 200) return done(null, payload)
    if (!reply.hasHeader('etag')) {
      const etag = contentTag(request, reply, payload)
      if (etag !== undefined) reply.header('etag', etag)
    }
    const etag = reply.getHeader('etag')
    const known = request.headers['if-none-match']
    if (etag === undefined || known === undefined || !matches(known, String(etag))) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    // Of what it asked for with HEAD a reader gets the length alone, which the route itself sees to.
    done(null, request.method === 'HEAD' ? payload : null)
  })
}
