import type { Db } from '../../../database/db.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Attendee, EventRecord, Person } from '../event.ts'
import type { Told } from '../icalendar/entry.ts'
import { readExtra, writeExtra } from '../icalendar/extra.ts'
import { unescapeText } from '../icalendar/text.ts'
import { isSameAddress } from './addresses.ts'
import { isOrganizedHere, nameIn, refusal } from './authority.ts'
import type { OwnAccount } from './mail.ts'
import type { Target, Targets } from './targets.ts'

/** Other times that someone invited asks for. */
export interface Proposal {
  start: string
  end: string
  allDay: boolean
  from: Person
  comment: string
}

export interface Heard {
  target: Target
  outcome: 'answered' | 'unchanged' | 'proposed' | 'proposal_declined' | 'asked_again'
  proposal: Proposal | null
}

const commentIn = (extra: string | null): string => {
  const line = readExtra(extra).lines?.find((each) => /^COMMENT[;:]/.test(each))
  return line === undefined ? '' : unescapeText(line.slice(line.indexOf(':') + 1)).trim()
}

/** When someone last answered: mails may be read in another order than they were written in. */
export const answeredAt = (extra: string | null, email: string): string =>
  readExtra(extra).people?.find((person) => isSameAddress(person.email, email))?.answeredAt ?? ''

/** Programs copy LAST-MODIFIED from the event, so it does not tell when the reply was written. */
export const replyStamp = ({ stampedAt, entry }: Told): string | null => stampedAt ?? entry.revisedAt

const withAnsweredAt = (extra: string | null, email: string, at: string | null): string | null => {
  const read = readExtra(extra)
  if (at === null) return extra
  const others = read.people?.filter((person) => !isSameAddress(person.email, email)) ?? []
  const before = read.people?.find((person) => isSameAddress(person.email, email))
  const person = { ...(before ?? { email, parameters: '' }), answeredAt: at }
  return writeExtra({ ...read, people: [...others, person] })
}

/** What those invited say to an event of ours (RFC 5546, 3.2.3 and 3.2.7). Each speaks for themselves alone. */
export const createHearing = ({ targets }: { targets: Targets }) => {
  /** The one who speaks, as the event knows them and as the mail tells of them. */
  const requireGuest = (target: Target, told: Told, sender: string, accounts: readonly OwnAccount[]) => {
    const { fields } = target
    if (!isOrganizedHere(fields, accounts))
      throw refusal(`You did not call ${nameIn(fields)}: answers to it are for ${fields.organizer?.email}.`)
    const said = told.entry.attendees.find(({ email }) => isSameAddress(email, sender))
    if (!said)
      throw refusal(
        `This mail answers for ${told.entry.attendees[0]?.email ?? 'nobody'} and is from ${sender || 'nobody'}. Nobody answers for another.`,
      )
    const guest = fields.attendees.find(({ email }) => isSameAddress(email, sender))
    if (!guest)
      throw refusal(
        `${sender} was not invited to ${nameIn(fields)}. If they shall come, add them to its attendees.`,
      )
    return { guest, said }
  }

  const answer = async (tx: Db, target: Target, told: Told, { guest, said }: Spoken): Promise<Heard> => {
    const { fields, record } = target
    const { sequence } = told.entry
    const stampedAt = replyStamp(told)
    if (sequence < record.sequence)
      throw refusal(`${guest.email} answers an earlier revision of ${nameIn(fields)}: ask them again.`)
    const isOld = stampedAt !== null && stampedAt <= answeredAt(record.extra, guest.email)
    if (isOld || said.status === 'needs-action') return { target, outcome: 'unchanged', proposal: null }
    const attendees = fields.attendees.map((one) => (one === guest ? { ...one, status: said.status } : one))
    await targets.change(tx, target, { attendees }, withAnsweredAt(record.extra, guest.email, stampedAt))
    return { target, outcome: 'answered', proposal: null }
  }

  const propose = (target: Target, told: Told, { guest }: Spoken): Heard => {
    if (told.kind === 'undated') throw invalid('It proposes another time and does not say which.')
    const { start, end, allDay, extra } = told.entry
    const from = { name: guest.name, email: guest.email }
    return {
      target,
      outcome: 'proposed',
      proposal: { start, end, allDay, from, comment: commentIn(extra) },
    }
  }

  return async (
    tx: Db,
    told: Told,
    rows: readonly EventRecord[],
    { sender, accounts }: { sender: string; accounts: readonly OwnAccount[] },
  ): Promise<Heard> => {
    const { uid, recurrenceId } = told.entry
    const target = await targets.find(
      tx,
      rows.filter((row) => row.uid === uid),
      recurrenceId,
    )
    if (!target) throw refusal('It answers for an event that is not in the calendar.')
    switch (told.method) {
      case 'REPLY':
        return answer(tx, target, told, requireGuest(target, told, sender, accounts))
      case 'COUNTER':
        return propose(target, told, requireGuest(target, told, sender, accounts))
      case 'DECLINECOUNTER':
        return { target, outcome: 'proposal_declined', proposal: null }
      default:
        return { target, outcome: 'asked_again', proposal: null }
    }
  }
}

interface Spoken {
  guest: Attendee
  said: Attendee
}
