import { createServer } from 'node:net'
import { createSmtp } from '../../adapters/smtp/transport.ts'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { listKeysOfAll } from '../../features/models/repository.ts'
import { AppError } from '../../platform/errors.ts'
import { findMissingNames } from '../addresses.ts'
import { openOutbound } from '../instance.ts'
import { type Check, fail, ok, warn } from './checks-instance.ts'

export const accessCheck: Check = {
  what: 'access',
  run({ config }) {
    const { access, host, isLocal } = config
    const names =
      findMissingNames(config) === undefined
        ? []
        : [
            warn(
              `reachable by IP address only: HOST is ${host}, PUBLIC_URL and ALLOWED_HOSTS are unset`,
              'set PUBLIC_URL to the public address, or add names to ALLOWED_HOSTS',
            ),
          ]
    if (access === 'private') return [ok('private: a token for every request'), ...names]
    if (isLocal) return [ok('open, on this machine only')]
    return [
      warn(
        `open to everyone who can reach ${host}`,
        'set ACCESS=private, unless everyone there may read and change all data',
      ),
      ...names,
    ]
  },
}

interface HealthAnswer {
  version: string
  status: string
}

/** A busy server may answer late, for example while it backs up or imports. */
const BUSY_ANSWER_WITHIN_MS = 20_000

/**
 * Asks the server at that address. Returns its answer, `other` for an answer of another program, or `none` without
 * an answer.
 */
const askHealth = async (host: string, port: number): Promise<HealthAnswer | 'other' | 'none'> => {
  const name =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  try {
    const signal = AbortSignal.timeout(BUSY_ANSWER_WITHIN_MS)
    const answer = await fetch(`http://${name}:${port}/api/health`, { signal, redirect: 'manual' })
    const body = (await answer.json().catch(() => null)) as Partial<
      Record<'version' | 'status' | 'code', unknown>
    >
    const { version, status } = body ?? {}
    if (typeof version === 'string' && typeof status === 'string') return { version, status }
    // A problem document, for example of the rate limit, with the id that every answer of Factotum has.
    const isOurs = typeof body?.code === 'string' && answer.headers.has('x-request-id')
    return isOurs ? { version: '', status: 'busy' } : 'other'
  } catch {
    return 'none'
  }
}

const tryListening = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })

export const portCheck: Check = {
  what: 'port',
  async run({ config: { host, port } }) {
    if (port === 0) return [ok('any free port')]
    const running = await askHealth(host, port)
    if (typeof running === 'object') {
      if (running.status === 'ok') return [ok(`Factotum ${running.version} answers on ${port}`)]
      if (running.status === 'busy') return [ok(`Factotum answers on ${port}, and is busy`)]
      return [warn(`Factotum ${running.version} on ${port} reports that it is down`, 'check its log')]
    }
    const code = await tryListening(host, port)
    if (code === null) return [ok(`${port} is free`)]
    if (code === 'EADDRINUSE' && running === 'none')
      return [
        warn(
          `${port} is in use, and its program did not answer in ${BUSY_ANSWER_WITHIN_MS / 1000} seconds`,
          'if it is Factotum, it is busy: try again later. Otherwise stop that program, or set PORT to another port',
        ),
      ]
    if (code === 'EADDRINUSE')
      return [fail(`${port} is used by another program`, 'stop that program, or set PORT to another port')]
    if (code === 'EACCES') return [fail(`${port} requires root privileges`, 'set PORT to 1024 or more')]
    return [fail(`this machine has no address ${host} (${code})`, 'set HOST to an address of this machine')]
  },
}

/** Reports the last sync status of the accounts. Connects to no mail server. */
export const mailCheck: Check = {
  what: 'mail',
  async run({ database, migration, config }) {
    if (!database || !migration || migration.at === null) return []
    if (migration.pending.length + migration.unknown.length > 0) return []
    const accounts = await database.db
      .selectFrom('mail_accounts')
      .innerJoin('mail_sync', 'mail_sync.accountId', 'mail_accounts.id')
      .select(['address', 'signIn', 'status', 'error', 'enabled'])
      .orderBy('address')
      .execute()
    const active = accounts.filter(({ enabled }) => enabled === 1)
    const isBroken = (status: string): boolean => status === 'failing' || status === 'signed_out'
    const broken = active.filter(({ status }) => isBroken(status))
    const clients = await database.db.selectFrom('oauth_clients').select('provider').execute()
    const unset = active.filter(
      ({ signIn }) =>
        signIn !== 'password' &&
        config.mailOauth[signIn].clientId === null &&
        !clients.some(({ provider }) => provider === signIn),
    )
    const unreadable = await database.db
      .selectFrom('emails')
      .leftJoin('mail_accounts', 'mail_accounts.id', 'emails.accountId')
      .select((row) => ['address', row.fn.countAll<number>().as('count')])
      .where('unreadable', 'is not', null)
      .groupBy('address')
      .orderBy('address')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    const uncertain = await database.db
      .selectFrom('outbox')
      .select('emailId')
      .where('state', 'in', ['sending', 'uncertain'])
      .limit(1)
      .executeTakeFirst()
    return [
      ...(broken.length + unset.length === 0
        ? [ok(active.length === 0 ? 'no account is connected' : `${active.length} connected`)]
        : []),
      ...broken.map(({ address, error }) =>
        warn(`${address}: ${error ?? 'does not answer'}`, 'check the settings of the account'),
      ),
      ...unset.map(({ address, signIn }) =>
        warn(
          `${address} signs in with ${signIn}, which is not configured`,
          `enter the client in the console, or set MAIL_OAUTH_${signIn.toUpperCase()}_CLIENT_ID`,
        ),
      ),
      ...unreadable.map(({ address, count }) =>
        warn(
          `${address ?? 'removed accounts'}: ${count} ${Number(count) === 1 ? 'message' : 'messages'} could not be read`,
          'open or download them in the console; the next version of Factotum tries again',
        ),
      ),
      ...(uncertain
        ? [
            warn(
              'for some emails it is unknown whether they were sent',
              'look for delivery "uncertain" in the sent folder',
            ),
          ]
        : []),
    ]
  },
}

