import type { Db } from '../../../database/db.ts'
import { invalid } from '../../../platform/errors.ts'
import { unescapeText } from '../../../platform/icalendar/text.ts'
import type { Attendee, EventRecord } from '../event.ts'
import { type FoundEvent, readExtra, writeExtra } from '../ical/entry.ts'
import { isSameAddress } from '../people.ts'
import type { OwnAccount } from './mail.ts'
import type { Proposal } from './schema.ts'
import {
  answeredAt,
  isOrganizedHere,
  nameIn,
  refusal,
  replyStamp,
  type Target,
  type Targets,
} from './update-decision.ts'

interface ReplyResult {
  target: Target
  outcome: 'answered' | 'unchanged' | 'proposed' | 'proposal_declined' | 'asked_again'
  proposal: Proposal | null
}

interface ReplyingAttendee {
  guest: Attendee
  said: Attendee
}

export const commentIn = (extra: string | null): string => {
  const line = readExtra(extra).lines?.find((each) => /^COMMENT[;:]/.test(each))
  return line === undefined ? '' : unescapeText(line.slice(line.indexOf(':') + 1)).trim()
}

const withAnsweredAt = (extra: string | null, email: string, at: string | null): string | null => {
  const read = readExtra(extra)
  if (at === null) return extra
  const others = read.people?.filter((person) => !isSameAddress(person.email, email)) ?? []
  const before = read.people?.find((person) => isSameAddress(person.email, email))
  const person = { ...(before ?? { email, parameters: '' }), answeredAt: at }
  return writeExtra({ ...read, people: [...others, person] })
}

/**
 * Applies the replies and counter-proposals of attendees (RFC 5546, 3.2.3 and 3.2.7). An attendee may reply
 * only for themselves.
 */
export const createReplyHandler = ({ targets }: { targets: Targets }) => {
  /** Finds the sender among the attendees of the event and of the email. */
  const requireGuest = (
    target: Target,
    component: FoundEvent,
    sender: string,
    accounts: readonly OwnAccount[],
  ) => {
    const { fields } = target
    if (!isOrganizedHere(fields, accounts))
      throw refusal(
        `This mailbox is not the organizer of ${nameIn(fields)}. Replies go to ${fields.organizer?.email}.`,
      )
    const said = component.entry.attendees.find(({ email }) => isSameAddress(email, sender))
    if (!said)
      throw refusal(
        `This email replies for ${component.entry.attendees[0]?.email ?? 'nobody'}, but its sender is ${sender || 'unknown'}. Attendees may reply only for themselves.`,
      )
    const guest = fields.attendees.find(({ email }) => isSameAddress(email, sender))
    if (!guest)
      throw refusal(
        `${sender} is not invited to ${nameIn(fields)}. To invite them, add them to the attendees.`,
      )
    return { guest, said }
  }

  const answer = async (
    tx: Db,
    target: Target,
    component: FoundEvent,
    { guest, said }: ReplyingAttendee,
  ): Promise<ReplyResult> => {
    const { fields, record } = target
    const { sequence } = component.entry
    const stampedAt = replyStamp(component)
    if (sequence < record.sequence)
      throw refusal(
        `${guest.email} replied to an earlier revision of ${nameIn(fields)}. Send the invitation again.`,
      )
    const isOld = stampedAt !== null && stampedAt <= answeredAt(record.extra, guest.email)
    if (isOld || said.status === 'needs-action') return { target, outcome: 'unchanged', proposal: null }
    const attendees = fields.attendees.map((one) => (one === guest ? { ...one, status: said.status } : one))
    await targets.change(tx, target, { attendees }, withAnsweredAt(record.extra, guest.email, stampedAt))
    return { target, outcome: 'answered', proposal: null }
  }

  const propose = (target: Target, component: FoundEvent, { guest }: ReplyingAttendee): ReplyResult => {
    if (component.kind === 'undated')
      throw invalid('The email proposes another time but contains none (DTSTART is missing).')
    const { start, end, allDay, extra } = component.entry
    const from = { name: guest.name, email: guest.email }
    return {
      target,
      outcome: 'proposed',
      proposal: { start, end, allDay, from, comment: commentIn(extra) },
    }
  }

  return async (
    tx: Db,
    component: FoundEvent,
    rows: readonly EventRecord[],
    { sender, accounts }: { sender: string; accounts: readonly OwnAccount[] },
  ): Promise<ReplyResult> => {
    const { uid, recurrenceId } = component.entry
    const target = await targets.find(
      tx,
      rows.filter((row) => row.uid === uid),
      recurrenceId,
    )
    if (!target) throw refusal('The reply is for an event that is not in the calendar.')
    switch (component.method) {
      case 'REPLY':
        return answer(tx, target, component, requireGuest(target, component, sender, accounts))
      case 'COUNTER':
        return propose(target, component, requireGuest(target, component, sender, accounts))
      case 'DECLINECOUNTER':
        return { target, outcome: 'proposal_declined', proposal: null }
      default:
        return { target, outcome: 'asked_again', proposal: null }
    }
  }
}
