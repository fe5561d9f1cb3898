import { type AppError, conflict } from '../../../platform/errors.ts'
import { type EventFields, type EventRecord, type EventSource, fieldsOf } from '../event.ts'
import type { Told } from '../icalendar/entry.ts'
import { cancels, isNews, nameOf } from '../imports/batch.ts'
import { isSameAddress, reaches } from './addresses.ts'
import type { OwnAccount } from './mail.ts'

/*
 * Anybody may send a mail that names any event by its UID. Who it says it is from is as true as the mail server's
 * checks make it; beyond that, a mail may do no more than its sender could do by other means: an organizer revises or
 * cancels what they called, someone invited speaks for themselves.
 */

/** Made here, whoever else takes part. */
const MADE_HERE: readonly EventSource[] = ['manual', 'chat', 'bookingsvc']

export const isMadeHere = ({ source }: Pick<EventFields, 'source'>): boolean => MADE_HERE.includes(source)

export const refusal = (message: string): AppError => conflict(message, 'meeting_refused')

export const nameIn = ({ title }: Pick<EventFields, 'title'>): string =>
  title === '' ? 'this event' : `“${title}”`

interface Visit {
  /** The address that the mail is from; empty when nobody knows. */
  sender: string
  /** Who sent the mail that the event came from. */
  firstSender: string
}

/** Refuses a revision, or a cancellation, by one who did not call the meeting. */
const requireAuthor = (event: EventFields, { entry }: Told, { sender, firstSender }: Visit): void => {
  const { organizer } = event
  if (MADE_HERE.includes(event.source))
    throw refusal(`${nameIn(event)} was made here. No mail changes it: change it yourself if it should be.`)
  if (organizer && entry.organizer && !isSameAddress(organizer.email, entry.organizer.email))
    throw refusal(
      `${nameIn(event)} was called by ${organizer.email}. This mail names ${entry.organizer.email} instead, and changes nothing.`,
    )
  if (isSameAddress(sender, organizer?.email ?? '') || isSameAddress(sender, firstSender)) return
  const author = organizer?.email ?? (firstSender || 'someone else')
  throw refusal(
    `${nameIn(event)} is from ${author}, and this mail is ${sender === '' ? 'from nobody' : `from ${sender}`}. It changes nothing. If you trust it, delete the event and take it from the mail anew.`,
  )
}

/** Refuses what would change an event and is not its author's. What says nothing new is nobody's concern. */
export const requireAuthority = (told: Told, rows: readonly EventRecord[], visit: Visit): void => {
  const same = rows.find((row) => nameOf(row) === nameOf(told.entry))
  const known = rows.find(({ recurrenceId }) => recurrenceId === '') ?? same ?? rows[0]
  if (!known) return
  const isOld = same && told.kind === 'entry' && !cancels(told) && !isNews(told.entry, same)
  const event = fieldsOf(known)
  if (!isOld || MADE_HERE.includes(event.source)) requireAuthor(event, told, visit)
}

/** Answers are for the one who called the meeting. */
export const isOrganizedHere = (
  { source, organizer }: EventFields,
  accounts: readonly OwnAccount[],
): boolean =>
  MADE_HERE.includes(source) ||
  (organizer === null
    ? source !== 'email'
    : accounts.some(({ address }) => reaches(organizer.email, address)))
