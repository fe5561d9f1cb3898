import { createHash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/schema-info.ts'
import { inTransaction } from '../../database/transaction.ts'
import { deviceOf, type Visit } from '../../platform/access/caller.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { randomId } from '../../platform/random.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { readInstant } from '../../platform/time.ts'
import {
  type ActivityFilter,
  type ActivityRecord,
  blankActivity,
  blankOld,
  deleteSealed,
  findSeal,
  insertActivity,
  listActivity,
  listSealed,
  listUnsealed,
  lockSeal,
  writeLink,
  writeSeal,
} from './repository.ts'

/*
 * The activity log is tamper-evident. Every entry commits to its personal data by a salted hash. The hash of
 * each sealed entry covers the hash of the previous one. Deleting an account blanks the personal data and its
 * salt. The commitment stays, reveals nothing, and the chain still verifies.
 */

const sha256 = (...parts: readonly (string | number)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) {
    const bytes = Buffer.from(String(part))
    // The length prefix keeps two different lists of parts from having the same input bytes.
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest('base64url')
}

export interface PersonalPart {
  userId: number | null
  ip: string
  userAgent: string
  details: string
}

export const computeCommitment = (salt: string, { userId, ip, userAgent, details }: PersonalPart): string =>
  sha256(salt, userId ?? 0, ip, userAgent, details)

/** The hash that precedes the first entry. */
export const GENESIS_HASH = sha256('activity')

export interface ChainedEntry {
  at: string
  action: string
  commitment: string
}

export const computeLink = (
  before: string,
  position: number,
  { at, action, commitment }: ChainedEntry,
): string => sha256(before, position, at, action, commitment)

/** The two ends of the chain. They are stored sealed, so that nobody can truncate or restart the chain. */
export interface ChainEnds {
  position: number
  hash: string
  prunedPosition: number
  prunedHash: string
}

export const EMPTY_CHAIN: ChainEnds = {
  position: 0,
  hash: GENESIS_HASH,
  prunedPosition: 0,
  prunedHash: GENESIS_HASH,
}

const CONTEXT = 'activity_seal'
const BATCH_SIZE = 500

/** Only the key that sealed the chain can verify it. */
export const FOREIGN_SEAL = 'it was sealed with another SECRET_KEY'

export interface Examination {
  entries: number
  unsealed: number
  /** The defect, in words for the operator; null if the chain is intact. */
  fault: string | null
}

/** Seals new entries into the hash chain, prunes old ones, and verifies the chain. */
export const createActivityLog = ({ db, sealer }: { db: Db; sealer: Sealer }) => {
  const readEnds = (sealed: string | null): ChainEnds =>
    sealed === null || sealed === '' ? EMPTY_CHAIN : (JSON.parse(sealer.open(sealed, CONTEXT)) as ChainEnds)
  const writeEnds = (tx: Db, ends: ChainEnds): Promise<void> =>
    writeSeal(tx, sealer.seal(JSON.stringify(ends), CONTEXT))

  const sealSome = (): Promise<number> =>
    inTransaction(db, async (tx) => {
      const ends = { ...readEnds(await lockSeal(tx)) }
      const rows = await listUnsealed(tx, BATCH_SIZE)
      for (const row of rows) {
        ends.position++
        ends.hash = computeLink(ends.hash, ends.position, row)
        await writeLink(tx, row.id, ends.position, ends.hash)
      }
      if (rows.length > 0) await writeEnds(tx, ends)
      return rows.length
    })

  const findFault = (row: ActivityRecord, before: string, position: number): string | null => {
    if (row.position !== position) return `entry ${position} is missing`
    if (row.hash !== computeLink(before, position, row)) return `entry ${position} was changed`
    const isBlanked = row.salt === ''
    return isBlanked || row.commitment === computeCommitment(row.salt, row)
      ? null
      : `entry ${position} was changed: its user, address, user agent or details`
  }

  return {
    /** Appends the entries that were recorded since the last call. */
    async seal(): Promise<void> {
      while ((await sealSome()) === BATCH_SIZE);
    },

    /**
     * Deletes entries older than `before` and stores the hash that the chain continues from. An old entry
     * behind a younger one, such as an imported entry, stays in the chain without its personal data.
     */
    prune: (before: string): Promise<void> =>
      inTransaction(db, async (tx) => {
        const ends = readEnds(await lockSeal(tx))
        let last: ActivityRecord | undefined
        const rows = everyRow<ActivityRecord>((after, limit) =>
          listSealed(tx, after?.position ?? ends.prunedPosition, limit),
        )
        for await (const row of rows) {
          if (row.at >= before) break
          last = row
        }
        if (last?.position != null && last.hash !== null) {
          await deleteSealed(tx, last.position)
          await writeEnds(tx, { ...ends, prunedPosition: last.position, prunedHash: last.hash })
        }
        await blankOld(tx, before)
      }),

    /** Seals the ends with the current key, after a key rotation. */
    async reseal(tx: Db): Promise<void> {
      const sealed = await lockSeal(tx)
      if (sealed && sealer.isStale(sealed)) await writeEnds(tx, readEnds(sealed))
    },

    async examine(): Promise<Examination> {
      const unsealed = (await listUnsealed(db, BATCH_SIZE)).length
      const found = (entries: number, fault: string | null): Examination => ({ entries, unsealed, fault })
      let ends: ChainEnds
      const sealed = await findSeal(db)
      if (sealed && !sealer.opens(sealed)) return found(0, FOREIGN_SEAL)
      try {
        ends = readEnds(sealed)
      } catch {
        return found(0, 'its seal cannot be decrypted')
      }
      let [position, hash] = [ends.prunedPosition, ends.prunedHash]
      const rows = everyRow<ActivityRecord>((after, limit) => listSealed(db, after?.position ?? 0, limit))
      for await (const row of rows) {
        const fault = findFault(row, hash, position + 1)
        if (fault) return found(position, fault)
        position++
        hash = row.hash as string
      }
      const kept = position - ends.prunedPosition
      if (position !== ends.position || hash !== ends.hash)
        return found(kept, `${ends.position - position} entries are missing at its end`)
      return found(kept, null)
    },
  }
}

export type ActivityAction =
  | 'account.deleted'
  | 'account.disabled'
  | 'account.enabled'
  | 'account.registered'
  | 'ownership.handed_over'
  | 'ownership.received'
  | 'registration.changed'
  | 'account.quota_changed'
  | 'instance.changed'
  | 'instance_mail.changed'
  | 'backup_destination.changed'
  | 'backup_passphrase.changed'
  | 'session.started'
  | 'session.ended'
  | 'session.revoked'
  | 'session.reuse_detected'
  | 'profile.changed'
  | 'preferences.changed'
  | 'notifications.changed'
  | 'password.changed'
  | 'password.reset'
  | 'email.changed'
  | 'two_factor.enabled'
  | 'two_factor.disabled'
  | 'two_factor.backup_codes_renewed'
  | 'two_factor.backup_code_used'
  | 'token.created'
  | 'token.rotated'
  | 'token.revoked'
  | 'feed_token.created'
  | 'feed_token.revoked'
  | 'app_password.created'
  | 'app_password.changed'
  | 'app_password.revoked'
  | 'invitation.created'
  | 'invitation.revoked'
  | 'data.exported'
  | 'data.imported'
  | 'oauth_client.changed'
  | 'oauth_client.removed'
  | 'mail_account.added'
  | 'mail_account.changed'
  | 'mail_account.removed'
  | 'mail_rule.added'
  | 'mail_rule.changed'
  | 'mail_rule.removed'
  | 'calendar_account.added'
  | 'calendar_account.changed'
  | 'calendar_account.removed'
  | 'ai_key.saved'
  | 'ai_key.removed'
  | 'webhook.added'
  | 'webhook.changed'
  | 'webhook.rotated'
  | 'webhook.removed'
  | 'webhook.disabled'
  | 'booking_settings.changed'
  | 'billing.checkout_started'
  | 'billing.cancelled'
  | 'billing.details_changed'
  | 'billing.budget_changed'
  | 'sample_data.removed'

/** The entry as its hooks receive it. */
export interface ActivityEntry extends Visit {
  userId: number
  action: ActivityAction
  details: Readonly<Record<string, unknown>>
}

/** Writes rows that must exist if and only if the entry does. */
type ActivityHook = (tx: Db, entry: ActivityEntry) => Promise<void>

const readPage = async (
  db: Db,
  userId: number,
  { limit, cursor, ...filter }: PageRequest & ActivityFilter,
) => {
  const after = readCursor(cursor, 'instant', 'integer')
  const moment = (path: 'since' | 'until'): string | undefined =>
    filter[path] === undefined ? undefined : readInstant(path, filter[path], 'UTC')
  const bounds = { action: filter.action, since: moment('since'), until: moment('until') }
  const rows = await listActivity(db, userId, bounds, after, limit + 1)
  const found = pageOf(rows, limit, (row) => [row.at, row.id])
  return {
    activity: found.page.map((row) => ({
      ...row,
      device: deviceOf(row.userAgent),
      details: JSON.parse(row.details) as Record<string, unknown>,
    })),
    nextCursor: found.nextCursor,
  }
}

export const SEAL = 'activity.seal'
/** Entries that are recorded within this time are sealed in one run. */
const SEAL_DELAY_MS = 2_000

export type Activity = ReturnType<typeof createActivity>

/** Records who did what, when and from where, in the transaction of the action. */
export const createActivity = ({ db, clock, random, jobs }: Platform) => {
  const hooks: ActivityHook[] = []
  return {
    async record(
      tx: Db,
      userId: number,
      visit: Visit,
      action: ActivityAction,
      details: Readonly<Record<string, unknown>> = {},
    ): Promise<void> {
      const now = clock.now()
      const salt = randomId(random)
      const { ip, userAgent } = visit
      const personal = { userId, ip, userAgent, details: JSON.stringify(details) }
      const commitment = computeCommitment(salt, personal)
      for (const write of hooks) await write(tx, { userId, ip, userAgent, action, details })
      await insertActivity(tx, { ...personal, at: now.toISOString(), action, salt, commitment })
      const runAt = new Date(now.getTime() + SEAL_DELAY_MS)
      await jobs.enqueue(tx, SEAL, {}, { key: SEAL, runAt })
    },
    /** Calls `write` in the transaction of every entry, before the entry is inserted. */
    accompany: (write: ActivityHook): void => void hooks.push(write),
    list: (userId: number, page: PageRequest & ActivityFilter) => readPage(db, userId, page),
    /** Removes the personal data from the entries of an account that will be deleted. The entries stay. */
    forget: blankActivity,
  }
}
