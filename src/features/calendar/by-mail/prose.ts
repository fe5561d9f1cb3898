import type { DetectOptions } from '../../../engine/meetings/detect.ts'
import { invalidField } from '../../../platform/errors.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { reaches } from './addresses.ts'
import type { FoundMeeting } from './detect-schema.ts'
import { findMeetings } from './detecting.ts'
import type { MailProse, OwnAccount } from './mail.ts'
import type { Meeting } from './schema.ts'

export interface ProseMeeting {
  meeting: Meeting
  /** What else was proposed, the surest first. */
  alternatives: FoundMeeting[]
}

/** The surest one, and of those that are as sure the one that was named first. */
const choose = (path: string, meetings: readonly FoundMeeting[]): ProseMeeting => {
  const [meeting, ...alternatives] = meetings.toSorted((a, b) => b.confidence - a.confidence)
  if (!meeting) throw invalidField(path, 'proposes no meeting: there is nothing to make an event of')
  return { meeting, alternatives }
}

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/

/** "Ana" is who wrote the mail, if her name is in its header; the person's own addresses invite nobody. */
const addressed = (
  names: readonly string[],
  { sender, people }: MailProse,
  accounts: readonly OwnAccount[],
): NonNullable<Meeting['attendees']> => {
  const reachable = people.filter(({ address }) => ADDRESS.test(address))
  const named = (name: string) =>
    reachable.find((person) =>
      person.name
        .toLowerCase()
        .split(/[\s,]+/)
        .includes(name.toLowerCase()),
    )
  const guests = new Map<string, { name: string; email: string }>()
  const unknown: string[] = []
  const invite = ({ name, address }: MailProse['sender']): void => {
    const email = address.toLowerCase()
    const isOwn = accounts.some((own) => reaches(email, own.address))
    if (!isOwn && !guests.has(email)) guests.set(email, { name: name.slice(0, 200), email: address })
  }
  if (ADDRESS.test(sender.address)) invite(sender)
  for (const name of names) {
    const person = named(name)
    if (person) invite(person)
    else unknown.push(name)
  }
  return [...guests.values(), ...new Set(unknown)]
}

/** The meeting that a text proposes. */
export const readProse = async (
  workers: WorkerPool,
  text: string,
  options: DetectOptions,
): Promise<ProseMeeting> => choose('text', (await findMeetings(workers, text, options)).meetings)

/** The meeting that a mail proposes, with its sender among those who come. */
export const readMailProse = async (
  workers: WorkerPool,
  prose: MailProse,
  timezone: string,
  accounts: readonly OwnAccount[],
): Promise<ProseMeeting> => {
  const { text, subject, date } = prose
  const { meetings } = await findMeetings(workers, text, {
    now: Date.parse(date),
    timezone,
    ...(subject && { subject }),
  })
  const { meeting, alternatives } = choose('emailId', meetings)
  return {
    meeting: { ...meeting, attendees: addressed(meeting.attendees as string[], prose, accounts) },
    alternatives,
  }
}
