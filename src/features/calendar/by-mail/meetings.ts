import { createHash } from 'node:crypto'
import { AppError, invalid, sentenceOf } from '../../../platform/errors.ts'
import type { EventFields } from '../event.ts'
import type { NewEvent } from '../schema.ts'
import { readNewEvent } from '../wish.ts'
import type { Meeting } from './schema.ts'

const ADDRESSED = /@/

/** The same meeting has the same name, however often it is read out of a mail. */
export const meetingUid = ({ title, start, end }: { title: string; start: string; end: string }): string => {
  const words = title.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  const print = createHash('sha256').update([words, start, end].join('\n')).digest('hex')
  return `meeting-${print.slice(0, 40)}@factotum`
}

/** A meeting as `detect` finds it, as the wish for an event. Names without an address cannot be invited: they are noted. */
const wishOf = (meeting: Meeting, emailId: number | undefined): NewEvent => {
  const { title, start, end, allDay, timezone, location, meetingUrl, attendees = [], recurrence } = meeting
  const isAddressed = (each: (typeof attendees)[number]): boolean =>
    typeof each !== 'string' || ADDRESSED.test(each)
  const names = attendees.filter((each) => !isAddressed(each)).map((each) => (each as string).trim())
  return {
    title,
    start,
    source: 'email',
    attendees: attendees.filter(isAddressed),
    ...(end && { end }),
    ...(allDay !== undefined && { allDay }),
    ...(timezone && { timezone }),
    ...(location && { location }),
    ...(meetingUrl && { meetingUrl }),
    ...(recurrence && { recurrence }),
    ...(names.length > 0 && { notes: `With ${names.join(', ')}` }),
    ...(emailId !== undefined && { emailId }),
  }
}

/** What is wrong with it is told by where it stands in the body. */
export const readMeeting = (meeting: Meeting, emailId: number | undefined, zone: string): EventFields => {
  try {
    return readNewEvent(wishOf(meeting, emailId), '', zone)
  } catch (error) {
    const errors = error instanceof AppError && error.kind === 'invalid' ? error.details.errors : undefined
    if (!errors) throw error
    const there = errors.map(({ path, message }) => ({ path: `meeting.${path}`, message }))
    throw invalid(there.map((each) => sentenceOf(each)).join(' '), there)
  }
}
