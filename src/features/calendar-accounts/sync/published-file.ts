import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { failedAt, failureOfFetch } from '../../../platform/outbound/steps.ts'
import type { CalendarText, ReadCalendarText } from '../../calendar/icalendar/objects.ts'

export interface PublishedTarget {
  url: string
  /** Basic (RFC 7617). */
  login: { username: string; password: string } | null
}

/** What the server said of the file when it was last fetched. */
export interface Known {
  etag: string | null
  modified: string | null
}

export type PublishedFile =
  | { notModified: true }
  | ({ notModified: false } & Known & Pick<CalendarText, 'name' | 'objects' | 'unreadable'>)

export type ReadPublished = (
  target: PublishedTarget,
  known: Known,
  signal: AbortSignal,
) => Promise<PublishedFile>

const MOST_BYTES = 25 * 1024 * 1024
const LONGEST_MS = 60_000
const MOST_REDIRECTS = 5
const LONGEST_TAG = 1000

const headersFor = ({ login }: PublishedTarget, { etag, modified }: Known): Record<string, string> => ({
  accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
  ...(login && {
    authorization: `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`,
  }),
  ...(etag !== null && { 'if-none-match': etag }),
  ...(modified !== null && { 'if-modified-since': modified }),
})

/** What can be sent back as it came. */
const tagOf = (value: string | null): string | null =>
  value !== null && value.length <= LONGEST_TAG && /^[\x20-\x7e]+$/.test(value) ? value : null

const failureOf = (status: number) => {
  if (status === 401 || status === 403) return { step: 'login', reason: 'credentials' } as const
  if (status === 404 || status === 410) return { step: 'select', reason: 'missing' } as const
  return { step: 'command', reason: 'other', said: `HTTP ${status}` } as const
}

/** Fetches a calendar that is published as a file, unless it is as it was. */
export const createPublishedFiles = (deps: {
  outbound: Pick<Outbound, 'fetch'>
  readCalendar: ReadCalendarText
}): ReadPublished => {
  const { outbound, readCalendar } = deps

  const fetchFile = async (target: PublishedTarget, known: Known, signal: AbortSignal) => {
    const host = new URL(target.url).hostname
    try {
      const response = await outbound.fetch(target.url, {
        headers: headersFor(target, known),
        trust: 'typed',
        timeoutMs: LONGEST_MS,
        maxBytes: MOST_BYTES,
        maxRedirects: MOST_REDIRECTS,
        signal,
      })
      if (response.status === 200) return { response, bytes: await response.bytes(), host }
      response.discard()
      return { response, bytes: undefined, host }
    } catch (error) {
      throw failureOfFetch(error, host)
    }
  }

  return async (target, known, signal) => {
    const { response, bytes, host } = await fetchFile(target, known, signal)
    const isKnown = known.etag !== null || known.modified !== null
    if (response.status === 304 && isKnown) return { notModified: true }
    if (bytes === undefined) throw failedAt(host, failureOf(response.status))
    const { isCalendar, name, objects, unreadable } = await readCalendar(bytes)
    if (!isCalendar) throw failedAt(host, { step: 'select', reason: 'other' })
    return {
      notModified: false,
      etag: tagOf(response.headers.get('etag')),
      modified: tagOf(response.headers.get('last-modified')),
      ...{ name, objects, unreadable },
    }
  }
}
