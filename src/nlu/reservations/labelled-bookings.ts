import { readTimes } from '../dates/read.ts'
import {
  BLANK,
  cleanValue,
  type MailFacts,
  type PlaceTime,
  quoteText,
  type Reservation,
  type ReservationEvidence,
  toPlace,
  toPlaceTime,
} from './reservation.ts'
import { fromExpression, type TimeContext } from './times.ts'

/* Rental cars, events and tables in plain text, by their labels. */

const MAX_TEXT = 20_000
const WINDOW = 160

const clockText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 16)

interface LabelledTime {
  time: PlaceTime
  /** The line of the label. */
  evidence: ReservationEvidence
  /** The words after the time, up to the end of the line. */
  rest: string
}

/** Reads the first day after a label, and the hour that belongs to it. */
const findTimeAfter = (text: string, label: RegExp, context: TimeContext): LabelledTime | undefined => {
  for (const match of [...text.matchAll(label)].slice(0, 6)) {
    const from = match.index + match[0].length
    const part = text.slice(from, from + WINDOW)
    const times = readTimes(part, context).filter(({ kind }) => kind !== 'recurrence' && kind !== 'duration')
    const at = times.findIndex(({ dated, start }) => dated && start !== undefined)
    const found = times[at]
    const time = found ? fromExpression(found, null, context) : null
    if (!found || time === null) continue
    const hour = times[at + 1]
    const isHour = time.local.length === 10 && hour?.dated === false && hour.start?.seconds !== undefined
    const end = isHour ? (hour?.offset ?? 0) + (hour?.text.length ?? 0) : found.offset + found.text.length
    const lineEnd = part.indexOf('\n', end)
    return {
      time: isHour
        ? toPlaceTime(`${time.local}T${clockText(hour?.start?.seconds ?? 0)}`, time.timezone, time.zoneSource)
        : time,
      evidence: quoteText(text, match.index, from + end),
      rest: part.slice(end, lineEnd < 0 ? undefined : lineEnd),
    }
  }
  return undefined
}

const readPlace = (rest: string): Reservation['to'] => {
  const name = cleanValue(rest.replace(/^[\s,;:–-]*(?:uhr\b|h\b|,|in\b|at\b)?[\s,;:–-]*/iu, ''), 80)
  return name !== null && /^\p{Lu}/u.test(name) ? toPlace(name) : null
}

const ABOUT_CAR =
  /(?<!\p{L})(?:rental car|car rental|car hire|hire car|mietwagen\p{L}*|leihwagen|autovermietung|voiture de location|location de voiture|alquiler de coches?|coche de alquiler|autonoleggio|noleggio auto|huurauto|autoverhuur|hyrbil)(?!\p{L})/iu
const PICK_UP =
  /(?<!\p{L})(?:pick[- ]?up|collection|abholung|anmietung|prise en charge|recogida|ritiro|ophalen|upphämtning)(?!\p{L})/giu
const DROP_OFF =
  /(?<!\p{L})(?:drop[- ]?off|return|rückgabe|restitution|retour|devolución|riconsegna|inleveren|återlämning)(?!\p{L})/giu

const readCar = (text: string, context: TimeContext, common: MailFacts): Reservation[] => {
  if (common.number === null || !ABOUT_CAR.test(text)) return []
  const start = findTimeAfter(text, PICK_UP, context)
  const end = start && findTimeAfter(text, DROP_OFF, context)
  if (!start || !end || end.time.instant <= start.time.instant) return []
  return [
    {
      ...BLANK,
      ...common,
      type: 'car',
      from: readPlace(start.rest),
      to: readPlace(end.rest),
      start: start.time,
      end: end.time,
      evidence: [start.evidence, end.evidence],
    },
  ]
}

const findValue = (text: string, label: string): { value: string; offset: number } | undefined => {
  const match = new RegExp(
    `^[\\s*•-]{0,6}(?:${label})[ \\t]{0,4}(?::[ \\t]{0,8}|\\n\\s{0,8})(\\S[^\\n]{1,100})`,
    'imu',
  ).exec(text)
  const value = cleanValue(match?.[1], 100)
  return match && value !== null ? { value, offset: match.index } : undefined
}

