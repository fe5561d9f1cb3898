import { toReaderRule } from '../recurrence/moved-rule.ts'
import { toReaderZone, toWallMs, toZoneWall } from './dates/calendar.ts'
import { type ReadOptions, readTimes, type TimeExpression } from './dates/read.ts'
import type { Moment } from './dates/values.ts'
import { fitting } from './text.ts'

export type LineOptions = Pick<ReadOptions, 'now' | 'timezone' | 'order'>

const DAY_MS = 86_400_000

const toDay = (now: number): number => Math.floor(now / DAY_MS)

/** Returns the current wall-clock time in the zone of a time expression. */
export const nowOf = ({ zone }: TimeExpression, { now, timezone }: LineOptions): number =>
  timezone === undefined ? now : toZoneWall(now, zone, timezone)

const OFTEN = /^(?:daily|weekly|bi-?weekly|fortnightly|monthly|bimonthly|quarterly|yearly|annual)$/iu
const DETERMINER_BEFORE = /\b(?:the|our|my|a|an|this|that|your|their)\s+$/iu
const LEADS_TO_TIME =
  /(?:^|\s)(?:due|by|on|in|for|until|till|before|during|from|since|end of|start of|early|late|mid|next|this|last|bis|im|in|ab|vor|ende|anfang|mitte|nächsten|diesen)\s+$/iu

const LEADS_INTO =
  /(?:^|\s)(?:due|by|in|until|till|before|during|within|bis|im|in|vor|am)\s+(?:the\s+|dem\s+)?$/iu

const OCCASION =
  /^\s(?:(?:team|board|staff|sales|client|project|morning|evening|weekly)\s)?(?:meetings?|calls?|reviews?|part(?:y|ies)|lunch|dinner|brunch|breakfast|stand-?ups?|demos?|trips?|flights?|sessions?|class(?:es)?|games?|match|concerts?|presentations?|workshops?|interviews?|exams?|tests?|deadlines?|launch|release|events?|shows?|hikes?|webinars?|sync|retro|termine?|besprechung|treffen|sitzung|prüfung)(?!\p{L})/iu

/** Recognizes a day that identifies something: "slides for Monday meeting", "the May 4 documentary". */
const isAttribute = (before: string, words: string, after: string): boolean =>
  (/(?:^|\s)(?:for|the|our|my|this|zur?|für)\s+(?:the\s+)?$/iu.test(before) && OCCASION.test(after)) ||
  (/(?:^|\s)the\s+$/iu.test(before) &&
    /^\p{L}|^\d{1,2}[./]\d{1,2}\.?$/u.test(words) &&
    /^\s(?!(?:and|or|at|to|with|for|from|in|on|by|please|then|und|oder|um|mit)\s)\p{Ll}{3,}/u.test(after))

const spanLength = ({ start, end }: TimeExpression): number => (start && end ? end.day - start.day : 0)

/**
 * Recognizes times that are part of a name, not a due date: "Friday's concert", "the quarterly report", "Q3
 * numbers", "ask April about it".
 */
