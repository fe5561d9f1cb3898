import type { EventPick, ToolArguments } from '../../../nlu/intents/features.ts'
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

/** Handles requests about events. */
export const createEventHandler = (context: InterpreterContext) => {
  const {
    callTool,
    texts,
    now,
    search,
    instant,
    toToolTime,
    hasClock,
    formatList,
    formatOutcome,
    day,
    clock,
    formatInstant,
  } = context

  const between = async (start: string, end: string): Promise<Event[]> =>
    (await search<Event>('list_events', { start, end, limit: 100 }, 'events')).filter(
      ({ status }) => status !== 'cancelled',
    )

  /** All-day events have no time. Their end is the exclusive midnight after the last day. */
  const describe = ({ title, start, end, allDay, timezone }: Event): string => {
    if (!allDay)
      return `${day(start)}, ${clock(start)}–${day(start) === day(end) ? '' : `${day(end)}, `}${clock(end)}: ${title}`
    const [first, last] = [day(start, timezone), day(Date.parse(end) - 1, timezone)]
    return `${first === last ? first : `${first} – ${last}`}, ${texts.allDay}: ${title}`
  }

  const said = ({ title, description, attendees }: Event): string =>
    [title, description, ...attendees.flatMap(({ name, email }) => [name ?? '', email])].join(' ')

  /** Keeps only the next occurrence of each series: users refer to the series as one event. */
  const keepNextOccurrences = (events: readonly Event[]): Event[] => [
    ...new Map(events.toReversed().map((event) => [event.id, event])).values(),
  ]

  const pick = async ({ title, person, at, next }: EventPick): Promise<Event | string> => {
    const from = at ? Date.parse(instant(at)) : now
    const span = at ? (hasClock(at) ? 60_000 : DAY_MS) : 60 * DAY_MS
    const all = await between(iso(from), iso(from + span))
    const named = keepNextOccurrences(
      all.filter((one) => containsWords(said(one), title) && containsWords(said(one), person)),
    )
      .toSorted((a, b) => a.start.localeCompare(b.start))
      .filter(({ allDay }, _, { length }) => length === 1 || !allDay || title !== undefined)
    const exact = named.filter(
      (one) =>
        (at !== undefined && hasClock(at) && one.start === iso(from)) ||
        one.title.toLowerCase() === title?.toLowerCase(),
    )
    const fits = next ? named.slice(0, 1) : exact.length === 1 ? exact : named
    return context.pickOnly(fits, 'event', { none: texts.unknown.event, describe })
  }
  const toTarget = ({ id, occurrenceStart }: Event) =>
    defined({ id, occurrence: occurrenceStart ?? undefined })

  return {
    describe,
    between,

    async list({ from, to, query, person, next }: ToolArguments['list_events']): Promise<string> {
      const start = from ? instant(from) : iso(now)
      // A start with a time means the rest of that day.
      const days = !from ? (next || query || person ? 60 : 7) : 1
      const end = to
        ? instant(to)
        : from && hasClock(from)
          ? instant(iso(context.wall(start) + DAY_MS).slice(0, 10))
          : iso(Date.parse(start) + days * DAY_MS)
      const all = (await between(start, end)).filter(
        (one) => containsWords(said(one), query) && containsWords(said(one), person),
      )
      return formatList((next ? all.slice(0, 1) : all).map(describe), texts.nothing.events)
    },

    async create(input: ToolArguments['create_event']): Promise<string> {
      const { title, start, end, minutes, allDay, people = [], place, recurrence } = input
      if (!start) return texts.when
      const names = people.join(` ${texts.and} `)
      const named = title
        ? title.charAt(0).toLocaleUpperCase() + title.slice(1)
        : people.length > 0
          ? texts.locale === 'de-DE'
            ? `Treffen mit ${names}`
            : `Meeting with ${names}`
          : 'Meeting'
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
          title: named,
          start: from,
          end: until,
          location: place,
          recurrence,
          ...(isDay && { allDay: true }),
          ...(attendees.length > 0 && { attendees }),
          description: people.length > 0 ? `With ${people.join(', ')}` : undefined,
        }),
      )
      return formatOutcome(
        outcome,
        texts.booked(
          named,
          isDay ? `${day(instant(start.slice(0, 10)))}, ${texts.allDay}` : formatInstant(from),
        ),
      )
    },

    /** `otherwise` handles a title that matches no event. */
    async move(
      { event, start, shiftMinutes, minutes }: ToolArguments['move_event'],
      otherwise: (named: string, to: string) => Promise<string | undefined>,
    ): Promise<string> {
      const one = await pick(event)
      if (one === texts.unknown.event && event.title && start)
        return (await otherwise(event.title, start)) ?? one
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
        const outcome = await callTool('move_event', {
          ...toTarget(one),
          start: start.slice(0, 10),
          end: until,
        })
        return formatOutcome(outcome, texts.moved(one.title, day(instant(start.slice(0, 10)))))
      }
      // A date without a time keeps the time of the event.
      const hour = iso(context.wall(one.start)).slice(11, 16)
      const begins = start ? instant(hasClock(start) ? start : `${start}T${hour}`) : one.start
      const at = Date.parse(begins) + (shiftMinutes ?? 0) * 60_000
      const outcome = await callTool('move_event', {
        ...toTarget(one),
        start: iso(at),
        end: iso(at + length),
      })
      return formatOutcome(outcome, texts.moved(one.title, `${formatInstant(iso(at))}–${clock(at + length)}`))
    },

    async update({ event, title, place }: ToolArguments['update_event']): Promise<string> {
      const one = await pick(event)
      if (typeof one === 'string') return one
      const outcome = await callTool('update_event', defined({ ...toTarget(one), title, location: place }))
      return formatOutcome(outcome, title ? texts.renamed(title) : texts.changed(one.title))
    },

    async cancel({ event }: ToolArguments['cancel_event']): Promise<string> {
      const one = await pick(event)
      if (typeof one === 'string') return one
      return formatOutcome(await callTool('cancel_event', toTarget(one)), texts.cancelled(one.title))
    },
  }
}
