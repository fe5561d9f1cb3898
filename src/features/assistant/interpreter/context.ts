import type { ToolArguments, Wall } from '../../../nlu/intents/features.ts'
import { toInstant, toWall } from '../../../nlu/time-zones.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ToolCallOutcome } from '../confirmations.ts'
import type { createEventHandler } from './events.ts'
import type { createMailHandler } from './mails.ts'
import type { createTaskHandler } from './tasks.ts'
import type { ReplyTexts } from './words.ts'

export type CallTool = (tool: string, input: unknown) => Promise<ToolCallOutcome>

export interface InterpreterOptions {
  callTool: CallTool
  now: number
  timezone: string
  texts: ReplyTexts
}

/** A count; `more` is set if the search stopped at its limit. */
export interface Counted {
  count: number
  more: boolean
}

export const DAY_MS = 86_400_000

export const defined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const failureOf = ({ result }: ToolCallOutcome): string =>
  String((result as { error?: string }).error ?? 'The action failed.')

/** Tells whether the text contains every word. */
export const containsWords = (text: string, words: string | undefined): boolean =>
  (words ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

export type InterpreterContext = ReturnType<typeof createInterpreterContext>

/** Provides the tools, the clock and text helpers that all subjects share. */
export const createInterpreterContext = ({ callTool, now, timezone, texts }: InterpreterOptions) => {
  const instant = (wall: Wall): string =>
    new Date(
      toInstant(Date.parse(wall.length > 10 ? `${wall}:00Z` : `${wall}T00:00Z`), timezone),
    ).toISOString()
  const format = (options: Intl.DateTimeFormatOptions, at: string | number, zone = timezone): string =>
    new Intl.DateTimeFormat(texts.locale, { timeZone: zone, ...options }).format(new Date(at))
  const day = (at: string | number, zone?: string): string =>
    format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, at, zone)
  const clock = (at: string | number): string =>
    format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, at)
  const hasClock = (wall: Wall): boolean => wall.length > 10

  /** Runs a read tool. Throws on failure, so that a failed search is not reported as an empty result. */
  const callReadTool = async <T>(tool: string, input: object): Promise<T> => {
    const outcome = await callTool(tool, defined(input))
    if (outcome.status === 'failed') throw new AppError('forbidden', 'forbidden', failureOf(outcome))
    return outcome.result as T
  }

  /** `more` tells whether there are more results than requested. */
  const findWithMore = async <T>(
    tool: string,
    input: object,
    key: string,
  ): Promise<{ items: T[]; more: boolean }> => {
    const result = await callReadTool<Record<string, T[] | undefined> & { more?: boolean }>(tool, input)
    return { items: result[key] ?? [], more: result.more === true }
  }

  return {
    callTool,
    callReadTool,
    now,
    timezone,
    texts,
    instant,
    day,
    clock,
    format,
    hasClock,
    /** Keeps a day without a time: the tools read it in the timezone of the person. */
    toToolTime: (wall: Wall | undefined): string | undefined =>
      wall && hasClock(wall) ? instant(wall) : wall,
    /** Local time of the person, expressed as if it were UTC. */
    wall: (at: string): number => toWall(Date.parse(at), timezone),
    formatInstant: (at: string): string => `${day(at)}, ${clock(at)}`,
    formatWall: (wall: Wall): string =>
      hasClock(wall) ? `${day(instant(wall))}, ${clock(instant(wall))}` : day(instant(wall)),

    search: async <T>(tool: string, input: object, key: string): Promise<T[]> =>
      (await findWithMore<T>(tool, input, key)).items,
    findWithMore,

    formatList: (items: readonly string[], none: string, more = false): string =>
      items.length > 0
        ? [...items.map((item) => `- ${item}`), ...(more ? [texts.more] : [])].join('\n')
        : none,

    /** Formats the outcome of a tool call: done, waiting for confirmation, or failed. */
    formatOutcome(outcome: ToolCallOutcome, said: string): string {
      if (outcome.status === 'failed') return failureOf(outcome)
      const { summary } = outcome.result as { summary?: string }
      return outcome.status === 'needs_confirmation' ? texts.waits(summary ?? '') : said
    },

    /** Returns the only match, or a text if nothing matches or the person has to choose. */
    pickOnly<T>(
      fits: readonly T[],
      kind: 'task' | 'event' | 'mail',
      { none, describe }: { none: string; describe: (one: T) => string },
    ): T | string {
      const [first, second] = fits
      if (first === undefined) return none
      if (second === undefined) return first
      return texts.which(
        kind,
        fits
          .slice(0, 5)
          .map((one) => `- ${describe(one)}`)
          .join('\n'),
      )
    },
  }
}

interface Slot {
  start: string
  end: string
}
type Figures = Partial<Record<'emails' | 'tasks' | 'events', Record<string, number>>>

