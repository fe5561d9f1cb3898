import SQLite from 'better-sqlite3'
import pg from 'pg'
import { type Database, openDatabase, sqliteFile } from '../src/database/database.ts'
import type { Db } from '../src/database/db.ts'
import { fillTable } from '../src/database/fill-table.ts'
import { wordsOf } from '../src/database/full-text/full-text.ts'
import { migrate } from '../src/database/migrate.ts'
import { type PlainRow, raiseSequence, readCatalogue, type TableShape } from '../src/database/schema-info.ts'
import { accountTally } from '../src/database/tallies.ts'
import { claimLocalAccount, emailKeyOf, insertMember } from '../src/features/auth/repository.ts'
import { ensureDefaultId } from '../src/features/calendar/calendars/repository.ts'
import { rowOf as eventRowOf } from '../src/features/calendar/event.ts'
import { findInboxId, insertInbox } from '../src/features/tasks/list-repository.ts'
import { tagKeyOf, rowOf as taskRowOf } from '../src/features/tasks/task.ts'
import { createEventFields } from './calendar-rows.ts'
import { createTaskFields } from './task-rows.ts'

/** The place of a database. Without a URL it is the SQLite file in the directory. */
export interface Place {
  dataDir: string
  databaseUrl: string | null
}

/** The rows of each account. */
export const EMAILS = 1_000
const EVENTS = 200
const TASKS = 100

/** All accounts have it. */
export const PASSWORD = 'correct horse battery'
export const addressOf = (account: number): string => `person${account}@example.org`

/** Rows in one transaction on SQLite. */
const BATCH = 20_000
const CREATED = '2026-01-01T00:00:00.000Z'
const FIRST_MAIL = Date.UTC(2025, 0, 1)
const FIRST_EVENT = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000
const WORDS =
  'meeting budget river window garden letter invoice monday paper coffee train ticket house contract picture music winter summer project answer question market bridge school doctor kitchen island forest mountain engine'.split(
    ' ',
  )

const createUser = (account: number, passwordHash: string) => ({
  email: addressOf(account),
  emailKey: emailKeyOf(addressOf(account)),
  name: `Person ${account}`,
  passwordHash,
  timezone: 'Europe/Berlin',
  locale: 'en',
  weekStart: 'monday',
  workingHours: '[]',
  avatarHash: null,
  twoFactorSecret: null,
  twoFactorEnabledAt: null,
  twoFactorStep: null,
  version: 1,
  createdAt: CREATED,
  updatedAt: CREATED,
})

/** Creates the task list and the calendar that every account has. Their ids are that of the account. */
const addDefaults = async (tx: Db, userId: number): Promise<void> => {
  // The migration created those of the first account.
  if ((await findInboxId(tx, userId)) === undefined)
    await insertInbox(tx, {
      userId,
      name: 'Inbox',
      color: '#3366cc',
      isInbox: 1,
      visible: 1,
      version: 1,
      createdAt: CREATED,
      updatedAt: CREATED,
    })
  const ids = [await findInboxId(tx, userId), await ensureDefaultId(tx, userId, CREATED)]
  if (ids.some((id) => id !== userId))
    throw new Error(`The ids of the account ${userId} are ${ids.join(' and ')}.`)
}

/** Creates the users. Their ids are 1 to `accounts`. */
const fillUsers = async (db: Db, accounts: number): Promise<void> => {
  const { hash } = await import('@node-rs/bcrypt')
  const passwordHash = await hash(PASSWORD, 10)
  await db.transaction().execute(async (tx) => {
    await claimLocalAccount(tx, createUser(1, passwordHash))
    await addDefaults(tx, 1)
    for (let account = 2; account <= accounts; account++) {
      const { id } = await insertMember(tx, createUser(account, passwordHash))
      if (id !== account) throw new Error('The ids of the accounts are not consecutive.')
      await addDefaults(tx, id)
    }
  })
}

/** The same email of all accounts. They arrive together, so that the rows of an account lie far apart. */
interface SharedEmail {
  /** The id and the position of the account before the first one. */
  id: number
  position: bigint
  date: string
  fromName: string
  fromAddress: string
  subject: string
  text: string
  tag: string
  read: number
}

