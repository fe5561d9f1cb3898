import type { Db } from '../../../database/db.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { EventRecord, Person } from '../event.ts'
import { entryOf } from '../export.ts'
import { type Entry, readExtra, writeExtra } from '../ical/entry.ts'
import { reaches } from '../people.ts'
import type { SentInvitation } from '../schema.ts'
import { isOwnAddress, type OwnAccount, type SchedulingMailer } from './mail.ts'
import { describeMessage } from './mail-text.ts'
import { planMessages, type SchedulingMessage, writeMessage } from './scheduling.ts'

export const requireAccounts = (accounts: readonly OwnAccount[]): OwnAccount => {
  const [first] = accounts
  if (!first)
    throw conflict(
      'No mail account is configured. Add one in the settings to send invitations.',
      'not_configured',
    )
  return first
}

/** Mail servers often refuse more recipients. */
const MAX_RECIPIENTS = 50

interface Batch extends Omit<SchedulingMessage, 'recipient'> {
  recipients: Person[]
}

const mergeAttendees = (one: Entry, other: Entry | undefined): Entry => {
  if (!other) return one
  const [own, added] = [readExtra(one.extra), readExtra(other.extra)]
  const people = [...(own.people ?? []), ...(added.people ?? [])]
  return {
    ...one,
    attendees: [...one.attendees, ...other.attendees],
    extra: writeExtra({ ...own, people }),
  }
}

/** A cancellation names only its recipients, so that cancellations of the same event differ in them. */
const batchKey = ({ method, kind, entries }: SchedulingMessage): string =>
  JSON.stringify([
    method,
    kind,
    method === 'CANCEL' ? entries.map((entry) => ({ ...entry, attendees: [], extra: null })) : entries,
  ])

/** Combines messages with the same content, so that the organizer sends one email instead of many. */
const toBatches = (messages: readonly SchedulingMessage[]): Batch[] => {
  const batches: Batch[] = []
  for (const group of Map.groupBy(messages, batchKey).values())
    for (let at = 0; at < group.length; at += MAX_RECIPIENTS) {
      const [first, ...rest] = group.slice(at, at + MAX_RECIPIENTS) as [
        SchedulingMessage,
        ...SchedulingMessage[],
      ]
      const { recipient, ...batch } = first
      batches.push({
        ...batch,
        recipients: [recipient, ...rest.map((one) => one.recipient)],
        entries:
          batch.method === 'CANCEL'
            ? batch.entries.map((entry, index) =>
                rest.reduce((merged, one) => mergeAttendees(merged, one.entries[index]), entry),
              )
            : batch.entries,
      })
    }
  return batches
}

export type InvitationSender = ReturnType<typeof createInvitationSender>

/** Sends the scheduling messages that a change of events requires, through the outbox. */
export const createInvitationSender = (
  deps: Pick<Platform, 'clock'> & {
    mailer: SchedulingMailer
    habitsOf: (userId: number) => Promise<{ locale: string }>
    /** Whether a CalDAV server sends the messages for this event itself (RFC 6638). */
    isScheduledByServer: (tx: Db, userId: number, uid: string) => Promise<boolean>
  },
) => {
  const { clock, mailer } = deps

  const sendBatch = async (
    userId: number,
    batch: Batch,
    { accounts, locale }: { accounts: readonly OwnAccount[]; locale: string },
  ): Promise<SentInvitation> => {
    const { sender, recipients, method, kind, entries } = batch
    const account =
      accounts.find(({ address }) => reaches(sender.email, address)) ?? requireAccounts(accounts)
    const name = account.senderName || sender.name || account.address
    const { emailId } = await mailer.send({
      userId,
      accountId: account.id,
      to: recipients.map((person) => ({ name: person.name, address: person.email })),
      ...describeMessage({ kind, entries }, name, locale),
      inReplyTo: null,
      calendar: { method, content: writeMessage(method, entries, clock.now().toISOString()) },
    })
    return { emailId, kind, to: recipients.map(({ email }) => email) }
  }

  return {
    accounts: mailer.accounts,

    /** `before` and `after` are the rows of the changed events with their occurrences. */
    async send(
      tx: Db,
      userId: number,
      before: readonly EventRecord[],
      after: readonly EventRecord[],
    ): Promise<SentInvitation[]> {
      const accounts = await mailer.accounts(tx, userId)
      const isOwn = (email: string): boolean => isOwnAddress(email, accounts)
      const { locale } = await deps.habitsOf(userId)
      const entriesOf = (rows: readonly EventRecord[], uid: string): Entry[] =>
        rows
          .filter((row) => row.uid === uid)
          .toSorted((a, b) => (a.recurrenceId < b.recurrenceId ? -1 : 1))
          .map(entryOf)
      const sent: SentInvitation[] = []
      for (const uid of new Set([...before, ...after].map((row) => row.uid))) {
        if (await deps.isScheduledByServer(tx, userId, uid)) continue
        const planned = planMessages(entriesOf(before, uid), entriesOf(after, uid), isOwn)
        const batches = toBatches(planned.filter(({ isSignificant }) => isSignificant))
        for (const batch of batches) sent.push(await sendBatch(userId, batch, { accounts, locale }))
      }
      return sent
    },
  }
}
