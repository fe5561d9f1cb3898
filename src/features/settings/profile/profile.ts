import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Visit } from '../../../platform/access/visit.ts'
import type { Clock } from '../../../platform/clock.ts'
import { notFound } from '../../../platform/errors.ts'
import { requireMatch, requireTag } from '../../../platform/http/etag.ts'
import { digest } from '../../../platform/secrets/digest.ts'
import type { Activity } from '../../auth/activity.ts'
import { profileOf } from '../../auth/profile-view.ts'
import { getProfile, getUser, lockUser, updateUser } from '../../auth/user-store.ts'
import { readAvatar } from './avatar.ts'

export type Profile = ReturnType<typeof createProfile>

/** What a person shows of themselves. */
export const createProfile = ({ db, clock, activity }: { db: Db; clock: Clock; activity: Activity }) => {
  const now = () => clock.now().toISOString()
  return {
    get: async (userId: number) => profileOf(await getProfile(db, userId)),

    change: (userId: number, wish: { name?: string }, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const user = await lockUser(tx, userId)
        requireMatch(ifMatch, user)
        if (wish.name === undefined || wish.name === user.name) return profileOf(user)
        await activity.record(tx, userId, visit, 'profile.changed', { fields: ['name'] })
        return profileOf(await updateUser(tx, user, { name: wish.name }, now()))
      }),

    setAvatar: (userId: number, bytes: unknown, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const { contentType, content } = readAvatar(bytes)
        const user = await lockUser(tx, userId)
        const row = { contentType, content: content.toString('base64') }
        await tx
          .insertInto('avatars')
          .values({ userId, ...row })
          .onConflict((existing) => existing.column('userId').doUpdateSet(row))
          .execute()
        await activity.record(tx, userId, visit, 'profile.changed', { fields: ['avatar'] })
        return profileOf(await updateUser(tx, user, { avatarHash: digest(content) }, now()))
      }),

    async getAvatar(userId: number) {
      const { avatarHash } = await getUser(db, userId)
      const avatar = await db
        .selectFrom('avatars')
        .selectAll()
        .where('userId', '=', userId)
        .executeTakeFirst()
      if (!avatar || avatarHash === null) throw notFound('picture')
      return {
        contentType: avatar.contentType,
        content: Buffer.from(avatar.content, 'base64'),
        hash: avatarHash,
      }
    },

    removeAvatar: (userId: number, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const user = await lockUser(tx, userId)
        if (user.avatarHash === null) throw notFound('picture')
        requireTag(ifMatch, `"${user.avatarHash}"`)
        await tx.deleteFrom('avatars').where('userId', '=', userId).execute()
        await updateUser(tx, user, { avatarHash: null }, now())
        await activity.record(tx, userId, visit, 'profile.changed', { fields: ['avatar'] })
      }),
  }
}
