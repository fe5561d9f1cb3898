import type { Db } from '../../../database/db.ts'
import type { Entry } from '../../calendar/icalendar/entry.ts'
import type { MirroredEvents } from '../../calendar/imports/mirrored-events.ts'
import type { RemoteObject } from '../calendar-server.ts'
import { areSame, mergeEntries } from './merging.ts'
import {
  type CalendarRecord,
  deletePlacement,
  findPlacement,
  listPlacedAt,
  type PlacementRecord,
  savePlacement,
} from './placement-store.ts'
import { dropPush, findPush } from './push-store.ts'

type Here = { mirrored: MirroredEvents; accountId: string }

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

/** Takes over what the server holds of one uid, joined with what was changed here since both last agreed. */
const takeOne = async (
  tx: Db,
  { mirrored, accountId }: Here,
  calendarId: number,
  { href, etag, body }: RemoteObject,
  said: readonly Entry[],
  uid: string,
): Promise<void> => {
  const before = await findPlacement(tx, calendarId, href)
  if (before && before.uid !== uid) await leave(tx, { mirrored, accountId }, before)
  // Held before it is asked whether it was changed: nobody changes it in between.
  const mine = await mirrored.hold(tx, uid)
  const push = await findPush(tx, accountId, uid)
  const theirs = push ? await mirrored.retold(said) : said
  let wanted = theirs
  if (push) {
    const known = before?.body ? await mirrored.retold(await mirrored.read(bytesOf(before.body))) : theirs
    wanted = mergeEntries(known, await mirrored.retold(mine), theirs)
  }
  await savePlacement(tx, { accountId, calendarId, href, uid, etag, body })
  await mirrored.adopt(tx, wanted, 'caldav')
  // What the server has just told is no news for it.
  if (!push || areSame(wanted, theirs)) await dropPush(tx, accountId, uid)
}

/** Takes over what the server holds: all of these, or none. */
export const takeObjects = async (
  here: Here,
  { id: calendarId }: CalendarRecord,
  objects: readonly RemoteObject[],
): Promise<void> => {
  const taken: { object: RemoteObject; said: Entry[]; uid: string }[] = []
  for (const object of objects) {
    const read = await here.mirrored.read(bytesOf(object.body))
    const uid = read[0]?.uid
    // Tasks and notes may lie beside events.
    if (uid !== undefined) taken.push({ object, uid, said: read.filter((entry) => entry.uid === uid) })
  }
  // In one order, so that two who bring in the same wait for each other.
  taken.sort((a, b) => (a.uid < b.uid ? -1 : 1))
  await here.mirrored.change(async (tx) => {
    for (const { object, said, uid } of taken) await takeOne(tx, here, calendarId, object, said, uid)
  })
}

/** It was deleted on the server. What was changed here meanwhile is put there anew. */
export const loseObject = async (
  { mirrored, accountId }: Here,
  calendarId: number,
  href: string,
): Promise<void> => {
  await mirrored.change(async (tx) => {
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
