import type { Db } from '../../../../database/db.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import { AppError, conflict } from '../../../../platform/errors.ts'
import { type EventCalendar, listEventCalendars } from '../../calendars/repository.ts'
import type { Entry } from '../../ical/entry.ts'
import type { AccountRecord } from '../repository.ts'
import { handleRemoteDeletion, storeObjects } from './remote-objects.ts'
import {
  type CalendarRecord,
  completePush,
  deletePlacement,
  findPush,
  listCalendars,
  listPlacements,
  listPlacesOf,
  listPushes,
  type PlacementRecord,
  type PushRecord,
  queuePushes,
  savePlacement,
  savePushFailure,
} from './repository.ts'
import type { Session } from './session.ts'

const BATCH_SIZE = 100
/** Limit of conflicts with server changes before a push has to wait. */
const MAX_COLLISIONS = 4
const FIRST_WAIT_MS = 60_000
const MAX_WAIT_MS = 6 * 3_600_000

/** Whether the error concerns only this change, not the connection. */
const isChangeError = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === 'conflict' || error.details.failure?.step === 'command')

const nameFor = (calendar: CalendarRecord, uid: string): string =>
  new URL(`${encodeURIComponent(uid)}.ics`, calendar.href).href

const takesNew = ({ followed, writable }: CalendarRecord): boolean => followed === 1 && writable === 1

/** Returns false if the selected calendar for new events no longer accepts events. */
export const hasChosenCalendar = async (
  db: Db,
  { id, newEventsCalendarId }: AccountRecord,
): Promise<boolean> =>
  newEventsCalendarId === null ||
  (await listCalendars(db, id)).some((calendar) => calendar.id === newEventsCalendarId && takesNew(calendar))

/** The data of one event for a push. */
interface PushInput {
  /** Empty if the event was deleted. */
  entries: Entry[]
  /** The calendar of the event, on this account or elsewhere. */
  target: EventCalendar | undefined
  /** The places that hold the event, latest first. */
  staying: PlacementRecord[]
  /** The places that the event was moved away from. */
  leaving: PlacementRecord[]
  calendars: CalendarRecord[]
}

const readPushInput = async (
  { db, mirrored, userId, accountId }: Session,
  uid: string,
): Promise<PushInput> => {
  const { entries, target } = await mirrored.change(async (tx) => ({
    entries: await mirrored.lock(tx, userId, uid),
    target: (await listEventCalendars(tx, userId, [uid])).get(uid),
  }))
  const placements = await listPlacements(db, accountId, uid)
  return {
    entries,
    target,
    staying: placements.filter(({ leaving }) => leaving === 0),
    leaving: placements.filter(({ leaving }) => leaving === 1),
    calendars: await listCalendars(db, accountId),
  }
}

/** Merges the server's version after a conflict. */
const mergeRemote = async (session: Session, calendar: CalendarRecord, href: string): Promise<void> => {
  const objects = await session.server.read(calendar.href, [href], session.signal)
  if (objects.length > 0) await storeObjects(session, calendar, objects)
  else await handleRemoteDeletion(session, calendar.id, href)
}

/** Deletes an object from the server. Returns false if the server had changed it, and its version was merged. */
const removeObject = async (
  session: Session,
  placement: PlacementRecord,
  calendars: readonly CalendarRecord[],
): Promise<boolean> => {
  const { db, server, signal } = session
  const written = await server.remove(placement.href, placement.etag, signal)
  if (written.kind === 'changed') {
    const calendar = calendars.find(({ id }) => id === placement.calendarId) as CalendarRecord
    await mergeRemote(session, calendar, placement.href)
    return false
  }
  await inTransaction(db, (tx) => deletePlacement(tx, placement.id))
  return true
}

/** Returns where the event is written on this account; undefined if it does not belong here. */
const findDestination = (
  { accountId }: Session,
  { target, staying, calendars }: PushInput,
): { calendar: CalendarRecord; placement: PlacementRecord | undefined } | undefined => {
  const isHere = target?.accountId === accountId
  const own = isHere ? staying.find(({ calendarId }) => calendarId === target.remoteCalendarId) : undefined
  const placement = own ?? staying[0]
  if (!placement && !isHere) return undefined
  const calendarId = placement?.calendarId ?? target?.remoteCalendarId
  const calendar = calendars.find(({ id }) => id === calendarId)
  if (!calendar || (!placement && calendar.followed === 0))
    throw conflict('No calendar of this account accepts new events.')
  if (calendar.writable === 0) throw conflict(`The calendar “${calendar.name}” is read-only.`)
  return { calendar, placement }
}

