import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { invalidField } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type EventFields, type EventRecord, fieldsOf, hasSameTimes, type Person } from '../event.ts'
import { findEvent, listByUid } from '../event-repository.ts'
import type { Saving } from '../event-writer.ts'
import type { Events } from '../events.ts'
import { nameOf } from '../ical/entry.ts'
import type { OccurrenceTarget } from '../occurrences.ts'
import { readPerson } from '../people.ts'
import type { EventChange, NewEvent, SentInvitation } from '../schema.ts'
import type { SavedEvent } from '../windows/window.ts'
import { type InvitationSender, requireAccounts } from './invitation-sender.ts'
import { isOwnAddress, type OwnAccount } from './mail.ts'
import { refusal } from './update-decision.ts'

type InvitedEvent = SavedEvent & { invitations: SentInvitation[] }

/** The organizer of an event that invitations are sent for. Replies go to this address. */
const chooseOrganizer = (given: Person | null, accounts: readonly OwnAccount[]): Person => {
  const first = requireAccounts(accounts)
  if (given === null) return { name: first.senderName, email: first.address }
  if (!isOwnAddress(given.email, accounts))
    throw refusal(`Invitations come from the organizer, but ${given.email} is not one of your mail accounts.`)
  return given
}

const lengthOf = ({ start, end }: EventFields): number => Date.parse(end) - Date.parse(start)

/** Whether the event takes place at another time than before. */
const isRetimed = (row: EventRecord, before: readonly EventRecord[]): boolean => {
  const fields = fieldsOf(row)
  const same = before.find((one) => nameOf(one) === nameOf(row))
  if (same) return !hasSameTimes(fields, fieldsOf(same))
  const series = before.find(({ uid, recurrenceId }) => uid === row.uid && recurrenceId === '')
  if (!series || row.recurrenceId === '') return true
  return row.start !== row.recurrenceId || lengthOf(fields) !== lengthOf(fieldsOf(series))
}

const SHARED_CALENDAR = 'is only possible in your own calendars: the owner of this calendar sends invitations'

export type InvitingEvents = ReturnType<typeof createInvitingEvents>

/** Changes events and sends the invitations, updates and cancellations in the same transaction. */
export const createInvitingEvents = (
  deps: Pick<Platform, 'db'> & {
    events: Events
    saving: Saving
    sender: InvitationSender
  },
) => {
  const { db, events, saving, sender } = deps

  const findOwn = async (tx: Db, userId: number, id: number): Promise<EventRecord> => {
    const row = await findEvent(tx, userId, id)
    if (!row) throw invalidField('sendInvitations', SHARED_CALENDAR)
    return row
  }

  /** Attendees accepted the former time, so their answers do not count for the new one. */
  const resetAnswers = async (
    tx: Db,
    before: readonly EventRecord[],
    after: readonly EventRecord[],
    accounts: readonly OwnAccount[],
  ): Promise<boolean> => {
    let isReset = false
    for (const row of after) {
      const fields = fieldsOf(row)
      if (!isOwnAddress(fields.organizer?.email ?? '', accounts) || !isRetimed(row, before)) continue
      const attendees = fields.attendees.map((one) =>
        isOwnAddress(one.email, accounts) ? one : { ...one, status: 'needs-action' as const },
      )
      if (await saving.update(tx, row, { ...fields, attendees }, {})) {
        isReset = true
        if (row.seriesId !== null) await saving.touch(tx, row.userId, [row.seriesId])
      }
    }
    return isReset
  }

  return {
    async create(userId: number, input: NewEvent): Promise<{ made: boolean; event: InvitedEvent }> {
      if (input.bookingId)
        throw invalidField('sendInvitations', 'is not possible for a booking: its provider sends the mail')
      return inTransaction(db, async (tx) => {
        const accounts = await sender.accounts(tx, userId)
        const organizer =
          (input.attendees ?? []).length === 0
            ? undefined
            : chooseOrganizer(input.organizer ? readPerson('organizer', input.organizer) : null, accounts)
        const { made, event } = await events.create(userId, { ...input, ...(organizer && { organizer }) })
        const { uid } = await findOwn(tx, userId, event.id)
        const invitations = await sender.send(tx, userId, [], await listByUid(tx, userId, [uid]))
        return { made, event: { ...event, invitations } }
      })
    },

    async change(
      userId: number,
      id: number,
      input: EventChange,
      target: OccurrenceTarget,
      ifMatch: string | undefined,
    ): Promise<InvitedEvent> {
      return inTransaction(db, async (tx) => {
        const row = await findOwn(tx, userId, id)
        const before = await listByUid(tx, userId, [row.uid])
        const accounts = await sender.accounts(tx, userId)
        const { organizer, attendees } = fieldsOf(row)
        const isFirst = organizer === null && (input.attendees ?? attendees).length > 0
        const chosen = input.organizer ? readPerson('organizer', input.organizer) : null
        const changed = await events.change(
          userId,
          id,
          { ...input, ...(isFirst && { organizer: chooseOrganizer(chosen, accounts) }) },
          target,
          ifMatch,
        )
        const read = () => listByUid(tx, userId, [...new Set([row.uid, changed.uid])])
        const after = await read()
        // Without an organizer, nobody was invited yet.
        const known = isFirst ? before.map((one) => ({ ...one, attendees: '[]' })) : before
        const isReset = await resetAnswers(tx, before, after, accounts)
        const invitations = await sender.send(tx, userId, known, isReset ? await read() : after)
        const event = await events.get(userId, changed.id, changed.occurrenceStart ?? undefined)
        return { ...event, conflicts: changed.conflicts, invitations }
      })
    },

    async remove(
      userId: number,
      id: number,
      target: OccurrenceTarget,
      ifMatch: string | undefined,
    ): Promise<void> {
      await inTransaction(db, async (tx) => {
        const { uid } = await findOwn(tx, userId, id)
        const before = await listByUid(tx, userId, [uid])
        await events.remove(userId, id, target, ifMatch)
        await sender.send(tx, userId, before, await listByUid(tx, userId, [uid]))
      })
    },
  }
}
