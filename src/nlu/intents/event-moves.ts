import { readTimes, type TimeExpression } from '../dates/read.ts'
import type { EventPick } from './features.ts'
import { dayOf, minutesOf, momentOf, wallText } from './moments.ts'
import { EVENT, pickEvent } from './picks.ts'
import { draft, type Rule, toEvidence } from './request.ts'

const EVENTS = new RegExp(`(?<![\\p{L}])${EVENT}(?![\\p{L}])`, 'iu')
const TASKISH = /\b(?:tasks?|to-?dos?|reminders?|aufgaben?|deadline|due date)\b/iu

const isNamed = (pick: EventPick): boolean => Object.keys(pick).length > 0

const MOVE =
  /^(?:move|reschedule|postpone|push|shift|swap|switch|delay|bring|change|pull|put off|bump|set back|rebook|extend|lengthen|shorten|make|update|set|verschiebe?|schiebe?|verlege?|verkürze?|verlängere?)(?![\p{L}])\s*/iu
const SURE_MOVE =
  /^(?:move|reschedule|postpone|push|shift|swap|delay|bump|rebook|extend|shorten|lengthen|verschiebe?|schiebe?|verlege?|verkürze?|verlängere?|bring|pull)/iu
/** Separates the event from its new time. */
const TO =
  /\s+(?:(?:back|forward|up|out|ahead|over|again|nach hinten|nach vorne?)\s+)*(?:to|until|till|for|by|from|auf|um|into|so that it|at|on|in)(?=[\s|])|\s+(?:back|forward|up|out|earlier|later|früher|später|nach hinten|nach vorne?)(?=[\s|.!]|$)/giu
const EARLIER = /\b(?:earlier|forward|up|ahead|früher|vor|nach vorne?)\b/iu

const SAME_TIME = /\b(?:same (?:time|hour)|(?:zur |um die )?(?:gleiche[nr]?|selbe[nr]?) (?:uhr)?zeit)\b/iu

export const moveEvent: Rule = (request) => {
  const { text, timeless, times, context } = request
  const move = MOVE.exec(text)
  if (!move || TASKISH.test(text)) return undefined
  if (/^(?:set ?up|(?:make|set|put)(?: me)? (?:an?|another|new))(?![\p{L}])/iu.test(text)) return undefined
  const sure = SURE_MOVE.test(text)
  const begin = move[0].length
  // "Half an hour later" is relative to the start of the event, not to now.
  const later = times.find(({ duration, text: words }) => duration && /\s(?:later|später)$/iu.test(words))
  const length =
    later ?? times.find(({ kind, duration, start }) => kind === 'duration' || (duration && !start))
  const points = [
    ...times
      .filter(
        (time) => time !== later && time.start && time.kind !== 'recurrence' && time.kind !== 'duration',
      )
      .flatMap(splitRange),
    ...bareHour(text, times, context.now),
  ]
  if (
    !sure &&
    !(EVENTS.test(text) && points.length > 0) &&
    !(points.length > 1) &&
    !(length && EVENTS.test(text)) &&
    !(later && points.length > 0)
  )
    return undefined
  // In "from … to", the first time is the current start and the last is the target. A single time is the
  // target if a preposition precedes it.
  const last = points.at(-1)
  const target =
    last && !later && (points.length > 1 || hasPreposition(timeless, text, last.offset) || !sure)
      ? last
      : undefined
  // A date and an hour next to each other form one time.
  const together = points.filter((point) => target && (point === target || isBeside(text, point, target)))
  const first = together[0] ?? target
  const by = length?.offset ?? Number.POSITIVE_INFINITY
  let end = Math.min(first?.offset ?? text.length, by)
  for (const match of timeless.matchAll(TO))
    if (
      match.index >= begin &&
      match.index < end &&
      (isLead(text.slice(match.index, end)) || match.index + match[0].length >= end - 3)
    ) {
      end = match.index
      break
    }
  const { pick, evidence } = pickEvent({ ...request, times: points }, begin, end)
  const start = target ? momentOf(together.length > 0 ? together : [target], context.timezone) : undefined
  const minutes = minutesOf(length)
  if (!isNamed(pick) && !/\b(?:it|that|this|ihn|es|das)\b/iu.test(text.slice(begin, begin + 8)))
    return start || minutes ? { missing: 'which event' } : undefined
  if (
    /^(?:extend|lengthen|shorten|verlängere?|verkürze?)/iu.test(text) ||
    (/^(?:make|set|change)/iu.test(text) && minutes && !start && !later)
  ) {
    if (!minutes) return { missing: 'the length' }
    const sign = /^(?:shorten|verkürz)/iu.test(text) ? -1 : 1
    const grows =
      /^(?:extend|lengthen|shorten|verl|verk)/iu.test(text) && !/\b(?:to|auf)\s*\|/iu.test(timeless)
    return draft(
      'move_event',
      { event: pick, ...(grows ? { shiftMinutes: 0 } : {}), minutes: grows ? sign * minutes : minutes },
      sure ? 0.92 : 0.75,
      evidence,
    )
  }
  if (minutes && !start) {
    const back = EARLIER.test(text.slice(begin))
    return draft(
      'move_event',
      { event: pick, shiftMinutes: back ? -minutes : minutes },
      sure || (later && pick.at) ? 0.92 : 0.88,
      evidence,
    )
  }
  if (!start) return sure ? { missing: 'the new time' } : undefined
  // "my 3pm tomorrow to 4pm" keeps its day.
  const hour = pick.at?.slice(11)
  if (hour && start.seconds === undefined && SAME_TIME.test(text))
    return draft('move_event', { event: pick, start: `${wallText(start)}T${hour}` }, sure ? 0.92 : 0.78, [
      ...evidence,
      ...toEvidence(request, 'start', together),
    ])
  const held =
    pick.at && start.seconds !== undefined && !together.some(({ dated }) => dated)
      ? { ...start, day: dayOf(Date.parse(`${pick.at.slice(0, 10)}T00:00:00Z`)) }
      : start
  return draft('move_event', { event: pick, start: wallText(held) }, sure ? 0.92 : 0.78, [
    ...evidence,
    ...toEvidence(request, 'start', together),
  ])
}

