import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { createDavClient, type DavAccount, startDavAccounts } from './support/dav.ts'
import { type Instance, startInstance } from './support/instance.ts'

const event = (uid: string, ...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260302T080000Z',
    'DTEND:20260302T090000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const sync = (token = '', more = ''): string =>
  `<D:sync-collection xmlns:D="DAV:"><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level>${more}<D:prop><D:getetag/></D:prop></D:sync-collection>`

const tokenIn = (text: string): string => /<D:sync-token>([^<]+)</.exec(text)?.[1] ?? ''
const hrefsIn = (text: string): string[] =>
  [...text.matchAll(/<D:response><D:href>[^<]*\/([^</]+)<\/D:href>/g)].map(([, name]) => name as string)

onOneDatabase('sqlite', 'CalDAV for events', (engine) => {
  let instance: Instance
  let ana: DavAccount
  let ben: DavAccount
  let dav: ReturnType<typeof createDavClient>
  let bens: ReturnType<typeof createDavClient>

  beforeAll(async () => {
    instance = await startInstance({ engine })
    ;[ana, ben] = (await startDavAccounts(instance, 2)) as [DavAccount, DavAccount]
    dav = createDavClient(instance, ana)
    bens = createDavClient(instance, ben)
  })
  afterAll(() => instance.close())

  const put = (path: string, body: string, headers: Record<string, string> = {}) =>
    dav('PUT', path, { body, headers: { 'content-type': 'text/calendar', ...headers } })
  const report = (path: string, body: string) => dav('REPORT', path, { body, headers: { depth: '1' } })
  const findEvent = async (title: string, account = ana) => {
    const { body } = await instance.get('/api/calendar/events?limit=200', { token: account.token })
    return body.events.find((one: { title: string }) => one.title === title)
  }
  const makeCalendar = (name: string) => dav('MKCALENDAR', `${name}/`)

  it('challenges with Basic, and never takes the password of an account', async () => {
    const answer = await instance.call('PROPFIND', '/dav/')
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Basic')
    const signedIn = createDavClient(instance, { ...ana, password: 'correct horse battery' })
    expect((await signedIn('PROPFIND', '/dav/', { headers: { depth: '0' } })).status).toBe(401)
  })

  it('RFC 6764 §5: redirects the well-known addresses for GET and PROPFIND', async () => {
    for (const name of ['caldav', 'carddav'])
      for (const method of ['GET', 'PROPFIND']) {
        const { status, headers } = await dav(method, `/.well-known/${name}`)
        expect([status, headers.get('location')]).toEqual([301, '/dav/'])
      }
  })

  it('RFC 4918 §9.1: refuses PROPFIND with depth infinity', async () => {
    const { status, text } = await dav('PROPFIND', '', { headers: { depth: 'infinity' } })
    expect([status, text]).toEqual([403, expect.stringContaining('<D:propfind-finite-depth/>')])
  })

  it('stores an event under the name that the client chose, and returns what has no field', async () => {
    const lines = ['SUMMARY:Design', 'X-COLOR;X-A="b;c":blue', 'ATTACH:https://example.org/a.pdf']
    expect((await put('calendar/chosen.ics', event('design-1', ...lines))).status).toBe(201)
    const { text, headers } = await dav('GET', 'calendar/chosen.ics')
    for (const line of lines) expect(text).toContain(line)
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(await findEvent('Design')).toMatchObject({ uid: 'design-1', source: 'manual' })
  })

  it('RFC 4791 §5.3.4: answers PUT without an ETag', async () => {
    const { headers } = await put('calendar/etag.ics', event('etag-1'))
    expect(headers.get('etag')).toBeNull()
  })

  it('RFC 9110 §13.1: changes only the version that the client knows', async () => {
    await put('calendar/match.ics', event('match-1', 'SUMMARY:First'))
    const etag = (await dav('GET', 'calendar/match.ics')).headers.get('etag') as string
    const second = event('match-1', 'SUMMARY:Second')
    expect((await put('calendar/match.ics', second, { 'if-match': etag })).status).toBe(204)
    expect((await put('calendar/match.ics', event('match-1'), { 'if-match': etag })).status).toBe(412)
    expect((await put('calendar/match.ics', second, { 'if-none-match': '*' })).status).toBe(412)
    expect((await dav('DELETE', 'calendar/match.ics', { headers: { 'if-match': etag } })).status).toBe(412)
    expect(await findEvent('Second')).toBeDefined()
  })

  it('RFC 6578: reports changes of the console and of clients, and deletions', async () => {
    await makeCalendar('synced')
    const first = tokenIn((await report('synced/', sync())).text)
    await put('synced/a.ics', event('sync-a', 'SUMMARY:Synced'))
    const second = await report('synced/', sync(first))
    expect(hrefsIn(second.text)).toEqual(['a.ics'])
    const { id, calendarId } = await findEvent('Synced')
    await instance.call('PATCH', `/api/calendar/events/${id}`, {
      token: ana.token,
      body: { title: 'Renamed' },
    })
    const made = { calendarId, title: 'Made', start: '2026-03-04T10:00:00Z', end: '2026-03-04T11:00:00Z' }
    await instance.post('/api/calendar/events', made, { token: ana.token })
    const third = await report('synced/', sync(tokenIn(second.text)))
    expect(hrefsIn(third.text)).toHaveLength(2)
    expect((await dav('GET', 'synced/a.ics')).text).toContain('SUMMARY:Renamed')
    await instance.call('DELETE', `/api/calendar/events/${id}`, { token: ana.token })
    const fourth = await report('synced/', sync(tokenIn(third.text)))
    expect(fourth.text).toContain('/synced/a.ics</D:href><D:status>HTTP/1.1 404')
    const fifth = await report('synced/', sync(tokenIn(fourth.text)))
    expect([hrefsIn(fifth.text), tokenIn(fifth.text)]).toEqual([[], tokenIn(fourth.text)])
  })

  it('RFC 6578 §3.6: continues a truncated answer with the token of the part', async () => {
    await makeCalendar('parts')
    for (const name of ['1', '2', '3']) await put(`parts/${name}.ics`, event(`part-${name}`))
    const limit = '<D:limit><D:nresults>2</D:nresults></D:limit>'
    const first = await report('parts/', sync('', limit))
    expect(first.text).toContain('<D:status>HTTP/1.1 507')
    expect(hrefsIn(first.text).filter((name) => name.endsWith('.ics'))).toEqual(['1.ics', '2.ics'])
    const rest = await report('parts/', sync(tokenIn(first.text), limit))
    expect(hrefsIn(rest.text)).toEqual(['3.ics'])
  })

  it('RFC 6578 §3.2: rejects a token of another collection, or from before it was created again', async () => {
    await makeCalendar('again')
    const token = tokenIn((await report('again/', sync())).text)
    expect((await dav('DELETE', 'again/')).status).toBe(204)
    await makeCalendar('again')
    for (const wrong of [token, 'urn:factotum:sync:0-1-99999', 'data:,x']) {
      const { status, text } = await report('again/', sync(wrong))
      expect([status, text]).toEqual([403, expect.stringContaining('<D:valid-sync-token/>')])
    }
  })

  it('RFC 4791 §5.3.2.1: has each UID once in a collection', async () => {
    await put('calendar/uid-1.ics', event('only-once'))
    const { status, text } = await put('calendar/uid-2.ics', event('only-once'))
    expect([status, text]).toEqual([409, expect.stringContaining('<C:no-uid-conflict>')])
    expect(text).toContain('/calendar/uid-1.ics</D:href>')
    expect((await put('calendar/uid-1.ics', event('another'))).status).toBe(409)
  })

  it('keeps the id of an event that a client moves with PUT and DELETE', async () => {
    await makeCalendar('target')
    await put('calendar/moved.ics', event('moved-1', 'SUMMARY:Moved'))
    const { id } = await findEvent('Moved')
    expect((await put('target/moved.ics', event('moved-1', 'SUMMARY:Moved there'))).status).toBe(201)
    expect((await dav('GET', 'target/moved.ics')).text).toContain('UID:moved-1\r\n')
    expect((await dav('DELETE', 'calendar/moved.ics')).status).toBe(204)
    expect((await dav('GET', 'target/moved.ics')).text).toContain('SUMMARY:Moved there')
    expect((await dav('GET', 'calendar/moved.ics')).status).toBe(404)
    expect(await findEvent('Moved there')).toMatchObject({ id, uid: 'moved-1' })
  })

  it('RFC 4918 §9.9: moves and renames a resource, which keeps its id', async () => {
    await makeCalendar('shelf')
    await put('calendar/here.ics', event('move-1', 'SUMMARY:Carried'))
    const { id } = await findEvent('Carried')
    const destination = `${instance.url}/dav/calendars/${ana.email}/shelf/there.ics`
    expect((await dav('MOVE', 'calendar/here.ics', { headers: { destination } })).status).toBe(201)
    const renamed = { destination: destination.replace('there', 'renamed'), overwrite: 'F' }
    expect((await dav('MOVE', 'shelf/there.ics', { headers: renamed })).status).toBe(201)
    expect((await dav('GET', 'shelf/there.ics')).status).toBe(404)
    expect((await dav('GET', 'shelf/renamed.ics')).text).toContain('SUMMARY:Carried')
    expect(await findEvent('Carried')).toMatchObject({ id })
  })

  it('keeps properties that a client sets, and refuses to change those that are computed', async () => {
    const patch = (property: string) =>
      dav('PROPPATCH', 'calendar/', {
        body: `<D:propertyupdate xmlns:D="DAV:" xmlns:I="http://apple.com/ns/ical/" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>${property}</D:prop></D:set></D:propertyupdate>`,
      })
    expect((await patch('<I:calendar-order>7</I:calendar-order>')).text).toContain('200 OK')
    expect((await patch('<I:calendar-color>#112233FF</I:calendar-color>')).text).toContain('200 OK')
    expect((await patch('<D:resourcetype><D:collection/></D:resourcetype>')).text).toContain('403')
    const { text } = await dav('PROPFIND', 'calendar/', {
      headers: { depth: '0' },
      body: '<D:propfind xmlns:D="DAV:" xmlns:I="http://apple.com/ns/ical/"><D:prop><I:calendar-order/><I:calendar-color/><D:resourcetype/></D:prop></D:propfind>',
    })
    expect(text).toMatch(/calendar-order[^>]*>7</)
    expect(text).toContain('>#112233<')
    expect(text).toContain('<C:calendar/>')
  })

  it('shows a shared calendar by its role, and hides private events', async () => {
    await makeCalendar('shared')
    await put('shared/open.ics', event('open-1', 'SUMMARY:Visible'))
    await put('shared/secret.ics', event('secret-1', 'SUMMARY:Secret plan', 'CLASS:PRIVATE'))
    const { calendarId } = await findEvent('Visible')
    const shares = `/api/calendars/${calendarId}/shares`
    const offered = await instance.post(shares, { email: ben.email, role: 'viewer' }, { token: ana.token })
    const { body } = await instance.get('/api/shares', { token: ben.token })
    await instance.post(`/api/shares/${body.shares[0].id}/accept`, undefined, { token: ben.token })
    const path = `shared-${calendarId}/`
    expect((await bens('GET', `${path}open-1.ics`)).status).toBe(404)
    expect((await bens('GET', `${path}open.ics`)).text).toContain('SUMMARY:Visible')
    const secret = (await bens('GET', `${path}secret.ics`)).text
    expect(secret).toContain('SUMMARY:Busy')
    expect(secret).not.toContain('Secret plan')
    const change = { body: event('open-1', 'SUMMARY:Taken over') }
    expect((await bens('PUT', `${path}open.ics`, change)).status).toBe(403)
    const role = { token: ana.token, body: { role: 'editor' } }
    await instance.call('PATCH', `${shares}/${offered.body.id}`, role)
    expect((await bens('PUT', `${path}open.ics`, change)).status).toBe(204)
    expect((await bens('PUT', `${path}secret.ics`, { body: event('secret-1') })).status).toBe(403)
    await instance.call('PATCH', `${shares}/${offered.body.id}`, { ...role, body: { role: 'freeBusy' } })
    expect((await bens('GET', `${path}open.ics`)).status).toBe(403)
    expect((await bens('DELETE', path)).status).toBe(403)
  })

  it('does not show an account to another one', async () => {
    for (const path of ['/dav/calendars/', '/dav/addressbooks/', '/dav/principals/'])
      expect((await bens('PROPFIND', `${path}${ana.email}/`, { headers: { depth: '1' } })).status).toBe(404)
    const foreign = `/dav/calendars/${ana.email}/calendar/chosen.ics`
    expect((await bens('GET', foreign)).status).toBe(404)
    expect((await bens('PUT', foreign, { body: event('design-1') })).status).toBe(404)
    expect((await bens('PUT', 'calendar/chosen.ics', { body: event('design-1') })).status).toBe(201)
    expect((await dav('GET', 'calendar/chosen.ics')).text).toContain('SUMMARY:Design')
  })

  it('answers hostile input with a 4xx, and stores nothing', async () => {
    const xml = ['<', '<a>', '<a></b>', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '<a>'.repeat(100_000)]
    for (const body of xml)
      for (const method of ['PROPFIND', 'PROPPATCH', 'REPORT', 'MKCALENDAR', 'MKCOL']) {
        const { status } = await dav(method, 'calendar/', { body, headers: { depth: '1' } })
        expect([method, body.slice(0, 20), status < 500 && status >= 400]).toEqual([
          method,
          body.slice(0, 20),
          true,
        ])
      }
    const calendars: [string, string][] = [
      ['', 'valid-calendar-data'],
      ['BEGIN:VCALENDAR', 'valid-calendar'],
      [event('x').replace(/^DTSTART.*$/m, ''), 'valid-calendar-data'],
      [event('x').replaceAll('VEVENT', 'VTODO'), 'supported-calendar-component'],
      [event('x').replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:REQUEST'), 'valid-calendar-object-resource'],
      [event('x').replace('UID:x\r\n', ''), 'valid-calendar-object-resource'],
      [event('x', 'RRULE:FREQ=NEVER'), 'valid-calendar-data'],
      [event('x', 'RRULE:FREQ=SECONDLY'), 'max-instances'],
      [
        event('x').replace('DTSTART:2026', 'DTSTART:0900').replace('DTEND:2026', 'DTEND:0900'),
        'min-date-time',
      ],
      [event('x').replace('DTEND:2026', 'DTEND:9995'), 'max-date-time'],
      [event('x', `DESCRIPTION:${'y'.repeat(3_000_000)}`), 'max-resource-size'],
    ]
    for (const [body, condition] of calendars) {
      const { status, text } = await put('calendar/hostile.ics', body)
      expect([status, text]).toEqual([403, expect.stringContaining(condition)])
    }
    expect((await dav('GET', 'calendar/hostile.ics')).status).toBe(404)
    for (const path of ['calendar/%00.ics', 'calendar/%ff.ics', 'calendar/a/b/c', '%2e%2e/x'])
      expect((await put(path, event('path'))).status).toBeGreaterThanOrEqual(400)
    expect((await dav('PROPFIND', 'calendar/', { headers: { depth: '7' } })).status).toBe(400)
  })
})
