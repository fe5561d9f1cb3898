import { toReaderZone } from '../dates/calendar.ts'
import type { Order } from '../dates/formats.ts'
import { durationSeconds } from '../dates/outcome.ts'
import { endOf, isGerman, readTimes, type TimeExpression } from '../dates/read.ts'
import type { Moment } from '../dates/values.ts'
import { maskRange, type Piece, pieceAt } from '../meetings/title.ts'
import { isGermanText } from './german-words.ts'
import type { EmailPick, EventPick, Evidence, IntentTool, ToolArguments, Wall, WallRange } from './intent.ts'

export interface IntentContext {
  /** Local time of the user, encoded as UTC milliseconds. */
  now: number
  /** IANA time zone of the user. */
  timezone: string
  /** Is told which rule or model decided what. */
  note?: (decision: string) => void
  order?: Order
  /** The names of the task lists of the user. */
  lists?: readonly string[]
}

/** One request without polite words, with the times it contains. */
export interface Request {
  text: string
  /** Offset in the text the user wrote. */
  offset: number
  times: TimeExpression[]
  /** The text with every time expression masked. It has the same length. */
  timeless: string
  german: boolean
  context: IntentContext
  /** Title of the task that the previous request created, for "and remind me at six". */
  lastTask?: string
  /** The previous change to an event, for "and tell the team". */
  lastChange?: string
}

/** A match of a rule, before the models check it. The confidence comes from the words alone. */
export type Draft = {
  [Tool in IntentTool]: {
    tool: Tool
    arguments: ToolArguments[Tool]
    confidence: number
    evidence: Evidence[]
  }
}[IntentTool]

/** A rule matched, but a required argument is missing. */
export interface Incomplete {
  missing: string
}

export type Rule = (request: Request) => Draft | Incomplete | undefined

const LEAD =
  /(?<=^|\s)(?:(?:due|by|on|at|for|from|until|till|before|after|since|starting|during|in|aus|seit|within|this|the|every|around|about|am|um|ab|bis|zum|vom|von|im|in der|für|den|der|gegen)\s+){1,3}$/iu

/** Masks the time expressions and their prepositions. */
export const hideTimes = (text: string, times: readonly TimeExpression[]): string => {
  let hidden = text
  for (const time of times) {
    const lead = LEAD.exec(text.slice(Math.max(0, time.offset - 40), time.offset))?.[0].length ?? 0
    hidden = maskRange(hidden, time.offset - lead, endOf(time))
  }
  return hidden
}

/** "What should I work on first" asks for an order, not for the first day of a month. */
const isOrder = (text: string, { text: words, offset }: TimeExpression): boolean =>
  /^(?:first|als erstes|erstes?)$/iu.test(words) && /^[\s.!?]*$/u.test(text.slice(offset + words.length))

/** Builds a request. Drops time expressions that only describe a noun, such as "weekly" in "weekly report". */
export const createRequest = (
  text: string,
  offset: number,
  context: IntentContext,
  lastTask?: string,
  lastChange?: string,
): Request => {
  const times = readTimes(text, context).filter((time) => !isOrder(text, time))
  return {
    text,
    offset,
    times,
    timeless: hideTimes(text, times),
    german: isGermanRequest(text),
    context,
    ...(lastTask ? { lastTask } : {}),
    ...(lastChange ? { lastChange } : {}),
  }
}

const GERMAN =
  /\b(?:mir|mich|meine[nmrs]?|bitte|zeige?|welche[nrs]?|habe|hab|wann|wie viele|erinnere?|aufgaben?|termine?|kalender|liste|trage?|lösche?|verschiebe?|sag|schreibe?|antworte?|neue[nrs]?|finde|freie[nrs]?|stunden?|nächste[nrs]?|woche|heute|wer|wem|welcher|archiviere|markiere|benenne|vereinbare|füge?|spiele?|wetter)\b/iu

/** Words that exist in both languages, and English words that decide such a case. */
const EITHER = /\b(?:was|sage)\b/iu
const ENGLISH =
  /\b(?:the|my|me|i|you|your|we|it|that|there|is|of|to|from|and|with|for|about|what|when|who|which|how|why)\b/iu

