import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createCalDav } from '../src/adapters/caldav/calendar-server.ts'
import type { PasswordTarget } from '../src/features/calendar/remote/calendar-server.ts'
import { AppError } from '../src/platform/errors.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import {
  makeCalendar,
  newCalendarUser,
  radicale,
  remoteEvent,
  sendCaldavRequest,
  withRadicale,
} from './support/calendar-servers.ts'
import { closed, createLoopbackWorld } from './support/loopback-world.ts'
import {
  type Asked,
  CALENDAR,
  found,
  missing,
  multistatus,
  type Said,
  saying,
} from './support/odd-calendar-server.ts'

const outbound = createOutbound({ allow: [], typedMayBePrivate: true, userAgent: 'factotum-test' })
afterAll(() => outbound.close())

const open = createCalDav(outbound)
const { signal } = new AbortController()
const world = createLoopbackWorld()
afterEach(() => world.end())

/** The password in plain text and Base64. */
const SECRET = new RegExp(['open sesame', Buffer.from('ana:open sesame').toString('base64')].join('|'))

/** Starts a server that the test controls. */
const serve = async (answer: (asked: Asked) => Said | undefined) => {
  const asked: Asked[] = []
  const { port, sockets } = await world.serve(saying(answer, asked))
  const url = `http://127.0.0.1:${port}/cal/`
  return { asked, sockets, url, server: open({ url, username: 'ana', password: 'open sesame' }) }
}

/** Returns the step and the reason of a failure. */
const failureOf = async (question: Promise<unknown>) => {
  const error = await question.then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(AppError)
  expect((error as AppError).kind).toBe('upstream')
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(SECRET)
  return (error as AppError).details.failure
}
const homeOf = ({ url, username }: PasswordTarget): string =>
  new URL(`/${encodeURIComponent(username)}/`, url).href

const uidOf = (name: string): string => decodeURIComponent(name).replace('.ics', '')

/** Uploads many events with one request. Only Radicale supports this; it names them by UID. */
const putAll = (person: PasswordTarget, calendar: string, names: readonly string[]) => {
  const [head, tail] = ['BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n', 'END:VCALENDAR\r\n']
  const events = names.map((name) => /BEGIN:VEVENT[\s\S]*END:VEVENT\r\n/.exec(remoteEvent(uidOf(name)))?.[0])
  const headers = { 'content-type': 'text/calendar' }
  return sendCaldavRequest(person, 'PUT', calendar, { headers, body: head + events.join('') + tail })
}

/** Creates a user with one calendar, and the client for it. */
const withCalendar = async () => {
  const person = newCalendarUser()
  const calendar = await makeCalendar(person, 'work')
  return { person, calendar, server: open(person) }
}

