import { sql } from 'kysely'
import type { Platform } from '../../../platform/platform.ts'
import {
  added,
  type Column,
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  instead,
  integer,
  oneOf,
  own,
  portable,
  text,
  textId,
  textOrNull,
  without,
} from '../../../platform/portable/table.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { DataPart } from '../../accounts/data/parts.ts'
import {
  createCalendarCredentials,
  formerFileHref,
  isShortened,
  type Removal,
  toStoredLogin,
} from './accounts.ts'
import { insertAccount } from './repository.ts'

const address: Column<string> = {
  ...text,
  read(given, reading) {
    const url = text.read(given, reading)
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new Error('must be a URL')
    return url
  },
}

/** An account imported without its password or URL is disabled until the user enters them. */
const accountsWith = (sealer: Sealer) =>
  portable('calendar_accounts', {
    file: 'accounts.jsonl',
    of: (userId) => [sql<boolean>`${sql.ref('userId')} = ${userId} and removing is null`],
    columns: {
      id: textId('calendar_accounts'),
      userId: own,
      kind: oneOf('caldav', 'ics'),
      name: text,
      url: address,
      username: textOrNull,
      secret: without(null),
      signIn: added(oneOf('password', 'google'), 'password'),
      // The next sign-in finds the account by its address.
      mailAccountId: without(null),
      receivesNew: flag,
      enabled: instead(flag, 0),
      newEventsCalendarId: added(idOrNull('remote_calendars'), null),
      removing: without(null),
      version: integer,
      createdAt: instant,
      updatedAt: instant,
    },
    complete(row) {
      if (row.signIn !== 'password') return row
      const login = row.username === null ? null : { username: row.username, password: '' }
      if (!isShortened(row.url)) return { ...row, ...toStoredLogin(sealer, row, { url: row.url, login }) }
      return { ...row, secret: login && createCalendarCredentials(sealer).seal(row.id, { password: '' }) }
    },
    async put(tx, row) {
      await insertAccount(tx, row)
    },
  })

const ofAccounts = (userId: number) => [
  sql<boolean>`${sql.ref('accountId')} in
    (select id from calendar_accounts where ${sql.ref('userId')} = ${userId} and removing is null)`,
]

const calendars = portable('remote_calendars', {
  file: 'calendars.jsonl',
  of: ofAccounts,
  columns: {
    id: id('remote_calendars'),
    accountId: textId('calendar_accounts'),
    href: text,
    name: text,
    colour: textOrNull,
    writable: flag,
    followed: flag,
    // Without a sync token, the next sync compares everything. The export may be older than the last sync.
    syncToken: without(null),
    schedules: without(null),
  },
  async put(tx, row) {
    const account = await tx
      .selectFrom('calendar_accounts')
      .select('kind')
      .where('id', '=', row.accountId)
      .executeTakeFirst()
    // In older exports, the href of a file is its URL.
    const href = account?.kind === 'ics' ? formerFileHref(row.id) : row.href
    await tx
      .insertInto('remote_calendars')
      .values({ ...row, href })
      .execute()
  },
})

/** The locations of events on the server. With them, a sync continues without creating duplicates. */
const placements = portable('event_placements', {
  file: 'placements.jsonl',
  of: ofAccounts,
  columns: {
    id: id('event_placements'),
    accountId: textId('calendar_accounts'),
    calendarId: id('remote_calendars'),
    href: text,
    uid: text,
    etag: text,
    body: text,
    remark: added(textOrNull, null),
    leaving: added(flag, 0),
  },
})

const pushes = portable('event_pushes', {
  file: 'pushes.jsonl',
  of: ofAccounts,
  columns: {
    accountId: textId('calendar_accounts'),
    uid: text,
    changes: integer,
    notedAt: instant,
    attempts: integer,
    tryAt: instantOrNull,
    error: textOrNull,
  },
})

/** Exports, imports and deletes the accounts with the other data of a user. Exports contain no passwords. */
export const createCalendarAccountsPart = ({
  sealer,
  removal,
}: Pick<Platform, 'sealer'> & {
  removal: Pick<Removal, 'finish'>
}): DataPart => ({
  folder: 'calendar-accounts',
  tables: [accountsWith(sealer), calendars, placements, pushes],
  others: ['calendar_sync', 'unreadable_objects'],
  leave: (tx, userId) => removal.finish(tx, userId),
})
