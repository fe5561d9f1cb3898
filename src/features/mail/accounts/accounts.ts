import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Visit } from '../../../platform/access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { conflict, invalidField } from '../../../platform/errors.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import { normaliseHost } from '../../../platform/outbound/addresses.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import { readByAge } from '../../../platform/resources.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Activity } from '../../auth/activity.ts'
import { type Credentials, createCredentials } from '../../remote-accounts/credentials.ts'
import { updateSync } from '../../remote-accounts/repository.ts'
import { deleteFoldersOf } from '../folders/repository.ts'
import type { RequestSending } from '../outbox/send-requests.ts'
import type { MailLogin, MailServer, MailTarget, ServerLimits } from './ports.ts'
import {
  type AccountRecord,
  accountRows,
  deleteAccount,
  insertAccount,
  readSync,
  saveServerLimits,
} from './repository.ts'

const TABLE = 'mail_accounts'

/** The credentials of an account. The database holds them encrypted. */
export type AccountSecret =
  | { password: string; smtpPassword: string | null }
  | { refreshToken: string; accessToken: string; expiresAt: string }

export const createMailCredentials = (sealer: Sealer) => createCredentials<AccountSecret>(sealer, TABLE)

export const serverOf = (text: string): MailServer => JSON.parse(text) as MailServer

const toLogin = (user: string, secret: AccountSecret, password: string | null): MailLogin =>
  'password' in secret
    ? { kind: 'password', user, password: password ?? secret.password }
    : { kind: 'oauth', user, accessToken: secret.accessToken }

type AccountServers = Pick<AccountRecord, 'imap' | 'smtp' | 'username' | 'smtpUsername'>

export const imapTarget = (account: AccountServers, secret: AccountSecret): MailTarget => ({
  server: serverOf(account.imap),
  login: toLogin(account.username, secret, null),
})

export const smtpTarget = (account: AccountServers, secret: AccountSecret): MailTarget => ({
  server: serverOf(account.smtp),
  login: toLogin(
    account.smtpUsername ?? account.username,
    secret,
    'password' in secret ? secret.smtpPassword : null,
  ),
})

export interface MailServerInput {
  host: string
  port: number
  tls: MailServer['tls']
  certificate?: string | null
}

export interface AccountInput {
  address: string
  name?: string
  senderName?: string
  imap: MailServerInput
  smtp: MailServerInput
  username?: string
  password: string
  smtpUsername?: string | null
  smtpPassword?: string
  enabled?: boolean
}
export interface Identity {
  name: string
  address: string
}

export interface AccountChange extends Partial<Omit<AccountInput, 'address'>> {
  signature?: string | null
  identities?: Identity[]
  plainText?: boolean
}

/** The largest message that the service sends. Few servers accept more. */
export const MAX_MESSAGE_BYTES = 35 * 1024 * 1024

export const toMaxMessageBytes = ({ maxMessageBytes }: Pick<AccountRecord, 'maxMessageBytes'>): number =>
  Math.min(maxMessageBytes ?? MAX_MESSAGE_BYTES, MAX_MESSAGE_BYTES)

/** All senders of an account. The first one is its own address. */
export const listIdentities = (
  account: Pick<AccountRecord, 'address' | 'senderName' | 'identities'>,
): Identity[] => [
  { name: account.senderName, address: account.address },
  ...(JSON.parse(account.identities) as Identity[]),
]

const readIdentities = (account: AccountRecord, given: readonly Identity[]): string => {
  const known = new Set([account.address.toLowerCase()])
  for (const [index, { address }] of given.entries()) {
    if (known.has(address.toLowerCase()))
      throw invalidField(`identities.${index}.address`, 'is already an address of this account')
    known.add(address.toLowerCase())
  }
  return JSON.stringify(given.map(({ name, address }) => ({ name: name.trim(), address })))
}

/** Returns the server that now receives mail of the account, if there is another one. */
const findNewHost = (before: AccountRecord, after: AccountRecord): { host?: string } => {
  for (const name of ['smtp', 'imap'] as const) {
    const { host } = serverOf(after[name])
    if (host !== serverOf(before[name]).host) return { host }
  }
  return {}
}

/** Changes of these fields concern only writing, not the servers. */
const WRITING_FIELDS: readonly string[] = ['signature', 'identities', 'plainText', 'senderName', 'name']

