import { DavError } from './errors.ts'

export const HOMES = ['calendars', 'addressbooks'] as const
export type Home = (typeof HOMES)[number]

/** The resource that a path below `/dav/` names. */
export type Target =
  | { type: 'root' }
  | { type: 'principals' }
  | { type: 'principal'; user: string }
  | { type: 'homes'; home: Home }
  | { type: 'home'; home: Home; user: string }
  | { type: 'collection'; home: Home; user: string; collection: string }
  | { type: 'resource'; home: Home; user: string; collection: string; name: string }

export const ROOT = '/dav/'

const isHome = (segment: string | undefined): segment is Home => HOMES.includes(segment as Home)

const MAX_SEGMENT_LENGTH = 300

const decodeSegment = (segment: string): string => {
  try {
    const decoded = decodeURIComponent(segment)
    const isUsable = decoded.length <= MAX_SEGMENT_LENGTH && decoded.isWellFormed() && !decoded.includes('\0')
    if (isUsable) return decoded
  } catch {
    // Not UTF-8.
  }
  throw new DavError(400)
}

/** Reads a path such as `/dav/calendars/ana/home/a.ics`; undefined if nothing can be there. */
export const readPath = (path: string): Target | undefined => {
  const [clean = ''] = path.split(/[?#]/, 1)
  if (!`${clean}/`.startsWith(ROOT)) return undefined
  const segments = clean.slice(ROOT.length).split('/').map(decodeSegment)
  if (segments.at(-1) === '') segments.pop()
  if (segments.includes('')) return undefined
  const [area, user, collection, name, ...others] = segments
  if (others.length > 0) return undefined
  if (area === undefined) return { type: 'root' }
  if (area === 'principals') {
    if (user === undefined) return { type: 'principals' }
    return collection === undefined ? { type: 'principal', user } : undefined
  }
  if (!isHome(area)) return undefined
  if (user === undefined) return { type: 'homes', home: area }
  if (collection === undefined) return { type: 'home', home: area, user }
  if (name === undefined) return { type: 'collection', home: area, user, collection }
  return { type: 'resource', home: area, user, collection, name }
}

/** RFC 3986 §3.3: these characters need no escape, and clients write them without. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replace(/%(?:40|3A|2C|3B|3D|2B|24|26)/g, decodeURIComponent)

/** Writes the path of a collection, below the path of PUBLIC_URL. */
export const writePath = (basePath: string, ...segments: readonly string[]): string =>
  `${basePath}${ROOT}${segments.map((segment) => `${encodeSegment(segment)}/`).join('')}`

/** Writes the path of a resource in a collection. */
export const writeResourcePath = (collectionPath: string, name: string): string =>
  collectionPath + encodeSegment(name)
