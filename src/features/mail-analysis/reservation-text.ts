import { findAirport } from '../../nlu/reservations/airports.ts'
import type { Reservation as FoundReservation } from '../../nlu/reservations/reservation.ts'
import type { Language } from '../../platform/language.ts'
import { de } from './locales/de.ts'
import { en, type ReservationTexts } from './locales/en.ts'
import type { Reservation } from './reservation-schema.ts'

const TEXTS: Readonly<Record<Language, ReservationTexts>> = { en, de }

const MAX_TITLE_LENGTH = 300

type Titled = Pick<
  FoundReservation,
  'type' | 'trip' | 'from' | 'to' | 'name' | 'provider' | 'number' | 'price' | 'currency'
>

/** The city of an airport is shorter than its name. */
const toPlaceName = (place: Titled['from']): string =>
  (place?.code ? findAirport(place.code)?.city : undefined) ?? place?.name ?? ''

export const formatAmount = (
  { price, currency }: Pick<Titled, 'price' | 'currency'>,
  language: Language,
): string => {
  if (price === null) return ''
  const isCode = currency !== null && /^[A-Z]{3}$/.test(currency)
  return new Intl.NumberFormat(language, isCode ? { style: 'currency', currency } : {}).format(price)
}

/** "LH123" is easier to read as "LH 123". */
const spaceTrip = (trip: string | null): string => (trip ?? '').replace(/^([A-Z\d]{2})(\d{1,4})$/, '$1 $2')

export const toTitle = (one: Titled, language: Language): string => {
  const texts = TEXTS[language]
  const number = one.number ?? ''
  const title = (): string => {
    switch (one.type) {
      case 'flight':
      case 'train':
      case 'bus':
      case 'boat':
      case 'taxi': {
        const places = [toPlaceName(one.from), toPlaceName(one.to)].filter((name) => name !== '')
        const trip = one.type === 'flight' ? spaceTrip(one.trip) : (one.trip ?? '')
        return [texts[one.type](trip), places.join(' → ')].join(' ')
      }
      case 'car':
        return texts.car(one.provider ?? one.name ?? '')
      case 'hotel':
      case 'restaurant':
      case 'event':
        return texts[one.type](one.name ?? one.provider ?? '')
      case 'parcel':
        return texts.parcel(one.provider ?? '', number)
      case 'order':
        return texts.order(number, one.provider ?? '')
      case 'invoice':
        return texts.invoice(number, formatAmount(one, language), one.provider ?? '')
    }
  }
  return title().trim().slice(0, MAX_TITLE_LENGTH).toWellFormed()
}

const formatTime = (time: NonNullable<Reservation['start']>): string =>
  `${time.local.replace('T', ' ')} (${time.timezone})`

const timeLabels = (type: Reservation['type'], texts: ReservationTexts): readonly [string, string] => {
  if (type === 'hotel') return [texts.checkIn, texts.checkOut]
  if (type === 'car') return [texts.pickUp, texts.dropOff]
  if (type === 'event' || type === 'restaurant') return [texts.start, texts.end]
  return [texts.departure, texts.arrival]
}

/** The facts as lines, with the local time and zone of both ends. */
export const toDescription = (one: Reservation, language: Language): string => {
  const texts = TEXTS[language]
  const [start, end] = timeLabels(one.type, texts)
  const places = one.type === 'hotel' || one.type === 'event' || one.type === 'restaurant'
  const at = (place: Reservation['from']): string => (places || place === null ? '' : `, ${place.name}`)
  const lines = [
    one.start && `${start}: ${formatTime(one.start)}${at(one.from)}`,
    one.end && `${end}: ${formatTime(one.end)}${at(one.to)}`,
    one.number && `${texts.number}: ${one.number}`,
    one.platform && `${texts.platform}: ${one.platform}`,
    one.seat && `${texts.seat}: ${one.seat}`,
    one.travellers.length > 0 && `${texts.travellers}: ${one.travellers.join(', ')}`,
    one.party && `${texts.guests}: ${one.party}`,
    one.start?.zoneSource === 'reader' && texts.assumedZone,
  ]
  return lines.filter((line) => typeof line === 'string').join('\n')
}

/** Notes of the task for a parcel or an invoice. */
export const toNotes = (one: Reservation, language: Language): string => {
  const texts = TEXTS[language]
  const lines = [
    one.type === 'parcel' && one.url && `${texts.tracking}: ${one.url}`,
    one.articles.length > 0 && `${texts.items}: ${one.articles.join(', ')}`,
    ...one.evidence.filter(({ place }) => place === 'text').map(({ text }) => `“${text}”`),
  ]
  return lines.filter((line) => typeof line === 'string').join('\n')
}
