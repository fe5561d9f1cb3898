import type { Db } from '../../../../database/db.ts'
import { HELD } from '../../../../database/tables/calendar.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import { AppError, isTemporary, toUnreadableReason } from '../../../../platform/errors.ts'
import { isSameJson } from '../../../../platform/fingerprint.ts'
import { keepBody } from '../../../../platform/kept-body.ts'
import { type EventCalendar, listEventCalendars } from '../../calendars/repository.ts'
import type { CalendarStore } from '../../calendars/store.ts'
import { SHARED_FIELDS, type SharedField } from '../../event.ts'
import type { Entry } from '../../ical/entry.ts'
import type { LostChange } from '../../imports/journal.ts'
import type { MirroredEvents } from '../../imports/mirrored-events.ts'
import type { RemoteObject } from '../calendar-server.ts'
import { countUnreadable } from '../repository.ts'
import {
  type CalendarRecord,
  deletePlacement,
  deletePush,
  deleteUnreadable,
  findPlacement,
  findPush,
  holdPush,
  keepPlacement,
  listPlacesOf,
  listPushesOf,
  listSharing,
  type PlacementRecord,
  queuePushes,
  savePlacement,
  saveUnreadable,
} from './repository.ts'
import type { Session } from './session.ts'

type RecordContext = Pick<Session, 'db' | 'clock' | 'log' | 'accountId' | 'readerVersion' | 'signal'>

/** Above this number, only the reason is stored: a server may have any number of such objects. */
const MAX_BODIES = 500

interface UnreadableObject {
  calendarId: number
  /** The href of an object, or the UID of an event in a file. */
  name: string
  etag: string
  body: string
}

/**
 * Whether the error is about the content. A `not_found` error means that the account was removed meanwhile.
 */
const isContentError = (error: unknown, signal: AbortSignal): boolean =>
  !signal.aborted && !isTemporary(error) && !(error instanceof AppError && error.kind === 'not_found')

/** Stores an object that could not be parsed with the reason, and replaces its previous row. */
export const recordUnreadable = async (
  context: RecordContext,
  object: UnreadableObject,
  reason: string,
): Promise<void> => {
  const { db, clock, accountId, readerVersion } = context
  const { body, ...rest } = object
  await inTransaction(db, async (tx) => {
    const kept = keepBody(body)
    await saveUnreadable(tx, {
      ...rest,
      accountId,
      reason,
      body: (await countUnreadable(tx, accountId)) < MAX_BODIES ? kept.body : null,
      size: kept.size,
      readerVersion,
      failedAt: clock.now().toISOString(),
    })
  })
}

/**
 * Processes items as one batch. If their content causes an error, processes them one by one. An item that
 * fails is stored as unreadable, so that it does not block the others.
 */
export const storeOrRecord = async <T>(
  context: RecordContext,
  items: readonly T[],
  take: (items: readonly T[]) => Promise<void>,
  describe: (item: T) => UnreadableObject,
): Promise<void> => {
  try {
    await take(items)
  } catch (error) {
    if (!isContentError(error, context.signal)) throw error
    const [only] = items
    if (items.length > 1) for (const item of items) await storeOrRecord(context, [item], take, describe)
    else if (only !== undefined) {
      const object = describe(only)
      context.log.warn({ err: error, object: object.name }, 'a calendar object could not be stored')
      await recordUnreadable(context, object, toUnreadableReason(error))
    }
  }
}

type Field = keyof Entry

const isShared = (field: Field): field is SharedField => field !== 'extra'

/** These fields are merged together: the end of one version may be before the start of the other. */
const TOGETHER: readonly (readonly Field[])[] = [
  ['start', 'end', 'allDay', 'timezone', 'recurrence', 'exdates', 'rdates'],
  ['organizer', 'attendees'],
]
const SINGLE = SHARED_FIELDS.filter((field) => field !== 'uid' && !TOGETHER.flat().includes(field))
const GROUPS: readonly (readonly Field[])[] = [...TOGETHER, ...SINGLE.map((field) => [field]), ['extra']]

const agree = (a: Entry, b: Entry, fields: readonly Field[]): boolean =>
  fields.every((field) => isSameJson(a[field], b[field]))

const isSameEntry = (a: Entry, b: Entry): boolean => GROUPS.every((fields) => agree(a, b, fields))

const nameOf = ({ recurrenceId }: Entry): string => recurrenceId ?? ''
const byName = (entries: readonly Entry[]) => new Map(entries.map((entry) => [nameOf(entry), entry]))

/** Whether two versions of one UID have the same content, regardless of their revisions. */
export const areSame = (a: readonly Entry[], b: readonly Entry[]): boolean => {
  const others = byName(b)
  return (
    a.length === b.length &&
    a.every((entry) => {
      const other = others.get(nameOf(entry))
      return other !== undefined && isSameEntry(entry, other)
    })
  )
}

