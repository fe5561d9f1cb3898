import type { Conflict } from './conflicts.ts'
import type { Promised, Waiting } from './correspondence.ts'
import type { Day } from './day.ts'
import type { BriefedEvent, BriefedTask, Person } from './sources.ts'

export interface Told {
  events?: BriefedEvent[]
  conflicts?: Conflict[]
  due?: BriefedTask[]
  overdue?: BriefedTask[]
  waiting?: Waiting[]
  promises?: Promised[]
}

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`
const called = ({ name, address }: Person): string => name || address || 'someone'
const listed = (names: readonly string[]): string => {
  const [first = '', second = '', ...rest] = [...new Set(names)]
  if (second === '') return first
  return rest.length === 0
    ? `${first} and ${second}`
    : `${first}, ${second} and ${many(rest.length, 'other', 'others')}`
}

/** Of what was not looked at, a token's day that does not cover it, nothing is said. */
const emptyOf = ({ events, due, waiting }: Told): string => {
  const seen = [
    ...(events ? ['nothing is planned'] : []),
    ...(due ? ['nothing is due'] : []),
    ...(waiting ? ['nobody waits'] : []),
  ]
  if (seen.length === 0) return 'This token may see neither calendar nor tasks nor mail.'
  const said = seen.length === 3 ? `${seen.slice(0, 2).join(', ')}, and ${seen[2]}` : seen.join(', and ')
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`
}

/** Reads out a day, for a person who hears or skims it. */
export const createWords = (timezone: string, day: Day) => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' })
  const date = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
  const inFull = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'full' })
  const at = (instant: string): string => clock.format(new Date(instant))
  const on = (instant: string): string => date.format(new Date(instant))
  /** What began before the day or ends after it is not told by hours that are not of this day. */
  const hours = ({ start, end, allDay }: BriefedEvent): string =>
    allDay || (start <= day.from && end >= day.until)
      ? 'all day'
      : `${start < day.from ? '…' : at(start)}–${end > day.until ? '…' : at(end)}`

  const eventsIn = (events: readonly BriefedEvent[]): string[] => {
    if (events.length === 0) return ['Nothing is in the calendar.']
    const first = events.find(({ allDay, start }) => !allDay && start >= day.from)
    return [
      `${many(events.length, 'event is', 'events are')} in the calendar${first ? `, the first at ${at(first.start)}: ${first.title}` : ''}.`,
    ]
  }

  return {
    summary(
      { events, conflicts = [], due, overdue = [], waiting = [], promises = [] }: Told,
      isMore = { due: false, overdue: false },
    ): string {
      const tasks = (count: number, isCut: boolean): string =>
        `${isCut ? 'more than ' : ''}${many(count, 'task is', 'tasks are')}`
      const soon = promises.filter(({ dueAt }) => dueAt !== null && dueAt < day.until)
      return [
        ...(events ? eventsIn(events) : []),
        ...(conflicts.length > 0 ? [`${many(conflicts.length, 'conflict', 'conflicts')} among them.`] : []),
        ...(due && due.length + overdue.length > 0
          ? [
              [
                ...(due.length > 0 ? [`${tasks(due.length, isMore.due)} due`] : []),
                ...(overdue.length > 0 ? [`${tasks(overdue.length, isMore.overdue)} overdue`] : []),
              ]
                .join(', ')
                .replace(/^more/, 'More')
                .concat('.'),
            ]
          : []),
        ...(waiting.length > 0
          ? [
              `${listed(waiting.map(({ from }) => called(from)))} ${new Set(waiting.map(({ from }) => called(from))).size === 1 ? 'waits' : 'wait'} for an answer.`,
            ]
          : []),
        ...(soon.length > 0 ? [`${many(soon.length, 'promise is', 'promises are')} due.`] : []),
      ].join(' ')
    },

    text(told: Told): string {
      const { events = [], conflicts = [], due = [], overdue = [], waiting = [], promises = [] } = told
      const part = (heading: string, lines: readonly string[]): string[] =>
        lines.length === 0 ? [] : [[heading, ...lines.map((line) => `- ${line}`)].join('\n')]
      const parts = [
        ...part(
          'In the calendar',
          events.map(
            (event) => `${hours(event)} ${event.title}${event.location ? ` (${event.location})` : ''}`,
          ),
        ),
        ...part(
          'Conflicts',
          conflicts.map(
            ({ start, end, events: both }) =>
              `${at(start)}–${at(end)} ${both.map(({ title }) => title).join(' and ')}`,
          ),
        ),
        ...part(
          'Due',
          due.map(({ title }) => title),
        ),
        ...part(
          'Overdue',
          overdue.map(({ title, dueAt }) => `${title} (since ${on(dueAt)})`),
        ),
        ...part(
          'Waiting for your answer',
          waiting.map(
            ({ from, subject, asks }) =>
              `${called(from)}, ${subject || 'without a subject'}: ${asks[0] ?? ''}`,
          ),
        ),
        ...part(
          'Promised',
          promises.map(
            ({ by, who, text, dueAt }) =>
              `${by === 'me' ? `You to ${called(who)}` : called(who)}: ${text}${dueAt ? ` (${on(dueAt)})` : ''}`,
          ),
        ),
      ]
      const heading = inFull.format(new Date(`${day.date}T12:00:00Z`))
      return [heading, ...(parts.length === 0 ? [emptyOf(told)] : parts)].join('\n\n')
    },
  }
}
