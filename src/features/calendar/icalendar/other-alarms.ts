import { type Extra, readExtra, writeExtra } from './extra.ts'
import { parameterOf, readLine } from './lines.ts'
import { DAY, readDuration, readTime } from './times.ts'

/** RFC 5545, 3.8.6.3: so long after an occurrence starts or ends (before it where it is negative), or once. */
export type Alarm = { of: 'start' | 'end'; after: number } | { of: 'once'; at: number }

const MOST = 50

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
  // RFC 9074, 6: one that somebody has seen to elsewhere.
  if (at !== undefined) return at > (timeIn('ACKNOWLEDGED') ?? 0) ? { of: 'once', at } : undefined
  const duration = readDuration(trigger.value)
  if (!duration) return undefined
  const isOfEnd = /^END$/i.test(parameterOf(trigger, 'RELATED')?.trim() ?? '')
  return { of: isOfEnd ? 'end' : 'start', after: duration.days * DAY + duration.ms }
}

const componentsOf = ({ components }: Extra): string[][] => (Array.isArray(components) ? components : [])

/** What reminds of an event beside its reminders: alarms that are no minutes before its start. */
export const alarmsOf = (extra: string | null): Alarm[] =>
  extra?.includes('BEGIN:VALARM')
    ? componentsOf(readExtra(extra))
        .filter(isAlarm)
        .slice(0, MOST)
        .flatMap((lines) => alarmIn(lines) ?? [])
    : []

/** Without those that are not to be; some say nothing that can be understood. */
export const withoutAlarms = (
  extra: string | null,
  isGone: (alarm: Alarm | undefined) => boolean,
): string | null => {
  if (!extra?.includes('BEGIN:VALARM')) return extra
  const read = readExtra(extra)
  const isLeft = (lines: string[]): boolean => !isAlarm(lines) || !isGone(alarmIn(lines))
  return writeExtra({ ...read, components: componentsOf(read).filter(isLeft) })
}

/** Whoever is told by the series is not told by each occurrence. */
export const withoutMoments = (extra: string | null): string | null =>
  withoutAlarms(extra, (alarm) => alarm?.of === 'once')
