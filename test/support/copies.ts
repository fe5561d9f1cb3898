import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import type { Db } from '../../src/database/db.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type Tables, tableKeys } from '../../src/database/tables.ts'
import { fillAi } from './ai-rows.ts'
import { fillBilling } from './billing-rows.ts'
import { fillBookings } from './booking-rows.ts'
import { fillCalendarAccounts } from './calendar-account-rows.ts'
import { fillCommitments } from './commitment-rows.ts'
import { fillContacts } from './contact-rows.ts'
import type { DataPlace } from './databases.ts'
import { fillEvents } from './event-rows.ts'
import { fillImports } from './import-rows.ts'
import { fillMailAccounts } from './mail-account-rows.ts'
import { fillNotifications } from './notification-rows.ts'
import { fillReservations } from './reservation-rows.ts'
import { fillStream } from './stream-rows.ts'
import { fillTasks } from './task-rows.ts'
import { fillWebhooks } from './webhook-rows.ts'

/** Text that a round trip through a file could damage. */
const AWKWARD = [
  '',
  'Ünïcödé 漢字 🎉 ﷽',
  'two\nlines\r\nand a tab\t',
  'U+2028 \u2028 and U+2029 \u2029',
  '"quoted" \\ \\n {"a":1}',
  "'; drop table users; --",
  '\u0001\u001f\u007f\ufeff',
]
const AT = '2026-03-01T14:00:00.000Z'

export const openPlace = (place: DataPlace): Promise<Database> =>
  openDatabase({ ...place, onIdleError: () => {} })

export const withDatabase = async <T>(place: DataPlace, work: (db: Db) => Promise<T>): Promise<T> => {
  const database = await openPlace(place)
  try {
    await migrate(database)
    return await work(database.db)
  } finally {
    await database.close()
  }
}

export const userRow = (name: string, role: 'owner' | 'member' = 'member') => ({
  email: `${name}@example.org`,
  emailKey: `${name}@example.org`,
  name,
  passwordHash: 'none',
  role,
  timezone: 'UTC',
  locale: 'en',
  weekStart: 'monday',
  workingHours: '[]',
  avatarHash: null,
  twoFactorSecret: null,
  twoFactorEnabledAt: null,
  twoFactorStep: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
})

export const sessionRow = (id: string, userId: number) => ({
  id,
  userId,
  createdAt: AT,
  lastSeenAt: AT,
  expiresAt: AT,
  endsAt: AT,
  ip: '::1',
  userAgent: 'test',
})

export const emailRow = (userId: number, n: number, text = `subject ${n}`) => ({
  userId,
  position: (1_700_000_000_000 + n) * 2048,
  accountId: null,
  messageId: `m${n}@example.org`,
  threadId: n + 1,
  folder: 'inbox' as const,
  fromName: text,
  fromAddress: 'a@example.org',
  to: '[]',
  cc: '[]',
  bcc: '[]',
  replyTo: '[]',
  subject: text,
  subjectKey: text,
  inReplyTo: null,
  references: '[]',
  snippet: text,
  date: AT,
  tags: '[]',
  read: 0,
  starred: 0,
  attachments: '[]',
  hasAttachments: 0,
  analysis: null,
  urgency: null,
  deliveryStatus: null,
  deliveryError: null,
  deliveryAt: null,
  rawBlob: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
})

const SECURITY = {
  kind: 'encrypted',
  protocol: 'openpgp',
  status: 'unchecked',
  reasons: ['no_key'],
  signer: null,
}

