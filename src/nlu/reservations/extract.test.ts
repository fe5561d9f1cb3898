import { expect, it } from 'vitest'
import { extractReservations, type ReservationInput } from './extract.ts'

const OPTIONS = { date: Date.UTC(2027, 1, 1, 9), timezone: 'Europe/Berlin' }

const extract = (given: Partial<ReservationInput>) =>
  extractReservations(
    { subject: '', text: '', html: null, sender: 'Example', calendars: [], jsonLd: [], ...given },
    OPTIONS,
  )

const jsonLd = (data: unknown): string =>
  `<script type="application/ld+json">${typeof data === 'string' ? data : JSON.stringify(data)}</script>`

const FLIGHT = {
  '@context': 'http://schema.org',
  '@type': 'FlightReservation',
  reservationNumber: 'RXJ34P',
  reservationStatus: 'http://schema.org/ReservationConfirmed',
  underName: { '@type': 'Person', name: 'Eva Green' },
  reservationFor: {
    '@type': 'Flight',
    flightNumber: '110',
    airline: { '@type': 'Airline', name: 'United', iataCode: 'UA' },
    departureAirport: { '@type': 'Airport', name: 'San Francisco Airport', iataCode: 'SFO' },
    departureTime: '2027-03-04T20:15:00-08:00',
    arrivalAirport: { '@type': 'Airport', name: 'John F. Kennedy', iataCode: 'JFK' },
    arrivalTime: '2027-03-05T06:30:00-05:00',
  },
}

it('reads a flight from JSON-LD with the time zones of both airports', () => {
  const [flight, ...others] = extract({ html: jsonLd(FLIGHT), text: 'Your code: RXJ34P' })
  expect(others).toEqual([])
  expect(flight).toMatchObject({
    type: 'flight',
    status: 'confirmed',
    number: 'RXJ34P',
    trip: 'UA110',
    travellers: ['Eva Green'],
    start: {
      local: '2027-03-04T20:15',
      instant: Date.UTC(2027, 2, 5, 4, 15),
      timezone: 'America/Los_Angeles',
    },
    end: { local: '2027-03-05T06:30', timezone: 'America/New_York' },
    source: 'markup',
  })
  expect(flight?.evidence[0]).toEqual({ text: 'RXJ34P', offset: 11, place: 'text' })
})

it('uses the zone of the airport, then that of the reader, for times without an offset', () => {
  const at = (code: string) => {
    const { reservationFor } = FLIGHT
    const airport = { '@type': 'Airport', name: 'Somewhere', iataCode: code }
    const trip = { ...reservationFor, departureAirport: airport, departureTime: '2027-03-04 20:15' }
    return extract({ html: jsonLd({ ...FLIGHT, reservationFor: trip }) })[0]?.start
  }
  expect(at('NRT')).toMatchObject({ timezone: 'Asia/Tokyo', zoneSource: 'airport' })
  expect(at('XQQ')).toMatchObject({ timezone: 'Europe/Berlin', zoneSource: 'reader' })
})

