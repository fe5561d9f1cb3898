import type { EventPick, ToolArguments } from '../../../../engine/intents/vocabulary.ts'
import { DAY_MS, type Desk, defined, speaksOf } from './desk.ts'

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

/** What is said of events. */
export const createEventWork = (desk: Desk) => {
  const { act, words, now, found, instant, moment, hasClock, lines, done, day, clock, say } = desk

  const between = async (start: string, end: string): Promise<Event[]> =>
    (await found<Event>('list_events', { start, end, limit: 100 }, 'events')).filter(
      ({ status }) => status !== 'cancelled',
    )

  /** A whole day has no hour; it ends before the midnight that ends it. */
  const tell = ({ title, start, end, allDay, timezone }: Event): string => {
    if (!allDay)
      return `${day(start)}, ${clock(start)}–${day(start) === day(end) ? '' : `${day(end)}, `}${clock(end)}: ${title}`
    const [first, last] = [day(start, timezone), day(Date.parse(end) - 1, timezone)]
    return `${first === last ? first : `${first} – ${last}`}, ${words.allDay}: ${title}`
  }

  const said = ({ title, description, attendees }: Event): string =>
    [title, description, ...attendees.flatMap(({ name, email }) => [name ?? '', email])].join(' ')

  /** Of a series the next occurrence alone: they are one thing to whoever names it. */
  const distinct = (events: readonly Event[]): Event[] => [
    ...new Map(events.toReversed().map((event) => [event.id, event])).values(),
  ]

  const pick = async ({ title, person, at, next }: EventPick): Promise<Event | string> => {
    const from = at ? Date.parse(instant(at)) : now
    const span = at ? (hasClock(at) ? 60_000 : DAY_MS) : 60 * DAY_MS
    const all = await between(iso(from), iso(from + span))
    const named = distinct(all.filter((one) => speaksOf(said(one), title) && speaksOf(said(one), person)))
      .toSorted((a, b) => a.start.localeCompare(b.start))
      .filter(({ allDay }, _, { length }) => length === 1 || !allDay || title !== undefined)
    const exact = named.filter(
      (one) =>
        (at !== undefined && hasClock(at) && one.start === iso(from)) ||
        one.title.toLowerCase() === title?.toLowerCase(),
    )
    const fits = next ? named.slice(0, 1) : exact.length === 1 ? exact : named
    return desk.only(fits, 'event', { none: words.unknown.event, tell })
  }
  const where = ({ id, occurrenceStart }: Event) => defined({ id, occurrence: occurrenceStart ?? undefined })

  return {
    tell,
    between,

    async list({ from, to, query, person, next }: ToolArguments['list_events']): Promise<string> {
      const start = from ? instant(from) : iso(now)
      // From an hour on, the rest of its day.
      const days = !from ? (next || query || person ? 60 : 7) : 1
      const end = to
        ? instant(to)
        : from && hasClock(from)
          ? instant(iso(desk.wall(start) + DAY_MS).slice(0, 10))
          : iso(Date.parse(start) + days * DAY_MS)
      const all = (await between(start, end)).filter(
        (one) => speaksOf(said(one), query) && speaksOf(said(one), person),
      )
      return lines((next ? all.slice(0, 1) : all).map(tell), words.nothing.events)
    },

    async create(wish: ToolArguments['create_event']): Promise<string> {
      const { title, start, end, minutes, allDay, people = [], place, recurrence } = wish
      if (!start) return words.when
      const names = people.join(` ${words.and} `)
      const named = title
        ? title.charAt(0).toLocaleUpperCase() + title.slice(1)
        : people.length > 0
          ? words.locale === 'de-DE'
            ? `Treffen mit ${names}`
            : `Meeting with ${names}`
          : 'Meeting'
      // Days without an hour are whole days; the last one belongs to it.
      const isDay = allDay || (!hasClock(start) && minutes === undefined)
      const from = isDay ? start.slice(0, 10) : instant(hasClock(start) ? start : `${start}T09:00`)
      const last = end?.slice(0, 10)
      const until = isDay
        ? last && last > start.slice(0, 10)
          ? iso(Date.parse(`${last}T00:00Z`) + DAY_MS).slice(0, 10)
          : undefined
        : (moment(end) ?? (minutes ? iso(Date.parse(from) + minutes * 60_000) : undefined))
      const attendees = people.filter((name) => name.includes('@'))
      const acted = await act(
        'create_event',
        defined({
          ...{ title: named, start: from, end: until, location: place, recurrence },
          ...(isDay && { allDay: true }),
          ...(attendees.length > 0 && { attendees }),
          description: people.length > 0 ? `With ${people.join(', ')}` : undefined,
        }),
      )
      return done(
        acted,
        words.booked(named, isDay ? `${day(instant(start.slice(0, 10)))}, ${words.allDay}` : say(from)),
      )
    },

    /** `otherwise`: for a name that is no event's. */
    async move(
      { event, start, shiftMinutes, minutes }: ToolArguments['move_event'],
      otherwise: (named: string, to: string) => Promise<string | undefined>,
    ): Promise<string> {
      const one = await pick(event)
      if (one === words.unknown.event && event.title && start)
        return (await otherwise(event.title, start)) ?? one
      if (typeof one === 'string') return one
      const long = Date.parse(one.end) - Date.parse(one.start)
      const given = minutes === undefined ? long : minutes * 60_000
      // With a shift of nothing the minutes are by how much it grows or shrinks.
      const length = shiftMinutes === 0 && minutes !== undefined ? long + given : given
      if (length <= 0) return words.when
      if (one.allDay && start) {
        const first = Date.parse(`${start.slice(0, 10)}T00:00Z`)
        const days = Math.max(1, Math.round(long / DAY_MS))
        const until = iso(first + days * DAY_MS).slice(0, 10)
        const acted = await act('move_event', { ...where(one), start: start.slice(0, 10), end: until })
        return done(acted, words.moved(one.title, day(instant(start.slice(0, 10)))))
      }
      // A bare day keeps the hour that it has.
      const hour = iso(desk.wall(one.start)).slice(11, 16)
      const begins = start ? instant(hasClock(start) ? start : `${start}T${hour}`) : one.start
      const at = Date.parse(begins) + (shiftMinutes ?? 0) * 60_000
      const acted = await act('move_event', { ...where(one), start: iso(at), end: iso(at + length) })
      return done(acted, words.moved(one.title, `${say(iso(at))}–${clock(at + length)}`))
    },

    async update({ event, title, place }: ToolArguments['update_event']): Promise<string> {
      const one = await pick(event)
      if (typeof one === 'string') return one
      const acted = await act('update_event', defined({ ...where(one), title, location: place }))
      return done(acted, title ? words.renamed(title) : words.changed(one.title))
    },

    async cancel({ event }: ToolArguments['cancel_event']): Promise<string> {
      const one = await pick(event)
      if (typeof one === 'string') return one
      return done(await act('cancel_event', where(one)), words.cancelled(one.title))
    },
  }
}
