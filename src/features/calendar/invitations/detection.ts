import type { DetectedMeeting, DetectOptions } from '../../../nlu/meetings/detect.ts'
import type { DetectRequest, detect } from '../../../nlu/meetings/detect-task.ts'
import type { Platform } from '../../../platform/platform.ts'
import { runTask } from '../../../platform/workers/run-task.ts'
import { defineTask } from '../../../platform/workers/task.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { readRule } from '../../../recurrence/rule.ts'
import { isoOf, isWithinReach, readMoment, requireZone } from '../times.ts'
import type { DetectInput, FoundMeeting } from './schema.ts'

const MAX_TITLE_LENGTH = 1000

/** Converts a detected meeting to the API form, which `from-email` accepts. */
const foundOf = (meeting: DetectedMeeting): FoundMeeting => {
  const { endStated: _, isCertain: __, isWindow: ___, start, end, title, recurrence, ...rest } = meeting
  return {
    ...rest,
    title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed(),
    start: isoOf(start),
    end: isoOf(end),
    recurrence: recurrence !== null && 'fault' in readRule(recurrence) ? null : recurrence,
  }
}

/** Excludes years that the calendar does not support: such a number is not a year. */
const isPossible = ({ start, end }: FoundMeeting): boolean => isWithinReach(start) && isWithinReach(end)

/** A text full of dates takes 7 ms per 1,000 characters on a slow machine. */
const SMALL_TEXT = 4_000
/** The engine reads at most this many characters. */
const MAX_TEXT_LENGTH = 60_000

const TASK = defineTask<DetectRequest, ReturnType<typeof detect>>(
  new URL('../../../nlu/meetings/detect-task.ts', import.meta.url),
  'detect',
)

/** Detects meetings. Long texts are processed in a worker thread. The engine is loaded on first use. */
export const findMeetings = async (workers: WorkerPool, text: string, options: DetectOptions) => {
  const input = { text: text.slice(0, MAX_TEXT_LENGTH), options }
  const { meetings, signals } = await runTask(workers, TASK, input, {
    isCheap: text.length <= SMALL_TEXT,
    subject: 'the text',
    code: 'unreadable_message',
  })
  const found = meetings.map(foundOf).filter(isPossible)
  const confidence = Math.max(0, ...found.map((meeting) => meeting.confidence))
  return { detected: found.length > 0, confidence, meetings: found, signals }
}

export type DetectMeetings = ReturnType<typeof createMeetingDetector>

/** Detects meetings in a text without a language model. Writes nothing. */
export const createMeetingDetector =
  ({
    clock,
    zoneOf,
    workers,
  }: Pick<Platform, 'clock' | 'workers'> & {
    zoneOf: (userId: number) => Promise<string>
  }) =>
  async (userId: number, { text, subject, referenceTime, timezone: zone }: DetectInput) => {
    const here = zone === undefined ? await zoneOf(userId) : requireZone('timezone', zone)
    const now =
      referenceTime === undefined
        ? clock.now().getTime()
        : Date.parse(readMoment('referenceTime', referenceTime, here))
    return findMeetings(workers, text, { now, timezone: here, ...(subject && { subject }) })
  }
