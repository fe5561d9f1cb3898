import { findCarrier, toTrackingUrl } from './carriers.ts'
import {
  BLANK,
  cleanUrl,
  cleanValue,
  MAX_RESERVATIONS,
  type Reservation,
  type ReservationEvidence,
  type ReservationPlace,
  type ReservationStatus,
  type ReservationType,
} from './reservation.ts'
import type { DataItem, DataValue } from './structured-data.ts'
import { readTimeValue, type TimeContext } from './times.ts'

/* Converts schema.org items of a mail to reservations. */

const MAX_DEPTH = 12

const valuesOf = (item: DataItem | undefined, ...names: string[]): DataValue[] =>
  names.map((name) => item?.properties.get(name.toLowerCase()) ?? []).find((values) => values.length > 0) ??
  []

const isItem = (value: DataValue | undefined): value is DataItem =>
  value !== undefined && typeof value !== 'string'

/** The first text of these properties. An item counts by its name or identifier. */
const textOf = (item: DataItem | undefined, ...names: string[]): string | null => {
  for (const name of names)
    for (const value of valuesOf(item, name)) {
      const text = cleanValue(isItem(value) ? textOf(value, 'name', 'value', 'identifier') : value)
      if (text !== null) return text
    }
  return null
}

const itemOf = (item: DataItem | undefined, ...names: string[]): DataItem | undefined =>
  valuesOf(item, ...names).find(isItem)

const itemsOf = (item: DataItem | undefined, ...names: string[]): DataItem[] =>
  valuesOf(item, ...names)
    .filter(isItem)
    .slice(0, MAX_RESERVATIONS)

const hasType = (item: DataItem, pattern: RegExp): boolean => item.types.some((type) => pattern.test(type))

const addressOf = (item: DataItem | undefined): string | null => {
  const address = itemOf(item, 'address')
  if (!address) return textOf(item, 'address')
  const parts = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry']
  return cleanValue(
    parts
      .map((part) => textOf(address, part))
      .filter((part) => part !== null)
      .join(', '),
  )
}

const placeOf = (item: DataItem | undefined, ...names: string[]): ReservationPlace | null => {
  const place = itemOf(item, ...names)
  const name = place ? textOf(place, 'name', 'iataCode') : textOf(item, ...names)
  const code = textOf(place, 'iataCode')
  const address = addressOf(place)
  if (name === null && address === null) return null
  return {
    name: name ?? (address as string),
    code: code !== null && /^[A-Z]{3}$/i.test(code) ? code.toUpperCase() : null,
    address,
  }
}

const personOf = (person: DataValue): string | null => {
  if (!isItem(person)) return cleanValue(person)
  const full = [textOf(person, 'givenName'), textOf(person, 'familyName')].filter((part) => part !== null)
  return textOf(person, 'name') ?? cleanValue(full.join(' '))
}

const travellersOf = (item: DataItem): string[] =>
  valuesOf(item, 'underName', 'passenger')
    .map(personOf)
    .filter((name) => name !== null)
    .slice(0, 20)

const statusOf = (text: string | null): ReservationStatus => {
  const status = (text ?? '').toLowerCase()
  if (/cancel|storn/.test(status)) return 'cancelled'
  if (/pending|hold|paymentdue/.test(status)) return 'pending'
  return 'confirmed'
}

const toNumber = (text: string | null): number | null => {
  if (text === null) return null
  const digits = text.replace(/[^\d.,-]/g, '')
  const plain = /,\d{1,2}$/.test(digits)
    ? digits.replaceAll('.', '').replace(',', '.')
    : digits.replaceAll(',', '')
  return plain === '' || Number.isNaN(Number(plain)) ? null : Number(plain)
}

const priceOf = (item: DataItem): { price: number | null; currency: string | null } => {
  const spec = itemOf(item, 'totalPaymentDue', 'totalPrice', 'price', 'priceSpecification')
  const text = spec ? textOf(spec, 'price', 'value') : textOf(item, 'totalPrice', 'totalPaymentDue', 'price')
  const currency =
    textOf(spec, 'priceCurrency', 'currency') ??
    textOf(item, 'priceCurrency') ??
    /\b[A-Z]{3}\b/.exec(text ?? '')?.[0] ??
    null
  return { price: toNumber(text), currency: currency?.slice(0, 3).toUpperCase() ?? null }
}

/** "232" of the airline OS is the flight "OS232". */
const flightNumberOf = (flight: DataItem | undefined): string | null => {
  const number = textOf(flight, 'flightNumber')
  const airline = textOf(itemOf(flight, 'airline', 'provider'), 'iataCode')?.toUpperCase() ?? ''
  if (number === null) return null
  const bare = number.replace(/\s+/g, '').toUpperCase()
  return /^\d+[A-Z]?$/.test(bare) && /^[A-Z\d]{2}$/.test(airline) ? airline + bare : bare
}