/** Requests are short, so one word that exists only in German decides. */
export const isGermanRequest = (text: string): boolean =>
  isGerman(text) || GERMAN.test(text) || (EITHER.test(text) && !ENGLISH.test(text)) || isGermanText(text)

/** Converts pieces to evidence. Offsets refer to the text the user wrote. */
export const toEvidence = (
  request: Request,
  argument: string,
  pieces: readonly { text: string; offset: number }[],
): Evidence[] => pieces.map(({ text, offset }) => ({ argument, text, offset: offset + request.offset }))

export const draft = <Tool extends IntentTool>(
  tool: Tool,
  given: ToolArguments[Tool],
  confidence: number,
  evidence: readonly Evidence[] = [],
): Draft => ({ tool, arguments: given, confidence, evidence: [...evidence] }) as Draft

const DAY = 86_400_000

/** Formats a moment as `2026-03-03`, or as `2026-03-03T14:00` if the hour is known. */
export const wallText = ({ day, seconds }: Moment): Wall => {
  const iso = new Date(day * DAY + (seconds ?? 0) * 1000).toISOString()
  return seconds === undefined ? iso.slice(0, 10) : iso.slice(0, 16)
}

export const dayOf = (wallMs: number): number => Math.floor(wallMs / DAY)

/** Returns whole minutes. Returns undefined without a duration, or for months, which have no fixed length. */
export const minutesOf = (time: TimeExpression | undefined): number | undefined => {
  if (!time?.duration || time.duration.months > 0) return undefined
  const minutes = Math.round(durationSeconds(time.duration) / 60)
  return minutes > 0 ? minutes : undefined
}

/** "since Monday" means the last Monday, not the next. */
const toPast = (moment: Moment, now: number): Moment =>
  moment.day > dayOf(now)
    ? { ...moment, day: moment.day - 7 * Math.ceil((moment.day - dayOf(now)) / 7) }
    : moment

/** Converts a time expression to the range to search. */
export const rangeOf = (
  time: TimeExpression | undefined,
  { timezone, now }: { timezone: string; now: number },
): WallRange => {
  if (!time?.start) return {}
  const start = toReaderZone(time.start, time.zone, timezone)
  const end = time.end ? toReaderZone(time.end, time.zone, timezone) : undefined
  // "mails from yesterday" covers that day only.
  if (time.bound === 'since' && /^(?:from|von|vom)\b/iu.test(time.text) && start.seconds === undefined && end)
    return { from: wallText(start), to: wallText(time.inclusive ? { day: end.day + 1 } : end) }
  if (time.bound === 'since' && /^(?:from|von|vom)\b/iu.test(time.text) && start.seconds === undefined)
    return { from: wallText(start), to: wallText({ day: start.day + 1 }) }
  if (time.bound === 'since') return { from: wallText(toPast(start, now)) }
  if (time.bound === 'after') return { from: wallText(start) }
  if (time.bound) {
    const last = end && end.seconds === undefined && time.start.seconds === undefined ? end : start
    const inclusive = time.bound === 'by' || time.bound === 'until'
    // "by" and "until" include the day they name.
    return {
      to: wallText(last.seconds === undefined && inclusive && last === start ? { day: last.day + 1 } : last),
    }
  }
  if (end) {
    const after = time.inclusive ? { day: end.day + 1 } : end
    return { from: wallText(start), to: wallText(after) }
  }
  if (start.seconds !== undefined) return { from: wallText(start) }
  return { from: wallText(start), to: wallText({ day: start.day + 1 }) }
}

const yearBefore = ({ day, ...rest }: Moment): Moment => {
  const date = new Date(day * DAY)
  return { ...rest, day: dayOf(date.setUTCFullYear(date.getUTCFullYear() - 1)) }
}

/** Moves a future date to the past: "mails from February" and "from Monday" mean the last one. */
export const toPastTime = (time: TimeExpression | undefined, now: number): TimeExpression | undefined => {
  if (
    !time?.start ||
    time.start.day <= dayOf(now) ||
    time.kind === 'recurrence' ||
    /\b\d{4}\b|next|nächst/iu.test(time.text)
  )
    return time
  const isWeekday = time.grain === 'day' && time.start.day - dayOf(now) <= 7
  const back = (moment: Moment): Moment =>
    isWeekday ? { ...moment, day: moment.day - 7 } : yearBefore(moment)
  return { ...time, start: back(time.start), ...(time.end ? { end: back(time.end) } : {}) }
}

