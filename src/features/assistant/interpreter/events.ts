import type { EventPick, Intent, ToolArguments, Wall } from '../../../nlu/intents/intent.ts'
import type { ToolResult } from '../tools/contracts.ts'
import { containsWords, DAY_MS, type Handler, type InterpreterContext, toIso } from './context.ts'
import { type Item, type Option, toItems } from './memory.ts'
import { addressOf, findPeople } from './people.ts'
import { describeEventDetails } from './readback.ts'

export type Event = ToolResult<'list_events'>['events'][number]

/** An event that has just begun is not in the past. */
const PAST_GRACE_MS = 15 * 60_000

type NewEvent = ToolArguments['create_event']

export const findEvents = async (
  { callReadTool }: InterpreterContext,
  start: string,
  end: string,
): Promise<Event[]> => {
  const { events } = await callReadTool('list_events', { start, end, limit: 100 })
  return events.filter(({ status }) => status !== 'cancelled')
}

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

export const toItem = ({ id, title, start, occurrenceStart }: Event): Item => ({
  kind: 'event',
  id,
  title,
  start,
  ...(occurrenceStart && { occurrence: occurrenceStart }),
})

/** The events of a period, to find those that a message means. */
export const lookUpEvents = async (
  { lookUp }: InterpreterContext,
  start: string,
  end: string,
): Promise<Event[]> => {
  const found = await lookUp('list_events', { start, end, limit: 100 })
  return (found?.events ?? []).filter(({ status }) => status !== 'cancelled')
}

/** Finds the event that the conversation is about. It may have been moved meanwhile. */
export const findTarget = async (context: InterpreterContext, { id, start, occurrence }: Item) => {
  const at = Date.parse(start ?? '') || context.now
  const near = await lookUpEvents(context, toIso(at - 31 * DAY_MS), toIso(at + 31 * DAY_MS))
  return near.find((one) => one.id === id && (occurrence === undefined || one.occurrenceStart === occurrence))
}

/** Returns the matching event, or a text if none or several match. */
const pickEvent = async (
  context: InterpreterContext,
  { title, person, at, next }: EventPick,
): Promise<Event | string> => {
  const { instant, hasClock, now, texts, exchange } = context
  if (exchange.target?.kind === 'event')
    return (await findTarget(context, exchange.target)) ?? texts.unknown.event
  const from = at ? Date.parse(instant(at)) : now
  const span = at ? (hasClock(at) ? 60_000 : DAY_MS) : 60 * DAY_MS
  const all = await findEvents(context, toIso(from), toIso(from + span))
  const named = keepNextOccurrences(all.filter((one) => mentions(one, title, person)))
    .toSorted((a, b) => a.start.localeCompare(b.start))
    .filter(({ allDay }, _, { length }) => length === 1 || !allDay || title !== undefined)
  const exact = named.filter(
    (one) =>
      (at !== undefined && hasClock(at) && one.start === toIso(from)) ||
      one.title.toLowerCase() === title?.toLowerCase(),
  )
  const fits = next ? named.slice(0, 1) : exact.length === 1 ? exact : named
  return context.pickOnly(fits, 'event', {
    none: texts.unknown.event,
    describe: (event) => describeEvent(context, event),
    toItem,
  })
}

const toTarget = ({ id, occurrenceStart }: Event) => ({ id, occurrence: occurrenceStart ?? undefined })

/** A question with one of these words is about events only. */
const EVENT_WORD =
  /(?<!\p{L})(?:events?|meetings?|appointments?|calendar|calls?|termine?n?|kalender|besprechung\p{L}*|treffen)(?!\p{L})/iu

/** Finds the open tasks that are due in a period. Passed in, because tasks and events refer to each other. */
type FindDueTasks = (
  context: InterpreterContext,
  start: string,
  end: string,
) => Promise<{ items: readonly Item[]; lines: readonly string[] }>