interface Context extends TimeContext {
  /** The visible text of the mail, to quote from. */
  text: string
}

/** Quotes the values that identify a reservation, from the visible text if they occur there. */
const quote = (text: string, values: readonly (readonly [string, string | null])[]): ReservationEvidence[] =>
  values.flatMap(([name, value]): ReservationEvidence[] => {
    if (value === null) return []
    const offset = text.indexOf(value)
    return offset < 0
      ? [{ text: `${name}: ${value}`, offset: -1, place: 'markup' }]
      : [{ text: value, offset, place: 'text' }]
  })

type Common = Pick<
  Reservation,
  'status' | 'number' | 'travellers' | 'price' | 'currency' | 'seat' | 'url' | 'source'
>

/** Fields of all reservation types. Parts of a package inherit its number and people. */
const commonOf = (item: DataItem, parent: DataItem | undefined): Common => {
  const ticket = itemOf(item, 'reservedTicket')
  const seat = itemOf(ticket, 'ticketedSeat')
  const names = ['reservationNumber', 'reservationId', 'confirmationNumber', 'identifier'] as const
  const travellers = travellersOf(item)
  const ticketHolder = ticket ? travellersOf(ticket) : []
  return {
    status: statusOf(textOf(item, 'reservationStatus', 'status') ?? textOf(parent, 'reservationStatus')),
    number: textOf(item, ...names) ?? textOf(parent, ...names),
    travellers:
      [travellers, ticketHolder, parent ? travellersOf(parent) : []].find((list) => list.length > 0) ?? [],
    ...priceOf(item),
    seat:
      textOf(seat, 'seatNumber') ??
      textOf(item, 'airplaneSeat', 'seatNumber') ??
      textOf(ticket, 'ticketedSeat'),
    url: cleanUrl(textOf(item, 'url', 'modifyReservationUrl', 'checkinUrl')),
    source: 'markup',
  }
}

const DEPARTURE = ['departureAirport', 'departureStation', 'departureBusStop', 'departureBoatTerminal']
const ARRIVAL = ['arrivalAirport', 'arrivalStation', 'arrivalBusStop', 'arrivalBoatTerminal']

const tripOf = (
  type: ReservationType,
  trip: DataItem | undefined,
  common: Common,
  context: Context,
): Reservation | undefined => {
  const from = placeOf(trip, ...DEPARTURE)
  const to = placeOf(trip, ...ARRIVAL)
  const start = readTimeValue(textOf(trip, 'departureTime', 'departureDay', 'departureDate'), from, context)
  const end = readTimeValue(textOf(trip, 'arrivalTime'), to, context)
  const number =
    type === 'flight'
      ? flightNumberOf(trip)
      : textOf(trip, 'trainNumber', 'busNumber', 'trainName', 'busName', 'identifier')
  if (start === null && from === null && to === null) return undefined
  return {
    ...BLANK,
    ...common,
    type,
    trip: number,
    name: textOf(trip, 'name'),
    provider: textOf(trip, 'airline', 'provider', 'seller'),
    from,
    to,
    start,
    end,
    platform: textOf(trip, 'departurePlatform', 'departureGate'),
    evidence: quote(context.text, [
      ['number', common.number],
      ['trip', number],
      ['departure', start?.local ?? null],
    ]),
  }
}

const stayOf = (item: DataItem, common: Common, context: Context): Reservation | undefined => {
  const hotel = itemOf(item, 'reservationFor')
  const place = placeOf(item, 'reservationFor')
  const start = readTimeValue(textOf(item, 'checkinTime', 'checkinDate'), place, context)
  const end = readTimeValue(textOf(item, 'checkoutTime', 'checkoutDate'), place, context)
  const name = textOf(hotel, 'name') ?? textOf(item, 'reservationFor')
  if (start === null && name === null) return undefined
  return {
    ...BLANK,
    ...common,
    type: 'hotel',
    name,
    to: place,
    start,
    end,
    party: toNumber(textOf(item, 'numAdults', 'partySize')),
    evidence: quote(context.text, [
      ['number', common.number],
      ['name', name],
      ['check-in', start?.local ?? null],
    ]),
  }
}

const eventOf = (event: DataItem | undefined, common: Common, context: Context): Reservation | undefined => {
  const name = textOf(event, 'name')
  const to = placeOf(event, 'location')
  const start = readTimeValue(textOf(event, 'startDate', 'startTime', 'doorTime'), to, context)
  const end = readTimeValue(textOf(event, 'endDate', 'endTime'), to, context)
  if (name === null || start === null) return undefined
  return {
    ...BLANK,
    ...common,
    type: 'event',
    status: common.status === 'confirmed' ? statusOf(textOf(event, 'eventStatus')) : common.status,
    name,
    to,
    start,
    end,
    provider: textOf(event, 'organizer'),
    evidence: quote(context.text, [
      ['number', common.number],
      ['name', name],
      ['start', start.local],
    ]),
  }
}