const belongsToName = (text: string, time: TimeExpression): boolean => {
  const { kind, grain, text: words, offset, bound, edge, name, dated } = time
  const [before, after] = [text.slice(Math.max(0, offset - 30), offset), text.slice(offset + words.length)]
  if (/^['’]s\s+\p{L}/u.test(after)) return true
  if ((kind === 'date' || kind === 'time') && isAttribute(before, words, after)) return true
  // For example "tell them that it moved to Friday" and "Jan-Feb expenses".
  if (
    dated &&
    /(?:^|\s)(?:moved|postponed|rescheduled|pushed|changed|verschoben|verlegt) (?:to|auf)\s+$/iu.test(before)
  )
    return true
  if (kind === 'daterange' && grain === 'month' && !edge && /[-–]/u.test(words) && /^\s+\p{Ll}/u.test(after))
    return true
  if (name && /\b(?:for|für|zu|zum)\s+$/iu.test(before)) return true
  if (kind === 'recurrence')
    return OFTEN.test(words) && DETERMINER_BEFORE.test(before) && /^\s+\p{L}/u.test(after)
  if (grain === 'decade' || grain === 'century') return true
  // Periods as in "the work for this quarter" are too long for a due date, unless a preposition precedes.
  const isVague = (grain === 'quarter' || grain === 'half' || grain === 'season') && spanLength(time) > 31
  if (isVague && !bound && !edge && !LEADS_INTO.test(before)) return true
  const isPeriod = kind === 'daterange' && (grain === 'month' || grain === 'quarter' || grain === 'season')
  if (!isPeriod || bound || edge || /\s/u.test(words)) return false
  if (/(?<!\p{L})(?:about|with|mit|über|wegen|re)\s+$/iu.test(before) || OCCASION.test(after)) return true
  return /\p{L}/u.test(before) && /^\s+\p{L}/u.test(after) && !LEADS_TO_TIME.test(before)
}

const LOOKS_BACK =
  /\b(?:ago|last|yesterday|previous|past|earlier|vor(?!\s*(?:dem|der|mittag))|gestern|vorgestern|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?)\b/iu

/** Recognizes references to the past: "the minutes of last week". A past date in full may be a due date. */
const isPastReference = (
  { kind, start, end, grain, text, inclusive }: TimeExpression,
  now: number,
): boolean => {
  if (kind === 'recurrence' || !start) return false
  const last = end ? (end.seconds === undefined && !inclusive ? end.day - 1 : end.day) : start.day
  const isLong = grain === 'week' || grain === 'month' || grain === 'quarter' || grain === 'year'
  return last < toDay(now) && (isLong || LOOKS_BACK.test(text))
}

/** "Tom's mail of 12 Nov" a week later means the past date, not the one in almost a year. */
const isPastDate = (
  text: string,
  { kind, start, text: words, offset }: TimeExpression,
  now: number,
): boolean =>
  (kind === 'date' || kind === 'daterange') &&
  start !== undefined &&
  start.day - toDay(now) > 270 &&
  !/\d{4}/u.test(words) &&
  /(?:^|\s)(?:of|from|dated|vom|von)\s+(?:the\s+)?$/iu.test(
    `${text.slice(Math.max(0, offset - 20), offset)}${/^(?:from|vom|von)\s/iu.exec(words)?.[0] ?? ''}`,
  )

/** Moves a time range that has already begun to tomorrow. Nobody captures an overdue task. */
const moveToTomorrow = (time: TimeExpression, options: LineOptions): TimeExpression => {
  const { kind, dated, part, start, end } = time
  if (kind !== 'timerange' || dated || part || !end || start?.seconds === undefined) return time
  const now = nowOf(time, options)
  if (start.day !== toDay(now) || start.seconds * 1000 >= now % DAY_MS) return time
  return { ...time, start: { ...start, day: start.day + 1 }, end: { ...end, day: end.day + 1 } }
}

/** Finds the time expressions of a line that can be due dates. */
export const taskTimes = (text: string, options: LineOptions): TimeExpression[] =>
  readTimes(text, { ...options, terse: true })
    .filter(
      (time) =>
        !belongsToName(text, time) &&
        !isPastReference(time, options.now) &&
        !isPastDate(text, time, options.now),
    )
    .map((time) => fitting(moveToTomorrow(time, options), text, nowOf(time, options)))

/** Derives the due date of a task from a time expression. */
export const dueOf = (time: TimeExpression, now: number): Moment | undefined => {
  if (!time.start) return undefined
  const today = toDay(now)
  // "Tonight" late in the evening means the rest of the day.
  if (time.part && time.start.day === today && (time.start.seconds ?? 0) * 1000 < now % DAY_MS)
    return { day: time.start.day }
  if (time.kind === 'daterange' && time.end && !time.bound) {
    // A future period is due on its first day ("next week", "in October"), as in other task managers. A
    // current period, or one whose end is named, is due on its last day.
    const isAhead = time.start.day > today && time.edge !== 'end'
    return isAhead ? { day: time.start.day } : { day: time.inclusive ? time.end.day : time.end.day - 1 }
  }
  // "After lunch" means the end of lunch.
  if (time.bound === 'after' && time.part && time.end) return time.end
  if ((time.bound === 'by' || time.bound === 'until') && time.end && time.start.seconds === undefined)
    return { day: time.end.day - 1 }
  return time.start
}

export type Priority = 'low' | 'normal' | 'high' | 'urgent'

/** A recognized part of a quick-capture line and its position. */
export interface Understood {
  kind: 'due' | 'zone' | 'recurrence' | 'priority' | 'tag' | 'estimate'
  text: string
  offset: number
}

export interface QuickTask {
  title: string
  /** The user's wall-clock time, without `seconds` if the line names no hour. */
  due?: Moment
  /** An RFC 5545 rule. */
  recurrence?: string
  priority: Priority
  tags: string[]
  estimateMinutes?: number
  understood: Understood[]
}

const TAG = /(?<=^|\s)#(\p{L}[\p{L}\d_/-]{0,49})/gu
const PRIORITY =
  /(?<=[\p{L}\d])!{2,3}(?=\s*$)|(?<=^|\s)(?:!(urgent|high|normal|medium|low|dringend|hoch|mittel|niedrig)\b|(!{1,3})(?=\s|$)|!?p([0-4])(?=\s|$)|(?:priority|prio|priorität)[\s:]+(urgent|high|normal|medium|low|dringend|hoch|mittel|niedrig|[0-4])\b|\(?(urgent|high|normal|medium|low|hohe|mittlere|niedrige)[ -](?:priority|prio|priorität)\b\)?:?)/giu
const ASIDE =
  /\((urgent|dringend|asap|important|wichtig)\)|(?<=^|\s)(asap|dringend|urgent|important|wichtig)(?=\s*[:!]|\s*$)[:!]?|^\s*(dringend)(?=\s)/giu

const PRIORITIES: Readonly<Record<string, Priority>> = {
  urgent: 'urgent',
  dringend: 'urgent',
  high: 'high',
  hoch: 'high',
  hohe: 'high',
  normal: 'normal',
  medium: 'normal',
  mittel: 'normal',
  mittlere: 'normal',
  low: 'low',
  niedrig: 'low',
  niedrige: 'low',
  '!!!': 'urgent',
  '!!': 'high',
  '!': 'high',
  '0': 'urgent',
  '1': 'urgent',
  '2': 'high',
  '3': 'normal',
  '4': 'low',
}

const priorityOf = (match: RegExpExecArray): Priority =>
  PRIORITIES[(match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5] ?? match[0]).toLowerCase()] ?? 'normal'

/** Reads one word such as “!high” or “p1”. */
export const readPriority = (word: string): Priority | undefined => {
  const match = word.matchAll(PRIORITY).next().value
  return match?.[0] === word ? priorityOf(match) : undefined
}

/** Prepositions before a time, which are removed with it. */
const LEAD =
  /(?<=^|[\s([])(?:(?:due:?|by|on|at|for|until|before|from|starting|bis(?: zum)?|am|um|ab|im|in|für|zum|fällig:?|every|this|the|@)\s+){1,3}$/iu
const POLITE =
  /^\s*(?:(?:please|pls|bitte)\s+)?(?:(?:remind me|remember|don'?t forget|nicht vergessen|vergiss nicht|erinnere mich|denk daran|ich muss|i (?:need|have) to|reminder|erinnerung|to-?do|task|aufgabe)\b[:,]?\s*(?:to\s|daran,?\s|an\s)?)?/iu

/** Limits the work for hostile input. */
const MAX_LINE_LENGTH = 5000

export interface Cut extends Understood {
  end: number
}

/** Includes the dot of "am 1.", which does not end a sentence. */
const withDot = (text: string, time: TimeExpression): number =>
  /^\d\.(?=\s|$)/u.test(text.slice(time.offset + time.text.length - 1))
    ? time.text.length + 1
    : time.text.length

const createCut = (kind: Understood['kind'], text: string, offset: number, length: number): Cut => ({
  kind,
  text: text.slice(offset, offset + length),
  offset,
  end: offset + length,
})

/** Returns the parts of the line for a time: its words with leading prepositions, and the zone separately. */
export const createTimeCuts = (kind: Understood['kind'], text: string, time: TimeExpression): Cut[] => {
  const lead = LEAD.exec(text.slice(0, time.offset))?.[0].length ?? 0
  const [from, to] = [time.offset - lead, time.offset + withDot(text, time)]
  const { zone, zoneOffset } = time
  if (!zone || zoneOffset === undefined) return [createCut(kind, text, from, to - from)]
  const before = text.slice(from, Math.min(to, zoneOffset)).replace(/[\s,(]+$/u, '')
  const after = zoneOffset + zone.text.length
  const rest = text.slice(after, Math.max(to, after))
  const skipped = /^[\s,)]*/u.exec(rest)?.[0].length ?? 0
  return [
    createCut(kind, text, from, before.length),
    createCut('zone', text, zoneOffset, zone.text.length),
    ...(skipped < rest.length ? [createCut(kind, text, after + skipped, rest.length - skipped)] : []),
  ]
}

const isSameHour = (
  time: TimeExpression,
  readerTime: Moment | undefined,
  timezone: string | undefined,
): boolean =>
  time.zone !== undefined &&
  time.start?.seconds !== undefined &&
  timezone !== undefined &&
  toReaderZone(time.start, time.zone, timezone).seconds === readerTime?.seconds

/** A quoted time is part of the title. */
export const isQuoted = (text: string, offset: number): boolean =>
  (text.slice(0, offset).match(/["“„”]/gu)?.length ?? 0) % 2 === 1

/** Returns the length in minutes that a time implies: "from 3 to 4pm", "at 5 for 30 minutes". */
const countMinutes = (time: TimeExpression | undefined): number => {
  if (!time?.start || !time.end || time.part || time.end.seconds === undefined) return 0
  const [from, to] = [time.start, time.end].map(({ day, seconds = 0 }) => day * 86_400 + seconds)
  return Math.max(0, Math.round(((to as number) - (from as number)) / 60))
}

/** Recognizes a duration in brackets: "Update the CV (1h)". */
const isBracketed = (text: string, { offset, text: words }: TimeExpression): boolean =>
  /[([]~?$/u.test(text.slice(Math.max(0, offset - 2), offset)) &&
  /^[)\]]/u.test(text.slice(offset + words.length))

/** Recognizes a duration before the activity: "30 min run". */
const isMeasure = (text: string, { offset, text: words, grain }: TimeExpression): boolean =>
  (grain === 'minute' || grain === 'hour') &&
  text.slice(0, offset).trim() === '' &&
  /^\s+(?!of\b|or\b|before\b|after\b|late|early|ago\b|from\b|vor\b|nach\b)\p{L}/iu.test(
    text.slice(offset + words.length),
  )

/** Todoist repeats "every! 2 weeks" from the completion of a task. It is read as "every 2 weeks". */
const FROM_COMPLETION = /(?<=^|\s)(every|ev|each|jede[nrsm]?|alle)!(?=\s)/giu

/** Finds the first occurrence of a recurrence. Excludes today if the hour has passed. */
const findFirstOccurrence = (
  text: string,
  options: LineOptions,
  clock: TimeExpression,
): Moment | undefined => {
  const midnight = (Math.floor(options.now / DAY_MS) + 1) * DAY_MS
  const isOver = (clock.start?.seconds ?? 0) * 1000 < nowOf(clock, options) % DAY_MS
  const times = taskTimes(text, { ...options, now: isOver ? midnight : options.now })
  return times.find(({ kind }) => kind === 'recurrence')?.start
}

const OF_A_MONTH = /\b(?:im|des|of the|in the|of this)\s+(?:monats?|month)$/iu
/**
 * Recognizes a day of this month that has passed: "on the first Monday of the month". It then means the next
 * month, because nobody captures an overdue task.
 */
const isOver = (time: TimeExpression | undefined, due: Moment | undefined, now: number): boolean =>
  time !== undefined && due !== undefined && due.day < Math.floor(now / DAY_MS) && OF_A_MONTH.test(time.text)

const nextMonth = (now: number): number => {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** Parses a line such as "pay rent every month on the 1st !high #home". */
export const readQuickTask = (line: string, options: LineOptions, isMoved = false): QuickTask => {
  const text = line.slice(0, MAX_LINE_LENGTH)
  const cuts: Cut[] = []
  const tags: string[] = []
  for (const match of text.matchAll(TAG)) {
    cuts.push(createCut('tag', text, match.index, match[0].length))
    const tag = (match[1] as string).toLowerCase()
    if (!tags.includes(tag)) tags.push(tag)
  }
  let priority: Priority = 'normal'
  const found = text.matchAll(PRIORITY).next().value
  const aside = found ? undefined : text.matchAll(ASIDE).next().value
  if (found) {
    priority = priorityOf(found)
    cuts.push(createCut('priority', text, found.index, found[0].length))
  } else if (aside) {
    priority = /^(?:important|wichtig)$/iu.test(aside[1] ?? aside[2] ?? '') ? 'high' : 'urgent'
    cuts.push(createCut('priority', text, aside.index, aside[0].length))
  }
  const isFree = (time: TimeExpression): boolean =>
    !isQuoted(text, time.offset) &&
    !cuts.some(({ offset, end }) => time.offset < end && offset < time.offset + time.text.length)
  // The tilde of "5pm ~2h" starts an estimate. Date readers would take it for a range.
  const readable = text.replace(/(?<=\s)~(?=\s?\d)/gu, ';').replace(FROM_COMPLETION, '$1 ')
  const times = taskTimes(readable, options).filter(isFree)
  const set = times.find(({ kind }) => kind === 'recurrence')
  const points = times.filter((time) => time !== set && time.kind !== 'duration' && time.start)
  // The last time in the line is the due date. Earlier times belong to the title.
  const clock = points.findLast(({ start, kind }) => start?.seconds !== undefined && kind !== 'daterange')
  const day = points.findLast(({ dated, start }) => dated && start?.seconds === undefined)
  const main = clock?.dated ? clock : (day ?? clock)
  const due = main ? dueOf(main, options.now) : set ? set.start : undefined
  const joined =
    due && main === day && clock && !clock.dated && clock.start
      ? { ...due, seconds: clock.start.seconds as number }
      : due
  const timed =
    set && clock?.start?.seconds !== undefined && !clock.dated && set.start
      ? { ...(findFirstOccurrence(readable, options, clock) ?? set.start), seconds: clock.start.seconds }
      : joined
  if (!isMoved && isOver(main, due, options.now))
    return readQuickTask(line, { ...options, now: nextMonth(options.now) }, true)
  const zone = (clock ?? set)?.zone
  const readerTime = timed && options.timezone ? toReaderZone(timed, zone, options.timezone) : timed
  for (const time of new Set([main, main === day && !clock?.dated ? clock : undefined]))
    if (time) cuts.push(...createTimeCuts('due', text, time))
  if (set) cuts.push(...createTimeCuts('recurrence', text, set))
  // "9am PT / 12pm ET" repeats the same time in another zone.
  for (const time of points)
    if (zone && time !== main && time !== clock && isSameHour(time, readerTime, options.timezone))
      cuts.push(...createTimeCuts('due', text, time))
  const length = times.find(
    (time) =>
      time.kind === 'duration' &&
      (/(?:\bfor|\bfür|~|\btakes|\bdauert)\s*$/iu.test(text.slice(0, time.offset)) ||
        isBracketed(text, time) ||
        isMeasure(text, time)),
  )
  const minutes =
    length?.duration && length.duration.months === 0
      ? Math.round((length.duration.days * 86_400 + length.duration.seconds) / 60)
      : countMinutes(clock) || countMinutes(set)
  if (length && minutes > 0 && minutes <= 6000) {
    const lead = /(?:for|für|~|takes|dauert|[([])\s*$/iu.exec(text.slice(0, length.offset))?.[0].length ?? 0
    const tail = isBracketed(text, length) ? 1 : 0
    cuts.push({
      ...createCut('estimate', text, length.offset, length.text.length + tail),
      offset: length.offset - lead,
    })
  }
  return {
    title: buildTitle(text, cuts),
    ...(readerTime ? { due: readerTime } : {}),
    ...(set?.rule
      ? {
          recurrence:
            timed && readerTime ? toReaderRule(set.rule, toWallMs(timed), toWallMs(readerTime)) : set.rule,
        }
      : {}),
    priority,
    tags,
    ...(minutes > 0 && minutes <= 6000 ? { estimateMinutes: minutes } : {}),
    understood: cuts
      .map(({ kind, offset, end }) => ({ kind, text: text.slice(offset, end), offset }))
      .sort((a, b) => a.offset - b.offset),
  }
}

/**
 * Builds the title from the text outside the recognized parts. Removes brackets and slashes that enclosed
 * only such parts.
 */
const buildTitle = (text: string, cuts: readonly Cut[]): string => {
  let rest = ''
  let at = 0
  const ordered = [...cuts].sort((a, b) => a.offset - b.offset)
  for (const [index, { offset, end }] of ordered.entries()) {
    const between = text.slice(at, Math.max(at, offset))
    const isJoined = index > 0 && /^\s*[/|=]?\s*$/u.test(between)
    if (!isJoined) rest += `${between} `
    at = Math.max(at, end)
    const next = ordered[index + 1]
    const close = /^\s*[)\]]/u.exec(text.slice(at, next?.offset))?.[0].length ?? 0
    const open = close > 0 ? /[([]\s*$/u.exec(rest) : null
    if (open) {
      rest = rest.slice(0, open.index)
      at += close
    }
  }
  rest += text.slice(at)
  const bare = rest
    .replace(/\s+/gu, ' ')
    .replace(/\s+([,.;:!?])(?=\s|$)/gu, '$1')
    .trim()
  const short = bare.replace(POLITE, '').replace(/^[\s,;:–-]+|[\s,;:–-]+$/gu, '')
  return short !== '' ? short : bare !== '' ? bare : text.trim()
}
