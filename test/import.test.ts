import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import type { Engine } from '../src/database/database.ts'
import { tableKeys } from '../src/database/tables.ts'
import { makeDataPlace, onEveryDatabase, onPostgresOnly } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { entriesOf, exportOf, importInto, type Line, linesOf, sealed, zipOf } from './support/exports.ts'
import { type FullInstance, fillInstance } from './support/full-instance.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'
import { isFullRun, sampleOf } from './support/scale.ts'
import { claimSize, type Entries, replaceBytes } from './support/zips.ts'

const EMAIL = 'robin@sample.example'
const ENGINES: Engine[] = process.env.TEST_POSTGRES_URL === undefined ? ['sqlite'] : ['sqlite', 'postgres']

/**
 * Exported but not imported, because they belong to the exporting instance or are useless without a secret.
 */
const EXPORT_ONLY = [
  'account/sessions.jsonl',
  'account/invitations.jsonl',
  'account/app-passwords.jsonl',
  'webhooks/deliveries.jsonl',
  'webhooks/attempts.jsonl',
  'notifications/mails.jsonl',
  'notifications/deliveries.jsonl',
  'bookings/settings.jsonl',
  'stream/credentials.jsonl',
  'ai/keys.jsonl',
  'actions/action-parts.jsonl',
]

/** Imported rows are added to existing rows. */
const ADDED = ['account/activity.jsonl', 'notifications/notifications.jsonl']

/** The expected differences after an import. See docs/operating.md. */
const asImported = (name: string, line: Line): Line => {
  switch (name) {
    case 'account/profile.jsonl':
      return { ...line, version: 0 }
    case 'mail/accounts.jsonl':
    case 'calendar-accounts/accounts.jsonl':
      return { ...line, enabled: false }
    case 'webhooks/webhooks.jsonl':
      return { ...line, enabled: false, disabledReason: expect.stringContaining('imported') }
    case 'mail/outbox.jsonl':
      return line.state === 'queued' ? { ...line, state: 'uncertain' } : line
    case 'mail/emails.jsonl':
      return line.deliveryStatus === 'queued' ? { ...line, deliveryStatus: 'uncertain' } : line
    default:
      return line
  }
}

/** Ignores the id, because imported rows get new ids. */
const withoutId = ({ id: _, ...entry }: Line): string => JSON.stringify(entry)

const READ = [
  '/api/emails?limit=200',
  '/api/emails?q=report',
  '/api/emails?q=from:zoe+has:attachment',
  '/api/emails?tag=work',
  '/api/tasks?limit=200',
  '/api/tasks?q=zoe',
  '/api/tasks?tag=work',
  '/api/task-lists',
  '/api/tags',
  '/api/actions',
  '/api/calendar/events?start=2026-03-01&end=2026-06-01&limit=200',
  '/api/calendar/events?limit=200',
  '/api/calendar/export.ics',
  '/api/calendar/free?start=2026-03-02&end=2026-03-09&minutes=60',
  '/api/stream/state',
  '/api/stream/streams',
  '/api/stream/captions?limit=200',
  '/api/stream/captions.vtt',
  '/api/stream/milestones',
  '/api/stream/overlay',
  '/api/ai/conversations',
  '/api/ai/usage',
  '/api/briefing',
  '/api/settings/billing/details',
  '/api/settings/billing/budgets',
  '/api/settings/preferences',
  '/api/settings/tokens',
  '/api/settings/feed-tokens',
]