const tableOf = (item: DataItem, common: Common, context: Context): Reservation | undefined => {
  const to = placeOf(item, 'reservationFor')
  const start = readTimeValue(textOf(item, 'startTime', 'startDate'), to, context)
  if (start === null || to === null) return undefined
  return {
    ...BLANK,
    ...common,
    type: 'restaurant',
    name: to.name,
    to,
    start,
    end: readTimeValue(textOf(item, 'endTime'), to, context),
    party: toNumber(textOf(item, 'partySize')),
    evidence: quote(context.text, [
      ['number', common.number],
      ['name', to.name],
      ['start', start.local],
    ]),
  }
}

const rideOf = (
  type: 'car' | 'taxi',
  item: DataItem,
  common: Common,
  context: Context,
): Reservation | undefined => {
  const from = placeOf(item, 'pickupLocation')
  const to = placeOf(item, 'dropoffLocation')
  const start = readTimeValue(textOf(item, 'pickupTime'), from, context)
  if (start === null) return undefined
  return {
    ...BLANK,
    ...common,
    type,
    name: textOf(itemOf(item, 'reservationFor'), 'name'),
    provider: textOf(itemOf(item, 'reservationFor'), 'rentalCompany') ?? textOf(item, 'provider'),
    from,
    to,
    start,
    end: readTimeValue(textOf(item, 'dropoffTime'), to ?? from, context),
    party: toNumber(textOf(item, 'partySize')),
    evidence: quote(context.text, [
      ['number', common.number],
      ['pick-up', start.local],
    ]),
  }
}

const orderedItems = (order: DataItem | undefined): string[] => {
  const offers = itemsOf(order, 'acceptedOffer').map((offer) => textOf(offer, 'itemOffered', 'name'))
  const items = itemsOf(order, 'orderedItem').map((line) => textOf(line, 'orderedItem', 'name'))
  return [...offers, ...items].filter((name) => name !== null).slice(0, 20)
}

const parcelOf = (item: DataItem, order: DataItem | undefined, context: Context): Reservation | undefined => {
  const part = itemOf(item, 'partOfOrder') ?? order
  const number = textOf(item, 'trackingNumber')
  const url = cleanUrl(textOf(item, 'trackingUrl'))
  const delivery = textOf(item, 'deliveryStatus') ?? textOf(itemOf(item, 'hasDeliveryStatus'), 'name') ?? ''
  const end = readTimeValue(textOf(item, 'expectedArrivalUntil', 'expectedArrivalFrom'), null, context)
  if (number === null && url === null && end === null) return undefined
  const carrier = textOf(item, 'carrier', 'provider') ?? findCarrier(number ?? '')
  return {
    ...BLANK,
    type: 'parcel',
    source: 'markup',
    status: /delivered/i.test(delivery) ? 'delivered' : statusOf(textOf(part, 'orderStatus')),
    number,
    provider: carrier,
    end,
    url: url ?? toTrackingUrl(carrier, number),
    items: [
      ...itemsOf(item, 'itemShipped')
        .map((product) => textOf(product, 'name'))
        .filter((name) => name !== null),
      ...orderedItems(part),
    ].slice(0, 20),
    name: textOf(part, 'merchant', 'seller'),
    to: placeOf(item, 'deliveryAddress'),
    evidence: quote(context.text, [
      ['tracking number', number],
      ['order', textOf(part, 'orderNumber')],
    ]),
  }
}

const orderOf = (item: DataItem, context: Context): Reservation | undefined => {
  const number = textOf(item, 'orderNumber', 'confirmationNumber')
  const merchant = textOf(item, 'merchant', 'seller', 'broker')
  if (number === null && merchant === null) return undefined
  const items = orderedItems(item)
  return {
    ...BLANK,
    type: 'order',
    source: 'markup',
    status: statusOf(textOf(item, 'orderStatus')),
    number,
    provider: merchant,
    name: items[0] ?? null,
    items,
    ...priceOf(item),
    start: readTimeValue(textOf(item, 'orderDate'), null, context),
    url: cleanUrl(textOf(item, 'url', 'orderStatusUrl')),
    evidence: quote(context.text, [
      ['order', number],
      ['merchant', merchant],
    ]),
  }
}