/** Combines time expressions into one moment: a date and an hour may be named separately. */
export const momentOf = (times: readonly TimeExpression[], timezone: string): Moment | undefined => {
  const points = times.filter(({ start, kind }) => start && kind !== 'recurrence' && kind !== 'duration')
  const clock = points.find(({ start, part }) => start?.seconds !== undefined && !part)
  const day = points.find(({ dated }) => dated)
  const main = clock ?? day ?? points[0]
  if (!main?.start) return undefined
  const start =
    clock && !clock.dated && day?.start ? { ...main.start, day: day.start.day } : { ...main.start }
  if (main.part && !clock) return main.dated ? { day: start.day } : start
  return toReaderZone(start, main.zone, timezone)
}

export const MAIL = '(?:e-?mails?|mails?|messages?|nachricht(?:en)?|newsletters?)'
export const TASK = '(?:tasks?|to-?dos?|to dos?|chores?|aufgaben?|todos?)'
export const EVENT =
  '(?:meetings?|events?|appointments?|appts?|calls?|calendar(?: entr(?:y|ies)| events?)?|sessions?|interviews?|lunch(?:es)?|dinners?|breakfasts?|brunch|coffee|stand-?ups?|sync|one[- ]on[- ]ones?|1:1s?|reviews?|demos?|workshops?|classes|class|bookings?|reservations?|visits?|dates?|catch-?ups?|termine?n?|treffen|besprechung(?:en)?|meeting|verabredung(?:en)?|mittagessen|abendessen|essen|dentist|doctor|zahnarzt(?:termin)?|arzt(?:termin)?|haircut|flights?|party|parties|trips?)'

const STOP =
  'about|regarding|concerning|re|on|that|declining|accepting|confirming|thanking|which|who|since|saying|says|to|for|in|with|and|as|is|are|was|were|has|have|had|say|said|tell|telling|write|wrote|written|send|sent|want|wants|mean|asking|asks|at|from|today|yesterday|this|last|over|zu|zum|zur|über|wegen|seit|mit|als|an|und|dass|geschrieben|geschickt|bekommen|gesendet|im|in|von|auf|ab|vor|ein|um'
const WORD = "[\\p{L}\\d][\\p{L}\\d.&+_@'’-]*"
const NAME = `(?:(?:the|my|our|dem|der|den|meine[mrn]?|frau|herrn?|mr\\.?|mrs\\.?|ms\\.?|dr\\.?)\\s+)*(?!(?:${STOP}|me|you|my|the)\\b)${WORD}(?:\\s+(?!(?:${STOP})(?![\\p{L}\\d]))${WORD}){0,3}`

const FROM = new RegExp(`(?:^|[\\s|])(?:from|by|von|vom)\\s+(${NAME})`, 'iu')
const TO = new RegExp(`(?:^|[\\s|])to\\s+(${NAME})`, 'iu')
const AN = new RegExp(`(?:^|[\\s|])an\\s+(${NAME})`, 'iu')
const OWNED = new RegExp(
  `(?:^|[\\s|])(\\p{L}[\\p{L}.-]*)(?:['’]s?|s(?=\\s+(?:letzte|neueste|mail)))\\s+(?:(?:last|latest|newest|recent|most recent|new|unread|urgent|letzten?|neuesten?|first|previous|other|second)\\s+){0,2}(?:${MAIL}|reply|answer|question|request|note|invitation|proposal|antwort|frage)(?![\\p{L}])`,
  'iu',
)
const SAID = new RegExp(
  `\\b(?:did|has|does|hat)\\s+(?:mir\\s+|uns\\s+)?(${NAME}?)\\s+(?:write|wrote|written|say|said|send|sent|mail|email|reply|replied|answer|answered|want|ask|asked|tell|told|respond|responded|mean|need|mir|geschrieben|geantwortet|gesagt|geschickt)(?![\\p{L}])`,
  'iu',
)
/** "Was hat Anna über den Vertrag geschrieben?" */
const GERMAN_WROTE =
  /(?<![\p{L}])hat\s+(\p{L}+(?:\s\p{L}+)?)\s+(?:.{0,60}\s)?(?:geschrieben|geantwortet|gesagt|geschickt)(?![\p{L}])/u
