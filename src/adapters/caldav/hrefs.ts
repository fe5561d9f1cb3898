/** Providers that spread their customers over many hosts of their own, and tell which at the first question. */
const SPREAD_OUT = ['.icloud.com']

const isAt = (domain: string, url: URL): boolean =>
  url.protocol === 'https:' && url.port === '' && url.hostname.endsWith(domain)

/**
 * Whether a password that was given for one address may be sent to another: the same origin, the same host with
 * encryption instead of without, or another host of a provider that is known to have many.
 */
export const mayCarrySecret = (given: URL, to: URL): boolean =>
  to.origin === given.origin ||
  (to.protocol === 'https:' && given.port === '' && to.port === '' && to.hostname === given.hostname) ||
  SPREAD_OUT.some((domain) => isAt(domain, given) && isAt(domain, to))

const normaliseSegment = (segment: string): string => {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    // No UTF-8: a name that only its server understands.
    return segment.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
  }
}

/**
 * Absolute, and in one spelling: servers write "@" in one answer and "%40" in the next. Undefined for what leads nowhere.
 */
export const readHref = (href: string, base: string): URL | undefined => {
  const url = URL.parse(href.trim(), base)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  url.username = url.password = url.hash = ''
  url.pathname = url.pathname.split('/').map(normaliseSegment).join('/')
  return url
}

/** A collection's name ends with a slash (RFC 4918 §5.2), which not every server writes. */
export const asCollection = (url: URL): URL => {
  const collection = new URL(url)
  if (!collection.pathname.endsWith('/')) collection.pathname += '/'
  return collection
}