const invoiceOf = (item: DataItem, context: Context): Reservation | undefined => {
  const number = textOf(item, 'confirmationNumber', 'identifier', 'invoiceNumber', 'accountId')
  const end = readTimeValue(textOf(item, 'paymentDueDate', 'paymentDue'), null, context)
  const { price, currency } = priceOf(item)
  if (number === null && price === null) return undefined
  const status = textOf(item, 'paymentStatus') ?? ''
  return {
    ...BLANK,
    type: 'invoice',
    source: 'markup',
    status: /complete|paid/i.test(status) && !/due|unpaid/i.test(status) ? 'paid' : 'pending',
    number,
    provider: textOf(item, 'provider', 'broker', 'seller'),
    price,
    currency,
    end,
    url: cleanUrl(textOf(item, 'url')),
    evidence: quote(context.text, [
      ['invoice', number],
      ['due', end?.local ?? null],
    ]),
  }
}

const NO_COMMON: Common = { ...BLANK, source: 'markup' }

const TRIPS: readonly (readonly [RegExp, ReservationType])[] = [
  [/^FlightReservation$/i, 'flight'],
  [/^TrainReservation$/i, 'train'],
  [/^BusReservation$/i, 'bus'],
  [/^Boat(?:Trip)?Reservation$/i, 'boat'],
]
/** A trip without a reservation around it. */
const BARE_TRIPS: readonly (readonly [RegExp, ReservationType])[] = [
  [/^Flight$/i, 'flight'],
  [/^TrainTrip$/i, 'train'],
  [/^BusTrip$/i, 'bus'],
  [/^BoatTrip$/i, 'boat'],
]
const EVENT = /(?:^|[a-z])Event$|^Festival$/

/** Converts the item itself. Undefined if it is none of the known types; empty if it lacks its facts. */
const convert = (
  item: DataItem,
  parent: DataItem | undefined,
  context: Context,
): Reservation[] | undefined => {
  const one = (found: Reservation | undefined): Reservation[] => (found ? [found] : [])
  const trip = TRIPS.find(([pattern]) => hasType(item, pattern))
  if (trip) {
    const common = commonOf(item, parent)
    return itemsOf(item, 'reservationFor').flatMap((leg) => one(tripOf(trip[1], leg, common, context)))
  }
  if (hasType(item, /^LodgingReservation$/i)) return one(stayOf(item, commonOf(item, parent), context))
  if (hasType(item, /^EventReservation$/i))
    return itemsOf(item, 'reservationFor').flatMap((event) =>
      one(eventOf(event, commonOf(item, parent), context)),
    )
  if (hasType(item, /^FoodEstablishmentReservation$/i))
    return one(tableOf(item, commonOf(item, parent), context))
  if (hasType(item, /^RentalCarReservation$/i))
    return one(rideOf('car', item, commonOf(item, parent), context))
  if (hasType(item, /^TaxiReservation$/i)) return one(rideOf('taxi', item, commonOf(item, parent), context))
  if (hasType(item, /^ParcelDelivery$/i))
    return one(parcelOf(item, parent && hasType(parent, /^Order$/i) ? parent : undefined, context))
  if (hasType(item, /^Invoice$/i)) return one(invoiceOf(item, context))
  if (hasType(item, /^Order$/i))
    return [
      orderOf(item, context),
      ...itemsOf(item, 'orderDelivery').map((parcel) => parcelOf(parcel, item, context)),
      ...itemsOf(item, 'partOfInvoice').map((invoice) => invoiceOf(invoice, context)),
    ].filter((found) => found !== undefined)
  const bare = BARE_TRIPS.find(([pattern]) => hasType(item, pattern))
  if (bare) return one(tripOf(bare[1], item, NO_COMMON, context)).filter(({ start }) => start !== null)
  if (hasType(item, EVENT))
    return one(eventOf(item, { ...NO_COMMON, url: cleanUrl(textOf(item, 'url')) }, context))
  return undefined
}

/** Converts items, and those inside of other items such as `EmailMessage` or `ReservationPackage`. */
export const readSchemaOrg = (items: readonly DataItem[], context: Context): Reservation[] => {
  const found: Reservation[] = []
  const seen = new Set<DataItem>()
  const visit = (item: DataItem, parent: DataItem | undefined, depth: number): void => {
    if (depth > MAX_DEPTH || found.length >= MAX_RESERVATIONS || seen.has(item)) return
    seen.add(item)
    const converted = convert(item, parent, context)
    if (converted) {
      found.push(...converted)
      for (const sub of itemsOf(item, 'subReservation')) visit(sub, item, depth + 1)
      return
    }
    const owner = hasType(item, /Reservation(?:Package)?$|^Order$/i) ? item : undefined
    for (const values of item.properties.values())
      for (const value of values) if (isItem(value)) visit(value, owner, depth + 1)
  }
  for (const item of items) visit(item, undefined, 0)
  return found.slice(0, MAX_RESERVATIONS)
}
