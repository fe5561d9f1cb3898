import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Attendee, EventFields, Person } from '../event.ts'
import type { Shown } from '../shown-event.ts'
import { reaches } from './addresses.ts'
import { nameIn, refusal } from './authority.ts'
import type { AnswerPost, MailDesk, MeetingMail, OwnAccount } from './mail.ts'
import { describeReply, type Reply, writeReply } from './reply.ts'
import type { Answer } from './schema.ts'
import type { Targets } from './targets.ts'

const listed = (addresses: readonly string[]): string => addresses.slice(0, 5).join(', ')

const requireOrganizer = (event: EventFields, accounts: readonly OwnAccount[]): Person => {
  const { organizer } = event
  if (!organizer)
    throw refusal(
      `${nameIn(event)} has no organizer: nobody called this meeting, so there is nobody to answer.`,
    )
  if (accounts.some(({ address }) => reaches(organizer.email, address)))
    throw refusal(`${nameIn(event)} is a meeting of your own: there is nobody to answer.`)
  if (event.status === 'cancelled')
    throw refusal(`${nameIn(event)} was cancelled: there is nothing to answer.`)
  return organizer
}

/** The one of us who was invited, and the account that it came to before any other. */
const requireInvited = (
  { attendees }: EventFields,
  accounts: readonly OwnAccount[],
  mail: MeetingMail | undefined,
): { account: OwnAccount; attendee: Attendee } => {
  if (accounts.length === 0)
    throw conflict('There is no mail account to answer with: add one in the settings.', 'not_configured')
  const received = accounts.filter(({ id }) => id === mail?.accountId)
  for (const account of [...received, ...accounts]) {
    const attendee = attendees.find(({ email }) => reaches(email, account.address))
    if (attendee) return { account, attendee }
  }
  const invited = attendees.length === 0 ? 'nobody by name' : listed(attendees.map(({ email }) => email))
  throw refusal(
    `None of your mail accounts (${listed(accounts.map(({ address }) => address))}) is among those invited: ${invited}. Add the account that was invited in the settings, or answer with your mail program.`,
  )
}

export interface RespondDeps {
  db: Db
  clock: Clock
  targets: Targets
  desk: MailDesk
  post: AnswerPost
}

export type Respond = ReturnType<typeof createRespond>

/** Answers an invitation: the mail to its organizer and the event's own word of it exist together, or not at all. */
export const createRespond =
  ({ db, clock, targets, desk, post }: RespondDeps) =>
  (id: number, { status, comment = '' }: Answer, occurrence: string | undefined): Promise<Shown> =>
    inTransaction(db, async (tx) => {
      const target = await targets.lock(tx, id, occurrence)
      const { fields, record, one } = target
      const accounts = await post.accounts(tx)
      const organizer = requireOrganizer(fields, accounts)
      const mail = fields.emailId === null ? undefined : await desk.find(tx, fields.emailId)
      const { account, attendee } = requireInvited(fields, accounts, mail)
      const reply: Reply = {
        event: fields,
        recurrenceId: one?.start ?? (record.recurrenceId || null),
        sequence: record.sequence,
        extra: record.extra,
        organizer,
        attendee: { ...attendee, status },
        comment: comment.trim(),
        at: clock.now().toISOString(),
      }
      const attendees = fields.attendees.map((each) => (each === attendee ? reply.attendee : each))
      // What is declined takes up no time; it does again for one who comes after all.
      const busy = status === 'declined' ? false : attendee.status === 'declined' ? true : fields.busy
      await targets.change(tx, target, { attendees, busy })
      const { emailId } = await post.send({
        accountId: account.id,
        to: { name: organizer.name, address: organizer.email },
        ...describeReply(reply, account.senderName || attendee.name || account.address),
        inReplyTo: mail?.id ?? null,
        calendar: { method: 'REPLY', content: writeReply(reply) },
      })
      const event = await targets.show(tx, await targets.lock(tx, id, occurrence))
      const answer = JSON.stringify({ reply: { emailId, from: account.address, to: organizer.email } })
      return { ...event, text: `${event.text.slice(0, -1)},${answer.slice(1)}` }
    })
