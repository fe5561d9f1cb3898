import type { Db } from '../../database/db.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'

export type ActivityAction =
  | 'account.registered'
  | 'session.started'
  | 'session.ended'
  | 'session.revoked'
  | 'session.reuse_detected'
  | 'profile.changed'
  | 'preferences.changed'
  | 'password.changed'
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
  | 'mail_account.added'
  | 'mail_account.changed'
  | 'mail_account.removed'
  | 'booking_settings.changed'
  | 'sample_data.removed'

export interface Activity {
  record(
    tx: Db,
    userId: number,
    visit: Visit,
    action: ActivityAction,
    details?: Readonly<Record<string, unknown>>,
  ): Promise<void>
  list(userId: number, page: PageRequest): Promise<ActivityPage>
  prune(before: string): Promise<void>
}

type ActivityPage = Awaited<ReturnType<typeof listActivity>>

const listActivity = async (db: Db, userId: number, page: PageRequest) => {
  const after = readCursor(page.cursor, 'integer')
  const rows = await db
    .selectFrom('activity')
    .select(['id', 'at', 'action', 'ip', 'userAgent', 'details'])
    .where('userId', '=', userId)
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] as number))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
  const found = pageOf(rows, page.limit, (row) => [row.id])
  return {
    activity: found.page.map((row) => ({
      ...row,
      details: JSON.parse(row.details) as Record<string, unknown>,
    })),
    nextCursor: found.nextCursor,
  }
}

/** Who did what, when and from where: written with what was done. */
export const createActivity = ({ db, clock }: { db: Db; clock: Clock }): Activity => ({
  async record(tx, userId, visit, action, details = {}) {
    await tx
      .insertInto('activity')
      .values({
        userId,
        at: clock.now().toISOString(),
        action,
        ip: visit.ip,
        userAgent: visit.userAgent,
        details: JSON.stringify(details),
      })
      .execute()
  },
  list: (userId, page) => listActivity(db, userId, page),
  async prune(before) {
    await db.deleteFrom('activity').where('at', '<', before).execute()
  },
})
