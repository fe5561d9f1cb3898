import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { toChange } from './support/changes.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'

onEveryDatabase('the change log', (engine) => {
  let instance: Instance
  const heard: { id: number; type: string; subject: string }[] = []
  beforeAll(async () => {
    instance = await startInstance({ engine })
    instance.app.changes.listen(({ id, type, subject }) => heard.push({ id, type, subject }))
  })
  afterAll(() => instance.close())

  const rows = () =>
    instance.database.db
      .selectFrom('changes')
      .select(['id', 'type', 'subject'])
      .orderBy('id')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()

  it('notifies listeners after the commit, with the content of the log', async () => {
    const person = await register(instance)
    expect(heard.at(-1)).toMatchObject({ type: 'account.created', subject: String(person.id) })
    await instance.call('POST', '/api/auth/logout', { token: person.token })
    expect(heard.at(-1)?.type).toBe('session.ended')
    expect(heard).toEqual(await rows())
  })

  it('does not notify listeners after a rollback', async () => {
    const before = heard.length
    const work = inTransaction(instance.database.db, async (tx) => {
      await instance.app.changes.record(
        tx,
        toChange({ userId: 1, type: 'task.created', subject: '1', data: {} }),
      )
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(heard).toHaveLength(before)
    expect(await rows()).toHaveLength(before)
  })

  it('still notifies the others when one listener fails, and stops after unsubscribing', async () => {
    const stop = instance.app.changes.listen(() => {
      throw new Error('deaf')
    })
    const before = heard.length
    await register(instance)
    expect(heard.length).toBe(before + 1)
    stop()
  })
})