/** Keeps the local changes of fields that did not change on the server. */
const mergeOne = (base: Entry, mine: Entry, theirs: Entry): Entry => {
  let merged = theirs
  for (const fields of GROUPS)
    if (!agree(mine, base, fields) && agree(theirs, base, fields))
      merged = { ...merged, ...Object.fromEntries(fields.map((field) => [field, mine[field]])) }
  return { ...merged, sequence: Math.max(mine.sequence, theirs.sequence) }
}

/** Fields with different changes on both sides. The server's values win. */
const lostFields = (base: Entry, mine: Entry, theirs: Entry): Field[] =>
  GROUPS.filter(
    (fields) => !agree(mine, base, fields) && !agree(theirs, base, fields) && !agree(mine, theirs, fields),
  ).flat()

/** Lists the local changes that `mergeEntries` drops. Changes of `extra` are not reported. */
const lostChanges = (
  base: readonly Entry[],
  mine: readonly Entry[],
  theirs: readonly Entry[],
): LostChange[] => {
  const [before, there] = [byName(base), byName(theirs)]
  return mine.flatMap((own) => {
    const [known, other] = [before.get(nameOf(own)), there.get(nameOf(own))]
    const fields = known && other ? lostFields(known, own, other).filter(isShared) : []
    return fields.length === 0 ? [] : { recurrenceId: own.recurrenceId, fields, mine: own }
  })
}

/**
 * Merges two versions of an event since their last common version. The server wins if both changed the same
 * field. An event deleted on one side and changed on the other stays.
 */
export const mergeEntries = (
  base: readonly Entry[],
  mine: readonly Entry[],
  theirs: readonly Entry[],
): Entry[] => {
  const [before, local, remote] = [base, mine, theirs].map(byName) as [
    Map<string, Entry>,
    Map<string, Entry>,
    Map<string, Entry>,
  ]
  return [...new Set([...remote.keys(), ...local.keys()])].flatMap((name) => {
    const [known, own, other] = [before.get(name), local.get(name), remote.get(name)]
    if (own && other) return [mergeOne(known ?? other, own, other)]
    const left = (own ?? other) as Entry
    return known && isSameEntry(known, left) ? [] : [left]
  })
}

type SyncContext = { mirrored: MirroredEvents; store: CalendarStore; userId: number; accountId: string }

/** Also reports local changes that were lost. */
type StoreContext = SyncContext &
  Pick<Session, 'db' | 'clock' | 'log' | 'signal' | 'readerVersion' | 'reportLost'>

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8')

/**
 * Removes a placement. Deletes the event too, unless it has another placement. The event is then in the calendar of that
 * one. An event that was moved to another calendar stays.
 */
export const removePlacement = async (
  tx: Db,
  { mirrored, store, userId, accountId }: SyncContext,
  placement: PlacementRecord,
): Promise<void> => {
  const { id, uid, calendarId, leaving } = placement
  await deletePlacement(tx, id)
  if (leaving === 1) return
  const [other] = (await listPlacesOf(tx, userId, uid)).filter((place) => place.leaving === 0)
  if (!other) {
    await mirrored.remove(tx, userId, uid)
    return deletePush(tx, accountId, uid)
  }
  const current = (await listEventCalendars(tx, userId, [uid])).get(uid)
  if (current?.remoteCalendarId !== calendarId) return
  const push = await findPush(tx, accountId, uid)
  await mirrored.moveTo(tx, userId, uid, await store.idOfRemote(tx, userId, other.calendarId))
  // The server has moved the event by itself, so that there is nothing to send.
  if (!push) await deletePush(tx, accountId, uid)
}

/**
 * Returns whether the server has an event that is in another calendar here, and nobody has moved it. That is so if the
 * event was local, or if its former place no longer exists.
 */
const isElsewhere = async (
  tx: Db,
  userId: number,
  uid: string,
  { calendarId, remoteCalendarId }: EventCalendar,
  found: number,
): Promise<boolean> => {
  if (calendarId === found) return false
  const places = await listPlacesOf(tx, userId, uid)
  return (
    !places.some((place) => place.leaving === 1 || place.calendarId === remoteCalendarId) &&
    (await listPushesOf(tx, userId, [uid])).length === 0
  )
}

const describeSkipped = ([title]: readonly string[]): string | null =>
  title === undefined
    ? null
    : `“${title.slice(0, 200)}” was skipped: another event in the same object on the server has its UID and the same or a later revision.`

/**
 * Returns the local UID of an object. Another object of the calendar may have the same UID, although RFC
 * 4791, 5.3.2.1 forbids it. The object then becomes a separate event, unless both have the same content or
 * one replaces the other.
 */
