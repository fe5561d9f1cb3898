import { escapeText, parameterOf, readLine, regularLine } from '../../../platform/icalendar/text.ts'
import { DAY, MINUTE, readDuration, readTime, writeDuration } from '../../../platform/icalendar/values.ts'
import type { Reminder } from '../event.ts'
import { type Extra, readExtra, writeExtra } from './entry.ts'

/**
 * An alarm trigger (RFC 5545, 3.8.6.3): an offset from the start or end of an occurrence, or a fixed instant.
 * A negative offset is before it.
 */
export type Alarm = { of: 'start' | 'end'; after: number } | { of: 'once'; at: number }

const MAX_ALARMS = 50

const isAlarm = (component: readonly string[]): boolean => component[0] === 'BEGIN:VALARM'

const alarmIn = (lines: readonly string[]): Alarm | undefined => {
  const read = lines.map(readLine)
  const find = (name: string) => read.find((line) => line?.name === name)
  const timeIn = (name: string): number | undefined => {
    const time = readTime(find(name)?.value ?? '')
    return time && time.wall - (time.offset ?? 0)
  }
  const trigger = find('TRIGGER')
  if (!trigger || /^\s*NONE\s*$/i.test(find('ACTION')?.value ?? '')) return undefined
  const at = timeIn('TRIGGER')
  // RFC 9074, 6: skip an alarm that was acknowledged in another program.
  if (at !== undefined) return at > (timeIn('ACKNOWLEDGED') ?? 0) ? { of: 'once', at } : undefined
  const duration = readDuration(trigger.value)
  if (!duration) return undefined
  const isOfEnd = /^END$/i.test(parameterOf(trigger, 'RELATED')?.trim() ?? '')
  return { of: isOfEnd ? 'end' : 'start', after: duration.days * DAY + duration.ms }
}

const componentsOf = ({ components }: Extra): string[][] => (Array.isArray(components) ? components : [])

/**
 * Lists the alarms of an event that are not stored as reminders (a reminder is N minutes before the start).
 */
export const alarmsOf = (extra: string | null): Alarm[] =>
  extra?.includes('BEGIN:VALARM')
    ? componentsOf(readExtra(extra))
        .filter(isAlarm)
        .slice(0, MAX_ALARMS)
        .flatMap((lines) => alarmIn(lines) ?? [])
    : []

/** Removes the alarms that `isGone` selects. It receives undefined for an alarm that cannot be parsed. */
export const withoutAlarms = (
  extra: string | null,
  isGone: (alarm: Alarm | undefined) => boolean,
): string | null => {
  if (!extra?.includes('BEGIN:VALARM')) return extra
  const read = readExtra(extra)
  const isLeft = (lines: string[]): boolean => !isAlarm(lines) || !isGone(alarmIn(lines))
  return writeExtra({ ...read, components: componentsOf(read).filter(isLeft) })
}

/**
 * Removes alarms at a fixed instant. The series keeps them, so that they do not fire again for each
 * occurrence.
 */
export const withoutMoments = (extra: string | null): string | null =>
  withoutAlarms(extra, (alarm) => alarm?.of === 'once')

const MAX_REMINDERS = 50
const MAX_REMINDER_LEAD = 366 * DAY

export interface ReadAlarms {
  reminders: Reminder[]
  /** Alarms that have a reminder but carry additional properties. */
  alarms: { minutesBefore: number; lines: string[] }[]
  /** All other components of the event. */
  components: string[][]
}

/**
 * Splits the alarms of an event. An alarm N minutes before the start becomes a reminder; others are kept
 * verbatim.
 */
export const readAlarms = (inner: string[][], title: string): ReadAlarms => {
  const found: ReadAlarms = { reminders: [], alarms: [], components: [] }
  for (const raw of inner) {
    const lines = raw.flatMap((text) => {
      const line = readLine(text)
      return (line && regularLine(line)) ?? []
    })
    const minutesBefore = lines[0] === 'BEGIN:VALARM' ? minutesOf(lines) : undefined
    const isNew = !found.reminders.some((reminder) => reminder.minutesBefore === minutesBefore)
    if (minutesBefore === undefined || !isNew || found.reminders.length >= MAX_REMINDERS)
      found.components.push(lines)
    else {
      found.reminders.push({ minutesBefore })
      if (lines.join('\n') !== alarmLines(minutesBefore, title).join('\n'))
        found.alarms.push({ minutesBefore, lines })
    }
  }
  return found
}

/** Apple writes ACTION:NONE to switch the default alarm off, which is no reminder. */
const minutesOf = (lines: string[]): number | undefined => {
  const alarm = alarmIn(lines)
  if (alarm?.of !== 'start') return undefined
  const before = 0 - alarm.after
  return before >= 0 && before <= MAX_REMINDER_LEAD && before % MINUTE === 0 ? before / MINUTE : undefined
}

/** Writes a plain alarm. RFC 5545, 3.6.6: a DISPLAY alarm needs a description. */
export const alarmLines = (minutesBefore: number, title: string): string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escapeText(title) || 'Reminder'}`,
  `TRIGGER:${writeDuration(-minutesBefore * MINUTE)}`,
  'END:VALARM',
]
