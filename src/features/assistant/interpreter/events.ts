import type { EventPick, ToolArguments } from '../../../nlu/intents/intent.ts'
import { containsWords, DAY_MS, defined, type InterpreterContext } from './context.ts'

interface Event {
  id: number
  title: string
  description: string
  start: string
  end: string
  allDay: boolean
  timezone: string
  status: string
  occurrenceStart?: string | null
  attendees: { name: string | null; email: string }[]
}

const iso = (ms: number): string => new Date(ms).toISOString()

export const findEvents = async (
  { search }: InterpreterContext,
  start: string,
  end: string,
): Promise<Event[]> =>
  (await search<Event>('list_events', { start, end, limit: 100 }, 'events')).filter(
    ({ status }) => status !== 'cancelled',
  )

/** All-day events have no time. Their end is the exclusive midnight after the last day. */
export const describeEvent = (
  { day, clock, texts }: InterpreterContext,
  { title, start, end, allDay, timezone }: Event,
): string => {
  if (!allDay)
    return `${day(start)}, ${clock(start)}–${day(start) === day(end) ? '' : `${day(end)}, `}${clock(end)}: ${title}`
  const [first, last] = [day(start, timezone), day(Date.parse(end) - 1, timezone)]
  return `${first === last ? first : `${first} – ${last}`}, ${texts.allDay}: ${title}`
}

/** Returns the text in which the words of a request are searched. */
const toSearchText = ({ title, description, attendees }: Event): string =>
  [title, description, ...attendees.flatMap(({ name, email }) => [name ?? '', email])].join(' ')

const mentions = (event: Event, words: string | undefined, person: string | undefined): boolean =>
  containsWords(toSearchText(event), words) && containsWords(toSearchText(event), person)

/** Keeps only the next occurrence of each series: users refer to the series as one event. */
const keepNextOccurrences = (events: readonly Event[]): Event[] => [
  ...new Map(events.toReversed().map((event) => [event.id, event])).values(),
]

/** Returns the matching event, or a text if none or several match. */
const pickEvent = async (
  context: InterpreterContext,
  { title, person, at, next }: EventPick,
): Promise<Event | string> => {
  const { instant, hasClock, now, texts } = context
  const from = at ? Date.parse(instant(at)) : now
  const span = at ? (hasClock(at) ? 60_000 : DAY_MS) : 60 * DAY_MS
  const all = await findEvents(context, iso(from), iso(from + span))
  const named = keepNextOccurrences(all.filter((one) => mentions(one, title, person)))
    .toSorted((a, b) => a.start.localeCompare(b.start))
    .filter(({ allDay }, _, { length }) => length === 1 || !allDay || title !== undefined)
  const exact = named.filter(
    (one) =>
      (at !== undefined && hasClock(at) && one.start === iso(from)) ||
      one.title.toLowerCase() === title?.toLowerCase(),
  )
  const fits = next ? named.slice(0, 1) : exact.length === 1 ? exact : named
  return context.pickOnly(fits, 'event', {
    none: texts.unknown.event,
    describe: (event) => describeEvent(context, event),
  })
}

const toTarget = ({ id, occurrenceStart }: Event) => defined({ id, occurrence: occurrenceStart ?? undefined })

export const listEvents = async (
  context: InterpreterContext,
  { from, to, query, person, next }: ToolArguments['list_events'],
): Promise<string> => {
  const { instant, hasClock, now, formatList, texts } = context
  const start = from ? instant(from) : iso(now)
  // A start with a time means the rest of that day.
  const days = !from ? (next || query || person ? 60 : 7) : 1
  const end = to
    ? instant(to)
    : from && hasClock(from)
      ? instant(iso(context.wall(start) + DAY_MS).slice(0, 10))
      : iso(Date.parse(start) + days * DAY_MS)
  const all = (await findEvents(context, start, end)).filter((one) => mentions(one, query, person))
  const lines = (next ? all.slice(0, 1) : all).map((one) => describeEvent(context, one))
  return formatList(lines, texts.nothing.events)
}

/** Names an event without a title after its guests. */
const toTitle = (
  { texts }: InterpreterContext,
  title: string | undefined,
  people: readonly string[],
): string => {
  if (title) return title.charAt(0).toLocaleUpperCase() + title.slice(1)
  if (people.length === 0) return 'Meeting'
  const names = people.join(` ${texts.and} `)
  return texts.locale === 'de-DE' ? `Treffen mit ${names}` : `Meeting with ${names}`
}

