import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, commandProcess } from './support/command-line.ts'
import { type DataPlace, makeDataPlace, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD } from './support/people.ts'
import { launcherEnvironment, MAIN } from './support/process.ts'

const SCRIPT = '/usr/bin/script'

onOneDatabase('postgres', 'user add', (engine) => {
  let place: DataPlace
  const add = (args: string[], input: string | Buffer = `${PASSWORD}\n`) =>
    command(['user', 'add', ...args], place.environment, { input })

  beforeAll(async () => {
    place = await makeDataPlace(engine, 'prepared')
  })
  afterAll(() => place.remove())

  it('makes the first account the owner and the next a member, who can sign in', async () => {
    const adding = ['user', 'add', 'ana@example.org', '--name', 'Ana Ruiz', '--password-stdin']
    const owner = await commandProcess(adding, place.environment, { input: `${PASSWORD}\n` })
    expect(owner).toEqual({
      code: 0,
      stdout: 'Added ana@example.org (Ana Ruiz) as the owner of this instance.\n',
      stderr: '',
    })
    const member = await add(['bob@example.org', '--password-stdin'])
    expect(member.stdout).toBe('Added bob@example.org (bob) as a member.\n')
    const again = await add(['ana@EXAMPLE.org', '--password-stdin'])
    expect(again).toMatchObject({
      code: 1,
      stderr: 'factotum: An account with this email already exists.\n',
    })
    const instance = await startInstance({ engine, place, environment: { REGISTRATION: 'first' } })
    for (const email of ['ana@example.org', 'bob@example.org'])
      expect((await instance.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
    await instance.close()
  })

  it('appears in the activity list as local', async () => {
    await add(['cleo@example.org', '--password-stdin'])
    const instance = await startInstance({ engine, place })
    const { token } = (
      await instance.post('/api/auth/login', { email: 'cleo@example.org', password: PASSWORD })
    ).body
    const { body } = await instance.get('/api/settings/security/activity', { token })
    expect(body.activity.at(-1)).toMatchObject({
      ip: 'local',
      userAgent: 'factotum command line',
      device: { name: 'factotum command line', kind: 'program' },
    })
    await instance.close()
  })
})

/** Expects a one-line error with this text, and no output. */
const expectErrors = async (
  cases: [args: string[], line: string, input?: string | Buffer][],
  environment: Record<string, string>,
): Promise<void> => {
  const ends = await Promise.all(
    cases.map(([args, , input]) => command(args, environment, { input: input ?? '' })),
  )
  for (const [n, end] of ends.entries()) {
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toContain(cases[n]?.[1])
    expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
  }
}

describe('user add', () => {
  it('rejects invalid input with one line', async () => {
    const place = await makeDataPlace('sqlite')
    const add = (...args: string[]): string[] => ['user', 'add', ...args]
    const piped = add('new@example.org', '--password-stdin')
    await expectErrors(
      [
        [piped, 'password must have at least 8 characters.', 'short\n'],
        [piped, 'password must have at least 8 characters.', ''],
        [piped, 'not UTF-8 text', Buffer.from([0xff, 0xfe, 0x0a])],
        [piped, 'is too long', 'x'.repeat(10_000)],
        [add('new@example.org'), 'with --password-stdin', PASSWORD],
        [add('new@example.org', '--password', 'x'), 'no option --password. Did you mean --password-stdin?'],
        [add('not an address', '--password-stdin'), '"not an address" is not an email address.', PASSWORD],
        [add('new@example.org', '--name', '', '--password-stdin'), 'The name must have', PASSWORD],
        [add('--password-stdin'), 'EMAIL is missing.', PASSWORD],
        [
          add('a@example.org', 'b@example.org', '--password-stdin'),
          '"b@example.org" is an unexpected argument.',
          PASSWORD,
        ],
      ],
      place.environment,
    )
    await place.remove()
  })
})

describe.skipIf(!existsSync(SCRIPT))('user add in a terminal', () => {
  /** Types each answer when prompted, and returns the screen content. */
  const type = async (place: DataPlace, email: string, answers: string[]): Promise<string> => {
    const line = `${process.execPath} ${MAIN} user add ${email}`
    const child = spawn(SCRIPT, ['-qec', line, '/dev/null'], {
      env: { ...launcherEnvironment, SHELL: '/bin/sh', ...place.environment },
    })
    let screen = ''
    const ended = once(child, 'close')
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString()
      if (/[Pp]assword: $/.test(screen)) child.stdin.write(answers.shift() ?? '')
    })
    await ended
    return screen
  }

  it('asks for the password twice without echo', async () => {
    const place = await makeDataPlace('sqlite')
    const screen = await type(place, 'ana@example.org', [`${PASSWORD}\r`, `${PASSWORD}\r`])
    expect(screen).toContain('Added ana@example.org')
    expect(screen).not.toContain(PASSWORD)
    const differing = await type(place, 'bob@example.org', [`${PASSWORD}\r`, `${PASSWORD}!\r`])
    expect(differing).toContain('The passwords do not match.')
    const left = await type(place, 'bob@example.org', ['\u0003'])
    expect(left).toContain('Nothing was entered.')
    await place.remove()
  })
})

