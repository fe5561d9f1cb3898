import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { Activity } from '../auth/activity.ts'
import type { SampleContent } from './content.ts'
import { ACCOUNT_MARK, type MarkedSample } from './marks.ts'
import { SAMPLE_ZONE } from './sample.ts'

export interface AccountServices {
  activity: Pick<Activity, 'forget' | 'record'>
  /** Turns an account into the local one, which the next registration takes over. */
  unclaimAccount: (tx: Db, id: number) => Promise<void>
}

export const SAMPLE_EMAIL = 'robin@sample.example'

const DAY_MS = 86_400_000

/** A week of account activity: days ago, hour, action, details. */
const activityOf = (tokenName: string): [number, number, string, Record<string, unknown>][] => [
  [6, 8, 'account.registered', {}],
  [6, 8, 'session.started', {}],
  [6, 9, 'preferences.changed', { fields: ['timezone', 'workingHours'] }],
  [4, 14, 'token.created', { name: tokenName, scopes: ['calendar:read'] }],
  [3, 7, 'session.started', {}],
  [2, 18, 'profile.changed', { fields: ['name'] }],
  [1, 7, 'session.started', {}],
]

/** Makes the local account the sample account, with a week of activity. Returns undefined if it has an owner. */
export const claimSampleAccount = async (
  tx: Db,
  { now, passwordHash, content }: { now: Date; passwordHash: string; content: SampleContent },
): Promise<number | undefined> => {
  const at = (daysAgo: number, hour: number): string => {
    const day = new Date(now.getTime() - daysAgo * DAY_MS)
    day.setUTCHours(hour, 12, 0, 0)
    return day.toISOString()
  }
  const account = await tx
    .updateTable('users')
    .set({
      role: 'owner',
      email: SAMPLE_EMAIL,
      emailKey: SAMPLE_EMAIL,
      name: 'Robin Sample',
      passwordHash,
      timezone: SAMPLE_ZONE,
      locale: content.locale,
      createdAt: at(6, 8),
      updatedAt: at(2, 18),
    })
    .where('role', '=', sql.lit('local'))
    .returning('id')
    .executeTakeFirst()
  if (!account) return undefined
  const visit = {
    ip: '127.0.0.1',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
  }
  for (const [daysAgo, hour, action, details] of activityOf(content.tokenName))
    await tx
      .insertInto('activity')
      .values({
        userId: account.id,
        at: at(daysAgo, hour),
        action,
        ...visit,
        details: JSON.stringify(details),
      })
      .execute()
  return account.id
}

export const findOwnerId = async (tx: Db): Promise<number | undefined> =>
  (await tx.selectFrom('users').select('id').where('role', '=', sql.lit('owner')).executeTakeFirst())?.id

export const hasOtherAccounts = async (tx: Db, ids: readonly number[]): Promise<boolean> => {
  const others = tx.selectFrom('users').select('id').where('role', '<>', sql.lit('local'))
  const found = ids.length === 0 ? others : others.where('id', 'not in', ids)
  return (await found.limit(1).executeTakeFirst()) !== undefined
}

/** Makes the oldest remaining account the owner. */
const passOwnership = async (tx: Db): Promise<void> => {
  if ((await findOwnerId(tx)) !== undefined) return
  const oldest = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'member')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (oldest) await tx.updateTable('users').set({ role: 'owner' }).where('id', '=', oldest.id).execute()
}

export const removeSampleAccount = async (sample: MarkedSample, services: AccountServices): Promise<void> => {
  const { tx, userId, isLeaving } = sample
  if (!sample.idsOf(ACCOUNT_MARK).includes(userId)) return
  await services.activity.forget(tx, userId)
  if (isLeaving) await tx.deleteFrom('users').where('id', '=', userId).execute()
  else await services.unclaimAccount(tx, userId)
  await passOwnership(tx)
}
