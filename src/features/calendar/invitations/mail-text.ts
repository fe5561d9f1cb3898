import { toFormatLocale } from '../../../platform/language.ts'
import { type Attendee, type EventFields, listPlaces } from '../event.ts'
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

interface MailText {
  subject: string
  text: string
}

const toMailText = (subject: string, lines: readonly string[]): MailText => ({
  subject: subject.slice(0, MAX_SUBJECT_LENGTH).toWellFormed(),
  text: `${lines.join('\n')}\n`,
})

/** Writes the subject and the text of a reply in the language of the account. */
export const describeReply = (
  { event, attendee, comment }: { event: EventFields; attendee: Attendee; comment: string },
  name: string,
  locale: string,
): MailText => {
  const t = invitationTexts(locale)
  const title = event.title === '' ? t.untitled : event.title
  return toMailText(t.subject[attendee.status](title), [
    t.answer[attendee.status](name),
    '',
    title,
    formatRange(event, locale),
    ...(event.recurrence === null ? [] : [describeRecurrence(event, locale)]),
    ...(event.location === '' ? [] : [event.location]),
    ...(comment === '' ? [] : ['', comment]),
  ])
}

/** Writes the subject and the text of a message about an event. `name` is the sender. */
export const describeMessage = (
  { kind, entries }: Pick<SchedulingMessage, 'kind' | 'entries'>,
  name: string,
  locale: string,
): MailText => {
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
  const description = kind === 'invited' || kind === 'updated' ? (entries[0]?.description.trim() ?? '') : ''
  return toMailText(subject, [heading, ...described, ...(description === '' ? [] : ['', description])])
}
