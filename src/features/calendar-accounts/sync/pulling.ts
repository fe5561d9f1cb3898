import { inTransaction } from '../../../database/transaction.ts'
import {
  type CalendarRecord,
  deleteCalendar,
  everyVersion,
  listCalendars,
  listVersions,
  noteToken,
  saveCalendar,
} from './placement-store.ts'
import type { Session } from './session.ts'
import { loseObject, releaseObject, takeObjects } from './taking.ts'
import { deleteAllUnreadable, listUnreadableVersions } from './unreadable-store.ts'

const AT_ONCE = 50

/** What the server has: its calendars, and which of them the person follows. */
const followed = async (session: Session): Promise<CalendarRecord[]> => {
  const { db, accountId, server, signal } = session
  const found = await server.calendars(signal)
  await inTransaction(db, async (tx) => {
    for (const calendar of found) await saveCalendar(tx, accountId, calendar)
  })
  const there = new Set(found.map(({ href }) => href))
  const calendars = await listCalendars(db, accountId)
  const left = calendars.filter(({ href, followed }) => !there.has(href) || followed === 0)
  for (const calendar of left) {
    for await (const { href } of everyVersion(db, calendar.id))
      await releaseObject(session, calendar.id, href)
    await inTransaction(db, (tx) => deleteAllUnreadable(tx, calendar.id))
    if (!there.has(calendar.href)) await inTransaction(db, (tx) => deleteCalendar(tx, calendar.id))
    else if (calendar.syncToken !== null) await inTransaction(db, (tx) => noteToken(tx, calendar.id, null))
  }
  return calendars.filter((calendar) => !left.includes(calendar))
}

/** Reads what is new in a calendar, and says what has gone from it and from where to go on. */
const takeNews = async (session: Session, calendar: CalendarRecord) => {
  const { db, server, signal } = session
  const changes = await server.changes(calendar.href, calendar.syncToken, signal)
  const listed = changes.changed.map(({ href }) => href)
  const versions = changes.isWhole
    ? await Array.fromAsync(everyVersion(db, calendar.id))
    : await listVersions(db, calendar.id, listed)
  const known = new Map(versions.map(({ href, etag }) => [href, etag]))
  const unreadable = await listUnreadableVersions(db, calendar.id)
  for (const { name, etag, readerVersion } of unreadable)
    if (readerVersion === session.readerVersion) known.set(name, etag)
    else known.delete(name)
  const changed = changes.changed.filter(({ href, etag }) => etag === '' || known.get(href) !== etag)
  const news = new Set(changed.map(({ href }) => href))
  // The server does not tell again what it told an earlier version of the service.
  const left = new Set(changes.removed)
  for (const { name, readerVersion } of unreadable)
    if (!changes.isWhole && readerVersion !== session.readerVersion && !left.has(name)) news.add(name)
  const there = new Set(listed)
  const here = new Set([...versions.map(({ href }) => href), ...unreadable.map(({ name }) => name)])
  const gone = changes.isWhole ? [...here].filter((href) => !there.has(href)) : changes.removed
  await session.note({ total: news.size })
  for (let at = 0; at < news.size; at += AT_ONCE) {
    signal.throwIfAborted()
    const hrefs = [...news].slice(at, at + AT_ONCE)
    await takeObjects(session, calendar, await server.read(calendar.href, hrefs, signal), new Set(gone))
    await session.note({ done: hrefs.length })
  }
  return { calendar, gone, syncToken: changes.syncToken }
}

/** Everything new on the server is here afterwards. What was moved to another calendar is found there before it is missed here. */
export const pull = async (session: Session): Promise<void> => {
  const { db } = session
  const looks: Awaited<ReturnType<typeof takeNews>>[] = []
  for (const calendar of await followed(session)) looks.push(await takeNews(session, calendar))
  for (const { calendar, gone, syncToken } of looks) {
    for (const href of gone) await loseObject(session, calendar.id, href)
    await inTransaction(db, (tx) => noteToken(tx, calendar.id, syncToken))
  }
}
