import type { Shape } from '../../api/client.ts'
import { isLate, type Task } from '../tasks/groups.ts'
import { addDays } from '../tasks/local-time.ts'

export type CalendarEvent = Shape<'Event'>

/** One entry of the timeline. */
export type TimelineItem =
  | { kind: 'task'; key: string; task: Task; at: string }
  | { kind: 'event'; key: string; event: CalendarEvent; at: string }

export interface Timeline {
  overdue: readonly TimelineItem[]
  /** Tasks of today without a time, and all-day events. */
  allDay: readonly TimelineItem[]
  /** In the order of their times. */
  timed: readonly TimelineItem[]
  tomorrow: readonly TimelineItem[]
}

interface Days {
  timeZone: string
  dayOf: (at: string | Date) => string
}

const toTaskItem = (task: Task): TimelineItem => ({
  kind: 'task',
  key: `task-${task.id}`,
  task,
  at: task.dueAt ?? '',
})

const toEventItem = (event: CalendarEvent): TimelineItem => ({
  kind: 'event',
  key: `event-${event.id}@${event.occurrenceStart ?? ''}`,
  event,
  at: event.start,
})

/** The first and the last day of an event. All-day events keep the days of their own time zone. */
const daysOf = (event: CalendarEvent, { timeZone }: Days): [string, string] => {
  const zone = event.allDay ? event.timezone : timeZone
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  // An event that ends at midnight does not include the day that starts then.
  const last = Math.max(Date.parse(event.start), Date.parse(event.end) - 1)
  return [format.format(new Date(event.start)), format.format(last)]
}

const byTime = (one: TimelineItem, other: TimelineItem): number => Date.parse(one.at) - Date.parse(other.at)

/** Sorts tasks and events of today and tomorrow into the groups of the timeline. */
export const toTimeline = (
  { tasks, events }: { tasks: readonly Task[]; events: readonly CalendarEvent[] },
  now: Date,
  days: Days,
): Timeline => {
  const today = days.dayOf(now)
  const tomorrow = addDays(today, 1)
  const active = events.filter(({ status }) => status !== 'cancelled')
  const isOn = (day: string) => (event: CalendarEvent) => {
    const [first, last] = daysOf(event, days)
    return first <= day && day <= last
  }
  const dueOn = (day: string) => (task: Task) =>
    task.dueAt !== null && (task.dueDay ?? days.dayOf(task.dueAt)) === day && !isLate(task, now, days)
  const eventsToday = active.filter(isOn(today))
  const tasksToday = tasks.filter(dueOn(today))
  return {
    overdue: tasks.filter((task) => isLate(task, now, days)).map(toTaskItem),
    allDay: [
      ...eventsToday.filter(({ allDay }) => allDay).map(toEventItem),
      ...tasksToday.filter(({ dueDay }) => dueDay !== null).map(toTaskItem),
    ],
    timed: [
      ...eventsToday.filter(({ allDay }) => !allDay).map(toEventItem),
      ...tasksToday.filter(({ dueDay }) => dueDay === null).map(toTaskItem),
    ].sort(byTime),
    tomorrow: [
      ...active.filter((event) => isOn(tomorrow)(event) && !isOn(today)(event)).map(toEventItem),
      ...tasks.filter(dueOn(tomorrow)).map(toTaskItem),
    ].sort(byTime),
  }
}

/** Keys of timed busy events that overlap another one. */
export const findConflicts = (items: readonly TimelineItem[]): ReadonlySet<string> => {
  const busy = items.flatMap((item) => (item.kind === 'event' && item.event.busy ? [item] : []))
  const conflicts = new Set<string>()
  for (const [index, one] of busy.entries())
    for (const other of busy.slice(index + 1)) {
      if (Date.parse(other.event.start) >= Date.parse(one.event.end)) break
      conflicts.add(one.key).add(other.key)
    }
  return conflicts
}
