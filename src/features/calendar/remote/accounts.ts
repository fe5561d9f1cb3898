import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { isUniqueViolation } from '../../../database/errors.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Visit } from '../../../platform/access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../../platform/errors.ts'
import { fingerprint } from '../../../platform/fingerprint.ts'
import { pageOf, readCursor, requireMatch } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { normaliseHost } from '../../../platform/outbound/addresses.ts'
import { failedAt } from '../../../platform/outbound/steps.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import { readByAge } from '../../../platform/resources.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Activity } from '../../auth/activity.ts'
import { createCredentials } from '../../remote-accounts/credentials.ts'
import { updateSync } from '../../remote-accounts/repository.ts'
import type { CalendarStore } from '../calendars/store.ts'
import type { MirroredEvents } from '../imports/mirrored-events.ts'
import type { CalendarTarget } from './calendar-server.ts'
import {
  type AccountRecord,
  accountRows,
  clearReceiver,
  deleteAccount,
  deletePlaced,
  findRemoved,
  follow,
  getAccount,
  hasReceiver,
  insertAccount,
  listCopies,
  listRemoved,
  listSomePlaced,
  listVisibleCalendars,
  lockAccount,
  readSync,
  selectAccounts,
} from './repository.ts'
import { findUnreadable, listUnreadable } from './sync/repository.ts'

export interface PublishedTarget {
  url: string
  /** Basic authentication (RFC 7617). */
  login: { username: string; password: string } | null
}

// The URL of a published calendar is often sufficient to read it, because it contains a token. It is
// therefore encrypted like a password. Only the server part is stored and returned in clear text.

/** Marks a shortened URL. No encrypted URL contains this character: those are ASCII. */
const REST = '/…'

export const shorten = (url: string): string => new URL(url).origin + REST

export const isShortened = (url: string): boolean => url.endsWith(REST)

/** The href of the only calendar of a published file. Calendars of servers have URLs as hrefs. */
export const FILE_HREF = 'file'
/** The href of a calendar that an import created. */
export const formerFileHref = (calendarId: number): string => `${FILE_HREF}-${calendarId}`

export interface AccountInput {
  kind: AccountRecord['kind']
  url: string
  username?: string
  password?: string
  name?: string
  enabled?: boolean
  receivesNew?: boolean
}

export interface AccountChange extends Omit<Partial<AccountInput>, 'kind' | 'username'> {
  username?: string | null
  calendars?: { id: number; followed: boolean }[]
  newEventsCalendarId?: number | null
}

/** `webcal:` becomes https, because the request carries a password or a secret URL. */
const WEBCAL = /^webcals?:(?=\/\/)/i

export const readUrl = (given: string): string => {
  if (isShortened(given.trim())) throw invalidField('url', 'must be the complete URL, not its shortened form')
  const url = URL.parse(given.trim().replace(WEBCAL, 'https:'))
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalidField('url', 'must be a URL that begins with https://, http:// or webcal://')
  if (url.username !== '' || url.password !== '')
    throw invalidField(
      'url',
      'must not contain a user name or password. Use the fields `username` and `password`',
    )
  if (normaliseHost(url.hostname) === undefined) throw invalidField('url', 'must contain a host name')
  url.hash = ''
  return url.href
}

/** Requires both or neither of user name and password. A CalDAV server requires both. */
export const readLogin = (
  kind: AccountRecord['kind'],
  username: string | null,
  password: string | null,
): { username: string; password: string } | null => {
  if (username === null && (kind === 'caldav' || password !== null))
    throw invalidField('username', kind === 'caldav' ? 'is required' : 'is required with a password')
  if (username === null) return null
  if (password === null) throw invalidField('password', 'is required')
  return { username, password }
}

export const rejectReceiver = (kind: AccountRecord['kind']): void => {
  if (kind === 'ics')
    throw invalidField('receivesNew', 'must be false: a published calendar file is read-only')
}

/** The encrypted data of an account. */
export interface AccountSecret {
  password?: string
  /** The URL of a published file. Anybody who knows it can read the calendar. */
  url?: string
}

