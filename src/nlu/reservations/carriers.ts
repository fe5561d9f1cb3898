import { cleanUrl } from './reservation.ts'

interface ParcelCarrier {
  name: string
  /** The name in a text, in any spelling. */
  words: RegExp
  /** The format of its tracking numbers, without spaces. */
  number: RegExp
  /** Numbers that only this carrier has, so that they count without its name. */
  distinct?: RegExp
  /** The address of the tracking page, up to the number. */
  page: string
}

const CARRIERS: readonly ParcelCarrier[] = [
  {
    name: 'UPS',
    words: /\bUPS\b/,
    number: /^1Z[A-Z\d]{16}$/,
    distinct: /^1Z[A-Z\d]{16}$/,
    page: 'https://www.ups.com/track?tracknum=',
  },
  {
    name: 'DHL',
    words: /\bDHL\b|Deutsche Post/i,
    number: /^(?:00340\d{15}|JJD\d{12,20}|J[A-Z]{1,3}\d{10,20}|[A-Z]{2}\d{9}DE|\d{10}|\d{12}|\d{20})$/,
    distinct: /^00340\d{15}$|^JJD\d{12,20}$/,
    page: 'https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=',
  },
  {
    name: 'Hermes',
    words: /\bHermes\b|\bmyhermes\b/i,
    number: /^(?:H\d{19}|\d{14}|\d{16})$/,
    page: 'https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation#',
  },
  {
    name: 'DPD',
    words: /\bDPD\b/,
    number: /^(?:0\d{13}|\d{14}[A-Z\d]?|%\d{27})$/,
    page: 'https://tracking.dpd.de/status/de_DE/parcel/',
  },
  {
    name: 'GLS',
    words: /\bGLS\b/,
    number: /^(?:\d{11,12}|[A-Z\d]{8})$/,
    page: 'https://gls-group.eu/track/',
  },
  {
    name: 'FedEx',
    words: /\bFed ?Ex\b/i,
    number: /^(?:\d{12}|\d{15}|\d{20})$/,
    page: 'https://www.fedex.com/fedextrack/?trknbr=',
  },
]

const toBare = (number: string): string => number.replace(/\s/g, '').toUpperCase()

/** The carrier whose numbers have a format of their own. */
export const findCarrier = (number: string): string | null =>
  CARRIERS.find(({ distinct }) => distinct?.test(toBare(number)))?.name ?? null

/** The carriers that a text names, in the order of the table. */
export const carriersIn = (text: string): ParcelCarrier[] => CARRIERS.filter(({ words }) => words.test(text))

/** Built here from the number, so that a forged link in the mail is not used. */
export const toTrackingUrl = (carrier: string | null, number: string | null): string | null => {
  const bare = toBare(number ?? '')
  const known = CARRIERS.find(({ words }) => carrier !== null && words.test(carrier))
  return known?.number.test(bare) ? cleanUrl(known.page + encodeURIComponent(bare)) : null
}
