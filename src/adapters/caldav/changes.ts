import type { RemoteChanges } from '../../features/calendar-accounts/calendar-server.ts'
import type { Conversation } from './conversation.ts'
import { type DavResponse, readEtag } from './multistatus.ts'
import { propfind, syncCollection } from './requests.ts'

const GONE = [404, 410]
/** Pages of changes; a server that has more to tell is asked for a listing. */
const MOST_PAGES = 500

const isCollection = (url: URL): boolean => url.pathname.endsWith('/')

/** Some servers say of what is gone that none of its properties is there. */
const isGone = ({ status, properties }: DavResponse): boolean =>
  status === undefined ? properties.size === 0 : GONE.includes(status)

const etagOf = ({ properties }: DavResponse): string => readEtag(properties.get('{DAV:}getetag')?.text)

/** What an answer tells, taken into what was told before. */
const take = (
  conversation: Conversation,
  responses: readonly DavResponse[],
  into: { changed: Map<string, string>; removed: Set<string> },
): void => {
  for (const response of responses) {
    const url = conversation.allowed(response.url)
    if (isCollection(url)) continue
    if (isGone(response)) {
      into.changed.delete(url.href)
      into.removed.add(url.href)
    } else {
      into.removed.delete(url.href)
      into.changed.set(url.href, etagOf(response))
    }
  }
}

const toList = (changed: ReadonlyMap<string, string>) => [...changed].map(([href, etag]) => ({ href, etag }))

/** RFC 6578. Undefined when the server does not know how, or not with this token. */
const changesSince = async (
  conversation: Conversation,
  calendarHref: string,
  syncToken: string | null,
  signal: AbortSignal,
): Promise<RemoteChanges | undefined> => {
  const told = { changed: new Map<string, string>(), removed: new Set<string>() }
  let token = syncToken
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await syncCollection(conversation, calendarHref, token, signal)
    if (answer.status !== 207) {
      const isUnable = (answer.status < 500 && answer.status !== 429) || [501, 507].includes(answer.status)
      if (isUnable) return undefined
      throw await conversation.refusal(answer)
    }
    const { responses, syncToken: next } = await conversation.multistatus(answer)
    take(conversation, responses, told)
    // §3.6: so much for now.
    const isCutOff = responses.some(({ status }) => status === 507)
    if (!isCutOff) {
      const isWhole = syncToken === null
      const removed = isWhole ? [] : [...told.removed]
      return { changed: toList(told.changed), removed, isWhole, syncToken: next }
    }
    if (next === null || next === token) return undefined
    token = next
  }
  return undefined
}

const listAll = async (
  conversation: Conversation,
  calendarHref: string,
  signal: AbortSignal,
): Promise<RemoteChanges> => {
  const answer = await propfind(conversation, calendarHref, 1, ['d:getetag', 'd:resourcetype'], signal)
  if (answer.status !== 207) throw await conversation.refusal(answer)
  const told = { changed: new Map<string, string>(), removed: new Set<string>() }
  take(conversation, (await conversation.multistatus(answer)).responses, told)
  return { changed: toList(told.changed), removed: [], isWhole: true, syncToken: null }
}

export const findChanges = async (
  conversation: Conversation,
  calendarHref: string,
  syncToken: string | null,
  signal: AbortSignal,
): Promise<RemoteChanges> =>
  (syncToken === null ? undefined : await changesSince(conversation, calendarHref, syncToken, signal)) ??
  (await changesSince(conversation, calendarHref, null, signal)) ??
  (await listAll(conversation, calendarHref, signal))