const localUid = async (
  tx: Db,
  { mirrored, userId }: Pick<SyncContext, 'mirrored' | 'userId'>,
  object: {
    calendarId: number
    href: string
    before: PlacementRecord | undefined
    entries: readonly Entry[]
    gone: ReadonlySet<string>
  },
): Promise<string> => {
  const { calendarId, href, before, entries, gone } = object
  const uid = entries[0]?.uid ?? ''
  const separate = mirrored.separateUid(uid, href)
  if (before?.uid === separate) return separate
  const known = (await listSharing(tx, calendarId, uid, mirrored.separateRange(uid))).filter(
    (one) => one.uid === uid || mirrored.serverUid(one.uid) === uid,
  )
  const sharing = known.filter((one) => !gone.has(one.href))
  if (sharing.find((one) => one.uid === uid)?.href === href) return uid
  const others = sharing.filter((one) => one.href !== href && one.body !== '')
  for (const other of others)
    if (mirrored.haveSameContent(await mirrored.read(userId, bytesOf(other.body)), entries)) return other.uid
  const renamed = known.find((one) => gone.has(one.href))
  if (!before && renamed) return renamed.uid
  return others.some((one) => one.uid === uid) ? separate : uid
}

/** A server may write the time zone in other words, and a person may want an alarm there. */
const MIRRORED_FIELDS = SHARED_FIELDS.filter((field) => !['uid', 'timezone', 'reminders'].includes(field))

const showsSame = (a: readonly Entry[], b: readonly Entry[]): boolean => {
  const others = byName(b)
  return (
    a.length === b.length &&
    a.every((entry) => {
      const other = others.get(nameOf(entry))
      return other !== undefined && agree(entry, other, MIRRORED_FIELDS)
    })
  )
}

/**
 * Handles the server's version of an event that is shown from another calendar, or was until now. Such an event follows
 * its original: a change on the server is overwritten. Returns false for every other event.
 */
const keepMirrored = async (
  tx: Db,
  { mirrored, userId, accountId, clock }: StoreContext,
  place: Parameters<typeof savePlacement>[1] & { mine: readonly Entry[]; theirs: readonly Entry[] },
): Promise<boolean> => {
  const { mine, theirs, ...placement } = place
  const { uid } = placement
  const isRemoved =
    mine.length === 0 && mirrored.isMirroredUid(uid) && (await findPush(tx, accountId, uid)) !== undefined
  if (isRemoved) await savePlacement(tx, placement)
  if (isRemoved || !(await mirrored.has(tx, userId, uid))) return isRemoved
  await savePlacement(tx, placement)
  const isSame = showsSame(await mirrored.normalize(userId, mine), await mirrored.normalize(userId, theirs))
  if (isSame) await deletePush(tx, accountId, uid)
  else await queuePushes(tx, [{ accountId, uid }], clock.now().toISOString())
  return true
}

/** Stores the server's version of one UID, merged with the local changes since the last sync. */
const storeObject = async (
  tx: Db,
  context: StoreContext,
  calendarId: number,
  { href, etag, body }: RemoteObject,
  { entries, remark, gone }: { entries: readonly Entry[]; remark: string | null; gone: ReadonlySet<string> },
): Promise<void> => {
  const { mirrored, store, userId, accountId, reportLost } = context
  const before = await findPlacement(tx, calendarId, href)
  const uid = await localUid(tx, { mirrored, userId }, { calendarId, href, before, entries, gone })
  const namedEntries = entries.map((entry) => ({ ...entry, uid }))
  if (before && before.uid !== uid) await removePlacement(tx, { mirrored, store, userId, accountId }, before)
  // Lock the event before checking for local changes, so that nobody changes it in between.
  const mine = await mirrored.lock(tx, userId, uid)
  const place = { accountId, calendarId, href, uid, etag, body, remark }
  if (await keepMirrored(tx, context, { ...place, mine, theirs: namedEntries })) return
  const push = await findPush(tx, accountId, uid)
  const isLeaving = before?.leaving === 1
  const isMerged = push !== undefined || isLeaving
  const theirs = isMerged ? await mirrored.normalize(userId, namedEntries) : namedEntries
  let wanted = theirs
  let lost: LostChange[] = []
  let isDeletion = false
  if (isMerged) {
    const known = before?.body
      ? await mirrored.normalize(userId, await mirrored.read(userId, bytesOf(before.body)))
      : theirs
    const own = await mirrored.normalize(userId, mine)
    wanted = mergeEntries(known, own, theirs)
    lost = lostChanges(known, own, theirs)
    isDeletion = mine.length === 0 && wanted.length > 0 && before !== undefined && before.body !== ''
  }
  await savePlacement(tx, place)
  const ownCalendarId = await store.idOfRemote(tx, userId, calendarId)
  const current = (await listEventCalendars(tx, userId, [uid])).get(uid)
  const isMoved = current !== undefined && (await isElsewhere(tx, userId, uid, current, ownCalendarId))
  await mirrored.adopt(tx, userId, wanted, { source: 'caldav', calendarId: ownCalendarId })
  if (isMoved) await mirrored.moveTo(tx, userId, uid, ownCalendarId)
  // The event was deleted here and is restored in this calendar.
  if (isLeaving && mine.length === 0) await keepPlacement(tx, calendarId, href)
  if (lost.length > 0 || isDeletion) await reportLost(tx, uid, { lost, isDeletion })
  // No push is necessary if the result is the server's version.
  if (isLeaving) return
  if (!push || areSame(wanted, theirs)) await deletePush(tx, accountId, uid)
  else if (push.tryAt === HELD) await holdPush(tx, accountId, uid)
}