const fillMail = async (db: Db, userId: number): Promise<void> => {
  const hash = '0'.repeat(64)
  await db
    .insertInto('tallies')
    .values({ name: `emails/${userId}`, amount: AWKWARD.length })
    .execute()
  await db.insertInto('blobs').values({ hash, size: 5, unusedSince: null }).execute()
  for (const [n, text] of AWKWARD.entries()) {
    const security = { ...SECURITY, attachmentId: `a${n}` }
    const { id, position } = await db
      .insertInto('emails')
      .values({ ...emailRow(userId, n, text), security: JSON.stringify(security) })
      .returning(['id', 'position'])
      .executeTakeFirstOrThrow()
    await db.insertInto('email_bodies').values({ emailId: id, text, html: text }).execute()
    await db.insertInto('email_tags').values({ userId, tag: text, position, emailId: id }).execute()
    await db.insertInto('email_links').values({ userId, messageId: text, emailId: id }).execute()
    const file = { filename: text, contentType: 'x/y', size: 5, blob: hash, contentId: null, createdAt: AT }
    await db
      .insertInto('attachments')
      .values({ id: `a${n}`, userId, emailId: id, ...file })
      .execute()
    const unsubscription = { at: AT, by: 'mail' as const, recipient: text, emailId: id }
    await db
      .insertInto('unsubscriptions')
      .values({ userId, listId: `${n}.example.org`, ...unsubscription })
      .execute()
    const rule = { name: text, q: text, does: '{"read":true}', enabled: n % 2 }
    await db
      .insertInto('mail_rules')
      .values({ ...rule, userId, version: n + 1, createdAt: AT, updatedAt: AT })
      .execute()
    const template = { name: text, subject: text, html: `<p>${n}</p>` }
    await db
      .insertInto('mail_templates')
      .values({ ...template, userId, version: n + 1, createdAt: AT, updatedAt: AT })
      .execute()
    await db
      .insertInto('saved_searches')
      .values({ userId, name: text, q: text, version: n + 1, createdAt: AT, updatedAt: AT })
      .execute()
  }
}

/** Shares a task list and a calendar with another account, which has reminders of its own. */
const fillShares = async (db: Db, owner: number): Promise<void> => {
  const { id: memberId } = await db
    .selectFrom('users')
    .select('id')
    .where('id', '<>', owner)
    .executeTakeFirstOrThrow()
  const task = await db
    .selectFrom('tasks')
    .select(['id', 'listId'])
    .where('userId', '=', owner)
    .executeTakeFirstOrThrow()
  const event = await db
    .selectFrom('events')
    .select(['id', 'calendarId'])
    .where('userId', '=', owner)
    .executeTakeFirstOrThrow()
  const share = { userId: owner, emailKey: AWKWARD[0] ?? '', email: AWKWARD[0] ?? '', memberId }
  const state = { visible: 1, color: null, version: 1, createdAt: AT, updatedAt: AT }
  await db
    .insertInto('shares')
    .values([
      { ...share, ...state, kind: 'taskList', resourceId: task.listId, role: 'editor', status: 'accepted' },
      {
        ...share,
        ...state,
        kind: 'calendar',
        resourceId: event.calendarId,
        role: 'freeBusy',
        status: 'pending',
      },
    ])
    .execute()
  await db
    .insertInto('task_reminders')
    .values({ userId: memberId, taskId: task.id, remindAt: AT, nextReminderAt: null })
    .execute()
  await db
    .insertInto('event_reminders')
    .values({ userId: memberId, eventId: event.id, reminders: '[]', nextReminderAt: AT })
    .execute()
}

