import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../src/database/database.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

const DAY_MS = 86_400_000
const PATH = '/api/settings/security/activity'

const startOn = async (engine: Engine): Promise<{ instance: Instance; token: string; email: string }> => {
  const instance = await startInstance({ engine })
  const { token, email } = await register(instance)
  for (const name of ['One', 'Two', 'Three'])
    await instance.call('PATCH', '/api/settings/profile', { body: { name }, token })
  return { instance, token, email }
}
const examine = (instance: Instance) => instance.app.features.activityLog.examine()
const seal = (instance: Instance) => instance.app.features.activityLog.seal()

onOneDatabase('sqlite', 'the activity log', (engine) => {
  const startWithActivity = () => startOn(engine)

  it('is filtered by action and period, in pages', async () => {
    const { instance, token } = await startWithActivity()
    const from = instance.clock.now()
    instance.clock.advance(60_000)
    await instance.call('PATCH', '/api/settings/profile', { body: { name: 'Late' }, token })
    const listActions = async (query: string) =>
      (await instance.get(`${PATH}?${query}`, { token })).body.activity.map(
        ({ action }: { action: string }) => action,
      )
    expect(await listActions('action=profile.changed')).toHaveLength(4)
    expect(await listActions('action=nothing.such')).toEqual([])
    const after = new Date(from.getTime() + 1000).toISOString()
    expect(await listActions(`since=${after}`)).toEqual(['profile.changed'])
    expect(await listActions(`until=${after}&action=profile.changed`)).toHaveLength(3)
    const first = await instance.get(`${PATH}?action=profile.changed&limit=3`, { token })
    const second = await instance.get(
      `${PATH}?action=profile.changed&limit=3&cursor=${first.body.nextCursor}`,
      { token },
    )
    expect([first.body.activity.length, second.body.activity.length]).toEqual([3, 1])
    expect((await instance.get(`${PATH}?since=yesterday`, { token })).status).toBe(400)
    await instance.close()
  })

  it('is sealed automatically after a short delay', async () => {
    const { instance } = await startWithActivity()
    expect((await examine(instance)).unsealed).toBeGreaterThan(3)
    instance.clock.advance(10_000)
    await instance.app.jobs.start()
    await expect.poll(async () => (await examine(instance)).unsealed, { timeout: 60_000 }).toBe(0)
    expect(await examine(instance)).toEqual({ entries: 5, unsealed: 0, fault: null })
    await instance.close()
  })

  describe('with tampered rows', () => {
    let instance: Instance
    beforeAll(async () => {
      instance = (await startWithActivity()).instance
      await seal(instance)
    })
    afterAll(() => instance.close())

    it.each([
      ['an action', `update activity set action = 'nothing' where position = 3`, 'entry 3 was changed'],
      [
        'a time',
        `update activity set at = '2020-01-01T00:00:00.000Z' where position = 2`,
        'entry 2 was changed',
      ],
      ['an address', `update activity set ip = '10.0.0.9' where position = 4`, 'entry 4 was changed'],
      ['a user', `update activity set "userId" = null where position = 4`, 'entry 4 was changed'],
      ['a missing entry', 'delete from activity where position = 2', 'entry 2 is missing'],
      [
        'missing entries at the end',
        'delete from activity where position > 3',
        'entries are missing at its end',
      ],
      ['the seal', `update activity_seal set sealed = 's1.abc.def'`, 'sealed with another SECRET_KEY'],
      [
        'a character of the seal',
        `update activity_seal set sealed = substr(sealed, 1, length(sealed) - 4) || 'AAAA'`,
        'its seal cannot be decrypted',
      ],
    ])('detects tampering with %s', async (_what, statement, fault) => {
      const { db } = instance.database
      const entries = await db.selectFrom('activity').selectAll().execute()
      const sealed = await db.selectFrom('activity_seal').selectAll().execute()
      await sql.raw(statement).execute(db)
      expect((await examine(instance)).fault).toContain(fault)
      for (const table of ['activity', 'activity_seal'] as const) await db.deleteFrom(table).execute()
      await db.insertInto('activity').values(entries).execute()
      await db.insertInto('activity_seal').values(sealed).execute()
      expect((await examine(instance)).fault).toBeNull()
    })
  })

  it('stays valid after old entries are pruned, and detects a restarted chain', async () => {
    const { instance, email } = await startWithActivity()
    await seal(instance)
    instance.clock.advance(400 * DAY_MS)
    const again = await instance.post('/api/auth/login', { email, password: PASSWORD })
    expect(again.status).toBe(200)
    await seal(instance)
    const { activityLog } = instance.app.features
    await activityLog.prune(new Date(instance.clock.now().getTime() - 365 * DAY_MS).toISOString())
    expect(await examine(instance)).toEqual({ entries: 1, unsealed: 0, fault: null })
    const { activity } = (await instance.get(PATH, { token: again.body.token })).body
    expect(activity.map(({ action }: { action: string }) => action)).toEqual(['session.started'])
    await sql`update activity set position = 1`.execute(instance.database.db)
    expect((await examine(instance)).fault).toContain('is missing')
    await instance.close()
  })

  it('loses the personal data of a deleted account and stays valid', async () => {
    const { instance } = await startWithActivity()
    const member = await register(instance, { name: 'Leaving' })
    await instance.call('PATCH', '/api/settings/profile', { body: { name: 'Gone' }, token: member.token })
    await seal(instance)
    const deleted = await instance.call('DELETE', '/api/settings/account', {
      body: { password: PASSWORD },
      token: member.token,
    })
    expect(deleted.status).toBe(204)
    await seal(instance)
    const rows = await instance.database.db.selectFrom('activity').selectAll().execute()
    const blank = rows.filter(({ userId }) => userId === null)
    expect(blank.length).toBeGreaterThan(2)
    for (const { ip, userAgent, details, salt } of blank)
      expect([ip, userAgent, details, salt]).toEqual(['', '', '{}', ''])
    expect((await examine(instance)).fault).toBeNull()
    await instance.close()
  })
})

onOneDatabase('postgres', 'the activity log of two instances', (engine) => {
  it('is sealed once', async () => {
    const { instance } = await startOn(engine)
    const other = await startInstance({ place: instance.place, clock: instance.clock })
    await Promise.all([seal(instance), seal(other), seal(instance), seal(other)])
    expect(await examine(other)).toEqual({ entries: 5, unsealed: 0, fault: null })
    await other.close()
    await instance.close()
  })
})
