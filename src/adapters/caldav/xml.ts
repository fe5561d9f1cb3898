import { createRequire } from 'node:module'
import { textOf } from '../../platform/outbound/foreign.ts'
import { createBreather } from '../../platform/yield.ts'

/** `name` has the form `{namespace}local`, so that prefixes do not matter. */
export interface XmlElement {
  name: string
  /** Names as written, including prefixes. */
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

/** Limits for hostile responses. Real responses stay far below them. */
const DEEPEST = 40
const MOST_STEPS = 2_000_000
/** Elements take more memory than text. */
const STEPS_OF_ELEMENT = 4
const MOST_ATTRIBUTES = 100
const MOST_NAMESPACES = 100
const SLICE = 32 * 1024

const NONE: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

/** Loaded with the first response, because loading it would slow down the start. */
const require = createRequire(import.meta.url)
const load = () => require('htmlparser2') as typeof import('htmlparser2')

const withDeclared = (known: ReadonlyMap<string, string>, attributes: Record<string, string>) => {
  let found: Map<string, string> | undefined
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    found ??= new Map(known)
    found.set(name.slice('xmlns:'.length), attributes[name] ?? '')
    if (found.size > MOST_NAMESPACES) throw new Error('The XML declares too many namespaces.')
  }
  return found ?? known
}

const nameIn = (namespaces: ReadonlyMap<string, string>, written: string): string => {
  const colon = written.indexOf(':')
  const prefix = colon === -1 ? '' : written.slice(0, colon)
  return `{${namespaces.get(prefix) ?? ''}}${written.slice(colon + 1)}`
}

/**
 * Parses a document and returns its root, or throws. A document type declaration is always rejected:
 * responses need none, and entity expansion can turn a few lines into gigabytes.
 */
export const readXml = async (source: string): Promise<XmlElement> => {
  const { Parser } = load()
  const breathe = createBreather()
  const open: { element: XmlElement; namespaces: ReadonlyMap<string, string> }[] = []
  let root: XmlElement | undefined
  let steps = 0
  let attributesHere = 0
  const step = (count: number): void => {
    steps += count
    if (steps > MOST_STEPS || open.length > DEEPEST) throw new Error('The XML is too large.')
  }
  const parser = new Parser(
    {
      onopentag(written, attributes) {
        const parent = open.at(-1)
        step(STEPS_OF_ELEMENT)
        attributesHere = 0
        if (!parent && root) throw new Error('The XML has more than one root.')
        const namespaces = withDeclared(parent?.namespaces ?? NONE, attributes)
        const element = { name: nameIn(namespaces, written), attributes, text: '', children: [] }
        if (parent) parent.element.children.push(element)
        else root = element
        open.push({ element, namespaces })
      },
      onattribute() {
        if (++attributesHere > MOST_ATTRIBUTES) throw new Error('The XML has too many attributes.')
      },
      ontext(text) {
        step(1)
        const inside = open.at(-1)
        if (inside) inside.element.text += text
      },
      onclosetag() {
        open.pop()
      },
      onprocessinginstruction(name) {
        if (name.startsWith('!')) throw new Error('The XML has a document type declaration.')
      },
    },
    { xmlMode: true },
  )
  for (let from = 0; from < source.length; from += SLICE) {
    parser.write(source.slice(from, from + SLICE))
    await breathe()
  }
  const isCutOff = open.length > 0
  parser.end()
  if (!root) throw new Error('The text is not XML.')
  if (isCutOff) throw new Error('The XML is incomplete.')
  return root
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name)

export const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Providers that assign each user to one of many hosts and name it in the first response. */
const MULTI_HOST_PROVIDERS = ['.icloud.com']

const isAt = (domain: string, url: URL): boolean =>
  url.protocol === 'https:' && url.port === '' && url.hostname.endsWith(domain)

/**
 * True if a password for one URL may be sent to another. Allowed are the same origin and an upgrade from http
 * to https on the same host. Hosts of a provider in `MULTI_HOST_PROVIDERS` are allowed too.
 */
export const mayCarrySecret = (given: URL, to: URL): boolean =>
  to.origin === given.origin ||
  (to.protocol === 'https:' && given.port === '' && to.port === '' && to.hostname === given.hostname) ||
  MULTI_HOST_PROVIDERS.some((domain) => isAt(domain, given) && isAt(domain, to))

const normaliseSegment = (segment: string): string => {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    // Not valid UTF-8, so keep the server's encoding.
    return segment.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
  }
}

/**
 * Resolves and normalizes a URL: servers write "@" in one response and "%40" in the next. Returns undefined
 * if it is invalid.
 */
export const readHref = (href: string, base: string): URL | undefined => {
  const url = URL.parse(href.trim(), base)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  url.username = url.password = url.hash = ''
  url.pathname = url.pathname.split('/').map(normaliseSegment).join('/')
  return url
}

/** Adds the trailing slash of a collection (RFC 4918 section 5.2), which some servers omit. */
export const asCollection = (url: URL): URL => {
  const collection = new URL(url)
  if (!collection.pathname.endsWith('/')) collection.pathname += '/'
  return collection
}

/** RFC 4918 section 14.24, with the properties that were found. */
export interface DavResponse {
  /** Undefined if the href is invalid. */
  url: URL | undefined
  /** Status of the whole response. Undefined if each property has its own. */
  status: number | undefined
  /** Keyed by `{namespace}local`. */
  properties: ReadonlyMap<string, XmlElement>
}

export interface Multistatus {
  responses: DavResponse[]
  /** RFC 6578 section 6.2. */
  syncToken: string | null
}

const LONGEST_TOKEN = 2_000

/** Parses a status line such as "HTTP/1.1 200 OK". */
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

/** `base` is the URL of the response. Returns undefined for other documents. */
export const readMultistatus = (root: XmlElement, base: string): Multistatus | undefined => {
  if (root.name !== '{DAV:}multistatus') return undefined
  const responses = childrenOf(root, '{DAV:}response').flatMap((response) => {
    const status = readStatus(childOf(response, '{DAV:}status'))
    const properties = readProperties(response)
    // A response may contain several hrefs that share one result.
    return childrenOf(response, '{DAV:}href').map(({ text }) => ({
      url: readHref(text, base),
      status,
      properties,
    }))
  })
  return { responses, syncToken: readToken(root) }
}

/**
 * Returns a strong ETag as sent. A weak ETag cannot be used with If-Match (RFC 9110 section 8.8.3.2), so it
 * is ignored.
 */
export const readEtag = (text: string | null | undefined): string => {
  const etag = text?.trim() ?? ''
  return /^[!-~]{1,1000}$/.test(etag) && !etag.startsWith('W/') ? etag : ''
}
