import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { entriesOf, exportOf, importInto, sealed, zipOf } from './support/exports.ts'
import { calendarWith } from './support/icalendar.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const CALENDARS = '/api/calendars'
const EVENTS = '/api/calendar/events'
const MARCH = 'start=2040-03-01T00:00:00Z&end=2040-04-01T00:00:00Z'
const LUNCH = { title: 'Lunch', start: '2040-03-05T12:00:00Z', end: '2040-03-05T13:00:00Z' }

const titlesIn = ({ body }: Answer): string[] => body.events.map(({ title }: { title: string }) => title)

const calendarFile = (uid: string, title: string): string =>
  calendarWith(
    `UID:${uid}`,
    'DTSTAMP:20400301T000000Z',
    'DTSTART:20400306T090000Z',
    'DTEND:20400306T100000Z',
    `SUMMARY:${title}`,
  )

onOneDatabase('postgres', 'calendars', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { REGISTRATION: 'open', TZ_DEFAULT: 'UTC', ACCESS: 'open' },
    })
  })
  afterAll(() => instance.close())

  const list = async (person: Person) => (await instance.get(CALENDARS, person)).body.calendars
  const create = async (person: Person, body: object = { name: 'Family' }) => {
    const made = await instance.post(CALENDARS, body, person)
    expect(made.status).toBe(201)
    return made.body
  }
  const change = (person: Person, id: number, body: object, headers: Record<string, string> = {}) =>
    instance.call('PATCH', `${CALENDARS}/${id}`, { token: person.token, body, headers })
  const remove = (person: Person, id: number, query = '', headers: Record<string, string> = {}) =>
    instance.call('DELETE', `${CALENDARS}/${id}${query}`, { token: person.token, headers })
  const addEvent = async (person: Person, body: object = {}) => {
    const made = await instance.post(EVENTS, { ...LUNCH, ...body }, person)
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body
  }
  const defaultOf = async (person: Person) =>
    (await list(person)).find(({ isDefault }: { isDefault: boolean }) => isDefault).id as number

  it('start with one default calendar, even if two first requests come at once', async () => {
    const person = await register(instance)
    const answers = await Promise.all([
      instance.get(CALENDARS, person),
      instance.post(EVENTS, LUNCH, person),
      instance.get(CALENDARS, person),
      instance.post(EVENTS, LUNCH, person),
      instance.post(CALENDARS, { name: 'Family' }, person),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 201, 201])
    const calendars = await list(person)
    expect(calendars).toHaveLength(2)
    expect(calendars.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([
      {
        id: expect.any(Number),
        name: 'Calendar',
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
        isDefault: true,
        visible: true,
        notifications: 'all',
        readOnly: false,
        role: 'owner',
        owner: null,
        shareId: null,
        shared: false,
        account: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    const id = await defaultOf(person)
    expect([answers[1]?.body.calendarId, answers[3]?.body.calendarId]).toEqual([id, id])
  })

  it('are created, read, changed and deleted', async () => {
    const person = await register(instance)
    const made = await instance.post(
      CALENDARS,
      { name: ' Family ', color: '#AABBCC', visible: false },
      person,
    )
    expect([made.status, made.headers.get('location')]).toEqual([201, `${CALENDARS}/${made.body.id}`])
    expect(made.body).toMatchObject({ name: 'Family', color: '#aabbcc', visible: false, isDefault: false })
    const { id } = made.body
    const read = await instance.get(`${CALENDARS}/${id}`, person)
    expect(read.body).toEqual(made.body)
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'))
    const changed = await change(person, id, { name: 'Home', visible: true })
    expect(changed.body).toMatchObject({ id, name: 'Home', color: '#aabbcc', visible: true })
    expect((await remove(person, id)).status).toBe(204)
    expect((await instance.get(`${CALENDARS}/${id}`, person)).status).toBe(404)
    expect((await change(person, id, { name: 'x' })).status).toBe(404)
    expect((await remove(person, id)).status).toBe(404)
  })

  it('reject invalid names, colors and fields', async () => {
    const person = await register(instance)
    for (const [path, body] of [
      ['name', {}],
      ['name', { name: ' ' }],
      ['name', { name: 'x'.repeat(101) }],
      ['color', { name: 'x', color: 'red' }],
    ] as const) {
      const answer = await instance.post(CALENDARS, body, person)
      expect([answer.status, answer.body.errors[0].path]).toEqual([400, path])
    }
    const id = await defaultOf(person)
    expect((await change(person, id, {})).status).toBe(400)
    expect((await change(person, id, { isDefault: false })).status).toBe(400)
  })

  it('reject a change of another version', async () => {
    const person = await register(instance)
    const { id } = await create(person)
    const etag = (await instance.get(`${CALENDARS}/${id}`, person)).headers.get('etag') as string
    expect((await change(person, id, { name: 'One' }, { 'if-match': etag })).status).toBe(200)
    expect((await change(person, id, { name: 'Two' }, { 'if-match': etag })).status).toBe(412)
    expect((await remove(person, id, '', { 'if-match': etag })).status).toBe(412)
    const answer = await instance.get(`${CALENDARS}/${id}`, person)
    expect(answer.body.name).toBe('One')
    expect((await remove(person, id, '', { 'if-match': answer.headers.get('etag') as string })).status).toBe(
      204,
    )
  })

  it('are listed in pages', async () => {
    const person = await register(instance)
    for (const name of ['A', 'B', 'C']) await create(person, { name })
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await instance.get(
        `${CALENDARS}?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
        person,
      )
      names.push(...body.calendars.map(({ name }: { name: string }) => name))
      cursor = body.nextCursor
    }
    expect(names).toEqual(['Calendar', 'A', 'B', 'C'])
    expect((await instance.get(`${CALENDARS}?cursor=x`, person)).status).toBe(400)
  })

  it('have a limit per account', async () => {
    const person = await register(instance)
    await list(person)
    const now = instance.clock.now().toISOString()
    const row = { color: '#000000', isDefault: 0, visible: 1, remoteCalendarId: null, version: 1 }
    await instance.database.db
      .insertInto('calendars')
      .values(
        Array.from({ length: 98 }, (_, n) => ({
          ...row,
          userId: person.id,
          name: `c${n}`,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .execute()
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => instance.post(CALENDARS, { name }, person)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })

  it('move the default flag, and new events follow it', async () => {
    const person = await register(instance)
    const before = await defaultOf(person)
    const { id } = await create(person)
    expect((await addEvent(person)).calendarId).toBe(before)
    const changed = await change(person, id, { isDefault: true })
    expect(changed.body.isDefault).toBe(true)
    expect((await addEvent(person)).calendarId).toBe(id)
    const defaults = (await list(person)).filter(({ isDefault }: { isDefault: boolean }) => isDefault)
    expect(defaults.map((calendar: { id: number }) => calendar.id)).toEqual([id])
    const both = await Promise.all([
      change(person, before, { isDefault: true }),
      change(person, id, { isDefault: true }),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await list(person)).filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1)
  })

  it('receive plans, detected meetings and bookings in the default calendar', async () => {
    const person = await register(instance)
    const { id } = await create(person)
    await change(person, id, { isDefault: true })
    const text = { text: 'Let us meet on 7 March 2040 at 10:00 for lunch.' }
    const mailed = await instance.post(`${EVENTS}/from-email`, text, person)
    expect([mailed.status, mailed.body.calendarId]).toEqual([201, id])
    expect((await addEvent(person, { bookingId: 'b-1' })).calendarId).toBe(id)
  })

  it('hold events, and events move between them with their changed occurrences', async () => {
    const person = await register(instance)
    const home = await create(person)
    const series = await addEvent(person, { recurrence: 'FREQ=DAILY;COUNT=5' })
    const path = `${EVENTS}/${series.id}`
    const occurrence = 'occurrence=2040-03-06T12:00:00.000Z'
    const patch = (query: string, body: object) =>
      instance.call('PATCH', `${path}${query}`, { token: person.token, body })
    expect((await patch(`?${occurrence}`, { title: 'Late lunch' })).status).toBe(200)
    const one = await patch(`?${occurrence}`, { calendarId: home.id })
    expect([one.status, one.body.errors[0].path]).toEqual([400, 'calendarId'])
    // The calendar that the event already has is no change.
    expect((await patch(`?${occurrence}`, { calendarId: series.calendarId, notes: 'n' })).status).toBe(200)
    const moved = await patch('', { calendarId: home.id })
    expect([moved.status, moved.body.calendarId, moved.body.title]).toEqual([200, home.id, 'Lunch'])
    const changed = await instance.get(`${path}?${occurrence}`, person)
    expect([changed.body.title, changed.body.calendarId]).toEqual(['Late lunch', home.id])
    const inHome = await instance.get(`${EVENTS}?${MARCH}&calendarId=${home.id}`, person)
    expect(inHome.body.events).toHaveLength(5)
    const left = await instance.get(`${EVENTS}?${MARCH}&calendarId=${series.calendarId}`, person)
    expect(left.body.events).toEqual([])
    const split = await patch(`?occurrence=2040-03-07T12:00:00.000Z&scope=following`, {
      calendarId: series.calendarId,
      title: 'Brunch',
    })
    expect([split.status, split.body.calendarId]).toEqual([200, series.calendarId])
    expect(titlesIn(await instance.get(`${EVENTS}?${MARCH}&calendarId=${home.id}`, person))).toEqual([
      'Lunch',
      'Late lunch',
    ])
    const all = await patch(`?${occurrence}&scope=all`, { calendarId: series.calendarId })
    expect([all.status, all.body.calendarId]).toEqual([200, series.calendarId])
    expect((await instance.get(`${EVENTS}?calendarId=${home.id}`, person)).body.events).toEqual([])
  })

  it('reject calendars that do not exist, or belong to another account', async () => {
    const [person, other] = [await register(instance), await register(instance)]
    const foreign = await create(other)
    const event = await addEvent(person)
    for (const calendarId of [foreign.id, 999_999_999]) {
      const made = await instance.post(EVENTS, { ...LUNCH, calendarId }, person)
      const moved = await instance.call('PATCH', `${EVENTS}/${event.id}`, {
        token: person.token,
        body: { calendarId },
      })
      for (const { status, body } of [made, moved])
        expect([status, body.errors]).toEqual([
          400,
          [{ path: 'calendarId', message: 'names a calendar that does not exist' }],
        ])
    }
    expect((await instance.get(`${CALENDARS}/${foreign.id}`, person)).status).toBe(404)
    expect((await change(person, foreign.id, { name: 'x' })).status).toBe(404)
    expect((await remove(person, foreign.id)).status).toBe(404)
    expect((await instance.get(`${EVENTS}?${MARCH}&calendarId=${foreign.id}`, person)).body.events).toEqual(
      [],
    )
    expect((await instance.get(`/api/calendar/export.ics?calendarId=${foreign.id}`, person)).status).toBe(404)
  })

  it('filter windows, lists, upcoming events and exports, page by page', async () => {
    const person = await register(instance)
    const home = await create(person)
    const soon = new Date(instance.clock.now().getTime() + 3_600_000).toISOString()
    for (const [index, calendarId] of [undefined, home.id, undefined, home.id].entries()) {
      await addEvent(person, { title: `e${index}`, ...(calendarId && { calendarId }) })
      await addEvent(person, {
        title: `s${index}`,
        start: soon,
        end: new Date(Date.parse(soon) + 3_600_000).toISOString(),
        recurrence: 'FREQ=WEEKLY;COUNT=2',
        ...(calendarId && { calendarId }),
      })
    }
    const pages = async (path: string, query: string): Promise<string[]> => {
      const titles: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const next = cursor === '' ? '' : `&cursor=${cursor}`
        const answer = await instance.get(`${path}?limit=1&${query}${next}`, person)
        titles.push(...titlesIn(answer))
        cursor = answer.body.nextCursor
      }
      return titles.toSorted()
    }
    expect(await pages(EVENTS, `${MARCH}&calendarId=${home.id}`)).toEqual(['e1', 'e3'])
    expect(await pages(EVENTS, `calendarId=${home.id}`)).toEqual(['e1', 'e3', 's1', 's3'])
    expect(await pages(EVENTS, `start=2040-03-05T12:30:00Z&calendarId=${home.id}`)).toEqual(['e1', 'e3'])
    expect(await pages('/api/calendar/upcoming', `days=30&calendarId=${home.id}`)).toEqual([
      's1',
      's1',
      's3',
      's3',
    ])
    const file = await instance.get(`/api/calendar/export.ics?calendarId=${home.id}`, person)
    expect([...file.body.matchAll(/SUMMARY:(\w+)/g)].map(([, title]) => title).toSorted()).toEqual([
      'e1',
      'e3',
      's1',
      's3',
    ])
    expect(file.body).toContain('X-WR-CALNAME:Family')
    const whole = await instance.get('/api/calendar/export.ics', person)
    expect([...whole.body.matchAll(/SUMMARY:/g)]).toHaveLength(8)
    expect(whole.headers.get('etag')).not.toBe(file.headers.get('etag'))
  })

  it('are the target of an import, whose undo restores the former calendars', async () => {
    const person = await register(instance)
    const home = await create(person)
    const importFile = (file: string, query = '') =>
      instance.call('POST', `/api/calendar/import${query}`, {
        body: file,
        token: person.token,
        headers: { 'content-type': 'text/calendar' },
      })
    const first = await importFile(calendarFile('u-1', 'Imported'), `?calendarId=${home.id}`)
    expect([first.status, first.body.created]).toEqual([200, 1])
    const ofHome = async () => titlesIn(await instance.get(`${EVENTS}?calendarId=${home.id}`, person))
    expect(await ofHome()).toEqual(['Imported'])
    expect((await importFile(calendarFile('u-2', 'x'), '?calendarId=999999999')).status).toBe(400)
    expect((await importFile(calendarFile('u-2', 'Default'))).status).toBe(200)
    expect(await ofHome()).toEqual(['Imported'])
    const undo = await instance.post(`/api/actions/${first.body.actionId}/undo`, undefined, person)
    expect(undo.status).toBe(200)
    expect(await ofHome()).toEqual([])
  })

  it('give their events to the default calendar when they are deleted, or delete them', async () => {
    const person = await register(instance)
    const id = await defaultOf(person)
    const [one, two] = [await create(person), await create(person)]
    const kept = await addEvent(person, { calendarId: one.id, recurrence: 'FREQ=DAILY;COUNT=3' })
    await instance.call('PATCH', `${EVENTS}/${kept.id}?occurrence=2040-03-06T12:00:00.000Z`, {
      token: person.token,
      body: { title: 'Late lunch' },
    })
    const gone = await addEvent(person, { calendarId: two.id })
    const refused = await remove(person, id)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    const etag = (await instance.get(`${EVENTS}/${kept.id}`, person)).headers.get('etag')
    expect((await remove(person, one.id)).status).toBe(204)
    const moved = await instance.get(`${EVENTS}/${kept.id}`, person)
    expect(moved.body.calendarId).toBe(id)
    expect(moved.headers.get('etag')).not.toBe(etag)
    expect(titlesIn(await instance.get(`${EVENTS}?${MARCH}&calendarId=${id}`, person))).toEqual([
      'Lunch',
      'Late lunch',
      'Lunch',
    ])
    expect((await remove(person, two.id, '?events=delete')).status).toBe(204)
    expect((await instance.get(`${EVENTS}/${gone.id}`, person)).status).toBe(404)
  })

  it('tell other tabs about changes, and events name their calendar', async () => {
    const person = await register(instance)
    await list(person)
    const stream = await openEventStream(instance.url, '/api/events', { token: person.token })
    const { id } = await create(person)
    await change(person, id, { name: 'Home' })
    const event = await addEvent(person, { calendarId: id })
    await remove(person, id)
    const events = await stream.until(5)
    await stream.leave()
    const seen = events.map((one) => {
      const { type, data } = one.data as { type: string; data: Record<string, unknown> }
      return [type, data.calendarId, data.fields]
    })
    const updated = ['event.calendars_updated', id, undefined]
    expect(seen.slice(0, 3)).toEqual([updated, updated, ['event.created', id, undefined]])
    expect(seen[3]).toEqual(['event.updated', expect.not.toBeOneOf([id]), ['calendarId']])
    expect(seen[4]).toEqual(updated)
    expect(event.calendarId).toBe(id)
    expect(readFileSync('test/golden/api.txt', 'utf8')).not.toContain('event.calendars_updated')
  })

  it('need the scopes of the calendar', async () => {
    const person = await register(instance)
    const tokenWith = async (scope: string) => {
      const input = { password: PASSWORD, name: 'n', scopes: [scope] }
      return (await instance.post('/api/settings/tokens', input, person)).body.token as string
    }
    const [reader, tasks] = [await tokenWith('calendar:read'), await tokenWith('tasks:write')]
    expect((await instance.get(CALENDARS, { token: reader })).status).toBe(200)
    expect((await instance.post(CALENDARS, { name: 'x' }, { token: reader })).status).toBe(403)
    expect((await instance.get(CALENDARS, { token: tasks })).status).toBe(403)
  })

  it('reject new and moved events if the remote calendar is read-only', async () => {
    const person = await register(instance)
    const { db } = instance.database
    const accounts = '/api/settings/calendar-accounts'
    const file = { kind: 'ics', url: 'http://127.0.0.1:9/holidays.ics', name: 'Holidays' }
    const { id: accountId } = (await instance.post(accounts, file, person)).body
    const { id: remoteId } = await db
      .insertInto('remote_calendars')
      .values({
        accountId,
        href: 'file',
        name: 'Public holidays',
        colour: null,
        writable: 0,
        followed: 1,
        syncToken: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const event = await addEvent(person)
    await instance.call('PATCH', `${accounts}/${accountId}`, {
      token: person.token,
      body: { calendars: [{ id: remoteId, followed: true }] },
    })
    const calendar = (await list(person)).at(-1)
    const { id } = calendar
    expect(calendar).toMatchObject({
      name: 'Public holidays',
      readOnly: true,
      account: { id: accountId, kind: 'ics', name: 'Holidays' },
    })
    const made = await instance.post(EVENTS, { ...LUNCH, calendarId: id }, person)
    const moved = await instance.call('PATCH', `${EVENTS}/${event.id}`, {
      token: person.token,
      body: { calendarId: id },
    })
    for (const { status, body } of [made, moved])
      expect([status, body.code, body.detail]).toEqual([
        409,
        'conflict',
        'The calendar “Public holidays” is read-only, so no event can be added to it.',
      ])
    const chosen = await change(person, id, { isDefault: true })
    expect([chosen.status, chosen.body.code]).toEqual([409, 'conflict'])
    const removed = await remove(person, id)
    expect([removed.status, removed.body.detail]).toEqual([409, expect.stringContaining('“Holidays”')])
    await db
      .updateTable('events')
      .set({ calendarId: id })
      .where('userId', '=', person.id)
      .where('id', '=', event.id)
      .execute()
    const away = await instance.call('PATCH', `${EVENTS}/${event.id}`, {
      token: person.token,
      body: { calendarId: await defaultOf(person) },
    })
    expect([away.status, away.body.code]).toEqual([409, 'conflict'])
  })
})

onOneDatabase('sqlite', 'calendars', (engine) => {
  it('are exported and imported, and old exports without calendars go to the default', async () => {
    const from = await startInstance({ engine })
    const owner = await register(from)
    const { id } = (await from.post(CALENDARS, { name: 'Family', color: '#112233' }, owner)).body
    await from.post(EVENTS, { ...LUNCH, title: 'At home', calendarId: id }, owner)
    await from.post(EVENTS, { ...LUNCH, title: 'Default' }, owner)
    const entries = await entriesOf(await exportOf(from, owner.token))
    await from.close()
    const old = new Map(entries)
    old.delete('calendar/calendars.jsonl')
    const events = String(entries.get('calendar/events.jsonl')).trim().split('\n')
    const oldEvents = events.map((line) => {
      const { calendarId: _, changedBy: __, ...row } = JSON.parse(line)
      return `${JSON.stringify(row)}\n`
    })
    old.set('calendar/events.jsonl', Buffer.from(oldEvents.join('')))
    for (const [given, expected] of [
      [
        entries,
        [
          ['At home', 'Family', '#112233'],
          ['Default', 'Calendar', expect.any(String)],
        ],
      ],
      [
        old,
        [
          ['At home', 'Calendar', expect.any(String)],
          ['Default', 'Calendar', expect.any(String)],
        ],
      ],
    ] as const) {
      const to = await startInstance({ engine })
      const person = await register(to)
      await to.get(CALENDARS, person)
      const imported = await importInto(to, person.token, await zipOf(sealed(given)))
      expect([imported.status, imported.body.detail]).toEqual([200, undefined])
      const { calendars } = (await to.get(CALENDARS, person)).body
      const named = new Map(calendars.map((one: { id: number }) => [one.id, one]))
      const seen = (await to.get(`${EVENTS}?${MARCH}`, person)).body.events.map(
        (event: { title: string; calendarId: number }) => {
          const { name, color } = named.get(event.calendarId) as { name: string; color: string }
          return [event.title, name, color]
        },
      )
      expect(seen.toSorted()).toEqual(expected)
      expect(
        calendars
          .filter(({ isDefault }: { isDefault: boolean }) => isDefault)
          .map((one: { name: string }) => one.name),
      ).toEqual(['Calendar'])
      await to.close()
    }
  })
})
