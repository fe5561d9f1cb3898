import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { readCalendarText } from '../src/features/calendar/ical/objects.ts'
import { createPublishedFiles, type Known } from '../src/features/calendar/remote/sync/remote-files.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import type { Outbound } from '../src/platform/outbound/port.ts'
import { makeCalendar, newCalendarUser, withRadicale } from './support/calendar-servers.ts'
import { command } from './support/command-line.ts'
import { onOneDatabase } from './support/databases.ts'
import { type FileServer, startFileServer } from './support/file-server.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { PASSWORD, type Person, register, signIn } from './support/people.ts'
import { makeScratch } from './support/scratch.ts'

const { newPlace } = makeScratch()

const base = '/api/settings/calendar-accounts'
// No server listens at this address, and no DNS lookup is necessary.
const SERVER = 'http://127.0.0.1:9/dav/'
const elsewhere = { kind: 'caldav', url: SERVER, username: 'ana', password: 'correct horse' }

const event = (uid: string, title: string, more = '') =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260301T000000Z\r\nDTSTART:20260302T090000Z\r\nSUMMARY:${title}\r\n${more}END:VEVENT\r\n`
const calendarOf = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Holidays\r\n${events.join('')}END:VCALENDAR\r\n`

onOneDatabase('sqlite', 'calendar accounts', (engine) => {
  let instance: Instance
  let person: Person
  let files: FileServer
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { REGISTRATION: 'open' } })
    person = await register(instance)
    files = await startFileServer()
  })
  afterAll(async () => {
    await instance.close()
    await files.close()
  })

  const add = (body: Record<string, unknown> = {}, token = person.token) =>
    instance.post(base, { ...elsewhere, ...body }, { token })
  const subscribe = (body: Record<string, unknown> = {}) =>
    instance.post(base, { kind: 'ics', url: `${files.url}/holidays.ics`, ...body }, person)
  const change = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    instance.call('PATCH', `${base}/${id}`, { body, token: person.token, headers })
  const show = async (id: string) => (await instance.get(`${base}/${id}`, person)).body
  const remove = (id: string, query = '') =>
    instance.call('DELETE', `${base}/${id}${query}`, { token: person.token })

  it('are created, returned, listed, updated and deleted', async () => {
    const added = await add({ name: 'Family' })
    expect(added.status).toBe(201)
    expect(added.headers.get('location')).toBe(`${base}/${added.body.id}`)
    expect(added.body).toEqual({
      id: expect.any(String),
      kind: 'caldav',
      name: 'Family',
      url: SERVER,
      username: 'ana',
      enabled: true,
      signIn: 'password',
      mailAccountId: null,
      receivesNew: true,
      newEventsCalendarId: null,
      calendars: [],
      sync: {
        status: 'waiting',
        error: null,
        lastSyncAt: null,
        waiting: 0,
        held: 0,
        unreadable: 0,
        progress: { done: 0, total: 0 },
      },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const { id } = added.body
    const renamed = await change(id, { name: 'Home', enabled: false })
    expect([renamed.body.name, renamed.body.sync.status]).toEqual(['Home', 'off'])
    expect((await instance.post(`${base}/${id}/sync`, undefined, person)).status).toBe(409)
    const list = await instance.get(base, person)
    expect(list.body.calendarAccounts.map((account: { name: string }) => account.name)).toEqual(['Home'])
    const etag = renamed.headers.get('etag') ?? ''
    expect((await change(id, { name: 'x' }, { 'if-match': '"old"' })).status).toBe(412)
    const enabled = await change(id, { enabled: true }, { 'if-match': etag })
    expect([enabled.status, enabled.body.sync.status]).toEqual([200, 'waiting'])
    expect((await instance.post(`${base}/${id}/sync`, undefined, person)).body.id).toBe(id)
    expect((await remove(id)).status).toBe(204)
    expect((await instance.get(`${base}/${id}`, person)).status).toBe(404)
    const activity = await instance.get('/api/settings/security/activity', person)
    const actions = activity.body.activity.map(({ action }: { action: string }) => action)
    expect(actions.slice(0, 4)).toEqual([
      'calendar_account.removed',
      'calendar_account.changed',
      'calendar_account.changed',
      'calendar_account.added',
    ])
  })

  it('never reveal passwords, neither in the API nor in the database', async () => {
    const secret = 'a very secret password'
    const added = await add({ password: secret })
    const file = await subscribe({ username: 'ana', password: secret, enabled: false })
    const answers = [
      added,
      file,
      await instance.get(`${base}/${added.body.id}`, person),
      await change(added.body.id, { password: `${secret} new` }),
      await remove(added.body.id),
      await remove(file.body.id),
    ]
    const rows = await instance.database.db.selectFrom('calendar_accounts').selectAll().execute()
    const activity = await instance.database.db.selectFrom('activity').selectAll().execute()
    expect(JSON.stringify([answers.map(({ body }) => body), rows, activity])).not.toContain('a very secret')
  })

  describe('of published files', () => {
    const SECRET = 'private-t0ken'
    const path = `/ical/${SECRET}/basic.ics?key=${SECRET}`
    const test = (id: string) => instance.post(`${base}/${id}/test`, undefined, person)
    const fetched = async (id: string): Promise<string | undefined> => {
      files.answer = (_, asked) => {
        last = asked
        return { body: calendarOf() }
      }
      let last: string | undefined
      expect((await test(id)).body.ok).toBe(true)
      return last
    }
    const kept = async () => {
      const { db } = instance.database
      const tables = ['calendar_accounts', 'remote_calendars', 'calendar_sync', 'activity'] as const
      return JSON.stringify(
        await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())),
      )
    }

    it('encrypt the URL like a password, because it may suffice to read the calendar', async () => {
      const added = await subscribe({ url: `${files.url}${path}`, enabled: false })
      const { id } = added.body
      const shortened = `${files.url}/…`
      expect(added.body.url).toBe(shortened)
      expect((await show(id)).url).toBe(shortened)
      expect(await kept()).not.toContain(SECRET)
      // A client that sends the shortened URL back changes nothing. As a new URL it is rejected.
      expect((await change(id, { url: shortened, name: 'Team' })).body).toMatchObject({
        url: shortened,
        name: 'Team',
      })
      expect(await fetched(id)).toBe(path)
      expect((await subscribe({ url: shortened })).body.errors[0].path).toBe('url')
      // Adding and removing a login does not change the URL.
      await change(id, { username: 'ana', password: 'x' })
      expect(await fetched(id)).toBe(path)
      expect((await change(id, { url: `${files.url}/other.ics` })).body.errors[0].path).toBe('password')
      await change(id, { username: null })
      expect(await fetched(id)).toBe(path)
      await change(id, { url: `${files.url}/other.ics` })
      expect(await fetched(id)).toBe('/other.ics')
      await remove(id)
      expect(await kept()).not.toContain(SECRET)
    })
  })

  it('require the password again if the server or the user name changes', async () => {
    const { body: server } = await add()
    const { body: file } = await subscribe({ username: 'ana', password: 'x' })
    for (const { id } of [server, file])
      for (const input of [{ url: 'https://127.0.0.1:9/evil' }, { username: 'root' }]) {
        const refused = await change(id, input)
        expect([input, refused.status, refused.body.errors?.[0].path]).toEqual([input, 400, 'password'])
      }
    const moved = await change(server.id, { url: `${SERVER}two/`, password: 'new one' })
    expect([moved.status, moved.body.url]).toEqual([200, `${SERVER}two/`])
    expect((await change(server.id, { url: `${SERVER}two/#top`, username: 'ana' })).status).toBe(200)
    expect((await change(server.id, { username: null })).body.errors?.[0].path).toBe('username')
    const open = await change(file.id, { username: null, url: `${files.url}/open.ics` })
    expect([open.status, open.body.username]).toEqual([200, null])
    expect((await change(file.id, { password: 'x' })).body.errors?.[0].path).toBe('username')
    expect((await change(file.id, { username: 'ana' })).body.errors?.[0].path).toBe('password')
    expect((await change(file.id, { username: 'ana', password: 'x' })).body.username).toBe('ana')
    for (const { id } of [server, file]) await remove(id)
  })

  it('reject invalid input with an explanation', async () => {
    for (const [path, input] of [
      ['url', { url: 'not an address' }],
      ['url', { url: 'ftp://example.org/calendar.ics' }],
      ['url', { url: 'file:///etc/passwd' }],
      ['url', { url: 'https://ana:secret@example.org/' }],
      ['url', { url: 'https://' }],
      ['username', { username: undefined }],
      ['username', { username: 'a:b' }],
      ['password', { password: undefined }],
      ['password', { kind: 'ics', password: undefined }],
      ['username', { kind: 'ics', username: undefined }],
      ['receivesNew', { kind: 'ics', receivesNew: true }],
      ['kind', { kind: 'exchange' }],
      ['name', { name: 'a\nb' }],
      ['calendars', { calendars: [] }],
    ] as const)
      for (const where of path === 'receivesNew' ? [''] : ['', '/test']) {
        const refused = await instance.post(`${base}${where}`, { ...elsewhere, ...input }, person)
        const result = [refused.status, refused.body.errors?.[0].path]
        expect([input, where, ...result]).toEqual([input, where, 400, path])
      }
    const { body: file } = await subscribe()
    expect((await change(file.id, { receivesNew: true })).body.errors[0].path).toBe('receivesNew')
    expect((await remove(file.id, '?events=burn')).status).toBe(400)
    expect((await remove(file.id)).status).toBe(204)
  })

  it('treat webcal as https', async () => {
    for (const scheme of ['webcal', 'WEBCALS']) {
      const { body } = await subscribe({ url: `${scheme}://example.org/a.ics`, enabled: false })
      expect([body.url, body.name]).toEqual(['https://example.org/…', 'example.org'])
      await remove(body.id)
    }
  })

  it('send new events to one account: the first server, or the selected one', async () => {
    const { body: file } = await subscribe()
    const { body: first } = await add()
    const { body: second } = await add()
    const receivers = async () => {
      const { calendarAccounts } = (await instance.get(base, person)).body
      return calendarAccounts
        .filter(({ receivesNew }: { receivesNew: boolean }) => receivesNew)
        .map(({ id }: { id: string }) => id)
    }
    expect(await receivers()).toEqual([first.id])
    const before = (await instance.get(`${base}/${first.id}`, person)).headers.get('etag') ?? ''
    expect((await change(second.id, { receivesNew: true })).body.receivesNew).toBe(true)
    expect(await receivers()).toEqual([second.id])
    expect((await change(first.id, { name: 'x' }, { 'if-match': before })).status).toBe(412)
    const { body: third } = await add({ receivesNew: true })
    expect(await receivers()).toEqual([third.id])
    await change(third.id, { receivesNew: false })
    expect(await receivers()).toEqual([])
    const answers = await Promise.all(
      [first, second, third].map(({ id }) => change(id, { receivesNew: true })),
    )
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual(
      [],
    )
    expect(await receivers()).toHaveLength(1)
    for (const { id } of [file, first, second, third]) await remove(id)
  })

  it('belong to the user who added them, and require a session', async () => {
    const { body: account } = await add()
    const stranger = await register(instance)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/sync'],
      ['POST', '/test'],
    ] as const) {
      const answer = await instance.call(method, `${base}/${account.id}${path}`, { token: stranger.token })
      expect([method, path, answer.status]).toEqual([method, path, 404])
      expect((await instance.call(method, `${base}/${account.id}${path}`)).status).toBe(401)
    }
    expect((await instance.get(base, { token: stranger.token })).body.calendarAccounts).toEqual([])
    await remove(account.id)
  })

  const addCalendar = async (accountId: string, name: string) => {
    const row = { accountId, href: `${SERVER}${name}/`, name, colour: '#3366cc', writable: 1, followed: 1 }
    const { db } = instance.database
    const inserted = db.insertInto('remote_calendars').values({ ...row, syncToken: null })
    return (await inserted.returning('id').executeTakeFirstOrThrow()).id
  }

  it('sync only the followed calendars', async () => {
    const { body: account } = await add()
    const { body: other } = await add()
    const work = await addCalendar(account.id, 'Work')
    const home = await addCalendar(account.id, 'Home')
    const foreign = await addCalendar(other.id, 'Foreign')
    const etag = (await instance.get(`${base}/${account.id}`, person)).headers.get('etag') ?? ''
    const chosen = await change(account.id, { calendars: [{ id: work, followed: false }] })
    const properties = { color: '#3366cc', writable: true }
    expect(chosen.body.calendars).toEqual([
      { id: home, calendarId: null, name: 'Home', ...properties, followed: true },
      { id: work, calendarId: null, name: 'Work', ...properties, followed: false },
    ])
    const followed = await change(account.id, { calendars: [{ id: home, followed: true }] })
    const { calendars: all } = (await instance.get('/api/calendars', person)).body
    expect(all).toContainEqual(
      expect.objectContaining({ id: followed.body.calendars[0].calendarId, name: 'Home' }),
    )
    expect(chosen.headers.get('etag')).not.toBe(etag)
    for (const id of [foreign, 4711]) {
      const calendars = [
        { id: home, followed: false },
        { id, followed: false },
      ]
      const refused = await change(account.id, { calendars })
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'calendars.1.id'])
    }
    // A rejected request changes nothing.
    expect((await show(account.id)).calendars).toEqual(followed.body.calendars)
    for (const { id } of [account, other]) await remove(id)
  })

  it('delete local copies with the account, but keep events that exist nowhere else', async () => {
    const { db } = instance.database
    const imported = async (...uids: string[]) => {
      const body = calendarOf(...uids.map((uid) => event(uid, uid, 'RRULE:FREQ=DAILY;COUNT=3\r\n')))
      const headers = { 'content-type': 'text/calendar' }
      await instance.call('POST', '/api/calendar/import', { body, headers, token: person.token })
    }
    const place = (accountId: string, calendarId: number, uid: string) =>
      db
        .insertInto('event_placements')
        .values({
          accountId,
          calendarId,
          uid,
          href: `${SERVER}${uid}`,
          etag: '"1"',
          body: '',
        })
        .execute()
    const left = async () =>
      (
        await db
          .selectFrom('events')
          .select('uid')
          .where('uid', 'like', 'let-go-%')
          .orderBy('uid')
          .modifyEnd(ALL_ACCOUNTS)
          .execute()
      ).map(({ uid }) => uid)
    const [copy, waits, shared, own] = ['let-go-1', 'let-go-2', 'let-go-3', 'let-go-4']
    await imported(copy, waits, shared, own)
    const { body: other } = await add({ enabled: false })
    await place(other.id, await addCalendar(other.id, 'Other'), shared)
    const prepare = async () => {
      const { body: account } = await add({ enabled: false })
      const calendar = await addCalendar(account.id, 'Work')
      for (const uid of [copy, waits, shared]) await place(account.id, calendar, uid)
      const push = { accountId: account.id, uid: waits, changes: 1, notedAt: account.createdAt }
      await db
        .insertInto('event_pushes')
        .values({ ...push, attempts: 0, tryAt: null, error: null })
        .execute()
      expect((await show(account.id)).sync.waiting).toBe(1)
      return account.id
    }
    expect((await remove(await prepare(), '?events=keep')).status).toBe(204)
    expect(await left()).toEqual([copy, waits, shared, own])
    expect((await remove(await prepare())).status).toBe(204)
    expect(await left()).toEqual([waits, shared, own])
    const rest = ['calendar_sync', 'remote_calendars', 'event_placements', 'event_pushes'] as const
    for (const table of rest) {
      const rows = await db.selectFrom(table).select('accountId').distinct().execute()
      const expected = table === 'event_pushes' ? [] : [{ accountId: other.id }]
      expect([table, rows]).toEqual([table, expected])
    }
    await remove(other.id)
    expect(await left()).toEqual([waits, own])
  })

  it('with many events are removed in batches: hidden at once, and the same account can be added meanwhile', async () => {
    const place = await newPlace(engine)
    const many = Array.from({ length: 120 }, (_, n) => event(`many-${n}`, `Day ${n}`))
    files.answer = () => ({ headers: { etag: '"1"' }, body: calendarOf(...many) })
    const input = { kind: 'ics', url: `${files.url}/many.ics` }
    const countIn = async ({ database: { db } }: Instance, table: 'events' | 'event_placements') => {
      const { count } = await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .modifyEnd(ALL_ACCOUNTS)
        .executeTakeFirstOrThrow()
      return Number(count)
    }
    const before = await startInstance({ place })
    const owner = await register(before)
    const { body: account } = await before.post(base, input, owner)
    await before.app.jobs.start()
    await soon(async () => expect(await countIn(before, 'event_placements')).toBe(many.length))
    await before.close()

    // No background job has run yet.
    const after = await startInstance({ place })
    expect((await after.call('DELETE', `${base}/${account.id}`, owner)).status).toBe(204)
    expect(await countIn(after, 'events')).toBe(many.length - 50)
    expect((await after.get(base, owner)).body.calendarAccounts).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/sync'],
    ] as const)
      expect(
        (
          await after.call(method, `${base}/${account.id}${path}`, {
            ...owner,
            ...(method === 'PATCH' && { body: {} }),
          })
        ).status,
      ).toBe(404)
    const { body: again } = await after.post(base, input, owner)
    await after.app.jobs.start()
    await soon(async () => {
      const rows = await after.database.db.selectFrom('calendar_accounts').select('id').execute()
      expect(rows).toEqual([{ id: again.id }])
      expect(await countIn(after, 'event_placements')).toBe(many.length)
    })
    expect(await countIn(after, 'events')).toBe(many.length)
    await after.close()
  })

  it('are removed completely if the user is deleted during their removal', async () => {
    const member = await register(instance)
    const { body: account } = await add({ enabled: false }, member.token)
    const { body: kept } = await add({ enabled: false }, member.token)
    const { db } = instance.database
    const count = 120
    const uids = Array.from({ length: count }, (_, n) => `piece-${n}`)
    const body = calendarOf(...[...uids, 'kept-one'].map((uid) => event(uid, uid)))
    const headers = { 'content-type': 'text/calendar' }
    await instance.call('POST', '/api/calendar/import', { body, headers, token: member.token })
    const place = async (accountId: string, names: readonly string[]) => {
      const calendarId = await addCalendar(accountId, 'Work')
      const rows = names.map((uid) => ({ accountId, calendarId, uid, href: uid, etag: '"1"', body: '' }))
      await db.insertInto('event_placements').values(rows).execute()
    }
    await place(account.id, uids)
    await place(kept.id, ['kept-one'])
    const left = async (like: string) =>
      (
        await db
          .selectFrom('events')
          .select('uid')
          .where('uid', 'like', like)
          .modifyEnd(ALL_ACCOUNTS)
          .execute()
      ).length
    const path = `${base}/${account.id}`
    expect((await instance.call('DELETE', path, { token: member.token })).status).toBe(204)
    expect(await left('piece-%')).toBe(count - 50)
    const gone = await instance.call('DELETE', '/api/settings/account', {
      body: { password: PASSWORD },
      token: member.token,
    })
    expect(gone.status).toBe(204)
    expect([await left('piece-%'), await left('kept-one')]).toEqual([0, 0])
    const rows = await db.selectFrom('calendar_accounts').select('id').execute()
    expect(rows.filter(({ id }) => id === account.id || id === kept.id)).toEqual([])
  })

  it('are encrypted again when SECRET_KEY changes, and checked by doctor', async () => {
    const place = await newPlace(engine)
    const before = await startInstance({ place })
    const owner = await register(before)
    const login = { username: 'ana', password: 'pass:wörd' }
    const { body: account } = await before.post(base, { kind: 'ics', url: files.url, ...login }, owner)
    await before.database.db
      .updateTable('calendar_sync')
      .set({ status: 'failing', error: 'The connection to 127.0.0.1 was refused.' })
      .execute()
    await before.close()
    const SECRET_KEY = 'a new key that is long enough to be one'
    const environment = { SECRET_KEY, SECRET_KEY_PREVIOUS: place.environment.SECRET_KEY as string }
    const result = await command(['doctor'], { PORT: '0', ...place.environment, ...environment })
    expect(result.stdout).toMatch(/warn\s+secret\s+SECRET_KEY_PREVIOUS is still needed \(stored secrets: 1\)/)
    expect(result.stdout).toMatch(/warn\s+calendars\s+127.0.0.1: The connection to 127.0.0.1 was refused/)
    const after = await startInstance({ place, environment })
    await inTransaction(after.database.db, (tx) => after.app.features.calendarAccounts.reseal(tx))
    await after.close()
    const last = await startInstance({ place, environment: { SECRET_KEY } })
    const signedIn = await signIn(last, owner.email)
    files.answer = () => ({ body: calendarOf() })
    const tested = await last.post(`${base}/${account.id}/test`, undefined, signedIn)
    expect(tested.body.ok).toBe(true)
    const sent = `Basic ${Buffer.from('ana:pass:wörd').toString('base64')}`
    expect(files.asked.at(-1)?.authorization).toBe(sent)
    await last.close()
  })

  it('are listed in pages', async () => {
    const owner = await register(instance)
    for (let n = 0; n < 5; n++) await add({ name: `n${n}`, enabled: false }, owner.token)
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: { calendarAccounts: { name: string }[]; nextCursor: string | null } } =
        await instance.get(`${base}?limit=2${cursor && `&cursor=${cursor}`}`, { token: owner.token })
      names.push(...body.calendarAccounts.map(({ name }) => name))
      cursor = body.nextCursor
    }
    expect(names.toSorted()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
  })
})