onOneDatabase('postgres', 'token create', (engine) => {
  let place: DataPlace
  let instance: Instance
  const making = ['token', 'create']
  const ana = ['--user', 'ana@example.org']

  beforeAll(async () => {
    place = await makeDataPlace(engine, 'prepared')
    await command(['user', 'add', 'ana@example.org', '--password-stdin'], place.environment, {
      input: PASSWORD,
    })
    instance = await startInstance({ engine, place, environment: { ACCESS: 'private' } })
  })
  afterAll(async () => {
    await instance.close()
    await place.remove()
  })

  it('prints only the token, which has the requested scopes', async () => {
    const options = ['--name', 'n8n', '--scope', 'tasks:write', '--scope', 'calendar:read']
    const end = await commandProcess([...making, ...ana, ...options], place.environment)
    expect(end.code).toBe(0)
    expect(end.stdout).toMatch(/^fct_[\w-]{43}\n$/)
    expect(end.stderr).toContain('tasks:write, calendar:read')
    const { token } = (
      await instance.post('/api/auth/login', { email: 'ana@example.org', password: PASSWORD })
    ).body
    const { tokens } = (await instance.get('/api/settings/tokens', { token })).body
    expect(tokens).toMatchObject([{ name: 'n8n', scopes: ['tasks:write', 'calendar:read'], expiresAt: null }])
    // 403: known, but without permission. An unknown token would get 401.
    const asToken = await instance.get('/api/auth/me', { token: end.stdout.trim() })
    expect(asToken.status).toBe(403)
    const { activity } = (await instance.get('/api/settings/security/activity', { token })).body
    expect(activity.find((entry: { action: string }) => entry.action === 'token.created')).toMatchObject({
      ip: 'local',
      userAgent: 'factotum command line',
    })
  })

  it("accepts an expiry date in the user's time zone", async () => {
    const options = ['--name', 'soon over', '--scope', 'mail:read', '--expires', '2999-01-01']
    const end = await command([...making, ...ana, ...options], place.environment)
    expect(end.stderr).toMatch(/until (2998-12-31|2999-01-01)T/)
  })

  it('rejects an unknown user, and an expiry that has passed or is invalid', async () => {
    const make = [...making, '--name', 'x', '--scope', 'mail:read']
    await expectErrors(
      [
        [[...make, '--user', 'who@example.org'], 'There is no account who@example.org.'],
        [[...make, ...ana, '--expires', '2001-01-01'], 'must be in the future'],
        [[...make, ...ana, '--expires', '2999-02-30'], '--expires must be a time'],
      ],
      place.environment,
    )
  })
})

