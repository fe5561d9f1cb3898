import { execFile } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { exampleEnvironment } from '../src/config/config.ts'
import { command } from './support/command-line.ts'
import { makeDataPlace } from './support/databases.ts'
import { openEventStream, type ReceivedEvent } from './support/event-stream.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const run = promisify(execFile)
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md'),
]

interface Block {
  file: string
  language: string
  text: string
}

const blocks: readonly Block[] = documents.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language, text]) => ({
    file,
    language: language as string,
    text: text as string,
  })),
)
const blocksIn = (language: string): Block[] => blocks.filter((block) => block.language === language)

/** The commands of all shell blocks and the inline commands, without comments, one per line of the reader. */
const commandLines = documents.flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  // A mention like `factotum import` needs no arguments.
  const inline = [...text.matchAll(/`((?:factotum|npm|node bin\/factotum\.mjs) [^`\n]+)`/g)].map(
    ([, line]) => line,
  )
  const lines = blocks
    .filter((block) => block.file === file && ['sh', ''].includes(block.language))
    .flatMap((block) => block.text.replaceAll('\\\n', ' ').split('\n'))
  return [
    ...inline.map((line) => ({ file, line: line as string, isWhole: false })),
    ...lines.map((line) => ({ file, line: line.replace(/\s+#.*$/, ''), isWhole: true })),
  ]
})

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'factotum-documents-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Programs whose lines the tests below run. `npm` scripts run in the suite itself. */
const RUN = ['curl', 'factotum', 'node', 'npm']

/** Programs that change the machine or are not installed. Their lines are parsed, and name files that exist. */
const NOT_STARTED: Readonly<Record<string, string>> = {
  caddy: 'a proxy of the reader; `npm run test:release` starts it',
  cd: 'a directory of the reader',
  chmod: 'files of the reader',
  chown: 'users of the reader',
  cp: 'files outside of the repository; test/packaging.test.ts checks what is copied',
  docker: 'needs a container engine',
  echo: 'writes files of the reader',
  'VERSION/bin/factotum.mjs': 'a release; `npm run test:release` builds and starts one',
  git: 'the repository of the reader',
  journalctl: 'needs systemd',
  ln: 'directories of the reader',
  mkdir: 'directories of the reader',
  nginx: 'a proxy of the reader; test/packaging.test.ts starts it',
  openssl: 'writes secrets of the reader',
  podman: 'needs a container engine; `npm run test:release` follows the guide',
  runuser: 'needs the user of the service',
  sudo: 'needs the user of the service',
  systemctl: 'needs systemd',
  tar: 'needs a release',
  useradd: 'creates a user',
  // The check of a signature.
  case: 'part of a script',
}

describe('the commands of the documents', () => {
  it.each(blocksIn('sh').map(({ file, text }) => [file, text]))('%s: is valid shell', async (_file, text) => {
    await run('sh', ['-n', '-c', text])
  })

  it('exist in package.json if npm runs them', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const web = JSON.parse(readFileSync('web/package.json', 'utf8'))
    const names = commandLines.flatMap(({ line }) =>
      [...line.matchAll(/^npm (?:run (\S+)|(start|test)\b)(.*--prefix web)?/g)].map(
        ([, script, plain, isWeb]) => [isWeb ? web.scripts : scripts, script ?? plain] as const,
      ),
    )
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter(([known, name]) => known[name as string] === undefined)).toEqual([])
  })

  it('are run by a test, or need something that a test does not have', () => {
    const programs = blocksIn('sh').flatMap(({ file, text }) =>
      text
        .replaceAll('\\\n', ' ')
        .replaceAll(/'[^']*'|"[^"]*"/g, 'text')
        .split('\n')
        .map((line) =>
          /^(?:[A-Z_]+=\S+ )*([a-z][\w./-]*) /.exec(line)?.[1]?.replace(/^factotum-[\w.-]+\//, 'VERSION/'),
        )
        .filter((program) => program !== undefined)
        .map((program) => `${file}: ${program}`),
    )
    const used = new Set(programs.map((program) => program.split(': ')[1]))
    const known = [...RUN, ...Object.keys(NOT_STARTED)]
    expect(programs.filter((program) => !known.includes(program.split(': ')[1] as string))).toEqual([])
    expect(known.filter((program) => !used.has(program))).toEqual([])
  })

  /** A broken setting ends each command after it has parsed its arguments. */
  it('have arguments that Factotum accepts', async () => {
    const found = commandLines.flatMap(({ file, line, isWhole }) =>
      [
        ...line.matchAll(
          /(?:^|&& |-- |exec factotum |sudo -u factotum node |[A-Z_]+=\S+ )(?:\S*bin\/factotum\.mjs|factotum) (.+)$|localhost\/factotum:\S+ (.+)$/g,
        ),
      ].map(([, args, inContainer]) => ({ file, isWhole, args: (args ?? inContainer ?? '').trim() })),
    )
    expect(found.length).toBeGreaterThan(25)
    const refused: string[] = []
    for (const { file, isWhole, args } of found) {
      const { stderr } = await command(args.split(/\s+/), {
        DATA_DIR: join(directory, 'none'),
        PORT: 'broken',
      })
      const isRefused = isWhole ? /There is no|Usage:/ : /There is no/
      if (isRefused.test(stderr)) refused.push(`${file}: ${args}: ${stderr}`)
    }
    expect(refused).toEqual([])
  })

  it('use settings that exist', () => {
    const known = new Set(exampleEnvironment().match(/\b[A-Z][A-Z0-9_]+(?==)/g))
    const settings = commandLines.flatMap(({ file, line }) =>
      [...line.matchAll(/^(?:echo ')?([A-Z][A-Z0-9_]+)=/g)].map(([, name]) => `${file}: ${name}`),
    )
    /** Variables of the reader's own shell and of the compose file. */
    const own = new Set(['TOKEN', 'SITE', 'FACTOTUM'])
    expect(settings.length).toBeGreaterThan(10)
    expect(
      settings.filter(
        (setting) =>
          !known.has(setting.split(': ')[1] as string) && !own.has(setting.split(': ')[1] as string),
      ),
    ).toEqual([])
  })
})

it('the commands of the README work one after the other', async () => {
  const { text } = blocksIn('sh').find(({ text: script }) => script.includes('factotum.mjs backup')) as Block
  const place = await makeDataPlace('sqlite', 'prepared')
  const other = await makeDataPlace('sqlite')
  /** The end of a command that succeeds neither on a new instance nor without a question. */
  const REFUSALS: Record<string, RegExp> = { rollback: /no copy/i }
  for (const [, line] of text.matchAll(/^node bin\/factotum\.mjs ([^#\n]+)/gm)) {
    const args = (line as string).trim().split(/\s+/)
    const [name = ''] = args
    // A backup keeps its secrets sealed.
    const { SECRET_KEY = '' } = place.environment
    const environment = name === 'restore' ? { ...other.environment, SECRET_KEY } : place.environment
    const { code, stderr } = await command(
      [
        ...args.map((arg) => (arg.endsWith('.zip') ? join(directory, arg) : arg)),
        // A person types the password.
        ...(name === 'user' ? ['--password-stdin'] : []),
      ],
      { LOG_LEVEL: 'silent', ...environment },
      { input: `${PASSWORD}\n` },
    )
    const refusal = REFUSALS[name]
    if (refusal) expect([name, stderr]).toEqual([name, expect.stringMatching(refusal)])
    else expect([name, code, stderr]).toEqual([name, 0, expect.anything()])
  }
  await place.remove()
  await other.remove()
})

describe('the other examples of the documents', () => {
  it('are valid JSON, YAML, JavaScript and Python', async () => {
    for (const { text } of blocksIn('json')) JSON.parse(text)
    for (const { text } of blocksIn('yaml')) parseYaml(text)
    for (const [index, { text }] of blocksIn('js').entries()) {
      const file = join(directory, `example-${index}.mjs`)
      writeFileSync(file, text)
      await run(process.execPath, ['--check', file])
    }
    for (const { text } of blocksIn('python'))
      await run('python3', ['-c', `import ast, sys; ast.parse(sys.argv[1])`, text])
  })
})

describe('the examples that verify the signature of a webhook', () => {
  const secret = `whsec_${Buffer.from('the secret of the endpoint').toString('base64')}`
  const sent = new Date()
  const signature = new Webhook(secret).sign('msg_1', sent, '{"sent":true}')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${signature}`,
  }
  const exampleWith = (language: string, part: string): string =>
    blocksIn(language).find(({ text }) => text.includes(part))?.text as string
  const given = 'const [rawBody, secret, headers] = JSON.parse(process.argv[1]), request = { headers }\n'
  const node = (example: string) => [process.execPath, '--input-type=module', '--eval', example]

  it.each([
    ['the library', node(`${given}${exampleWith('js', 'standardwebhooks')}\nconsole.log('ours')`)],
    [
      'Node',
      node(
        `${given}${exampleWith('js', 'isOurs')}\nconsole.log(isOurs(headers, rawBody, secret) ? 'ours' : '')`,
      ),
    ],
    [
      'Python',
      [
        'python3',
        '-c',
        `${exampleWith('python', 'is_ours')}
import json, sys
body, secret, headers = json.loads(sys.argv[1])
print('ours' if is_ours(headers, body.encode(), secret) else '')`,
      ],
    ],
    ['the shell', ['sh', '-c', `cd "$EXAMPLES"\n${exampleWith('sh', 'WEBHOOK_SIGNATURE')}`]],
  ])('accept the sent body only: %s', async (_name, [program = '', ...args]) => {
    const verify = async (body: string): Promise<boolean> => {
      writeFileSync(join(directory, 'body.json'), body)
      const environment = {
        PATH: process.env.PATH,
        EXAMPLES: directory,
        SECRET: secret,
        WEBHOOK_SECRET: secret,
        WEBHOOK_ID: headers['webhook-id'],
        WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
        WEBHOOK_SIGNATURE: headers['webhook-signature'],
      }
      return run(program, [...args, JSON.stringify([body, secret, headers])], { env: environment }).then(
        ({ stdout }) => stdout.trim() === 'ours',
        (error: Error) => {
          if (error.message.includes('WebhookVerificationError')) return false
          throw error
        },
      )
    }
    expect([await verify('{"sent":true}'), await verify('{"sent":false}')]).toEqual([true, false])
  })
})