/** Writes the event to the server. Returns false if the server had changed it, and its version was merged. */
const writeObject = async (
  session: Session,
  uid: string,
  entries: readonly Entry[],
  { calendar, placement }: { calendar: CalendarRecord; placement: PlacementRecord | undefined },
): Promise<boolean> => {
  const { db, clock, mirrored, server, signal, userId, accountId } = session
  const href = placement?.href ?? nameFor(calendar, uid)
  // A separated duplicate has its own local UID. The server expects the original UID.
  const serverEntries = placement
    ? entries.map((entry) => ({ ...entry, uid: mirrored.serverUid(entry.uid) }))
    : entries
  const body = await mirrored.text(userId, serverEntries, placement?.body ?? '')
  const replacing = placement?.etag ? { etag: placement.etag } : 'nothing'
  const written = await server.write(href, body, replacing, signal)
  if (written.kind === 'changed') {
    await mergeRemote(session, calendar, href)
    return false
  }
  await inTransaction(db, async (tx) => {
    const place = { accountId, calendarId: calendar.id, href: written.href }
    await savePlacement(tx, { ...place, uid, etag: written.etag ?? '', body })
    if (placement) return
    // Other servers delete the event only now, so that it is never lost.
    const left = (await listPlacesOf(tx, userId, uid)).filter(
      (other) => other.leaving === 1 && other.accountId !== accountId,
    )
    for (const other of new Set(left.map((one) => one.accountId))) {
      await queuePushes(tx, [{ accountId: other, uid }], clock.now().toISOString())
      await session.wake(tx, other)
    }
  })
  return true
}

/** Whether the event is stored in its calendar, so that its former places can be deleted. */
const isStored = async (
  { db, userId }: Session,
  uid: string,
  target: EventCalendar | undefined,
): Promise<boolean> =>
  target === undefined ||
  target.remoteCalendarId === null ||
  (await listPlacesOf(db, userId, uid)).some(
    ({ calendarId, leaving }) => calendarId === target.remoteCalendarId && leaving === 0,
  )

/** Sends one event. Returns true if the server has the current version. */
const pushEvent = async (session: Session, uid: string): Promise<boolean> => {
  const { db, accountId } = session
  // Read the push again: merging with the server's version also counts as a change.
  const push = await findPush(db, accountId, uid)
  if (!push) return true
  const input = await readPushInput(session, uid)
  const { entries, target, staying, leaving, calendars } = input
  const removed = entries.length === 0 ? [...staying.slice(0, 1), ...leaving] : leaving
  const destination = entries.length === 0 ? undefined : findDestination(session, input)
  if (destination && !(await writeObject(session, uid, entries, destination))) return false
  if (removed.length > 0 && (await isStored(session, uid, target)))
    for (const placement of removed) if (!(await removeObject(session, placement, calendars))) return false
  await inTransaction(db, (tx) => completePush(tx, push))
  return true
}

const pushOrPostpone = async (session: Session, push: PushRecord): Promise<void> => {
  const { db, clock } = session
  try {
    for (let collisions = 0; !(await pushEvent(session, push.uid)); collisions++)
      if (collisions === MAX_COLLISIONS) throw conflict('The event keeps changing on the server.')
  } catch (error) {
    if (!isChangeError(error)) throw error
    const attempts = push.attempts + 1
    const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 12))
    const tryAt = new Date(clock.now().getTime() + waitMs).toISOString()
    await inTransaction(db, (tx) => savePushFailure(tx, push, { attempts, tryAt, error: error.message }))
  }
}

/** Sends all local changes to the server. */
export const push = async (session: Session): Promise<void> => {
  const { db, clock, accountId, signal } = session
  for (let after = ''; ; ) {
    const pushes = await listPushes(db, accountId, after, BATCH_SIZE)
    for (const one of pushes) {
      signal.throwIfAborted()
      if (one.tryAt === null || one.tryAt <= clock.now().toISOString()) await pushOrPostpone(session, one)
    }
    const last = pushes.at(-1)
    if (!last || pushes.length < BATCH_SIZE) return
    after = last.uid
  }
}
