import type { IncomingHttpHeaders } from 'node:http'
import type { Db } from '../../database/db.ts'
import { readXml, type XmlElement } from '../../platform/xml.ts'
import type { CollectionLog } from './collection-log.ts'
import { D, type Xml } from './elements.ts'
import { DavError } from './errors.ts'
import type { Target } from './paths.ts'
import type { PropertyContext } from './properties.ts'
import type { Session } from './session.ts'

export interface DavRequest {
  db: Db
  log: CollectionLog
  session: Session
  properties: PropertyContext
  now: Date
  /** The time zone of an account. */
  zoneOf(account: number): Promise<string>
  target: Target
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface DavAnswer {
  status: number
  headers?: Readonly<Record<string, string>>
  /** An element is sent as an XML document. */
  body?: Xml | string
}

export type Handler = (request: DavRequest) => Promise<DavAnswer>

/** Reads the body; undefined if there is none (RFC 4918 §8.2: a body that is not XML is 400). */
export const readBody = async ({ body }: DavRequest): Promise<XmlElement | undefined> => {
  if (body.length === 0) return undefined
  try {
    return await readXml(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new DavError(400)
  }
}

/** RFC 4918 §10.2. PROPFIND without the header means infinity (§9.1), which a server may refuse. */
export const readDepth = ({ headers }: DavRequest, missing: 0 | 1 | 'infinity'): 0 | 1 | 'infinity' => {
  const given = headers.depth
  if (given === undefined) return missing
  const depth = { '0': 0, '1': 1, infinity: 'infinity' }[String(given).trim().toLowerCase()] as
    | 0
    | 1
    | 'infinity'
    | undefined
  if (depth === undefined) throw new DavError(400)
  return depth
}

export const multistatus = (responses: readonly Xml[], syncToken?: string): DavAnswer => ({
  status: 207,
  body: D.multistatus(responses, syncToken === undefined ? [] : D.syncToken(syncToken)),
})

const isListed = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((given) => given.trim() === etag)

/** RFC 9110 §13.1. `etag` is undefined if the resource does not exist. Only strong ETags are sent, so a weak one never matches. */
export const requireConditions = (
  { headers }: Pick<DavRequest, 'headers'>,
  etag: string | undefined,
): void => {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  if (ifMatch !== undefined && (etag === undefined || !isListed(ifMatch, etag))) throw new DavError(412)
  if (ifNoneMatch !== undefined && etag !== undefined && isListed(ifNoneMatch, etag)) throw new DavError(412)
}