const WROTE = new RegExp(
  `(?:${MAIL}|\\bwas|\\bwhat)\\s+(?:that\\s+)?(?!(?:i|you|we|is|are|was|were|did|do|does|has|have|the|in|on|of)\\b)(${WORD})\\s+(?:sent|wrote|has sent|emailed|mailed|said|schrieb|schickte|sent me)(?![\\p{L}])`,
  'iu',
)
const ABOUT =
  /(?:^|[\s|])(?:about|regarding|concerning|re:?|mentioning|containing|with the (?:subject|title|word|words)|on the (?:subject|topic) of|(?<=mails? |messages? |e-?mails? )on|(?<=(?:mails?|messages?|inbox) )for|(?<=(?:mail|message) )with(?= (?:the|an?|our|my) (?!attachments?|attached|tags?|labels?|subject|title|words?))|über|wegen|zum thema|bezüglich|betreffend|mit dem betreff)\s+(?=[^\s|])/iu
const LATEST = /\b(?:last|latest|newest|most recent|letzten?r?|neuesten?r?|jüngsten?)\b/iu
const END =
  /[|?!;\n]|[.,](?=\s|$)|\s(?:from|by|since|and (?:tell|then|say)|that (?:i|are|is|came|were)|please|as (?=\p{L}+\s*$)|sent|von|seit|bitte|geschrieben|geschickt|gesagt)(?=[\s|?.!]|$)|\s(?:to|in) (?:my|the) (?:inbox|mail|archive)\b/iu
const ARTICLE = /^(?:the|a|an|my|our|his|her|their|das|die|der|den|dem|meine?[nmr]?|ein(?:e|en|em|er)?)\s+/iu

/** Removes the article. Returns undefined if nothing is left. */
export const withoutArticle = (piece: Piece | undefined): Piece | undefined => {
  if (!piece) return undefined
  if (ARTICLE.test(`${piece.text} `) && !piece.text.includes(' ')) return undefined
  const article = ARTICLE.exec(piece.text)?.[0].length ?? 0
  return pieceAt(piece.text, article, piece.text.length)
    ? { text: piece.text.slice(article), offset: piece.offset + article }
    : undefined
}

/** Returns the phrase that starts at an offset. */
export const phraseAt = (text: string, from: number, end: RegExp = END): Piece | undefined => {
  const rest = text.slice(from)
  const stop = end.exec(rest)
  return withoutArticle(pieceAt(text, from, from + (stop ? stop.index : rest.length)))
}

const NO_NAME =
  /^(?:me|myself|you|it|them|him|her|us|today|yesterday|work|inbox|everyone|anyone|anybody|someone|somebody|now|mir|mich|wem|whom|who|there|i|we|he|she|they|this|that|all|any|what|new)$/iu