function* createEmails(accounts: number): Generator<SharedEmail> {
  let state = 42
  const random = (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
  const sentence = (length: number): string =>
    Array.from({ length }, () => WORDS[random(WORDS.length)] as string).join(' ')
  for (let n = 0; n < EMAILS; n++) {
    const at = FIRST_MAIL + n * 8 * HOUR_MS
    const person = random(200)
    yield {
      id: n * accounts,
      position: BigInt(at) * 2048n,
      date: new Date(at).toISOString(),
      fromName: `Sender ${person}`,
      fromAddress: `sender${person}@example.org`,
      subject: sentence(4),
      text: `${sentence(20)} rare${n % 100} ${n % 2 === 0 ? 'common' : 'other'} ${sentence(20)}`,
      tag: `tag${random(20)}`,
      read: random(10) === 0 ? 0 : 1,
    }
  }
}

const COLUMNS = `id, position, "threadId", folder, "fromName", "fromAddress", "to", cc, bcc, "replyTo", subject, "subjectKey",
  "references", snippet, date, tags, read, starred, attachments, "hasAttachments", version, "createdAt", "updatedAt", "userId"`
const TO = '[{"name":"Me","address":"me@example.org"}]'

const indexed = ({ subject, fromName, fromAddress, text }: SharedEmail): string[] =>
  [subject, `${fromName} ${fromAddress}`, 'me me example org', text].map((each) => wordsOf(each).join(' '))

const fillEmailsOnSqlite = (dataDir: string, accounts: number): void => {
  const file = new SQLite(sqliteFile(dataDir))
  file.pragma('synchronous = OFF')
  // Without a journal, each page is written once.
  file.pragma('journal_mode = OFF')
  file.pragma('cache_size = -1000000')
  const email = file.prepare(`insert into emails (${COLUMNS}) values
    (?, ?, ?, 'inbox', ?, ?, ?, '[]', '[]', '[]', ?, ?, '[]', ?, ?, ?, ?, 0, '[]', 0, 1, ?, ?, ?)`)
  const body = file.prepare('insert into email_bodies ("emailId", text, html) values (?, ?, null)')
  const tag = file.prepare('insert into email_tags ("userId", tag, position, "emailId") values (?, ?, ?, ?)')
  const words = file.prepare(
    'insert into email_words (rowid, subject, sender, recipients, body, account) values (?, ?, ?, ?, ?, ?)',
  )
  const insertAll = (shared: SharedEmail): void => {
    const columns = indexed(shared)
    const { fromName, fromAddress, subject, date, read } = shared
    const sent = [fromName, fromAddress, TO, subject, subject, shared.text.slice(0, 150), date]
    for (let account = 1; account <= accounts; account++) {
      const id = shared.id + account
      const position = shared.position + BigInt(account)
      email.run(id, position, id, ...sent, `["${shared.tag}"]`, read, date, date, account)
      body.run(id, shared.text)
      tag.run(account, shared.tag, position, id)
      words.run(position, ...columns, `#${account}`)
    }
  }
  const together = Math.ceil(BATCH / accounts)
  const all = [...createEmails(accounts)]
  for (let start = 0; start < all.length; start += together)
    file.transaction(() => {
      for (const shared of all.slice(start, start + together)) insertAll(shared)
    })()
  // Optimizes the index, as the maintenance job does.
  file.exec("insert into email_words (email_words) values ('optimize')")
  file.pragma('journal_mode = WAL')
  file.close()
}

/** Builds a tsvector without the account, like full-text.ts. */
const toVector = (columns: readonly string[]): string => {
  let at = 0
  const places = new Map<string, string[]>()
  for (const [index, words] of columns.entries()) {
    for (const word of words.split(' '))
      places.set(word, [...(places.get(word) ?? []), `${++at}${'ABCD'[index]}`])
    at += 2
  }
  return [...places].map(([word, where]) => `'${word}':${where.join(',')}`).join(' ')
}

const fillEmailsOnPostgres = async (databaseUrl: string, accounts: number): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // An index of existing rows is created faster than it grows.
  await client.query('drop index email_words_words')
  const series = 'from generate_series(1, $1::bigint) as account'
  for (const shared of createEmails(accounts)) {
    const { id, position, date, fromName, fromAddress, subject, text, tag, read } = shared
    const place = [accounts, id, String(position)]
    await client.query('begin')
    await client.query(
      `insert into emails (${COLUMNS}) select $2::bigint + account, $3::bigint + account, $2::bigint + account, 'inbox',
         $4, $5, $6, '[]', '[]', '[]', $7, $7, '[]', $8, $9, $10, $11::int, 0, '[]', 0, 1, $9, $9, account ${series}`,
      [...place, fromName, fromAddress, TO, subject, text.slice(0, 150), date, `["${tag}"]`, read],
    )
    await client.query(
      `insert into email_bodies ("emailId", text, html) select $2::bigint + account, $3, null ${series}`,
      [accounts, id, text],
    )
    await client.query(
      `insert into email_tags ("userId", tag, position, "emailId")
         select account, $4, $3::bigint + account, $2::bigint + account ${series}`,
      [...place, tag],
    )
    await client.query(
      `insert into email_words (rowid, "userId", words)
         select $2::bigint + account, account, $3::tsvector ${series}`,
      [accounts, String(position), toVector(indexed(shared))],
    )
    await client.query('commit')
  }
  await client.query("set maintenance_work_mem = '512MB'")
  await client.query('create index email_words_words on email_words using gin (words)')
  await client.end()
}

