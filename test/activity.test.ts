import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

const DAY_MS = 86_400_000
const PATH = '/api/settings/security/activity'

onEveryDatabase('the log of activity', (engine) => {
  const busy = async (): Promise<{ instance: Instance; token: string; email: string }> => {
    const instance = await startInstance({ engine })
    const { token, email } = await register(instance)
    for (const name of ['One', 'Two', 'Three'])
      await instance.call('PATCH', '/api/settings/profile', { body: { name }, token })
    return { instance, token, email }
  }
  const examine = (instance: Instance) => instance.app.rooms.activityLog.examine()
  const seal = (instance: Instance) => instance.app.rooms.activityLog.seal()

  it('is narrowed to an action and a stretch of time, page by page', async () => {
    const { instance, token } = await busy()
    const from = instance.clock.now()
    instance.clock.advance(60_000)
    await instance.call('PATCH', '/api/settings/profile', { body: { name: 'Late' }, token })
    const ask = async (query: string) =>
      (await instance.get(`${PATH}?${query}`, { token })).body.activity.map(
        ({ action }: { action: string }) => action,
      )
    expect(await ask('action=profile.changed')).toHaveLength(4)
    expect(await ask('action=nothing.such')).toEqual([])
    const after = new Date(from.getTime() + 1000).toISOString()
    expect(await ask(`since=${after}`)).toEqual(['profile.changed'])
    expect(await ask(`until=${after}&action=profile.changed`)).toHaveLength(3)
    const first = await instance.get(`${PATH}?action=profile.changed&limit=3`, { token })
    const second = await instance.get(
      `${PATH}?action=profile.changed&limit=3&cursor=${first.body.nextCursor}`,
      { token },
    )
    expect([first.body.activity.length, second.body.activity.length]).toEqual([3, 1])
    expect((await instance.get(`${PATH}?since=yesterday`, { token })).status).toBe(400)
    await instance.close()
  })

  it('is sealed by itself, a moment after', async () => {
    const { instance } = await busy()
    expect((await examine(instance)).unsealed).toBeGreaterThan(3)
    instance.clock.advance(10_000)
    await instance.app.jobs.start()
    await expect.poll(async () => (await examine(instance)).unsealed, { timeout: 20_000 }).toBe(0)
    expect(await examine(instance)).toEqual({ entries: 5, unsealed: 0, fault: null })
    await instance.close()
  })

  it.each([
    ['what was done', `update activity set action = 'nothing' where position = 3`, 'entry 3 was changed'],
    ['when', `update activity set at = '2020-01-01T00:00:00.000Z' where position = 2`, 'entry 2 was changed'],
    ['from where', `update activity set ip = '10.0.0.9' where position = 4`, 'entry 4 was changed'],
    ['who', `update activity set "userId" = null where position = 4`, 'entry 4 was changed'],
    ['one entry less', 'delete from activity where position = 2', 'entry 2 is missing'],
    ['an end cut off', 'delete from activity where position > 3', 'entries are missing at its end'],
    ['its seal', `update activity_seal set sealed = 's1.abc.def'`, 'sealed with another SECRET_KEY'],
    [
      'a letter of its seal',
      `update activity_seal set sealed = substr(sealed, 1, length(sealed) - 4) || 'AAAA'`,
      'its seal does not open',
    ],
  ])('shows a change by hand: %s', async (_what, statement, fault) => {
    const { instance } = await busy()
    await seal(instance)
    await sql.raw(statement).execute(instance.database.db)
    expect((await examine(instance)).fault).toContain(fault)
    await instance.close()
  })

  it('goes on from where the old was let go, and a chain begun anew does not pass for it', async () => {
    const { instance, email } = await busy()
    await seal(instance)
    instance.clock.advance(400 * DAY_MS)
    const again = await instance.post('/api/auth/login', { email, password: PASSWORD })
    expect(again.status).toBe(200)
    await seal(instance)
    const { activityLog } = instance.app.rooms
    await activityLog.prune(new Date(instance.clock.now().getTime() - 365 * DAY_MS).toISOString())
    expect(await examine(instance)).toEqual({ entries: 1, unsealed: 0, fault: null })
    const { activity } = (await instance.get(PATH, { token: again.body.token })).body
    expect(activity.map(({ action }: { action: string }) => action)).toEqual(['session.started'])
    await sql`update activity set position = 1`.execute(instance.database.db)
    expect((await examine(instance)).fault).toContain('is missing')
    await instance.close()
  })

  it('forgets who it was when an account is deleted, and still holds together', async () => {
    const { instance } = await busy()
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

  it('is sealed once by two instances at a time', async () => {
    const { instance } = await busy()
    const other = await startInstance({ place: instance.place, clock: instance.clock })
    await Promise.all([seal(instance), seal(other), seal(instance), seal(other)])
    expect(await examine(other)).toEqual({ entries: 5, unsealed: 0, fault: null })
    await other.close()
    await instance.close()
  })
})