const EVENT_LABEL =
  'event|show|concert|performance|veranstaltung|konzert|aufführung|vorstellung|événement|spectacle|evento|espectáculo|spettacolo|evenement|evenemang'
const VENUE_LABEL =
  'venue|location|place|where|ort|veranstaltungsort|spielort|spielstätte|lieu|salle|lugar|recinto|luogo|sede|locatie|zaal|plats'
const DATE_LABEL =
  /(?<!\p{L})(?:date(?: and time)?|when|doors|datum|termin|wann|beginn|einlass|fecha|data|quand|starts?)(?!\p{L})/giu
const ABOUT_TICKETS =
  /(?<!\p{L})(?:tickets?|karten?|eintrittskarten?|billets?|entradas?|biglietti|kaartjes|biljetter|admission|einlass)(?!\p{L})/iu

const readTicket = (text: string, context: TimeContext, common: MailFacts): Reservation[] => {
  if (common.number === null || !ABOUT_TICKETS.test(text)) return []
  const [name, venue] = [findValue(text, EVENT_LABEL), findValue(text, VENUE_LABEL)]
  const start = name && venue && findTimeAfter(text, DATE_LABEL, context)
  if (!name || !venue || !start) return []
  return [
    {
      ...BLANK,
      ...common,
      type: 'event',
      name: name.value,
      to: toPlace(venue.value),
      start: start.time,
      evidence: [{ text: name.value, offset: name.offset, place: 'text' }, start.evidence],
    },
  ]
}

const ABOUT_TABLE =
  /(?<!\p{L})(?:(?:your|a) table|table (?:for|reservation|booking)|ihr tisch|dein tisch|tischreservierung|tisch für|votre table|table pour|mesa para|su mesa|tavolo per|tafel voor)(?!\p{L})/iu
const CONFIRMED =
  /(?<!\p{L})(?:confirmed|confirmation|reserved|booked|bestätigt|bestätigung|reserviert|confirmée?|confirmad[oa]|confermat[oa]|bevestigd)(?!\p{L})/iu
const AT_PLACE =
  /(?:table|tisch|mesa|tavolo|tafel)\s(?:at|in|im|bei|beim|chez|au|en|da|bij)\s(?:the\s)?(\p{Lu}[\p{L}'’&-]{1,30}(?:\s\p{Lu}[\p{L}'’&-]{1,30}){0,4})/iu
const PARTY =
  /(?<!\p{L})(?:table for|tisch für|table pour|mesa para|tavolo per|tafel voor|personen|people|guests|gäste|personnes)\s{0,3}:?\s{0,3}(\d{1,2})(?!\d)/iu
const ANYWHERE = /(?:^|\n)/gu

const readTable = (text: string, context: TimeContext, common: MailFacts): Reservation[] => {
  if (!ABOUT_TABLE.test(text) || !CONFIRMED.test(text)) return []
  const part = text.slice(text.search(ABOUT_TABLE))
  const start = findTimeAfter(part, ANYWHERE, context) ?? findTimeAfter(text, DATE_LABEL, context)
  if (!start || start.time.local.length === 10) return []
  const name = cleanValue(AT_PLACE.exec(text)?.[1], 80)
  const party = PARTY.exec(text)?.[1]
  if (name === null && party === undefined) return []
  return [
    {
      ...BLANK,
      ...common,
      type: 'restaurant',
      name,
      to: name === null ? null : toPlace(name),
      party: party === undefined ? null : Number(party),
      start: start.time,
      evidence: [start.evidence],
    },
  ]
}

/** Finds a rental car, tickets of an event, or a table. */
export const readLabelledBooking = (
  whole: string,
  context: TimeContext,
  common: MailFacts,
): Reservation[] => {
  const text = whole.slice(0, MAX_TEXT)
  const car = readCar(text, context, common)
  if (car.length > 0) return car
  const ticket = readTicket(text, context, common)
  return ticket.length > 0 ? ticket : readTable(text, context, common)
}