interface TakenObject {
  object: RemoteObject
  entries: Entry[]
  remark: string | null
  uid: string
}

/** Parses objects. Records those that cannot be parsed. */
const readAll = async (
  context: StoreContext,
  calendarId: number,
  objects: readonly RemoteObject[],
): Promise<TakenObject[]> => {
  const taken: TakenObject[] = []
  const readable: string[] = []
  const describe = ({ href: name, etag, body }: RemoteObject) => ({ calendarId, name, etag, body })
  const readOne = async (object: RemoteObject): Promise<void> => {
    const {
      entries: read,
      superseded,
      faults,
    } = await context.mirrored.readObject(context.userId, bytesOf(object.body))
    const [fault] = faults
    if (fault === undefined) readable.push(object.href)
    else await recordUnreadable(context, describe(object), fault)
    const uid = read[0]?.uid
    // An object may contain only tasks or journal entries.
    if (uid === undefined) return
    const entries = read.filter((entry) => entry.uid === uid)
    taken.push({ object, uid, entries, remark: describeSkipped(superseded) })
  }
  for (const object of objects) await storeOrRecord(context, [object], () => readOne(object), describe)
  if (readable.length > 0) await inTransaction(context.db, (tx) => deleteUnreadable(tx, calendarId, readable))
  return taken
}

/**
 * Stores objects of the server. Records those that cannot be parsed or stored, and continues with the rest.
 */
export const storeObjects = async (
  context: StoreContext,
  { id: calendarId }: CalendarRecord,
  objects: readonly RemoteObject[],
  gone: ReadonlySet<string> = new Set(),
): Promise<void> => {
  const taken = await readAll(context, calendarId, objects)
  // Use one order in all transactions to prevent deadlocks.
  taken.sort((a, b) => (a.uid < b.uid ? -1 : 1))
  await storeOrRecord(
    context,
    taken,
    (some) =>
      context.mirrored.change(async (tx) => {
        for (const { object, entries, remark } of some)
          await storeObject(tx, context, calendarId, object, { entries, remark, gone })
      }),
    ({ object: { href: name, etag, body } }) => ({ calendarId, name, etag, body }),
  )
}

/**
 * Handles an object that was deleted on the server. If the event has local changes, it is created there
 * again.
 */
export const handleRemoteDeletion = async (
  { mirrored, store, userId, accountId, clock }: SyncContext & Pick<Session, 'clock'>,
  calendarId: number,
  href: string,
): Promise<void> => {
  await mirrored.change(async (tx) => {
    await deleteUnreadable(tx, calendarId, [href])
    const placement = await findPlacement(tx, calendarId, href)
    if (!placement) return
    if (placement.leaving === 1) return deletePlacement(tx, placement.id)
    const mine = await mirrored.lock(tx, userId, placement.uid)
    // An event that is shown from another calendar is deleted with its original.
    if (await mirrored.has(tx, userId, placement.uid))
      await queuePushes(tx, [{ accountId, uid: placement.uid }], clock.now().toISOString())
    const isChangedHere = mine.length > 0 && (await findPush(tx, accountId, placement.uid)) !== undefined
    if (isChangedHere) await savePlacement(tx, { ...placement, etag: '', body: '' })
    else await removePlacement(tx, { mirrored, store, userId, accountId }, placement)
  })
}

/**
 * Handles an object of a calendar that is no longer followed. Events with unsent changes stay as local
 * events.
 */
export const releaseObject = async (
  { mirrored, store, userId, accountId }: SyncContext,
  calendarId: number,
  href: string,
): Promise<void> => {
  await mirrored.change(async (tx) => {
    const placement = await findPlacement(tx, calendarId, href)
    if (!placement) return
    if (placement.leaving === 1) return deletePlacement(tx, placement.id)
    await mirrored.lock(tx, userId, placement.uid)
    if ((await findPush(tx, accountId, placement.uid)) === undefined)
      return removePlacement(tx, { mirrored, store, userId, accountId }, placement)
    await deletePlacement(tx, placement.id)
    await deletePush(tx, accountId, placement.uid)
  })
}