describe('a test of a published calendar', () => {
  let instance: Instance
  let person: Person
  let files: FileServer
  let other: FileServer
  beforeAll(async () => {
    instance = await startInstance()
    person = await register(instance)
    files = await startFileServer()
    other = await startFileServer()
  })
  afterAll(async () => {
    await instance.close()
    await files.close()
    await other.close()
  })

  const attempt = async (input: Record<string, unknown> = {}, on = instance, token = person.token) => {
    const body = { kind: 'ics', url: `${files.url}/a.ics`, ...input }
    const answer = await on.post(`${base}/test`, body, { token })
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body
  }
  const holidays = [{ name: 'Holidays', color: null, writable: false }]

  it('finds the calendar, also if it is compressed or redirected on the same server', async () => {
    files.answer = (_, path) =>
      path === '/a.ics'
        ? { status: 301, headers: { location: '/b.ics' } }
        : { headers: { 'content-encoding': 'gzip' }, body: gzipSync(calendarOf(event('1', 'One'))) }
    expect(await attempt()).toEqual({ ok: true, failure: null, calendars: holidays })
    // A saved account is tested in the same way.
    const { body } = await instance.post(base, { kind: 'ics', url: `${files.url}/b.ics` }, person)
    const saved = await instance.post(`${base}/${body.id}/test`, undefined, person)
    expect(saved.body).toEqual({ ok: true, failure: null, calendars: holidays })
  })

  it('sends the password only to the server it was entered for', async () => {
    other.answer = () => ({ body: calendarOf() })
    files.answer = ({ authorization }) =>
      authorization === `Basic ${Buffer.from('ana:secret').toString('base64')}`
        ? { status: 302, headers: { location: `${other.url}/a.ics` } }
        : { status: 401, body: 'no' }
    const login = { username: 'ana', password: 'secret' }
    const elsewhere = await attempt(login)
    // The other server is on this machine, and the user did not enter its address.
    expect(elsewhere.failure.remedy).toContain('OUTBOUND_ALLOW')
    expect(other.asked).toEqual([])
    const refused = await attempt({ ...login, password: 'wrong' })
    expect([refused.failure.step, refused.failure.problem]).toEqual([
      'login',
      '127.0.0.1 rejected the user name or password.',
    ])
  })

  it.each([
    ['select', 'has no file at this address', { status: 404 }],
    ['select', 'has no file at this address', { status: 410 }],
    [
      'select',
      'is not a calendar',
      { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' },
    ],
    ['select', 'is not a calendar', {}],
    ['command', 'HTTP 503', { status: 503 }],
    ['command', 'HTTP 304', { status: 304 }],
    ['command', 'redirects more than', { status: 302, headers: { location: '/a.ics' } }],
    [
      'command',
      'sent more than',
      { body: gzipSync(Buffer.alloc(26 << 20)), headers: { 'content-encoding': 'gzip' } },
    ],
    ['command', 'could not be decompressed', { body: 'no', headers: { 'content-encoding': 'gzip' } }],
  ])('reports the failed step %s: %s', async (step, words, answer) => {
    files.answer = () => answer
    const { ok, failure, calendars } = await attempt()
    expect([ok, failure.step, failure.problem, calendars]).toEqual([
      false,
      step,
      expect.stringContaining(words),
      [],
    ])
    expect(failure.remedy.length).toBeGreaterThan(20)
  })

  it.each([
    ['dns', 'The host name nowhere.invalid does not exist', 'https://nowhere.invalid/a.ics'],
    ['connect', 'The connection to 127.0.0.1 was refused', 'http://127.0.0.1:9/a.ics'],
  ])('reports the failed step %s without a server: %s', async (step, words, url) => {
    const { failure } = await attempt({ url })
    expect([failure.step, failure.problem]).toEqual([step, expect.stringContaining(words)])
  })

  it('reports failures in the language of the account', async () => {
    const german = await register(instance, { locale: 'de-DE' })
    files.answer = () => ({ status: 503 })
    const { failure } = await attempt({}, instance, german.token)
    expect(failure).toMatchObject({
      problem: 'Die Anfrage an 127.0.0.1 ist fehlgeschlagen („HTTP 503“).',
      remedy: 'Versuche es später erneut. Wenn das Problem bleibt, frage deinen Anbieter.',
    })
  })

  it('accesses private addresses only if access is open or the operator allows it', async () => {
    files.answer = () => ({ body: calendarOf() })
    const guarded = await startInstance({ environment: { ACCESS: 'private' } })
    const { failure } = await attempt({}, guarded, (await register(guarded)).token)
    expect([failure.step, failure.remedy]).toEqual(['dns', expect.stringContaining('OUTBOUND_ALLOW')])
    await guarded.close()
    const environment = { ACCESS: 'private', OUTBOUND_ALLOW: '127.0.0.1' }
    const allowed = await startInstance({ environment })
    expect((await attempt({}, allowed, (await register(allowed)).token)).ok).toBe(true)
    await allowed.close()
  })
})

withRadicale('a test of an account at a CalDAV server', () => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance()
    person = await register(instance)
  })
  afterAll(() => instance.close())
  const attempt = async (input: object) =>
    (await instance.post(`${base}/test`, { kind: 'caldav', ...input }, person)).body

  it('lists the calendars, before and after the account is saved', async () => {
    const user = newCalendarUser()
    await makeCalendar(user, 'work', { name: 'Wörk', color: '#ff0000' })
    await makeCalendar(user, 'todo', { name: 'To do', components: ['VTODO'] })
    const found = {
      ok: true,
      failure: null,
      calendars: [{ name: 'Wörk', color: '#ff0000', writable: true }],
    }
    expect(await attempt(user)).toEqual(found)
    const { body } = await instance.post(base, { kind: 'caldav', ...user }, person)
    const saved = await instance.post(`${base}/${body.id}/test`, undefined, person)
    expect(saved.body).toEqual(found)
  })

  it('reports the cause and a remedy', async () => {
    const user = newCalendarUser()
    for (const [input, step, words] of [
      [{ password: 'wrong' }, 'login', '127.0.0.1 rejected the user name or password.'],
      [{ url: 'http://127.0.0.1:9/' }, 'connect', 'The connection to 127.0.0.1 was refused.'],
      [{ url: 'https://nowhere.invalid/' }, 'dns', 'The host name nowhere.invalid does not exist.'],
      [{ url: user.url.replace('http:', 'https:') }, 'tls', '127.0.0.1 does not use TLS on this port.'],
      [{ url: `${instance.url}/api/health` }, 'select', 'has no calendars at this address'],
    ] as const) {
      const { ok, failure } = await attempt({ ...user, ...input })
      expect([input, ok, failure.step, failure.problem]).toEqual([
        input,
        false,
        step,
        expect.stringContaining(words),
      ])
      expect(failure.remedy.length).toBeGreaterThan(20)
    }
  })
})

