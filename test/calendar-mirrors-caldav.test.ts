import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeCalendar,
  newCalendarUser,
  remoteEvent,
  sendCaldavRequest,
  withRadicale,
} from './support/calendar-servers.ts'
import { followCalendarSync } from './support/calendar-sync.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { type Person, register } from './support/people.ts'

const CALENDARS = '/api/calendars'
const EVENTS = '/api/calendar/events'
const ACCOUNTS = '/api/settings/calendar-accounts'
const MARCH = 'start=2026-03-01T00:00:00Z&end=2026-04-01T00:00:00Z&limit=200'

interface Listed {
  id: number
  uid: string
  title: string
  location: string
  mirrorOf: number | null
}

withRadicale('calendar mirrors on a server', () => {
  onOneDatabase('postgres', 'in both roles', (engine) => {
    let instance: Instance
    let person: Person
    beforeAll(async () => {
      instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
      await instance.app.jobs.start()
    })
    afterAll(() => instance.close())

    const { settled, look } = followCalendarSync(() => ({ instance, person }))
    const send = async (method: string, path: string, body?: unknown) => {
      const answer = await instance.call(method, path, { token: person.token, body })
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return answer.body
    }
    const eventsIn = async (calendarId: number): Promise<Listed[]> =>
      (await send('GET', `${EVENTS}?${MARCH}&calendarId=${calendarId}`)).events

    /** A new account with two calendars on a server, and a local one. */
    const setUp = async () => {
      person = await register(instance)
      const user = newCalendarUser()
      const urls = {
        work: await makeCalendar(user, 'work', { name: 'Work' }),
        family: await makeCalendar(user, 'family', { name: 'Family' }),
      }
      const { url, username, password } = user
      const { id } = await send('POST', ACCOUNTS, { kind: 'caldav', url, username, password })
      await settled(id)
      const { calendars } = await send('GET', CALENDARS)
      const idOf = (name: string): number => calendars.find((one: { name: string }) => one.name === name).id
      const local = (await send('POST', CALENDARS, { name: 'Local' })).id as number
      const mirror = (from: number, to: number, detail: string) =>
        send('POST', `${CALENDARS}/${from}/mirrors`, { targetCalendarId: to, detail })
      const put = (calendar: keyof typeof urls, uid: string, body: string) =>
        sendCaldavRequest(user, 'PUT', `${urls[calendar]}${encodeURIComponent(uid)}.ics`, {
          body,
          headers: { 'content-type': 'text/calendar' },
        })
      const textOf = async (calendar: keyof typeof urls, uid: string): Promise<string> =>
        (await sendCaldavRequest(user, 'GET', `${urls[calendar]}${encodeURIComponent(uid)}.ics`)).text()
      const drop = (calendar: keyof typeof urls, uid: string) =>
        sendCaldavRequest(user, 'DELETE', `${urls[calendar]}${encodeURIComponent(uid)}.ics`)
      return { id, local, work: idOf('Work'), family: idOf('Family'), mirror, put, textOf, drop }
    }

    it('writes mirrored events to the server of the target, and deletes them there', async () => {
      const { id, local, family, mirror, textOf } = await setUp()
      const { id: mirrorId } = await mirror(local, family, 'title')
      const event = await send('POST', EVENTS, {
        calendarId: local,
        title: 'Review',
        organizer: 'ana@example.org',
        attendees: ['ben@example.org'],
        reminders: [{ minutesBefore: 10 }],
        start: '2026-03-05T09:00:00+01:00',
        end: '2026-03-05T10:00:00+01:00',
      })
      const [mirrored] = (await eventsIn(family)) as [Listed]
      expect(mirrored).toMatchObject({ title: 'Review', mirrorOf: event.id })
      await settled(id)
      const text = await textOf('family', mirrored.uid)
      expect(text).toContain('SUMMARY:Review')
      expect(text).not.toMatch(/ATTENDEE|ORGANIZER|VALARM/)
      await send('PATCH', `${EVENTS}/${event.id}`, { title: 'Late review' })
      await settled(id)
      expect(await textOf('family', mirrored.uid)).toContain('SUMMARY:Late review')
      await look(id)
      expect(await eventsIn(family)).toMatchObject([{ id: mirrored.id, mirrorOf: event.id }])
      await send('DELETE', `${CALENDARS}/${local}/mirrors/${mirrorId}`)
      await soon(() => expect(textOf('family', mirrored.uid)).rejects.toThrow('404'))
      expect((await send('GET', `${EVENTS}/${event.id}`)).title).toBe('Late review')
    })

    it('shows events of a server in another calendar of it, and follows the server', async () => {
      const { id, work, family, mirror, put, textOf, drop } = await setUp()
      await mirror(work, family, 'busy')
      await mirror(family, work, 'busy')
      await put('work', 'one', remoteEvent('one', 'Secret lunch', 'LOCATION:Canteen'))
      await look(id)
      const [mirrored] = (await eventsIn(family)) as [Listed]
      expect(mirrored).toMatchObject({ title: 'Busy', location: '' })
      await settled(id)
      const text = await textOf('family', mirrored.uid)
      expect(text).toContain('SUMMARY:Busy')
      expect(text).not.toMatch(/Secret|Canteen/)
      await look(id)
      expect(await eventsIn(family)).toHaveLength(1)
      expect(await eventsIn(work)).toHaveLength(1)
      await drop('work', 'one')
      await look(id)
      expect(await eventsIn(family)).toEqual([])
      await soon(() => expect(textOf('family', mirrored.uid)).rejects.toThrow('404'))
      expect(await eventsIn(work)).toEqual([])
    })

    it('overwrites changes of mirrored events on the server, and creates deleted ones again', async () => {
      const { id, local, family, mirror, put, textOf, drop } = await setUp()
      await mirror(local, family, 'title')
      const event = await send('POST', EVENTS, {
        calendarId: local,
        title: 'Review',
        start: '2026-03-05T09:00:00+01:00',
        recurrence: 'FREQ=WEEKLY;COUNT=3',
      })
      await settled(id)
      const [{ uid }] = (await eventsIn(family)) as [Listed]
      const before = await eventsIn(family)
      const edited = (await textOf('family', uid)).replace('SUMMARY:Review', 'SUMMARY:Hijacked')
      await put('family', uid, edited.replace('END:VEVENT', 'ATTENDEE:mailto:eve@example.org\r\nEND:VEVENT'))
      await look(id)
      await settled(id)
      expect(await textOf('family', uid)).toContain('SUMMARY:Review')
      expect(await textOf('family', uid)).not.toContain('eve@example.org')
      expect(await eventsIn(family)).toEqual(before)
      await drop('family', uid)
      await look(id)
      await settled(id)
      expect(await textOf('family', uid)).toContain('SUMMARY:Review')
      expect(await eventsIn(family)).toEqual(before)
      expect((await send('GET', `${EVENTS}/${event.id}`)).title).toBe('Review')
    })

    it('does not show an event again that another instance shows', async () => {
      const { id, work, family, mirror, put } = await setUp()
      await mirror(work, family, 'title')
      await put('work', 'mirror-1@factotum', remoteEvent('mirror-1@factotum', 'Busy'))
      await look(id)
      expect(await eventsIn(work)).toHaveLength(1)
      expect(await eventsIn(family)).toEqual([])
    })

    it('leaves no mirrored event behind when the account is removed', async () => {
      const { id, local, work, family, mirror, put } = await setUp()
      await mirror(local, family, 'title')
      await mirror(work, local, 'title')
      await send('POST', EVENTS, { calendarId: local, title: 'Local', start: '2026-03-05T09:00:00+01:00' })
      await put('work', 'one', remoteEvent('one', 'Remote'))
      await look(id)
      expect((await eventsIn(local)).map(({ title }) => title).sort()).toEqual(['Local', 'Remote'])
      await send('DELETE', `${ACCOUNTS}/${id}?events=keep`)
      const everything = async () => (await send('GET', `${EVENTS}?${MARCH}`)).events as Listed[]
      await soon(async () =>
        expect((await everything()).map(({ mirrorOf }) => mirrorOf)).toEqual([null, null]),
      )
      expect((await everything()).map(({ title }) => title).sort()).toEqual(['Local', 'Remote'])
    })
  })
})
