import { carriersIn, findCarrier, toTrackingUrl } from './carriers.ts'
import { findLabelled, findTimeAfter, type MailText } from './labels.ts'
import { BLANK, type Reservation } from './reservation.ts'
import { wordsOf } from './words.ts'

/* Parcels in plain text: a tracking number with its carrier, and the expected day. */

/** Numbers may be written in groups of digits. */
const NUMBER = '[A-Z\\d][A-Z\\d]{3,}(?:[ ][A-Z\\d]{2,}){0,8}'
const DISTINCT = /(?<![A-Z\d])(?:1Z[A-Z\d]{16}|JJD\d{12,20}|00340\d{15})(?![A-Z\d])/g
const MAX_PARCELS = 10

const isNumber = (value: string): boolean =>
  value.length >= 8 && value.length <= 40 && (value.match(/\d/g)?.length ?? 0) >= 6

/** Drops groups from the end until a carrier knows the format: a word in upper case may follow the number. */
const fitNumber = (value: string, fits: (bare: string) => boolean): string | undefined => {
  const groups = value.split(' ')
  return groups.map((_, index) => groups.slice(0, groups.length - index).join('')).find(fits)
}

/** Finds parcels with a tracking number. */
export const readParcels = (mail: MailText): Reservation[] => {
  const { text, subject, context, quote } = mail
  if (!wordsOf('parcel').test(text)) return []
  const carriers = carriersIn(`${subject}\n${text}`)
  const label = '{{tracking number}}'
  const isDelivered = wordsOf('delivered').test(text)
  // An earlier day is that of the order, not of the delivery.
  const earliest = new Date(context.now).toISOString().slice(0, 10)
  const expected = isDelivered
    ? undefined
    : findTimeAfter(mail, wordsOf('expected', 'giu'), { window: 120, withHours: false, earliest })
  const found = new Map<string, Reservation>()
  for (const { value, evidence } of [
    ...findLabelled(text, label, NUMBER, 'gu'),
    ...findLabelled(text, label, NUMBER).filter(({ value }) => /^[A-Z\d ]+$/.test(value)),
    ...[...text.matchAll(DISTINCT)].map(({ 0: value, index }) => ({
      value,
      evidence: quote(index, index + value.length),
    })),
  ]) {
    const isKnown = (bare: string): boolean =>
      isNumber(bare) && carriers.some((each) => each.number.test(bare))
    const number = fitNumber(value, isKnown) ?? fitNumber(value, isNumber)
    if (number === undefined || found.has(number) || found.size >= MAX_PARCELS) continue
    const named = carriers.find((each) => each.number.test(number)) ?? (carriers.length === 1 && carriers[0])
    const provider = findCarrier(number) ?? (named ? named.name : null)
    found.set(number, {
      ...BLANK,
      type: 'parcel',
      source: 'text',
      status: isDelivered ? 'delivered' : 'confirmed',
      number,
      provider,
      url: toTrackingUrl(provider, number),
      end: expected?.time ?? null,
      evidence: expected ? [evidence, expected.evidence] : [evidence],
    })
  }
  return [...found.values()]
}