const TABLE = 'calendar_accounts'

export const createCalendarCredentials = (sealer: Sealer) => createCredentials<AccountSecret>(sealer, TABLE)

type Login = { username: string; password: string } | null

/**
 * Builds the stored form of an account: the password and the URL of a file are encrypted. The clear-text URL
 * of a file only names its server.
 */
export const toStoredLogin = (
  sealer: Sealer,
  { id, kind }: Pick<AccountRecord, 'id' | 'kind'>,
  { url, login }: { url: string; login: Login },
): Pick<AccountRecord, 'url' | 'username' | 'secret'> => {
  const credentials = createCalendarCredentials(sealer)
  const username = login?.username ?? null
  const password = login && { password: login.password }
  if (kind === 'caldav') return { url, username, secret: password && credentials.seal(id, password) }
  return { url: shorten(url), username, secret: credentials.seal(id, { url, ...password }) }
}

type Addressed = Pick<AccountRecord, 'id' | 'kind' | 'url' | 'username' | 'secret'>

/** Access tokens of mail accounts. `rejected` is a token that a server refused. */
export interface ProviderTokens {
  accessToken(userId: number, mailAccountId: string, rejected?: string): Promise<string>
}

/** Returns undefined if the URL is missing, as after an import, or was encrypted with a lost key. */
export const knownAddress = (sealer: Sealer, { id, url, secret }: Addressed): string | undefined => {
  if (!isShortened(url)) return url
  const credentials = createCalendarCredentials(sealer)
  return secret !== null && credentials.canOpen(secret) ? credentials.open(id, secret).url : undefined
}

/** The URL and credentials of a published file. */
export const fileTarget = (sealer: Sealer, account: Addressed): PublishedTarget => {
  const { id, username, secret } = account
  const opened = secret === null ? {} : createCalendarCredentials(sealer).open(id, secret)
  const url = knownAddress(sealer, account)
  if (url === undefined) throw conflict('The URL of this calendar is not stored. Enter it again.')
  return { url, login: username === null ? null : { username, password: opened.password ?? '' } }
}

/**
 * The URL and credentials of a server. An account that was imported without its password has an empty one.
 */
export const serverTarget = (
  { sealer, tokens }: { sealer: Sealer; tokens: ProviderTokens },
  account: AccountRecord,
): CalendarTarget => {
  const { userId, mailAccountId, signIn } = account
  if (signIn !== 'password')
    return {
      url: account.url,
      async token(rejected) {
        if (mailAccountId === null)
          throw failedAt(new URL(account.url).hostname, { step: 'login', reason: 'signed_out' })
        return tokens.accessToken(userId, mailAccountId, rejected)
      },
    }
  const { url, login } = fileTarget(sealer, account)
  return { url, username: login?.username ?? '', password: login?.password ?? '' }
}

/** Requests a sync in the transaction that adds or changes an account. */
export type RequestSync = (tx: Db, accountId: string) => Promise<void>

export interface AccountsDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  activity: Activity
  requestSync: RequestSync
  mirrored: Pick<MirroredEvents, 'change'>
  store: CalendarStore
  removal: Pick<Removal, 'begin'>
}

