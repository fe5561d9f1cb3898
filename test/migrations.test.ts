import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Database, openDatabase } from '../src/database/database.ts'
import { migrate, migrations } from '../src/database/migrate.ts'
import { makeDataPlace, onEveryDatabase } from './support/databases.ts'
import { fillEvents } from './support/event-rows.ts'

const CHECKSUMS = new URL('golden/migrations.txt', import.meta.url)

/** Comments and layout may change; the code of a migration may not. */
const codeOf = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/[\s;,]+/g, ' ')

const checksumOf = (name: string): string => {
  const source = readFileSync(new URL(`../src/database/migrations/${name}.ts`, import.meta.url), 'utf8')
  return createHash('sha256').update(codeOf(source)).digest('hex').slice(0, 16)
}

it('a released migration keeps its name, its position and its code', () => {
  const landed = readFileSync(CHECKSUMS, 'utf8').trim().split('\n')
  const present = migrations.map((name) => `${name} ${checksumOf(name)}`)
  // A changed or renamed migration does not reach existing databases: write a new one instead.
  expect(present.slice(0, landed.length)).toEqual(landed)
  // Release a new migration by adding its line at the end of test/golden/migrations.txt.
  expect(present.slice(landed.length)).toEqual([])
})

onEveryDatabase('a database with other migrations', (engine) => {
  const failureAfter = async (change: (names: string[]) => string[]): Promise<string> => {
    const place = await makeDataPlace(engine, 'prepared')
    const database = await openDatabase({ ...place, onIdleError: () => {} })
    try {
      await sql`delete from migrations`.execute(database.db)
      for (const name of change([...migrations]))
        await sql`insert into migrations (name, timestamp) values (${name}, '2026-01-01T00:00:00.000Z')`.execute(
          database.db,
        )
      return await migrate(database).then(
        () => 'it opened',
        (error: Error) => error.message,
      )
    } finally {
      await database.close()
      await place.remove()
    }
  }

  it('of a newer version opens, unless that version removed something', async () => {
    expect(await failureAfter((names) => [...names, '9998-future'])).toBe('it opened')
    expect(await failureAfter((names) => [...names, '9998-contract-past', '9999-future'])).toMatch(
      /newer version of Factotum \(9998-contract-past\): upgrade this one, or go back/,
    )
  })

  it('of a development version reports the difference and how to keep the data', async () => {
    const renamed = (names: string[]) =>
      names.map((name) => name.replace('0026-', '0027-').replace('0025-', '0026-'))
    expect(await failureAfter(renamed)).toMatch(/development version .*0025-restores.* Export your data/)
    expect(await failureAfter((names) => names.toSpliced(3, 1))).toMatch(/0004-calendar.* Export your data/)
  })
})

onEveryDatabase('the migration that removes rendered JSON from events', (engine) => {
  it('keeps every other column', async () => {
    const place = await makeDataPlace(engine)
    // PostgreSQL caches the columns of a query for each connection, so that each step opens its own.
    const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
      const database = await openDatabase({ ...place, onIdleError: () => {} })
      return work(database).finally(() => database.close())
    }
    const readEvents = async ({ db }: Database) =>
      (await sql<Record<string, unknown>>`select * from events order by id /* all accounts */`.execute(db))
        .rows
    const before = await inDatabase(async (database) => {
      await migrate(database, '0035-column-names')
      await fillEvents(database.db, ['one', 'Ümläute “and” 🗓'], '2026-03-01T00:00:00.000Z', {
        shown: '"uid":1}',
      })
      return readEvents(database)
    })
    await inDatabase((database) => migrate(database))
    const after = await inDatabase(readEvents)
    await place.remove()
    expect(before).toHaveLength(4)
    expect(after.map(({ userId: _, calendarId: __, changedBy: ___, ...row }) => row)).toEqual(
      before.map(({ shown: _, ...row }) => row),
    )
  })
})

