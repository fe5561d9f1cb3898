/** Titles and descriptions of events and tasks that are created from reservations. */
export const en = {
  flight: (trip: string) => `Flight ${trip}`.trim(),
  train: (trip: string) => `Train ${trip}`.trim(),
  bus: (trip: string) => `Bus ${trip.replace(/^bus\s*/i, '')}`.trim(),
  boat: (trip: string) => `Ferry ${trip}`.trim(),
  taxi: (trip: string) => `Taxi ${trip}`.trim(),
  car: (company: string) => (company === '' ? 'Rental car' : `Rental car: ${company}`),
  hotel: (name: string) => (name === '' ? 'Hotel' : `Hotel: ${name}`),
  restaurant: (name: string) => `Table: ${name}`,
  event: (name: string) => name,
  parcel: (carrier: string, number: string) => `Parcel ${carrier} ${number}`.replace(/\s+/g, ' ').trim(),
  order: (number: string, merchant: string) =>
    `Order ${number}${merchant === '' ? '' : ` (${merchant})`}`.replace(/\s+/g, ' '),
  invoice: (number: string, amount: string, sender: string) =>
    ['Pay invoice', number, amount === '' ? '' : `– ${amount}`, sender === '' ? '' : `(${sender})`]
      .filter((part) => part !== '')
      .join(' '),
  number: 'Number',
  departure: 'Departure',
  arrival: 'Arrival',
  checkIn: 'Check-in',
  checkOut: 'Check-out',
  pickUp: 'Pick-up',
  dropOff: 'Return',
  start: 'Start',
  end: 'End',
  seat: 'Seat',
  platform: 'Platform or gate',
  travellers: 'Travellers',
  guests: 'Guests',
  tracking: 'Tracking',
  items: 'Items',
  assumedZone: 'The email names no time zone. The times are in your time zone.',
}

export type ReservationTexts = typeof en
