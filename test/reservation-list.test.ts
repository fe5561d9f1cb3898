import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { callTool } from './support/tool-call.ts'

interface Listed {
  type: string
  status: string
  title: string
  number: string
  start: { local: string } | null
  end: { local: string } | null
  email: { id: number; subject: string }
}

interface Mail {
  subject: string
  from?: string
  date?: string
  text?: string
  html?: string
}

const NOW = '2027-02-20T09:00:00.000Z'

const flight = (departure: string, status = 'Confirmed') => `<p>Your booking RXJ34P</p>
  <script type="application/ld+json">${JSON.stringify({
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
      arrivalTime: '2027-03-05T06:30:00-05:00',
    },
  })}</script>`

onEveryDatabase('the list of reservations', (engine) => {
  let instance: Instance
  let person: Person
  let mails = 0

  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { TZ_DEFAULT: 'Europe/Berlin', REGISTRATION: 'open' },
    })
    instance.clock.advance(Date.parse(NOW) - instance.clock.now().getTime())
    person = await register(instance)
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  /** Stores a mail as it arrived, because the API removes scripts from HTML. */
  const receive = async (
    { subject, from = 'Example Air <no-reply@air.example>', date = '2027-02-10T09:00:00Z', text, html }: Mail,
    to: Person = person,
  ): Promise<number> => {
    const raw = [
      `From: ${from}`,
      'To: me@example.org',
      `Subject: ${subject}`,
      `Message-ID: <trip-${++mails}@example.org>`,
      `Date: ${new Date(date).toUTCString()}`,
      'MIME-Version: 1.0',
      `Content-Type: ${html === undefined ? 'text/plain' : 'text/html'}; charset=utf-8`,
      '',
      html ?? text ?? '',
      '',
    ].join('\r\n')
    const headers = { 'content-type': 'message/rfc822' }
    const { status, body } = await instance.call('POST', '/api/emails', {
      body: raw,
      headers,
      token: to.token,
    })
    expect(status).toBe(201)
    return body.id
  }
  const list = async (input: object = {}, of: Person = person): Promise<Listed[]> =>
    (await callTool(instance, 'list_reservations', input, of.token)).reservations

  const change = (method: string, path: string, body?: object) =>
    instance.call(method, path, { body, token: person.token })

  it('has trips and bills of stored mail, by start, of this account only', async () => {
    const trip = await receive({ subject: 'Your flight', html: flight('2027-03-04T20:15:00-08:00') })
    await receive({
      from: 'Energy <billing@energy.example>',
      subject: 'Invoice 4711',
      text: 'Invoice number: 4711\nAmount due: 42.50 EUR\nDue date: 1 March 2027\n',
    })
    const other = await register(instance, { name: 'Ben', email: 'ben@example.org' })
    expect(await list({}, other)).toEqual([])
    expect(await list()).toMatchObject([
      { type: 'invoice', number: '4711', price: 42.5, currency: 'EUR', end: { local: '2027-03-01' } },
      {
        type: 'flight',
        title: 'Flight UA 110 San Francisco → New York',
        status: 'confirmed',
        start: { local: '2027-03-04T20:15' },
        email: { id: trip, subject: 'Your flight', from: { address: 'no-reply@air.example' } },
      },
    ])
    expect(await list({ types: ['flight'] })).toHaveLength(1)
    expect(await list({ from: '2027-03-02', to: '2027-03-06' })).toMatchObject([{ type: 'flight' }])
    expect(await list({ types: ['invoice'], to: '2027-03-01' })).toEqual([])
  })

  it('follows a later email, whichever is read first', async () => {
    await receive({
      subject: 'New time',
      date: '2027-02-12T09:00:00Z',
      html: flight('2027-03-04T21:00:00-08:00'),
    })
    await receive({
      subject: 'Late copy',
      date: '2027-02-09T09:00:00Z',
      html: flight('2027-03-04T18:00:00-08:00'),
    })
    expect(await list({ types: ['flight'] })).toMatchObject([
      { start: { local: '2027-03-04T21:00' }, email: { subject: 'New time' } },
    ])
    const cancelled = await receive({
      subject: 'Cancelled',
      date: '2027-02-14T09:00:00Z',
      html: flight('2027-03-04T21:00:00-08:00', 'Cancelled'),
    })
    expect(await list({ types: ['flight'] })).toMatchObject([
      { status: 'cancelled', email: { subject: 'Cancelled' } },
    ])
    expect(await list({ types: ['flight'], status: 'confirmed' })).toEqual([])
    // The trip stays cancelled without the email that said so.
    expect((await change('DELETE', `/api/emails/${cancelled}`)).status).toBe(204)
    expect(await list({ types: ['flight'] })).toMatchObject([
      { status: 'cancelled', email: { subject: 'New time' } },
    ])
  })

  it('ignores mail that is older than 60 days, in the trash or imitates another sender', async () => {
    await receive({
      subject: 'Invoice 1',
      date: '2026-12-01T09:00:00Z',
      text: 'Invoice number: 1001\nAmount due: 10.00 EUR\nDue date: 1 March 2027\n',
    })
    const trash = await receive({
      subject: 'Invoice 2',
      text: 'Invoice number: 1002\nAmount due: 10.00 EUR\nDue date: 1 March 2027\n',
    })
    expect(await list({ types: ['invoice'] })).toHaveLength(2)
    await change('PATCH', `/api/emails/${trash}`, { folder: 'trash' })
    expect(await list({ types: ['invoice'] })).toMatchObject([{ number: '4711' }])
  })

  it('hides reservations in private mail from clients of a model', async () => {
    const hidden = await receive({
      subject: 'Invoice 3',
      text: 'Invoice number: 1003\nAmount due: 10.00 EUR\nDue date: 1 March 2027\n',
    })
    await change('PATCH', `/api/emails/${hidden}`, { tags: ['private'] })
    expect(await list({ types: ['invoice'] })).toMatchObject([{ number: '4711' }])
  })

  it('is read by a job, within the transaction that empties the queue', async () => {
    const id = await receive({
      subject: 'Invoice 5',
      text: 'Invoice number: 1005\nAmount due: 10.00 EUR\nDue date: 3 March 2027\n',
    })
    const { db } = instance.database
    const queued = () =>
      db.selectFrom('reservation_mails').select('emailId').where('userId', '=', person.id).execute()
    expect(await queued()).toEqual([{ emailId: id }])
    const { jobs } = instance.app
    const job = (await jobs.enqueue(db, 'read-reservations', {})) as string
    await soon(async () => expect((await jobs.find(job))?.state).toBe('done'))
    expect(await queued()).toEqual([])
  })

  it('disappears with its account', async () => {
    const ben = await register(instance, { name: 'Cleo', email: 'cleo@example.org' })
    await receive({ subject: 'Your flight', html: flight('2027-03-04T20:15:00-08:00') }, ben)
    expect(await list({}, ben)).toHaveLength(1)
    await instance.call('DELETE', '/api/settings/account', { body: { password: PASSWORD }, token: ben.token })
    const rows = await instance.database.db
      .selectFrom('reservations')
      .select('key')
      .where('userId', '=', ben.id)
      .execute()
    expect(rows).toEqual([])
  })
})