export const createEvent = async (
  context: InterpreterContext,
  input: ToolArguments['create_event'],
): Promise<string> => {
  const { callTool, instant, toToolTime, hasClock, formatOutcome, formatInstant, day, texts } = context
  const { start, end, minutes, allDay, people = [], place, recurrence } = input
  if (!start) return texts.when
  const title = toTitle(context, input.title, people)
  // Dates without a time create an all-day event. The last day is included.
  const isDay = allDay || (!hasClock(start) && minutes === undefined)
  const from = isDay ? start.slice(0, 10) : instant(hasClock(start) ? start : `${start}T09:00`)
  const last = end?.slice(0, 10)
  const until = isDay
    ? last && last > start.slice(0, 10)
      ? iso(Date.parse(`${last}T00:00Z`) + DAY_MS).slice(0, 10)
      : undefined
    : (toToolTime(end) ?? (minutes ? iso(Date.parse(from) + minutes * 60_000) : undefined))
  const attendees = people.filter((name) => name.includes('@'))
  const outcome = await callTool(
    'create_event',
    defined({
      title,
      start: from,
      end: until,
      location: place,
      recurrence,
      ...(isDay && { allDay: true }),
      ...(attendees.length > 0 && { attendees }),
      description: people.length > 0 ? `With ${people.join(', ')}` : undefined,
    }),
  )
  const when = isDay ? `${day(instant(start.slice(0, 10)))}, ${texts.allDay}` : formatInstant(from)
  return formatOutcome(outcome, texts.booked(title, when))
}

/** `otherwise` handles a title that matches no event. */
export const moveEvent = async (
  context: InterpreterContext,
  { event, start, shiftMinutes, minutes }: ToolArguments['move_event'],
  otherwise: (context: InterpreterContext, named: string, to: string) => Promise<string | undefined>,
): Promise<string> => {
  const { callTool, instant, hasClock, formatOutcome, formatInstant, day, clock, texts } = context
  const one = await pickEvent(context, event)
  if (one === texts.unknown.event && event.title && start)
    return (await otherwise(context, event.title, start)) ?? one
  if (typeof one === 'string') return one
  const long = Date.parse(one.end) - Date.parse(one.start)
  const given = minutes === undefined ? long : minutes * 60_000
  // With a shift of zero, `minutes` is the change of the duration.
  const length = shiftMinutes === 0 && minutes !== undefined ? long + given : given
  if (length <= 0) return texts.when
  if (one.allDay && start) {
    const first = Date.parse(`${start.slice(0, 10)}T00:00Z`)
    const days = Math.max(1, Math.round(long / DAY_MS))
    const until = iso(first + days * DAY_MS).slice(0, 10)
    const outcome = await callTool('move_event', { ...toTarget(one), start: start.slice(0, 10), end: until })
    return formatOutcome(outcome, texts.moved(one.title, day(instant(start.slice(0, 10)))))
  }
  // A date without a time keeps the time of the event.
  const hour = iso(context.wall(one.start)).slice(11, 16)
  const begins = start ? instant(hasClock(start) ? start : `${start}T${hour}`) : one.start
  const at = Date.parse(begins) + (shiftMinutes ?? 0) * 60_000
  const outcome = await callTool('move_event', { ...toTarget(one), start: iso(at), end: iso(at + length) })
  return formatOutcome(outcome, texts.moved(one.title, `${formatInstant(iso(at))}–${clock(at + length)}`))
}

export const updateEvent = async (
  context: InterpreterContext,
  { event, title, place }: ToolArguments['update_event'],
): Promise<string> => {
  const { callTool, formatOutcome, texts } = context
  const one = await pickEvent(context, event)
  if (typeof one === 'string') return one
  const outcome = await callTool('update_event', defined({ ...toTarget(one), title, location: place }))
  return formatOutcome(outcome, title ? texts.renamed(title) : texts.changed(one.title))
}

export const cancelEvent = async (
  context: InterpreterContext,
  { event }: ToolArguments['cancel_event'],
): Promise<string> => {
  const { callTool, formatOutcome, texts } = context
  const one = await pickEvent(context, event)
  if (typeof one === 'string') return one
  return formatOutcome(await callTool('cancel_event', toTarget(one)), texts.cancelled(one.title))
}