const toView = async (view: Db, account: AccountRecord) => {
  const {
    secret: _,
    userId: __,
    removing: ___,
    enabled,
    receivesNew,
    newEventsCalendarId,
    ...fields
  } = account
  const sync = await readSync(view, account.id)
  const calendars = (await listVisibleCalendars(view, account))
    .map((row) => ({ ...row, writable: row.writable === 1, followed: row.followed === 1 }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id)
  const chosen = calendars.find(({ id }) => id === newEventsCalendarId)
  return {
    ...fields,
    enabled: enabled === 1,
    receivesNew: receivesNew === 1,
    newEventsCalendarId: chosen?.id ?? null,
    calendars,
    sync,
    extra: fingerprint([sync, calendars]).slice(0, 16),
  }
}

const getLocked = async (
  tx: Db,
  userId: number,
  id: string,
  ifMatch: string | undefined,
): Promise<AccountRecord> => {
  const account = await lockAccount(tx, { id, userId })
  if (!account) throw notFound('calendar account')
  requireMatch(ifMatch, account)
  return account
}

/** The calendar of a deselected one disappears at once. The next sync removes its events and its row. */
const setFollowed = async (
  tx: Db,
  { id, userId }: AccountRecord,
  choices: NonNullable<AccountChange['calendars']>,
  store: CalendarStore,
) => {
  for (const [index, choice] of choices.entries()) {
    if (!(await follow(tx, id, choice)))
      throw invalidField(`calendars.${index}.id`, 'is not a calendar of this account')
    if (choice.followed) await store.idOfRemote(tx, userId, choice.id)
  }
  if (choices.length > 0) await store.recordChange(tx, userId)
}

const requireWritable = async (tx: Db, account: AccountRecord, calendarId: number): Promise<void> => {
  const path = 'newEventsCalendarId'
  if (account.kind === 'ics') throw invalidField(path, 'must be null: a published calendar file is read-only')
  const calendar = (await listVisibleCalendars(tx, account)).find((one) => one.id === calendarId)
  if (!calendar) throw invalidField(path, 'is not a calendar of this account')
  if (calendar.writable === 0) throw invalidField(path, 'must be a writable calendar: this one is read-only')
  if (calendar.followed === 0)
    throw invalidField(path, 'must be a followed calendar: set `followed` to true first')
}

/**
 * Computes the changes of the login. A secret is only sent to the address it was entered for. After a
 * change of the address, the user must enter it again.
 */
const toPatch = (sealer: Sealer, account: AccountRecord, change: AccountChange) => {
  if (account.signIn !== 'password') {
    if (change.url !== undefined || change.username !== undefined || change.password !== undefined)
      throw conflict('This account signs in with its provider. Sign in again instead of changing its login.')
    return { isMoved: false, patch: {} }
  }
  const before = knownAddress(sealer, account)
  const isSame = change.url === undefined || change.url === account.url
  const url = isSame ? before : readUrl(change.url as string)
  if (url === undefined && (change.enabled ?? account.enabled === 1))
    throw invalidField(
      'url',
      'must be entered again: it is secret, so exports do not contain it and other keys cannot decrypt it',
    )
  const { username = account.username, password } = change
  const isElsewhere = url !== before || username !== account.username
  if (password === undefined && account.username !== null && username !== null && isElsewhere)
    throw invalidField('password', 'is required when the URL or the user name changes')
  if (url === undefined || (!isElsewhere && password === undefined)) return { isMoved: false, patch: {} }
  const login = readLogin(account.kind, username, password ?? null)
  return { isMoved: url !== before, patch: toStoredLogin(sealer, account, { url, login }) }
}

export type CalendarAccounts = ReturnType<typeof createCalendarAccounts>

const rethrowConflict = (error: unknown): never => {
  if (isUniqueViolation(error))
    throw conflict('Another account was selected for new events at the same time. Try again.')
  throw error
}

/** The server that receives events. A followed file receives none. */
const receivingHost = (kind: AccountRecord['kind'], url: string) =>
  kind === 'caldav' ? { host: new URL(url).host } : {}

/** Manages the external calendar accounts of a user. Passwords are write-only. */
export const createCalendarAccounts = (deps: AccountsDeps) => {
  const { db, clock, random, sealer, activity, requestSync, mirrored, store, removal } = deps
  const now = (): string => clock.now().toISOString()

  return {
    async list(userId: number, request: PageRequest) {
      const { page, nextCursor } = await readByAge(selectAccounts(db, userId), request, 'asc')
      return { calendarAccounts: await Promise.all(page.map((row) => toView(db, row))), nextCursor }
    },

    get: async (userId: number, id: string) => toView(db, await getAccount(db, userId, id)),

    add: (userId: number, input: AccountInput, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const { kind, enabled = true } = input
        const id = randomId(random)
        const url = readUrl(input.url)
        const login = readLogin(kind, input.username ?? null, input.password ?? null)
        if (input.receivesNew) rejectReceiver(kind)
        const receivesNew = input.receivesNew ?? (kind === 'caldav' && !(await hasReceiver(tx, userId)))
        if (receivesNew) await clearReceiver(tx, userId, now())
        const name = input.name ?? new URL(url).hostname.slice(0, 100)
        const account = await insertAccount(tx, {
          id,
          userId,
          kind,
          name,
          ...toStoredLogin(sealer, { id, kind }, { url, login }),
          receivesNew: receivesNew ? 1 : 0,
          enabled: enabled ? 1 : 0,
          version: 1,
          createdAt: now(),
          updatedAt: now(),
        })
        await store.settleDefault(tx, userId)
        await activity.record(tx, userId, visit, 'calendar_account.added', {
          name,
          kind,
          ...receivingHost(kind, url),
        })
        if (enabled) await requestSync(tx, id)
        return toView(tx, account)
      }).catch(rethrowConflict),

    change: (userId: number, id: string, change: AccountChange, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const account = await getLocked(tx, userId, id, ifMatch)
        const { name, enabled, receivesNew, calendars, newEventsCalendarId } = change
        const { patch, isMoved } = toPatch(sealer, account, change)
        if (receivesNew) rejectReceiver(account.kind)
        if (calendars !== undefined) await setFollowed(tx, account, calendars, store)
        if (typeof newEventsCalendarId === 'number') await requireWritable(tx, account, newEventsCalendarId)
        if (receivesNew && account.receivesNew === 0) await clearReceiver(tx, userId, now())
        const changed = await accountRows.update(tx, account, {
          ...patch,
          ...(name !== undefined && { name }),
          ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
          ...(receivesNew !== undefined && { receivesNew: receivesNew ? 1 : 0 }),
          ...(newEventsCalendarId !== undefined && { newEventsCalendarId }),
          updatedAt: now(),
        })
        await store.settleDefault(tx, userId)
        if (enabled !== undefined && Number(enabled) !== account.enabled)
          await updateSync(tx, 'calendar_sync', id, { status: enabled ? 'waiting' : 'off', error: null })
        // The ETag and modification date belong to the file at the old URL.
        if (isMoved) await updateSync(tx, 'calendar_sync', id, { etag: null, modified: null })
        const fields = Object.keys(change).filter((field) => field !== 'password')
        const details = {
          name: account.name,
          fields,
          ...(isMoved && receivingHost(account.kind, changed.url)),
        }
        await activity.record(tx, userId, visit, 'calendar_account.changed', details)
        if (changed.enabled) await requestSync(tx, id)
        return toView(tx, changed)
      }).catch(rethrowConflict),

    /** Removes an account. Events on the server are not changed. */
    remove: (
      userId: number,
      id: string,
      events: 'remove' | 'keep',
      visit: Visit,
      ifMatch: string | undefined,
    ) =>
      mirrored.change(async (tx) => {
        const account = await getLocked(tx, userId, id, ifMatch)
        // Disable the account first, so that the deletions below are not pushed to its server.
        const url = account.kind === 'ics' ? shorten(account.url) : account.url
        const gone = { enabled: 0, receivesNew: 0, url, secret: null, updatedAt: now() }
        await accountRows.update(tx, account, { removing: events, ...gone })
        await store.settleDefault(tx, userId)
        await store.recordChange(tx, userId)
        const details = { name: account.name, events }
        await activity.record(tx, userId, visit, 'calendar_account.removed', details)
        await removal.begin(tx, id)
      }),

    requestSync: (userId: number, id: string) =>
      inTransaction(db, async (tx) => {
        const account = await getAccount(tx, userId, id)
        if (!account.enabled) throw conflict('This account is disabled. Enable it first.')
        await requestSync(tx, id)
        return toView(tx, account)
      }),

    /** Lists objects that could not be parsed, in order of arrival. */
    async listUnreadable(userId: number, id: string, { limit, cursor }: PageRequest) {
      await getAccount(db, userId, id)
      const [after = 0] = readCursor(cursor, 'integer') ?? []
      const rows = await listUnreadable(db, id, { limit, after })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.id])
      return { unreadable: page, nextCursor }
    },

    /** Returns the source of one of them, possibly truncated. */
    async unreadableBody(userId: number, id: string, itemId: number): Promise<string> {
      await getAccount(db, userId, id)
      const found = Number.isSafeInteger(itemId) ? await findUnreadable(db, id, itemId) : undefined
      if (!found) throw notFound('unreadable event')
      if (found.body === null) throw notFound('copy of this event: too many events could not be parsed')
      return found.body
    },

    /** Returns the row, including the credentials, for the connection test. */
    record: (userId: number, id: string) => getAccount(db, userId, id),

    reseal: createCalendarCredentials(sealer).reseal,
  }
}

