import type { InterpreterContext } from './context.ts'

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

/** Describes a recurrence rule with its end: "every week on Mon, until 1 Mar 2026". */
export const describeRecurrence = ({ texts, format, day }: InterpreterContext, rule: string): string => {
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]))
  const every = texts.details.every[(parts.get('FREQ') ?? 'DAILY') as 'DAILY']
  if (every === undefined) return rule
  const days = (parts.get('BYDAY') ?? '').split(',').flatMap((name) => {
    const index = DAYS.indexOf(name.replace(/^[+-]?\d+/, ''))
    return index < 0 ? [] : format({ weekday: 'short' }, MONDAY + index * DAY_MS, 'UTC')
  })
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)/.exec(parts.get('UNTIL') ?? '') ?? []
  const count = Number(parts.get('COUNT') ?? 0)
  return [
    every(Number(parts.get('INTERVAL') ?? 1)),
    days.length > 0 && days.length < DAYS.length ? texts.details.on(days.join(', ')) : '',
    year ? texts.details.until(day(Date.parse(`${year}-${month}-${date}T00:00:00Z`), 'UTC')) : '',
    count > 0 ? texts.details.times(count) : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

interface TaskDetails {
  due?: string | undefined
  remindAt?: string | undefined
  recurrence?: string | undefined
  priority?: string | undefined
  list?: string | undefined
  estimateMinutes?: number | undefined
}

/** Describes all parts of a task that were understood. Times are local. */
export const describeTaskDetails = (context: InterpreterContext, task: TaskDetails): string => {
  const { details } = context.texts
  return [
    task.due && details.due(context.formatWall(task.due)),
    task.remindAt && task.remindAt !== task.due && details.reminder(context.formatWall(task.remindAt)),
    task.recurrence && details.repeats(describeRecurrence(context, task.recurrence)),
    task.priority && details.priority(task.priority),
    task.list && details.list(task.list),
    task.estimateMinutes && details.estimate(details.length(task.estimateMinutes)),
  ]
    .filter(Boolean)
    .join(', ')
}

interface EventDetails {
  start: string
  end: string | undefined
  isDay: boolean
  recurrence?: string | undefined
  people?: readonly string[] | undefined
  place?: string | undefined
}

/** Describes all parts of an event. `end` of an all-day event is the day after its last day. */
export const describeEventDetails = (context: InterpreterContext, event: EventDetails): string => {
  const { texts, day, clock, instant, formatInstant } = context
  const { start, end, isDay, recurrence, people = [], place } = event
  const last = isDay && end ? Date.parse(`${end.slice(0, 10)}T00:00Z`) - DAY_MS : undefined
  const first = isDay ? day(instant(start.slice(0, 10))) : formatInstant(start)
  const when = isDay
    ? `${first}${last !== undefined && last > Date.parse(`${start.slice(0, 10)}T00:00Z`) ? ` – ${day(last, 'UTC')}` : ''}, ${texts.allDay}`
    : end
      ? `${first}–${day(start) === day(end) ? '' : `${day(end)}, `}${clock(end)} (${texts.details.length(Math.round((Date.parse(end) - Date.parse(start)) / 60_000))})`
      : first
  return [
    when,
    recurrence && texts.details.repeats(describeRecurrence(context, recurrence)),
    people.length > 0 && texts.details.people(people.join(` ${texts.and} `)),
    place && texts.details.place(place),
  ]
    .filter(Boolean)
    .join(', ')
}