export const listEvents = async (
  context: InterpreterContext,
  { from, to, query, about, person, next }: ToolArguments['list_events'],
  findDueTasks: FindDueTasks,
): Promise<string> => {
  const { instant, hasClock, now, formatList, texts, exchange } = context
  const start = from ? instant(from) : toIso(now)
  // A start with a time means the rest of that day.
  const days = !from ? (next || query || person || about ? 60 : 7) : 1
  const end = to
    ? instant(to)
    : from && hasClock(from)
      ? instant(toIso(context.wall(start) + DAY_MS).slice(0, 10))
      : toIso(Date.parse(start) + days * DAY_MS)
  const isWholeDay =
    from && !next && ![query, about, person].some(Boolean) && !EVENT_WORD.test(exchange.written)
  const due = isWholeDay ? await findDueTasks(context, start, end) : { items: [], lines: [] }
  const fits = (await findEvents(context, start, end)).filter((one) => mentions(one, query, person))
  // "birthdays" also finds "Ana's birthday".
  const stem = about?.replace(/(?<=\p{L}{3})['’]?s(?=\s|$)/giu, '')
  const preferred = stem ? fits.filter((one) => mentions(one, stem, undefined)) : []
  const all = preferred.length > 0 ? keepNextOccurrences(preferred) : about && !from ? [] : fits
  const listedItems = next ? all.slice(0, 1) : all
  exchange.listedItems = [...toItems('event', listedItems), ...due.items]
  return formatList(
    [...listedItems.map((one) => describeEvent(context, one)), ...due.lines],
    isWholeDay ? texts.nothing.plans : texts.nothing.events,
  )
}

/** Names an event after its guests: "Meeting with Ana", "Lunch with Ana". Guests are not lost without an address. */
export const toTitle = (
  { texts }: InterpreterContext,
  title: string | undefined,
  people: readonly string[],
): string => {
  const isGerman = texts.locale === 'de-DE'
  const names = people.join(` ${texts.and} `)
  const bare = title ? title.charAt(0).toLocaleUpperCase() + title.slice(1) : undefined
  if (people.length === 0) return bare ?? 'Meeting'
  if (bare && people.some((name) => bare.toLowerCase().includes(name.toLowerCase()))) return bare
  return `${bare ?? (isGerman ? 'Treffen' : 'Meeting')} ${isGerman ? 'mit' : 'with'} ${names}`
}

/** Converts the arguments of a request to the input of the tool. Dates without a time create an all-day event. */
const toEventInput = (context: InterpreterContext, input: NewEvent, start: string) => {
  const { instant, toToolTime, hasClock } = context
  const { end, minutes, allDay, people = [], invite = [], place, recurrence } = input
  const isDay = allDay === true || (!hasClock(start) && minutes === undefined)
  const from = isDay ? start.slice(0, 10) : instant(hasClock(start) ? start : `${start}T09:00`)
  const last = end?.slice(0, 10)
  // The last day is included.
  const until = isDay
    ? last && last > from
      ? toIso(Date.parse(`${last}T00:00Z`) + DAY_MS).slice(0, 10)
      : undefined
    : (toToolTime(end) ?? (minutes ? toIso(Date.parse(from) + minutes * 60_000) : undefined))
  const attendees = [...invite, ...people].filter((name) => name.includes('@'))
  return {
    isDay,
    fields: {
      title: toTitle(
        context,
        input.title,
        people.filter((name) => !name.includes('@')),
      ),
      start: from,
      end: until,
      location: place,
      recurrence,
      ...(isDay && { allDay: true }),
      ...(attendees.length > 0 && { attendees }),
      description: people.length > 0 ? `With ${people.join(', ')}` : undefined,
    },
  }
}

/** Describes a new event before it is created. */
export const describeNewEvent = (context: InterpreterContext, input: NewEvent): string => {
  const { isDay, fields } = toEventInput(context, input, input.start as string)
  const { recurrence, people, place } = input
  const details = describeEventDetails(context, {
    ...fields,
    end: fields.end,
    isDay,
    recurrence,
    people,
    place,
  })
  return `${context.texts.quote(fields.title)} (${details})`
}

/** Offers to create the event at each of these times. */
const toStartOptions = (
  { formatWall }: InterpreterContext,
  input: NewEvent,
  starts: readonly Wall[],
  confidence: number,
): Option[] =>
  starts.map((start) => ({
    label: formatWall(start),
    intent: { tool: 'create_event', arguments: { ...input, start }, confidence, evidence: [] },
  }))

/** Offers the same hour today or tomorrow instead of a time in the past. */
const askForFuture = (context: InterpreterContext, input: NewEvent, start: string): string => {
  const { exchange, texts, now, ask, hasClock, formatWall, instant } = context
  const today = toIso(context.wall(toIso(now))).slice(0, 10)
  const tomorrow = toIso(context.wall(toIso(now)) + DAY_MS).slice(0, 10)
  const hour = start.slice(10)
  const offered = [today, tomorrow]
    .map((day) => `${day}${hour}`)
    .filter((wall) => (hasClock(wall) ? Date.parse(instant(wall)) > now : wall > today))
  const { end: _, ...rest } = input
  const confidence = exchange.intent && 'confidence' in exchange.intent ? exchange.intent.confidence : 1
  const options = toStartOptions(context, rest, offered, confidence)
  return ask(texts.inThePast(formatWall(start)), [...options, { label: texts.no, intent: null }])
}

/** Occasions that take an hour or two, not a day. */
const SHORT_OCCASION =
  /^(?:(?:video|phone|conference)\s+)?(?:calls?|meetings?|lunch|dinner|breakfast|brunch|coffee|drinks?|interview|appointment|haircut|dentist|doctor|stand-?up|sync|catch-?up|review|demo|anruf|telefonat|treffen|besprechung|termin|zahnarzt\p{L}*|arzt\p{L}*|friseur\p{L}*|mittagessen|abendessen|frühstück|kaffee)(?!\p{L})/iu

/** Tells whether a new event needs an hour, or a day within the named week. */
export const lacksTime = ({ title, start, end, minutes, allDay, people = [], before }: NewEvent): boolean => {
  if (start === undefined || before !== undefined) return true
  if (start.length > 10 || allDay || end) return false
  return minutes !== undefined || people.length > 0 || SHORT_OCCASION.test(title ?? '')
}

/** Asks for the time and offers free time on up to three days. */
const askForTime = async (context: InterpreterContext, input: NewEvent, start: string): Promise<string> => {
  const { callReadTool, ask, texts, exchange, now, instant } = context
  const { before, end: _, ...rest } = input
  const from = instant(start)
  const until = before ? instant(before) : toIso(Date.parse(from) + DAY_MS)
  const window = { start: from < toIso(now) ? toIso(now) : from, end: until }
  const { slots } =
    until <= toIso(now)
      ? { slots: [] }
      : await callReadTool('find_free_time', { ...window, minutes: input.minutes ?? 60, limit: 50 })
  const walls = slots.map((slot) => toIso(context.wall(slot.start)).slice(0, 16))
  const firsts = walls.filter((wall, at) => wall.slice(0, 10) !== walls[at - 1]?.slice(0, 10)).slice(0, 3)
  const options = toStartOptions(context, rest, firsts, 1)
  const question = before ? texts.when : texts.whatTime
  return ask(
    question,
    options.length > 0 ? [...options, { label: texts.no, intent: null }] : [],
    exchange.written,
  )
}

/** Finds the addresses of the people to invite. Returns a question or a refusal if one of them has none. */
const findInvited = async (context: InterpreterContext, input: NewEvent): Promise<string[] | string> => {
  const { texts, exchange, askWhich } = context
  const names = input.invite ?? []
  const people = await findPeople(
    context,
    names.flatMap((name) => name.split(/\s+/u)),
  )
  const guests: string[] = []
  for (const name of names) {
    const fits = name.includes('@') ? [name] : people.find(name).flatMap((one) => addressOf(one) ?? [])
    if (fits.length === 0) return context.ask(texts.abilities.noAddress(name), [], exchange.written)
    if (fits.length === 1) guests.push(fits[0] as string)
    else {
      const options = fits.map((address): Option => {
        const invite = names.map((other) => (other === name ? address : other))
        const intent = {
          tool: 'create_event',
          arguments: { ...input, invite },
          confidence: 1,
          evidence: [],
        } as const
        return { label: address, intent: intent as unknown as Intent }
      })
      return askWhich((list) => texts.abilities.whichPerson(name, list), options)
    }
  }
  return guests
}

export const createEvent: Handler<'create_event'> = async (context, input) => {
  const { callTool, formatOutcome, texts, now, exchange } = context
  const { start, people, place, recurrence } = input
  if (!start) return context.ask(texts.when, [], exchange.written)
  if (lacksTime(input)) return askForTime(context, input, start)
  const guests = await findInvited(context, input)
  if (typeof guests === 'string') return guests
  const { isDay, fields } = toEventInput(context, { ...input, invite: guests }, start)
  const today = toIso(context.wall(toIso(now))).slice(0, 10)
  const isPast = isDay ? (fields.end ?? `${start}~`) <= today : Date.parse(fields.start) < now - PAST_GRACE_MS
  if (isPast && !recurrence) return askForFuture(context, input, start)
  const outcome = await callTool('create_event', fields)
  const made = outcome.status === 'done' ? outcome.result : undefined
  const end = isDay ? fields.end : (made?.end ?? fields.end)
  const details = describeEventDetails(context, { ...fields, end, isDay, recurrence, people, place })
  const calendar = made?.calendarName ? `, ${texts.abilities.inCalendar(made.calendarName)}` : ''
  return formatOutcome(outcome, texts.booked(fields.title, `${details}${calendar}`))
}

/** `otherwise` handles a title that matches no event. */
export const moveEvent = async (
  context: InterpreterContext,
  { event, start: said, keepsDay, shiftMinutes, minutes }: ToolArguments['move_event'],
  otherwise: (context: InterpreterContext, named: string, to: string) => Promise<string | undefined>,
): Promise<string> => {
  const { callTool, instant, hasClock, formatOutcome, formatInstant, day, clock, texts } = context
  const one = await pickEvent(context, event)
  if (one === texts.unknown.event && event.title && said)
    return (await otherwise(context, event.title, said)) ?? one
  if (typeof one === 'string') return one
  const start = said && keepsDay ? `${toIso(context.wall(one.start)).slice(0, 10)}${said.slice(10)}` : said
  const long = Date.parse(one.end) - Date.parse(one.start)
  const given = minutes === undefined ? long : minutes * 60_000
  // With a shift of zero, `minutes` is the change of the duration.
  const length = shiftMinutes === 0 && minutes !== undefined ? long + given : given
  if (length <= 0) return texts.when
  if (one.allDay && start) {
    const first = Date.parse(`${start.slice(0, 10)}T00:00Z`)
    const days = Math.max(1, Math.round(long / DAY_MS))
    const until = toIso(first + days * DAY_MS).slice(0, 10)
    const outcome = await callTool('move_event', { ...toTarget(one), start: start.slice(0, 10), end: until })
    return formatOutcome(outcome, texts.moved(one.title, day(instant(start.slice(0, 10)))))
  }
  // A date without a time keeps the time of the event.
  const hour = toIso(context.wall(one.start)).slice(11, 16)
  const begins = start ? instant(hasClock(start) ? start : `${start}T${hour}`) : one.start
  const at = Date.parse(begins) + (shiftMinutes ?? 0) * 60_000
  const outcome = await callTool('move_event', {
    ...toTarget(one),
    start: toIso(at),
    end: toIso(at + length),
  })
  return formatOutcome(outcome, texts.moved(one.title, `${formatInstant(toIso(at))}–${clock(at + length)}`))
}

/** Names people in the title and the description. An invitation needs their address and a confirmation. */
const addPeople = (context: InterpreterContext, { title, description }: Event, people: readonly string[]) => {
  const names = people.join(` ${context.texts.and} `)
  return {
    title: /\s(?:with|mit)\s/iu.test(title)
      ? `${title} ${context.texts.and} ${names}`
      : toTitle(context, title, people),
    description: `${description === '' ? '' : `${description}\n`}With ${people.join(', ')}`,
  }
}

export const updateEvent: Handler<'update_event'> = async (context, { event, title, place, people = [] }) => {
  const { callTool, formatOutcome, texts } = context
  const one = await pickEvent(context, event)
  if (typeof one === 'string') return one
  const added = people.length === 0 ? {} : addPeople(context, one, people)
  const guests = await findGuests(context, people)
  const addAttendees = guests.length > 0 && !one.occurrenceStart ? guests : undefined
  const outcome = await callTool('update_event', {
    ...toTarget(one),
    ...added,
    ...(title && { title }),
    location: place,
    addAttendees,
  })
  if (title) return formatOutcome(outcome, texts.renamed(title))
  const details = [
    people.length > 0 && texts.details.people(people.join(` ${texts.and} `)),
    place && texts.details.place(place),
  ]
  const changed =
    people.length > 0 && !place
      ? texts.joined(people.join(` ${texts.and} `), one.title)
      : texts.changed(one.title, details.filter(Boolean).join(', '))
  const said = formatOutcome(outcome, changed)
  if (people.length === 0 || outcome.status !== 'done') return said
  return `${said} ${await askToInvite(context, one.id, people, addAttendees)}`.trim()
}

/** Finds the addresses of people in the contacts. A name that fits several people is left out. */
const findGuests = async ({ callTool }: InterpreterContext, people: readonly string[]): Promise<string[]> => {
  const guests: string[] = []
  for (const name of people) {
    if (name.includes('@')) guests.push(name)
    else {
      const outcome = await callTool('find_contact', { query: name, limit: 2 })
      const found = outcome.status === 'done' ? outcome.result.contacts : []
      const [contact, other] = found.filter(({ addresses }) => addresses.length > 0)
      const address = contact?.addresses[0]?.address
      if (contact && address && !other) guests.push(`${contact.name} <${address}>`.trim())
    }
  }
  return guests
}

/** Asks whether to send an invitation. Nothing is sent without the confirmation. */
const askToInvite = async (
  { callTool, formatOutcome, texts }: InterpreterContext,
  id: number,
  people: readonly string[],
  guests: readonly string[] | undefined,
): Promise<string> => {
  if (!guests) return texts.abilities.noAddress(people.join(` ${texts.and} `))
  const outcome = await callTool('invite_guests', { id })
  return outcome.status === 'needs_confirmation' ? formatOutcome(outcome, '') : ''
}

export const cancelEvent: Handler<'cancel_event'> = async (context, { event }) => {
  const { callTool, formatOutcome, texts } = context
  const one = await pickEvent(context, event)
  if (typeof one === 'string') return one
  return formatOutcome(await callTool('cancel_event', toTarget(one)), texts.cancelled(one.title))
}
