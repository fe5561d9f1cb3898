import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, invalidField } from '../errors.ts'
import { digest } from '../secrets/seal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The header `If-Match`: the version that a change is based on. */
    readonly ifMatch: string | undefined
  }
}

/** A row with a version counter. */
export interface Versioned {
  id: number | string
  version: number
  /** State that is part of the representation but causes no conflict, such as the time of last use. */
  extra?: string | null
}

const EXTRA = /~[^",]*"/g

export const etagOf = ({ id, version, extra }: Versioned): string =>
  `"${id}.${version}${extra ? `~${extra}` : ''}"`

export const isVersioned = (payload: unknown): payload is Versioned =>
  typeof payload === 'object' &&
  payload !== null &&
  'version' in payload &&
  typeof payload.version === 'number'

/**
 * RFC 9110, 13.1: a list of tags, or `*`. Weak and strong tags compare alike, because a tag identifies a
 * version and not bytes.
 */
const matches = (header: string, etag: string): boolean =>
  header.trim() === '*' ||
  header.split(',').some((given) => {
    const tag = given.trim().replace(/^W\//, '')
    return tag === etag
  })

/** Rejects a change that is based on another version than the current one. Call it inside the transaction. */
export const requireMatch = (ifMatch: string | undefined, current: Versioned): void =>
  requireTag(ifMatch, etagOf(current))

export const requireTag = (ifMatch: string | undefined, etag: string): void => {
  if (ifMatch !== undefined && !matches(ifMatch.replaceAll(EXTRA, '"'), etag.replaceAll(EXTRA, '"')))
    throw new AppError(
      'precondition',
      'precondition_failed',
      'This was changed in the meantime. Fetch the current version, then repeat the change.',
    )
}

/** Resources that exist only in lists have no ETag, so `If-Match` is an error. */
export const requireUntagged = (ifMatch: string | undefined): void => requireTag(ifMatch, '')

/** A page of a list is not a resource with an ETag. */
const isPage = ({ route }: FastifyRequest): boolean => {
  const querystring = route.schema?.querystring as { properties?: object } | undefined
  return Object.hasOwn(querystring?.properties ?? {}, 'cursor')
}

/** Resources without a version counter, such as those that a sync updates, get a hash of their content. */
const contentTag = (request: FastifyRequest, reply: FastifyReply, payload: unknown): string | undefined =>
  typeof payload === 'string' &&
  !isPage(request) &&
  String(reply.getHeader('content-type')).startsWith('application/json')
    ? `"${digest(payload).slice(0, 22)}"`
    : undefined

/** Adds an ETag to single resources, and answers 304 if the client has that version. */
export const addEtags = (app: FastifyInstance): void => {
  app.decorateRequest('ifMatch', {
    getter() {
      return this.headers['if-match']
    },
  })
  app.addHook('preSerialization', (_request, reply, payload, done) => {
    if (isVersioned(payload)) reply.header('etag', etagOf(payload))
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'GET' || reply.statusCode !== 200) return done(null, payload)
    if (!reply.hasHeader('etag')) {
      const etag = contentTag(request, reply, payload)
      if (etag !== undefined) reply.header('etag', etag)
    }
    const etag = reply.getHeader('etag')
    const known = request.headers['if-none-match']
    if (etag === undefined || known === undefined || !matches(known, String(etag))) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    done(null, null)
  })
}

/** The types of the parts of a sort key. */
interface KeyKinds {
  text: string
  integer: number
  /** An instant in the canonical form, so that text comparison works. */
  instant: string
}
type KeyKind = keyof KeyKinds
type KeyOf<K extends readonly KeyKind[]> = { [I in keyof K]: KeyKinds[K[I]] }

const MAX_TEXT_LENGTH = 200
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const fits = (kind: KeyKind, value: unknown): boolean => {
  if (kind === 'integer') return Number.isSafeInteger(value)
  if (
    typeof value !== 'string' ||
    value.length > MAX_TEXT_LENGTH ||
    !value.isWellFormed() ||
    value.includes('\0')
  )
    return false
  return kind === 'text' || (INSTANT.test(value) && !Number.isNaN(Date.parse(value)))
}

/** Encodes a position in a list: the sort key of the last row. It is opaque to clients. */
export const writeCursor = (key: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

const parse = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** Decodes the sort key of a cursor, if there is one. Rejects a cursor that this list did not create. */
export const readCursor = <const K extends readonly KeyKind[]>(
  cursor: string | undefined,
  ...kinds: K
): KeyOf<K> | undefined => {
  if (cursor === undefined) return undefined
  const key = parse(cursor)
  if (
    !Array.isArray(key) ||
    key.length !== kinds.length ||
    !kinds.every((kind, index) => fits(kind, key[index]))
  )
    throw invalidField('cursor', 'is not a cursor of this list')
  return key as unknown as KeyOf<K>
}

/** Returns one page of `limit + 1` rows, with the cursor of the next page. */
export const pageOf = <R>(rows: R[], limit: number, keyOf: (row: R) => readonly (string | number)[]) => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: rows.length > limit && last !== undefined ? writeCursor(keyOf(last)) : null }
}
