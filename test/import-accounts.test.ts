import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IdCollector } from '../src/features/accounts/data/imported-ids.ts'
import { fileOf } from '../src/features/accounts/data/parts.ts'
import type { Ids } from '../src/platform/portable/references.ts'
import { onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { entriesOf, exportOf, importInto, type Line, linesOf, sealed, zipOf } from './support/exports.ts'
import { fillInstance } from './support/full-instance.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'
import type { Entries } from './support/zips.ts'

/** Rows of the instance, of sign-ins, or with ids that no other row refers to. */
const INCOMPARABLE = [
  'account/profile.jsonl',
  'account/activity.jsonl',
  'account/sessions.jsonl',
  'account/invitations.jsonl',
  'notifications/notifications.jsonl',
  'notifications/deliveries.jsonl',
]

/** Columns that are named like references and are none. */
const NO_REFERENCES = [
  'bookings.bookingId',
  'captions.cueId',
  'attachments.contentId',
  'emails.messageId',
  'emails.listId',
  'mail_placements.objectId',
  'unsubscriptions.listId',
  'outbox.messageId',
  'events.recurrenceId',
  'events.bookingId',
  'billing_accounts.customerId',
  'billing_accounts.checkoutId',
  // People have no meaning in another instance.
  'tasks.assigneeId',
  'task_comments.authorId',
  'time_entries.personId',
  // The importing account itself.
  'users.id',
  // Assigned by the import.
  'activity.id',
  'notifications.id',
  'notifications.actionId',
  'tallies.id',
  // Not exported.
  'calendar_accounts.mailAccountId',
]

const isIdName = (name: string): boolean => /^ids?$|Ids?$/.test(name)

/** Yields all whole numbers in fields that are named like ids, with their paths. */
function* numbersIn(value: unknown, path = '', isId = false): Generator<[path: string, id: number]> {
  if (typeof value === 'number' && isId) yield [path, value]
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* numbersIn(inner, `${path}/${name}`, Array.isArray(value) ? isId : isIdName(name))
}

/** A number with its path, without the indexes of lists. */
const toPlace = ([path, id]: [path: string, id: number]): string => `${path.replaceAll(/\/\d+/g, '')} ${id}`

/** Leaves out ids, which differ between accounts, and versions that depend on them. */
const withoutIds = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.replaceAll(/\/api\/emails\/\d+\/attachments\/[\w-]+/g, '/api/emails/*/attachments/*')
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      isIdName(name) || name === 'nextCursor' ? [] : [[name, withoutIds(inner)]],
    ),
  )
}

const READ = [
  '/api/emails?limit=200',
  '/api/emails?q=report',
  '/api/emails?tag=work',
  '/api/tasks?limit=200',
  '/api/tasks?q=zoe',
  '/api/tags',
  '/api/actions',
  '/api/calendar/events?start=2026-03-01&end=2026-06-01&limit=200',
  '/api/calendar/export.ics',
  '/api/stream/state',
  '/api/stream/streams',
  '/api/stream/captions?limit=200',
  '/api/stream/milestones',
  '/api/stream/overlay',
  '/api/ai/conversations',
  '/api/settings/tokens',
  '/api/settings/mail-accounts',
  '/api/settings/preferences',
  '/api/stats',
]

