import { readTimes, type TimeExpression } from '../dates/read.ts'
import type { EventPick } from './intent.ts'
import {
  companion,
  dayOf,
  draft,
  EVENT,
  minutesOf,
  momentOf,
  pickEvent,
  type Rule,
  rangeOf,
  toEvidence,
  wallText,
} from './request.ts'

const AWAY =
  /^(?:(?:i(?:'m|’m| am|'ll be|’ll be| will be)|ich bin)\s+(?:on |in |im |auf )?(?=\p{L})|(?=(?:vacation|holidays?|annual leave|urlaub|elternzeit)\s+(?:from|vom|von)\s))(vacation|holidays?|annual leave|leave|parental leave|away|out of (?:the )?office|travell?ing|off work|(?:out )?sick|ill|krank|urlaub|verreist|abwesend|elternzeit)(?![\p{L}])/iu
/** "I'm on vacation from 6 to 10 April": an all-day event. */
const awayEvent: Rule = (request) => {
  const word = AWAY.exec(request.text)?.[1]
  if (word === undefined) return undefined
  const time = request.times.find(({ start, kind }) => start && kind !== 'recurrence' && kind !== 'duration')
  if (!time?.start || time.start.seconds !== undefined) return undefined
  const last = time.end ? time.end.day - (time.inclusive ? 0 : 1) : undefined
  const title = word.charAt(0).toUpperCase() + word.slice(1)
  return draft(
    'create_event',
    {
      title,
      start: wallText({ day: time.start.day }),
      allDay: true as const,
      ...(last !== undefined && last > time.start.day ? { end: wallText({ day: last }) } : {}),
    },
    0.92,
    toEvidence(request, 'start', [time]),
  )
}

const EVENTS = new RegExp(`(?<![\\p{L}])${EVENT}(?![\\p{L}])`, 'iu')
const CALENDAR = /\b(?:calendar|calender|schedule|agenda|diary|kalender|terminkalender)\b/iu
const TASKISH = /\b(?:tasks?|to-?dos?|reminders?|aufgaben?|deadline|due date)\b/iu

const CANCEL =
  /^(?:cancel|delete|remove|call off|drop|scrap|clear|erase|get rid of|kill|skip|unschedule|take|sage?|lösche?|streiche?|storniere|entferne|cancele|canceln?)(?![\p{L}])\s*/iu