onEveryDatabase('a full instance', (engine) => {
  // A fixed clock, so that two instances return the same responses.
  const clock = { now: () => new Date('2026-03-03T12:00:00.000Z'), advance: () => {} }
  let source: Instance
  let full: FullInstance
  let zip: Buffer
  let entries: Entries
  beforeAll(async () => {
    source = await startInstance({ engine, clock })
    full = await fillInstance(source)
    // AI usage is written after the response.
    await eventually(async () => (await source.get('/api/ai/usage')).body.totals?.requests !== 0)
    zip = await exportOf(source, full.token)
    entries = await entriesOf(zip)
  })
  afterAll(() => source.close())

  it('is exported with rows in nearly every file, matching checksums and counts, and no secrets', async () => {
    const lines = linesOf(entries)
    const manifest = JSON.parse(String(entries.get('manifest.json')))
    expect(manifest).toMatchObject({ format: 'factotum-export', version: 2, madeBy: '0.0.0-test' })
    expect(manifest.rows).toEqual(
      Object.fromEntries(Object.entries(lines).map(([name, all]) => [name, all.length])),
    )
    const empty = Object.entries(lines).flatMap(([name, all]) => (all.length === 0 ? [name] : []))
    expect(empty).toEqual([
      'mail/pushes.jsonl',
      'webhooks/attempts.jsonl',
      'ai/actions.jsonl',
      'billing/warnings.jsonl',
      'notifications/mails.jsonl',
    ])
    const sums = String(entries.get('SHA256SUMS')).trim().split('\n')
    expect(sums.map((line) => line.slice(66)).sort()).toEqual(
      [...entries.keys()].filter((name) => !['SHA256SUMS', 'manifest.json'].includes(name)).sort(),
    )
    for (const line of sums)
      expect(line).toBe(
        `${createHash('sha256')
          .update(entries.get(line.slice(66)) as Buffer)
          .digest('hex')}  ${line.slice(66)}`,
      )
    expect(String(entries.get(`mail/messages/${full.emailId}.eml`))).toContain('full-1@example.org')
    expect(String(entries.get('calendar/calendar.ics'))).toContain('X-OWN:kept')
    for (const [name, bytes] of entries)
      for (const secret of full.secrets) expect([name, bytes.includes(secret)]).toEqual([name, false])
  })

  const inOrder = (lines: Line[]): Line[] =>
    lines.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

  // The short form leaves out imports into the same kind of database.
  const targets = isFullRun || ENGINES.length === 1 ? ENGINES : ENGINES.filter((other) => other !== engine)
  describe.each(targets)('imported into an empty instance on %s', (other) => {
    let target: Instance
    let token: string
    beforeAll(async () => {
      target = await startInstance({ engine: other, clock })
      ;({ token } = await register(target, { email: EMAIL }))
      // Only one of two concurrent imports succeeds.
      const both = await Promise.all([importInto(target, token, zip), importInto(target, token, zip)])
      const [imported, refused] = both.toSorted((a, b) => a.status - b.status) as [Answer, Answer]
      expect([imported.status, refused.status, refused.body.code]).toEqual([200, 409, 'conflict'])
      expect(imported.body).toMatchObject({ madeBy: '0.0.0-test' })
      expect(imported.body.rows['mail/emails.jsonl']).toBe(linesOf(entries)['mail/emails.jsonl']?.length)
    })
    afterAll(() => target.close())

    it('is exported again with the same fields', async () => {
      const again = await entriesOf(await exportOf(target, token))
      // The engines sort names differently.
      expect([...again.keys()].sort()).toEqual([...entries.keys()].sort())
      const [before, after] = [linesOf(entries), linesOf(again)]
      for (const [name, lines] of Object.entries(before)) {
        if (EXPORT_ONLY.includes(name)) continue
        if (ADDED.includes(name))
          expect((after[name] ?? []).map(withoutId)).toEqual(expect.arrayContaining(lines.map(withoutId)))
        else
          expect([
            name,
            inOrder(
              (after[name] ?? []).map((line) => ({
                ...line,
                ...(name === 'account/profile.jsonl' && { version: 0 }),
              })),
            ),
          ]).toEqual([name, inOrder(lines.map((line) => asImported(name, line)))])
      }
      for (const [name, bytes] of entries)
        if (!name.endsWith('.jsonl') && !['SHA256SUMS', 'manifest.json'].includes(name))
          expect([name, bytes.equals(again.get(name) as Buffer)]).toEqual([name, true])
    })

    it('returns the same API responses', async () => {
      const { emails } = (await source.get('/api/emails?limit=200')).body as { emails: Line[] }
      const each = emails.flatMap(({ id, deliveryStatus, delivery, attachments }) => [
        ...(deliveryStatus === undefined && delivery === null ? [`/api/emails/${id}`] : []),
        `/api/emails/${id}/thread`,
        ...(attachments as Line[]).map((file) => `/api/emails/${id}/attachments/${file.id}`),
      ])
      const isLater = ({ delivery }: Line): boolean => delivery !== null && delivery !== undefined
      const answerOf = async (instance: Instance, path: string, bearer: string) => {
        const { status, body } = await instance.get(path, { token: bearer })
        const listed = Array.isArray(body?.emails)
          ? { ...body, emails: body.emails.filter((one: Line) => !isLater(one)) }
          : body
        return { path, status, body: listed }
      }
      for (const path of [...READ, ...each, `/api/emails/${full.emailId}/raw`])
        expect(await answerOf(target, path, token)).toEqual(await answerOf(source, path, full.token))
      const avatar = (instance: Instance, bearer: string) =>
        fetch(`${instance.url}/api/settings/profile/avatar`, {
          headers: { authorization: `Bearer ${bearer}` },
        })
      expect((await avatar(target, token)).headers.get('etag')).toBe(
        (await avatar(source, full.token)).headers.get('etag'),
      )
    })

    it('needs new secrets for tokens and accounts, and never reuses an id', async () => {
      const pat = full.secrets[4] as string
      expect((await target.get('/api/tasks', { token: pat })).status).toBe(401)
      const rotated = await target.get('/api/settings/tokens', { token })
      const renewed = await target.post(
        `/api/settings/tokens/${rotated.body.tokens[0].id}/rotate`,
        { password: 'correct horse battery' },
        { token },
      )
      expect((await target.get('/api/tasks', { token: renewed.body.token })).status).toBe(200)
      const [account] = (await target.get('/api/settings/mail-accounts', { token })).body.mailAccounts
      expect([account.enabled, account.sync.status]).toEqual([false, 'off'])
      const on = { password: 'given anew', enabled: true }
      const path = `/api/settings/mail-accounts/${account.id}`
      const turnedOn = await target.call('PATCH', path, { token, body: on })
      expect([turnedOn.status, turnedOn.body.enabled]).toEqual([200, true])
      const calendars = (await target.get('/api/settings/calendar-accounts', { token })).body.calendarAccounts
      expect(
        calendars.map(({ enabled, sync }: { enabled: boolean; sync: { status: string } }) => [
          enabled,
          sync.status,
        ]),
      ).toEqual([
        [false, 'off'],
        [false, 'off'],
      ])
      // The URL of a published calendar is a secret too.
      expect(entries.get('calendar-accounts/accounts.jsonl')?.toString()).not.toContain('holidays')
      const file = calendars.find(({ kind }: { kind: string }) => kind === 'ics')
      const turnOn = (body: object) =>
        target.call('PATCH', `/api/settings/calendar-accounts/${file.id}`, { token, body })
      expect((await turnOn({ enabled: true })).body.errors[0].path).toBe('url')
      expect((await turnOn({ name: 'Holidays' })).status).toBe(200)
      expect((await turnOn({ enabled: true, url: 'http://127.0.0.1:9/holidays.ics' })).status).toBe(200)
      const followed = calendars.flatMap(({ calendars }: { calendars: unknown[] }) => calendars)
      expect(followed).toMatchObject([{ name: 'Wörk', followed: true }])
      const made = await target.post('/api/emails', { from: 'a@b.example', subject: 'New' })
      expect(made.body.id).toBeGreaterThan(
        Math.max(...(linesOf(entries)['mail/emails.jsonl'] ?? []).map(({ id }) => Number(id))),
      )
    })

    it('cannot be imported a second time', async () => {
      const again = await importInto(target, token, zip)
      expect([again.status, again.body.code]).toEqual([409, 'conflict'])
      expect(again.body.detail).toContain('tasks/tasks')
      const { activity } = (
        await target.get('/api/settings/security/activity?action=data.imported', { token })
      ).body
      expect(activity).toMatchObject([
        { details: { sha256: createHash('sha256').update(zip).digest('hex') } },
      ])
      await target.app.features.activityLog.seal()
      expect((await target.app.features.activityLog.examine()).fault).toBeNull()
      // The entries are older than those before them in the chain, and are still pruned by age.
      await target.app.features.activityLog.prune('2026-03-01T00:00:00.000Z')
      const all = await target.database.db.selectFrom('activity').select(['at', 'userId', 'ip']).execute()
      const old = all.filter(({ at }) => at < '2026-03-01')
      expect([old.length > 3, old.every(({ userId, ip }) => userId === null && ip === '')]).toEqual([
        true,
        true,
      ])
      expect((await target.app.features.activityLog.examine()).fault).toBeNull()
    })
  })

  describe('with a damaged or manipulated export', () => {
    let target: Instance
    let token: string
    let before: unknown[]
    beforeAll(async () => {
      target = await startInstance({ engine, clock })
      ;({ token } = await register(target, { email: EMAIL }))
      before = await contentOf(target)
    })
    afterAll(() => target.close())

    const noChange = (): void => {}
    const changed = (name: string, change: (text: string) => string, from: Entries = entries): Entries =>
      sealed(new Map([...from, [name, Buffer.from(change(String(entries.get(name))))]]))
    const without = (name: string): Entries => new Map([...entries].filter(([one]) => one !== name))
    const manifestWith = (change: object): Entries =>
      new Map([
        ...entries,
        [
          'manifest.json',
          Buffer.from(JSON.stringify({ ...JSON.parse(String(entries.get('manifest.json'))), ...change })),
        ],
      ])
    const flipEncrypted = (file: Buffer): Buffer => {
      const bytes = Buffer.from(file)
      const at = bytes.lastIndexOf('README.txt') - 46
      bytes.writeUInt16LE(bytes.readUInt16LE(at + 8) | 1, at + 8)
      return bytes
    }
    const line = (name: string, change: object) => () =>
      zipOf(
        changed(name, (text) => {
          const [first = '', ...rest] = text.split('\n')
          return [JSON.stringify({ ...JSON.parse(first), ...change }), ...rest].join('\n')
        }),
      )

    const FAULTS: [string, () => Buffer | Promise<Buffer>, RegExp][] = [
      ['is empty', () => Buffer.alloc(0), /cannot be imported/],
      ['is not a zip', () => Buffer.from('hello, this is text'), /cannot be imported/],
      ['is truncated', () => zip.subarray(0, zip.length - 100), /cannot be imported/],
      ['lacks its beginning', () => zip.subarray(2000), /cannot be imported/],
      ['has no manifest', () => zipOf(without('manifest.json')), /not an export/],
      [
        'has a manifest that is not JSON',
        () => zipOf(new Map([...entries, ['manifest.json', Buffer.from('{')]])),
        /not JSON/,
      ],
      ['is of a newer version', () => zipOf(manifestWith({ version: 3 })), /newer version/],
      ['is of an older version', () => zipOf(manifestWith({ version: 1 })), /older version/],
      ['has another format', () => zipOf(manifestWith({ format: 'factotum-backup' })), /invalid format/],
      [
        'has a sequence beyond the highest id',
        () => zipOf(manifestWith({ sequences: { emails: 2 ** 52 } })),
        /invalid format/,
      ],
      ['lacks a file', () => zipOf(without('tasks/tasks.jsonl')), /missing/],
      [
        'lacks the content of an attachment',
        () => zipOf(sealed(new Map([...entries].filter(([name]) => !name.includes('notes.txt'))))),
        /is missing/,
      ],
      [
        'has an unknown file',
        () => zipOf([...entries, ['tasks/more.jsonl', Buffer.from('')]]),
        /not an expected entry/,
      ],
      [
        'has a file without a checksum',
        () => zipOf([...entries, ['mail/messages/99.eml', Buffer.from('x')]]),
        /has no checksum/,
      ],
      [
        'has a path traversal',
        () =>
          zipOf([...entries, ['xx/xx/evil', Buffer.from('x')]], (file) =>
            replaceBytes(file, 'xx/xx/evil', '../../evil'),
          ),
        /cannot be imported/,
      ],
      [
        'has an absolute path',
        () =>
          zipOf([...entries, ['x/etc/evil', Buffer.from('x')]], (file) =>
            replaceBytes(file, 'x/etc/evil', '//etc/evil'),
          ),
        /cannot be imported/,
      ],
      [
        'contains a symbolic link',
        () => zipOf([...entries, ['mail/messages/99.eml', Buffer.from('/etc/passwd'), 0o120777]]),
        /not a plain file/,
      ],
      ['has a duplicate name', () => zipOf([...entries, ['README.txt', Buffer.from('x')]]), /is a duplicate/],
      ['is encrypted', () => flipEncrypted(zip), /encrypted/],
      [
        'declares a wrong size',
        () => zipOf(entries, (file) => claimSize(file, 'README.txt', 5)),
        /cannot be imported/,
      ],
      [
        'is a zip bomb',
        () =>
          zipOf([...without('README.txt'), ['README.txt', Buffer.alloc(80 * 1024 * 1024)]], noChange, true),
        /impossible size/,
      ],
      [
        'has content that does not match its checksum',
        () => zipOf(new Map([...entries, ['README.txt', Buffer.from('other')]])),
        /does not match its checksum/,
      ],
      [
        'has checksums that do not match its manifest',
        () => zipOf(new Map([...entries, ['SHA256SUMS', Buffer.from('')]])),
        /does not match its checksum/,
      ],
      [
        'has a line that is not JSON',
        () => zipOf(changed('tasks/tasks.jsonl', (text) => `{"id":\n${text}`)),
        /line 1 .*not JSON/,
      ],
      [
        'has a line that is not an object',
        () => zipOf(changed('tasks/tasks.jsonl', (text) => `[1]\n${text}`)),
        /not a JSON object/,
      ],
      [
        'has a last line without a line break',
        () => zipOf(changed('tasks/tasks.jsonl', (text) => `${text}{}`)),
        /last line is incomplete/,
      ],
      ['has an unknown field', line('tasks/tasks.jsonl', { shown: '"title":"x"}' }), /shown is unknown/],
      ['has a field of the wrong type', line('tasks/tasks.jsonl', { title: 5 }), /title must be text/],
      ['has an invalid status', line('tasks/tasks.jsonl', { status: 'evil' }), /status must be one of/],
      ['has an invalid day', line('tasks/tasks.jsonl', { dueDay: '2026-02-30' }), /dueDay must be a day/],
      [
        'has a due day without a time',
        line('tasks/tasks.jsonl', { dueDay: '2026-02-27', dueAt: null }),
        /dueAt is missing/,
      ],
      ['has an invalid time', line('tasks/tasks.jsonl', { createdAt: 'yesterday' }), /createdAt/],
      [
        'has text that no database can store',
        line('tasks/tasks.jsonl', { title: 'a\0b' }),
        /title must be text/,
      ],
      ['has an id that is too large', line('mail/emails.jsonl', { id: 2 ** 53 }), /id must be/],
      ['has an invalid time zone', line('account/profile.jsonl', { timezone: 'Mars/Olympus' }), /timezone/],
      ['has invalid attendees', line('calendar/events.jsonl', { attendees: 7 }), /attendees/],
      [
        'has an invalid recurrence rule',
        line('calendar/events.jsonl', { recurrence: 'FREQ=NEVER' }),
        /cannot be imported/,
      ],
      [
        'has a duplicate row',
        () => zipOf(changed('tasks/tasks.jsonl', (text) => `${text}${text}`)),
        /duplicate/,
      ],
      ['refers to a missing row', line('tasks/planned.jsonl', { taskId: 4711 }), /refers to a missing row/],
    ]

    // Most faults are found before the database is used.
    const faults = engine === 'sqlite' ? FAULTS : [...sampleOf(FAULTS.slice(0, -2), 3), ...FAULTS.slice(-2)]
    it.each(faults)('is rejected completely if it %s', async (_what, make, reason) => {
      const { status, body } = await importInto(target, token, await make())
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.detail).toMatch(reason)
      expect(await contentOf(target)).toEqual(before)
    })

    it('rejects other media types, a body that is too large, and a request without a session', async () => {
      const text = await target.call('POST', '/api/settings/import', {
        token,
        body: 'x',
        headers: { 'content-type': 'text/plain' },
      })
      expect([text.status, text.body.code]).toEqual([415, 'unsupported_media_type'])
      expect((await importInto(target, 'nobody', zip)).status).toBe(401)
      const huge = await new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${token}`,
          'content-type': 'application/zip',
          'content-length': 5 * 1024 ** 3,
        }
        const sent = request(
          `${target.url}/api/settings/import`,
          { method: 'POST', headers },
          ({ statusCode }) => {
            sent.destroy()
            resolve(statusCode)
          },
        )
        sent.once('error', reject).flushHeaders()
      })
      expect(huge).toBe(413)
    })

    it('leaves no files, and a corrected one is imported with progress events and sanitized HTML', async () => {
      expect(readdirSync(target.place.dataDir).filter((name) => name.startsWith('importing-'))).toEqual([])
      // The format of exports before tasks had due days.
      const older = changed('tasks/tasks.jsonl', (text) =>
        text.replaceAll(/"(?:dueDay|dueZone)":(?:null|"[^"]*"),?/g, '').replaceAll(',}', '}'),
      )
      const evil = changed(
        'mail/bodies.jsonl',
        (text) =>
          text
            .split('\n')
            .map((row) => {
              if (row === '' || JSON.parse(row).emailId !== full.emailId) return row
              return JSON.stringify({
                ...JSON.parse(row),
                html: '<p onclick="x()">hi<script>alert(1)</script><img src="/api/emails/12/raw"></p>',
              })
            })
            .join('\n'),
        older,
      )
      // The format of exports while events kept the id of a deleted email.
      const loose = changed(
        'calendar/events.jsonl',
        (text) => text.replaceAll(/"emailId":(?:null|\d+)/g, '"emailId":987654321'),
        evil,
      )
      // The format of exports before mailing lists and mail rules.
      const unlisted = changed(
        'mail/emails.jsonl',
        (text) => text.replaceAll(/"mailingList":(?:null|\{[^}]*\}),?/g, '').replaceAll(',}', '}'),
        loose,
      )
      for (const name of ['unsubscriptions', 'rules']) unlisted.delete(`mail/${name}.jsonl`)
      const response = await fetch(`${target.url}/api/settings/import`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/zip',
          accept: 'text/event-stream',
        },
        body: new Uint8Array(await zipOf(sealed(unlisted))),
      })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      const events = (await response.text()).split('\n\n').filter((event) => event !== '')
      expect(events.at(0)).toMatch(/^event: progress\ndata: \{"done":\d+,"total":\d+\}$/)
      expect(events.at(-1)).toMatch(/^event: done\ndata: \{"madeBy"/)
      expect((await target.get(`/api/emails/${full.emailId}`)).body.html).toBe('<p>hi</p>')
      expect((await target.get('/api/mailing-lists')).body.mailingLists).toEqual([])
      const { tasks } = (await target.get('/api/tasks')).body
      expect(tasks.length).toBeGreaterThan(0)
      expect(tasks.every(({ dueDay }: { dueDay: unknown }) => dueDay === null)).toBe(true)
      const { events: imported } = (await target.get('/api/calendar/events')).body
      expect(imported.length).toBeGreaterThan(0)
      expect(imported.every(({ emailId }: { emailId: unknown }) => emailId === null)).toBe(true)
    })
  })
})

it('every table belongs to one data part, so that exports and deletions are complete', async () => {
  const instance = await startInstance()
  const named = instance.app.features.dataParts.flatMap(({ tables, others }) => [
    ...tables.map(({ table }) => table),
    ...others,
  ])
  await instance.close()
  expect(named.toSorted()).toEqual(Object.keys(tableKeys).sort())
})

/** Counts the rows of all tables. */
const contentOf = async ({ database: { db } }: Instance): Promise<unknown[]> => {
  const tables = Object.entries(tableKeys).flatMap(([table, key]) => (key === null ? [] : [table]))
  const counts = tables.map(
    (table) => sql`select ${sql.lit(table)} as name, count(*) as n from ${sql.table(table)}`,
  )
  const { rows } = await sql`${sql.join(counts, sql` union all `)} ${ALL_ACCOUNTS}`.execute(db)
  return rows
}

onPostgresOnly('an import', () => {
  let zip: Buffer
  beforeAll(async () => {
    const source = await startInstance()
    zip = await exportOf(source, (await register(source)).token)
    await source.close()
  })

  it.each([
    ['does not exist', (dataDir: string) => join(dataDir, 'not', 'there')],
    ['cannot be created', () => '/proc/factotum'],
  ])('succeeds if the data directory %s, and leaves no file behind', async (_, directoryIn) => {
    const place = await makeDataPlace('postgres', 'prepared')
    const directory = directoryIn(place.dataDir)
    const instance = await startInstance({ place, environment: { DATA_DIR: directory } })
    const { status } = await importInto(instance, (await register(instance)).token, zip)
    const left = [directory, tmpdir()].flatMap((path) =>
      existsSync(path) ? readdirSync(path).filter((name) => /^(factotum-)?importing-/.test(name)) : [],
    )
    await instance.close()
    await place.remove()
    expect([status, left]).toEqual([200, []])
  })
})
