import { sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import type { GaugeDefinition, GaugeValue } from '../../platform/http/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import type { HealthNeeds } from './health.ts'

interface Tally {
  name: string
  count: number
}

/** Prometheus needs a value for each known label, so that an alert sees the change from 0 to 1. */
const toValues = (label: string, names: readonly string[], rows: readonly Tally[]): GaugeValue[] =>
  names.map((name) => ({
    labels: { [label]: name },
    value: Number(rows.find((row) => row.name === name)?.count ?? 0),
  }))

const JOB_STATES = ['waiting', 'running', 'parked'] as const

const countJobs = async ({ db, engine }: Database): Promise<readonly Tally[]> => {
  const { rows } =
    engine === 'sqlite'
      ? await sql<Tally>`select state as name, count(*) as count from jobs where state <> 'done' group by state`.execute(
          db,
        )
      : await sql<Tally>`
          select case when state in ('created', 'retry') then 'waiting' when state = 'active' then 'running'
            else 'parked' end as name, count(*) as count
          from pgboss.job where state <> 'completed' group by 1`.execute(db)
  return rows
}

/** The time at which the longest waiting job was due. */
export const findOldestDueJob = async ({ db, engine }: Database): Promise<string | Date | null> => {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{
          at: string | null
        }>`select min("dueAt") as at from jobs where state = 'waiting'`.execute(db)
      : await sql<{ at: Date | null }>`
          select min(start_after) as at from pgboss.job where state in ('created', 'retry')`.execute(db)
  return rows[0]?.at ?? null
}

const ACCOUNT_STATUSES = ['waiting', 'syncing', 'live', 'paused', 'failing', 'signed_out'] as const

type AccountKind = 'mail' | 'calendar'

/** The syncs of all active accounts. Both kinds have the same columns. */
const activeSyncs = (kind: AccountKind) =>
  sql`${sql.table(`${kind}_sync`)} as sync join ${sql.table(`${kind}_accounts`)} as account
    on account.id = sync."accountId" where account.enabled = 1`

const countAccounts = async (db: Db, kind: AccountKind): Promise<readonly Tally[]> => {
  const { rows } = await sql<Tally>`
    select status as name, count(*) as count from ${activeSyncs(kind)} group by status ${ALL_ACCOUNTS}`.execute(
    db,
  )
  return rows
}

/** The oldest last sync of all active accounts. An account that has never synced does not count. */
const findOldestSync = async (db: Db, kind: AccountKind): Promise<string | null> => {
  const { rows } = await sql<{ at: string | null }>`
    select min("lastSyncAt") as at from ${activeSyncs(kind)} ${ALL_ACCOUNTS}`.execute(db)
  return rows[0]?.at ?? null
}

const OUTBOX_STATES = ['queued', 'sending', 'failed', 'uncertain'] as const

/** The figures of the whole instance, from the database. Several instances report the same values. */
export const createGauges = (
  { database, clock }: Platform,
  { version, lastProvenAt }: HealthNeeds,
): GaugeDefinition[] => {
  const { db, readPool } = database
  const secondsSince = (at: string | Date | null): GaugeValue[] => [
    { value: at === null ? 0 : Math.max(0, (clock.now().getTime() - new Date(at).getTime()) / 1000) },
  ]
  const syncGauges = (kind: AccountKind): GaugeDefinition[] => [
    {
      name: `factotum_${kind}_accounts`,
      help: `Active ${kind} accounts by sync status`,
      labels: ['status'],
      read: async () => toValues('status', ACCOUNT_STATUSES, await countAccounts(db, kind)),
    },
    {
      name: `factotum_${kind}_sync_age_seconds`,
      help: `Time since the last sync of the ${kind} account that has waited longest`,
      read: async () => secondsSince(await findOldestSync(db, kind)),
    },
  ]
  return [
    {
      name: 'factotum_build_info',
      help: 'Version and database of this instance; the value is always 1',
      labels: ['version', 'database'],
      read: async () => [{ labels: { version, database: database.engine }, value: 1 }],
    },
    {
      name: 'factotum_jobs',
      help: 'Unfinished background jobs by state; parked ones have no retries left',
      labels: ['state'],
      read: async () => toValues('state', JOB_STATES, await countJobs(database)),
    },
    {
      name: 'factotum_jobs_overdue_seconds',
      help: 'Time since the oldest waiting background job was due',
      read: async () => secondsSince(await findOldestDueJob(database)),
    },
    ...syncGauges('mail'),
    ...syncGauges('calendar'),
    {
      name: 'factotum_backup_last_proven_timestamp_seconds',
      help: 'Time of the last backup that was proven restorable; 0 without one',
      read: async () => {
        const at = await lastProvenAt()
        return [{ value: at === null ? 0 : Date.parse(at) / 1000 }]
      },
    },
    {
      name: 'factotum_outbox_emails',
      help: 'Emails in the outbox by state',
      labels: ['state'],
      read: async () =>
        toValues(
          'state',
          OUTBOX_STATES,
          await db
            .selectFrom('outbox')
            .select(({ fn }) => ['state as name', fn.countAll<number>().as('count')])
            .where('state', 'in', OUTBOX_STATES)
            .groupBy('state')
            .modifyEnd(ALL_ACCOUNTS)
            .execute(),
        ),
    },
    {
      name: 'factotum_outbox_overdue_seconds',
      help: 'Time since the oldest queued email should have been sent',
      read: async () => {
        const row = await db
          .selectFrom('outbox')
          .select(({ fn }) => fn.min('sendAt').as('at'))
          .where('state', '=', 'queued')
          .modifyEnd(ALL_ACCOUNTS)
          .executeTakeFirst()
        return secondsSince(row?.at ?? null)
      },
    },
    {
      name: 'factotum_webhook_deliveries_waiting',
      help: 'Webhook deliveries that wait for an attempt',
      read: async () => {
        const row = await db
          .selectFrom('webhook_deliveries')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('state', '=', 'waiting')
          .modifyEnd(ALL_ACCOUNTS)
          .executeTakeFirst()
        return [{ value: Number(row?.count ?? 0) }]
      },
    },
    {
      name: 'factotum_blobs_bytes',
      help: 'Size of the stored raw messages and attachments',
      read: async () => {
        const row = await db
          .selectFrom('blobs')
          .select(({ fn }) => fn.sum<number>('size').as('bytes'))
          .executeTakeFirst()
        return [{ value: Number(row?.bytes ?? 0) }]
      },
    },
    {
      name: 'factotum_database_connections',
      help: 'PostgreSQL connections of this instance by state; none with SQLite',
      labels: ['state'],
      isCurrent: true,
      read: async () => {
        const pool = readPool?.()
        if (!pool) return []
        return [
          { labels: { state: 'busy' }, value: pool.open - pool.idle },
          { labels: { state: 'idle' }, value: pool.idle },
        ]
      },
    },
    {
      name: 'factotum_database_connections_limit',
      help: 'DATABASE_POOL_SIZE of this instance; 0 with SQLite',
      read: async () => [{ value: readPool?.().limit ?? 0 }],
    },
    {
      name: 'factotum_database_requests_waiting',
      help: 'Statements that wait for a free PostgreSQL connection',
      isCurrent: true,
      read: async () => [{ value: readPool?.().waiting ?? 0 }],
    },
  ]
}