const CANNOT = /^i (?:can(?:'|no)?t|won'?t|will not) (?:make|attend|come to|be at|join)\s+(?:it to\s+)?/iu

const isNamed = (pick: EventPick): boolean => Object.keys(pick).length > 0

const cancelEvent: Rule = (request) => {
  const { text } = request
  const cancel = CANCEL.exec(text) ?? CANNOT.exec(text)
  if (!cancel || TASKISH.test(text)) return undefined
  const takes = /^take/iu.test(text)
  if (takes && !/\boff\b.*\b(?:calendar|schedule)\b/iu.test(text)) return undefined
  if (/^sage?\s/iu.test(text) && !/\bab\b/iu.test(text)) return undefined
  // "Scrap tomorrow's retro": a noun that belongs to a day is an event.
  const strong =
    /^(?:cancel|call off|unschedule|storniere|canceln?|cancele|sage?|i )/iu.test(text) ||
    /^(?:scrap|skip|drop|delete|remove|kill)\s+(?:today|tomorrow|tonight|\p{L}+day)'s\s/iu.test(text)
  if (!strong && !EVENTS.test(text) && !CALENDAR.test(text) && !request.times.some(({ start }) => start))
    return undefined
  // Past events cannot be cancelled.
  if (
    !strong &&
    request.times.some(({ start, dated }) => dated && start && start.day < dayOf(request.context.now))
  )
    return undefined
  if (strong && /\b(?:subscription|order|membership|account|alarm|timer)\b/iu.test(text)) return undefined
  const { pick, evidence } = pickEvent(request, cancel[0].length, text.length)
  if (!isNamed(pick)) return { missing: 'which event' }
  return draft('cancel_event', { event: pick }, strong ? 0.93 : 0.88, evidence)
}

const ASK =
  /^(?:what|whats|what's|when|whens|when's|wheres|where|who|whom|which|do i|have i|am i|is there|are there|any|anything|show|list|tell|give|display|check|see|view|open|read|get|find|look|how does|how is|how's|was|wann|wo|wer|welche[nrs]?|habe? ich|hab ich|gibt es|steht|zeige?|liste|bin ich|mit wem|wie sieht|pull up|go over)(?![\p{L}])/iu
/** Questions about plans that do not name an event. */
const ANYTHING =
  /^(?:do i have |have i got |is there |am i doing |habe ich |hab ich )?(?:any ?thing|any plans|something|etwas|was)\b/iu
const PLANS =
  /^(?:what(?:'s|'ve i got| is| have i got| do i have| am i doing| have i| does)?|was)\b.*?\b(?:(?:do|have) (?:i|we) (?:have|got)|do i have|have i got|i have|am i doing|on (?:for|my|the|at)|planned|going on|coming up|happening|scheduled|look like|habe ich|hab ich|steht|liegt|ist|mache ich|vor)\b/iu
/** "what's on today". */
const ON = /^what(?:(?:'s|’s|s| is) (?:on|up|planned|happening|going on)|'ve (?:i|we) got)(?=\s|$)/iu
const NEXT = /\b(?:next|upcoming|nächste[nrs]?|coming up)\b/iu
const DAY_LOOK =
  /\b(?:day|week|month|morning|afternoon|evening|weekend|tomorrow|today|\p{L}+day|tag|woche|monat|morgen|heute)\b/iu

/** "When does the offsite start": a question about a noun with an article. */
const BEGINS =
  /^(?:(?:when|what time) (?:does|do|will) (?:the|my|our)\s.{2,40}?\s(?:start|begin|take place)|wann (?:beginnt|startet) (?:der|die|das|mein\p{L}*)\s.{2,40}?)\??$/iu

const listEvents: Rule = (request) => {
  const { timeless, times, context } = request
  const text = request.text.replace(
    /^(?:tell|show|let) me (?:know )?(?=what|when|who|which|where|if|whether)/iu,
    '',
  )
  if (!ASK.test(text) || TASKISH.test(text)) return undefined
  const named = EVENTS.test(text)
  const calendar = CALENDAR.test(text)
  const points = times.filter(({ start, kind }) => start && kind !== 'recurrence')
  const plans =
    (PLANS.test(text) || ON.test(text)) &&
    (points.length > 0 || NEXT.test(text)) &&
    !/\b(?:weather|time is it|wetter|news|the date|the day)\b/iu.test(text)
  const anything =
    (ANYTHING.test(text) || /^(?:habe|hab) ich\b.*\b(?:etwas|was|schon)\b/iu.test(text)) &&
    points.length > 0 &&
    !/\b(?:due|overdue|new|fällig|free|wetter)\b/iu.test(text) &&
    text.split(/\s+/u).length < 10
  const met =
    /^(?:when|wann|where|wo)\b.*\b(?:do i meet|am i (?:meeting|seeing)|do i see|treffe ich|sehe ich)\b/iu.test(
      text,
    )
  const who = met || /^(?:who|whom|mit wem|wen)\b.*\b(?:meet|meeting|seeing|see|treffe|with)\b/iu.test(text)
  const begins = BEGINS.test(text)
  const bare =
    /^(?:what'?s|what is|was (?:ist|kommt|steht)(?: als)?)\s+(?:next|coming up|up next|nächstes)(?: (?:for me|on|today))?\??$/iu.test(
      text,
    )
  const looks =
    /^(?:how(?:'s| is| does| do)|what does|wie sieht)\b.*\b(?:look|like|looking|schedule|aus)\b/iu.test(
      text,
    ) &&
    points.length > 0 &&
    DAY_LOOK.test(text) &&
    // "what does next week look like" means the user's own calendar.
    (mentionsUser(text) || /^(?:what|how) (?:does|is|will) (?:the )?\|+ (?:look|be looking)/iu.test(timeless))
  const week =
    /^(?:how|what|wie|show|was)\b.*\b(?:my|this|the|meine|diese) (?:week|woche)\b/iu.test(text) &&
    points.length === 0 &&
    !/\b(?:of|weather|wetter)\b/iu.test(text)
  if (
    !(
      (named || calendar) &&
      (calendar ||
        mentionsUser(text) ||
        points.length > 0 ||
        companion(timeless) ||
        /^(?:when|where|what time)(?:'s| is| are)\s/iu.test(text))
    ) &&
    !plans &&
    !anything &&
    !who &&
    !bare &&
    !looks &&
    !week &&
    !begins
  )
    return undefined
  if (/^(?:what|when)(?:'s| is| was| are) an? /iu.test(text)) return undefined
  const time = points.find(({ dated }) => dated) ?? points[0]
  const person = companion(timeless)
  const verb =
    /^(?:(?:when|what time|wann) (?:does|do|will|beginnt|startet|endet)|when(?:'s| is| are| do i have| am i)?|where(?:'s| is)?|wann ist|wann habe ich|wo ist|at what time is|what time is|do i have|have i got|habe ich)\s+/iu.exec(
      timeless,
    )
  const { pick } = verb ? pickEvent(request, verb[0].length, request.text.length) : { pick: {} as EventPick }
  const subject = pick.title?.replace(/\s+(?:start|begin|end|finish|take place)\??$/iu, '')
  const query =
    pick.title &&
    !/^(?:any(?:thing)?|something|etwas|schon|my day|day|week|plans?|i|do i|am i|a|free|busy|noch|und|heute|events?|meetings?|on)\b/iu.test(
      pick.title,
    )
      ? subject
      : undefined
  const today = dayOf(context.now)
  const monday = today - ((today + 3) % 7)
  const range = week
    ? { from: wallText({ day: monday }), to: wallText({ day: monday + 7 }) }
    : rangeOf(time, context)
  const next = (NEXT.test(time ? hideText(text, time) : text) || bare) && !range.from
  return draft(
    'list_events',
    {
      ...range,
      ...(query ? { query } : {}),
      ...(person && !/^(?:calendar|schedule)/iu.test(person.text) ? { person: person.text } : {}),
      ...(next ? { next: true as const } : {}),
    },
    calendar ||
      (named && mentionsUser(text)) ||
      bare ||
      (plans && ON.test(text)) ||
      week ||
      looks ||
      anything ||
      met
      ? 0.93
      : plans || who
        ? 0.88
        : 0.82,
    [
      ...(time ? toEvidence(request, 'from', [time]) : []),
      ...(person ? toEvidence(request, 'person', [person]) : []),
    ],
  )
}

const hideText = (text: string, { offset, text: words }: { offset: number; text: string }): string =>
  text.slice(0, offset) + text.slice(offset + words.length)

const mentionsUser = (text: string): boolean =>
  /\b(?:my|i|me|we|our|mein\p{L}*|ich|mir|wir|unser\p{L}*)\b/iu.test(text)

const MOVE =
  /^(?:move|reschedule|postpone|push|shift|swap|switch|delay|bring|change|pull|put off|bump|set back|rebook|extend|lengthen|shorten|make|update|set|verschiebe?|schiebe?|verlege?|verkürze?|verlängere?)(?![\p{L}])\s*/iu
const SURE_MOVE =
  /^(?:move|reschedule|postpone|push|shift|swap|delay|bump|rebook|extend|shorten|lengthen|verschiebe?|schiebe?|verlege?|verkürze?|verlängere?|bring|pull)/iu
/** Separates the event from its new time. */
const TO =
  /\s+(?:(?:back|forward|up|out|ahead|over|again|nach hinten|nach vorne?)\s+)*(?:to|until|till|for|by|from|auf|um|into|so that it|at|on|in)(?=[\s|])|\s+(?:back|forward|up|out|earlier|later|früher|später|nach hinten|nach vorne?)(?=[\s|.!]|$)/giu
const EARLIER = /\b(?:earlier|forward|up|ahead|früher|vor|nach vorne?)\b/iu

const SAME_TIME = /\b(?:same (?:time|hour)|(?:zur |um die )?(?:gleiche[nr]?|selbe[nr]?) (?:uhr)?zeit)\b/iu

const moveEvent: Rule = (request) => {
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
const renameEvent: Rule = (request) => {
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

export const EVENT_RULES: Record<'away' | 'cancel' | 'move' | 'rename' | 'list', Rule> = {
  away: awayEvent,
  cancel: cancelEvent,
  move: moveEvent,
  rename: renameEvent,
  list: listEvents,
}
