import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { AppError, conflict } from '../../../platform/errors.ts'
import { originalUid } from '../../calendar/icalendar/duplicate-uids.ts'
import type { Entry } from '../../calendar/icalendar/entry.ts'
import { type AccountRecord, findAccount } from '../store.ts'
import {
  type CalendarRecord,
  deletePlacement,
  findPlaced,
  listCalendars,
  type PlacementRecord,
  savePlacement,
} from './placement-store.ts'
import { findPush, listPushes, notePushFailure, type PushRecord, settlePush } from './push-store.ts'
import type { Session } from './session.ts'
import { loseObject, takeObjects } from './taking.ts'

const AT_ONCE = 100
/** How often one change meets another on the server before it has to wait. */
const MOST_COLLISIONS = 4
const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 6 * 3_600_000

/** Whether this one change cannot be told, and not that nobody listens. */
const isAboutOne = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === 'conflict' || error.details.failure?.step === 'command')

const nameFor = (calendar: CalendarRecord, uid: string): string =>
  new URL(`${encodeURIComponent(uid)}.ics`, calendar.href).href

interface Wish {
  entries: Entry[]
  placement: PlacementRecord | undefined
  calendar: CalendarRecord
}

const takesNew = ({ followed, writable }: CalendarRecord): boolean => followed === 1 && writable === 1

/** The one that was chosen, as long as it takes events; otherwise the first that does. */
const calendarForNew = async (
  db: Db,
  accountId: string,
  calendars: readonly CalendarRecord[],
): Promise<CalendarRecord | undefined> => {
  const open = calendars.filter(takesNew)
  const chosen = (await findAccount(db, accountId))?.newEventsCalendarId
  return open.find(({ id }) => id === chosen) ?? open[0]
}

/** False when a calendar was chosen for new events and takes none any more. */
export const hasChosenCalendar = async (
  db: Db,
  { id, newEventsCalendarId }: AccountRecord,
): Promise<boolean> =>
  newEventsCalendarId === null ||
  (await listCalendars(db, id)).some((calendar) => calendar.id === newEventsCalendarId && takesNew(calendar))

/** What is to be told, and where; undefined when there is nothing to tell. */
const wishOf = async ({ db, mirrored, accountId }: Session, uid: string): Promise<Wish | undefined> => {
  const entries = await mirrored.change((tx) => mirrored.hold(tx, uid))
  const placement = await findPlaced(db, accountId, uid)
  if (!placement && entries.length === 0) return undefined
  const calendars = await listCalendars(db, accountId)
  const calendar = placement
    ? calendars.find(({ id }) => id === placement.calendarId)
    : await calendarForNew(db, accountId, calendars)
  if (!calendar) throw conflict('There is no calendar at this account that takes new events.')
  if (calendar.writable === 0) throw conflict(`“${calendar.name}” may be read, but not changed.`)
  return { entries, placement, calendar }
}

/** Somebody else was there first: their version is joined with ours. */
const meet = async (session: Session, calendar: CalendarRecord, href: string): Promise<void> => {
  const objects = await session.server.read(calendar.href, [href], session.signal)
  if (objects.length > 0) await takeObjects(session, calendar, objects)
  else await loseObject(session, calendar.id, href)
}

/** True when the server knows what is here. */
const tell = async (session: Session, uid: string): Promise<boolean> => {
  const { db, mirrored, server, signal, accountId } = session
  // As it is by now: joining it with what came from the server counts as a change too.
  const push = await findPush(db, accountId, uid)
  if (!push) return true
  const wish = await wishOf(session, uid)
  if (!wish) {
    await inTransaction(db, (tx) => settlePush(tx, push))
    return true
  }
  const { entries, placement, calendar } = wish
  const href = placement?.href ?? nameFor(calendar, uid)
  if (entries.length === 0 && placement) {
    const written = await server.remove(href, placement.etag, signal)
    if (written.kind === 'changed') {
      await meet(session, calendar, href)
      return false
    }
    await inTransaction(db, async (tx) => {
      await deletePlacement(tx, placement.id)
      await settlePush(tx, push)
    })
    return true
  }
  // An event that is kept apart here has its own UID; the server knows it by the one that it gave.
  const told = placement ? entries.map((entry) => ({ ...entry, uid: originalUid(entry.uid) })) : entries
  const body = mirrored.text(told, placement?.body ?? '')
  const replacing = placement?.etag ? { etag: placement.etag } : 'nothing'
  const written = await server.write(href, body, replacing, signal)
  if (written.kind === 'changed') {
    await meet(session, calendar, href)
    return false
  }
  await inTransaction(db, async (tx) => {
    const place = { accountId, calendarId: calendar.id, href: written.href }
    await savePlacement(tx, { ...place, uid, etag: written.etag ?? '', body })
    await settlePush(tx, push)
  })
  return true
}

const tellOne = async (session: Session, push: PushRecord): Promise<void> => {
  const { db, clock } = session
  try {
    for (let collisions = 0; !(await tell(session, push.uid)); collisions++)
      if (collisions === MOST_COLLISIONS) throw conflict('It is being changed on the server all the time.')
  } catch (error) {
    if (!isAboutOne(error)) throw error
    const attempts = push.attempts + 1
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 12))
    const tryAt = new Date(clock.now().getTime() + waitMs).toISOString()
    await inTransaction(db, (tx) => notePushFailure(tx, push, { attempts, tryAt, error: error.message }))
  }
}

/** The server knows afterwards what was changed here. */
export const push = async (session: Session): Promise<void> => {
  const { db, clock, accountId, signal } = session
  for (let after = ''; ; ) {
    const pushes = await listPushes(db, accountId, after, AT_ONCE)
    for (const one of pushes) {
      signal.throwIfAborted()
      if (one.tryAt === null || one.tryAt <= clock.now().toISOString()) await tellOne(session, one)
    }
    const last = pushes.at(-1)
    if (!last || pushes.length < AT_ONCE) return
    after = last.uid
  }
}