const readServer = (path: 'imap' | 'smtp', input: MailServerInput): MailServer => {
  const host = normaliseHost(input.host)
  if (host === undefined)
    throw invalidField(`${path}.host`, 'must be the host name or IP address of a server')
  const certificate = input.certificate?.trim() || null
  if (
    certificate !== null &&
    !/^-----BEGIN CERTIFICATE-----[\s\w+/=-]+-----END CERTIFICATE-----$/.test(certificate)
  )
    throw invalidField(`${path}.certificate`, 'must be a PEM certificate')
  return { host, port: input.port, tls: input.tls, certificate }
}

/**
 * Validates the input and returns the connection targets. Both a new account and a connection test use it.
 */
const toTargets = (input: AccountInput): { imap: MailTarget; smtp: MailTarget } => {
  const secret = { password: input.password, smtpPassword: input.smtpPassword ?? null }
  const account = {
    imap: JSON.stringify(readServer('imap', input.imap)),
    smtp: JSON.stringify(readServer('smtp', input.smtp)),
    username: input.username ?? input.address,
    smtpUsername: input.smtpUsername ?? null,
  }
  return { imap: imapTarget(account, secret), smtp: smtpTarget(account, secret) }
}

const toView = async (view: Db, account: AccountRecord) => {
  const { secret: _, userId: __, imap, smtp, enabled, identities, plainText, ...visible } = account
  const { stored, total, ...sync } = await readSync(view, account)
  return {
    ...visible,
    imap: serverOf(imap),
    smtp: serverOf(smtp),
    enabled: enabled === 1,
    identities: JSON.parse(identities) as Identity[],
    plainText: plainText === 1,
    maxMessageBytes: toMaxMessageBytes(account),
    sync: { ...sync, progress: { stored, total: Math.max(stored, total) } },
    extra: `${sync.status}.${sync.lastSyncAt ?? ''}.${stored}.${sync.unreadable}.${account.maxMessageBytes ?? ''}`,
  }
}

/**
 * Applies a change to the servers and the secret. A changed server requires the passwords again, so that a
 * stored password never goes to another server.
 */
const toPatch = (credentials: Credentials<AccountSecret>, account: AccountRecord, change: AccountChange) => {
  const imap = change.imap === undefined ? serverOf(account.imap) : readServer('imap', change.imap)
  const smtp = change.smtp === undefined ? serverOf(account.smtp) : readServer('smtp', change.smtp)
  const changesServer =
    !isDeepStrictEqual(imap, serverOf(account.imap)) || !isDeepStrictEqual(smtp, serverOf(account.smtp))
  // If the encryption key was lost, a new password replaces the unreadable secret.
  const before =
    change.password !== undefined && !credentials.canOpen(account.secret)
      ? { password: change.password, smtpPassword: null }
      : credentials.open(account.id, account.secret)
  const changesPassword = change.password !== undefined || change.smtpPassword !== undefined
  if (!('password' in before)) {
    if (changesServer || changesPassword)
      throw conflict(
        'This account signs in with its provider. Reconnect the account instead of changing its servers.',
      )
    return { secret: account.secret, imap: account.imap, smtp: account.smtp }
  }
  if (changesServer && change.password === undefined)
    throw invalidField('password', 'must be entered again when a server changes')
  if (changesServer && before.smtpPassword !== null && change.smtpPassword === undefined)
    throw invalidField('smtpPassword', 'must be entered again when a server changes')
  const secret = {
    password: change.password ?? before.password,
    smtpPassword: change.smtpPassword ?? before.smtpPassword,
  }
  return {
    secret: changesPassword ? credentials.seal(account.id, secret) : account.secret,
    imap: JSON.stringify(imap),
    smtp: JSON.stringify(smtp),
  }
}

export interface AccountsDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  activity: Activity
  sanitize: (html: string) => Promise<string | null>
  /** Called inside the transaction that adds, changes or removes an account, or requests a sync. */
  onChange: (accountId: string) => void
  requestSending: RequestSending
}

export type MailAccounts = ReturnType<typeof createMailAccounts>

