import { readSections } from '../lexicon/sections.ts'
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

const travellersOf = (item: DataItem | undefined): string[] =>
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

/** Fields of all reservation types. Parts of a package inherit its number and people. */
const commonOf = (item: DataItem, parent: DataItem | undefined) => {
  const ticket = itemOf(item, 'reservedTicket')
  const names = ['reservationNumber', 'reservationId', 'confirmationNumber', 'identifier']
  return {
    status: statusOf(textOf(item, 'reservationStatus', 'status') ?? textOf(parent, 'reservationStatus')),
    number: textOf(item, ...names) ?? textOf(parent, ...names),
    travellers: [item, ticket, parent].map(travellersOf).find((list) => list.length > 0) ?? [],
    ...priceOf(item),
    seat:
      textOf(itemOf(ticket, 'ticketedSeat'), 'seatNumber') ??
      textOf(item, 'airplaneSeat', 'seatNumber') ??
      textOf(ticket, 'ticketedSeat'),
    url: cleanUrl(textOf(item, 'url', 'modifyReservationUrl', 'checkinUrl')),
  }
}

const FILE = new URL('../lexicon/schema-org.txt', import.meta.url)

let loaded: ReadonlyMap<string, readonly string[]> | undefined

/** Reads the fields of a reservation that the word list knows for a kind of item. */
const readFields = (item: DataItem, kind: string, context: Context) => {
  loaded ??= new Map(readSections(FILE).map(({ heading, phrases }) => [heading, phrases]))
  const properties = loaded
  const names = (field: string): readonly string[] => properties.get(`${kind} ${field}`) ?? []
  const text = (field: string): string | null => textOf(item, ...names(field))
  const [from, to] = [placeOf(item, ...names('from')), placeOf(item, ...names('to'))]
  return {
    number: text('number'),
    name: text('name'),
    provider: text('provider'),
    trip: text('trip'),
    from,
    to,
    start: readTimeValue(text('start'), names('from').length > 0 ? from : to, context),
    end: readTimeValue(text('end'), to ?? from, context),
    platform: text('platform'),
    party: toNumber(text('party')),
    url: cleanUrl(text('url')),
  }
}

/** An item with what its converter needs. */
interface Given {
  item: DataItem
  parent: DataItem | undefined
  /** The kind of trip that the type of the item names. */
  kind: string
  common: ReturnType<typeof commonOf>
  context: Context
}

/** The fields of a reservation. `quoted` has the values that identify it. */
type Facts = Partial<Reservation> & { type: ReservationType; quoted: Readonly<Record<string, string | null>> }

const toTrip = (item: DataItem, { kind, common, context }: Given): Facts | undefined => {
  const facts = readFields(item, 'trip', context)
  const { start, from, to } = facts
  const trip = kind === 'flight' ? flightNumberOf(item) : facts.trip
  if (start === null && from === null && to === null) return undefined
  const quoted = { number: common.number, trip, departure: start?.local ?? null }
  return { ...facts, ...common, type: kind as ReservationType, trip, quoted }
}

/** A trip without a reservation needs a time. */
const toBareTrip = (item: DataItem, given: Given): Facts | undefined => {
  const trip = toTrip(item, given)
  return trip?.start ? trip : undefined
}

const toStay = (item: DataItem, { common, context }: Given): Facts | undefined => {
  const facts = readFields(item, 'stay', context)
  const { name, start } = facts
  if (start === null && name === null) return undefined
  const quoted = { number: common.number, name, 'check-in': start?.local ?? null }
  return { ...facts, ...common, type: 'hotel', quoted }
}

const toEvent = (item: DataItem, { common, context }: Given): Facts | undefined => {
  const facts = readFields(item, 'event', context)
  const { name, start } = facts
  if (name === null || start === null) return undefined
  const status = common.status === 'confirmed' ? statusOf(textOf(item, 'eventStatus')) : common.status
  const quoted = { number: common.number, name, start: start.local }
  return { ...facts, ...common, type: 'event', status, quoted }
}

const toTable = (item: DataItem, { common, context }: Given): Facts | undefined => {
  const facts = readFields(item, 'table', context)
  const { start, to } = facts
  if (start === null || to === null) return undefined
  const quoted = { number: common.number, name: to.name, start: start.local }
  return { ...facts, ...common, type: 'restaurant', name: to.name, quoted }
}

const toRide = (item: DataItem, { kind, common, context }: Given): Facts | undefined => {
  const facts = readFields(item, 'ride', context)
  const vehicle = itemOf(item, 'reservationFor')
  if (facts.start === null) return undefined
  return {
    ...facts,
    ...common,
    type: kind === 'taxi' ? 'taxi' : 'car',
    name: textOf(vehicle, 'name'),
    provider: textOf(vehicle, 'rentalCompany') ?? facts.provider,
    quoted: { number: common.number, 'pick-up': facts.start.local },
  }
}

/** The names of the items in a list, such as the articles of an order. */
const namesIn = (item: DataItem | undefined, list: string, ...names: string[]): string[] =>
  itemsOf(item, list)
    .map((each) => textOf(each, ...names))
    .filter((name) => name !== null)

const MAX_ARTICLES = 20

const articlesOf = (order: DataItem | undefined): string[] =>
  [
    ...namesIn(order, 'acceptedOffer', 'itemOffered', 'name'),
    ...namesIn(order, 'orderedItem', 'orderedItem', 'name'),
  ].slice(0, MAX_ARTICLES)

