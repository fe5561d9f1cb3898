import { readTimes } from '../dates/read.ts'
import { findStamps, type Stamp } from './flights.ts'
import { findTrip, findVehicle } from './labelled-trips.ts'
import { BLANK, cleanValue, type MailFacts, quoteText, type Reservation, toPlace } from './reservation.ts'
import { readDays, readTimeValue, type TimeContext, toLocal } from './times.ts'

/*
 * Trips of companies whose layout is unknown: two times that belong together, and two places. The places stand beside
 * the times, above or below them, after labels such as "From" and "To", or around an arrow.
 */

const MAX_TEXT = 20_000
const MAX_TRIPS = 20
const MAX_PAIRS = 200
/** The second time of a trip follows within this many characters. */
const MAX_DISTANCE = 260
/** Labels, routes and train numbers stand within this many characters before or after the times. */
const WINDOW = 320

/** Words of a confirmation. A newsletter or a conversation names times and places as well. */
const BOOKED =
  /(?<!\p{L})(?:e-?tickets?|your (?:trip|journey|booking|reservation|itinerary|travel)|booking|confirmation|confirmed|fahrkarte|fahrschein|ihre (?:fahrt|reise|buchung)|deine (?:fahrt|reise|buchung)|buchungs\p{L}*|reisebestätigung|réservation|billet|voyage|reserva|billete|localizador|prenotazione|biglietto|viaggio|boeking\p{L}*|treinreis|bokning\p{L}*|biljett|rezerwac\p{L}*|bilet|bestilling|billet|jízdenk\p{L}*|rezervac\p{L}*|cestovný lístok|commande|viagem|bilhete)(?!\p{L})/iu

/** Only a ticket names a seat. It counts like a booking number. */
const SEAT =
  /(?<!\p{L})(?:seat|sitzplatz|sitz|place|plaza|asiento|posto|stoel|zitplaats|plats|miejsce|lugar|sedadlo|siedzenie|passengers?|fahrgast|fahrgäste|reisende[rn]?|passagers?|pasajeros?|passegger[oi]|adults?|erwachsener?)\s{0,3}:?\s{0,3}(?:\d|[\p{Lu}])/iu

const ARROW =
  /(?<![\p{L}\d])(\p{Lu}[\p{L}\d .,'’()/-]{1,50}?)\s{0,3}(?:→|➞|➜|⟶|->|=>|–>|»|>)\s{0,3}(\p{Lu}[\p{L}\d .,'’()/-]{1,50}?)(?=\s*(?:$|[\n|•·,;]|\s{2,}|\d{1,2}[:.]\d\d))/gmu
const FROM_TO =
  /(?<!\p{L})(?:from|von|de|da|van|från|fra|z|out ?bound:?)\s+(\p{Lu}[\p{L}\d .'’()/-]{1,40}?)\s+(?:to|nach|à|a|naar|till|til|do|–|-)\s+(\p{Lu}[\p{L}\d .'’()/-]{1,40}?)(?=\s*(?:$|[\n|•·,;.!]|\s{2,}|\bam\b|\bon\b|\ble\b|\bel\b))/gmu

/** A line that holds a route alone: "Nantes - Paris Montparnasse". */
const DASH = /^[ \t]*(\p{Lu}[\p{L}\d .,'’()/:]{1,50}?) [-–] (\p{Lu}[\p{L}\d .,'’()/]{1,50}?)[ \t]*$/gmu

const FROM_LABEL =
  /^[\s*•|-]{0,6}(?:from|von|de|da|van|från|fra|origin|origen|origine|abfahrtsort|abfahrtsbahnhof|departure (?:station|stop|from)|start|vertrekstation|herkomst)\s*(?::|\n)\s*(\S[^\n]{1,70})/gimu
const TO_LABEL =
  /^[\s*•|-]{0,6}(?:to|nach|à|a|naar|till|til|destination|destino|destinazione|zielort|ziel|zielbahnhof|arrival (?:station|stop|at)|aankomststation|bestemming)\s*(?::|\n)\s*(\S[^\n]{1,70})/gimu

