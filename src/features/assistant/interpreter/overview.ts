import { AppError } from '../../../platform/errors.ts'
import type { ToolResult } from '../tools/contracts.ts'
import { type Counted, DAY_MS, type Handler, type InterpreterContext } from './context.ts'
import { describeEvent, findEvents } from './events.ts'
import { countMails } from './mails.ts'
import { toItems } from './memory.ts'
import { countTasks } from './tasks.ts'

type Statistics = ToolResult<'get_statistics'>

/** Maps "Tokyo" to Asia/Tokyo. Returns undefined for places without a timezone of their name. */
const findZone = (place: string): string | undefined => {
  const name = place.trim().replace(/\s+/g, '_').toLowerCase()
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().split('/').at(-1) === name)
}

/** A token receives only the statistics that its scopes cover. */
const readFigures = async (
  { callReadTool, texts }: InterpreterContext,
  of: 'emails' | 'tasks' | 'events' | 'everything',
): Promise<Statistics> => {
  const all = await callReadTool('get_statistics', {})
  const wanted = of === 'everything' ? (['emails', 'tasks', 'events'] as const) : [of]
  if (wanted.some((one) => all[one] === undefined))
    throw new AppError('forbidden', 'insufficient_scope', texts.noAccess)
  return all
}

const HOUR_MINUTES = 60

/** Answers whether one hour is free, and names the events of that hour otherwise. */
const describeHour = async (
  context: InterpreterContext,
  from: string,
  minutes = HOUR_MINUTES,
): Promise<string> => {
  const { instant, texts, formatInstant, clock, formatList } = context
  const start = instant(from)
  const end = new Date(Date.parse(start) + minutes * 60_000).toISOString()
  const found = await findEvents(context, start, end)
  context.exchange.listedItems = toItems('event', found)
  return found.length === 0
    ? texts.isFree(`${formatInstant(start)}–${clock(end)}`)
    : texts.isBusy(
        formatList(
          found.map((event) => describeEvent(context, event)),
          '',
        ),
      )
}

export const findFreeTime: Handler<'find_free_time'> = async (context, { from, to, minutes, isHour }) => {
  if (isHour && from) return describeHour(context, from, minutes)
  const { callReadTool, instant, toToolTime, hasClock, now, formatList, formatSlots, texts } = context
  // A start with a time means the rest of that day.
  const end =
    toToolTime(to) ??
    (from && hasClock(from)
      ? instant(new Date(context.wall(instant(from)) + DAY_MS).toISOString().slice(0, 10))
      : undefined)
  const start = from && instant(from) < new Date(now).toISOString() ? undefined : toToolTime(from)
  const { slots } = await callReadTool('find_free_time', { start, end, minutes, limit: 5 })
  return formatList(formatSlots(slots), texts.nothing.free)
}

export const getBriefing: Handler<'get_briefing'> = async ({ callReadTool }, { day: wanted }) => {
  const { text = '' } = await callReadTool('get_briefing', { date: wanted })
  return text
}

const countEvents: Handler<'get_statistics'> = async (context, { person = '', from, to }) => {
  const { instant, now, texts } = context
  const start = from ? instant(from) : new Date(now).toISOString()
  const end = to ? instant(to) : new Date(Date.parse(start) + 7 * DAY_MS).toISOString()
  const all = await findEvents(context, start, end)
  const theirs = all.filter((one) => describeEvent(context, one).toLowerCase().includes(person.toLowerCase()))
  return texts.count(theirs.length, 'events', undefined)
}

export const getStatistics: Handler<'get_statistics'> = async (context, input) => {
  const { texts } = context
  const { of, mark, person, from, to } = input
  if (of === 'events' && (from || to || person)) return countEvents(context, input)
  const range = { ...(from && { from }), ...(to && { to }) }
  const describe = ({ count, more }: Counted, what: 'tasks' | 'mails'): string =>
    more && count > 0 ? texts.atLeast(texts.count(count, what, mark)) : texts.count(count, what, mark)
  const isWhole = from === undefined && to === undefined && (mark === 'open' || mark === 'overdue')
  if (of === 'tasks' && !isWhole && (mark === 'open' || mark === 'done' || mark === 'overdue'))
    return describe(await countTasks(context, mark, range), 'tasks')
  if (of === 'emails') {
    const counted = await countMails(context, mark, { ...range, ...(person && { person }) })
    if (counted !== undefined) return describe(counted, 'mails')
  }
  const { emails, tasks, events } = await readFigures(context, of)
  if (of === 'tasks' && isWhole) return texts.count(tasks?.[mark] ?? 0, 'tasks', mark)
  if (of === 'emails' && emails && (mark === 'unread' || mark === 'urgent'))
    return texts.count(emails[mark], 'mails', mark)
  if (of === 'emails' && mark === undefined) return texts.count(emails?.total ?? 0, 'mails', undefined)
  if (of === 'tasks' && mark === undefined) return texts.count(tasks?.open ?? 0, 'tasks', 'open')
  return texts.figures({
    unread: emails?.unread ?? 0,
    urgent: emails?.urgent ?? 0,
    open: tasks?.open ?? 0,
    overdue: tasks?.overdue ?? 0,
    today: events?.today ?? 0,
    week: events?.next7Days ?? 0,
  })
}

export const describeDate: Handler<'tell_date'> = async (context, { asks, day: wanted, timezone: place }) => {
  const { instant, now, format, texts } = context
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
}
