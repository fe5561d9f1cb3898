import type { ToolArguments } from '../../../../engine/intents/vocabulary.ts'
import { AppError } from '../../../../platform/errors.ts'
import { type Counted, DAY_MS, type Desk } from './desk.ts'
import type { createEventWork } from './events.ts'
import type { createMailWork } from './mails.ts'
import type { createTaskWork } from './tasks.ts'

interface Slot {
  start: string
  end: string
}
type Figures = Partial<Record<'emails' | 'tasks' | 'events', Record<string, number>>>

/** "Tokyo" is Asia/Tokyo. Undefined for a place that no zone is named for. */
const zoneOf = (place: string): string | undefined => {
  const name = place.trim().replace(/\s+/g, '_').toLowerCase()
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().split('/').at(-1) === name)
}

/** What is asked about the day, about figures and about dates. */
export const createOverviewWork = (
  desk: Desk,
  rooms: {
    tasks: ReturnType<typeof createTaskWork>
    events: ReturnType<typeof createEventWork>
    mails: ReturnType<typeof createMailWork>
  },
) => {
  const { look, words, now, found, instant, moment, lines, day, clock, format, hasClock } = desk

  /** A token gets the figures of what its scopes cover. */
  const figures = async (of: keyof Figures | 'everything'): Promise<Figures> => {
    const all = await look<Figures>('get_statistics', {})
    const wanted = of === 'everything' ? (['emails', 'tasks', 'events'] as const) : [of]
    if (wanted.some((one) => all[one] === undefined))
      throw new AppError('forbidden', 'insufficient_scope', words.notShown)
    return all
  }

  return {
    async freeTime({ from, to, minutes }: ToolArguments['find_free_time']): Promise<string> {
      // From an hour on, the rest of its day.
      const end =
        moment(to) ??
        (from && hasClock(from)
          ? instant(new Date(desk.wall(instant(from)) + DAY_MS).toISOString().slice(0, 10))
          : undefined)
      const start = from && instant(from) < new Date(now).toISOString() ? undefined : moment(from)
      const slots = await found<Slot>('find_free_time', { start, end, minutes, limit: 5 }, 'slots')
      return lines(
        slots.map((slot) => `${day(slot.start)}, ${clock(slot.start)}–${clock(slot.end)}`),
        words.nothing.free,
      )
    },

    async briefing({ day: wanted }: ToolArguments['get_briefing']): Promise<string> {
      const { text } = await look<{ text: string }>('get_briefing', { date: wanted })
      return text
    },

    async statistics({ of, mark, person, from, to }: ToolArguments['get_statistics']): Promise<string> {
      const range = { ...(from && { from }), ...(to && { to }) }
      if (of === 'events' && (from || to || person)) {
        const start = from ? instant(from) : new Date(now).toISOString()
        const end = to ? instant(to) : new Date(Date.parse(start) + 7 * DAY_MS).toISOString()
        const all = await rooms.events.between(start, end)
        const theirs = all.filter((one) =>
          rooms.events
            .tell(one)
            .toLowerCase()
            .includes((person ?? '').toLowerCase()),
        )
        return words.count(theirs.length, 'events', undefined)
      }
      const tell = ({ count, more }: Counted, what: 'tasks' | 'mails'): string =>
        more && count > 0 ? words.atLeast(words.count(count, what, mark)) : words.count(count, what, mark)
      const isWhole = from === undefined && to === undefined && (mark === 'open' || mark === 'overdue')
      if (of === 'tasks' && !isWhole && (mark === 'open' || mark === 'done' || mark === 'overdue'))
        return tell(await rooms.tasks.count(mark, range), 'tasks')
      if (of === 'emails') {
        const counted = await rooms.mails.count(mark, { ...range, ...(person && { person }) })
        if (counted !== undefined) return tell(counted, 'mails')
      }
      const { emails = {}, tasks = {}, events = {} } = await figures(of)
      if (of === 'tasks' && isWhole) return words.count(tasks[mark] ?? 0, 'tasks', mark)
      if (of === 'emails' && mark && emails[mark] !== undefined)
        return words.count(emails[mark], 'mails', mark)
      if (of === 'emails' && mark === undefined) return words.count(emails.total ?? 0, 'mails', undefined)
      if (of === 'tasks' && mark === undefined) return words.count(tasks.open ?? 0, 'tasks', 'open')
      return words.figures({
        ...{ unread: emails.unread ?? 0, urgent: emails.urgent ?? 0 },
        ...{ open: tasks.open ?? 0, overdue: tasks.overdue ?? 0 },
        ...{ today: events.today ?? 0, week: events.next7Days ?? 0 },
      })
    },

    tellDate({ asks, day: wanted, timezone: place }: ToolArguments['tell_date']): string {
      if (asks === 'days_until' && wanted) {
        const today = Math.floor(desk.wall(new Date(now).toISOString()) / DAY_MS)
        return words.inDays(Date.parse(`${wanted}T00:00Z`) / DAY_MS - today)
      }
      const zone = place === undefined ? desk.timezone : zoneOf(place)
      if (zone === undefined) return words.unknown.place(place ?? '')
      const at = wanted ? instant(wanted) : now
      return asks === 'time'
        ? format({ dateStyle: 'full', timeStyle: 'short' }, at, zone)
        : format({ dateStyle: 'full' }, at, zone)
    },
  }
}