withRadicale('the CalDAV client with Radicale', () => {
  it('lists the calendars for events, from any URL of the server', async () => {
    const person = newCalendarUser()
    const work = await makeCalendar(person, 'work', { name: 'Work & play', color: '#FF8800cc' })
    const plain = await makeCalendar(person, 'pläin (1)', { name: 'Plain', components: ['VEVENT', 'VTODO'] })
    await makeCalendar(person, 'chores', { components: ['VTODO'] })
    const { keeper } = radicale()
    const given = await makeCalendar(person, 'readonly', { name: 'Holidays' }, keeper)
    const expected = [
      { href: plain, name: 'Plain', color: null, isWritable: true },
      { href: given, name: 'Holidays', color: null, isWritable: false },
      { href: work, name: 'Work & play', color: '#ff8800', isWritable: true },
    ]
    const { origin } = new URL(person.url)
    const addresses = [origin, `${origin}/`, `${origin}/.well-known/caldav`, homeOf(person)]
    for (const url of addresses) {
      const found = await open({ ...person, url }).calendars(signal)
      expect(found.toSorted((a, b) => a.href.localeCompare(b.href))).toEqual(expected)
    }
    // The URL of a calendar returns that calendar only, in any spelling.
    const spelled = work.replace('%40', '@').replace(/\/$/, '')
    expect(await open({ ...person, url: spelled }).calendars(signal)).toEqual([expected[2]])
  })

  it('reports the step at which a connection failed', async () => {
    const person = newCalendarUser()
    const at = (url: string) => failureOf(open({ ...person, url }).calendars(signal))
    expect(await at('https://nowhere.invalid/')).toMatchObject({ step: 'dns', reason: 'unknown_host' })
    expect(await at('http://127.0.0.1:1/')).toMatchObject({ step: 'connect', reason: 'refused' })
    const tls = person.url.replace('http:', 'https:')
    expect(await at(tls)).toMatchObject({ step: 'tls', reason: 'not_tls' })
    const wrong = open({ ...person, password: 'wrong' }).calendars(signal)
    expect(await failureOf(wrong)).toMatchObject({ step: 'login', reason: 'credentials' })
    // The user has no calendar yet.
    expect(await at(person.url)).toMatchObject({ step: 'select', reason: 'missing' })
    const closed = createOutbound({ allow: [], typedMayBePrivate: false, userAgent: 'factotum-test' })
    const forbidden = createCalDav(closed)(person).calendars(signal)
    expect(await failureOf(forbidden)).toMatchObject({ step: 'dns', reason: 'forbidden_address' })
    await closed.close()
  })

  it('writes objects, and replaces or removes only the known version', async () => {
    const { person, calendar, server } = await withCalendar()
    const href = `${calendar}${encodeURIComponent('a+b c@example.test')}.ics`
    const made = await server.write(href, remoteEvent('one', 'Lunch'), 'nothing', signal)
    expect(made).toMatchObject({ kind: 'done', href, etag: expect.stringMatching(/^".+"$/) })
    const [first] = await server.read(calendar, [href], signal)
    expect(first).toMatchObject({ href, etag: 'etag' in made && made.etag })
    expect(first?.body).toContain('SUMMARY:Lunch')

    expect(await server.write(href, remoteEvent('one', 'Taken'), 'nothing', signal)).toEqual({
      kind: 'changed',
    })
    const etag = first?.etag ?? ''
    const replaced = await server.write(href, remoteEvent('one', 'Dinner'), { etag }, signal)
    expect(replaced.kind).toBe('done')
    expect(await server.write(href, remoteEvent('one', 'Late'), { etag }, signal)).toEqual({
      kind: 'changed',
    })
    expect(await server.remove(href, etag, signal)).toEqual({ kind: 'changed' })
    const [second] = await server.read(calendar, [href], signal)
    expect(second?.body).toContain('SUMMARY:Dinner')

    // Without a known version, the client reads the current one.
    expect((await server.write(href, remoteEvent('one', 'Tea'), { etag: '' }, signal)).kind).toBe('done')
    expect(await server.remove(href, '', signal)).toEqual({ kind: 'done', etag: null, href })
    expect(await server.remove(href, etag, signal)).toMatchObject({ kind: 'done' })
    expect(await server.remove(href, '', signal)).toMatchObject({ kind: 'done' })
    expect(await server.write(href, remoteEvent('one'), { etag: '' }, signal)).toEqual({ kind: 'changed' })
    expect(await server.write(href, remoteEvent('one'), { etag }, signal)).toEqual({ kind: 'changed' })
    expect(await server.read(calendar, [href], signal)).toEqual([])

    // A UID can exist only once.
    await sendCaldavRequest(person, 'PUT', `${calendar}theirs.ics`, { body: remoteEvent('two') })
    const twice = await server.write(`${calendar}ours.ics`, remoteEvent('two'), 'nothing', signal)
    expect(twice).toEqual({ kind: 'changed' })
  })

  it('reports changes since the last sync, and everything if the token is unknown', async () => {
    const { person, calendar, server } = await withCalendar()
    const put = (name: string, summary = 'Lunch') =>
      sendCaldavRequest(person, 'PUT', `${calendar}${name}`, { body: remoteEvent(uidOf(name), summary) })
    const names = Array.from({ length: 60 }, (_, n) => `e%40${n}.ics`)
    await putAll(person, calendar, names)
    const all = names.map((name) => `${calendar}${name}`).toSorted()

    const whole = await server.changes(calendar, null, signal)
    expect(whole).toMatchObject({ isWhole: true, removed: [], syncToken: expect.any(String) })
    expect(whole.changed.map(({ href }) => href).toSorted()).toEqual(all)
    const read = await server.read(calendar, [...all, `${calendar}gone.ics`], signal)
    expect(
      read.map(({ href, etag }) => ({ href, etag })).toSorted((a, b) => (a.href < b.href ? -1 : 1)),
    ).toEqual(whole.changed.toSorted((a, b) => (a.href < b.href ? -1 : 1)))

    expect(await server.changes(calendar, whole.syncToken, signal)).toMatchObject({
      changed: [],
      removed: [],
    })
    await put('e%405.ics', 'Dinner')
    await put('new.ics')
    await sendCaldavRequest(person, 'DELETE', `${calendar}e%407.ics`)
    const since = await server.changes(calendar, whole.syncToken, signal)
    expect(since).toMatchObject({ isWhole: false, removed: [`${calendar}e%407.ics`] })
    expect(since.changed.map(({ href }) => href).toSorted()).toEqual([
      `${calendar}e%405.ics`,
      `${calendar}new.ics`,
    ])

    const forgotten = await server.changes(calendar, 'http://radicale.org/ns/sync/forgotten', signal)
    expect(forgotten.isWhole).toBe(true)
    expect(forgotten.changed).toHaveLength(60)

    await sendCaldavRequest(person, 'DELETE', calendar)
    expect(await failureOf(server.changes(calendar, since.syncToken, signal))).toMatchObject({
      step: 'select',
      reason: 'missing',
    })
  })

  it('reports invalid objects and read-only calendars as refused', async () => {
    const { person, calendar, server } = await withCalendar()
    const nonsense = server.write(`${calendar}x.ics`, 'nonsense', 'nothing', signal)
    expect(await failureOf(nonsense)).toMatchObject({ step: 'command', reason: 'refused' })
    const given = await makeCalendar(person, 'readonly', {}, radicale().keeper)
    const forbidden = server.write(`${given}x.ics`, remoteEvent('x'), 'nothing', signal)
    expect(await failureOf(forbidden)).toMatchObject({ step: 'command', reason: 'refused' })
  })
})