const nameIn = (text: string, pattern: RegExp): Piece | undefined => {
  const match = pattern.exec(text)
  const name = match?.[1]
  if (!match || !name) return undefined
  const offset = match.index + match[0].indexOf(name)
  const piece = withoutArticle(pieceAt(text, offset, offset + name.replace(/['’]s?$/u, '').length))
  return piece && !NO_NAME.test(piece.text) ? piece : undefined
}

const findGermanWriter = (text: string): Piece | undefined => {
  const match = GERMAN_WROTE.exec(text)
  const name = match?.[1]?.replace(/\s(?!\p{Lu}).*$/u, '')
  return match && name && !NO_NAME.test(name)
    ? { text: name, offset: match.index + match[0].indexOf(name) }
    : undefined
}

export interface Picked<T> {
  pick: T
  evidence: Evidence[]
}

const ALL = new RegExp(
  `(?<![\\p{L}])(?:everything|all|alles)\\s+(?:from|by|about|von|über)(?![\\p{L}])|(?<![\\p{L}])(?:all|every|alle|sämtliche)\\s+(?:(?:the|my|of|unread|new|old|die|meine|ungelesenen?)\\s+){0,3}(?:\\p{L}+s['’]?\\s+)?${MAIL}`,
  'iu',
)

/** Finds the criteria of an email: sender, topic, latest, all. */
export const pickEmail = (request: Request, text = request.timeless): Picked<EmailPick> => {
  const from =
    nameIn(text, FROM) ??
    nameIn(text, OWNED) ??
    nameIn(text, SAID) ??
    findGermanWriter(text) ??
    nameIn(text, WROTE)
  const topic = ABOUT.exec(text)
  const said = topic ? phraseAt(text, topic.index + topic[0].length) : undefined
  const named = said && !/^(?:it|that|this|them|das)$/iu.test(said.text) ? said : undefined
  // "All newsletters" does not mean all email.
  const newsletters = from ? null : /\bnewsletter/iu.exec(text)
  const about = named ?? (newsletters ? { text: 'newsletter', offset: newsletters.index } : undefined)
  // Use the text without times, because "last week" does not mean the latest email.
  const latest = LATEST.exec(request.timeless)
  return {
    pick: {
      ...(from ? { sender: from.text } : {}),
      ...(about ? { about: about.text } : {}),
      ...(latest ? { latest: true as const } : {}),
      ...(!latest && ALL.test(text) ? { all: true as const } : {}),
    },
    evidence: [
      ...(from ? toEvidence(request, 'sender', [from]) : []),
      ...(about ? toEvidence(request, 'about', [about]) : []),
    ],
  }
}

/** Finds the recipient. */
export const addressee = (text: string, german: boolean): Piece | undefined => nameIn(text, german ? AN : TO)

const WITH = new RegExp(
  `(?:^|[\\s|])(?:with|w/|mit|meet|meeting(?!s? )|seeing|see|treffe(?: ich| wir)?)\\s+(${NAME.replace('{0,3}', '{0,2}')})`,
  'iu',
)

/** Finds the person after "with". */
export const companion = (text: string): Piece | undefined => nameIn(text, WITH)

const AND_NAME = new RegExp(
  `^(?:\\s*,\\s*(?:and\\s+|und\\s+)?|\\s+(?:and|und)\\s+|\\s*&\\s*)(${NAME.replace('{0,3}', '{0,2}')})`,
  'iu',
)

/** Finds all persons after "with": "with Ann and Ben". */
export const companions = (text: string): Piece[] => {
  const found: Piece[] = []
  for (let next = companion(text); next && found.length < 10; ) {
    found.push(next)
    const end = next.offset + next.text.length
    const more = nameIn(text.slice(end), AND_NAME)
    next = more && { text: more.text, offset: more.offset + end }
  }
  return found
}

const GENERIC = new RegExp(
  `^(?:(?:next|upcoming|first|last|all|my|of|the|any|other|nächste[nrs]?|new|big|scheduled|planned)\\s+)*(?:${EVENT.slice(3, -1)}|thing|one|plans?|slot|it|everything|kalender|schedule|agenda)?$`,
  'iu',
)
const SPECIFIC =
  /^(?:lunch|dinner|breakfast|brunch|coffee|stand-?ups?|sync|interview|review|demo|workshop|dentist|doctor|haircut|party|zahnarzt|arzt|mittagessen|abendessen|class|flight|trip|one[- ]on[- ]one|1:1|call|catch-?up|visit|session|reservation|booking)/iu

const NEXT_ONE = new RegExp(
  `(?<![\\p{L}])(?:next|upcoming|nächste[nrs]?)\\s+(?:\\p{L}+\\s+)?${EVENT}(?![\\p{L}])`,
  'iu',
)

/** Finds the criteria of an event in phrases such as "my meeting with Bob tomorrow", "the 3pm", "lunch". */
export const pickEvent = (request: Request, from: number, to: number): Picked<EventPick> => {
  const text = request.timeless.slice(0, to)
  const times = request.times.filter(({ offset }) => offset >= from && offset < to)
  const person = companion(text.slice(from))
  const at = momentOf(times, request.context.timezone)
  const owned = /^(?:[\s|]|['’]s)*/u.exec(text.slice(from))?.[0].length ?? 0
  const start = from + owned
  const stop =
    /[|?!;]|[.,](?=\s|$)|\s(?:with|from|on|at|for|in|mit|am|um|im|off|ab|away|von)(?=[\s|]|$)/iu.exec(
      text.slice(start),
    )
  const named = withoutArticle(pieceAt(text, start, stop ? start + stop.index : to))
  const about = /(?<!\p{L})(?:about|called|titled|named|über|namens|zum thema)\s+(?=[^\s|])/iu.exec(
    text.slice(from),
  )
  const topic = about ? phraseAt(text, from + about.index + about[0].length) : undefined
  const next = NEXT_ONE.test(text.slice(from))
  const plain = named?.text.replace(/^(?:next|upcoming|nächste[nrs]?)\s+/iu, '')
  const title =
    topic?.text ??
    (plain && (!GENERIC.test(plain) || SPECIFIC.test(plain)) && plain !== '' ? trimmed(plain) : undefined)
  return {
    pick: {
      ...(title ? { title } : {}),
      ...(person ? { person: person.text } : {}),
      ...(at ? { at: wallText(at) } : {}),
      ...(next && !at ? { next: true as const } : {}),
    },
    evidence: [
      ...(person ? toEvidence(request, 'person', [{ ...person, offset: person.offset + from }]) : []),
      ...(at ? toEvidence(request, 'at', times) : []),
    ],
  }
}

/** Removes generic words, so that "budget meeting" searches for "budget". */
const trimmed = (title: string): string => {
  // "Termin Zahnarzt", "event Offsite": the name follows the generic noun.
  const bare = title.replace(
    /^(?:[Tt]ermin|[Bb]esprechung|[Tt]reffen|[Ee]vent|[Aa]ppointment|[Mm]eeting)\s+(?=["“„\p{Lu}])/u,
    '',
  )
  const short = bare.replace(
    /\s+(?:meetings?|events?|appointments?|appt|calendar entry|termin|besprechung|treffen)$/iu,
    '',
  )
  return short === '' ? title : short.replace(/^["“„]|["”“]$/gu, '')
}

const TASK_TAIL = new RegExp(
  `\\s+(?:${TASK}|item|reminder|one|eintrag|deadline|due date)$|\\s+(?:from|off|on|in|of|von|auf|aus) (?:my|the|our|meine[rnm]?|der|den) (?:[\\p{L}-]+ )?(?:${TASK}|list|liste)s?$`,
  'iu',
)
const TASK_HEAD = new RegExp(
  `^(?:(?:the|my|a|an|die|das|den|der|meine[nmr]?)\\s+)?(?:(?:${TASK}|reminder|item)(?:\\s+(?:to|called|named|about|for|of|titled|namens)|:)?\\s+)?`,
  'iu',
)

/** Extracts the search words of a task. */
export const pickTask = (text: string): string | undefined => {
  let name = text
    .replace(/\|+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[,;:.!?]+$/u, '')
  const quoted = /["“„]([^"“”„]{1,200})["”“]/u.exec(name)
  if (quoted) return quoted[1]?.trim()
  for (let round = 0; round < 3; round++) name = name.replace(TASK_TAIL, '').trim()
  name = name
    .replace(TASK_HEAD, '')
    .trim()
    .replace(/^(?:the|my)\s+/iu, '')
  return name === '' || /^(?:it|that|this|one|task|todo|das|es)$/iu.test(name) ? undefined : name
}

/** Finds the length in minutes: a duration, or a bare "hour". */
export const lengthIn = (request: Request): number | undefined => {
  const said = minutesOf(request.times.find(({ kind }) => kind === 'duration'))
  if (said) return said
  const loose = /\b(half[- ]?(?:an[- ]|a[- ])?hour|halbe stunde|hour|stunde|stündchen)\b/iu.exec(request.text)
  return loose ? (/^hal/iu.test(loose[0]) ? 30 : 60) : undefined
}

/** Splits a list of names such as "Ana, Ben and Carla". */
export const namesOf = (words: string): string[] =>
  words.split(/\s*(?:,|\band\b|\bund\b|&)\s*/iu).filter((name) => name !== '')
