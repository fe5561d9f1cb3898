import { createHash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Activity } from '../auth/activity.ts'
import type { MirroredEvents } from '../calendar/imports/mirrored-events.ts'
import { formerFileHref, isShortened, shorten } from './address.ts'
import { fileTarget, keptLogin, knownAddress, openSecret, sealSecret } from './credentials.ts'
import type { Removal } from './removal.ts'
import {
  type AccountRecord,
  closeAddress,
  findAccountOf,
  follow,
  hasReceiver,
  insertAccount,
  listAccounts,
  listFileAccounts,
  listShownCalendars,
  lockAccount,
  readSync,
  replaceSecret,
  takeFromReceiver,
  updateAccount,
  updateSync,
} from './store.ts'
import { findUnreadable, listUnreadable } from './sync/unreadable-store.ts'
import { type AccountChange, type AccountWish, readLogin, readUrl, refuseToReceive } from './wish.ts'

export interface AccountsDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  activity: Activity
  /** Has an account looked at, once the transaction is there that added, changed or asked for it. */
  ask: (tx: Db, accountId: string) => Promise<void>
  mirrored: Pick<MirroredEvents, 'change'>
  removal: Pick<Removal, 'begin'>
}

export type CalendarAccounts = ReturnType<typeof createCalendarAccounts>

const refuseTaken = (error: unknown): never => {
  if (isUniqueViolation(error))
    throw conflict('Another account was chosen for new events at the same moment. Try again.')
  throw error
}

