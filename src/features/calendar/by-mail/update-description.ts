import { type EventFields, type EventRecord, fieldsOf } from '../event.ts'
import type { Told } from '../icalendar/entry.ts'
import { changedFields } from '../saving.ts'
import { isSameAddress } from './addresses.ts'
import type { RecordedReply } from './update-journal.ts'

type Rows = ReadonlyMap<string, EventRecord>

/** What a mail did to one event, for a notification and the journal. */
export interface UpdateDescription {
  what: 'moved' | 'changed' | 'cancelled' | 'answered'
  /** Who sent it. */
  by: string
  eventId: number
  title: string
  start: string
  /** When the event, or the last occurrence of the series, is over. */
  lastEnd: string
  allDay: boolean
  timezone: string
  /** The start before it was moved. */
  formerStart: string
  /** Of a reply. */
  answer: 'accepted' | 'declined' | 'tentative' | null
  /** The fields that are different, in words. */
  details: string[]
}

const LABELS: Partial<Record<keyof EventFields, string>> = {
  description: 'Description',
  meetingUrl: 'Video link',
  attendees: 'Guests',
  recurrence: 'Recurrence',
  exdates: 'Recurrence',
  rdates: 'Recurrence',
  status: 'Status',
}
const LONGEST_DETAIL = 100

const detailsOf = (before: EventFields, after: EventFields): string[] => {
  const changed = changedFields(before, after)
  const named = (['title', 'location'] as const)
    .filter((field) => changed.includes(field))
    .map(
      (field) =>
        `${field === 'title' ? 'Title' : 'Location'}: ${after[field].slice(0, LONGEST_DETAIL) || 'none'}`,
    )
  return [...named, ...new Set(changed.flatMap((field) => LABELS[field] ?? []))]
}

const rowOf = (rows: Rows, uid: string, recurrenceId: string | null): EventRecord | undefined =>
  rows.get(`${recurrenceId ?? ''} ${uid}`)

/** Undefined when it left the event as it was. */
export const describeUpdate = (
  told: Told,
  sender: string,
  { before, after }: { before: Rows; after: Rows },
): { update: UpdateDescription; reply: RecordedReply | null } | undefined => {
  const { uid, recurrenceId } = told.entry
  const series = rowOf(after, uid, null) ?? rowOf(before, uid, null)
  const is = rowOf(after, uid, recurrenceId) ?? series
  const was = rowOf(before, uid, recurrenceId) ?? rowOf(before, uid, null)
  if (!is || !was) return undefined
  const [former, present] = [fieldsOf(was), fieldsOf(is)]
  const isNewOccurrence = recurrenceId !== null && was.recurrenceId !== recurrenceId
  const formerStart = isNewOccurrence ? recurrenceId : former.start
  const person = (list: EventFields['attendees']) => list.find(({ email }) => isSameAddress(email, sender))
  const organizer = isSameAddress(present.organizer?.email ?? '', sender) ? present.organizer : null
  const by = (person(present.attendees)?.name || organizer?.name || sender).slice(0, LONGEST_DETAIL)
  const common = {
    by,
    eventId: is.seriesId ?? is.id,
    title: present.title,
    start: present.start,
    lastEnd: is.lastEnd,
    allDay: present.allDay,
    timezone: present.timezone,
    formerStart,
    answer: null,
    details: [],
  }
  if (told.method === 'REPLY') {
    const [before, after] = [person(former.attendees)?.status, person(present.attendees)?.status]
    if (!before || !after || before === after || after === 'needs-action') return undefined
    const reply = { uid, recurrenceId, email: sender, before, after }
    return { update: { ...common, what: 'answered', answer: after }, reply }
  }
  if (told.method === 'CANCEL') return { update: { ...common, what: 'cancelled' }, reply: null }
  const length = ({ start, end }: EventFields): number => Date.parse(end) - Date.parse(start)
  const isMoved =
    present.start !== formerStart || present.allDay !== former.allDay || length(present) !== length(former)
  const details = detailsOf(
    former,
    isNewOccurrence
      ? { ...present, recurrence: former.recurrence, exdates: former.exdates, rdates: former.rdates }
      : present,
  )
  return { update: { ...common, what: isMoved ? 'moved' : 'changed', details }, reply: null }
}

const ANSWERED = { accepted: 'accepted', declined: 'declined', tentative: 'tentatively accepted' } as const

export const summarizeUpdate = ({ what, answer, by, title }: UpdateDescription): string => {
  const did = what === 'answered' && answer ? ANSWERED[answer] : what
  return `${by} ${did} “${title.slice(0, 200)}”`
}
