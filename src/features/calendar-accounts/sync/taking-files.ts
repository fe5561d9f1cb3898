import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { CalendarObject, CalendarText } from '../../calendar/icalendar/objects.ts'
import { FILE_HREF } from '../address.ts'
import {
  type CalendarRecord,
  deleteCalendar,
  everyPlacement,
  listCalendars,
  listLeaving,
  listVersions,
  type PlacementRecord,
  saveCalendar,
  savePlacements,
} from './placement-store.ts'
import type { Session } from './session.ts'
import { leave } from './taking.ts'
import { noteUnreadable, takeOrNote } from './unreadable-objects.ts'
import { deleteAllUnreadable } from './unreadable-store.ts'

/** Written together: nobody else waits long to write. */
const AT_ONCE = 50

type Here = Pick<
  Session,
  'db' | 'clock' | 'log' | 'mirrored' | 'accountId' | 'readerVersion' | 'signal' | 'note'
>

/** The one calendar that a file is, wherever it was published before. */
const calendarOf = async ({ db, accountId }: Here, name: string): Promise<CalendarRecord> => {
  const [known] = await listCalendars(db, accountId)
  const href = known?.href ?? FILE_HREF
  await inTransaction(db, (tx) =>
    saveCalendar(tx, accountId, { href, name, colour: null, isWritable: false }),
  )
  const calendars = await listCalendars(db, accountId)
  return calendars.find((calendar) => calendar.href === href) as CalendarRecord
}

/** What came here in another way is not the publisher's to change. */
const changeable = async (
  tx: Db,
  { mirrored }: Here,
  calendarId: number,
  objects: readonly CalendarObject[],
): Promise<CalendarObject[]> => {
  const uids = objects.map(({ uid }) => uid)
  const held = await mirrored.holdAll(tx, uids)
  if (held.size === 0) return [...objects]
  const ours = new Set((await listVersions(tx, calendarId, uids)).map(({ href }) => href))
  const leaving = new Set(await listLeaving(tx, uids))
  return objects.filter(({ uid }) => !held.has(uid) || ours.has(uid) || leaving.has(uid))
}

const takeSome = async (
  tx: Db,
  here: Here,
  calendarId: number,
  objects: readonly CalendarObject[],
): Promise<void> => {
  const { mirrored, accountId } = here
  const taken = await changeable(tx, here, calendarId, objects)
  if (taken.length === 0) return
  await savePlacements(
    tx,
    taken.map(({ uid, body }) => ({ accountId, calendarId, href: uid, uid, etag: '', body })),
  )
  const told = taken.flatMap((object) => object.told)
  await mirrored.adopt(
    tx,
    told.flatMap((one) => (one.kind === 'entry' ? [one.entry] : [])),
    'ics',
  )
}

const leaveAll = async (here: Here, placements: readonly PlacementRecord[]): Promise<void> => {
  const { signal } = here
  for (let at = 0; at < placements.length; at += AT_ONCE) {
    signal.throwIfAborted()
    await here.mirrored.change(async (tx) => {
      for (const placement of placements.slice(at, at + AT_ONCE)) await leave(tx, here, placement)
    })
  }
}

/** What a published file says is here afterwards, and nothing that it says no longer. */
export const takeFile = async (
  here: Here,
  { name, objects, unreadable }: Pick<CalendarText, 'objects' | 'unreadable'> & { name: string },
): Promise<void> => {
  const { db, accountId, signal } = here
  const calendar = await calendarOf(here, name)
  const known = new Map<string, string>()
  const gone: PlacementRecord[] = []
  // What cannot be read any more stays as it was.
  const there = new Set([...objects.map(({ uid }) => uid), ...unreadable.map((event) => event.name)])
  for await (const placement of everyPlacement(db, calendar.id))
    if (there.has(placement.href)) known.set(placement.href, placement.body)
    else gone.push(placement)
  const news = objects.filter(({ uid, body }) => known.get(uid) !== body)
  await here.note({ total: news.length })
  await inTransaction(db, (tx) => deleteAllUnreadable(tx, calendar.id))
  for (const { name: uid, reason, body } of unreadable)
    await noteUnreadable(here, { calendarId: calendar.id, name: uid, etag: '', body }, reason)
  for (let at = 0; at < news.length; at += AT_ONCE) {
    signal.throwIfAborted()
    await takeOrNote(
      here,
      news.slice(at, at + AT_ONCE),
      (some) => here.mirrored.change((tx) => takeSome(tx, here, calendar.id, some)),
      ({ uid, body }) => ({ calendarId: calendar.id, name: uid, etag: '', body }),
    )
    await here.note({ done: Math.min(AT_ONCE, news.length - at) })
  }
  await leaveAll(here, gone)
  // One for each address that it had was how it was once kept.
  for (const former of await listCalendars(db, accountId)) {
    if (former.id === calendar.id) continue
    await leaveAll(here, await Array.fromAsync(everyPlacement(db, former.id)))
    await inTransaction(db, (tx) => deleteCalendar(tx, former.id))
  }
}
