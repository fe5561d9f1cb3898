import { inTransaction, transactionOr } from '../../../database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { escapeText } from '../../../platform/icalendar/text.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Attendee, type EventFields, type Person, pickFields, SHARED_FIELDS } from '../event.ts'
import type { CalendarReader } from '../ical/reader.ts'
import { writeWithOthers } from '../imports/import.ts'
import { reaches } from '../people.ts'
import type { MailedEvents } from './from-email.ts'
import {
  type InvitationMail,
  isOwnAddress,
  type MeetingMail,
  type OwnAccount,
  readMail,
  type SchedulingMailer,
} from './mail.ts'
import { describeMessage } from './mail-text.ts'
import { toReplyEntry, writeMessage } from './scheduling.ts'
import type { Answer } from './schema.ts'
import { nameIn, refusal, type Targets } from './update-decision.ts'

const listed = (addresses: readonly string[]): string => addresses.slice(0, 5).join(', ')

const requireOrganizer = (event: EventFields, accounts: readonly OwnAccount[]): Person => {
  const { organizer } = event
  if (!organizer) throw refusal(`${nameIn(event)} has no organizer, so no reply can be sent.`)
  if (isOwnAddress(organizer.email, accounts))
    throw refusal(`You are the organizer of ${nameIn(event)}, so no reply can be sent.`)
  if (event.status === 'cancelled') throw refusal(`${nameIn(event)} is cancelled, so no reply can be sent.`)
  return organizer
}

/** Finds the account that was invited. The account that received the email has precedence. */
const requireInvited = (
  { attendees }: EventFields,
  accounts: readonly OwnAccount[],
  mail: MeetingMail | undefined,
): { account: OwnAccount; attendee: Attendee } => {
  if (accounts.length === 0)
    throw conflict(
      'No mail account is configured. Add one in the settings to send a reply.',
      'not_configured',
    )
  const received = accounts.filter(({ id }) => id === mail?.accountId)
  for (const account of [...received, ...accounts]) {
    const attendee = attendees.find(({ email }) => reaches(email, account.address))
    if (attendee) return { account, attendee }
  }
  const invited =
    attendees.length === 0 ? 'no attendees are listed' : listed(attendees.map(({ email }) => email))
  throw refusal(
    `None of your mail accounts (${listed(accounts.map(({ address }) => address))}) is invited (attendees: ${invited}). Add the invited account in the settings, or reply with your mail program.`,
  )
}

/** An accepted event is confirmed. A maybe is tentative, as the first invitation of a known contact is. */
const statusAfter = (before: EventFields['status'], answer: Answer['status']): EventFields['status'] => {
  if (answer === 'declined') return before
  return answer === 'tentative' ? 'tentative' : 'confirmed'
}

export interface RespondDeps extends Pick<Platform, 'db' | 'clock'> {
  targets: Targets
  invitationMail: InvitationMail
  mailer: SchedulingMailer
  /** The account's preferences. */
  habitsOf: (userId: number) => Promise<{ locale: string }>
}

export type Respond = ReturnType<typeof createRespond>

/**
 * Responds to an invitation. One transaction queues the email to the organizer and stores the response in the
 * event.
 */
export const createRespond =
  ({ db, clock, targets, invitationMail, mailer, habitsOf }: RespondDeps) =>
  async (userId: number, id: number, answer: Answer, occurrence: string | undefined) => {
    const { status } = answer
    const comment = answer.comment?.trim() ?? ''
    const { locale } = await habitsOf(userId)
    return inTransaction(db, async (tx) => {
      const target = await targets.lock(tx, userId, id, occurrence)
      const { fields, record, one } = target
      const accounts = await mailer.accounts(tx, userId)
      const organizer = requireOrganizer(fields, accounts)
      const mail = fields.emailId === null ? undefined : await invitationMail.find(tx, userId, fields.emailId)
      const { account, attendee } = requireInvited(fields, accounts, mail)
      const answered = { ...attendee, status }
      const attendees = fields.attendees.map((each) => (each === attendee ? answered : each))
      // A declined event does not block time. It does again when the user accepts it later.
      const busy = status === 'declined' ? false : attendee.status === 'declined' ? true : fields.busy
      await targets.change(tx, target, { attendees, busy, status: statusAfter(fields.status, status) })
      const entry = {
        ...pickFields(fields, SHARED_FIELDS),
        recurrenceId: one?.start ?? (record.recurrenceId || null),
        sequence: record.sequence,
        revisedAt: null,
        extra: record.extra,
      }
      const lines = comment === '' ? [] : [`COMMENT:${escapeText(comment)}`]
      const reply = toReplyEntry(entry, answered, lines)
      const name = account.senderName || attendee.name || account.address
      const { emailId } = await mailer.send({
        userId,
        accountId: account.id,
        to: [{ name: organizer.name, address: organizer.email }],
        ...describeMessage(
          { kind: 'answered', entries: [{ ...fields, attendees: [answered] }], comment },
          name,
          locale,
        ),
        inReplyTo: mail?.id ?? null,
        calendar: { method: 'REPLY', content: writeMessage('REPLY', [reply], clock.now().toISOString()) },
      })
      const event = await targets.show(tx, await targets.lock(tx, userId, id, occurrence))
      return { ...event, reply: { emailId, from: account.address, to: organizer.email } }
    })
  }

export type RespondToEmail = ReturnType<typeof createRespondToEmail>

/** Adds the event of an invitation to the calendar and responds to it, both or none. */
export const createRespondToEmail =
  (
    deps: Pick<Platform, 'db'> & {
      invitationMail: InvitationMail
      reader: Pick<CalendarReader, 'readFile'>
      zoneOf: (userId: number) => Promise<string>
      mailedEvents: Pick<MailedEvents, 'take'>
      respond: Respond
    },
  ) =>
  async (userId: number, emailId: number, answer: Answer) => {
    const mail = await deps.invitationMail.find(transactionOr(deps.db), userId, emailId)
    if (!mail) throw notFound('email')
    const context = { timezone: await deps.zoneOf(userId), reader: deps.reader }
    const components = await readMail(mail, context)
    const first = components?.[0]
    if (!components || !first) throw notFound('invitation: this email has no calendar part')
    if (first.method !== 'REQUEST') throw refusal('This email is no invitation, so no response is possible.')
    return writeWithOthers(deps.db, async (tx) => {
      const { target } = await deps.mailedEvents.take(tx, userId, components, mail)
      return deps.respond(userId, target.row.seriesId ?? target.row.id, answer, target.one?.start)
    })
  }