/** Inserts rows into every table of a backup, with text that is easily damaged, and a gap in the ids. */
export const fillEverything = async (db: Db): Promise<void> => {
  const users = AWKWARD.map((name, n) => ({
    ...userRow(`user${n}`, n === 0 ? 'owner' : 'member'),
    name,
    twoFactorStep: n === 0 ? null : 59_000_000 + n,
  }))
  const ids = (await db.insertInto('users').values(users).returning('id').execute()).map(({ id }) => id)
  const owner = ids[0] as number
  await db
    .insertInto('instance_settings')
    .values({
      id: 1,
      registration: 'invite',
      version: 1,
      updatedAt: '2026-03-01T10:00:00.000Z',
    })
    .execute()
  await db
    .insertInto('backup_schedule')
    .values({
      id: 1,
      enabled: 1,
      frequency: 'weekly',
      weekday: 'sunday',
      time: '03:00',
      keepCount: 7,
      keepDays: 30,
      passphrase: 'sealed',
      destination: 's3',
      folder: null,
      endpoint: 'https://s3.example.org',
      region: 'eu-central-1',
      bucket: 'copies',
      prefix: 'home/',
      accessKeyId: 'key',
      secretAccessKey: 'sealed',
      nextRunAt: '2026-03-08T02:00:00.000Z',
      version: 1,
      updatedAt: '2026-03-01T10:00:00.000Z',
    })
    .execute()
  await db
    .insertInto('backups')
    .values({
      cause: 'schedule',
      state: 'proven',
      step: null,
      destination: 's3',
      location: 'https://s3.example.org/copies/home/',
      filename: 'factotum-20260301T020000Z-1.zip',
      encrypted: 1,
      size: 1_000_000,
      problem: null,
      createdAt: '2026-03-01T02:00:00.000Z',
      startedAt: '2026-03-01T02:00:00.000Z',
      finishedAt: '2026-03-01T02:01:00.000Z',
      provenAt: '2026-03-01T02:01:00.000Z',
      epoch: 0,
    })
    .execute()
  await db
    .insertInto('avatars')
    .values(
      ids.slice(0, 4).map((userId) => ({ userId, contentType: 'image/png', content: 'A'.repeat(1_500_000) })),
    )
    .execute()
  for (const [n, text] of AWKWARD.entries()) {
    const userId = ids[n] as number
    await db
      .insertInto('sessions')
      .values({ ...sessionRow(`s${n}`, userId), userAgent: text })
      .execute()
    await db
      .insertInto('refresh_tokens')
      .values({ hash: `r${n}`, sessionId: `s${n}`, createdAt: AT, usedAt: null, generation: n })
      .execute()
    await db
      .insertInto('backup_codes')
      .values({ userId, hash: text, usedAt: n % 2 ? AT : null })
      .execute()
    const token = {
      id: `t${n}`,
      userId,
      name: text,
      hash: `h${n}`,
      hint: text,
      createdAt: AT,
      lastUsedAt: null,
    }
    await db
      .insertInto('access_tokens')
      .values({ ...token, scopes: '[]', expiresAt: null, version: n })
      .execute()
    await db
      .insertInto('feed_tokens')
      .values({ ...token, purpose: 'calendar' })
      .execute()
    const grants = { calendars: 'write', tasks: 'write', contacts: 'write', invitations: 'ask' } as const
    const { hint: _, ...appPassword } = token
    await db
      .insertInto('app_passwords')
      .values({ ...appPassword, ...grants, username: text, version: n })
      .execute()
    const collection = await db
      .insertInto('dav_collections')
      .values({
        userId,
        kind: 'addressBook',
        itemId: 0,
        name: text,
        properties: '{}',
        revision: n,
        prunedRevision: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('dav_resources')
      .values({
        userId,
        collectionId: collection.id,
        name: text,
        uid: text,
        revision: n,
        deletedAt: n % 2 ? AT : null,
      })
      .execute()
    const invitation = { id: `i${n}`, createdBy: owner, email: text, hash: `h${n}`, createdAt: AT }
    await db
      .insertInto('invitations')
      .values({ ...invitation, expiresAt: AT, acceptedAt: null })
      .execute()
    await db.insertInto('attempts').values({ kind: 'login', subject: text, at: AT }).execute()
    const kept = { bodyHash: text, claim: '', processId: n, answer: null, expiresAt: AT }
    await db
      .insertInto('idempotency_keys')
      .values({ scope: `k${n}${text}`, ...kept })
      .execute()
    await db
      .insertInto('changes')
      .values({
        userId: owner,
        type: 'x',
        subject: text,
        data: JSON.stringify({ text }),
        at: AT,
        position: n % 2 ? null : n + 1,
      })
      .execute()
    await db
      .insertInto('samples')
      .values({ userId: owner, kind: `k${n % 2}`, reference: text })
      .execute()
    await db
      .insertInto('job_schedules')
      .values({ name: `job${n}`, tickedAt: AT })
      .execute()
  }
  await fillTasks(db, AWKWARD, AT)
  await fillMail(db, owner)
  await fillEvents(db, AWKWARD, AT)
  await fillBookings(db, AWKWARD, AT)
  await fillBilling(db, owner, AWKWARD, AT)
  await fillMailAccounts(db, owner, AWKWARD, AT)
  await fillCalendarAccounts(db, owner, AWKWARD, AT)
  await fillImports(db, owner, AWKWARD, AT)
  await fillAi(db, AWKWARD, AT)
  await fillWebhooks(db, owner, AWKWARD, AT)
  await fillStream(db, AWKWARD, AT)
  await fillNotifications(db, owner, AWKWARD, AT)
  await fillShares(db, owner)
  await fillContacts(db, owner, AWKWARD, AT)
  await fillCommitments(db, owner, AWKWARD, AT)
  await fillReservations(db, owner, AWKWARD, AT)
  await db.insertInto('activity_seal').values({ id: 1, sealed: '' }).execute()
  await db
    .insertInto('password_resets')
    .values({
      hash: 'reset',
      userId: owner,
      createdAt: AT,
      expiresAt: AT,
      usedAt: null,
      browserHash: null,
      withheldAt: null,
    })
    .execute()
  const entry = { userId: owner, at: AT, action: 'profile.changed', ip: '::1', userAgent: '', details: '{}' }
  for (let n = 0; n < 10; n++)
    await db
      .insertInto('activity')
      .values(Array.from({ length: 300 }, () => entry))
      .execute()
  const { id } = await db
    .insertInto('users')
    .values(userRow('gone'))
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.deleteFrom('users').where('id', '=', id).execute()
}

export const copiedTables = Object.entries(tableKeys).flatMap(([table, key]) =>
  key === null ? [] : [table as keyof Tables],
)

/** Reads every row of every backed-up table, in an order that does not depend on the engine. */
export const readEverything = async (place: DataPlace): Promise<Record<string, string[]>> =>
  withDatabase(place, async (db) => {
    const all: Record<string, string[]> = {}
    for (const table of copiedTables) {
      const rows = await db.selectFrom(table).selectAll().modifyEnd(ALL_ACCOUNTS).execute()
      // The engines may order the columns differently.
      all[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
    }
    return all
  })

/** Inserts many rows quickly, so that later operations take long enough to be interrupted. */
export const addBulk = async (place: DataPlace, count: number): Promise<void> =>
  withDatabase(place, async (db) => {
    const { id } = await db
      .insertInto('users')
      .values(userRow('bulk'))
      .returning('id')
      .executeTakeFirstOrThrow()
    const numbers =
      place.engine === 'sqlite'
        ? sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)}) select i from n)`
        : sql`generate_series(1, ${sql.lit(count)}) as n(i)`
    await sql`insert into activity ("userId", at, action, ip, "userAgent", details)
      select ${sql.lit(id)}, ${sql.lit(AT)}, 'x', '::1', ${sql.lit('y'.repeat(200))}, '{}' from ${numbers}`.execute(
      db,
    )
  })

export const writeFileIn = (place: DataPlace, path: string, contents: string): void => {
  mkdirSync(join(place.dataDir, path, '..'), { recursive: true })
  writeFileSync(join(place.dataDir, path), contents)
}

export const readFileIn = (place: DataPlace, path: string): string | undefined =>
  existsSync(join(place.dataDir, path)) ? readFileSync(join(place.dataDir, path), 'utf8') : undefined

export const namesIn = (place: DataPlace): string[] => readdirSync(place.dataDir).sort()