onOneDatabase('postgres', 'an export imported into several accounts', (engine) => {
  // A fixed clock, so that both accounts return the same responses.
  const clock = { now: () => new Date('2026-03-03T12:00:00.000Z'), advance: () => {} }
  let entries: Entries
  let zip: Buffer
  let instance: Instance
  let ana: Person
  let ben: Person
  let anaBefore: Record<string, Line[]>

  const exported = async ({ token }: Person) => linesOf(await entriesOf(await exportOf(instance, token)))
  const get = async ({ token }: Person, path: string) => (await instance.get(path, { token })).body
  const comparable = (lines: Record<string, Line[]>) =>
    Object.fromEntries(Object.entries(lines).filter(([name]) => !INCOMPARABLE.includes(name)))

  beforeAll(async () => {
    // import.test.ts exports from both databases.
    const source = await startInstance({ clock })
    const { token } = await fillInstance(source)
    await eventually(async () => (await source.get('/api/ai/usage')).body.totals?.requests !== 0)
    zip = await exportOf(source, token)
    entries = await entriesOf(zip)
    await source.close()
    instance = await startInstance({ engine, clock })
    ana = await register(instance)
    ben = await register(instance)
    expect((await importInto(instance, ana.token, zip)).status).toBe(200)
    anaBefore = await exported(ana)
    const second = await importInto(instance, ben.token, zip)
    expect([second.status, second.body.detail]).toEqual([200, undefined])
  })
  afterAll(() => instance.close())

  it('keeps the ids of the first account, and changes nothing of it by the second import', async () => {
    const ids = (lines: Record<string, Line[]>) => lines['mail/emails.jsonl']?.map(({ id }) => id)
    expect(ids(anaBefore)).toEqual(ids(linesOf(entries)))
    expect(comparable(await exported(ana))).toEqual(comparable(anaBefore))
  })

  it('gives the second account the same rows with other ids', async () => {
    const parts = instance.app.features.dataParts
    const [ofAna, ofBen] = [anaBefore, await exported(ben)]
    /** Replaces each id by its rank among the ids of its table. */
    const ranked = (lines: Record<string, Line[]>): Record<string, unknown[]> => {
      const collected = new IdCollector()
      const tables = parts.flatMap((part) =>
        part.tables.map((table) => ({ name: fileOf(part, table), table })),
      )
      for (const { name, table } of tables)
        for (const line of lines[name] ?? []) expect(table.faultOf(line, collected)).toBeUndefined()
      const sorted = new Map([...collected.numbers].map(([table, list]) => [table, [...list.toSorted()]]))
      const ids: Ids = {
        number: (table, id) => (sorted.get(table) as number[]).indexOf(id) + 1,
        text: () => 'text',
      }
      return Object.fromEntries(
        tables.flatMap(({ name, table }) => {
          if (INCOMPARABLE.includes(name) || !table.isRestored) return []
          const rows = (lines[name] ?? []).map((line) => {
            const row = table.read(line, { userId: 1, ids }) as Line
            const names = Object.keys(line).filter((column) => column !== 'position')
            return JSON.stringify(names.map((column) => [column, row[column]]))
          })
          return [[name, rows.sort()]]
        }),
      )
    }
    expect(ranked(ofBen)).toEqual(ranked(ofAna))
    for (const [name, lines] of Object.entries(ofAna)) {
      if (INCOMPARABLE.includes(name)) continue
      const taken = new Set(numbersIn(lines).map(toPlace))
      for (const number of numbersIn(ofBen[name]))
        expect([name, ...number, taken.has(toPlace(number))]).toEqual([name, ...number, false])
    }
  })

  it('answers both accounts the same, and references lead to rows of the same account', async () => {
    for (const path of READ)
      expect([path, withoutIds(await get(ben, path))]).toEqual([path, withoutIds(await get(ana, path))])
    const { emails } = await get(ben, '/api/emails?limit=200')
    const { emails: ofAna } = await get(ana, '/api/emails?limit=200')
    for (const [index, email] of emails.entries()) {
      const path = `/api/emails/${email.id}`
      const whole = await get(ben, path)
      expect(withoutIds(whole)).toEqual(withoutIds(await get(ana, `/api/emails/${ofAna[index].id}`)))
      const thread = await get(ben, `${path}/thread`)
      expect(withoutIds(thread)).toEqual(withoutIds(await get(ana, `/api/emails/${ofAna[index].id}/thread`)))
      for (const { id } of email.attachments)
        expect((await instance.get(`${path}/attachments/${id}`, { token: ben.token })).status).toBe(200)
      for (const [link] of String(whole.html).matchAll(/\/api\/emails\/\d+\/attachments\/[\w-]+/g))
        expect((await instance.get(link, { token: ben.token })).status).toBe(200)
      expect((await instance.get(path, { token: ana.token })).status).toBe(404)
    }
    const { tasks } = await get(ben, '/api/tasks?limit=200')
    const linked = tasks.filter(({ emailId }: { emailId: number | null }) => emailId !== null)
    expect(linked.length).toBeGreaterThan(0)
    for (const { emailId } of linked)
      expect((await get(ben, `/api/emails/${emailId}`)).subject).toBe('Café ☕ on Friday?')
    const eventIds = tasks.flatMap(({ eventId }: { eventId: number | null }) => eventId ?? [])
    expect(eventIds.length).toBeGreaterThan(0)
    for (const eventId of eventIds)
      expect((await get(ben, `/api/calendar/events/${eventId}`)).title).toBe('Stand-up')
  })

  it('undoes an imported action in its account only', async () => {
    const planned = async (person: Person): Promise<{ id: number }> => {
      const { actions } = await get(person, '/api/actions')
      return actions.find(({ kind }: { kind: string }) => kind === 'tasks.planned')
    }
    const countEvents = async (person: Person): Promise<number> =>
      (await get(person, '/api/calendar/events?limit=200')).events.length
    const [before, beforeAna] = [await countEvents(ben), await countEvents(ana)]
    const path = `/api/actions/${(await planned(ben)).id}/undo`
    expect((await instance.post(path, undefined, { token: ana.token })).status).toBe(404)
    const undone = await instance.post(path, undefined, { token: ben.token })
    expect([undone.status, undone.body.detail]).toEqual([200, undefined])
    expect(await countEvents(ben)).toBeLessThan(before)
    expect(await countEvents(ana)).toBe(beforeAna)
  })

  it('continues with new rows and conversations, and removes the imported sample of the account', async () => {
    const made = await instance.post('/api/tasks', { title: 'New' }, { token: ben.token })
    expect(made.status).toBe(201)
    const { conversations } = await get(ben, '/api/ai/conversations')
    const chat = { message: 'What is on my calendar tomorrow?', conversationId: conversations[0].id }
    expect((await instance.post('/api/ai/chat', chat, { token: ben.token })).status).toBe(200)
    const sampleOf = async (person: Person): Promise<number> =>
      (await get(person, '/api/tasks?q=landlord&limit=200')).tasks.length +
      (await get(person, '/api/emails?q=staircase')).emails.length
    const calendarsOf = async (person: Person): Promise<string[]> =>
      (await get(person, '/api/calendars')).calendars.map(({ name }: { name: string }) => name)
    expect(await sampleOf(ben)).toBeGreaterThan(0)
    expect(await calendarsOf(ben)).toContain('Choir')
    const removed = await instance.call('DELETE', '/api/settings/sample-data', { token: ben.token })
    expect([removed.status, await sampleOf(ben), (await sampleOf(ana)) > 0]).toEqual([204, 0, true])
    expect(await calendarsOf(ben)).not.toContain('Choir')
    expect(await calendarsOf(ana)).toContain('Choir')
    expect((await get(ben, '/api/tasks?q=new')).tasks).toHaveLength(1)
  })

  it('is imported by several accounts at the same time, each with its own ids', async () => {
    const people = [await register(instance), await register(instance)]
    const answers = await Promise.all(people.map(({ token }) => importInto(instance, token, zip)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    for (const person of people)
      expect((await exported(person))['mail/emails.jsonl']?.length).toBe(
        linesOf(entries)['mail/emails.jsonl']?.length,
      )
    const again = await importInto(instance, people[0]?.token as string, zip)
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect(again.body.detail).toContain('account without data')
  })

  describe('with references to rows of another account', () => {
    let eve: Person
    let task: { id: number; version: number }
    let emailId: number
    let event: { id: number }
    let accountId: string
    let calendarAccountId: string
    let conversationId: string
    let placementId: number
    let before: Record<string, Line[]>
    beforeAll(async () => {
      eve = await register(instance)
      const token = ana.token
      task = (await instance.post('/api/tasks', { title: 'Secret of Ana' }, { token })).body
      emailId = (await instance.post('/api/emails', { from: 'x@example.org', subject: 'Secret' }, { token }))
        .body.id
      const times = { start: '2026-03-05T09:00:00Z', end: '2026-03-05T10:00:00Z' }
      event = (await instance.post('/api/calendar/events', { title: 'Secret', ...times }, { token })).body
      const server = { host: '127.0.0.1', port: 9, tls: 'none' }
      const account = { address: 'ana@example.org', password: 'x', imap: server, smtp: server }
      accountId = (await instance.post('/api/settings/mail-accounts', account, { token })).body.id
      const remote = { kind: 'caldav', url: 'http://127.0.0.1:9/dav/', username: 'ana', password: 'x' }
      calendarAccountId = (await instance.post('/api/settings/calendar-accounts', remote, { token })).body.id
      conversationId = (await instance.post('/api/ai/chat', { message: 'Hello' }, { token })).body
        .conversationId
      placementId = Number(anaBefore['mail/placements.jsonl']?.[0]?.id)
      // The usage of a chat is stored after its answer.
      const requests = anaBefore['ai/requests.jsonl']?.length ?? 0
      await eventually(async () => {
        before = await exported(ana)
        return before['ai/requests.jsonl']?.length === requests + 1
      })
    })

    const crafted = (name: string, change: (first: Line) => Line): Promise<Buffer> => {
      const [first = '', ...rest] = String(entries.get(name)).split('\n')
      const line = first === '' ? {} : (JSON.parse(first) as Line)
      const lines = [JSON.stringify(change(line)), ...(first === '' ? [''] : rest)]
      return zipOf(sealed(new Map([...entries, [name, Buffer.from(lines.join('\n'))]])))
    }
    const push = (placementIds: unknown): Line => ({
      id: 1,
      accountId: linesOf(entries)['mail/accounts.jsonl']?.[0]?.id,
      kind: 'delete',
      emailId,
      payload: { placementIds },
      attempts: 0,
      createdAt: '2026-03-02T08:00:00.000Z',
    })

    const REJECTED: [string, string, (first: Line) => Line, RegExp][] = [
      ['a planned task', 'tasks/planned.jsonl', (line) => ({ ...line, taskId: task.id }), /missing row/],
      ['a body', 'mail/bodies.jsonl', (line) => ({ ...line, emailId }), /missing row/],
      ['an unsubscription', 'mail/unsubscriptions.jsonl', (line) => ({ ...line, emailId }), /missing row/],
      ['an attachment', 'mail/attachments.jsonl', (line) => ({ ...line, emailId }), /missing row/],
      ['a folder', 'mail/folders.jsonl', (line) => ({ ...line, accountId }), /missing row/],
      ['a series', 'calendar/events.jsonl', (line) => ({ ...line, seriesId: event.id }), /missing row/],
      ['a booking', 'bookings/bookings.jsonl', (line) => ({ ...line, eventId: event.id }), /missing row/],
      [
        'a remote calendar',
        'calendar-accounts/calendars.jsonl',
        (line) => ({ ...line, accountId: calendarAccountId }),
        /missing row/,
      ],
      ['a message', 'ai/messages.jsonl', (line) => ({ ...line, conversationId }), /missing row/],
      ['a list of ids as text', 'mail/pushes.jsonl', () => push([String(placementId)]), /whole number/],
      ['an id as text', 'mail/pushes.jsonl', () => push(String(placementId)), /must be a list/],
      ['a nested list of ids', 'mail/pushes.jsonl', () => push([[placementId]]), /whole number/],
    ]
    it.each(REJECTED)('is rejected if it has such a reference in %s', async (_what, name, change, reason) => {
      const { status, body } = await importInto(instance, eve.token, await crafted(name, change))
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.detail).toMatch(reason)
      expect((await get(eve, '/api/emails')).emails).toEqual([])
    })

    it('loses such references where a missing row is allowed', async () => {
      const mallory = await register(instance)
      const changed: [string, (first: Line) => Line][] = [
        ['tasks/tasks.jsonl', (line) => ({ ...line, emailId, eventId: event.id, successorId: task.id })],
        ['calendar/events.jsonl', (line) => ({ ...line, emailId })],
        ['mail/emails.jsonl', (line) => ({ ...line, accountId, threadId: emailId })],
        ['mail/pushes.jsonl', () => push([placementId])],
        ['account/sample.jsonl', () => ({ kind: 'task', reference: String(task.id) })],
        [
          'actions/actions.jsonl',
          (line) => ({
            ...line,
            kind: 'tasks.from_email',
            payload: { tasks: [{ id: task.id, version: task.version }] },
          }),
        ],
      ]
      const all = new Map(entries)
      for (const [name, change] of changed) {
        const [first = '', ...rest] = String(entries.get(name)).split('\n')
        const line = first === '' ? {} : (JSON.parse(first) as Line)
        const lines = [JSON.stringify(change(line)), ...(first === '' ? [''] : rest)]
        all.set(name, Buffer.from(lines.join('\n')))
      }
      const imported = await importInto(instance, mallory.token, await zipOf(sealed(all)))
      expect([imported.status, imported.body.detail]).toEqual([200, undefined])
      const lines = await exported(mallory)
      const taskOf = lines['tasks/tasks.jsonl']?.[0]
      expect([taskOf?.emailId, taskOf?.eventId]).toEqual([null, null])
      expect(taskOf?.successorId).not.toBe(task.id)
      expect(lines['calendar/events.jsonl']?.[0]?.emailId).toBeNull()
      expect(lines['mail/emails.jsonl']?.[0]?.threadId).not.toBe(emailId)
      expect(lines['mail/pushes.jsonl']?.[0]?.emailId).not.toBe(emailId)
      expect(lines['mail/pushes.jsonl']?.[0]?.payload).not.toEqual({ placementIds: [placementId] })
      expect(lines['account/sample.jsonl']?.[0]?.reference).not.toBe(String(task.id))
      expect(JSON.stringify(lines['mail/emails.jsonl'])).not.toContain(accountId)
      const [first] = (await get(mallory, '/api/actions?limit=200')).actions.toReversed()
      expect(first.kind).toBe('tasks.from_email')
      const undone = await instance.post(`/api/actions/${first.id}/undo`, undefined, { token: mallory.token })
      expect(undone.status).toBe(409)
      const removed = await instance.call('DELETE', '/api/settings/sample-data', { token: mallory.token })
      expect(removed.status).toBe(204)
      expect((await get(ana, `/api/tasks/${task.id}`)).title).toBe('Secret of Ana')
      expect(comparable(await exported(ana))).toEqual(comparable(before))
    })
  })

  it('marks shared placements of an older version for the next sync, which compares their contents', async () => {
    const [placement = {}] = linesOf(entries)['mail/placements.jsonl'] ?? []
    const { unchecked: _, receivedAt: __, objectId: ___, ...older } = placement
    const [id, uid] = [Number(older.id), Number(older.uid)]
    const placements = [
      older,
      { ...older, id: id + 1, uid: uid + 1 },
      { ...older, id: id + 2, uid: uid + 2, emailId: null },
    ]
    const file = sealed(
      new Map([
        ...entries,
        [
          'mail/placements.jsonl',
          Buffer.from(placements.map((line) => `${JSON.stringify(line)}\n`).join('')),
        ],
      ]),
    )
    const heir = await register(instance)
    const answer = await importInto(instance, heir.token, await zipOf(file))
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    const imported = (await exported(heir))['mail/placements.jsonl'] ?? []
    expect(imported.map(({ unchecked }) => unchecked)).toEqual([1, 1, 0])
  })

  it('gives a member of an empty instance new ids, so that a file cannot choose the next ids', async () => {
    const empty = await startInstance({ engine, clock })
    const owner = await register(empty)
    const member = await register(empty)
    const ids = sealed(
      new Map([
        ...entries,
        [
          'mail/rules.jsonl',
          Buffer.from(String(entries.get('mail/rules.jsonl')).replace(/"id":\d+/, `"id":${2 ** 48}`)),
        ],
      ]),
    )
    expect((await importInto(empty, member.token, await zipOf(ids))).status).toBe(200)
    const rule = { name: 'Next', q: 'from:a', does: { starred: true } }
    const made = await empty.post('/api/mail-rules', rule, { token: owner.token })
    expect([made.status, made.body.id]).toEqual([201, 2])
    await empty.close()
  })
})

it('every column with the id of a row is translated by an import', async () => {
  const instance = await startInstance()
  const columns = instance.app.features.dataParts.flatMap(({ tables }) =>
    tables.flatMap(({ table, columns: names, references, isRestored }) =>
      isRestored
        ? names.flatMap((name) =>
            isIdName(name) && name !== 'userId' && !references[name] ? [`${table}.${name}`] : [],
          )
        : [],
    ),
  )
  await instance.close()
  expect(columns.filter((name) => !NO_REFERENCES.includes(name))).toEqual([])
})
