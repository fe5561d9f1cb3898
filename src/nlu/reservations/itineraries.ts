import { readTimes } from '../dates/read.ts'
import type { MailText } from './labels.ts'
import type { Reservation } from './reservation.ts'
import { readDays, toLocal } from './times.ts'
import { createPage, findPlaces, lineAt, WINDOW } from './trip-places.ts'
import { createTrip, findStamps, findTrip, findVehicle, type Line, MAX_TRIPS, type Stamp } from './trips.ts'
import { patternOf, wordsOf } from './words.ts'

/* Trips of companies whose layout is unknown: two times that belong together, and two places. */

const MAX_STAMPS = 200
/** The second time of a trip follows within this many characters. */
const MAX_DISTANCE = 260

/**
 * True for a confirmation. A newsletter or a conversation names times and places as well. Only a ticket names a seat,
 * so it counts like a booking number.
 */
const isBooked = ({ text, facts }: MailText): boolean =>
  facts.number !== null ||
  (wordsOf('trip booked').test(text) &&
    patternOf(String.raw`(?<!\p{L}){{seat}}\s{0,3}:?\s{0,3}(?:\d|\p{Lu})`).test(text))

/** Finds trips by train, bus or ferry in a confirmation of any layout. */
export const readItineraries = (mail: MailText): Reservation[] => {
  const { text, context, quote } = mail
  const booked = isBooked(mail)
  const isLabelled = booked || (wordsOf('departure').test(text) && wordsOf('arrival').test(text))
  const vehicle = isLabelled ? findVehicle(text) : undefined
  if (vehicle === undefined) return []
  const stamps = findStamps(readTimes(text, context)).slice(0, MAX_STAMPS)
  const page = createPage(text, stamps)
  const quoteLine = ({ offset }: Stamp) => {
    const { from, to } = page.lines[lineAt(page, offset)] as Line
    return quote(from, to)
  }
  const found: Reservation[] = []
  let after = 0
  for (let index = 0; index + 1 < stamps.length && found.length < MAX_TRIPS; index++) {
    const [first, second] = [stamps[index] as Stamp, stamps[index + 1] as Stamp]
    if (second.offset - first.end > MAX_DISTANCE) continue
    // Without a booking number, both times have a label.
    const before = text.slice(Math.max(after, first.offset - WINDOW), first.offset)
    const between = text.slice(first.end, second.offset)
    if (!booked && !(wordsOf('departure').test(before) && wordsOf('arrival').test(between))) continue
    const places = findPlaces(page, first, second, after)
    // The date of a trip may stand after its times.
    const later =
      first.day === null ? readDays(text.slice(second.end, second.end + WINDOW), context)[0] : null
    const day = first.day ?? later?.start?.day ?? stamps.find((one) => one.day !== null)?.day
    if (!places || day === undefined || day === null) continue
    const trips = createTrip(
      mail,
      { local: toLocal({ day, seconds: first.seconds }), place: places[0] },
      { local: toLocal({ day: second.day ?? day, seconds: second.seconds }), place: places[1] },
      {
        type: vehicle,
        trip: findTrip(text.slice(Math.max(after, first.offset - WINDOW), second.end + WINDOW)),
        evidence: first.offset === second.offset ? [quoteLine(first)] : [quoteLine(first), quoteLine(second)],
      },
    )
    if (trips.length === 0) continue
    found.push(...trips)
    after = second.end
    index++
  }
  return found
}
