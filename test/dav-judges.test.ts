import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeOptions, startDavAccounts } from './support/dav.ts'
import { type Instance, startInstance } from './support/instance.ts'

const run = promisify(execFile)
const toolsUrl = new URL('../../shared/tools/', import.meta.url)
const toolAt = (path: string): string => fileURLToPath(new URL(path, toolsUrl))
const SUITE = toolAt('caldavtester/judge.py')
const CLIENT = toolAt('dav-clients/khal_check.py')

const hasSuite = existsSync(SUITE)
const hasClient = existsSync(CLIENT) && process.env.TEST_CALENDAR_CLIENTS !== undefined
if (!hasSuite) console.info(`The conformance suite is skipped: ${SUITE} does not exist.`)
if (!hasClient) console.info('The calendar clients are skipped: their scripts or programs do not exist.')

/** Files of the suite about events, with the tests that fail for a reason: see docs/protocols.md. */
const FILES: Readonly<Record<string, number>> = {
  'CalDAV/copymove.xml': 0,
  'CalDAV/current-user-principal.xml': 0,
  'CalDAV/encodedURIs.xml': 0,
  'CalDAV/ical-client.xml': 0,
  'CalDAV/nonascii.xml': 0,
  'CalDAV/proppatch.xml': 0,
}

describe('CalDAV clients', () => {
  let instance: Instance
  let directory: string
  beforeAll(async () => {
    instance = await startInstance()
    directory = await mkdtemp(join(tmpdir(), 'factotum-dav-'))
  })
  afterAll(async () => {
    await instance.close()
    await rm(directory, { recursive: true })
  })

  it.skipIf(!hasSuite)('pass the conformance suite CalDAVTester', async () => {
    const result = join(directory, 'result.json')
    const accounts = await startDavAccounts(instance, 4)
    const options = judgeOptions(instance, accounts)
    await run('python3', [SUITE, ...options, '--json', result, ...Object.keys(FILES)])
    const { files } = JSON.parse(await readFile(result, 'utf8'))
    const failed = Object.keys(FILES).map((file) => [file, files[file].failed])
    expect(Object.fromEntries(failed)).toEqual(FILES)
  })

  it.skipIf(!hasClient)('khal and vdirsyncer find what the server has, and the other way round', async () => {
    const [account] = await startDavAccounts(instance, 1, 'khal')
    const environment = {
      ...process.env,
      DAV_URL: `${instance.url}/dav/`,
      DAV_USER: account?.email,
      DAV_PASSWORD: account?.password,
    }
    const { stdout } = await run('/usr/bin/python3', [CLIENT], { env: environment })
    expect(stdout).toContain('khal: PASS')
  })
})
