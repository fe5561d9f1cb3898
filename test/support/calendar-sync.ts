import { expect } from 'vitest'
import type { Instance } from './instance.ts'
import { soon } from './job-fixture.ts'
import type { Person } from './people.ts'

const ACCOUNTS = '/api/settings/calendar-accounts'

/** Follows the sync of calendar accounts. `of` returns the current instance and person. */
export const followCalendarSync = (of: () => { instance: Instance; person: Person }) => {
  const accountOf = async (id: string) => {
    const { instance, person } = of()
    return (await instance.get(`${ACCOUNTS}/${id}`, person)).body
  }
  /** Waits until the account has synced and nothing waits to be sent. */
  const settled = (id: string) =>
    soon(async () => {
      const { sync } = await accountOf(id)
      if (sync.status === 'failing') throw new Error(sync.error)
      expect(sync).toMatchObject({ status: 'live', waiting: 0 })
      expect(sync.lastSyncAt).not.toBeNull()
      return sync
    })
  /** Requests a sync and waits for its end. */
  const look = async (id: string) => {
    const { instance, person } = of()
    const before = (await settled(id)).lastSyncAt
    await instance.post(`${ACCOUNTS}/${id}/sync`, undefined, person)
    await soon(async () => expect((await accountOf(id)).sync.lastSyncAt > before).toBe(true))
    return settled(id)
  }
  return { accountOf, settled, look }
}
