import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { storeMail } from './support/meeting-mail.ts'
import { PASSWORD, register } from './support/people.ts'

let mails = 0
interface MailOptions {
  subject?: string
  from?: string
  date?: string
  html?: string
  text?: string
}

const mail = ({
  subject = 'Your booking',
  from = 'Example Air <no-reply@air.example>',
  date = 'Mon, 01 Feb 2027 10:00:00 +0000',
  html,
  text = '',
}: MailOptions) =>
  [
    `From: ${from}`,
    'To: Ana Ruiz <ana@example.org>',
    `Subject: ${subject}`,
    `Message-ID: <reservation-${++mails}@example.org>`,
    `Date: ${date}`,
    'MIME-Version: 1.0',
    `Content-Type: ${html === undefined ? 'text/plain' : 'text/html'}; charset=utf-8`,
    '',
    html ?? text,
    '',
  ].join('\r\n')

const flight = (departure: string, arrival: string, status = 'Confirmed') =>
  `<p>Your booking RXJ34P</p><script type="application/ld+json">${JSON.stringify({
    '@context': 'http://schema.org',
    '@type': 'FlightReservation',
    reservationNumber: 'RXJ34P',
    reservationStatus: `http://schema.org/Reservation${status}`,
    reservationFor: {
      '@type': 'Flight',
      flightNumber: '110',
      airline: { '@type': 'Airline', name: 'United', iataCode: 'UA' },
      departureAirport: { '@type': 'Airport', name: 'San Francisco Airport', iataCode: 'SFO' },
      departureTime: departure,
      arrivalAirport: { '@type': 'Airport', name: 'John F. Kennedy', iataCode: 'JFK' },
      arrivalTime: arrival,
    },
  })}</script>`

const FLIGHT = flight('2027-03-04T20:15:00-08:00', '2027-03-05T06:30:00-05:00')

onOneDatabase('sqlite', 'reservations in email', (engine) => {
  let instance: Instance
  let token: string
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
    token = (await register(instance)).token
  })
  afterAll(() => instance.close())

  const store = (options: MailOptions) => storeMail(instance, mail(options))
  const list = async (id: number) => (await instance.get(`/api/emails/${id}/reservations`)).body.reservations
  const add = async (id: number, body = {}) =>
    (await instance.post(`/api/emails/${id}/reservations`, body)).body
  const event = async (id: number) => (await instance.get(`/api/calendar/events/${id}`)).body
  const task = async (id: number) => (await instance.get(`/api/tasks/${id}`)).body
  const undo = async (id: number) => (await instance.post(`/api/actions/${id}/undo`)).status

  it('adds a flight as an event with the local times of both ends, once', async () => {
    const id = await store({ html: FLIGHT })
    const { body } = await instance.post('/api/ai/email-intelligence', { emailId: id })
    expect(body.reservations).toMatchObject([
      {
        type: 'flight',
        title: 'Flight UA 110 San Francisco → New York',
        evidence: [{ text: 'RXJ34P', place: 'text' }, { offset: null }, { offset: null }],
      },
    ])
    expect(await list(id)).toMatchObject([{ state: 'new', target: 'event', eventId: null }])
    const added = await add(id)
    expect(added.reservations).toMatchObject([{ state: 'added' }])
    expect(added.actionIds).toHaveLength(1)
    expect(await event(added.reservations[0].eventId)).toMatchObject({
      title: 'Flight UA 110 San Francisco → New York',
      start: '2027-03-05T04:15:00.000Z',
      end: '2027-03-05T11:30:00.000Z',
      timezone: 'America/Los_Angeles',
      location: 'San Francisco Airport (SFO)',
      source: 'email',
      emailId: id,
      description: expect.stringMatching(
        /2027-03-04 20:15 \(America\/Los_Angeles\).*\n.*2027-03-05 06:30 \(America\/New_York\)/,
      ),
    })
    expect((await add(id)).actionIds).toEqual([])
    expect(await undo(added.actionIds[0])).toBe(200)
    expect(await list(id)).toMatchObject([{ state: 'new', eventId: null }])
  })

  it('lets a later email change and cancel the same event', async () => {
    const first = await store({ html: FLIGHT })
    const { eventId } = (await add(first)).reservations[0]
    const later = await store({
      html: flight('2027-03-04T21:45:00-08:00', '2027-03-05T08:00:00-05:00'),
      date: 'Tue, 02 Feb 2027 10:00:00 +0000',
    })
    expect(await list(later)).toMatchObject([{ state: 'changed', eventId }])
    const moved = await add(later)
    expect(moved.reservations).toMatchObject([{ state: 'added', eventId }])
    expect((await event(eventId)).start).toBe('2027-03-05T05:45:00.000Z')
    expect(await list(first)).toMatchObject([{ state: 'outdated' }])
    await add(first)
    expect((await event(eventId)).start).toBe('2027-03-05T05:45:00.000Z')

    const last = await store({
      html: flight('2027-03-04T21:45:00-08:00', '2027-03-05T08:00:00-05:00', 'Cancelled'),
      date: 'Wed, 03 Feb 2027 10:00:00 +0000',
    })
    const cancelled = await add(last)
    expect((await event(eventId)).status).toBe('cancelled')
    expect(await undo(cancelled.actionIds[0])).toBe(200)
    expect(await undo(moved.actionIds[0])).toBe(200)
    expect(await event(eventId)).toMatchObject({ status: 'confirmed', start: '2027-03-05T04:15:00.000Z' })
  })

  it('keeps an event that was moved by hand', async () => {
    const id = await store({ html: FLIGHT.replaceAll('RXJ34P', 'MOVED1') })
    const { eventId } = (await add(id)).reservations[0]
    await instance.call('PATCH', `/api/calendar/events/${eventId}`, {
      body: { start: '2027-03-05T05:00:00Z', end: '2027-03-05T11:30:00Z' },
    })
    expect(await list(id)).toMatchObject([{ state: 'added' }])
    expect((await add(id)).actionIds).toEqual([])
    expect((await event(eventId)).start).toBe('2027-03-05T05:00:00.000Z')
  })

  it('adds invoices and parcels as tasks, and completes a delivered parcel', async () => {
    const invoice = await store({
      subject: 'Rechnung RE-2027-017',
      from: 'Werkstatt Beck <post@beck.example>',
      text: 'Rechnungsnummer: RE-2027-017\r\nGesamtbetrag: 1.234,50 €\r\nZahlbar bis 15.02.2027.',
    })
    const { body } = await instance.post(`/api/emails/${invoice}/analyze?apply=true`)
    expect(body.eventIds).toEqual([])
    expect(body.taskIds).toHaveLength(1)
    expect(await task(body.taskIds[0])).toMatchObject({
      title: 'Pay invoice RE-2027-017 – €1,234.50 (Werkstatt Beck)',
      dueDay: '2027-02-15',
      emailId: invoice,
    })
    expect((await instance.post(`/api/emails/${invoice}/analyze?apply=true`)).body.taskIds).toEqual(
      body.taskIds,
    )

    const NUMBER = '00340434123456789012'
    const shipped = await store({
      text: `Your parcel is on its way with DHL.\r\nTracking number: ${NUMBER}\r\nExpected delivery: 4 February 2027`,
    })
    const added = await add(shipped)
    const { taskId, url } = added.reservations[0]
    expect(url).toContain(NUMBER)
    expect(await task(taskId)).toMatchObject({ title: `Parcel DHL ${NUMBER}`, dueDay: '2027-02-04' })
    const delivered = await store({
      text: `Your DHL parcel was delivered.\r\nTracking number: ${NUMBER}`,
      date: 'Thu, 04 Feb 2027 10:00:00 +0000',
    })
    const done = await add(delivered)
    expect(await task(taskId)).toMatchObject({ status: 'done' })
    expect(await undo(done.actionIds[0])).toBe(200)
    expect(await task(taskId)).toMatchObject({ status: 'todo', dueDay: '2027-02-04' })
    expect(await undo(added.actionIds[0])).toBe(200)
    expect((await instance.get(`/api/tasks/${taskId}`)).status).toBe(404)
  })

  it('adds only the selected reservations', async () => {
    const id = await store({
      html: `${FLIGHT.replaceAll('RXJ34P', 'TWO111')}${FLIGHT.replaceAll('RXJ34P', 'TWO222')}`,
    })
    const [first] = await list(id)
    const added = await add(id, { ids: [first.id] })
    expect(added.reservations.map(({ state }: { state: string }) => state)).toEqual(['added', 'new'])
  })

  it('finds no invoice in an email with signs of phishing', async () => {
    const id = await store({
      from: 'PayPal <service@paypa1.com>',
      subject: 'Invoice',
      text: 'Invoice number: 4711-22\r\nTotal: $200.00\r\nDue by 15 February 2027. Pay here: https://paypa1.com/pay',
    })
    const { body } = await instance.post('/api/ai/email-intelligence', { emailId: id })
    expect(body.insights.map(({ kind }: { kind: string }) => kind)).toContain('phishing')
    expect(await list(id)).toEqual([])
    expect((await instance.post(`/api/emails/${id}/analyze?apply=true`)).body.taskIds).toEqual([])
  })

  it('needs the scopes of mail, calendar and tasks', async () => {
    const id = await store({ html: FLIGHT.replaceAll('RXJ34P', 'SCOPE1') })
    const tokenWith = async (...scopes: string[]) =>
      (await instance.post('/api/settings/tokens', { name: 't', scopes, password: PASSWORD }, { token })).body
        .token
    const path = `/api/emails/${id}/reservations`
    const reader = await tokenWith('mail:read')
    expect((await instance.get(path, { token: reader })).status).toBe(403)
    const writer = await tokenWith('calendar:write', 'mail:read')
    expect((await instance.post(path, {}, { token: writer })).status).toBe(403)
    const tasksOnly = await tokenWith('mail:write', 'tasks:write')
    const analysed = await instance.post(`/api/emails/${id}/analyze?apply=true`, undefined, {
      token: tasksOnly,
    })
    expect(analysed.status).toBe(200)
    expect(analysed.body.eventIds).toEqual([])
  })
})
