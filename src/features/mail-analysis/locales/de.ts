import type { ReservationTexts } from './en.ts'

export const de: ReservationTexts = {
  flight: (trip) => `Flug ${trip}`.trim(),
  train: (trip) => `Zug ${trip}`.trim(),
  bus: (trip) => `Bus ${trip.replace(/^bus\s*/i, '')}`.trim(),
  boat: (trip) => `Fähre ${trip}`.trim(),
  taxi: (trip) => `Taxi ${trip}`.trim(),
  car: (company) => (company === '' ? 'Mietwagen' : `Mietwagen: ${company}`),
  hotel: (name) => (name === '' ? 'Hotel' : `Hotel: ${name}`),
  restaurant: (name) => `Tisch: ${name}`,
  event: (name) => name,
  parcel: (carrier, number) => `Paket ${carrier} ${number}`.replace(/\s+/g, ' ').trim(),
  order: (number, merchant) =>
    `Bestellung ${number}${merchant === '' ? '' : ` (${merchant})`}`.replace(/\s+/g, ' '),
  invoice: (number, amount, sender) =>
    [
      'Rechnung bezahlen:',
      number,
      amount === '' ? '' : number === '' ? amount : `– ${amount}`,
      sender === '' ? '' : `(${sender})`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  number: 'Nummer',
  departure: 'Abfahrt',
  arrival: 'Ankunft',
  checkIn: 'Check-in',
  checkOut: 'Check-out',
  pickUp: 'Abholung',
  dropOff: 'Rückgabe',
  start: 'Beginn',
  end: 'Ende',
  seat: 'Sitzplatz',
  platform: 'Gleis oder Gate',
  travellers: 'Reisende',
  guests: 'Gäste',
  tracking: 'Sendungsverfolgung',
  items: 'Artikel',
  assumedZone: 'Die E-Mail nennt keine Zeitzone. Die Zeiten gelten in deiner Zeitzone.',
}
