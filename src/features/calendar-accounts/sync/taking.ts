import type { Db } from '../../../database/db.ts'
import { HELD } from '../../../database/tables/calendar-accounts.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Entry } from '../../calendar/icalendar/entry.ts'
import type { LostChange } from '../../calendar/imports/conflict-journal.ts'
import type { MirroredEvents } from '../../calendar/imports/mirrored-events.ts'
import type { RemoteObject } from '../calendar-server.ts'
import { areSame, lostChanges, mergeEntries } from './merging.ts'
import {
  type CalendarRecord,
  deletePlacement,
  findPlacement,
  listPlacedAt,
  listSharing,
  type PlacementRecord,
  savePlacement,
} from './placement-store.ts'
import { dropPush, findPush, holdPush } from './push-store.ts'
import type { Session } from './session.ts'
import { noteUnreadable, takeOrNote } from './unreadable-objects.ts'
import { deleteUnreadable } from './unreadable-store.ts'

type Here = { mirrored: MirroredEvents; accountId: string }

/** Also told of changes that were made here and lost. */
type Taking = Here & Pick<Session, 'db' | 'clock' | 'log' | 'signal' | 'readerVersion' | 'reportLost'>

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8')

/** An event is no longer where it was. It goes here too, unless it lies elsewhere as well. */
export const leave = async (
  tx: Db,
  { mirrored, accountId }: Here,
  placement: PlacementRecord,
): Promise<void> => {
  const { id, uid } = placement
  await deletePlacement(tx, id)
  if ((await listPlacedAt(tx, [uid])).length > 0) return
  await mirrored.remove(tx, uid)
  await dropPush(tx, accountId, uid)
}

const remarkOn = ([title]: readonly string[]): string | null =>
  title === undefined
    ? null
    : `“${title.slice(0, 200)}” was not taken: another event in the same file on the server has its UID and is as new or newer.`

/**
 * The UID of an object here. Another object of the same calendar may have its UID already (RFC 4791, 5.3.2.1 forbids it):
 * then it is kept as an event of its own, unless it says the same or the other is being replaced by it.
 */
const localUid = async (
  tx: Db,
  mirrored: MirroredEvents,
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
    if (mirrored.saysTheSame(await mirrored.read(bytesOf(other.body)), entries)) return other.uid
  const renamed = known.find((one) => gone.has(one.href))
  if (!before && renamed) return renamed.uid
  return others.some((one) => one.uid === uid) ? separate : uid
}

/** Takes over what the server holds of one uid, joined with what was changed here since both last agreed. */
const takeOne = async (
  tx: Db,
  { mirrored, accountId, reportLost }: Taking,
  calendarId: number,
  { href, etag, body }: RemoteObject,
  { entries, remark, gone }: { entries: readonly Entry[]; remark: string | null; gone: ReadonlySet<string> },
): Promise<void> => {
  const before = await findPlacement(tx, calendarId, href)
  const uid = await localUid(tx, mirrored, { calendarId, href, before, entries, gone })
  const said = entries.map((entry) => ({ ...entry, uid }))
  if (before && before.uid !== uid) await leave(tx, { mirrored, accountId }, before)
  // Held before it is asked whether it was changed: nobody changes it in between.
  const mine = await mirrored.hold(tx, uid)
  const push = await findPush(tx, accountId, uid)
  const theirs = push ? await mirrored.retold(said) : said
  let wanted = theirs
  let lost: LostChange[] = []
  let isDeletion = false
  if (push) {
    const known = before?.body ? await mirrored.retold(await mirrored.read(bytesOf(before.body))) : theirs
    const own = await mirrored.retold(mine)
    wanted = mergeEntries(known, own, theirs)
    lost = lostChanges(known, own, theirs)
    isDeletion = mine.length === 0 && wanted.length > 0 && before !== undefined && before.body !== ''
  }
  await savePlacement(tx, { accountId, calendarId, href, uid, etag, body, remark })
  await mirrored.adopt(tx, wanted, 'caldav')
  if (lost.length > 0 || isDeletion) await reportLost(tx, uid, { lost, isDeletion })
  // What the server has just told is no news for it.
  if (!push || areSame(wanted, theirs)) await dropPush(tx, accountId, uid)
  else if (push.tryAt === HELD) await holdPush(tx, accountId, uid)
}

