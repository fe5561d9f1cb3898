import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeCalendar,
  newCalendarUser,
  remoteEvent,
  sendCaldavRequest,
  withRadicale,
} from './support/calendar-servers.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const ACCOUNTS = '/api/settings/calendar-accounts'
const ACTIONS = '/api/ai/actions'
const CLIENT = 'SCHEDULE-AGENT=CLIENT'

/** Lists attendees and organizers of a calendar by address, with their parameters in alphabetical order. */
const peopleIn = (text: string): Record<string, string[]> =>
  Object.fromEntries(
    [
      ...text.replace(/\r?\n[ \t]/g, '').matchAll(/^(ATTENDEE|ORGANIZER)((?:;[^:;]+)*):mailto:(.*?)\r?$/gm),
    ].map(([, name, parameters = '', email]) => [`${name} ${email}`, parameters.split(';').slice(1).sort()]),
  )

withRadicale('attendees on a calendar server', () => {
  onOneDatabase('sqlite', 'keep who schedules them', (engine) => {
    let instance: Instance
    let person: Person
    beforeAll(async () => {
      instance = await startInstance({ engine })
      person = await register(instance)
      await instance.app.jobs.start()
    })
    afterAll(() => instance?.close())

    const settled = (id: string) =>
      soon(async () => {
        const { sync } = (await instance.get(`${ACCOUNTS}/${id}`, person)).body
        expect(sync).toMatchObject({ status: 'live', waiting: 0, lastSyncAt: expect.any(String) })
        return sync.lastSyncAt as string
      })
    const look = async (id: string) => {
      const before = await settled(id)
      await instance.post(`${ACCOUNTS}/${id}/sync`, undefined, person)
      await soon(async () => expect((await settled(id)) > before).toBe(true))
    }
    const connect = async (input: object = {}) => {
      const user = newCalendarUser()
      const work = await makeCalendar(user, 'work', { name: 'Work' })
      const headers = { 'content-type': 'text/calendar' }
      const put = (uid: string, body: string) =>
        sendCaldavRequest(user, 'PUT', `${work}${encodeURIComponent(uid)}.ics`, { body, headers })
      const textOf = async (uid: string): Promise<string> =>
        (await sendCaldavRequest(user, 'GET', `${work}${encodeURIComponent(uid)}.ics`)).text()
      const { url, username, password } = user
      const add = async (): Promise<string> => {
        const body = { kind: 'caldav', url, username, password, ...input }
        const { id } = (await instance.post(ACCOUNTS, body, person)).body
        await settled(id)
        return id
      }
      return { put, textOf, add }
    }
    const change = async (id: number, body: object, query = '') =>
      expect((await instance.call('PATCH', `${EVENTS}/${id}${query}`, { body })).status).toBe(200)
    const find = async (uid: string) => {
      const { events } = (await instance.get(`${EVENTS}?start=2026-03-01&end=2026-04-01&limit=200`)).body
      return events.find((event: { uid: string }) => event.uid === uid)
    }
    /** Syncs an event that another program created on the server. */
    const fetched = async (...lines: string[]) => {
      const server = await connect()
      const uid = `${randomUUID()}@example.test`
      await server.put(uid, remoteEvent(uid, 'Lunch', lines.join('\r\n')))
      const account = await server.add()
      const event = await find(uid)
      return { ...server, uid, account, event }
    }
    const pushed = (textOf: (uid: string) => Promise<string>, uid: string, line: string) =>
      soon(async () => {
        const text = await textOf(uid)
        expect(text).toContain(line)
        return text
      })

    const SCHEDULED = [
      'ORGANIZER;CN=Ana;SCHEDULE-STATUS=1.1:mailto:ana@example.org',
      'ATTENDEE;CN=Li;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT;RSVP=TRUE;SCHEDULE-STATUS=1.2:mailto:Li@example.org',
      'ATTENDEE;CN=Tom;PARTSTAT=NEEDS-ACTION;SCHEDULE-AGENT=SERVER:mailto:tom@example.org',
      'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bare@example.org',
    ]

    it('keep all server parameters after a local change', async () => {
      const { textOf, uid, event } = await fetched(...SCHEDULED)
      const before = peopleIn(await textOf(uid))
      expect(Object.keys(before)).toHaveLength(4)
      await change(event.id, { title: 'Late lunch' })
      const after = await pushed(textOf, uid, 'SUMMARY:Late lunch')
      expect(peopleIn(after)).toEqual(before)
      expect(after).not.toContain(CLIENT)
    })

    it('do not inherit SCHEDULE-AGENT=CLIENT from one attendee if the server schedules them', async () => {
      const mixed = 'ATTENDEE;PARTSTAT=NEEDS-ACTION;SCHEDULE-AGENT=CLIENT:mailto:own@example.org'
      const { textOf, uid, event } = await fetched(...SCHEDULED, mixed)
      const before = peopleIn(await textOf(uid))
      await change(event.id, { location: 'Canteen' })
      expect(peopleIn(await pushed(textOf, uid, 'LOCATION:Canteen'))).toEqual(before)
    })

    it('keep their parameters if the case of the address differs, and a new one is left to the server', async () => {
      const { textOf, uid, event } = await fetched(...SCHEDULED)
      const attendees = event.attendees.map(({ email, ...rest }: { email: string }) => ({
        ...rest,
        email: email.toLowerCase(),
      }))
      await change(event.id, { attendees: [...attendees, 'new@example.org'] })
      const after = peopleIn(await pushed(textOf, uid, 'new@example.org'))
      expect(after['ATTENDEE li@example.org']).toContain('SCHEDULE-STATUS=1.2')
      expect(after['ATTENDEE li@example.org']).toContain('RSVP=TRUE')
      expect(after['ATTENDEE new@example.org']).toEqual(['PARTSTAT=NEEDS-ACTION'])
      expect(JSON.stringify(after)).not.toContain(CLIENT)
    })

    it('of a locally changed occurrence are scheduled like those of the series', async () => {
      const { textOf, uid, event } = await fetched('RRULE:FREQ=WEEKLY;COUNT=2', ...SCHEDULED)
      await change(
        event.recurringEventId ?? event.id,
        { title: 'Elsewhere' },
        '?occurrence=2026-03-17T12:00:00Z',
      )
      const [, override = ''] = (await pushed(textOf, uid, 'SUMMARY:Elsewhere')).split('END:VEVENT')
      expect(peopleIn(override)).toEqual(peopleIn(`${SCHEDULED.join('\r\n')}\r\n`))
    })

    it('of local events are never scheduled by the server, even if they are added later', async () => {
      const { add, put, textOf } = await connect({ receivesNew: true })
      const account = await add()
      const start = '2026-03-05T09:00:00Z'
      const { body: made } = await instance.post(EVENTS, { title: 'Review', start })
      await pushed(textOf, made.uid, 'SUMMARY:Review')
      await settled(account)
      await change(made.id, { attendees: ['li@example.org'] })
      const first = await pushed(textOf, made.uid, 'li@example.org')
      expect(peopleIn(first)['ATTENDEE li@example.org']).toContain(CLIENT)
      // Another program invites a guest through the server. The server keeps scheduling that guest.
      const invited = 'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:tom@example.org'
      await settled(account)
      await put(made.uid, first.replace('END:VEVENT', `${invited}\r\nEND:VEVENT`))
      await look(account)
      await change(made.id, { location: 'Room 5' })
      const after = peopleIn(await pushed(textOf, made.uid, 'LOCATION:Room 5'))
      expect(after['ATTENDEE li@example.org']).toContain(CLIENT)
      expect(after['ATTENDEE tom@example.org']).toEqual(['PARTSTAT=NEEDS-ACTION'])
    })

    it('of an imported file do not make the server send invitations', async () => {
      const { add, textOf } = await connect({ receivesNew: true })
      await add()
      const uid = `${randomUUID()}@example.test`
      const lines = [
        'ORGANIZER:mailto:ana@example.org',
        'ATTENDEE;SCHEDULE-AGENT=SERVER;SCHEDULE-FORCE-SEND=REQUEST:mailto:victim@example.org',
        'ATTENDEE;CUTYPE=ROOM:urn:uuid:6d1a2d3c-0000-4000-8000-000000000000',
      ]
      const headers = { 'content-type': 'text/calendar' }
      const body = remoteEvent(uid, 'Party', lines.join('\r\n'))
      expect((await instance.call('POST', '/api/calendar/import', { body, headers })).status).toBe(200)
      const text = await pushed(textOf, uid, 'SUMMARY:Party')
      expect(peopleIn(text)['ATTENDEE victim@example.org']).toEqual(['PARTSTAT=NEEDS-ACTION', CLIENT])
      expect(text.replace(/\r?\n[ \t]/g, '')).toContain(`ATTENDEE;CUTYPE=ROOM;${CLIENT}:urn:uuid:6d1a`)
      expect(text).not.toContain('FORCE-SEND')
    })

    it('are not changed by a tool call before it is confirmed', async () => {
      const { textOf, uid, event, account } = await fetched(...SCHEDULED)
      const before = await textOf(uid)
      const input = { password: PASSWORD, name: 'mcp', scopes: ['calendar:write'] }
      const { token } = (await instance.post('/api/settings/tokens', input, person)).body
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'move_event', arguments: { id: event.id, start: '2026-03-11T09:00:00Z' } },
      }
      const headers = { accept: 'application/json, text/event-stream' }
      const asked = await instance.post('/mcp', call, { token, headers })
      expect(JSON.stringify(asked.body)).toContain('waits for the person')
      await look(account)
      expect(await textOf(uid)).toBe(before)
      const [{ id }] = (await instance.get(`${ACTIONS}?status=pending`, person)).body.actions
      expect((await instance.post(`${ACTIONS}/${id}/confirm`, {}, { token })).status).toBe(403)
      expect((await instance.post(`${ACTIONS}/${id}/confirm`, {}, person)).status).toBe(200)
      const after = await pushed(textOf, uid, 'DTSTART:20260311T090000Z')
      expect(peopleIn(after)).toEqual(peopleIn(before))
    })
  })
})
