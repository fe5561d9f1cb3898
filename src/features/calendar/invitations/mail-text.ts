import { toFormatLocale } from '../../../platform/language.ts'
import { type EventFields, listPlaces, type Place } from '../event.ts'
import { describeRecurrence } from './recurrence-text.ts'
import type { SchedulingMessage } from './scheduling.ts'
import { invitationTexts } from './texts.ts'

const MAX_SUBJECT_LENGTH = 500

type Times = Pick<EventFields, 'start' | 'end' | 'allDay' | 'timezone'>

const formatRange = ({ start, end, allDay, timezone }: Times, locale: string): string => {
  const day = new Intl.DateTimeFormat(toFormatLocale(locale), {
    timeZone: timezone,
    dateStyle: 'full',
    ...(!allDay && { timeStyle: 'short' }),
  })
  const last = new Date(Date.parse(end) - (allDay ? 1 : 0))
  const range = day.formatRange(new Date(start), last)
  return allDay ? range : `${range} (${timezone})`
}

type DescribedEvent = Times & Place & Pick<EventFields, 'title' | 'description' | 'recurrence' | 'attendees'>

/** Writes the subject and the text of a message about an event. `name` is the sender. */
export const describeMessage = (
  message: { kind: SchedulingMessage['kind']; entries: readonly DescribedEvent[]; comment?: string },
  name: string,
  locale: string,
): { subject: string; text: string } => {
  const { kind, entries, comment = '' } = message
  const t = invitationTexts(locale)
  const title = entries[0]?.title || t.untitled
  const status = entries[0]?.attendees[0]?.status ?? 'declined'
  const [subject, heading] =
    kind === 'answered'
      ? [t.subject[status](title), t.answer[status](name)]
      : [t.invitationSubject[kind](title), t.invitation[kind](name)]
  const described = entries.flatMap((entry) => [
    '',
    entry.title || title,
    formatRange(entry, locale),
    ...(entry.recurrence === null ? [] : [describeRecurrence(entry, locale)]),
    ...listPlaces(entry),
  ])
  const closing = kind === 'invited' || kind === 'updated' ? (entries[0]?.description.trim() ?? '') : comment
  const lines = [heading, ...described, ...(closing === '' ? [] : ['', closing])]
  return {
    subject: subject.slice(0, MAX_SUBJECT_LENGTH).toWellFormed(),
    text: `${lines.join('\n')}\n`,
  }
}
