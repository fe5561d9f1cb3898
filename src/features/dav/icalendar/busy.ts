import { fold } from '../../../platform/icalendar/text.ts'
import { writeDateTime } from '../../../platform/icalendar/values.ts'
import type { BusyTime } from '../backend.ts'
import type { Range } from './instances.ts'

const writeUtc = (instant: number): string => `${writeDateTime(instant)}Z`

/** RFC 4791 §7.10: periods are within the range, and those of one kind do not overlap. */
const merge = (times: readonly BusyTime[], { start, end }: Range): { start: number; end: number }[] => {
  const merged: { start: number; end: number }[] = []
  const clipped = times
    .map((time) => ({ start: Math.max(time.start, start), end: Math.min(time.end, end) }))
    .filter((time) => time.end > time.start)
    .sort((a, b) => a.start - b.start)
  for (const time of clipped) {
    const last = merged.at(-1)
    if (last && time.start <= last.end) last.end = Math.max(last.end, time.end)
    else merged.push(time)
  }
  return merged
}

/** Writes when a calendar is busy (RFC 5545 §3.6.4). */
export const writeFreeBusy = (times: readonly BusyTime[], range: Range, now: number): string => {
  const lineOf = (isTentative: boolean): string => {
    const periods = merge(
      times.filter((time) => time.isTentative === isTentative),
      range,
    )
    if (periods.length === 0) return ''
    const text = periods.map(({ start, end }) => `${writeUtc(start)}/${writeUtc(end)}`).join(',')
    return fold(`FREEBUSY;FBTYPE=${isTentative ? 'BUSY-TENTATIVE' : 'BUSY'}:${text}`)
  }
  return [
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Factotum//EN\r\nBEGIN:VFREEBUSY\r\n',
    `DTSTAMP:${writeUtc(now)}\r\nDTSTART:${writeUtc(range.start)}\r\nDTEND:${writeUtc(range.end)}\r\n`,
    lineOf(false),
    lineOf(true),
    'END:VFREEBUSY\r\nEND:VCALENDAR\r\n',
  ].join('')
}