/** Calls that need something outside of this machine, by a part of them. */
const NOT_RUN: Record<string, string> = {
  'digital-audit': 'its page is on the internet',
  'bookingsvc/sync': 'it needs an account of a booking service',
  'curl -N': 'the stream does not end; test/live-events.test.ts reads it',
  WEBHOOK_SIGNATURE: 'runs with the other examples that verify a signature',
}

describe('the calls of the documents', () => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance()
    person = await register(instance, { email: 'reader@example.org' })
    const programs = join(directory, 'bin')
    mkdirSync(programs)
    writeFileSync(join(programs, 'mail'), '#!/bin/sh\nexec cat >/dev/null\n')
    chmodSync(join(programs, 'mail'), 0o755)
    writeFileSync(
      join(directory, 'calendar.ics'),
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//readme//\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261201T090000Z\r\nSUMMARY:One\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    )
  })
  afterAll(() => instance.close())

  // test/documents.test.ts runs those of the README on a fresh instance.
  const calls = blocksIn('sh')
    .filter(({ file }) => file !== 'README.md')
    .flatMap(({ file, text }) =>
      text
        .split(/\n(?=# |curl|$)/)
        .filter(
          (part) => /\bcurl\b/.test(part) && !Object.keys(NOT_RUN).some((reason) => part.includes(reason)),
        )
        .map((part) => [file, part] as const),
    )

  it('the event in docs/webhooks.md has the form of a real one', async () => {
    const example = JSON.parse(
      blocksIn('json').find(({ file }) => file === 'docs/webhooks.md')?.text as string,
    )
    const stream = await openEventStream(instance.url, '/api/events?types=task.created', person)
    await instance.post('/api/tasks', { title: example.data.title }, person)
    const [{ data: event }] = (await stream.until(1)) as [ReceivedEvent]
    await stream.leave()
    expect(Object.keys(example)).toEqual(Object.keys(event))
    expect(example).toEqual({
      ...event,
      id: expect.any(Number),
      subject: String(example.data.id),
      timestamp: new Date(example.timestamp).toISOString(),
      data: { id: expect.any(Number), title: event.data.title },
    })
    expect(event.data).toMatchObject({ id: Number(event.subject), title: example.data.title })
  })

  it.each(calls)('%s: %s', async (_file, part) => {
    const { id } = (await instance.get('/api/calendars', person)).body.calendars[0]
    const script = part
      .replaceAll(/(?:http:\/\/127\.0\.0\.1|localhost):3000/g, instance.url)
      .replaceAll('/calendars/5/', `/calendars/${id}/`)
      .replaceAll(/curl (?=-)/g, 'curl -sS --fail-with-body ')
    const { stdout } = await run('sh', ['-eu', '-c', script], {
      cwd: directory,
      env: {
        PATH: `${join(directory, 'bin')}:${process.env.PATH}`,
        TOKEN: person.token,
        FACTOTUM: instance.url,
      },
    })
    expect(stdout).not.toContain('problem')
  })
})