it('reads all reservation types, also in a graph, a package or a reference', () => {
  const place = { '@type': 'Place', name: 'Here' }
  const html = jsonLd({
    '@context': 'https://schema.org',
    '@graph': [
      { '@id': '#trip', '@type': 'TrainTrip', trainNumber: 'ICE 577', departureStation: place },
      {
        '@type': 'ReservationPackage',
        reservationNumber: 'PACK1',
        subReservation: [
          { '@type': 'TrainReservation', reservationFor: { '@id': '#trip' } },
          {
            '@type': 'BusReservation',
            reservationFor: { '@type': 'BusTrip', busNumber: '12', departureTime: '2027-05-01T08:00' },
          },
        ],
      },
      {
        '@type': 'LodgingReservation',
        reservationNumber: 'H1',
        reservationFor: { '@type': 'Hotel', name: 'Adler' },
        checkinTime: 'March 4, 2027 3:00 PM',
        checkoutTime: '2027-03-06',
      },
      {
        '@type': 'FoodEstablishmentReservation',
        startTime: '2027-03-04T19:00:00+01:00',
        partySize: 3,
        reservationFor: { '@type': 'FoodEstablishment', name: 'Da Mario' },
      },
      {
        '@type': 'RentalCarReservation',
        reservationId: 'C1',
        pickupTime: '2027-03-04T09:00',
        pickupLocation: place,
      },
      { '@type': 'TaxiReservation', pickupTime: '2027-03-04T05:00', pickupLocation: place },
      {
        '@type': 'BoatReservation',
        reservationFor: {
          '@type': 'BoatTrip',
          departureBoatTerminal: place,
          departureTime: '2027-03-07T05:00',
        },
      },
      { '@type': 'MusicEvent', name: 'Concert', startDate: '2027-03-08T20:00', location: place },
      {
        '@type': 'Order',
        orderNumber: 12345,
        merchant: { '@type': 'Organization', name: 'Shop' },
        orderDelivery: {
          '@type': 'ParcelDelivery',
          trackingNumber: '1Z999AA10123456784',
          trackingUrl: 'javascript:alert(1)',
        },
      },
      {
        '@type': 'Invoice',
        accountId: 'A-1',
        paymentDueDate: '2027-03-10',
        totalPaymentDue: { '@type': 'PriceSpecification', price: '99.50', priceCurrency: 'EUR' },
      },
    ],
  })
  const found = extract({ html })
  expect(found.map(({ type }) => type).toSorted()).toEqual([
    'boat',
    'bus',
    'car',
    'event',
    'hotel',
    'invoice',
    'order',
    'parcel',
    'restaurant',
    'taxi',
    'train',
  ])
  const one = (type: string) => found.find((each) => each.type === type)
  expect(one('bus')).toMatchObject({ number: 'PACK1', trip: '12' })
  expect(one('hotel')).toMatchObject({
    name: 'Adler',
    start: { local: '2027-03-04T15:00' },
    end: { local: '2027-03-06' },
  })
  expect(one('restaurant')).toMatchObject({ name: 'Da Mario', party: 3 })
  expect(one('invoice')).toMatchObject({ price: 99.5, currency: 'EUR', end: { local: '2027-03-10' } })
  // A script is no web address, so the link is made from the number.
  expect(one('parcel')).toMatchObject({
    provider: 'UPS',
    url: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
  })
})

it('reads broken JSON as far as possible', () => {
  const broken = `{ "@type": "EventReservation", // booked
    "reservationNumber": "E1"
    "reservationFor": { "@type": "Event", "name": "Line
break", "startDate": "2027-03-04T20:00:00+01:00", },`
  expect(extract({ html: jsonLd(broken) })).toMatchObject([
    { type: 'event', number: 'E1', name: 'Line break' },
  ])
  expect(extract({ html: jsonLd('') })).toEqual([])
})

it('reads microdata, but not in quoted history', () => {
  const html = `<p itemscope itemtype="http://schema.org/EventReservation">
    Number: <span itemprop="reservationNumber">IO12345</span>
    <div itemprop="reservationFor" itemscope itemtype="http://schema.org/Event">
      <span itemprop="name">Google I/O</span>
      <time itemprop="startDate" datetime="2027-05-15T08:30:00-08:00">May 15</time></div></p>`
  expect(extract({ html })).toMatchObject([{ type: 'event', number: 'IO12345', name: 'Google I/O' }])
  expect(extract({ html: `<p>Thanks!</p><blockquote>${html}</blockquote>` })).toEqual([])
})

it('merges the travellers of one flight, and gives an update the same key', () => {
  const second = { ...FLIGHT, underName: { '@type': 'Person', name: 'Max Green' } }
  const [flight, ...others] = extract({ html: jsonLd([FLIGHT, second]) })
  expect(others).toEqual([])
  expect(flight?.travellers).toEqual(['Eva Green', 'Max Green'])
  const moved = { ...FLIGHT.reservationFor, flightNumber: '112', departureTime: '2027-03-05T08:00:00-08:00' }
  const [update] = extract({ html: jsonLd({ ...FLIGHT, reservationFor: moved }) })
  expect(update?.key).toBe(flight?.key)
  expect(update?.start?.local).toBe('2027-03-05T08:00')
})

