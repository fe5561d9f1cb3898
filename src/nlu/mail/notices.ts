import { onOneLine, type Sentence } from '../text.ts'
import type { Assignment } from './action-items.ts'

/* Finds the tasks of automated mail: a parcel to pick up, and an appointment that a form confirms. */

const THING =
  /(?<!\p{L})(paket|päckchen|sendung|bestellung|einschreiben|rezept|medikamente?|ausweis|reisepass|führerschein|gepäck|fahrrad|brille|parcel|package|order|delivery|letter|prescription|medication|passport|luggage|tickets?)(?!\p{L})/iu
const WAITS =
  /(?<!\p{L})(?:(?:liegt|liegen|steht|stehen)(?!\p{L})[^\n]{0,120}(?:bereit|zur abholung|hinterlegt)|abholbereit|(?:kann|können)(?!\p{L})[^\n]{0,120}abgeholt werden|wartet (?:auf sie|auf dich|in|im|bei|am)|(?:is|are)(?: now)? (?:ready|waiting|being held|available) (?:for (?:you|collection|pick-?up)|to (?:collect|pick up|be collected)|at|in)|awaits (?:you|collection)|(?:can|must|may) be (?:collected|picked up))/iu
const PLACE = {
  de: /(?<!\p{L})(?:(?:in|bei|an) (?:der|dem|unserer|unserem|einer|einem|ihrer|ihrem)|im|beim|am) \p{Lu}[\p{L}-]+(?!\p{L})/u,
  en: /\b(?:at|in|from) (?:the|our|your) (?:\p{L}+ )?(?:office|shop|point|locker|desk|station|store|branch|depot|pharmacy|library|counter|reception)\b/iu,
}

/** Finds the things that wait for the reader: "Your parcel waits in the branch." */
export const findPickups = (
  own: string,
  sentences: readonly Sentence[],
  german: boolean,
): (Assignment & { title: string })[] =>
  sentences.flatMap(({ from, to }) => {
    const raw = own.slice(from, to)
    const thing = WAITS.test(raw.slice(0, 400)) ? THING.exec(raw.slice(0, 400))?.[1] : undefined
    if (thing === undefined) return []
    const place = PLACE[german ? 'de' : 'en'].exec(raw)?.[0]
    const at = place === undefined ? '' : ` ${place}`
    const title = german ? `${thing}${at} abholen` : `Pick up the ${thing.toLowerCase()}${at}`
    const offset = from + raw.length - raw.trimStart().length
    return [
      {
        text: onOneLine(raw).trim(),
        offset,
        length: to - offset,
        owner: 'me',
        person: null,
        confidence: 0.8,
        title,
      },
    ]
  })

const APPOINTMENT = /(?<!\p{L})(?:\p{L}*termin|appointment|booking confirmed)(?!\p{L})/iu
const DAY_LABEL = /^[^\S\n]*(?:datum|date|tag|day|wann|when|termin)\s?:[^\S\n]*\S/imu
const TOPIC_LABEL =
  /^[^\S\n]*(?:anliegen|thema|grund|anlass|leistung|dienstleistung|behandlung|topic|reason|purpose|service|treatment|appointment type)\s?:[^\S\n]*(\S[^\n]{1,80})/imu

/** Whether a form confirms an appointment of the reader, with a line for its date. */
export const isAppointmentCard = (subject: string, text: string): boolean =>
  APPOINTMENT.test(`${subject}\n${text.slice(0, 2000)}`) && DAY_LABEL.test(text.slice(0, 5000))

/** Returns what the form says about the purpose of the appointment. */
export const findTopic = (text: string): string | undefined =>
  TOPIC_LABEL.exec(text.slice(0, 5000))?.[1]?.trim()