/** Manages a user's mail accounts. The views never contain passwords or tokens. */
export const createMailAccounts = (deps: AccountsDeps) => {
  const { db, clock, random, sealer, activity, onChange } = deps
  const credentials = createMailCredentials(sealer)
  const now = (): string => clock.now().toISOString()

  return {
    async list(userId: number, request: PageRequest) {
      const { page, nextCursor } = await readByAge(accountRows.select(db, userId), request, 'asc')
      return { mailAccounts: await Promise.all(page.map((row) => toView(db, row))), nextCursor }
    },

    get: async (userId: number, id: string) => toView(db, await accountRows.get(db, userId, id)),

    add: (userId: number, input: AccountInput, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const id = randomId(random)
        const { imap, smtp } = toTargets(input)
        const secret = { password: input.password, smtpPassword: input.smtpPassword ?? null }
        const account = await insertAccount(tx, {
          id,
          userId,
          name: input.name ?? input.address,
          address: input.address,
          senderName: input.senderName ?? '',
          imap: JSON.stringify(imap.server),
          smtp: JSON.stringify(smtp.server),
          signIn: 'password',
          username: input.username ?? input.address,
          smtpUsername: input.smtpUsername ?? null,
          secret: credentials.seal(id, secret),
          enabled: input.enabled === false ? 0 : 1,
          version: 1,
          createdAt: now(),
          updatedAt: now(),
        })
        await activity.record(tx, userId, visit, 'mail_account.added', {
          address: input.address,
          host: smtp.server.host,
        })
        onChange(id)
        return toView(tx, account)
      }),

    async change(
      userId: number,
      id: string,
      change: AccountChange,
      visit: Visit,
      ifMatch: string | undefined,
    ) {
      // Outside the transaction, because large HTML is sanitized in a worker.
      const signature = change.signature ? await deps.sanitize(change.signature) : change.signature
      const concernsServers = Object.keys(change).some((field) => !WRITING_FIELDS.includes(field))
      return inTransaction(db, async (tx) => {
        const account = await accountRows.getLocked(tx, userId, id, ifMatch)
        const { name, senderName, username, smtpUsername, enabled, identities, plainText } = change
        if (username !== undefined && username !== account.username && change.password === undefined)
          throw invalidField('password', 'must be entered again when the user name changes')
        const changed = await accountRows.update(tx, account, {
          ...toPatch(credentials, account, change),
          ...(name !== undefined && { name }),
          ...(senderName !== undefined && { senderName }),
          ...(username !== undefined && { username }),
          ...(smtpUsername !== undefined && { smtpUsername }),
          ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
          ...(signature !== undefined && { signature }),
          ...(identities !== undefined && { identities: readIdentities(account, identities) }),
          ...(plainText !== undefined && { plainText: plainText ? 1 : 0 }),
          ...(change.smtp !== undefined && { maxMessageBytes: null, acceptsUtf8: null }),
          updatedAt: now(),
        })
        if (enabled !== undefined)
          await updateSync(tx, 'mail_sync', id, { status: enabled ? 'waiting' : 'off', error: null })
        else if (concernsServers) await updateSync(tx, 'mail_sync', id, { requestedAt: now() })
        const fields = Object.keys(change).filter((field) => !/password/i.test(field))
        await activity.record(tx, userId, visit, 'mail_account.changed', {
          address: account.address,
          fields,
          ...findNewHost(account, changed),
        })
        if (concernsServers) {
          await deps.requestSending(tx, id)
          onChange(id)
        }
        return toView(tx, changed)
      })
    },

    /** Keeps the mail on the server and the emails that were fetched. */
    remove: (userId: number, id: string, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const account = await accountRows.getLocked(tx, userId, id, ifMatch)
        await deleteFoldersOf(tx, userId, id)
        await deleteAccount(tx, id)
        await activity.record(tx, userId, visit, 'mail_account.removed', { address: account.address })
        onChange(id)
      }),

    requestSync: (userId: number, id: string) =>
      inTransaction(db, async (tx) => {
        const account = await accountRows.get(tx, userId, id)
        if (!account.enabled) throw conflict('This account is turned off. Turn it on first.')
        await updateSync(tx, 'mail_sync', id, { requestedAt: now() })
        onChange(id)
        return toView(tx, account)
      }),

    /** For a connection test before the account is saved. */
    toTargets,

    /** The raw row, including the encrypted secret, for code that connects to the servers. */
    record: (userId: number, id: string) => accountRows.get(db, userId, id),

    saveLimits: (account: AccountRecord, limits: ServerLimits): Promise<void> =>
      saveServerLimits(db, account, limits),

    reseal: credentials.reseal,
  }
}