const countOf = (count: number, noun: string): string => `${count} ${Number(count) === 1 ? noun : `${noun}s`}`

/** Reports the last sync status of the accounts. Connects to no calendar server. */
export const calendarCheck: Check = {
  what: 'calendars',
  async run({ database, migration }) {
    if (!database || !migration || migration.at === null) return []
    if (migration.pending.length + migration.unknown.length > 0) return []
    const active = await database.db
      .selectFrom('calendar_accounts')
      .innerJoin('calendar_sync', 'calendar_sync.accountId', 'calendar_accounts.id')
      .select(['name', 'status', 'error'])
      .where('enabled', '=', 1)
      .orderBy('name')
      .execute()
    const objects = await database.db
      .selectFrom('unreadable_objects')
      .innerJoin('calendar_accounts', 'calendar_accounts.id', 'unreadable_objects.accountId')
      .select(({ fn }) => ['calendar_accounts.name', fn.countAll<number>().as('count')])
      .groupBy('calendar_accounts.name')
      .orderBy('calendar_accounts.name')
      .execute()
    const bookings = await database.db
      .selectFrom('unreadable_bookings')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    const unreadable = [
      ...objects.map(({ name, count }) => `${name}: ${countOf(count, 'event')} could not be read`),
      ...(Number(bookings.count) > 0 ? [`${countOf(bookings.count, 'booking')} could not be read`] : []),
    ]
    const broken = active.filter(({ status }) => status === 'failing' || status === 'signed_out')
    return [
      ...(broken.length === 0
        ? [ok(active.length === 0 ? 'no account is connected' : `${active.length} connected`)]
        : broken.map(({ name, error }) =>
            warn(`${name}: ${error ?? 'does not answer'}`, 'check the settings of the account'),
          )),
      ...unreadable.map((detail) =>
        warn(detail, 'download them in the console; the next version of Factotum tries again'),
      ),
    ]
  },
}

export const paymentsCheck: Check = {
  what: 'payments',
  run({
    config: {
      stripe: { secretKey, webhookSecret, prices },
    },
  }) {
    if (secretKey === null)
      return webhookSecret === null && prices.length === 0
        ? [ok('no Stripe key is set; all users are on the self-hosted plan')]
        : [warn('Stripe settings exist, but no key', 'set STRIPE_SECRET_KEY, or remove the others')]
    if (webhookSecret === null)
      return [
        warn(
          'no Stripe webhook is configured: plan changes take up to an hour',
          'add an endpoint for /api/billing/webhook at Stripe and set STRIPE_WEBHOOK_SECRET',
        ),
      ]
    return [ok('Stripe is configured (not called)')]
  },
}

export const providersCheck: Check = {
  what: 'AI',
  async run({ config, database, migration }) {
    const given = Object.entries(config.ai.providers)
      .filter(([name, { key, baseUrl }]) => (name === 'openai-compatible' ? baseUrl : key) !== null)
      .map(([name]) => name)
    // The database contains keys that users entered; an older schema may have no table for them.
    const isCurrent = migration !== null && migration.pending.length + migration.unknown.length === 0
    const saved =
      database && isCurrent ? (await listKeysOfAll(database.db)).map(({ provider }) => provider) : []
    const ready = [...new Set([...given, ...saved])]
    return [
      ok(
        ready.length > 0
          ? `ready: ${ready.join(', ')} (not called)`
          : 'no provider key is set; the built-in engine answers',
      ),
    ]
  },
}

/** Connects to the server in `SMTP_URL` and signs in. Sends nothing. */
export const systemMailCheck: Check = {
  what: 'SMTP',
  async run({ config, context }) {
    const { systemSender } = config
    if (systemSender === null)
      return config.mailFrom === null
        ? [ok("SMTP_URL is not set; the owner's first mail account sends system mail")]
        : [warn('MAIL_FROM is set but not used', 'set SMTP_URL as well, or remove MAIL_FROM')]
    const { host, port } = systemSender.server
    const outbound = openOutbound(context)
    try {
      await createSmtp(outbound.resolve).verify(systemSender)
      return [ok(`${host}:${port} accepts mail from ${systemSender.from.address}`)]
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const response = error.details.failure?.response
      return [
        fail(
          `SMTP_URL does not work: ${error.message}${response ? ` The server said: ${response}` : ''}`,
          'check the host, port, user name and password in SMTP_URL',
        ),
      ]
    } finally {
      await outbound.close()
    }
  },
}