interface TakenObject {
  object: RemoteObject
  entries: Entry[]
  remark: string | null
  uid: string
}

/** What can be read of these; what cannot is noted. */
const readAll = async (
  here: Taking,
  calendarId: number,
  objects: readonly RemoteObject[],
): Promise<TakenObject[]> => {
  const taken: TakenObject[] = []
  const readable: string[] = []
  const describe = ({ href: name, etag, body }: RemoteObject) => ({ calendarId, name, etag, body })
  const readOne = async (object: RemoteObject): Promise<void> => {
    const { entries: read, superseded, faults } = await here.mirrored.readObject(bytesOf(object.body))
    const [fault] = faults
    if (fault === undefined) readable.push(object.href)
    else await noteUnreadable(here, describe(object), fault)
    const uid = read[0]?.uid
    // Tasks and notes may lie beside events.
    if (uid === undefined) return
    const entries = read.filter((entry) => entry.uid === uid)
    taken.push({ object, uid, entries, remark: remarkOn(superseded) })
  }
  for (const object of objects) await takeOrNote(here, [object], () => readOne(object), describe)
  if (readable.length > 0) await inTransaction(here.db, (tx) => deleteUnreadable(tx, calendarId, readable))
  return taken
}

/** Takes over what the server holds. What cannot be read or stored is noted, and the rest is taken over. */
export const takeObjects = async (
  here: Taking,
  { id: calendarId }: CalendarRecord,
  objects: readonly RemoteObject[],
  gone: ReadonlySet<string> = new Set(),
): Promise<void> => {
  const taken = await readAll(here, calendarId, objects)
  // In one order, so that two who bring in the same wait for each other.
  taken.sort((a, b) => (a.uid < b.uid ? -1 : 1))
  await takeOrNote(
    here,
    taken,
    (some) =>
      here.mirrored.change(async (tx) => {
        for (const { object, entries, remark } of some)
          await takeOne(tx, here, calendarId, object, { entries, remark, gone })
      }),
    ({ object: { href: name, etag, body } }) => ({ calendarId, name, etag, body }),
  )
}

/** It was deleted on the server. What was changed here meanwhile is put there anew. */
export const loseObject = async (
  { mirrored, accountId }: Here,
  calendarId: number,
  href: string,
): Promise<void> => {
  await mirrored.change(async (tx) => {
    await deleteUnreadable(tx, calendarId, [href])
    const placement = await findPlacement(tx, calendarId, href)
    if (!placement) return
    const mine = await mirrored.hold(tx, placement.uid)
    const isChangedHere = mine.length > 0 && (await findPush(tx, accountId, placement.uid)) !== undefined
    if (isChangedHere) await savePlacement(tx, { ...placement, etag: '', body: '' })
    else await leave(tx, { mirrored, accountId }, placement)
  })
}

/** Its calendar is no longer followed. What was changed here and never told the server stays as our own. */
export const releaseObject = async (
  { mirrored, accountId }: Here,
  calendarId: number,
  href: string,
): Promise<void> => {
  await mirrored.change(async (tx) => {
    const placement = await findPlacement(tx, calendarId, href)
    if (!placement) return
    await mirrored.hold(tx, placement.uid)
    if ((await findPush(tx, accountId, placement.uid)) === undefined)
      return leave(tx, { mirrored, accountId }, placement)
    await deletePlacement(tx, placement.id)
    await dropPush(tx, accountId, placement.uid)
  })
}
