import { afterEach, expect, it } from 'vitest'
import { byteLinesOf } from '../src/platform/zip/reader.ts'
import { onOneDatabase } from './support/databases.ts'
import { entriesOf, exportOf, importInto, sealed, zipOf } from './support/exports.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'

const closing: Instance[] = []
afterEach(async () => {
  for (const instance of closing.splice(0)) await instance.close()
})

onOneDatabase('sqlite', 'an archive', (engine) => {
  /** Exports one changed task and imports it into an empty instance. */
  const send = async (change: (task: Record<string, unknown>) => unknown) => {
    const source = await startInstance({ engine })
    closing.push(source)
    const owner = await register(source)
    await source.post('/api/tasks', { title: 'Water the plants' }, owner)
    const entries = await entriesOf(await exportOf(source, owner.token))
    const name = 'tasks/tasks.jsonl'
    const task = JSON.parse(String(entries.get(name)).split('\n')[0] as string)
    entries.set(name, Buffer.from(`${JSON.stringify(change(task))}\n`))
    const target = await startInstance({ engine })
    closing.push(target)
    const person = await register(target)
    const answer = await importInto(target, person.token, await zipOf(sealed(entries)))
    return { ...answer, tasks: target.app.workers.statistics() }
  }

  it('with a long line is parsed in a worker thread, and one with short lines is not', async () => {
    const long = await send((task) => ({ ...task, notes: 'note '.repeat(40_000) }))
    expect([long.status, long.body.detail]).toEqual([200, undefined])
    // It is parsed once for the check and once for the import.
    expect(long.tasks.completed).toMatchObject({ parseLine: 2 })
    const short = await send((task) => task)
    expect([short.status, short.tasks.started]).toEqual([200, 0])
  })

  it('with too many values in a line is rejected', async () => {
    const wide = await send((task) => ({ ...task, notes: Array.from({ length: 200_000 }, () => 1) }))
    expect([wide.status, wide.body.code]).toEqual([400, 'validation_failed'])
    expect(wide.body.detail).toMatch(/line 1 of "tasks\/tasks.jsonl": it has more than 100000 values/)
    expect(wide.tasks.failed).toMatchObject({ failed: 1 })
  })
})

it('a line longer than the limit is rejected before it is held in memory', async () => {
  let chunks = 0
  async function* endless() {
    for (;;) {
      chunks++
      yield Buffer.alloc(1000, 'a')
    }
  }
  await expect(Array.fromAsync(byteLinesOf(endless(), 10_000))).rejects.toThrow('a line is too long')
  expect(chunks).toBe(11)
})
