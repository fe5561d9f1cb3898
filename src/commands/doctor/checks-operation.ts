import { sql } from 'kysely'
import { isTransactionPooled } from '../../database/pooler.ts'
import { findOldestDueJob } from '../../features/health/gauges.ts'
import { randomId } from '../../platform/random.ts'
import { messageOf } from '../command.ts'
import { type Check, currentDatabase, fail, type InspectedInstance, ok, warn } from './checks-instance.ts'

const ANSWER_WITHIN_MS = 5_000

/** Ids that Factotum assigns itself, because it does not trust the sender of `X-Request-Id`. */
const OWN_REQUEST_ID = /^[\w-]{6}-[0-9a-z]+$/

const reasonOf = (error: unknown): string => {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? messageOf(error)
}

const inspectProxy = (
  { config }: InspectedInstance,
  received: string | null,
  sent: string,
): ReturnType<typeof warn>[] => {
  if (config.trustProxy === false)
    return config.publicUrl?.startsWith('https:')
      ? [
          warn(
            'TRUST_PROXY is not set, but HTTPS needs a proxy: all people share one address and one rate limit',
            'set TRUST_PROXY to the address of the proxy',
          ),
        ]
      : []
  if (received === sent || received === null || !OWN_REQUEST_ID.test(received)) return []
  return [
    warn(
      'the proxy is not one that TRUST_PROXY names: its X-Forwarded headers are ignored',
      'set TRUST_PROXY to the address from which the proxy connects',
    ),
  ]
}

/** Opens PUBLIC_URL as a browser would, through the proxy. */
export const addressCheck: Check = {
  what: 'address',
  async run(instance) {
    const { config } = instance
    const { publicUrl } = config
    if (publicUrl === null) return [ok('PUBLIC_URL is not set; mail contains no links')]
    const sent = `doctor-${randomId(instance.context.random)}`
    try {
      const response = await fetch(`${publicUrl}/api/health`, {
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        redirect: 'manual',
        headers: { 'x-request-id': sent },
      })
      const proxy = inspectProxy(instance, response.headers.get('x-request-id'), sent)
      const body = (await response.json().catch(() => null)) as { version?: unknown } | null
      if (typeof body?.version === 'string')
        return [ok(`${publicUrl} reaches Factotum ${body.version}`), ...proxy]
      return [
        warn(
          `${publicUrl} answers ${response.status}, but not as Factotum`,
          'forward this address to Factotum in the proxy',
        ),
      ]
    } catch (error) {
      return [
        warn(
          `${publicUrl} does not answer from this machine (${reasonOf(error)})`,
          'start the server and the proxy; check the name, the certificate and the firewall',
        ),
        ...inspectProxy(instance, null, sent),
      ]
    }
  },
}

/** Connections that listen for changes and hold the process lock. */
const FURTHER_CONNECTIONS = 2

/**
 * Runs before the checks that use the database: with such a pooler, statements and notifications fail now and then.
 */
export const poolerCheck: Check = {
  what: 'pool',
  async run({ config: { databaseUrl, databaseDirectUrl } }) {
    if (databaseUrl === null || databaseDirectUrl !== null) return []
    // The check of the database reports an address that does not answer.
    if (!(await isTransactionPooled(databaseUrl).catch(() => false))) return []
    return [
      fail(
        'DATABASE_URL is a connection pooler in transaction mode: notifications and locks need a session',
        'set DATABASE_DIRECT_URL to the address of the PostgreSQL server itself, or use session mode',
      ),
    ]
  },
}

export const poolCheck: Check = {
  what: 'pool',
  async run({ config, database }) {
    if (database?.engine !== 'postgres') return []
    const needed = config.databasePoolSize + FURTHER_CONNECTIONS
    const { rows } = await sql<{ most: number; used: number }>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`.execute(
      database.db,
    )
    const { most = 0, used = 0 } = rows[0] ?? {}
    const detail = `${needed} connections for each instance; the server allows ${most}, of which ${used} are in use`
    try {
      await database.processLock.acquire()
    } catch (error) {
      return [
        fail(
          `no connection for the process lock: ${messageOf(error)}`,
          config.databaseDirectUrl === null
            ? 'raise max_connections, or lower DATABASE_POOL_SIZE'
            : 'set DATABASE_DIRECT_URL to the address of the PostgreSQL server itself',
        ),
      ]
    }
    return [
      needed > most ? warn(detail, 'lower DATABASE_POOL_SIZE, or raise max_connections') : ok(detail),
      ...(config.databaseDirectUrl === null
        ? []
        : [ok('DATABASE_DIRECT_URL reaches the server; statements go through the pooler')]),
    ]
  },
}

/** Berlin is two hours ahead of UTC in July. A Node with reduced time zone data does not know that. */
const KNOWN_HOUR = '14'

export const timeZoneCheck: Check = {
  what: 'timezone',
  run({ config }) {
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit' }).format(
      new Date('2026-07-01T12:00:00Z'),
    )
    if (hour !== KNOWN_HOUR)
      return [
        fail('the time zone data of Node is not complete', 'use the official Node, or one with full ICU'),
      ]
    const zone = config.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
    return [ok(`${zone} (${config.timezone === null ? 'of the system' : 'TZ_DEFAULT'})`)]
  },
}

const STUCK_MS = 15 * 60_000

/** Jobs also wait while no server runs, so the check does not fail. */
export const overdueJobsCheck: Check = {
  what: 'jobs',
  async run(instance) {
    const { clock } = instance.context
    const database = currentDatabase(instance)
    if (!database) return []
    const due = await findOldestDueJob(database)
    const minutes = due === null ? 0 : Math.floor((clock.now().getTime() - new Date(due).getTime()) / 60_000)
    if (minutes * 60_000 < STUCK_MS) return []
    return [
      warn(
        `a job has waited for ${minutes} minutes`,
        'start the server; if it runs, read its log and restart it',
      ),
    ]
  },
}
