import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import { notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { randomId, randomSecret } from '../../platform/random.ts'
import { readByAge } from '../../platform/resources.ts'
import { digest } from '../../platform/secrets/seal.ts'
import type { Activity } from './activity.ts'
import {
  acceptInvitation,
  deleteInvitation,
  deleteOldInvitations,
  emailKeyOf,
  findInvitation,
  type InvitationRecord,
  insertInvitation,
  selectInvitations,
} from './repository.ts'

const VALID_MS = 7 * 86_400_000
const RETENTION_MS = 30 * 86_400_000

/** An invitation has two states only, so its version follows from `acceptedAt`. */
const viewOf = ({ hash: _, ...invitation }: InvitationRecord) => ({
  ...invitation,
  version: invitation.acceptedAt === null ? 1 : 2,
})

export type Invitations = ReturnType<typeof createInvitations>

/** Single-use codes with which further people can register. */
export const createInvitations = ({ db, clock, random }: Platform, activity: Activity) => {
  const get = async (tx: Db, userId: number, id: string): Promise<InvitationRecord> => {
    const invitation = await findInvitation(tx, userId, id)
    if (!invitation) throw notFound('invitation')
    return invitation
  }
  const instantIn = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  return {
    async create(tx: Db, userId: number, email: string | null, visit: Visit) {
      const code = randomSecret(random)
      const created = await insertInvitation(tx, {
        id: randomId(random),
        createdBy: userId,
        email: email === null ? null : emailKeyOf(email),
        hash: digest(code),
        createdAt: instantIn(0),
        expiresAt: instantIn(VALID_MS),
        acceptedAt: null,
      })
      await activity.record(tx, userId, visit, 'invitation.created', { email })
      return { ...viewOf(created), code }
    },

    async list(userId: number, request: PageRequest) {
      const { page, nextCursor } = await readByAge(selectInvitations(db, userId), request)
      return { invitations: page.map(viewOf), nextCursor }
    },

    get: async (userId: number, id: string) => viewOf(await get(db, userId, id)),

    revoke: (userId: number, id: string, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        requireMatch(ifMatch, viewOf(await get(tx, userId, id)))
        if (!(await deleteInvitation(tx, userId, id))) throw notFound('invitation')
        await activity.record(tx, userId, visit, 'invitation.revoked')
      }),

    accept: (tx: Db, code: string, email: string): Promise<boolean> =>
      acceptInvitation(tx, { hash: digest(code), emailKey: emailKeyOf(email), now: instantIn(0) }),

    prune: () => deleteOldInvitations(db, instantIn(-RETENTION_MS)),
  }
}
