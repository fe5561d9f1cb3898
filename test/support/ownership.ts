import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import { Migrator } from 'kysely/migration'
import pg from 'pg'

/**
 * Rejects queries on personal data that do not name the account. It is loaded before each test file and inspects the
 * SQL of both engines. Queries for all accounts have the mark of src/database/all-accounts.ts.
 */

const schema = readFileSync(new URL('../golden/schema.sqlite.txt', import.meta.url), 'utf8')

/** SQLite's own tables of the word indexes have names in single quotes. */
export const TABLES: readonly string[] = [...schema.matchAll(/^CREATE (?:VIRTUAL )?TABLE "?(\w+)"? /gm)].map(
  ([, name]) => name as string,
)

/** Tables whose statements need not name the account, by the reason. All others are guarded, also new ones. */
export const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'it is the account itself': ['users'],
  'it belongs to the instance': [
    'activity_seal',
    'attempts',
    'backup_schedule',
    'backups',
    'billing_events',
    'blobs',
    'idempotency_keys',
    'instance_settings',
    'job_progress',
    'job_schedules',
    'jobs',
    'migration_lock',
    'migrations',
    'oauth_clients',
    'restores',
    'tallies',
    'task_alarm',
  ],
  'the hash chain joins the entries of all accounts': ['activity'],
  'the caller proves with a secret which row belongs to it': [
    'invitations',
    'oauth_states',
    'password_resets',
    'refresh_tokens',
  ],
  'the sync works with the id in its job; requests find the account by user first': [
    'calendar_accounts',
    'calendar_sync',
    'event_placements',
    'event_pushes',
    'mail_accounts',
    'mail_folders',
    'mail_placements',
    'mail_pushes',
    'mail_sync',
    'outbox',
    'remote_calendars',
    'unreadable_objects',
  ],
  'it has no userId; a statement that names the account finds the row that it belongs to': [
    'action_parts',
    'ai_message_words',
    'ai_messages',
    'caption_tracks',
    'email_bodies',
    'email_words',
    'webhook_attempts',
    'webhook_deliveries',
  ],
}

const EXEMPT = Object.values(EXCEPTIONS).flat()
export const PERSONAL_TABLES: readonly string[] = TABLES.filter((name) => !EXEMPT.includes(name))

const MARK = '/* all accounts */'
/** An insert has the column in its list. Everything else compares it. `memberId` is an account that a share names. */
const NAMES_ACCOUNT =
  /"(?:userId|memberId)"(?:\s*=|\s+in\b|\s+is not distinct\b)|=\s*(?:"?\w+"?\.)?"userId"|^\s*insert into/i

const PERSONAL_TABLE = new RegExp(
  `\\b(?:from|join|update|into)\\s+"?(${PERSONAL_TABLES.join('|')})"?(?![\\w"])`,
  'i',
)

const findTable = (text: string): string | undefined => PERSONAL_TABLE.exec(text)?.[1]

const checked = new Set<string>()

/**
 * Migrations work on tables of all versions, and on the rows of all accounts. A stack trace does not show them,
 * because the SQLite driver pauses between statements.
 */
const migration = new AsyncLocalStorage<true>()

export const requireAccount = (text: string): void => {
  if (checked.has(text)) return
  const table = /^\s*(select|insert|update|delete|with)\b/i.test(text) ? findTable(text) : undefined
  if (table !== undefined && !text.includes(MARK) && !NAMES_ACCOUNT.test(text)) {
    if (migration.getStore()) return
    throw new Error(`A query on "${table}" names no account: ${text}`)
  }
  checked.add(text)
}

const patched = Symbol.for('factotum.ownership')
const marks = globalThis as { [patched]?: true }
if (!marks[patched]) {
  marks[patched] = true
  for (const name of ['migrateTo', 'migrateToLatest'] as const) {
    const migrate = Migrator.prototype[name] as (this: Migrator, ...args: unknown[]) => Promise<unknown>
    Object.assign(Migrator.prototype, {
      [name](this: Migrator, ...args: unknown[]) {
        return migration.run(true, () => migrate.apply(this, args))
      },
    })
  }
  const prepare = SQLite.prototype.prepare as (this: SQLite.Database, text: string) => SQLite.Statement
  SQLite.prototype.prepare = function (this: SQLite.Database, text: string) {
    requireAccount(text)
    return prepare.call(this, text)
  } as typeof SQLite.prototype.prepare
  const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text
    if (text !== undefined) requireAccount(text)
    return query.apply(this, args)
  } as typeof pg.Client.prototype.query
}
