import type { DetectedMeeting, DetectOptions } from '../../../engine/meetings/detect.ts'
import { readRule } from '../../../engine/recurrence/read-rule.ts'
import type { Clock } from '../../../platform/clock.ts'
import { isoOf, isWithinReach, readMoment, requireZone } from '../times.ts'
import type { DetectWish, FoundMeeting } from './detect-schema.ts'

const LONGEST_TITLE = 1000

/** As it is told, and as `from-email` takes it. */
const foundOf = (meeting: DetectedMeeting): FoundMeeting => {
  const { endStated: _, start, end, title, recurrence, ...rest } = meeting
  return {
    ...rest,
    title: title.slice(0, LONGEST_TITLE).toWellFormed(),
    start: isoOf(start),
    end: isoOf(end),
    recurrence: recurrence !== null && 'fault' in readRule(recurrence) ? null : recurrence,
  }
}

/** A year that no calendar holds is a number that looks like one. */
const isPossible = ({ start, end }: FoundMeeting): boolean => isWithinReach(start) && isWithinReach(end)

/** The engine is loaded with the first text: a start need not wait for it. */
export const findMeetings = async (text: string, options: DetectOptions) => {
  const { detectMeetings } = await import('../../../engine/meetings/detect.ts')
  const { meetings, signals } = detectMeetings(text, options)
  const found = meetings.map(foundOf).filter(isPossible)
  const confidence = Math.max(0, ...found.map((meeting) => meeting.confidence))
  return { detected: found.length > 0, confidence, meetings: found, signals }
}

export type Detecting = ReturnType<typeof createDetecting>

/** Meetings in a text, by its words alone; nothing is written. */
export const createDetecting =
  ({ clock, timezone }: { clock: Clock; timezone: () => Promise<string> }) =>
  async ({ text, subject, referenceTime, timezone: zone }: DetectWish) => {
    const here = zone === undefined ? await timezone() : requireZone('timezone', zone)
    const now =
      referenceTime === undefined
        ? clock.now().getTime()
        : Date.parse(readMoment('referenceTime', referenceTime, here))
    return findMeetings(text, { now, timezone: here, ...(subject && { subject }) })
  }