/**
 * Reads a bare number as an hour after "to": "to 11", "to half nine". Elsewhere a bare number is not a time.
 */
const bareHour = (text: string, times: readonly TimeExpression[], now: number): TimeExpression[] => {
  const found =
    /\s(?:to|auf)\s+((?:ha(?:lf|lb)\s)?(?:\d{1,2}|\p{L}{2,7}))(?=[.!?]?$|,?\s+(?:and|und|instead|please|bitte)\b)/u.exec(
      text,
    )
  const words = found?.[1]
  if (!found || !words) return []
  const offset = found.index + found[0].length - words.length
  if (times.some((time) => time.offset + time.text.length > offset)) return []
  const [hour] = readTimes(`at ${words}`, { now })
  if (hour?.kind !== 'time' || hour.start?.seconds === undefined || hour.text !== words) return []
  const start = { day: dayOf(now), seconds: hour.start.seconds }
  return [{ ...hour, start, offset, confidence: 0.6 }]
}

/** Splits "3pm to 4pm" into a current start and a target. For a move it is not a range. */
const splitRange = (time: TimeExpression): TimeExpression[] => {
  const between = /\s(?:to|until|till|auf|bis)\s+/iu.exec(time.text)
  if (!between || !time.start || !time.end) return [time]
  const { end, inclusive, duration, ...first } = time
  const from = between.index + between[0].length
  // The target of "to Friday" is that day. The end of a date range is the day after.
  const words = time.text.slice(from)
  const isDay = !/\d|noon|midnight|mittag/iu.test(words) && (end.seconds ?? 0) === 0 && !inclusive
  const goal = isDay ? { day: end.day - 1 } : end
  const second = {
    ...first,
    ...(isDay ? { dated: true } : {}),
    start: goal,
    text: time.text.slice(from),
    offset: time.offset + from,
  }
  return [{ ...first, text: time.text.slice(0, between.index) }, second]
}

const isLead = (words: string): boolean => /^\s*(?:\p{L}+\s+){0,4}$/u.test(words)
const hasPreposition = (_timeless: string, text: string, offset: number): boolean =>
  /\b(?:to|until|till|for|auf|back to|into|on|um|at|by)\s+(?:the\s+|den\s+)?$/iu.test(text.slice(0, offset))
const isBeside = (
  text: string,
  a: { offset: number; text: string },
  b: { offset: number; text: string },
): boolean => {
  const [one, two] = a.offset < b.offset ? [a, b] : [b, a]
  return /^[\s,]*(?:at|on|um|am|in the)?[\s,]*$/iu.test(text.slice(one.offset + one.text.length, two.offset))
}

const TASK_WORDS = /\b(?:tasks?|to-?dos?|reminders?|aufgaben?|lists?)\b/iu
const ARTICLE = '(?:the\\s+|my\\s+|our\\s+|den\\s+|die\\s+|das\\s+|meinen?\\s+)?'
const RENAME = new RegExp(
  `^(?:(?:rename|retitle)\\s+${ARTICLE}|(?:change|set|update|ändere)\\s+(?:the\\s+|den\\s+)?(?:title|name|subject|titel|namen)\\s+(?:of|for|von|vom|des)\\s+${ARTICLE}|(?:nenne|benenne)\\s+${ARTICLE})`,
  'iu',
)
const PLACE = new RegExp(
  `^(?:change|set|update|move|ändere|verlege)\\s+(?:the\\s+|den\\s+)?(?:location|place|room|venue|ort|raum)\\s+(?:of|for|von|vom|des|für)\\s+${ARTICLE}`,
  'iu',
)
/** Separates the old name from the new one at the last preposition, because a name may contain one. */
const RENAME_TO = /^(.*)\s+(?:to|into|as|in|auf|zu)\s+["“„]?([^"“”„]+?)["”“]?(?:\s+um)?[.!]?$/iu

/** "rename the meeting with Bob to budget talk", "change the location of the review to room 7". */
export const renameEvent: Rule = (request) => {
  const { text } = request
  const head = RENAME.exec(text) ?? PLACE.exec(text)
  if (!head || TASK_WORDS.test(text)) return undefined
  const [, name, fresh] = RENAME_TO.exec(text.slice(head[0].length)) ?? []
  if (name === undefined || fresh === undefined) return undefined
  const { pick, evidence } = pickEvent(request, head[0].length, head[0].length + name.length)
  const isNamed = Object.keys(pick).length > 0
  const isPlace = !RENAME.test(text)
  // Files and lamps are renamed too, so require a hint that the object is a calendar event.
  const isEvent =
    EVENTS.test(text) ||
    pick.at !== undefined ||
    pick.person !== undefined ||
    isPlace ||
    head[0].includes('title')
  if (!isNamed) return isEvent ? { missing: 'which event' } : undefined
  return draft(
    'update_event',
    { event: pick, ...(isPlace ? { place: fresh.trim() } : { title: fresh.trim() }) },
    isEvent ? 0.92 : 0.8,
    evidence,
  )
}