/** "leaves Bristol Temple Meads at", "arrives at London Paddington at" */
const BEFORE_TIME =
  /(?:leaves?(?: from)?|departs?(?: from)?|departing(?: from)?|from|arrives? (?:at|in)|arriving (?:at|in)|reaches|to|von|ab|nach|an|in|de|da|à)\s+(\p{Lu}[\p{L}\d.'’() -]{1,50}?),?\s+(?:at|um|à|alle|a las|om|kl\.?|o)?\s*$/u

const LEADING_LABEL =
  /^[\s*•|:–-]*(?:(?:departure|departs|departing|depart|dep|leaves|arrival|arrives|arriving|arrive|arr|abfahrt|abflug|ankunft|ab|an|départ|arrivée|salida|llegada|partenza|arrivo|vertrek|aankomst|avgång|ankomst|afgang|odjazd|przyjazd|odjezdu?|příjezdu?|odchod|príchod|partida|chegada|from|to|von|nach|in|at|uhr|h|time|zeit|hora|ora|station|stop|date|datum)(?![\p{L}])[\s.:,–-]*)+/iu
/** "Bus Munich → Zurich", "ALLER : PARIS - DIJON" */
const LEADING_VEHICLE =
  /^(?:(?:bus|train|zug|fähre|ferry|tren|treno|trein|autobus|autocarro)\s(?=\p{Lu}\p{L})|(?:outbound|return|inbound|hinfahrt|rückfahrt|aller|retour|ida|vuelta|andata|ritorno)\s{0,2}:?\s)/iu
const TRAILING = /[\s,;:|•·–→>(-]+$/u

/** Lines that are no places: seats, trains, greetings, figures, labels and sentences. */
const NOT_A_PLACE =
  /^(?:train|zug|trein|treno|tren|tåg|pociąg|vlak|autobus|bus|coach|line|linie|ligne|línea|linea|seat|sedadlo|vůz|sitz|platz|place|plaza|posto|wagen|waggon|voiture|coche|carrozza|rijtuig|vagn|gleis|platform|spor|binario|booking|buchung|reference|référence|reservation|ticket|order|passenger|fahrgast|reisende|passager|pasajero|dear|hi|hello|hallo|hej|bonjour|ciao|thank|thanks|vielen|danke|merci|gracias|grazie|obrigado|please|bitte|your|ihre?|deine?|votre|su|price|preis|total|gesamt|class|klasse|duration|dauer|change|umstieg|date|datum|fecha|data|time|mon|tue|wed|thu|fri|sat|sun|economy|direct|direkt|adult|erwachsen\p{L}*|via)(?!\p{L})/iu

const toPlaceName = (line: string): string | null => {
  const name = cleanValue(
    line.slice(0, 200).replace(LEADING_LABEL, '').replace(LEADING_VEHICLE, '').replace(TRAILING, ''),
    80,
  )
  if (name === null || !/^["“]?\p{Lu}\p{L}/u.test(name) || NOT_A_PLACE.test(name)) return null
  if (/[@{}<>?!=]|https?:|\d{1,2}[:.]\d{2}|\b(?:19|20)\d\d\b/.test(name)) return null
  const words = name.split(/\s+/)
  return words.length <= 7 ? name.replace(/\s*\(\+\d\)$/, '') : null
}

interface Line {
  from: number
  to: number
}

interface Page {
  text: string
  lines: readonly Line[]
  stamps: readonly Stamp[]
}

const splitLines = (text: string): Line[] => {
  let from = 0
  return text.split('\n').map((line) => {
    const result = { from, to: from + line.length }
    from = result.to + 1
    return result
  })
}

const lineAt = ({ lines }: Page, offset: number): number =>
  lines.findIndex(({ from, to }) => offset >= from && offset <= to)

const lineText = ({ text, lines }: Page, index: number): string => {
  const line = lines[index]
  return line ? text.slice(line.from, line.to) : ''
}

/** The words beside a time, without the other times of the line. */
const besideTime = (page: Page, { offset, end }: Stamp): string | null => {
  const line = page.lines[lineAt(page, offset)]
  if (!line) return null
  const others = page.stamps.filter((one) => one.offset >= line.from && one.end <= line.to)
  const next = others.find((one) => one.offset > offset)?.offset ?? line.to
  const previous = others.findLast((one) => one.end <= offset)?.end ?? line.from
  const before = page.text.slice(previous, offset)
  const named = BEFORE_TIME.exec(before)?.[1]
  return (
    (named === undefined ? null : toPlaceName(named)) ??
    toPlaceName(page.text.slice(end, next)) ??
    toPlaceName(before)
  )
}

/** The first place in the lines before or after a time, not beyond the next time. */
const nearTime = (page: Page, { offset, end }: Stamp, step: 1 | -1): string | null => {
  const start = lineAt(page, step === 1 ? Math.max(offset, end - 1) : offset)
  for (
    let index = start + step, seen = 0;
    seen < 3 && index >= 0 && index < page.lines.length;
    index += step
  ) {
    const line = page.lines[index] as Line
    if (page.stamps.some((one) => one.offset >= line.from && one.end <= line.to)) return null
    const content = lineText(page, index)
    if (content.trim() === '') continue
    seen++
    const name = toPlaceName(content)
    if (name !== null) return name
    if (step === -1) return null
  }
  return null
}

type Places = readonly [string, string]

const toPair = (from: string | null, to: string | null): Places | undefined =>
  from !== null && to !== null && from !== to ? [from, to] : undefined

/** The match of a pattern that is nearest to the times, before them if possible. */
const nearest = (text: string, pattern: RegExp, at: number): RegExpExecArray | undefined =>
  [...text.matchAll(pattern)].toSorted(
    (a, b) => Math.abs((a.index ?? 0) - at) - Math.abs((b.index ?? 0) - at),
  )[0] as RegExpExecArray | undefined

const findPlaces = (page: Page, first: Stamp, second: Stamp, after: number): Places | undefined => {
  const from = Math.max(after, first.offset - WINDOW)
  const around = page.text.slice(from, second.end + WINDOW)
  const at = first.offset - from
  const beside = toPair(besideTime(page, first), besideTime(page, second))
  if (beside && first.offset !== second.offset) return beside
  const [origin, target] = [nearest(around, FROM_LABEL, at), nearest(around, TO_LABEL, at)]
  const labelled = toPair(toPlaceName(origin?.[1] ?? ''), toPlaceName(target?.[1] ?? ''))
  if (labelled) return labelled
  for (const pattern of [ARROW, FROM_TO, DASH]) {
    const route = nearest(around, pattern, at)
    const pair = toPair(toPlaceName(route?.[1] ?? ''), toPlaceName(route?.[2] ?? ''))
    if (pair) return pair
  }
  if (first.offset === second.offset) return undefined
  return (
    toPair(nearTime(page, first, 1), nearTime(page, second, 1)) ??
    toPair(nearTime(page, first, -1), nearTime(page, second, -1))
  )
}

/** The day of a trip whose date stands after the times. */
const laterDay = (
  stamps: readonly Stamp[],
  text: string,
  context: TimeContext,
  end: number,
): number | null => {
  const [found] = readDays(text.slice(end, end + WINDOW), context)
  return found?.start?.day ?? stamps.find(({ day }) => day !== null)?.day ?? null
}

/** Finds trips by train, bus or ferry in a confirmation of any layout. */
export const readItineraries = (whole: string, context: TimeContext, common: MailFacts): Reservation[] => {
  const text = whole.slice(0, MAX_TEXT)
  const vehicle =
    common.number !== null || (BOOKED.test(text) && SEAT.test(text)) ? findVehicle(text) : undefined
  if (vehicle === undefined) return []
  const stamps = findStamps(readTimes(text, context)).slice(0, MAX_PAIRS)
  const page: Page = { text, lines: splitLines(text), stamps }
  const found: Reservation[] = []
  let after = 0
  for (let index = 0; index + 1 < stamps.length && found.length < MAX_TRIPS; index++) {
    const [first, second] = [stamps[index] as Stamp, stamps[index + 1] as Stamp]
    if (second.offset - first.end > MAX_DISTANCE) continue
    const places = findPlaces(page, first, second, after)
    if (!places) continue
    const day = first.day ?? laterDay(stamps, text, context, second.end)
    if (day === null) continue
    const arrivalDay = second.day ?? day
    const isNext = arrivalDay === day && second.seconds < first.seconds
    const start = readTimeValue(toLocal({ day, seconds: first.seconds }), null, context)
    const end = readTimeValue(
      toLocal({ day: arrivalDay + (isNext ? 1 : 0), seconds: second.seconds }),
      null,
      context,
    )
    if (start === null || end === null) continue
    const quote = (stamp: Stamp) => {
      const line = page.lines[lineAt(page, stamp.offset)] as Line
      return quoteText(text, line.from, line.to)
    }
    found.push({
      ...BLANK,
      ...common,
      type: vehicle,
      trip: findTrip(text.slice(Math.max(after, first.offset - WINDOW), second.end + WINDOW)),
      from: toPlace(places[0]),
      to: toPlace(places[1]),
      start,
      end,
      evidence: first.offset === second.offset ? [quote(first)] : [quote(first), quote(second)],
    })
    after = second.end
    index++
  }
  return found
}
