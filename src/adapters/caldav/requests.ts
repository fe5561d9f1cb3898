import type { Conversation, DavAnswer } from './conversation.ts'
import { escapeXml } from './xml.ts'

const NAMESPACES =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:a="http://apple.com/ns/ical/"'

const document = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<${root} ${NAMESPACES}>${content}</${root}>`

const asked = (properties: readonly string[]): string =>
  `<d:prop>${properties.map((name) => `<${name}/>`).join('')}</d:prop>`

/** RFC 4918 §9.1. */
export const propfind = (
  conversation: Conversation,
  url: URL | string,
  depth: 0 | 1,
  properties: readonly string[],
  signal: AbortSignal,
): Promise<DavAnswer> =>
  conversation.ask(
    {
      method: 'PROPFIND',
      url: String(url),
      headers: { depth: String(depth) },
      body: document('d:propfind', asked(properties)),
    },
    signal,
  )

/** RFC 6578 §3.2. */
export const syncCollection = (
  conversation: Conversation,
  url: string,
  token: string | null,
  signal: AbortSignal,
): Promise<DavAnswer> =>
  conversation.ask(
    {
      method: 'REPORT',
      url,
      headers: { depth: '0' },
      body: document(
        'd:sync-collection',
        `<d:sync-token>${escapeXml(token ?? '')}</d:sync-token><d:sync-level>1</d:sync-level>${asked(['d:getetag', 'd:resourcetype'])}`,
      ),
    },
    signal,
  )

/** RFC 4791 §7.9. */
export const multiget = (
  conversation: Conversation,
  url: string,
  hrefs: readonly string[],
  signal: AbortSignal,
): Promise<DavAnswer> => {
  // Paths, as in the RFC's examples: servers behind a proxy may not know their own address.
  const paths = hrefs.map((href) => {
    const { pathname, search } = new URL(href)
    return `<d:href>${escapeXml(pathname + search)}</d:href>`
  })
  const content = asked(['d:getetag', 'c:calendar-data']) + paths.join('')
  return conversation.ask(
    { method: 'REPORT', url, headers: { depth: '1' }, body: document('c:calendar-multiget', content) },
    signal,
  )
}
