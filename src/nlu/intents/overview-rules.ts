import type { ToolArguments } from './intent.ts'
import { marksIn } from './mail-rules.ts'
import {
  companion,
  companions,
  dayOf,
  draft,
  EVENT,
  lengthIn,
  MAIL,
  momentOf,
  namesOf,
  pickEmail,
  type Rule,
  rangeOf,
  TASK,
  toEvidence,
  toPastTime,
  wallText,
} from './request.ts'

const BRIEFING =
  /(?<![\p{L}])(?:brief(?:ing)?(?: me)?|daily (?:summary|digest|overview|rundown)|catch me up|bring me up to speed|what (?:did|have|'?ve) i miss(?:ed)?(?! (?:you|her|him|them|it)\b)|was habe ich verpasst|(?:summary|summari[sz]e|overview|rundown|recap) (?:of )?(?:my|the) (?:day|morning)|(?:summary|overview|rundown|recap) (?:of|for) (?:today|tomorrow|(?:next |this )?\p{L}+day)|(?:start|plan) my (?:day|morning)|tagesüberblick|tagesübersicht|lagebericht|(?:überblick|übersicht) (?:über |für )?(?:(?:meinen|den) (?:heutigen |morgigen )?tag|heute|morgen|übermorgen|\p{L}+tag)|wie sieht mein tag aus)\b|^(?:how(?:'s| is| does)|what(?:'s| is| does)) my (?:day|morning)(?: (?:look(?:ing)?(?: like)?|like|going to be like))?(?: today| tomorrow)?\??$/iu

/** The briefing lists promises, so it answers questions about them. */
const PROMISED =
  /^(?:what|who|was|wer)\b.{0,30}\b(?:promise[ds]?|versprochen|zugesagt)\b(?!.*\b(?:land|day)\b)/iu

const briefing: Rule = (request) => {
  if (
    !(BRIEFING.test(request.text) || PROMISED.test(request.text)) ||
    /\b(?:draft|write|mail|email)\b/iu.test(request.text)
  )
    return undefined
  const day = momentOf(request.times, request.context.timezone)?.day ?? dayOf(request.context.now)
  return draft('get_briefing', { day: wallText({ day }) }, 0.9, toEvidence(request, 'day', request.times))
}

const COUNT =
  /^(?:how many|how much|count|number of|the number of|what(?:'s| is) the (?:number|count|total) of|tell me how many|wie viele?|zähle?|anzahl|how often)\b|\b(?:statistics?|stats|statistik(?:en)?|figures|metrics|zahlen|auswertung)\b/iu
const MAILS = new RegExp(`(?<![\\p{L}])(?:${MAIL.slice(3, -1)}|inbox)(?![\\p{L}])`, 'iu')
const TASKS = new RegExp(`(?<![\\p{L}])${TASK}(?![\\p{L}])`, 'iu')
const EVENTS =
  /\b(?:meetings?|events?|appointments?|calls?|calendar|termine?|besprechungen?|treffen|interviews?)\b/iu
const BUSY =
  /^how (?:busy|full|packed) (?:am i|is my|was my|was i|will i be|does my)\b|^how much time (?:did|do|have|will) i (?:spend|spent|lose|have in)\b|^wie (?:voll|beschäftigt)\b/iu
const TASK_MARKS: readonly (readonly ['overdue' | 'done' | 'open', RegExp])[] = [
  ['overdue', /(?<![\p{L}])(?:overdue|late|überfällig\p{L}*)(?![\p{L}])/iu],
  ['done', /\b(?:done|did|finish(?:ed)?|completed?|closed|erledigt\p{L}*|geschafft)(?![\p{L}])/iu],
  ['open', /\b(?:open|left|pending|remaining|outstanding|offene?n?|noch|still|to do)\b/iu],
]

const statistics: Rule = (request) => {
  const { text, context } = request
  const counts = COUNT.test(text)
  if (!counts && !BUSY.test(text)) return undefined
  const [mails, tasks, events] = [MAILS.test(text), TASKS.test(text), EVENTS.test(text) || BUSY.test(text)]
  const general = /\b(?:statistics?|stats|statistik(?:en)?|figures|metrics|zahlen|auswertung)\b/iu.test(text)
  if (
    !mails &&
    !tasks &&
    !events &&
    !(
      general &&
      /^(?:statistics?|stats|statistik(?:en)?)$|\b(?:my|me|mein\p{L}*|show|give|zeige?|overall|week|woche)\b/iu.test(
        text,
      )
    )
  )
    return undefined
  const of: ToolArguments['get_statistics']['of'] = mails
    ? 'emails'
    : tasks
      ? 'tasks'
      : events
        ? 'events'
        : 'everything'
  const mark = mails
    ? marksIn(text)[0]
    : tasks
      ? TASK_MARKS.find(([, form]) => form.test(text))?.[0]
      : undefined
  const said = request.times.find(({ start, kind }) => start && kind !== 'recurrence')
  // Statistics of email, and of everything, cover the past only.
  const time = of === 'emails' || of === 'everything' ? toPastTime(said, context.now) : said
  const person = mails ? pickEmail(request).pick.sender : companion(request.timeless)?.text
  return draft(
    'get_statistics',
    { of, ...(mark ? { mark } : {}), ...(person ? { person } : {}), ...rangeOf(time, context) },
    mails || tasks || events ? 0.93 : 0.9,
    time ? toEvidence(request, 'from', [time]) : [],
  )
}

const FREE =
  /^(?:is|are|ist)\s.{1,40}\s(?:free|open|frei)\??$|(?<![\p{L}])(?:(?:am|are|is|was|bin|sind) (?:i|we|ich|wir)\b.{0,30}\b(?:free|available|busy|frei|verfügbar|beschäftigt)|when (?:am|are|can|could|would|might) (?:i|we|both)(?: both)? (?:free|available|meet|fit|see|squeeze)\b|when (?:do|would|am|are|can|could|might) (?:i|we|both)(?: both)? (?:free|available|have (?:some )?(?:free )?time|fit|squeeze)|(?:free|available|open|empty|spare|freie[nrs]?) (?:time|slots?|hours?|half|minutes?|gaps?|spots?|spaces?|windows?|afternoons?|mornings?|evenings?|day|days|block|stunden?|zeit|zeiten|termine?|tag|vormittag|nachmittag)|(?:a|an|any|some|find|suitable|good|best|eine?) (?:\p{L}+ )?(?:gaps?|openings?|slots?|availability|lücken?|zeitfenster)|when (?:i'm|i am|we're|we are) (?:both )?(?:free|available)|wann ich .{0,20}(?:frei|zeit)|my availability|meine verfügbarkeit|(?:have|got|is there|find|make|finde|habe ich|hab ich|haben wir)(?: me| us| i| any| some| a| the| \p{L}+day| mal| noch| morgen| heute| \|+)* (?:time|zeit)\b(?! (?:is|zone|in|difference|to water))|wann (?:habe|hab|bin|haben|sind|passt|kann|können) (?:ich|wir|es).{0,30}(?:zeit|frei|verfügbar|treffen|luft)|(?:squeeze|fit) (?:in|me)|what time(?:s)? (?:am|are) (?:i|we) (?:free|available)|do i have (?:a |any )?(?:free|gap|room|spare)|\bmy free time)\b/iu
const FIND_HOUR =
  /^(?:find|get|look for|suche?|finde?|give|show|need|i need|i want|propose|suggest|schlage?)\b.{0,30}\b(?:\d+|an?|one|two|three|half|eine|zwei|halbe|ein)\b.{0,20}\b(?:hours?|minutes?|mins?|min|stunden?|minuten|slot|time|window|block|gap)\b/iu
const NOT_FREE =
  /\b(?:free (?:of charge|trial|shipping|games?|music|apps?|wifi|food|things?|events?|version|to play|kostenlos))\b/iu

/** "Am I free at 10?" asks about one hour. "When am I free" does not. */
const ASKS_YES_OR_NO =
  /^(?:am i|are we|is|will i be|do (?:i|we) have|have i|bin ich|sind wir|habe? ich|haben wir|ist)(?!\p{L})/iu

const freeTime: Rule = (request) => {
  const { text, timeless, times, context } = request
  if (!(FREE.test(timeless) || FREE.test(text) || FIND_HOUR.test(text)) || NOT_FREE.test(text))
    return undefined
  if (/\b(?:tasks?|mails?|e-?mails?|songs?|movies?|restaurants?|flights?|hotels?|tickets?)\b/iu.test(text))
    return undefined
  const time = times.find(({ start, kind }) => start && kind !== 'recurrence' && kind !== 'duration')
  const more = times.find(
    (one) => one !== time && one.start && one.kind !== 'recurrence' && one.kind !== 'duration',
  )
  // "next week in the afternoon", "Friday at 3": a date with a part of the day or an hour.
  const joined = time && more && time.dated !== more.dated ? [time, more] : undefined
  const at =
    joined && time?.start?.day !== undefined && !time.end ? momentOf(joined, context.timezone) : undefined
  const range = at && at.seconds !== undefined ? { from: wallText(at) } : rangeOf(time, context)
  const people = companions(timeless)
  const minutes = lengthIn(request)
  const isBounded = times.some(({ bound, part }) => bound !== undefined || part !== undefined)
  const isHour =
    ASKS_YES_OR_NO.test(text) && range.from?.includes('T') && range.to === undefined && !isBounded
  return draft(
    'find_free_time',
    {
      ...range,
      ...(isHour ? { isHour: true as const } : {}),
      ...(minutes ? { minutes } : {}),
      ...(people.length > 0 ? { people: people.flatMap((person) => namesOf(person.text)) } : {}),
    },
    0.92,
    [...(time ? toEvidence(request, 'from', [time]) : []), ...toEvidence(request, 'people', people)],
  )
}

const DATE_OF =
  /^(?:what(?:'s| is| was| will be)?|which|tell me|on (?:what|which)|do you know|welche[rs]?|was(?: ist)?|an welchem)\b.{0,20}\b(?:the date|date|day(?: of the week)?|weekday|datum|wochentag|tag)\b/iu
const BUSIEST = /\b(?:best|busiest|good|worst|first|last|favou?rite)\b/iu
const TIME_NOW =
  /^(?:what(?:'s| is)?(?: the)?(?: current| exact)? time(?: is it| it is)?(?: now| right now)?|what time is it|tell me the (?:current )?time|wie spät ist es|wie viel uhr ist es|current time|the time)\b(?: (?:is it )?(?:in|für) ([\p{L}][\p{L} ]{1,40}?))?(?: (?:now|right now|gerade|jetzt|currently))?\??$/iu
const UNTIL =
  /^(?:how (?:many days|long|many weeks)(?: is it| are there| are left| left| remain)?(?: do i have)? (?:until|till|to|before|from now to|left until)|days (?:until|till)|wie (?:viele tage|lange)(?: sind es| ist es| dauert es)?(?: noch)? bis)\b/iu
/** "How long until my vacation": the answer is an event in the calendar. */
const UNTIL_MINE = new RegExp(
  `\\b(?:until|till|to|before|bis)\\s+(?:zu[mr]?\\s+)?(?:my|our|mein\\p{L}{0,2}|unser\\p{L}{0,2})\\s+(?:next\\s+|nächste[nrs]?\\s+)?((?:\\p{L}+\\s+)?(?:${EVENT}|vacation|holidays?|trip|flight|wedding|birthday|anniversary|exam|party|urlaub|reise|flug|hochzeit|geburtstag|prüfung))\\s*\\??$`,
  'iu',
)
const OTHER_DATE =
  /\b(?:mails?|meetings?|tasks?|events?|appointments?|due|free|available|busy|birthday of|deadline|my|mein\p{L}*)\b/iu

const dates: Rule = (request) => {
  const { text, times, context } = request
  const clock = TIME_NOW.exec(text)
  if (clock) {
    const place = clock[1]?.trim()
    return draft('tell_date', { asks: 'time', ...(place ? { timezone: place } : {}) }, 0.9)
  }
  const event = UNTIL.test(text) ? UNTIL_MINE.exec(text)?.[1] : undefined
  if (event && times.length === 0) return draft('list_events', { query: event, next: true }, 0.92)
  if (OTHER_DATE.test(text)) return undefined
  // "what day of the week is …" also contains the time expression "week".
  const point =
    times.find(({ start, kind }) => start && (kind === 'date' || kind === 'datetime')) ??
    times.find(({ start, kind }) => start && kind !== 'recurrence')
  if (UNTIL.test(text) && point?.start)
    return draft(
      'tell_date',
      { asks: 'days_until', day: wallText({ day: point.start.day }) },
      0.92,
      toEvidence(request, 'day', [point]),
    )
  if (!DATE_OF.test(text) || BUSIEST.test(text) || text.split(/\s+/u).length > 12) return undefined
  const weekday =
    /\bday(?: of the week)?\b|weekday|wochentag|\btag\b/iu.test(text) && !/\bdate\b/iu.test(text)
  if (
    !point &&
    !/^(?:what(?:'s| is)|was ist|welche[rs]?|which|tell me|what)\s+(?:the |is )?(?:current )?(?:date|day|weekday|datum|tag|wochentag)(?: of the week)?(?: is it| it is| ist| is today| haben wir)?(?: today| heute| now)?\??$/iu.test(
      text,
    )
  )
    return undefined
  return draft(
    'tell_date',
    { asks: weekday ? 'weekday' : 'date', day: wallText({ day: point?.start?.day ?? dayOf(context.now) }) },
    0.88,
    point ? toEvidence(request, 'day', [point]) : [],
  )
}

export const OVERVIEW_RULES: readonly Rule[] = [statistics, briefing, dates, freeTime]