const toParcel = (item: DataItem, given: Given): Facts | undefined => {
  const facts = readFields(item, 'parcel', given.context)
  const { number, url, end } = facts
  const isOrder = (each: DataItem | undefined): boolean => each !== undefined && hasType(each, /^order$/i)
  const part = itemOf(item, 'partOfOrder') ?? [given.item, given.parent].find(isOrder)
  const delivery = textOf(item, 'deliveryStatus') ?? textOf(itemOf(item, 'hasDeliveryStatus'), 'name') ?? ''
  if (number === null && url === null && end === null) return undefined
  const provider = facts.provider ?? findCarrier(number ?? '')
  return {
    ...facts,
    type: 'parcel',
    status: /delivered/i.test(delivery) ? 'delivered' : statusOf(textOf(part, 'orderStatus')),
    provider,
    url: url ?? toTrackingUrl(provider, number),
    items: [...namesIn(item, 'itemShipped', 'name'), ...articlesOf(part)].slice(0, MAX_ARTICLES),
    name: textOf(part, 'merchant', 'seller'),
    quoted: { 'tracking number': number, order: textOf(part, 'orderNumber') },
  }
}

const toOrder = (item: DataItem, { context }: Given): Facts | undefined => {
  const facts = { ...readFields(item, 'order', context), ...priceOf(item) }
  const { number, provider: merchant } = facts
  if (number === null && merchant === null) return undefined
  const items = articlesOf(item)
  const status = statusOf(textOf(item, 'orderStatus'))
  return {
    ...facts,
    type: 'order',
    status,
    name: items[0] ?? null,
    items,
    quoted: { order: number, merchant },
  }
}

const toInvoice = (item: DataItem, { context }: Given): Facts | undefined => {
  const facts = { ...readFields(item, 'invoice', context), ...priceOf(item) }
  const { number, price, end } = facts
  if (number === null && price === null) return undefined
  const payment = textOf(item, 'paymentStatus') ?? ''
  const status = /complete|paid/i.test(payment) && !/due|unpaid/i.test(payment) ? 'paid' : 'pending'
  return { ...facts, type: 'invoice', status, quoted: { invoice: number, due: end?.local ?? null } }
}

const NO_RESERVATION: DataItem = { types: [], properties: new Map() }

type Convert = (item: DataItem, given: Given) => Facts | undefined

const itself =
  (convert: Convert) =>
  (given: Given): (Facts | undefined)[] => [convert(given.item, given)]

/** Converts a trip or event without a reservation around it. */
const withoutReservation = (convert: Convert): Convert => {
  const none = commonOf(NO_RESERVATION, undefined)
  return (item, given) => convert(item, { ...given, common: { ...none, url: cleanUrl(textOf(item, 'url')) } })
}

const inList =
  (list: string, convert: Convert) =>
  (given: Given): (Facts | undefined)[] =>
    itemsOf(given.item, list).map((item) => convert(item, given))

/** Types of schema.org. A group of the expression names the kind of trip. */
const CONVERTERS: readonly (readonly [RegExp, ...((given: Given) => (Facts | undefined)[])[]])[] = [
  [/^(?:(flight|train|bus)|(boat)(?:trip)?)reservation$/i, inList('reservationFor', toTrip)],
  [/^lodgingreservation$/i, itself(toStay)],
  [/^eventreservation$/i, inList('reservationFor', toEvent)],
  [/^foodestablishmentreservation$/i, itself(toTable)],
  [/^(?:rentalcar|(taxi))reservation$/i, itself(toRide)],
  [/^parceldelivery$/i, itself(toParcel)],
  [/^invoice$/i, itself(toInvoice)],
  [/^order$/i, itself(toOrder), inList('orderDelivery', toParcel), inList('partOfInvoice', toInvoice)],
  [/^(?:(flight)|(train|bus|boat)trip)$/i, itself(withoutReservation(toBareTrip))],
  [/(?:^|[a-z])Event$|^Festival$/, itself(withoutReservation(toEvent))],
]

/** Quotes a value from the visible text if it occurs there. */
const quote = (text: string, name: string, value: string): ReservationEvidence => {
  const offset = text.indexOf(value)
  return offset < 0
    ? { text: `${name}: ${value}`, offset, place: 'markup' }
    : { text: value, offset, place: 'text' }
}

const toReservation = ({ quoted, ...facts }: Facts, { text }: Context): Reservation => ({
  ...BLANK,
  source: 'markup',
  ...facts,
  evidence: Object.entries(quoted).flatMap(([name, value]) =>
    value === null ? [] : [quote(text, name, value)],
  ),
})

/** Converts the item itself. Undefined if it is none of the known types; empty if it lacks its facts. */
const convert = (
  item: DataItem,
  parent: DataItem | undefined,
  context: Context,
): Reservation[] | undefined => {
  for (const [pattern, ...readers] of CONVERTERS) {
    const match = item.types.map((type) => pattern.exec(type)).find((found) => found !== null)
    if (!match) continue
    const kind = (match[1] ?? match[2] ?? '').toLowerCase()
    const given: Given = { item, parent, kind, common: commonOf(item, parent), context }
    return readers
      .flatMap((read) => read(given))
      .filter((facts) => facts !== undefined)
      .map((facts) => toReservation(facts, context))
  }
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
