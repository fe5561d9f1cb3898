import { STATUS_CODES } from 'node:http'
import { D, writeUndeclared, type Xml } from './elements.ts'

/** RFC 4918 §14.28. */
export const toStatusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`

/** Properties that were found, and the names of the others by status. */
export interface PropertyResult {
  found: Xml[]
  missing: ReadonlyMap<number, readonly string[]>
}

/** RFC 4918 §14.24, with a status for each property. */
export const writeProperties = (href: string, { found, missing }: PropertyResult): Xml => {
  const parts = [...missing].map(([status, keys]) =>
    D.propstat(D.prop(keys.map(writeUndeclared)), D.status(toStatusLine(status))),
  )
  // RFC 4918 §14.24: a response has at least one propstat.
  if (found.length > 0 || parts.length === 0)
    parts.unshift(D.propstat(D.prop(found), D.status(toStatusLine(200))))
  return D.response(D.href(href), parts)
}

/** RFC 4918 §14.24, with one status for the whole resource. */
export const writeStatus = (href: string, status: number, condition?: Xml): Xml =>
  D.response(D.href(href), D.status(toStatusLine(status)), condition ? D.error(condition) : [])
