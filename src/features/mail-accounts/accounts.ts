import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { normaliseHost } from '../../platform/outbound/addresses.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Activity } from '../auth/activity.ts'
import { imapTarget, openSecret, sealSecret, serverOf, smtpTarget } from './credentials.ts'
import type { MailServer, MailTarget } from './servers.ts'
import {
  type AccountRecord,
  deleteAccount,
  findAccountOf,
  insertAccount,
  listAccounts,
  lockAccount,
  readSync,
  replaceSecret,
  updateAccount,
  updateSync,
} from './store.ts'

export interface ServerWish {
  host: string
  port: number
  tls: MailServer['tls']
  certificate?: string | null
}

export interface AccountWish {
  address: string
  name?: string
  senderName?: string
  imap: ServerWish
  smtp: ServerWish
  username?: string
  password: string
  smtpUsername?: string | null
  smtpPassword?: string
  enabled?: boolean
}
export type AccountChange = Partial<Omit<AccountWish, 'address'>>

const readServer = (path: 'imap' | 'smtp', wish: ServerWish): MailServer => {
  const host = normaliseHost(wish.host)
  if (host === undefined) throw invalidField(`${path}.host`, 'must be the name or the address of a server')
  const certificate = wish.certificate?.trim() || null
  if (
    certificate !== null &&
    !/^-----BEGIN CERTIFICATE-----[\s\w+/=-]+-----END CERTIFICATE-----$/.test(certificate)
  )
    throw invalidField(`${path}.certificate`, 'must be a certificate in PEM form')
  return { host, port: wish.port, tls: wish.tls, certificate }
}

/** What both kinds of wish, of a new account and of one that changes, come down to. */
const targetsOf = (wish: AccountWish): { imap: MailTarget; smtp: MailTarget } => {
  const secret = { password: wish.password, smtpPassword: wish.smtpPassword ?? null }
  const account = {
    imap: JSON.stringify(readServer('imap', wish.imap)),
    smtp: JSON.stringify(readServer('smtp', wish.smtp)),
    username: wish.username ?? wish.address,
    smtpUsername: wish.smtpUsername ?? null,
  }
  return { imap: imapTarget(account, secret), smtp: smtpTarget(account, secret) }
}

export interface AccountsDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  activity: Activity
  /** Called in the transaction that adds, changes, removes an account or asks for a look at it. */
  onChange: (accountId: string) => void
}

export type MailAccounts = ReturnType<typeof createMailAccounts>

