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
  const news = changes.changed.filter(({ href, etag }) => etag === '' || known.get(href) !== etag)
  const there = new Set(listed)
  const gone = changes.isWhole ? [...known.keys()].filter((href) => !there.has(href)) : changes.removed
  await session.note({ total: news.length })
  for (let at = 0; at < news.length; at += AT_ONCE) {
    signal.throwIfAborted()
    const hrefs = news.slice(at, at + AT_ONCE).map(({ href }) => href)
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