it('keeps two reservations that differ only in a detail', () => {
  const seated = (name: string, seat: string) => ({
    ...FLIGHT,
    underName: { '@type': 'Person', name },
    airplaneSeat: seat,
  })
  expect(extract({ html: jsonLd([seated('Eva Green', '12A'), seated('Max Green', '12B')]) })).toMatchObject([
    { travellers: ['Eva Green', 'Max Green'], seat: '12A, 12B' },
  ])
  const offerOf = (price: string) => ({
    '@context': 'http://schema.org',
    '@type': 'LodgingReservation',
    reservationNumber: 'H1',
    reservationFor: { '@type': 'LodgingBusiness', name: 'Hotel Adler' },
    checkinTime: '2027-03-04T15:00:00+01:00',
    checkoutTime: '2027-03-05T11:00:00+01:00',
    totalPrice: price,
    priceCurrency: 'EUR',
  })
  const offers = extract({ html: jsonLd([offerOf('80'), offerOf('120')]) })
  expect(offers.map(({ price }) => price).sort()).toEqual([120, 80])
  expect(new Set(offers.map(({ key }) => key)).size).toBe(2)
  const table = (hour: string) =>
    extract({
      html: jsonLd({
        '@context': 'http://schema.org',
        '@type': 'FoodEstablishmentReservation',
        reservationFor: { '@type': 'FoodEstablishment', name: 'Da Mario' },
        startTime: `2027-03-04T${hour}:00:00+01:00`,
      }),
    })[0]?.key
  expect(table('12')).toBeDefined()
  expect(table('12')).not.toBe(table('19'))
})

it('reads connections of a calendar file with trains over midnight', () => {
  const calendar = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'SUMMARY:Hamburg Hbf -> Basel SBB',
    'DTSTART;TZID=Europe/Berlin:20270304T220500',
    'DTEND;TZID=Europe/Berlin:20270305T070000',
    'DESCRIPTION:ab 22:05 Hamburg Hbf - Gleis 14 (ICE 1689)\\nan 23:40 Hannover',
    '  Hbf - Gleis 8\\n\\nab 00:20 Hannover Hbf - Gleis 9 (NJ  401)\\nan 07:00 Basel SBB',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  expect(extract({ calendars: [calendar] })).toMatchObject([
    {
      trip: 'ICE 1689',
      platform: '14',
      start: { local: '2027-03-04T22:05' },
      end: { local: '2027-03-04T23:40' },
    },
    {
      trip: 'NJ 401',
      from: { name: 'Hannover Hbf' },
      start: { local: '2027-03-05T00:20' },
      end: { local: '2027-03-05T07:00' },
    },
  ])
})

it('reads flights and hotels from text', () => {
  const text = [
    'Thank you for your booking.',
    'Booking reference: K7X2PQ',
    '',
    'Flight LH 123, Friday 5 March 2027',
    'Departure: 10:05 Berlin (BER)',
    'Arrival: 11:20 London (LHR)',
  ].join('\n')
  expect(extract({ text })).toMatchObject([
    {
      type: 'flight',
      number: 'K7X2PQ',
      trip: 'LH123',
      provider: 'Lufthansa',
      start: { local: '2027-03-05T10:05', timezone: 'Europe/Berlin', zoneSource: 'airport' },
      end: { local: '2027-03-05T11:20', timezone: 'Europe/London' },
    },
  ])
  const stay =
    'Ihre Buchung im Hotel Adler\nBuchungsnummer: 4711-88\nAnreise: 05.03.2027 ab 15:00 Uhr\nAbreise: 07.03.2027\n2 Nächte, 1 Zimmer'
  expect(extract({ text: stay })).toMatchObject([
    {
      type: 'hotel',
      number: '4711-88',
      name: 'Hotel Adler',
      start: { local: '2027-03-05T15:00' },
      end: { local: '2027-03-07' },
    },
  ])
  const cancelled = extract({ text, subject: 'Your flight has been cancelled' })
  expect(cancelled[0]?.status).toBe('cancelled')
  expect(
    extract({
      text: `Sounds good!\n\nOn Mon, 1 Feb 2027 Ben <ben@example.org> wrote:\n${text.replace(/^/gm, '> ')}`,
    }),
  ).toEqual([])
})

