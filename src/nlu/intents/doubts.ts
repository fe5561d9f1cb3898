import type { TimeExpression } from '../dates/read.ts'
import type { Doubt } from './intent.ts'
import { type Draft, dayOf, type Request } from './request.ts'

/** Words that say which half of the day an hour is in, or that only one half is possible. */
const HALF =
  /\b(?:a\.?m|p\.?m|o'clock (?:in|at)|morning|afternoon|evening|tonight|night|noon|breakfast|lunch|dinner|brunch|supper|früh|morgens?|vormittags?|nachmittags?|abends?|nachts?|mittags?|frühstück|mittagessen|abendessen|uhr)\b/iu
/** Hours that people name for both halves of the day. Others are usual in one half only. */
const [FIRST_OPEN_HOUR, LAST_OPEN_HOUR] = [5, 8]

/** True for "at 7": a number from 5 to 8 without minutes, "am" or "pm". */
const isOpenHour = ({ text, start }: TimeExpression): boolean => {
  const written =
    /(?:^|\s)(?:at|by|um|gegen|around|@)?\s*(\d{1,2}|five|six|seven|eight|fünf|sechs|sieben|acht)$/iu.exec(
      text,
    )?.[1]
  if (!written || start?.seconds === undefined || start.seconds % 3600 !== 0) return false
  const hour = (start.seconds / 3600) % 12
  return !/^0\d/.test(written) && hour >= FIRST_OPEN_HOUR && hour <= LAST_OPEN_HOUR
}

/** True if an hour fits both halves of the day. */
export const findOpenHour = (text: string, times: readonly TimeExpression[]): boolean =>
  !HALF.test(text) && times.some(isOpenHour)

/** Nobody plans further ahead without naming the year. */
const FAR_DAYS = 270
const NAMES_YEAR =
  /\b(?:20\d\d|next year|nächstes jahr|nächsten jahr)\b|\bin (?:a|one|\d+) (?:years?|months?)\b|\bin (?:einem|\d+) (?:jahr|monat)/iu

const isFar = ({ text, context }: Request, wall: string | undefined): boolean =>
  wall !== undefined &&
  !NAMES_YEAR.test(text) &&
  dayOf(Date.parse(`${wall.slice(0, 10)}T00:00Z`)) - dayOf(context.now) > FAR_DAYS

/** Words without content for an event: verbs, articles, prepositions and words for events and calendars. */
const EMPTY =
  /^(?:recurring|repeating|daily|weekly|monthly|yearly|fortnightly|biweekly|wöchentlich\p{L}*|täglich\p{L}*|monatlich\p{L}*|jährlich\p{L}*|serientermin|a|an|the|my|our|me|i|i'm|i'll|am|is|are|be|it|to|on|at|in|for|of|with|and|from|by|til|till|until|about|please|new|add|create|make|put|set|up|schedule|book|plan|arrange|block|reserve|enter|pencil|hold|invite|organi[sz]e|get|have|having|need|want|can|could|you|meeting|event|appointment|appt|calendar|calender|schedule|diary|entry|slot|time|called|titled|named|this|that|next|every|each|all|day|out|off|down|have|has|will|would|like|also|then|so|there|some|someone|over|during|between|ein|eine|einen|einem|einer|der|die|das|den|dem|mein|meine|meinen|meinem|mir|mich|ich|bin|und|mit|für|um|am|im|in|an|auf|von|vom|bis|zu|zum|zur|ins|bitte|neue|neuen|neuer|neues|trag|trage|erstelle|leg|lege|plane|plan|vereinbare|mach|mache|setz|setze|buche|reserviere|blockiere|blocke|füge|hinzu|termin|termine|kalender|treffen|besprechung|meeting|jeden|jede|jedes|alle|ganztägig|namens|uns|wir|kannst|du|lade|ein|an|fest|notiere|schreib|schreibe|halte|frei|dass|verabrede)$/iu

/** True for a word that says nothing about an event. */
export const isEmptyWord = (word: string): boolean => EMPTY.test(word)

/** True if a word with content is part of no argument. Such a word may change the meaning. */
const hasUnreadWords = ({ timeless }: Request, { evidence, arguments: given }: Draft): boolean => {
  const read = new Set(
    [
      ...evidence.map((one) => one.text),
      ...Object.values(given)
        .flatMap((value) => (Array.isArray(value) ? value : [value]))
        .map(String),
    ].flatMap((words) => words.toLowerCase().match(/[\p{L}\d'’]+/gu) ?? []),
  )
  const words = timeless.toLowerCase().match(/[\p{L}'’]{2,}/gu) ?? []
  return words.some((word) => !EMPTY.test(word) && !read.has(word))
}

/** Returns the reasons to confirm the reading of a new entry before anything is written. */
export const findDoubts = (request: Request, found: Draft): Doubt[] => {
  const doubts: Doubt[] = []
  if (found.tool !== 'create_event' && found.tool !== 'create_task') return doubts
  const at = found.tool === 'create_event' ? found.arguments.start : found.arguments.due
  if (isFar(request, at)) doubts.push('far_date')
  if (at?.includes('T') && findOpenHour(request.text, request.times)) doubts.push('half_of_day')
  if (found.tool === 'create_event' && hasUnreadWords(request, found)) doubts.push('unread_words')
  return doubts
}