describe('token create', () => {
  it('rejects invalid input with one line, and prints nothing', async () => {
    const make = (...args: string[]): string[] => ['token', 'create', '--user', 'ana@example.org', ...args]
    const reading = ['--scope', 'mail:read']
    await expectErrors(
      [
        [make('--name', 'x', '--scope', 'calender:read'), '"calender:read". Did you mean calendar:read?'],
        [make('--name', 'x', '--scope', 'everything'), 'Valid scopes: mail:read, mail:write,'],
        [make('--name', 'x'), 'Specify one or more scopes with --scope'],
        [make(...reading), 'Specify a name with --name'],
        [['token', 'create', '--name', 'x', ...reading], 'Specify the account with --user'],
        [make('--name', 'x', '--name', 'y', ...reading), '--name is specified twice.'],
        [make('--name', 'x', ...reading, '--expire', '2999-01-01'), 'Did you mean --expires?'],
      ],
      {},
    )
  })
})

describe('the usage', () => {
  it('is printed by each command, without another effect', async () => {
    const place = await makeDataPlace('sqlite')
    for (const words of ['serve', 'migrate', 'user add', 'token create', 'backup', 'restore', 'doctor']) {
      const args = words.split(' ')
      for (const asking of [
        [...args, '--help'],
        [...args, '-h'],
        ['help', ...args],
        ['--help', ...args],
      ]) {
        const end = await command(asking, place.environment)
        expect(end).toMatchObject({ code: 0, stderr: '' })
        expect(end.stdout).toContain(`Usage: factotum ${words}`)
      }
    }
    expect(existsSync(join(place.environment.DATA_DIR as string, 'factotum.db'))).toBe(false)
    await place.remove()
  })

  it('has a version, and unknown commands are rejected', async () => {
    expect((await command(['--version'], {})).stdout).toMatch(/^\d+\.\d+\.\d+(-dev)?\n$/)
    await expectErrors(
      [
        [['migrate', 'now'], '"now" is an unexpected argument.'],
        [['serve', '--dmeo'], 'There is no option --dmeo. Did you mean --demo?'],
        [['user'], 'There is "user add" and "user password".'],
        [['user', 'ad'], 'There is no command "user ad". Did you mean "user add"?'],
        [['user', 'password', 'ana@example.org'], 'There is no instance'],
        [['token', 'create', '--user', 'a@b', '--name', 'x', '--scope', 'mail:read'], 'There is no instance'],
        [['help', 'serv'], 'There is no command "serv". Did you mean "serve"?'],
      ],
      { DATA_DIR: join(tmpdir(), 'factotum-nowhere') },
    )
    expect(existsSync(join(tmpdir(), 'factotum-nowhere'))).toBe(false)
  })
})

describe('a failed start', () => {
  it.each<[string, (directory: string) => void, string]>([
    [
      'a database that is none',
      (at) => writeFileSync(join(at, 'factotum.db'), 'x'.repeat(9999)),
      'not a data',
    ],
    ['a directory that is a file', (at) => writeFileSync(`${at}/taken`, ''), 'EEXIST'],
    ['a secret that lost its end', (at) => writeFileSync(join(at, 'secret.key'), 'abc'), 'is damaged'],
  ])('ends with one line: %s', async (_what, spoil, line) => {
    const at = mkdtempSync(join(tmpdir(), 'factotum-start-'))
    spoil(at)
    const DATA_DIR = existsSync(`${at}/taken`) ? `${at}/taken` : at
    await expectErrors([[['serve'], line]], { DATA_DIR, PORT: '0' })
    rmSync(at, { recursive: true })
  })

  // Linux reports everything below /proc as missing, also after creation.
  it.runIf(existsSync('/proc/self'))('ends with one line if the parent directory accepts no files', () =>
    expectErrors([[['serve'], 'ENOENT']], { DATA_DIR: '/proc/factotum/data', PORT: '0' }),
  )
})

describe('a database that does not answer', () => {
  it('is named in one line, without its password', async () => {
    const environment = {
      DATABASE_URL: 'postgres://someone:hidden-word@127.0.0.1:1/none',
      SECRET_KEY: 'k'.repeat(32),
    }
    for (const end of [
      await command(['token', 'create', '--user', 'a@b', '--name', 'x', '--scope', 'mail:read'], environment),
      await command(['migrate'], environment),
      await commandProcess(['serve'], environment),
    ]) {
      expect(end.code).toBe(1)
      expect(end.stderr).toContain('ECONNREFUSED')
      expect(end.stderr).not.toContain('hidden-word')
      expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
    }
  })
})
