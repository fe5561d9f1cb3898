import { carriersIn, findCarrier, toTrackingUrl } from './carriers.ts'
import { findLabelled, type LabelledValue } from './labels.ts'
import { BLANK, quoteText, type Reservation } from './reservation.ts'
import { fromExpression, readDays, type TimeContext } from './times.ts'

/* Parcels in plain text: a tracking number with its carrier, and the expected day. */

const ABOUT_PARCEL =
  /(?<!\p{L})(?:track(?:ing)?|parcel|package|shipment|shipped|dispatched|deliver(?:y|ed)|sendung\p{L}*|paket\p{L}*|versand\p{L}*|versendet|lieferung|zustell\p{L}*|unterwegs)(?!\p{L})/iu
const LABEL = [
  'tracking(?: |-)?(?:number|no\\.?|id|code|nr\\.?)?',
  'track your (?:parcel|package|shipment)',
  'sendungs(?:nummer|nr\\.?|verfolgungsnummer|verfolgung|id|code)',
  'paket(?:nummer|scheinnummer|schein-nr\\.?|nr\\.?|-id)',
  'trackingnummer',
  'parcel (?:number|no\\.?|id)',
  'shipment (?:number|no\\.?|id)',
  'consignment (?:number|no\\.?)',
  'identcode',
].join('|')
/** Numbers may be written in groups of digits. */
const NUMBER = '[A-Z\\d][A-Z\\d]{3,}(?:[ ][A-Z\\d]{2,}){0,8}'
const DISTINCT = /(?<![A-Z\d])(?:1Z[A-Z\d]{16}|JJD\d{12,20}|00340\d{15})(?![A-Z\d])/g
const DELIVERED =
  /(?<!\p{L})(?:(?:was|has been|were) (?:successfully )?delivered|wurde (?:erfolgreich )?(?:zugestellt|geliefert|abgegeben)|zustellung erfolgreich)(?!\p{L})/iu
const EXPECTED =
  /(?<!\p{L})(?:expected|estimated|arriv(?:es|ing|al)|deliver(?:y|ed)|scheduled|voraussichtlich\p{L}*|zustellung|zugestellt|geliefert|lieferung|liefertermin|liefertag|ankunft|kommt)(?!\p{L})/giu
const MAX_TEXT = 20_000
const MAX_PARCELS = 10
const WINDOW = 120

const isNumber = (value: string): boolean => {
  const bare = value.replace(/\s/g, '')
  return bare.length >= 8 && bare.length <= 40 && (bare.match(/\d/g)?.length ?? 0) >= 6
}

/** Drops groups from the end until a carrier knows the format: a word in upper case may follow the number. */
const fitNumber = (value: string, fits: (bare: string) => boolean): string | undefined => {
  const groups = value.split(' ')
  for (let count = groups.length; count > 0; count--) {
    const bare = groups.slice(0, count).join('')
    if (fits(bare)) return bare
  }
  return undefined
}

const findExpected = (text: string, context: TimeContext) => {
  for (const match of [...text.matchAll(EXPECTED)].slice(0, 8)) {
    const from = match.index
    const [found] = readDays(text.slice(from, from + WINDOW).split(/\n\s*\n/)[0] as string, context)
    const time = found ? fromExpression(found, null, context) : null
    // An earlier day is that of the order, not of the delivery.
    if (!found || !time || time.local.slice(0, 10) < new Date(context.now).toISOString().slice(0, 10))
      continue
    return { time, evidence: quoteText(text, from, from + found.offset + found.text.length) }
  }
  return undefined
}

/** Finds parcels with a tracking number. */
export const readParcels = (whole: string, subject: string, context: TimeContext): Reservation[] => {
  const text = whole.slice(0, MAX_TEXT)
  if (!ABOUT_PARCEL.test(text)) return []
  const carriers = carriersIn(`${subject}\n${text}`)
  const distinct = [...text.matchAll(DISTINCT)].map(
    ({ 0: value, index }): LabelledValue => ({
      value,
      offset: index,
      evidence: { text: value, offset: index, place: 'text' },
    }),
  )
  const found = new Map<string, Reservation>()
  for (const { value, evidence } of [
    ...findLabelled(text, LABEL, NUMBER, 'gu'),
    ...findLabelled(text, LABEL, NUMBER, 'giu').filter(({ value }) => /^[A-Z\d ]+$/.test(value)),
    ...distinct,
  ]) {
    const fitting = fitNumber(
      value,
      (bare) => isNumber(bare) && carriers.some(({ number }) => number.test(bare)),
    )
    const number = fitting ?? fitNumber(value, isNumber)
    if (number === undefined || found.has(number) || found.size >= MAX_PARCELS) continue
    const carrier =
      findCarrier(number) ??
      carriers.find((each) => each.number.test(number))?.name ??
      (carriers.length === 1 ? carriers[0]?.name : null) ??
      null
    found.set(number, {
      ...BLANK,
      type: 'parcel',
      source: 'text',
      status: DELIVERED.test(text) ? 'delivered' : 'confirmed',
      number,
      provider: carrier,
      url: toTrackingUrl(carrier, number),
      evidence: [evidence],
    })
  }
  if (found.size === 0) return []
  const expected = DELIVERED.test(text) ? undefined : findExpected(text, context)
  return [...found.values()].map((parcel) =>
    expected ? { ...parcel, end: expected.time, evidence: [...parcel.evidence, expected.evidence] } : parcel,
  )
}