/** Maps "Tokyo" to Asia/Tokyo. Returns undefined for places without a timezone of their name. */
const findZone = (place: string): string | undefined => {
  const name = place.trim().replace(/\s+/g, '_').toLowerCase()
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().split('/').at(-1) === name)
}

/** Answers questions about the day, statistics and dates. */
export const createOverviewHandler = (
  context: InterpreterContext,
  services: {
    tasks: ReturnType<typeof createTaskHandler>
    events: ReturnType<typeof createEventHandler>
    mails: ReturnType<typeof createMailHandler>
  },
) => {
  const { callReadTool, texts, now, search, instant, toToolTime, formatList, day, clock, format, hasClock } =
    context

  /** A token receives only the statistics that its scopes cover. */
  const figures = async (of: keyof Figures | 'everything'): Promise<Figures> => {
    const all = await callReadTool<Figures>('get_statistics', {})
    const wanted = of === 'everything' ? (['emails', 'tasks', 'events'] as const) : [of]
    if (wanted.some((one) => all[one] === undefined))
      throw new AppError('forbidden', 'insufficient_scope', texts.noAccess)
    return all
  }

  return {
    async freeTime({ from, to, minutes }: ToolArguments['find_free_time']): Promise<string> {
      // A start with a time means the rest of that day.
      const end =
        toToolTime(to) ??
        (from && hasClock(from)
          ? instant(new Date(context.wall(instant(from)) + DAY_MS).toISOString().slice(0, 10))
          : undefined)
      const start = from && instant(from) < new Date(now).toISOString() ? undefined : toToolTime(from)
      const slots = await search<Slot>('find_free_time', { start, end, minutes, limit: 5 }, 'slots')
      return formatList(
        slots.map((slot) => `${day(slot.start)}, ${clock(slot.start)}–${clock(slot.end)}`),
        texts.nothing.free,
      )
    },

    async briefing({ day: wanted }: ToolArguments['get_briefing']): Promise<string> {
      const { text } = await callReadTool<{ text: string }>('get_briefing', { date: wanted })
      return text
    },

    async statistics({ of, mark, person, from, to }: ToolArguments['get_statistics']): Promise<string> {
      const range = { ...(from && { from }), ...(to && { to }) }
      if (of === 'events' && (from || to || person)) {
        const start = from ? instant(from) : new Date(now).toISOString()
        const end = to ? instant(to) : new Date(Date.parse(start) + 7 * DAY_MS).toISOString()
        const all = await services.events.between(start, end)
        const theirs = all.filter((one) =>
          services.events
            .describe(one)
            .toLowerCase()
            .includes((person ?? '').toLowerCase()),
        )
        return texts.count(theirs.length, 'events', undefined)
      }
      const describe = ({ count, more }: Counted, what: 'tasks' | 'mails'): string =>
        more && count > 0 ? texts.atLeast(texts.count(count, what, mark)) : texts.count(count, what, mark)
      const isWhole = from === undefined && to === undefined && (mark === 'open' || mark === 'overdue')
      if (of === 'tasks' && !isWhole && (mark === 'open' || mark === 'done' || mark === 'overdue'))
        return describe(await services.tasks.count(mark, range), 'tasks')
      if (of === 'emails') {
        const counted = await services.mails.count(mark, { ...range, ...(person && { person }) })
        if (counted !== undefined) return describe(counted, 'mails')
      }
      const { emails = {}, tasks = {}, events = {} } = await figures(of)
      if (of === 'tasks' && isWhole) return texts.count(tasks[mark] ?? 0, 'tasks', mark)
      if (of === 'emails' && mark && emails[mark] !== undefined)
        return texts.count(emails[mark], 'mails', mark)
      if (of === 'emails' && mark === undefined) return texts.count(emails.total ?? 0, 'mails', undefined)
      if (of === 'tasks' && mark === undefined) return texts.count(tasks.open ?? 0, 'tasks', 'open')
      return texts.figures({
        unread: emails.unread ?? 0,
        urgent: emails.urgent ?? 0,
        open: tasks.open ?? 0,
        overdue: tasks.overdue ?? 0,
        today: events.today ?? 0,
        week: events.next7Days ?? 0,
      })
    },

    describeDate({ asks, day: wanted, timezone: place }: ToolArguments['tell_date']): string {
      if (asks === 'days_until' && wanted) {
        const today = Math.floor(context.wall(new Date(now).toISOString()) / DAY_MS)
        return texts.inDays(Date.parse(`${wanted}T00:00Z`) / DAY_MS - today)
      }
      const zone = place === undefined ? context.timezone : findZone(place)
      if (zone === undefined) return texts.unknown.place(place ?? '')
      const at = wanted ? instant(wanted) : now
      return asks === 'time'
        ? format({ dateStyle: 'full', timeStyle: 'short' }, at, zone)
        : format({ dateStyle: 'full' }, at, zone)
    },
  }
}
