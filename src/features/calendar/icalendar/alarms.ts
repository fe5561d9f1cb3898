import type { Reminder } from '../event.ts'
import { parameterOf, readLine, regularLine } from './lines.ts'
import { escapeText } from './text.ts'
import { DAY, MINUTE, readDuration, writeDuration } from './times.ts'

const MOST_REMINDERS = 50
const LONGEST_AHEAD = 366 * DAY

export interface ReadAlarms {
  reminders: Reminder[]
  /** Alarms that are reminders and more. */
  alarms: { minutesBefore: number; lines: string[] }[]
  /** Everything else that was inside the event. */
  components: string[][]
}

/** Reminders are the alarms some minutes before the start; others are kept as they are. */
export const readAlarms = (inner: string[][], title: string): ReadAlarms => {
  const found: ReadAlarms = { reminders: [], alarms: [], components: [] }
  for (const raw of inner) {
    const lines = raw.flatMap((text) => {
      const line = readLine(text)
      return (line && regularLine(line)) ?? []
    })
    const minutesBefore = lines[0] === 'BEGIN:VALARM' ? minutesOf(lines) : undefined
    const isNew = !found.reminders.some((reminder) => reminder.minutesBefore === minutesBefore)
    if (minutesBefore === undefined || !isNew || found.reminders.length >= MOST_REMINDERS)
      found.components.push(lines)
    else {
      found.reminders.push({ minutesBefore })
      if (lines.join('\n') !== alarmLines(minutesBefore, title).join('\n'))
        found.alarms.push({ minutesBefore, lines })
    }
  }
  return found
}

const minutesOf = (lines: string[]): number | undefined => {
  const read = lines.map(readLine)
  const textOf = (name: string): string => read.find((line) => line?.name === name)?.value ?? ''
  // Apple's way of saying that there shall be no alarm.
  if (/^NONE$/i.test(textOf('ACTION').trim())) return undefined
  const trigger = read.find((line) => line?.name === 'TRIGGER')
  if (!trigger || /^END$/i.test(parameterOf(trigger, 'RELATED') ?? '')) return undefined
  const duration = readDuration(trigger.value)
  if (!duration) return undefined
  const before = 0 - duration.days * DAY - duration.ms
  return before >= 0 && before <= LONGEST_AHEAD && before % MINUTE === 0 ? before / MINUTE : undefined
}

/** A plain alarm. RFC 5545, 3.6.6: one that is displayed needs a description. */
export const alarmLines = (minutesBefore: number, title: string): string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escapeText(title) || 'Reminder'}`,
  `TRIGGER:${writeDuration(-minutesBefore * MINUTE)}`,
  'END:VALARM',
]
