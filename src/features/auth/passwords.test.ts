import { expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'

it('hashes passwords with bcrypt 2b and cost 10', async () => {
  const passwords = createPasswords(1)
  const hash = await passwords.hash('correct horse battery')
  expect(hash).toMatch(/^\$2b\$10\$/)
  expect(await passwords.verify('correct horse battery', hash)).toBe(true)
  expect(await passwords.verify('correct horse', hash)).toBe(false)
})

it.each([undefined, 4])('verification without a stored hash fails for every cost', async (cost) => {
  expect(await createPasswords(1, cost).verify('correct horse battery', undefined)).toBe(false)
})