const fillEvents = async (db: Db, accounts: number): Promise<void> => {
  const rows = async function* (): AsyncGenerator<PlainRow> {
    for (let n = 0; n < EVENTS; n++)
      for (let userId = 1; userId <= accounts; userId++) {
        const stored = {
          userId,
          calendarId: userId,
          changedBy: null,
          mirrorOf: null,
          seriesId: null,
          recurrenceId: '',
          sequence: 0,
          extra: null,
          revisedAt: null,
          nextReminderAt: null,
          createdAt: CREATED,
          updatedAt: CREATED,
          version: 1,
        }
        yield eventRowOf(createEventFields(FIRST_EVENT + n * 40 * HOUR_MS, n), stored) as unknown as PlainRow
      }
  }
  await db.transaction().execute((tx) => fillTable(tx, 'events', rows()))
}

const createTask = (userId: number, n: number) => ({
  ...taskRowOf(userId, createTaskFields(n, userId), undefined, CREATED, {
    timezone: 'UTC',
    workingHours: [],
  }),
  nextReminderAt: null,
  remindedFor: null,
  successorId: null,
  changedBy: null,
  version: 1,
})

const fillTasks = async (db: Db, accounts: number): Promise<void> => {
  const tasks = async function* (): AsyncGenerator<PlainRow> {
    for (let n = 0; n < TASKS; n++)
      for (let userId = 1; userId <= accounts; userId++)
        yield { ...createTask(userId, n), id: n * accounts + userId } as unknown as PlainRow
  }
  const tags = async function* (): AsyncGenerator<PlainRow> {
    for (let n = 0; n < TASKS; n++)
      for (let userId = 1; userId <= accounts; userId++) {
        const { status, priority, place, duePlace } = createTask(userId, n)
        for (const tag of createTaskFields(n, userId).tags.map(tagKeyOf))
          yield {
            taskId: n * accounts + userId,
            userId,
            tag,
            status,
            priority,
            place,
            duePlace: duePlace ?? null,
          }
      }
  }
  await db.transaction().execute(async (tx) => {
    await fillTable(tx, 'tasks', tasks())
    await fillTable(tx, 'task_tags', tags())
  })
}

/** Completes what bulk inserts leave out: the counters and the next ids. */
const finish = async ({ db }: Database, accounts: number): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    for (let account = 1; account <= accounts; account++)
      await tx
        .insertInto('tallies')
        .values({ name: accountTally('emails', account), amount: EMAILS })
        .execute()
    const catalogue = await readCatalogue(tx)
    for (const table of ['emails', 'tasks'])
      await raiseSequence(tx, table, catalogue.get(table) as TableShape, 0)
  })
}

/** Fills a database with accounts of 1,000 emails, 200 events and 100 tasks each. */
export const fillAccounts = async (place: Place, accounts: number): Promise<void> => {
  const { dataDir, databaseUrl } = place
  const open = () => openDatabase({ ...place, onIdleError: () => {} })
  const database = await open()
  await migrate(database)
  await fillUsers(database.db, accounts)
  await fillEvents(database.db, accounts)
  await fillTasks(database.db, accounts)
  // The journal of SQLite can only be turned off if nothing else has opened the file.
  await database.close()
  if (databaseUrl === null) fillEmailsOnSqlite(dataDir, accounts)
  else await fillEmailsOnPostgres(databaseUrl, accounts)
  const filled = await open()
  await finish(filled, accounts)
  await filled.close()
  if (databaseUrl === null) return
  // As autovacuum does within minutes.
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}
