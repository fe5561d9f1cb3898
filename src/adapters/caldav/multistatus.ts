import { textOf } from '../../platform/outbound/foreign.ts'
import { readHref } from './hrefs.ts'
import { childOf, childrenOf, type XmlElement } from './xml.ts'

/** RFC 4918 §14.24, with what was found and without what was not. */
export interface DavResponse {
  /** As it is written; undefined where it leads nowhere. */
  url: URL | undefined
  /** Of the whole; undefined where each property has one. */
  status: number | undefined
  /** By their full names. */
  properties: ReadonlyMap<string, XmlElement>
}

export interface Multistatus {
  responses: DavResponse[]
  /** RFC 6578 §6.2. */
  syncToken: string | null
}

const LONGEST_TOKEN = 2_000

/** "HTTP/1.1 200 OK". */
const readStatus = (element: XmlElement | undefined): number | undefined => {
  const digits = /^\s*HTTP\/[\d.]+\s+(\d{3})/i.exec(element?.text ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const readProperties = (response: XmlElement): Map<string, XmlElement> => {
  const found = new Map<string, XmlElement>()
  for (const part of childrenOf(response, '{DAV:}propstat')) {
    const status = readStatus(childOf(part, '{DAV:}status')) ?? 200
    if (status >= 300) continue
    for (const property of childOf(part, '{DAV:}prop')?.children ?? []) found.set(property.name, property)
  }
  return found
}

const readToken = (root: XmlElement): string | null => {
  const token = childOf(root, '{DAV:}sync-token')?.text.trim() ?? ''
  return token === '' || textOf(token, LONGEST_TOKEN) !== token ? null : token
}

/** `base` is the address that answered. Undefined for a document of another kind. */
export const readMultistatus = (root: XmlElement, base: string): Multistatus | undefined => {
  if (root.name !== '{DAV:}multistatus') return undefined
  const responses = childrenOf(root, '{DAV:}response').flatMap((response) => {
    const status = readStatus(childOf(response, '{DAV:}status'))
    const properties = readProperties(response)
    // Where the answer is the same for several, they share one response.
    return childrenOf(response, '{DAV:}href').map(({ text }) => ({
      url: readHref(text, base),
      status,
      properties,
    }))
  })
  return { responses, syncToken: readToken(root) }
}

/**
 * A version that a server will know again: as it is sent. What is weak cannot be asked for with If-Match
 * (RFC 9110 §8.8.3.2), so it is none.
 */
export const readEtag = (text: string | null | undefined): string => {
  const etag = text?.trim() ?? ''
  return /^[!-~]{1,1000}$/.test(etag) && !etag.startsWith('W/') ? etag : ''
}
