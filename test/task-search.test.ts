import { expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { makeDataPlace, onEveryDatabase } from './support/databases.ts'
import { startInstance } from './support/instance.ts'

/** Above the limit for scanning one by one. */
const MANY = 2_001

onEveryDatabase('a search of due tasks', (engine) => {
  it('finds the same tasks for few and for many matches', async () => {
    const place = await makeDataPlace(engine, 'prepared')
    const instance = await startInstance({ place })
    const { db } = instance.database
    for (const [title, dueAt] of [
      ['Paint the shed', '2020-01-01'],
      ['Paint the door', '2090-01-01'],
      ['Call the painter', '2020-02-01'],
      ['Repaint the gate', '2020-02-01'],
      ['Sweep', '2019-01-01'],
    ])
      await instance.post('/api/tasks', { title, dueAt, tags: ['house'] })
    const titles = async (query: string): Promise<string[]> => {
      const { body } = await instance.get(`/api/tasks?q=paint${query}`)
      return body.tasks.map(({ title }: { title: string }) => title)
    }
    const look = async () => [
      await titles('&dueBefore=2025-01-01'),
      await titles('&dueBefore=2025-01-01&tag=house&priority=normal'),
      await titles('&dueBefore=2025-01-01&limit=1'),
      await titles('&status=overdue'),
      await titles('&dueBefore=2019-06-01'),
    ]
    const found = ['Call the painter', 'Paint the shed']
    const expected = [found, found, ['Call the painter'], found, []]
    expect(await look()).toEqual(expected)

    const { id, ...sweep } = await db
      .selectFrom('tasks')
      .selectAll()
      .where('title', '=', 'Sweep')
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    const sweeps = Array.from({ length: MANY }, () => sweep)
    for (let at = 0; at < MANY; at += 500)
      await db
        .insertInto('tasks')
        .values(sweeps.slice(at, at + 500))
        .execute()
    expect(await look()).toEqual(expected)
    await instance.close()
    await place.remove()
  })
})
