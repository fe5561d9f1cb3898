import { afterAll, expect, it } from 'vitest'
import { WorkerError } from '../../platform/workers/task.ts'
import { createPasswords, createPasswordThreads } from './passwords.ts'

const threads = createPasswordThreads()
afterAll(() => threads.close())

it('hashes passwords with bcrypt 2b and cost 10', async () => {
  const passwords = createPasswords(threads)
  const hash = await passwords.hash('correct horse battery')
  expect(hash).toMatch(/^\$2b\$10\$/)
  expect(await passwords.verify('correct horse battery', hash)).toBe(true)
  expect(await passwords.verify('correct horse', hash)).toBe(false)
})

it.each([undefined, 4])('verification without a stored hash fails for every cost', async (cost) => {
  expect(await createPasswords(threads, cost).verify('correct horse battery', undefined)).toBe(false)
})

it('asks people to try again if too many passwords wait', async () => {
  const busy = { run: () => Promise.reject(new WorkerError('busy', 'Too many tasks are waiting.')) }
  await expect(createPasswords(busy).hash('correct horse battery')).rejects.toMatchObject({
    kind: 'unavailable',
    details: { retryAfterSeconds: 5 },
  })
})