/** A person's calendars elsewhere. Passwords go in and never come out. */
export const createCalendarAccounts = (deps: AccountsDeps) => {
  const { db, clock, random, sealer, activity, ask, mirrored, removal } = deps
  const now = (): string => clock.now().toISOString()

  const viewOf = async (view: Db, account: AccountRecord) => {
    const {
      secret: _,
      userId: __,
      removing: ___,
      enabled,
      receivesNew,
      newEventsCalendarId,
      ...shown
    } = account
    const sync = await readSync(view, account.id)
    const calendars = (await listShownCalendars(view, account.id))
      .map((row) => ({ ...row, writable: row.writable === 1, followed: row.followed === 1 }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id)
    const chosen = calendars.find(({ id }) => id === newEventsCalendarId)
    const found = createHash('sha256').update(JSON.stringify([sync, calendars]))
    return {
      ...shown,
      enabled: enabled === 1,
      receivesNew: receivesNew === 1,
      newEventsCalendarId: chosen?.id ?? null,
      calendars,
      sync,
      shown: found.digest('base64url').slice(0, 16),
    }
  }

  const get = async (view: Db, userId: number, id: string): Promise<AccountRecord> => {
    const account = await findAccountOf(view, userId, id)
    if (!account) throw notFound('calendar account')
    return account
  }

  /** Where a change leads: a secret goes only where it was given for, so elsewhere it is asked for again. */
  const patchOf = (account: AccountRecord, change: AccountChange) => {
    const before = knownAddress(sealer, account)
    const isSame = change.url === undefined || change.url === account.url
    const url = isSame ? before : readUrl(change.url as string)
    if (url === undefined && (change.enabled ?? account.enabled === 1))
      throw invalidField(
        'url',
        'must be given again: it is a secret, which no export holds and no other key opens',
      )
    const { username = account.username, password } = change
    const isElsewhere = url !== before || username !== account.username
    if (password === undefined && account.username !== null && username !== null && isElsewhere)
      throw invalidField('password', 'must be given again when the address or the user name changes')
    if (url === undefined || (!isElsewhere && password === undefined)) return { isMoved: false, patch: {} }
    const login = readLogin(account.kind, username, password ?? null)
    return { isMoved: url !== before, patch: keptLogin(sealer, account, { url, login }) }
  }

  const followAll = async (tx: Db, id: string, choices: NonNullable<AccountChange['calendars']>) => {
    for (const [index, choice] of choices.entries())
      if (!(await follow(tx, id, choice)))
        throw invalidField(`calendars.${index}.id`, 'is no calendar of this account')
  }

  const requireWritable = async (tx: Db, { id, kind }: AccountRecord, calendarId: number): Promise<void> => {
    const path = 'newEventsCalendarId'
    if (kind === 'ics') throw invalidField(path, 'must be null: a published calendar file is read-only')
    const calendar = (await listShownCalendars(tx, id)).find((one) => one.id === calendarId)
    if (!calendar) throw invalidField(path, 'is no calendar of this account')
    if (calendar.writable === 0)
      throw invalidField(path, 'must be a calendar that you may change: this one is read-only')
    if (calendar.followed === 0)
      throw invalidField(path, 'must be a calendar that is shown here: follow it first')
  }

  return {
    async list(userId: number, { limit, cursor }: PageRequest) {
      const rows = await listAccounts(db, userId, { limit, after: readCursor(cursor, 'instant', 'text') })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.createdAt, row.id])
      return { calendarAccounts: await Promise.all(page.map((row) => viewOf(db, row))), nextCursor }
    },

    get: async (userId: number, id: string) => viewOf(db, await get(db, userId, id)),

    add: (userId: number, wish: AccountWish, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const { kind, enabled = true } = wish
        const id = randomId(random)
        const url = readUrl(wish.url)
        const login = readLogin(kind, wish.username ?? null, wish.password ?? null)
        if (wish.receivesNew) refuseToReceive(kind)
        const receivesNew = wish.receivesNew ?? (kind === 'caldav' && !(await hasReceiver(tx)))
        if (receivesNew) await takeFromReceiver(tx, now())
        const name = wish.name ?? new URL(url).hostname.slice(0, 100)
        const account = await insertAccount(tx, {
          ...{ id, userId, kind, name },
          ...keptLogin(sealer, { id, kind }, { url, login }),
          receivesNew: receivesNew ? 1 : 0,
          enabled: enabled ? 1 : 0,
          version: 1,
          createdAt: now(),
          updatedAt: now(),
        })
        await activity.record(tx, userId, visit, 'calendar_account.added', { name, kind })
        if (enabled) await ask(tx, id)
        return viewOf(tx, account)
      }).catch(refuseTaken),

    change: (userId: number, id: string, change: AccountChange, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        await lockAccount(tx, id)
        const account = await get(tx, userId, id)
        requireMatch(ifMatch, account)
        const { name, enabled, receivesNew, calendars, newEventsCalendarId } = change
        const { patch, isMoved } = patchOf(account, change)
        if (receivesNew) refuseToReceive(account.kind)
        if (calendars !== undefined) await followAll(tx, id, calendars)
        if (typeof newEventsCalendarId === 'number') await requireWritable(tx, account, newEventsCalendarId)
        if (receivesNew && account.receivesNew === 0) await takeFromReceiver(tx, now())
        const changed = await updateAccount(tx, id, {
          ...patch,
          ...(name !== undefined && { name }),
          ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
          ...(receivesNew !== undefined && { receivesNew: receivesNew ? 1 : 0 }),
          ...(newEventsCalendarId !== undefined && { newEventsCalendarId }),
          updatedAt: now(),
        })
        if (enabled !== undefined && Number(enabled) !== account.enabled)
          await updateSync(tx, id, { status: enabled ? 'waiting' : 'off', error: null })
        // What was said of the file at the address before is not true of another.
        if (isMoved) await updateSync(tx, id, { etag: null, modified: null })
        const fields = Object.keys(change).filter((field) => field !== 'password')
        const details = { name: account.name, fields }
        await activity.record(tx, userId, visit, 'calendar_account.changed', details)
        if (changed.enabled) await ask(tx, id)
        return viewOf(tx, changed)
      }).catch(refuseTaken),

    /** Nothing happens to what lies on the server. */
    remove: (
      userId: number,
      id: string,
      events: 'remove' | 'keep',
      visit: Visit,
      ifMatch: string | undefined,
    ) =>
      mirrored.change(async (tx) => {
        await lockAccount(tx, id)
        const account = await get(tx, userId, id)
        requireMatch(ifMatch, account)
        // From here on nobody tells its server of anything, such as of what goes now.
        const url = account.kind === 'ics' ? shorten(account.url) : account.url
        const gone = { enabled: 0, receivesNew: 0, url, secret: null, updatedAt: now() }
        await updateAccount(tx, id, { removing: events, ...gone })
        const details = { name: account.name, events }
        await activity.record(tx, userId, visit, 'calendar_account.removed', details)
        await removal.begin(tx, id)
      }),

    requestSync: (userId: number, id: string) =>
      inTransaction(db, async (tx) => {
        const account = await get(tx, userId, id)
        if (!account.enabled) throw conflict('This account is turned off: turn it on first.')
        await ask(tx, id)
        return viewOf(tx, account)
      }),

    /** What could not be read of it, in the order in which it came. */
    async listUnreadable(userId: number, id: string, { limit, cursor }: PageRequest) {
      await get(db, userId, id)
      const [after = 0] = readCursor(cursor, 'integer') ?? []
      const rows = await listUnreadable(db, id, { limit, after })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.id])
      return { unreadable: page, nextCursor }
    },

    /** One of them as it came, or as much of it as was kept. */
    async unreadableBody(userId: number, id: string, itemId: number): Promise<string> {
      await get(db, userId, id)
      const found = Number.isSafeInteger(itemId) ? await findUnreadable(db, id, itemId) : undefined
      if (!found) throw notFound('unreadable event')
      if (found.body === null) throw notFound('copy of this event: too many could not be read')
      return found.body
    },

    /** The row itself, for those who sign in with it. */
    record: (userId: number, id: string) => get(db, userId, id),

    /** Seals anew what a previous SECRET_KEY sealed. */
    async reseal(tx: Db): Promise<void> {
      const rows = await tx.selectFrom('calendar_accounts').select(['id', 'secret']).execute()
      for (const { id, secret } of rows)
        if (secret !== null && sealer.isStale(secret))
          await replaceSecret(tx, id, secret, sealSecret(sealer, id, openSecret(sealer, id, secret)))
    },

    /** Seals the addresses of files that an earlier version kept as they are. */
    async sealAddresses(tx: Db): Promise<void> {
      for (const account of await listFileAccounts(tx)) {
        const { id, url, secret } = account
        if (isShortened(url) || (secret !== null && !sealer.opens(secret))) continue
        const { login } = fileTarget(sealer, account)
        await closeAddress(tx, id, keptLogin(sealer, account, { url, login }), formerFileHref)
      }
    },
  }
}
