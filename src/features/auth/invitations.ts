import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { type Random, randomId, randomSecret } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/digest.ts'
import type { Activity } from './activity.ts'
import {
  acceptInvitation,
  deleteInvitation,
  deleteOldInvitations,
  insertInvitation,
  listInvitations,
} from './token-store.ts'
import { emailKeyOf } from './user-store.ts'

const VALID_MS = 7 * 86_400_000
const KEPT_MS = 30 * 86_400_000

export type Invitations = ReturnType<typeof createInvitations>

/** How the second and further people get in: a code that one of them may use once. */
export const createInvitations = (deps: { db: Db; clock: Clock; random: Random; activity: Activity }) => {
  const { db, clock, random, activity } = deps
  const instantIn = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  return {
    async create(tx: Db, userId: number, email: string | null, visit: Visit) {
      const code = randomSecret(random)
      const { hash: _, ...view } = await insertInvitation(tx, {
        id: randomId(random),
        createdBy: userId,
        email: email === null ? null : emailKeyOf(email),
        hash: digest(code),
        createdAt: instantIn(0),
        expiresAt: instantIn(VALID_MS),
        acceptedAt: null,
      })
      await activity.record(tx, userId, visit, 'invitation.created', { email })
      return { ...view, code }
    },

    async list(userId: number, { limit, cursor }: PageRequest) {
      const rows = await listInvitations(db, userId, { limit, after: readCursor(cursor, 'instant', 'text') })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.createdAt, row.id])
      return { invitations: page.map(({ hash: _, ...view }) => view), nextCursor }
    },

    revoke: (userId: number, id: string, visit: Visit) =>
      inTransaction(db, async (tx) => {
        if (!(await deleteInvitation(tx, userId, id))) throw notFound('invitation')
        await activity.record(tx, userId, visit, 'invitation.revoked')
      }),

    accept: (tx: Db, code: string, email: string): Promise<boolean> =>
      acceptInvitation(tx, { hash: digest(code), emailKey: emailKeyOf(email), now: instantIn(0) }),

    prune: () => deleteOldInvitations(db, instantIn(-KEPT_MS)),
  }
}
