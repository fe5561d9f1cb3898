import type { DetectedMeeting, DetectOptions } from '../../../engine/meetings/detect.ts'
import type { DetectRequest, detect } from '../../../engine/meetings/detect-task.ts'
import { readRule } from '../../../engine/recurrence/read-rule.ts'
import type { Clock } from '../../../platform/clock.ts'
import { runTask } from '../../../platform/workers/run-task.ts'
import { defineTask } from '../../../platform/workers/task.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
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

/** A text full of dates takes 7 ms for each 1,000 characters, on a slow machine. */
const SMALL_TEXT = 4_000
/** The engine looks at no more. */
const LONGEST_TEXT = 60_000

const TASK = defineTask<DetectRequest, ReturnType<typeof detect>>(
  new URL('../../../engine/meetings/detect-task.ts', import.meta.url),
  'detect',
)

/** Long texts are read in a worker thread. The engine is loaded with the first text. */
export const findMeetings = async (workers: WorkerPool, text: string, options: DetectOptions) => {
  const input = { text: text.slice(0, LONGEST_TEXT), options }
  const { meetings, signals } = await runTask(workers, TASK, input, {
    isCheap: text.length <= SMALL_TEXT,
    subject: 'the text',
    code: 'unreadable_message',
  })
  const found = meetings.map(foundOf).filter(isPossible)
  const confidence = Math.max(0, ...found.map((meeting) => meeting.confidence))
  return { detected: found.length > 0, confidence, meetings: found, signals }
}

export type Detecting = ReturnType<typeof createDetecting>

/** Meetings in a text, by its words alone; nothing is written. */
export const createDetecting =
  ({ clock, timezone, workers }: { clock: Clock; timezone: () => Promise<string>; workers: WorkerPool }) =>
  async ({ text, subject, referenceTime, timezone: zone }: DetectWish) => {
    const here = zone === undefined ? await timezone() : requireZone('timezone', zone)
    const now =
      referenceTime === undefined
        ? clock.now().getTime()
        : Date.parse(readMoment('referenceTime', referenceTime, here))
    return findMeetings(workers, text, { now, timezone: here, ...(subject && { subject }) })
  }
