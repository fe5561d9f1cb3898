import type { Db } from '../../database/db.ts'
import { deviceOf } from '../../platform/access/device.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { readInstant } from '../../platform/time.ts'
import { commitmentOf } from './activity-chain.ts'
import { type ActivityFilter, blankActivity, insertActivity, listActivity } from './activity-store.ts'

export type ActivityAction =
  | 'account.registered'
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
  | 'invitation.created'
  | 'invitation.revoked'
  | 'data.exported'
  | 'data.imported'
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

/** What is told of it to whoever accompanies it. */
export interface ActivityEntry extends Visit {
  userId: number
  action: ActivityAction
  details: Readonly<Record<string, unknown>>
}

/** Writes what must exist exactly when an entry does. */
type Accompaniment = (tx: Db, entry: ActivityEntry) => Promise<void>

export interface Activity {
  record(
    tx: Db,
    userId: number,
    visit: Visit,
    action: ActivityAction,
    details?: Readonly<Record<string, unknown>>,
  ): Promise<void>
  /** Has `write` add its own to the transaction of every entry, before it is there. */
  accompany(write: Accompaniment): void
  list(userId: number, page: PageRequest & ActivityFilter): Promise<ActivityPage>
  /** Of an account that is about to go: what it did stays, who it was does not. */
  forget(tx: Db, userId?: number): Promise<void>
}

type ActivityPage = Awaited<ReturnType<typeof readPage>>

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
/** What happens at about the same time is sealed together. */
const SEALED_AFTER_MS = 2_000

/** Who did what, when and from where: written with what was done. */
export const createActivity = (deps: {
  db: Db
  clock: Clock
  random: Random
  jobs: Pick<Jobs, 'enqueue'>
}): Activity => {
  const { db, clock, random, jobs } = deps
  const accompaniments: Accompaniment[] = []
  return {
    async record(tx, userId, visit, action, details = {}) {
      const now = clock.now()
      const salt = randomId(random)
      const { ip, userAgent } = visit
      const personal = { userId, ip, userAgent, details: JSON.stringify(details) }
      const commitment = commitmentOf(salt, personal)
      for (const write of accompaniments) await write(tx, { userId, ip, userAgent, action, details })
      await insertActivity(tx, { ...personal, at: now.toISOString(), action, salt, commitment })
      const runAt = new Date(now.getTime() + SEALED_AFTER_MS)
      await jobs.enqueue(tx, SEAL, {}, { key: SEAL, runAt })
    },
    accompany: (write) => void accompaniments.push(write),
    list: (userId, page) => readPage(db, userId, page),
    forget: blankActivity,
  }
}