/** The accounts of a person at mail servers. Passwords and tokens go in and never come out. */
export const createMailAccounts = (deps: AccountsDeps) => {
  const { db, clock, random, sealer, activity, onChange } = deps
  const now = (): string => clock.now().toISOString()

  const viewOf = async (view: Db, account: AccountRecord) => {
    const { secret: _, userId: __, imap, smtp, enabled, ...shown } = account
    const { stored, total, ...sync } = await readSync(view, account.id)
    return {
      ...shown,
      imap: serverOf(imap),
      smtp: serverOf(smtp),
      enabled: enabled === 1,
      sync: { ...sync, progress: { stored, total: Math.max(stored, total) } },
      shown: `${sync.status}.${sync.lastSyncAt ?? ''}.${stored}.${sync.unreadable}`,
    }
  }

  const get = async (view: Db, userId: number, id: string): Promise<AccountRecord> => {
    const account = await findAccountOf(view, userId, id)
    if (!account) throw notFound('mail account')
    return account
  }

  /** What a change leads to: a secret goes only where it was given for, so elsewhere it is asked for again. */
  const patchOf = (account: AccountRecord, change: AccountChange) => {
    const imap = change.imap === undefined ? serverOf(account.imap) : readServer('imap', change.imap)
    const smtp = change.smtp === undefined ? serverOf(account.smtp) : readServer('smtp', change.smtp)
    const isElsewhere =
      !isDeepStrictEqual(imap, serverOf(account.imap)) || !isDeepStrictEqual(smtp, serverOf(account.smtp))
    // Where the key is lost a new password is all that is needed.
    const before =
      change.password !== undefined && !sealer.opens(account.secret)
        ? { password: change.password, smtpPassword: null }
        : openSecret(sealer, account)
    const asksForPassword = change.password !== undefined || change.smtpPassword !== undefined
    if (!('password' in before)) {
      if (isElsewhere || asksForPassword)
        throw conflict(
          'This account signs in with its provider: connect it anew instead of changing its servers.',
        )
      return { secret: account.secret, imap: account.imap, smtp: account.smtp }
    }
    if (isElsewhere && change.password === undefined)
      throw invalidField('password', 'must be given again when a server changes')
    if (isElsewhere && before.smtpPassword !== null && change.smtpPassword === undefined)
      throw invalidField('smtpPassword', 'must be given again when a server changes')
    const secret = {
      password: change.password ?? before.password,
      smtpPassword: change.smtpPassword ?? before.smtpPassword,
    }
    return {
      secret: asksForPassword ? sealSecret(sealer, account.id, secret) : account.secret,
      imap: JSON.stringify(imap),
      smtp: JSON.stringify(smtp),
    }
  }

  return {
    async list(userId: number, { limit, cursor }: PageRequest) {
      const rows = await listAccounts(db, userId, { limit, after: readCursor(cursor, 'instant', 'text') })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.createdAt, row.id])
      return { mailAccounts: await Promise.all(page.map((row) => viewOf(db, row))), nextCursor }
    },

    get: async (userId: number, id: string) => viewOf(db, await get(db, userId, id)),

    add: (userId: number, wish: AccountWish, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const id = randomId(random)
        const { imap, smtp } = targetsOf(wish)
        const secret = { password: wish.password, smtpPassword: wish.smtpPassword ?? null }
        const account = await insertAccount(tx, {
          id,
          userId,
          name: wish.name ?? wish.address,
          address: wish.address,
          senderName: wish.senderName ?? '',
          imap: JSON.stringify(imap.server),
          smtp: JSON.stringify(smtp.server),
          signIn: 'password',
          username: wish.username ?? wish.address,
          smtpUsername: wish.smtpUsername ?? null,
          secret: sealSecret(sealer, id, secret),
          enabled: wish.enabled === false ? 0 : 1,
          version: 1,
          createdAt: now(),
          updatedAt: now(),
        })
        await activity.record(tx, userId, visit, 'mail_account.added', { address: wish.address })
        onChange(id)
        return viewOf(tx, account)
      }),

    change: (userId: number, id: string, change: AccountChange, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        await lockAccount(tx, id)
        const account = await get(tx, userId, id)
        requireMatch(ifMatch, account)
        const { name, senderName, username, smtpUsername, enabled } = change
        if (username !== undefined && username !== account.username && change.password === undefined)
          throw invalidField('password', 'must be given again when the user name changes')
        const changed = await updateAccount(tx, id, {
          ...patchOf(account, change),
          ...(name !== undefined && { name }),
          ...(senderName !== undefined && { senderName }),
          ...(username !== undefined && { username }),
          ...(smtpUsername !== undefined && { smtpUsername }),
          ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
          updatedAt: now(),
        })
        if (enabled !== undefined)
          await updateSync(tx, id, { status: enabled ? 'waiting' : 'off', error: null })
        else await updateSync(tx, id, { requestedAt: now() })
        const fields = Object.keys(change).filter((field) => !/password/i.test(field))
        await activity.record(tx, userId, visit, 'mail_account.changed', { address: account.address, fields })
        onChange(id)
        return viewOf(tx, changed)
      }),

    /** Nothing happens to what lies on the server, nor to the e-mails that were fetched from it. */
    remove: (userId: number, id: string, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        await lockAccount(tx, id)
        const account = await get(tx, userId, id)
        requireMatch(ifMatch, account)
        await deleteAccount(tx, id)
        await activity.record(tx, userId, visit, 'mail_account.removed', { address: account.address })
        onChange(id)
      }),

    requestSync: (userId: number, id: string) =>
      inTransaction(db, async (tx) => {
        const account = await get(tx, userId, id)
        if (!account.enabled) throw conflict('This account is turned off: turn it on first.')
        await updateSync(tx, id, { requestedAt: now() })
        onChange(id)
        return viewOf(tx, account)
      }),

    /** For a try before anything is saved. */
    targetsOf,

    /** The row itself, for those who sign in with it. */
    record: (userId: number, id: string) => get(db, userId, id),

    /** Seals anew what a previous SECRET_KEY sealed. */
    async reseal(tx: Db): Promise<void> {
      const rows = await tx.selectFrom('mail_accounts').select(['id', 'secret']).execute()
      for (const row of rows)
        if (sealer.isStale(row.secret))
          await replaceSecret(tx, row.id, row.secret, sealSecret(sealer, row.id, openSecret(sealer, row)))
    },
  }
}