const REMOVE = 'calendar.remove-account'
/** Batch size: small transactions, so that other writers do not wait long. */
const BATCH_SIZE = 50

export type Removal = ReturnType<typeof createRemoval>

/**
 * Removes an account in batches, each in its own transaction. After a crash, the job continues with the rest.
 * Events on the server are not changed.
 */
export const createRemoval = (deps: {
  db: Db
  jobs: Jobs
  mirrored: Pick<MirroredEvents, 'change' | 'lockAll' | 'remove'>
  store: CalendarStore
}) => {
  const { db, jobs, mirrored, store } = deps

  /** Returns true if nothing is left. */
  const removeSome = async (tx: Db, id: string): Promise<boolean> => {
    const marked = await findRemoved(tx, id)
    const account = marked && (await accountRows.lock(tx, marked.userId, id))
    if (!account) return true
    const placed = await listSomePlaced(tx, id, BATCH_SIZE)
    const uids = [...new Set(placed)].sort()
    if (uids.length > 0) {
      if (account.removing === 'remove') {
        // Lock the events before reading their other locations. Otherwise two concurrent removals could each
        // leave them to the other.
        await mirrored.lockAll(tx, account.userId, uids)
        for (const uid of await listCopies(tx, account.userId, id, uids))
          await mirrored.remove(tx, account.userId, uid)
      }
      await deletePlaced(tx, id, uids)
      await store.releaseEvents(tx, account.userId, id, uids)
    }
    const isOver = placed.length < BATCH_SIZE
    if (isOver) {
      for (const calendar of await listVisibleCalendars(tx, { id, userId: account.userId }))
        await store.removeRemote(tx, account.userId, calendar.id)
      await deleteAccount(tx, id)
    }
    return isOver
  }

  const enqueue = (tx: Db, accountId: string) => jobs.enqueue(tx, REMOVE, { accountId }, { key: accountId })

  jobs.define({
    name: REMOVE,
    payload: Type.Object({ accountId: Type.String() }),
    // Each batch is short, so another process can take over soon after a crash.
    leaseSeconds: 10,
    async run({ accountId }, context) {
      const removeMore = (tx: Db): Promise<boolean> =>
        removeSome(tx, accountId).then(async (isOver) => {
          if (isOver) await context.complete(tx)
          return isOver
        })
      do context.signal.throwIfAborted()
      while (!(await mirrored.change(removeMore)))
    },
  })

  return {
    /** Runs in the transaction that marks the account. A small account is removed at once. */
    async begin(tx: Db, accountId: string): Promise<void> {
      if (!(await removeSome(tx, accountId))) await enqueue(tx, accountId)
    },

    /** Runs in the transaction that deletes the user: afterwards nobody could find the remaining rows. */
    async finish(tx: Db, userId: number): Promise<void> {
      for (const { id } of await listRemoved(tx, userId)) while (!(await removeSome(tx, id)));
    },

    /** Enqueues unfinished removals again, even if their job was lost. */
    async resume(): Promise<void> {
      for (const { id } of await listRemoved(db)) await mirrored.change((tx) => enqueue(tx, id))
    },
  }
}