onEveryDatabase('the migrations that give events and bookings to accounts', (engine) => {
  it('keep the rows, and give those of a calendar account to its user', async () => {
    const place = await makeDataPlace(engine)
    const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
      const database = await openDatabase({ ...place, onIdleError: () => {} })
      return work(database).finally(() => database.close())
    }
    const at = '2026-03-01T00:00:00.000Z'
    await inDatabase(async (database) => {
      const { db } = database
      await migrate(database, '0039-local-account')
      await sql`insert into users (email, "emailKey", name, "passwordHash", role, timezone, locale, "weekStart",
        "workingHours", version, "createdAt", "updatedAt")
        select 'ben', 'ben', '', '', 'member', timezone, locale, "weekStart", "workingHours", 1, ${at}, ${at}
        from users`.execute(db)
      await fillEvents(db, ['here', 'remote'], at, {})
      await sql`update events set source = 'caldav' where title = 'remote' /* all accounts */`.execute(db)
      await sql`insert into calendar_accounts (id, "userId", kind, name, url, "receivesNew", enabled, version,
        "createdAt", "updatedAt")
        select 'a', id, 'caldav', '', '', 0, 1, 1, ${at}, ${at} from users where role = 'member'`.execute(db)
      await sql`insert into remote_calendars ("accountId", href, name, writable, followed, "syncToken")
        values ('a', 'h', '', 1, 1, 'token')`.execute(db)
      for (const uid of ['event-0@example.org', 'event-1@example.org'])
        await sql`insert into event_placements ("accountId", "calendarId", href, uid, etag, body)
          select 'a', id, ${uid}, ${uid}, '', '' from remote_calendars`.execute(db)
      await sql`insert into booking_settings (id, provider, secret, "updatedAt")
        values (1, 'calcom', 's', ${at})`.execute(db)
      await sql`insert into bookings (uid, provider, "eventVersion", digest, snapshot)
        values ('b', 'calcom', 1, '', '{}')`.execute(db)
      await sql`insert into unreadable_bookings (name, reason, size, "readerVersion", "failedAt")
        values ('n', '', 1, '', ${at})`.execute(db)
    })
    await inDatabase((database) => migrate(database))
    const roles = async (db: Database['db'], table: string) =>
      (
        await sql<{
          role: string
          count: number
        }>`select role, count(*) as count from ${sql.table(table)} as owned
          join users on users.id = owned."userId" group by role order by role`.execute(db)
      ).rows.map(({ role, count }) => [role, Number(count)])
    await inDatabase(async ({ db }) => {
      const both = [
        ['local', 2],
        ['member', 2],
      ]
      expect(await roles(db, 'events')).toEqual(both)
      expect(await roles(db, 'occurrences')).toEqual(both.map(([role]) => [role, 1]))
      for (const table of ['booking_settings', 'bookings', 'unreadable_bookings'])
        expect([table, await roles(db, table)]).toEqual([table, [['local', 1]]])
      // The account fetches the event of the other user again and gets its own.
      const placed = await db.selectFrom('event_placements').select('uid').execute()
      expect(placed).toEqual([{ uid: 'event-1@example.org' }])
      const calendars = await db.selectFrom('remote_calendars').select('syncToken').execute()
      expect(calendars).toEqual([{ syncToken: null }])
    })
    await place.remove()
  })
})

onEveryDatabase('the migration that gives events to calendars', (engine) => {
  it('keeps the calendar for new events, and the calendars of events on servers', async () => {
    const place = await makeDataPlace(engine)
    const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
      const database = await openDatabase({ ...place, onIdleError: () => {} })
      return work(database).finally(() => database.close())
    }
    const at = '2026-03-01T00:00:00.000Z'
    await inDatabase(async (database) => {
      const { db } = database
      await migrate(database, '0049-usage-owner')
      const [{ id: userId } = { id: 0 }] = (await sql<{ id: number }>`select id from users`.execute(db)).rows
      await sql`insert into users (email, "emailKey", name, "passwordHash", role, timezone, locale, "weekStart",
        "workingHours", version, "createdAt", "updatedAt")
        select 'ben', 'ben', '', '', 'member', timezone, locale, "weekStart", "workingHours", 1, ${at}, ${at}
        from users`.execute(db)
      await fillEvents(db, ['local', 'placed', 'waiting'], at, { userId })
      await sql`insert into calendar_accounts (id, "userId", kind, name, url, "receivesNew", enabled, version,
        "createdAt", "updatedAt") values ('a', ${userId}, 'caldav', '', '', 1, 1, 1, ${at}, ${at})`.execute(
        db,
      )
      for (const [href, writable, followed] of [
        ['1-read-only', 0, 1],
        ['2-other', 1, 0],
        ['3-first', 1, 1],
        ['4-second', 1, 1],
      ] as const)
        await sql`insert into remote_calendars ("accountId", href, name, colour, writable, followed)
          values ('a', ${href}, ${href}, '#AABBCC', ${writable}, ${followed})`.execute(db)
      await sql`insert into event_placements ("accountId", "calendarId", href, uid, etag, body)
        select 'a', id, 'h', 'event-1@example.org', '', '' from remote_calendars where href = '4-second'`.execute(
        db,
      )
      await sql`insert into event_pushes ("accountId", uid, changes, "notedAt", attempts)
        values ('a', 'event-2@example.org', 1, ${at}, 0)`.execute(db)
    })
    await inDatabase((database) => migrate(database))
    await inDatabase(async ({ db }) => {
      const { rows } = await sql<Record<string, unknown>>`
        select users.email, calendars.name, color, "isDefault" from calendars
        join users on users.id = calendars."userId" order by calendars.id /* all accounts */`.execute(db)
      expect(
        rows.map(({ email, name, color, isDefault }) => [email === 'ben', name, color, isDefault]),
      ).toEqual([
        [false, 'Calendar', '#3366cc', 0],
        [false, '1-read-only', '#aabbcc', 0],
        [false, '3-first', '#aabbcc', 1],
        [false, '4-second', '#aabbcc', 0],
        [true, 'Calendar', '#3366cc', 1],
      ])
      const { rows: events } = await sql<{ title: string; name: string }>`
        select distinct events.title, calendars.name from events
        join calendars on calendars.id = events."calendarId" order by events.title /* all accounts */`.execute(
        db,
      )
      expect(events.map(({ title, name }) => [title, name])).toEqual([
        ['local', 'Calendar'],
        ['placed', '4-second'],
        ['waiting', '3-first'],
      ])
    })
    await place.remove()
  })
})
