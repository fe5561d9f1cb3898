import type { Db } from '../../../database/db.ts'
import type { Visit } from '../../../platform/access/caller.ts'
import type { Platform } from '../../../platform/platform.ts'
import { randomId } from '../../../platform/random.ts'
import type { Activity } from '../../auth/activity.ts'
import { updateSync } from '../../remote-accounts/repository.ts'
import type { CalendarStore } from '../calendars/store.ts'
import type { RequestSync } from './accounts.ts'
import {
  accountRows,
  findProviderAccount,
  hasReceiver,
  insertAccount,
  isProviderConnected,
} from './repository.ts'

/** Calendar accounts that use the OAuth tokens of a mail account. They have no secret of their own. */
export const createProviderCalendars = (
  deps: Pick<Platform, 'clock' | 'random'> & {
    activity: Activity
    store: Pick<CalendarStore, 'settleDefault'>
    requestSync: RequestSync
  },
) => {
  const { clock, random, activity, store, requestSync } = deps
  return {
    isConnected: isProviderConnected,

    /**
     * Adds the account, or signs in again with the existing one. An imported account, or one whose mail account
     * was deleted, is found by its address.
     */
    async connect(
      tx: Db,
      {
        userId,
        mailAccountId,
        address,
        url,
      }: { userId: number; mailAccountId: string; address: string; url: string },
      visit: Visit,
    ): Promise<void> {
      const now = clock.now().toISOString()
      const existing = await findProviderAccount(tx, userId, { mailAccountId, address })
      if (existing) {
        await accountRows.update(tx, existing, { mailAccountId, url, enabled: 1, updatedAt: now })
        await updateSync(tx, 'calendar_sync', existing.id, { status: 'waiting', error: null })
        const details = { name: existing.name, fields: ['signIn'] }
        await activity.record(tx, userId, visit, 'calendar_account.changed', details)
        await requestSync(tx, existing.id)
        return
      }
      const id = randomId(random)
      const name = address.slice(0, 100)
      await insertAccount(tx, {
        id,
        userId,
        kind: 'caldav',
        name,
        url,
        username: address,
        secret: null,
        signIn: 'google',
        mailAccountId,
        receivesNew: (await hasReceiver(tx, userId)) ? 0 : 1,
        enabled: 1,
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
      await store.settleDefault(tx, userId)
      await activity.record(tx, userId, visit, 'calendar_account.added', { name, kind: 'caldav' })
      await requestSync(tx, id)
    },
  }
}