describe('a published calendar', () => {
  let files: FileServer
  let outbound: Outbound
  beforeAll(async () => {
    files = await startFileServer()
    outbound = createOutbound({ allow: [], typedMayBePrivate: true, userAgent: 'Factotum/test' })
  })
  afterAll(async () => {
    await outbound.close()
    await files.close()
  })
  const NOTHING = { etag: null, modified: null }
  const fetchFile = async (known: Known = NOTHING) => {
    const read = createPublishedFiles({
      outbound,
      readCalendar: (_userId, bytes) => readCalendarText(bytes, 'UTC'),
    })
    return read(1, { url: files.url, login: null }, known, AbortSignal.timeout(50_000))
  }
  const bodies = async () => {
    const file = await fetchFile()
    if (file.notModified) throw new Error('It was not sent.')
    return Object.fromEntries(file.objects.map(({ uid, body }) => [uid, body]))
  }

  it('is only transferred if it has changed', async () => {
    const [etag, modified] = ['W/"7"', 'Mon, 02 Mar 2026 09:00:00 GMT']
    files.answer = ({ 'if-none-match': match, 'if-modified-since': since }) =>
      match === etag || since === modified
        ? { status: 304 }
        : { body: calendarOf(), headers: { etag, 'last-modified': modified } }
    expect(await fetchFile()).toEqual({
      notModified: false,
      etag,
      modified,
      name: 'Holidays',
      objects: [],
      unreadable: [],
    })
    expect(await fetchFile({ etag, modified: null })).toEqual({ notModified: true })
    expect(await fetchFile({ etag: null, modified })).toEqual({ notModified: true })
    expect(await fetchFile({ etag: '"6"', modified: null })).toMatchObject({ notModified: false })
  })

  it('is parsed event by event: a series includes its changed occurrences, and a broken event affects no other', async () => {
    const moved = event('series', 'Moved', 'RECURRENCE-ID:20260303T090000Z\r\n')
    const series = event('series', 'Series', 'RRULE:FREQ=DAILY\r\n')
    const broken = 'BEGIN:VEVENT\r\nUID:broken\r\nDTSTART:soon\r\nDTEND:later\r\nEND:VEVENT\r\n'
    files.answer = () => ({ body: calendarOf(moved, event('single', 'Single'), broken, series) })
    const file = await fetchFile()
    if (file.notModified) throw new Error('It was not sent.')
    const found = file.objects.map(({ uid, events }) => [
      uid,
      events.map(({ entry }) => entry.title).toSorted(),
    ])
    expect(Object.fromEntries(found)).toMatchObject({ series: ['Moved', 'Series'], single: ['Single'] })
  })

  it('detects changes by the source of an event', async () => {
    files.answer = () => ({ body: calendarOf(event('a', 'One'), event('b', 'Two'), event('b', 'Three')) })
    const before = await bodies()
    // A new order, DTSTAMP or line folding is not a change.
    const text = calendarOf(event('b', 'Three'), event('a', 'One'), event('b', 'Two'))
    const anew = text
      .replaceAll('DTSTAMP:20260301', 'DTSTAMP:20260401')
      .replaceAll('SUMMARY:', 'SUMM\r\n ARY:')
    files.answer = () => ({ body: anew })
    expect(await bodies()).toEqual(before)
    files.answer = () => ({ body: text.replace('Three', 'Four') })
    const after = await bodies()
    expect([after.a === before.a, after.b === before.b]).toEqual([true, false])
  })
})
