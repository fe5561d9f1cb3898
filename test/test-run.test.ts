import { expect, it } from 'vitest'
import { describeReruns, provideParts, selectReruns } from './support/scripts.ts'

const failedFile = (name: string) => ({
  name: `/factotum/test/${name}`,
  status: 'failed',
  message: '',
  assertionResults: [
    { status: 'passed', fullName: 'a test', failureMessages: [] },
    { status: 'failed', fullName: 'another test', failureMessages: ['expected 1 to be 2\nat line 3'] },
  ],
})
const passedFile = (name: string) => ({ ...failedFile(name), status: 'passed', assertionResults: [] })

it('at most two failed files run again', () => {
  const failed = ['one', 'two'].map(failedFile)
  expect(selectReruns([...failed, passedFile('three')])).toEqual(failed)
  expect(selectReruns([...failed, failedFile('three')])).toEqual([])
})

it('the run names each file that ran again, its result and its first failure', () => {
  const failed = ['one', 'two'].map(failedFile)
  expect(describeReruns(failed, [passedFile('one'), failedFile('two')], '/factotum')).toEqual([
    'Ran again and passed: test/one > another test: expected 1 to be 2',
    'Ran again and failed: test/two > another test: expected 1 to be 2',
  ])
})

const server = { name: 'A server', debianPackages: [], isInstalled: () => true }
const absent = {
  name: 'Another server',
  debianPackages: ['another-server'],
  isInstalled: () => false,
  provide: async () => ({ missing: 'install it.' }),
}

it('the run fails if root cannot install a part, and stops the others', async () => {
  let stopped = 0
  const started = { env: {}, stop: async () => void stopped++ }
  const installed: unknown[] = []
  const installer = {
    canInstall: () => true,
    install: (parts: readonly unknown[]) => void installed.push(...parts),
  }
  await expect(
    provideParts([{ ...server, provide: async () => started }, absent], installer),
  ).rejects.toMatchObject({
    isRefusal: true,
    message: expect.stringContaining('Another server: install it.'),
  })
  expect(installed).toEqual([absent])
  expect(stopped).toBe(1)
})

it('a user who cannot install packages runs the other tests', async () => {
  const started = { env: { TEST_SERVER: 'yes' }, stop: async () => {} }
  const installer = { canInstall: () => false, install: () => expect.unreachable() }
  const { env } = await provideParts([{ ...server, provide: async () => started }, absent], installer)
  expect(env).toEqual({ TEST_SERVER: 'yes' })
})