describe('the CalDAV client with unusual servers', () => {
  const etag = (value: string) => `<weiß:getetag>${value}</weiß:getetag>`

  it('accepts other prefixes, spellings and missing properties', async () => {
    const { url, server } = await serve(({ path, headers }) => {
      if (path === '/cal/') return { status: 301, headers: { location: '/dav' } }
      if (path === '/dav')
        return {
          body: multistatus(
            found(
              '/dav',
              '<weiß:current-user-principal><weiß:href>/ana</weiß:href></weiß:current-user-principal>',
            ),
          ),
        }
      if (path === '/ana')
        return {
          body: multistatus(
            found(
              '/ana',
              '<calendar-home-set><weiß:href>home@one</weiß:href><weiß:href>/two/</weiß:href></calendar-home-set>',
            ),
          ),
        }
      if (path === '/home%40one/' && headers.depth === '1')
        return {
          body: multistatus(
            found('/home@one/', '<weiß:resourcetype><weiß:collection/></weiß:resourcetype>') +
              found('/home@one/w%c3%b6rk', CALENDAR) +
              found(
                '/home%40one/x/',
                `${CALENDAR}<weiß:displayname> X\u0007Y </weiß:displayname><q:calendar-color xmlns:q="http://apple.com/ns/ical/">red</q:calendar-color>
                <supported-calendar-component-set><comp name="VTODO"/><comp name="vevent"/></supported-calendar-component-set>
                <weiß:current-user-privilege-set><weiß:privilege><weiß:read/></weiß:privilege><weiß:privilege><weiß:write-properties/></weiß:privilege></weiß:current-user-privilege-set>`,
              ),
          ),
        }
      return undefined
    })
    expect(await server.calendars(signal)).toEqual([
      { href: new URL('/home%40one/w%C3%B6rk/', url).href, name: 'wörk', color: null, isWritable: true },
      { href: new URL('/home%40one/x/', url).href, name: 'X Y', color: null, isWritable: false },
    ])
  })

  it('authenticates with Digest', async () => {
    const { asked, url, server } = await serve(({ headers: { authorization = '' }, method, path }) => {
      const [user, realm, nonce, uri, response, nc, cnonce] = [
        ...['username', 'realm', 'nonce', 'uri', 'response', 'nc', 'cnonce'].map(
          (name) => new RegExp(`\\b${name}="?([^",]+)`).exec(authorization)?.[1] ?? '',
        ),
      ]
      const hash = (text: string) => createHash('md5').update(text).digest('hex')
      const wanted = hash(
        `${hash(`ana:${realm}:open sesame`)}:${nonce}:${nc}:${cnonce}:auth:${hash(`${method}:${path}`)}`,
      )
      if (user === 'ana' && nonce === 'once' && uri === path && response === wanted)
        return { body: multistatus(found('/cal/', CALENDAR)) }
      return {
        status: 401,
        headers: { 'www-authenticate': 'Digest realm="Calendars", nonce="once", qop="auth"' },
      }
    })
    expect(await server.calendars(signal)).toHaveLength(1)
    expect(await server.calendars(signal)).toHaveLength(1)
    expect(asked).toHaveLength(3)
    const wrong = open({ url, username: 'ana', password: 'wrong' }).calendars(signal)
    expect(await failureOf(wrong)).toMatchObject({ step: 'login', reason: 'credentials' })
    expect(asked).toHaveLength(5)
  })

  it('lists and reads one by one without sync-collection and multiget', async () => {
    const body = remoteEvent('a')
    const { url, asked, server } = await serve(({ method, path }) => {
      if (method === 'REPORT') return { status: 501 }
      if (method === 'PROPFIND')
        return {
          body: multistatus(
            found('/cal/', CALENDAR) +
              found('/cal/a@b.ics', etag('"1"')) +
              found('/cal/weak.ics', etag('W/"2"')) +
              found('/cal/none.ics', '<weiß:resourcetype/>'),
          ),
        }
      return path === '/cal/a%40b.ics' ? { status: 200, headers: { etag: '"1"' }, body } : undefined
    })
    const href = `${url}a%40b.ics`
    expect(await server.changes(url, 'token', signal)).toEqual({
      changed: [
        { href, etag: '"1"' },
        { href: `${url}weak.ics`, etag: '' },
        { href: `${url}none.ics`, etag: '' },
      ],
      removed: [],
      isWhole: true,
      syncToken: null,
    })
    expect(await server.read(url, [href, `${url}gone.ics`], signal)).toEqual([{ href, etag: '"1"', body }])
    // Compression would change the ETag.
    expect(asked.at(-1)?.headers['accept-encoding']).toBe('identity')
  })

  it('combines truncated changes and recognizes deleted objects', async () => {
    const { url, server } = await serve(({ body }) => {
      const token = /<d:sync-token>(.*)<\/d:sync-token>/.exec(body)?.[1]
      const next = (name: string) => `<weiß:sync-token>${name}</weiß:sync-token>`
      if (token === 'a&#38;b')
        return {
          body: multistatus(
            `${found('/cal/1.ics', etag('"1"'))}${found('/cal/2.ics', etag('"2"'))}${missing('/cal/', '507 Insufficient Storage')}${next('second')}`,
          ),
        }
      if (token === 'second')
        return {
          body: multistatus(
            `${missing('/cal/1.ics')}${found('/cal/2.ics', etag('"3"'))}
            <weiß:response><weiß:href>/cal/4.ics</weiß:href><weiß:propstat><weiß:prop><weiß:getetag/></weiß:prop><weiß:status>HTTP/1.1 404 Not Found</weiß:status></weiß:propstat></weiß:response>${next('third')}`,
          ),
        }
      return undefined
    })
    expect(await server.changes(url, 'a&b', signal)).toEqual({
      changed: [{ href: `${url}2.ics`, etag: '"3"' }],
      removed: [`${url}1.ics`, `${url}4.ics`],
      isWhole: false,
      syncToken: 'third',
    })
  })

  it('lists everything if the sync token does not advance', async () => {
    const { url, server } = await serve(({ method }) => ({
      body: multistatus(
        method === 'REPORT'
          ? `${missing('/cal/', '507 Insufficient Storage')}<weiß:sync-token>same</weiß:sync-token>`
          : found('/cal/1.ics', etag('"1"')),
      ),
    }))
    expect(await server.changes(url, null, signal)).toEqual({
      changed: [{ href: `${url}1.ics`, etag: '"1"' }],
      removed: [],
      isWhole: true,
      syncToken: null,
    })
  })
})

