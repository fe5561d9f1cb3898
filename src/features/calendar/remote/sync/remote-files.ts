import type { Db } from '../../../../database/db.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import type { Outbound } from '../../../../platform/outbound/port.ts'
import { failedAt, failureOfFetch } from '../../../../platform/outbound/steps.ts'
import type { CalendarObject, CalendarText, ReadCalendarText } from '../../ical/objects.ts'
import type { PublishedTarget } from '../accounts.ts'
import { FILE_HREF } from '../accounts.ts'
import { recordUnreadable, removePlacement, storeOrRecord } from './remote-objects.ts'
import {
  type CalendarRecord,
  deleteAllUnreadable,
  deleteCalendar,
  everyPlacement,
  listCalendars,
  listLeaving,
  listVersions,
  type PlacementRecord,
  saveCalendar,
  savePlacements,
} from './repository.ts'
import type { Session } from './session.ts'

/** The validators of the last response. */
export interface Known {
  etag: string | null
  modified: string | null
}

export type PublishedFile =
  | { notModified: true }
  | ({ notModified: false } & Known & Pick<CalendarText, 'name' | 'objects' | 'unreadable'>)

export type ReadPublished = (
  userId: number,
  target: PublishedTarget,
  known: Known,
  signal: AbortSignal,
) => Promise<PublishedFile>

const MAX_BYTES = 25 * 1024 * 1024
const TIMEOUT_MS = 60_000
const MAX_REDIRECTS = 5
const MAX_TAG_LENGTH = 1000

const headersFor = ({ login }: PublishedTarget, { etag, modified }: Known): Record<string, string> => ({
  accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
  ...(login && {
    authorization: `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`,
  }),
  ...(etag !== null && { 'if-none-match': etag }),
  ...(modified !== null && { 'if-modified-since': modified }),
})

/** Returns null for a validator that cannot be sent back unchanged. */
const tagOf = (value: string | null): string | null =>
  value !== null && value.length <= MAX_TAG_LENGTH && /^[\x20-\x7e]+$/.test(value) ? value : null

const failureOf = (status: number) => {
  if (status === 401 || status === 403) return { step: 'login', reason: 'credentials' } as const
  if (status === 404 || status === 410) return { step: 'select', reason: 'missing' } as const
  return { step: 'command', reason: 'other', response: `HTTP ${status}` } as const
}

/** Fetches a published calendar file with a conditional request. */
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
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        maxRedirects: MAX_REDIRECTS,
        signal,
      })
      if (response.status === 200) return { response, bytes: await response.bytes(), host }
      response.discard()
      return { response, bytes: undefined, host }
    } catch (error) {
      throw failureOfFetch(error, host)
    }
  }

  return async (userId, target, known, signal) => {
    const { response, bytes, host } = await fetchFile(target, known, signal)
    const isKnown = known.etag !== null || known.modified !== null
    if (response.status === 304 && isKnown) return { notModified: true }
    if (bytes === undefined) throw failedAt(host, failureOf(response.status))
    const { isCalendar, name, objects, unreadable } = await readCalendar(userId, bytes)
    if (!isCalendar) throw failedAt(host, { step: 'select', reason: 'other' })
    return {
      notModified: false,
      etag: tagOf(response.headers.get('etag')),
      modified: tagOf(response.headers.get('last-modified')),
      name,
      objects,
      unreadable,
    }
  }
}

/** Batch size: small transactions, so that other writers do not wait long. */
const BATCH_SIZE = 50

type SyncContext = Pick<
  Session,
  'db' | 'clock' | 'log' | 'mirrored' | 'store' | 'userId' | 'accountId' | 'readerVersion' | 'signal' | 'note'
>

/** Returns the only calendar of a file. It stays the same when the URL changes. */
const calendarOf = async (
  { db, store, userId, accountId }: SyncContext,
  name: string,
): Promise<CalendarRecord> => {
  const [known] = await listCalendars(db, accountId)
  const href = known?.href ?? FILE_HREF
  return inTransaction(db, async (tx) => {
    const calendar = await saveCalendar(tx, accountId, { href, name, color: null, isWritable: false })
    await store.ensureRemote(tx, userId, calendar)
    if (known) await store.followProperties(tx, userId, known, calendar)
    return calendar
  })
}