it('reads trips whose ends have labels', () => {
  const bus = [
    'Your FlixBus booking',
    'Booking number: 3012345678',
    'Departure: 12 Mar 2027, 22:30',
    'Berlin ZOB',
    'Arrival: 13 Mar 2027, 05:45',
    'Munich ZOB',
    'Bus 076',
  ].join('\n')
  expect(extract({ text: bus })).toMatchObject([
    {
      type: 'bus',
      number: '3012345678',
      trip: '076',
      from: { name: 'Berlin ZOB' },
      to: { name: 'Munich ZOB' },
      start: { local: '2027-03-12T22:30' },
      end: { local: '2027-03-13T05:45' },
    },
  ])
  const train = 'Votre train TGV 6607\nDépart : Paris 12/03/2027 07:00\nArrivée : Lyon 12/03/2027 09:04'
  expect(extract({ text: train })).toMatchObject([
    {
      type: 'train',
      trip: 'TGV 6607',
      start: { local: '2027-03-12T07:00' },
      end: { local: '2027-03-12T09:04' },
    },
  ])
})

it('reads parcels with their carrier and expected day', () => {
  expect(
    extract({
      text: 'Ihr Paket ist unterwegs.\nSendungsnummer: 0034 0434 1234 5678 9012\nDHL liefert voraussichtlich am Mittwoch, 3. Februar 2027.',
    }),
  ).toMatchObject([
    { type: 'parcel', number: '00340434123456789012', provider: 'DHL', end: { local: '2027-02-03' } },
  ])
  expect(extract({ text: 'Your package 1Z999AA10123456784 was delivered.' })).toMatchObject([
    { type: 'parcel', provider: 'UPS', status: 'delivered' },
  ])
})

it('reads invoices with amount and due date', () => {
  expect(
    extract({
      text: 'Rechnungsnummer: RE-2027-017\nGesamtbetrag: 1.234,50 €\nZahlbar bis 15.02.2027 ohne Abzug.',
      subject: 'Rechnung',
    }),
  ).toMatchObject([
    {
      type: 'invoice',
      status: 'pending',
      number: 'RE-2027-017',
      price: 1234.5,
      currency: 'EUR',
      end: { local: '2027-02-15' },
    },
  ])
  expect(
    extract({ text: 'Invoice no. 4711. Total: $20.00. Please pay within 14 days.', subject: 'Invoice' }),
  ).toMatchObject([{ price: 20, currency: 'USD', end: { local: '2027-02-15' } }])
  expect(
    extract({ text: 'Invoice no. 4711. Total: $20.00. Thank you for your payment.', subject: 'Invoice' }),
  ).toMatchObject([{ status: 'paid', end: null }])
})

it('reads regular payments with amount and due date in one sentence', () => {
  expect(extract({ text: 'The annual membership fee of £45.00 is due on 1 March 2027.' })).toMatchObject([
    { type: 'invoice', price: 45, currency: 'GBP', end: { local: '2027-03-01' } },
  ])
  expect(extract({ text: 'Die Kursgebühr beträgt 80,00 EUR und ist am 15.02.2027 fällig.' })).toMatchObject([
    { type: 'invoice', price: 80, end: { local: '2027-02-15' } },
  ])
  expect(
    extract({ text: 'The fee is 20 EUR. My report is due on 1 March 2027.', subject: 'Course' }),
  ).toEqual([])
})

it('finds nothing in ordinary mail', () => {
  for (const text of [
    'Could you check the invoice RE-2026-17 over 1,200.00 EUR? Thanks, Ben',
    'My flight LH 123 lands at 10:05 on Friday. Will you pick me up?',
    'The train was late again. Shall we meet at 10:30 in Room 5?',
    'Track the progress of project 12345678 in the sheet.',
  ])
    expect(extract({ text })).toEqual([])
})

it('stays fast and bounded with hostile markup', () => {
  const deep = '{"a":'.repeat(50_000)
  const nested = '<div itemscope itemtype="http://schema.org/Event" itemprop="x">'.repeat(8_000)
  const many = jsonLd(Array.from({ length: 500 }, () => FLIGHT))
  const references = jsonLd({
    '@graph': [{ '@id': '#a', '@type': 'Event', about: { '@id': '#a' }, name: 'x', startDate: '2027-01-01' }],
  })
  for (const html of [jsonLd(deep), nested, many, references, jsonLd(`"${'\\'.repeat(100_000)}`)])
    expect(extract({ html }).length).toBeLessThanOrEqual(50)
  for (const text of [
    'flight LH 12 '.repeat(2_000),
    'Tracking number: '.repeat(2_000),
    `ab 10:00 ${'x '.repeat(10_000)}`,
    'Rechnung Betrag 1.000 '.repeat(1_500),
  ])
    expect(extract({ text }).length).toBeLessThanOrEqual(50)
})
