import type { RemoteObject, Replacing, Written } from '../../features/calendar-accounts/calendar-server.ts'
import { textOf } from '../../platform/outbound/foreign.ts'
import { type Conversation, type DavAnswer, readCondition } from './conversation.ts'
import { refusedWith } from './failures.ts'
import { mayCarrySecret, readHref } from './hrefs.ts'
import { readEtag } from './multistatus.ts'
import { multiget } from './requests.ts'

const LONGEST_BODY = 32 * 1024 * 1024
const PER_QUESTION = 50
const UNSEEN = [403, 404, 410]
/** Web servers that compress an answer change its ETag, and then know neither of the two (Apache), or make it weak (nginx). */
const UNCOMPRESSED = { 'accept-encoding': 'identity' }

/** It is there, and not for us to change. */
const NOT_WRITABLE = { step: 'command', reason: 'refused' } as const

const isOk = ({ status }: DavAnswer): boolean => status >= 200 && status < 300

const readOne = async (
  conversation: Conversation,
  href: string,
  signal: AbortSignal,
): Promise<RemoteObject | undefined> => {
  const answer = await conversation.ask({ method: 'GET', url: href, headers: UNCOMPRESSED }, signal)
  if (UNSEEN.includes(answer.status)) return undefined
  if (!isOk(answer)) throw await conversation.refusal(answer)
  return { href, etag: readEtag(answer.headers.get('etag')), body: textOf(answer.text, LONGEST_BODY) }
}

/** What of these the server gave in one answer, and what it did not speak of. */
const readMany = async (
  conversation: Conversation,
  calendarHref: string,
  hrefs: readonly string[],
  signal: AbortSignal,
) => {
  const found: RemoteObject[] = []
  const open = new Set(hrefs)
  const answer = await multiget(conversation, calendarHref, hrefs, signal)
  if (answer.status !== 207) {
    if (answer.status >= 500 && answer.status !== 501) throw await conversation.refusal(answer)
    return { found, open }
  }
  for (const { url, status, properties } of (await conversation.multistatus(answer)).responses) {
    const { href } = conversation.allowed(url)
    const body = properties.get('{urn:ietf:params:xml:ns:caldav}calendar-data')?.text
    if (!open.has(href)) continue
    if (body !== undefined)
      found.push({
        href,
        etag: readEtag(properties.get('{DAV:}getetag')?.text),
        body: textOf(body, LONGEST_BODY),
      })
    else if (status === undefined || !UNSEEN.includes(status)) continue
    open.delete(href)
  }
  return { found, open }
}

export const readObjects = async (
  conversation: Conversation,
  calendarHref: string,
  hrefs: readonly string[],
  signal: AbortSignal,
): Promise<RemoteObject[]> => {
  const wanted = [...new Set(hrefs)]
  const objects: RemoteObject[] = []
  for (let from = 0; from < wanted.length; from += PER_QUESTION) {
    const some = wanted.slice(from, from + PER_QUESTION)
    const { found, open } = await readMany(conversation, calendarHref, some, signal)
    objects.push(...found)
    for (const href of open) {
      const object = await readOne(conversation, href, signal)
      if (object) objects.push(object)
    }
  }
  return objects
}

/** The headers that keep a request from undoing what somebody else did; undefined when there is nothing to replace. */
const conditionFor = async (
  conversation: Conversation,
  href: string,
  etag: string,
  signal: AbortSignal,
): Promise<Record<string, string> | undefined> => {
  if (etag !== '') return { 'if-match': etag }
  const now = await readOne(conversation, href, signal)
  return now && (now.etag === '' ? {} : { 'if-match': now.etag })
}

/** Where it lies now: some servers choose the name themselves. */
const placeOf = ({ headers, url }: DavAnswer): string => {
  const location = headers.get('location')
  const named = location === null ? undefined : readHref(location, url)
  return named && mayCarrySecret(new URL(url), named) ? named.href : url
}

const refusalToWrite = async (conversation: Conversation, answer: DavAnswer): Promise<Error> =>
  answer.status === 403
    ? refusedWith(new URL(answer.url).hostname, 403, await readCondition(answer), NOT_WRITABLE)
    : conversation.refusal(answer)

export const writeObject = async (
  conversation: Conversation,
  href: string,
  body: string,
  replacing: Replacing,
  signal: AbortSignal,
): Promise<Written> => {
  const condition =
    replacing === 'nothing'
      ? { 'if-none-match': '*' }
      : await conditionFor(conversation, href, replacing.etag, signal)
  if (!condition) return { kind: 'changed' }
  const headers = { 'content-type': 'text/calendar; charset=utf-8', ...UNCOMPRESSED, ...condition }
  const answer = await conversation.ask({ method: 'PUT', url: href, headers, body }, signal)
  if (isOk(answer))
    return { kind: 'done', etag: readEtag(answer.headers.get('etag')) || null, href: placeOf(answer) }
  const isGone = replacing !== 'nothing' && UNSEEN.slice(1).includes(answer.status)
  // RFC 4791 §5.3.2.1: it is there already, under another name.
  const isElsewhere = async () => (await readCondition(answer)) === 'no-uid-conflict'
  if (answer.status === 412 || isGone || (await isElsewhere())) return { kind: 'changed' }
  throw await refusalToWrite(conversation, answer)
}

export const removeObject = async (
  conversation: Conversation,
  href: string,
  etag: string,
  signal: AbortSignal,
): Promise<Written> => {
  const done: Written = { kind: 'done', etag: null, href }
  const headers = await conditionFor(conversation, href, etag, signal)
  if (!headers) return done
  const answer = await conversation.ask({ method: 'DELETE', url: href, headers }, signal)
  if (isOk(answer) || answer.status === 404 || answer.status === 410) return done
  if (answer.status === 412) return { kind: 'changed' }
  throw await refusalToWrite(conversation, answer)
}