describe('the CalDAV client with hostile servers', () => {
  const EVIL = 'https://evil.example/'

  it.each<[string, Said, string, string]>([
    ['sends an HTML page', { status: 200, body: '<!DOCTYPE html><html>Sign in</html>' }, 'select', 'missing'],
    ['sends an HTML page with status 207', { body: '<html><body>Sign in</body></html>' }, 'command', 'other'],
    ['sends an empty body', { body: '' }, 'command', 'other'],
    ['repeats the password', { status: 500, body: 'open sesame' }, 'command', 'other'],
    ['redirects in a loop', { status: 302, headers: { location: '/cal/' } }, 'select', 'missing'],
    ['redirects to an invalid URL', { status: 302, headers: { location: 'gopher://' } }, 'command', 'other'],
    [
      'sends an entity bomb',
      {
        body: `<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>${multistatus('&c;')}`,
      },
      'command',
      'other',
    ],
    ['sends too deeply nested XML', { body: '<a>'.repeat(100_000) }, 'command', 'other'],
    ['names a calendar on another host', { body: multistatus(found(EVIL, CALENDAR)) }, 'select', 'missing'],
  ])('reports an error if the server %s', async (_name, said, step, reason) => {
    const { url, server } = await serve(() => said)
    expect(await failureOf(server.calendars(signal))).toMatchObject({ step, reason })
    expect(await failureOf(server.changes(url, null, signal))).toBeDefined()
  })

  it('never sends the password elsewhere, by redirects or by hrefs', async () => {
    const elsewhere = await world.serve(saying(() => undefined))
    const evil = `http://127.0.0.1:${elsewhere.port}/`
    const href = `<weiß:href>${evil}</weiß:href>`
    const lies: Said[] = [
      { status: 302, headers: { location: evil } },
      { status: 308, headers: { location: `//127.0.0.1:${elsewhere.port}/` } },
      {
        body: multistatus(
          found('/cal/', `<weiß:current-user-principal>${href}</weiß:current-user-principal>`),
        ),
      },
      { body: multistatus(found('/cal/', `<calendar-home-set>${href}</calendar-home-set>`)) },
      { body: multistatus(found(evil, CALENDAR)) },
      {
        body: multistatus(
          found(`${evil}x.ics`, '<weiß:getetag>"1"</weiß:getetag><calendar-data>x</calendar-data>'),
        ),
      },
    ]
    for (const said of lies) {
      const { url, server } = await serve(() => said)
      const redirects = said.status !== undefined
      expect(await failureOf(server.calendars(signal))).toMatchObject({ step: 'select', reason: 'missing' })
      if (redirects || said.body?.includes(`>${evil}x.ics<`))
        await failureOf(server.changes(url, null, signal))
      if (redirects || said === lies.at(-1)) await failureOf(server.read(url, [`${url}x.ics`], signal))
      if (redirects) await failureOf(server.write(`${url}x.ics`, 'x', 'nothing', signal))
      // A removal must not send the password either.
      expect(await failureOf(server.remove(`${evil}x.ics`, '"1"', signal))).toMatchObject({ step: 'select' })
    }
    expect(elsewhere.seen).toEqual([])
  })

  it('aborts an endless response', async () => {
    const { port, sockets } = await world.serve((_request, response) => {
      response.writeHead(207, { 'content-type': 'text/xml' })
      const chunk = Buffer.alloc(1024 * 1024, '<response>')
      const push = () => {
        while (response.write(chunk)) if (response.destroyed) return
      }
      response.on('drain', push)
      push()
    })
    const server = open({ url: `http://127.0.0.1:${port}/`, username: 'ana', password: 'open sesame' })
    expect(await failureOf(server.calendars(signal))).toMatchObject({ step: 'command', reason: 'other' })
    await closed(sockets)
  })

  it('closes the connection when the caller aborts', async () => {
    const { port, sockets } = await world.serve(() => undefined)
    const giveUp = new AbortController()
    const server = open({ url: `http://127.0.0.1:${port}/`, username: 'ana', password: 'open sesame' })
    const asking = server.calendars(giveUp.signal)
    await expect.poll(() => sockets.length).toBe(1)
    giveUp.abort(new Error('enough'))
    await expect(asking).rejects.toThrow('enough')
    await closed(sockets)
  })
})
