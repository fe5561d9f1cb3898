import type { Db } from '../../../../database/db.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import { AppError, conflict } from '../../../../platform/errors.ts'
import type { Entry } from '../../ical/entry.ts'
import { type AccountRecord, findAccount } from '../repository.ts'
import type { Session } from './account-sync.ts'
import { handleRemoteDeletion, storeObjects } from './remote-objects.ts'
import {
  type CalendarRecord,
  completePush,
  deletePlacement,
  findPlaced,
  findPush,
  listCalendars,
  listPushes,
  type PlacementRecord,
  type PushRecord,
  savePlacement,
  savePushFailure,
} from './repository.ts'

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

interface PushInput {
  entries: Entry[]
  placement: PlacementRecord | undefined
  calendar: CalendarRecord
}

const takesNew = ({ followed, writable }: CalendarRecord): boolean => followed === 1 && writable === 1

/** Returns the selected calendar if it accepts events, otherwise the first that does. */
const calendarForNew = async (
  db: Db,
  accountId: string,
  calendars: readonly CalendarRecord[],
): Promise<CalendarRecord | undefined> => {
  const open = calendars.filter(takesNew)
  const chosen = (await findAccount(db, accountId))?.newEventsCalendarId
  return open.find(({ id }) => id === chosen) ?? open[0]
}

/** Returns false if the selected calendar for new events no longer accepts events. */
export const hasChosenCalendar = async (
  db: Db,
  { id, newEventsCalendarId }: AccountRecord,
): Promise<boolean> =>
  newEventsCalendarId === null ||
  (await listCalendars(db, id)).some((calendar) => calendar.id === newEventsCalendarId && takesNew(calendar))

/** Collects the data for a push. Returns undefined if there is nothing to send. */
const readPushInput = async (
  { db, mirrored, accountId }: Session,
  uid: string,
): Promise<PushInput | undefined> => {
  const entries = await mirrored.change((tx) => mirrored.lock(tx, uid))
  const placement = await findPlaced(db, accountId, uid)
  if (!placement && entries.length === 0) return undefined
  const calendars = await listCalendars(db, accountId)
  const calendar = placement
    ? calendars.find(({ id }) => id === placement.calendarId)
    : await calendarForNew(db, accountId, calendars)
  if (!calendar) throw conflict('No calendar of this account accepts new events.')
  if (calendar.writable === 0) throw conflict(`The calendar “${calendar.name}” is read-only.`)
  return { entries, placement, calendar }
}

/** Merges the server's version after a conflict. */
const mergeRemote = async (session: Session, calendar: CalendarRecord, href: string): Promise<void> => {
  const objects = await session.server.read(calendar.href, [href], session.signal)
  if (objects.length > 0) await storeObjects(session, calendar, objects)
  else await handleRemoteDeletion(session, calendar.id, href)
}

/** Sends one event. Returns true if the server has the current version. */
const pushEvent = async (session: Session, uid: string): Promise<boolean> => {
  const { db, mirrored, server, signal, accountId } = session
  // Read the push again: merging with the server's version also counts as a change.
  const push = await findPush(db, accountId, uid)
  if (!push) return true
  const input = await readPushInput(session, uid)
  if (!input) {
    await inTransaction(db, (tx) => completePush(tx, push))
    return true
  }
  const { entries, placement, calendar } = input
  const href = placement?.href ?? nameFor(calendar, uid)
  if (entries.length === 0 && placement) {
    const written = await server.remove(href, placement.etag, signal)
    if (written.kind === 'changed') {
      await mergeRemote(session, calendar, href)
      return false
    }
    await inTransaction(db, async (tx) => {
      await deletePlacement(tx, placement.id)
      await completePush(tx, push)
    })
    return true
  }
  // A separated duplicate has its own local UID. The server expects the original UID.
  const serverEntries = placement
    ? entries.map((entry) => ({ ...entry, uid: mirrored.serverUid(entry.uid) }))
    : entries
  const body = await mirrored.text(serverEntries, placement?.body ?? '')
  const replacing = placement?.etag ? { etag: placement.etag } : 'nothing'
  const written = await server.write(href, body, replacing, signal)
  if (written.kind === 'changed') {
    await mergeRemote(session, calendar, href)
    return false
  }
  await inTransaction(db, async (tx) => {
    const place = { accountId, calendarId: calendar.id, href: written.href }
    await savePlacement(tx, { ...place, uid, etag: written.etag ?? '', body })
    await completePush(tx, push)
  })
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