/** Excludes events that came from another source: a publisher must not change them. */
const changeable = async (
  tx: Db,
  { mirrored, userId }: SyncContext,
  calendarId: number,
  objects: readonly CalendarObject[],
): Promise<CalendarObject[]> => {
  const uids = objects.map(({ uid }) => uid)
  const held = await mirrored.lockAll(tx, userId, uids)
  if (held.size === 0) return [...objects]
  const ours = new Set((await listVersions(tx, calendarId, uids)).map(({ href }) => href))
  const leaving = new Set(await listLeaving(tx, userId, uids))
  return objects.filter(({ uid }) => !held.has(uid) || ours.has(uid) || leaving.has(uid))
}

const storeBatch = async (
  tx: Db,
  context: SyncContext,
  calendarId: number,
  objects: readonly CalendarObject[],
): Promise<void> => {
  const { mirrored, store, userId, accountId } = context
  const taken = await changeable(tx, context, calendarId, objects)
  if (taken.length === 0) return
  await savePlacements(
    tx,
    taken.map(({ uid, body }) => ({ accountId, calendarId, href: uid, uid, etag: '', body })),
  )
  const events = taken.flatMap((object) => object.events)
  await mirrored.adopt(
    tx,
    userId,
    events.flatMap((one) => (one.kind === 'entry' ? [one.entry] : [])),
    { source: 'ics', calendarId: await store.idOfRemote(tx, userId, calendarId) },
  )
}

const removePlacements = async (
  context: SyncContext,
  placements: readonly PlacementRecord[],
): Promise<void> => {
  const { signal } = context
  for (let at = 0; at < placements.length; at += BATCH_SIZE) {
    signal.throwIfAborted()
    await context.mirrored.change(async (tx) => {
      for (const placement of placements.slice(at, at + BATCH_SIZE))
        await removePlacement(tx, context, placement)
    })
  }
}

/** Stores the events of a published file and removes those that it no longer contains. */
export const storeFile = async (
  context: SyncContext,
  { name, objects, unreadable }: Pick<CalendarText, 'objects' | 'unreadable'> & { name: string },
): Promise<void> => {
  const { db, store, userId, accountId, signal } = context
  const calendar = await calendarOf(context, name)
  const known = new Map<string, string>()
  const gone: PlacementRecord[] = []
  // Events that can no longer be parsed keep their last version.
  const presentUids = new Set([...objects.map(({ uid }) => uid), ...unreadable.map((event) => event.name)])
  for await (const placement of everyPlacement(db, calendar.id))
    if (presentUids.has(placement.href)) known.set(placement.href, placement.body)
    else gone.push(placement)
  const news = objects.filter(({ uid, body }) => known.get(uid) !== body)
  await context.note({ total: news.length })
  await inTransaction(db, (tx) => deleteAllUnreadable(tx, calendar.id))
  for (const { name: uid, reason, body } of unreadable)
    await recordUnreadable(context, { calendarId: calendar.id, name: uid, etag: '', body }, reason)
  for (let at = 0; at < news.length; at += BATCH_SIZE) {
    signal.throwIfAborted()
    await storeOrRecord(
      context,
      news.slice(at, at + BATCH_SIZE),
      (some) => context.mirrored.change((tx) => storeBatch(tx, context, calendar.id, some)),
      ({ uid, body }) => ({ calendarId: calendar.id, name: uid, etag: '', body }),
    )
    await context.note({ done: Math.min(BATCH_SIZE, news.length - at) })
  }
  await removePlacements(context, gone)
  // The calendar of an import has another href. Remove it.
  for (const former of await listCalendars(db, accountId)) {
    if (former.id === calendar.id) continue
    await removePlacements(context, await Array.fromAsync(everyPlacement(db, former.id)))
    await inTransaction(db, async (tx) => {
      await store.removeRemote(tx, userId, former.id)
      await deleteCalendar(tx, former.id)
    })
  }
}
