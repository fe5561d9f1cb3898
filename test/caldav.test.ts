import { afterAll, expect, it } from 'vitest'
import { createCalDav } from '../src/adapters/caldav/calendar-server.ts'
import type { CalendarTarget } from '../src/features/calendar-accounts/calendar-server.ts'
import { AppError } from '../src/platform/errors.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import {
  asAnother,
  makeCalendar,
  newCalendarUser,
  radicale,
  remoteEvent,
  withRadicale,
} from './support/calendar-servers.ts'

const outbound = createOutbound({ allow: [], typedMayBePrivate: true, userAgent: 'factotum-test' })
afterAll(() => outbound.close())

const open = createCalDav(outbound)
const { signal } = new AbortController()

/** Where a question failed, and why. */
const failureOf = async (question: Promise<unknown>) => {
  const error = await question.then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(AppError)
  expect((error as AppError).kind).toBe('upstream')
  return (error as AppError).details.failure
}
const homeOf = ({ url, username }: CalendarTarget): string =>
  new URL(`/${encodeURIComponent(username)}/`, url).href

/** Somebody with one calendar, and the server as we speak to it. */
const withCalendar = async () => {
  const person = newCalendarUser()
  const calendar = await makeCalendar(person, 'work')
  return { person, calendar, server: open(person) }
}

withRadicale('a calendar server', () => {
  it('shows the calendars that hold events, whatever address of it is given', async () => {
    const person = newCalendarUser()
    const work = await makeCalendar(person, 'work', { name: 'Work & play', colour: '#FF8800cc' })
    const plain = await makeCalendar(person, 'pläin (1)', { name: 'Plain', components: ['VEVENT', 'VTODO'] })
    await makeCalendar(person, 'chores', { components: ['VTODO'] })
    const { keeper } = radicale()
    const given = await makeCalendar(person, 'readonly', { name: 'Holidays' }, keeper)
    const expected = [
      { href: plain, name: 'Plain', colour: null, isWritable: true },
      { href: given, name: 'Holidays', colour: null, isWritable: false },
      { href: work, name: 'Work & play', colour: '#ff8800', isWritable: true },
    ]
    const { origin } = new URL(person.url)
    const addresses = [origin, `${origin}/`, `${origin}/.well-known/caldav`, homeOf(person)]
    for (const url of addresses) {
      const found = await open({ ...person, url }).calendars(signal)
      expect(found.toSorted((a, b) => a.href.localeCompare(b.href))).toEqual(expected)
    }
    // Its own address stands for a calendar alone, in any spelling.
    const spelled = work.replace('%40', '@').replace(/\/$/, '')
    expect(await open({ ...person, url: spelled }).calendars(signal)).toEqual([expected[2]])
  })

  it('says at which step it could not be reached', async () => {
    const person = newCalendarUser()
    const at = (url: string) => failureOf(open({ ...person, url }).calendars(signal))
    expect(await at('https://nowhere.invalid/')).toMatchObject({ step: 'dns', reason: 'unknown_host' })
    expect(await at('http://127.0.0.1:1/')).toMatchObject({ step: 'connect', reason: 'refused' })
    const tls = person.url.replace('http:', 'https:')
    expect(await at(tls)).toMatchObject({ step: 'tls', reason: 'not_tls' })
    const wrong = open({ ...person, password: 'wrong' }).calendars(signal)
    expect(await failureOf(wrong)).toMatchObject({ step: 'login', reason: 'credentials' })
    // Nobody has made a calendar yet.
    expect(await at(person.url)).toMatchObject({ step: 'select', reason: 'missing' })
    const closed = createOutbound({ allow: [], typedMayBePrivate: false, userAgent: 'factotum-test' })
    const forbidden = createCalDav(closed)(person).calendars(signal)
    expect(await failureOf(forbidden)).toMatchObject({ step: 'dns', reason: 'forbidden_address' })
    await closed.close()
  })

  it('keeps what is written, and replaces or removes only the version that is known', async () => {
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

    // Without a known version what is there now is looked at.
    expect((await server.write(href, remoteEvent('one', 'Tea'), { etag: '' }, signal)).kind).toBe('done')
    expect(await server.remove(href, '', signal)).toEqual({ kind: 'done', etag: null, href })
    expect(await server.remove(href, etag, signal)).toMatchObject({ kind: 'done' })
    expect(await server.remove(href, '', signal)).toMatchObject({ kind: 'done' })
    expect(await server.write(href, remoteEvent('one'), { etag: '' }, signal)).toEqual({ kind: 'changed' })
    expect(await server.write(href, remoteEvent('one'), { etag }, signal)).toEqual({ kind: 'changed' })
    expect(await server.read(calendar, [href], signal)).toEqual([])

    // One uid lies in one place.
    await asAnother(person, 'PUT', `${calendar}theirs.ics`, { body: remoteEvent('two') })
    const twice = await server.write(`${calendar}ours.ics`, remoteEvent('two'), 'nothing', signal)
    expect(twice).toEqual({ kind: 'changed' })
  })

  it('tells what has changed since the last look, and everything to whom it does not remember', async () => {
    const { person, calendar, server } = await withCalendar()
    const put = (name: string, summary = 'Lunch') =>
      asAnother(person, 'PUT', `${calendar}${name}`, { body: remoteEvent(name, summary) })
    const names = Array.from({ length: 60 }, (_, n) => `e%40${n}.ics`)
    for (const name of names) await put(name)
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
    await asAnother(person, 'DELETE', `${calendar}e%407.ics`)
    const since = await server.changes(calendar, whole.syncToken, signal)
    expect(since).toMatchObject({ isWhole: false, removed: [`${calendar}e%407.ics`] })
    expect(since.changed.map(({ href }) => href).toSorted()).toEqual([
      `${calendar}e%405.ics`,
      `${calendar}new.ics`,
    ])

    const forgotten = await server.changes(calendar, 'http://radicale.org/ns/sync/forgotten', signal)
    expect(forgotten.isWhole).toBe(true)
    expect(forgotten.changed).toHaveLength(60)

    await asAnother(person, 'DELETE', calendar)
    expect(await failureOf(server.changes(calendar, since.syncToken, signal))).toMatchObject({
      step: 'select',
      reason: 'missing',
    })
  })

  it('refuses what it cannot keep for good, and what its owner may only read', async () => {
    const { person, calendar, server } = await withCalendar()
    const nonsense = server.write(`${calendar}x.ics`, 'nonsense', 'nothing', signal)
    expect(await failureOf(nonsense)).toMatchObject({ step: 'command', reason: 'refused' })
    const given = await makeCalendar(person, 'readonly', {}, radicale().keeper)
    const forbidden = server.write(`${given}x.ics`, remoteEvent('x'), 'nothing', signal)
    expect(await failureOf(forbidden)).toMatchObject({ step: 'command', reason: 'refused' })
  })
})
