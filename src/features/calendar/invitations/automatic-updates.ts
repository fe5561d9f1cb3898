import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type EventField, type EventFields, type EventRecord, fieldsOf, LABELS } from '../event.ts'
import { listByUid, lockByUid } from '../event-repository.ts'
import { changedFields } from '../event-writer.ts'
import type { FoundEvent } from '../ical/entry.ts'
import type { CalendarReader } from '../ical/reader.ts'
import { decodeCalendar, unescapeText } from '../ical/text.ts'
import { writeWithOthers } from '../imports/import.ts'
import { UPDATE_BY_MAIL } from '../jobs.ts'
import type { MailedEvents } from './from-email.ts'
import type { RecordedReply, UpdateJournal } from './journal.ts'
import { type AnswerPost, type InvitationMail, isSameAddress, type MeetingMail, readMail } from './mail.ts'
import type { createUpdateDecision, UpdateContext } from './update-decision.ts'

type Rows = ReadonlyMap<string, EventRecord>

/** Describes the effect of an email on one event, for a notification and the journal. */
interface UpdateDescription {
  what: 'moved' | 'changed' | 'cancelled' | 'answered'
  /** The sender. */
  by: string
  eventId: number
  title: string
  start: string
  /** The end of the event, or of the last occurrence of a series. */
  lastEnd: string
  allDay: boolean
  timezone: string
  /** The start before the change. */
  formerStart: string
  /** Only for a reply. */
  answer: 'accepted' | 'declined' | 'tentative' | null
  /** Labels of the changed fields. */
  details: string[]
}

/** Changes of these fields are not listed, or with their value. */
const UNLISTED: readonly EventField[] = [
  'title',
  'location',
  'start',
  'end',
  'allDay',
  'timezone',
  'busy',
  'reminders',
  'tags',
  'organizer',
]
const MAX_DETAIL_LENGTH = 100

const detailsOf = (before: EventFields, after: EventFields): string[] => {
  const changed = changedFields(before, after)
  const named = (['title', 'location'] as const)
    .filter((field) => changed.includes(field))
    .map(
      (field) =>
        `${field === 'title' ? 'Title' : 'Location'}: ${after[field].slice(0, MAX_DETAIL_LENGTH) || 'none'}`,
    )
  const listed = changed.filter((field) => !UNLISTED.includes(field))
  return [...named, ...new Set(listed.flatMap((field) => LABELS[field] ?? []))]
}

const rowOf = (rows: Rows, uid: string, recurrenceId: string | null): EventRecord | undefined =>
  rows.get(`${recurrenceId ?? ''} ${uid}`)

/** Returns undefined if the event did not change. */
const describeUpdate = (
  component: FoundEvent,
  sender: string,
  { before, after }: { before: Rows; after: Rows },
): { update: UpdateDescription; reply: RecordedReply | null } | undefined => {
  const { uid, recurrenceId } = component.entry
  const series = rowOf(after, uid, null) ?? rowOf(before, uid, null)
  const is = rowOf(after, uid, recurrenceId) ?? series
  const was = rowOf(before, uid, recurrenceId) ?? rowOf(before, uid, null)
  if (!is || !was) return undefined
  const [former, present] = [fieldsOf(was), fieldsOf(is)]
  const isNewOccurrence = recurrenceId !== null && was.recurrenceId !== recurrenceId
  const formerStart = isNewOccurrence ? recurrenceId : former.start
  const person = (list: EventFields['attendees']) => list.find(({ email }) => isSameAddress(email, sender))
  const organizer = isSameAddress(present.organizer?.email ?? '', sender) ? present.organizer : null
  const by = (person(present.attendees)?.name || organizer?.name || sender).slice(0, MAX_DETAIL_LENGTH)
  const common = {
    by,
    eventId: is.seriesId ?? is.id,
    title: present.title,
    start: present.start,
    lastEnd: is.lastEnd,
    allDay: present.allDay,
    timezone: present.timezone,
    formerStart,
    answer: null,
    details: [],
  }
  if (component.method === 'REPLY') {
    const [before, after] = [person(former.attendees)?.status, person(present.attendees)?.status]
    if (!before || !after || before === after || after === 'needs-action') return undefined
    const reply = { uid, recurrenceId, email: sender, before, after }
    return { update: { ...common, what: 'answered', answer: after }, reply }
  }
  if (component.method === 'CANCEL') return { update: { ...common, what: 'cancelled' }, reply: null }
  const length = ({ start, end }: EventFields): number => Date.parse(end) - Date.parse(start)
  const isMoved =
    present.start !== formerStart || present.allDay !== former.allDay || length(present) !== length(former)
  const details = detailsOf(
    former,
    isNewOccurrence
      ? { ...present, recurrence: former.recurrence, exdates: former.exdates, rdates: former.rdates }
      : present,
  )
  return { update: { ...common, what: isMoved ? 'moved' : 'changed', details }, reply: null }
}

const ANSWERED = { accepted: 'accepted', declined: 'declined', tentative: 'tentatively accepted' } as const

const summarizeUpdate = ({ what, answer, by, title }: UpdateDescription): string => {
  const did = what === 'answered' && answer ? ANSWERED[answer] : what
  return `${by} ${did} “${title.slice(0, 200)}”`
}

/** A meeting update is a few kilobytes. The user applies larger ones. */
const MAX_SIZE = 512 * 1024
const MAX_PARTS = 5
const MAX_UIDS = 100

/**
 * Extracts the UIDs of a calendar without parsing it: most email is about events that are not in the
 * calendar.
 */
const uidsIn = (text: string): string[] => {
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  const uids = new Set<string>()
  for (const [, value = ''] of unfolded.matchAll(/^UID(?:;[^:\r\n]{0,200})?:(.{1,1000})$/gim)) {
    uids.add(unescapeText(value.trim()))
    if (uids.size >= MAX_UIDS) break
  }
  return [...uids]
}

const readUids = async (mail: MeetingMail): Promise<string[]> => {
  const uids: string[] = []
  for (const part of mail.parts.slice(0, MAX_PARTS)) uids.push(...uidsIn(decodeCalendar(await part.read())))
  return [...new Set(uids)].slice(0, MAX_UIDS)
}

const isConcerned =
  (sender: string) =>
  ({ organizer, attendees }: EventRecord): boolean => {
    const people = [organizer === null ? [] : JSON.parse(organizer), JSON.parse(attendees)].flat()
    return people.some(({ email }: { email: string }) => isSameAddress(email, sender))
  }

const isInvalid = (error: unknown): boolean => error instanceof AppError && error.kind === 'invalid'

export interface AutomaticUpdateDeps {
  platform: Pick<Platform, 'db' | 'clock' | 'changes' | 'jobs'>
  invitationMail: InvitationMail
  post: Pick<AnswerPost, 'accounts'>
  taking: Pick<MailedEvents, 'take'>
  decide: ReturnType<typeof createUpdateDecision>
  journal: UpdateJournal
  reader: Pick<CalendarReader, 'readFile'>
  timezone: () => Promise<string>
  /** Withholds a change from servers that would email the guests because of it. */
  holdPushes: (tx: Db, uids: readonly string[]) => Promise<void>
}

/** Collects the input for a decision. */
export const contextOf = async (
  view: Db,
  { invitationMail, post }: Pick<AutomaticUpdateDeps, 'invitationMail' | 'post'>,
  mail: MeetingMail,
  rows: readonly EventRecord[],
): Promise<UpdateContext> => ({
  rows,
  accounts: await post.accounts(view),
  sender: mail.from,
  folder: mail.folder,
  trust: await mail.readTrust(),
  async firstSenderOf({ emailId }) {
    return emailId === null ? '' : ((await invitationMail.find(view, emailId))?.from ?? '')
  },
})

/**
 * Applies meeting email as it arrives: an organizer's revision or cancellation of a stored event, and an
 * attendee's reply. The job is enqueued in the transaction that stores the email, so it runs exactly once.
 */
export const followMeetingMail = (deps: AutomaticUpdateDeps): void => {
  const { db, clock, changes, jobs } = deps.platform
  const { invitationMail, journal } = deps

  changes.accompany(async (tx, recorded) => {
    const emailIds = recorded.flatMap(({ type, subject }) =>
      type === 'email.received' ? [Number(subject)] : [],
    )
    if (emailIds.length === 0) return
    for (const emailId of await invitationMail.listWithCalendar(tx, emailIds))
      await jobs.enqueue(tx, UPDATE_BY_MAIL, { emailId }, { key: String(emailId) })
  })

  const announce = async (tx: Db, update: UpdateDescription, actionId: number, emailId: number) => {
    // Do not notify about past events, for example after an old mailbox is connected.
    if (update.lastEnd <= clock.now().toISOString()) return
    const { eventId, ...data } = update
    await changes.record(tx, {
      type: 'invitation.applied',
      subject: String(eventId),
      data: { ...data, actionId, emailId },
    })
  }

  const apply = async (tx: Db, mail: MeetingMail, components: readonly FoundEvent[]): Promise<void> => {
    const updates: UpdateDescription[] = []
    let reply: RecordedReply | null = null
    const actionId = await journal.record(
      tx,
      { emailId: mail.id, components },
      () => deps.taking.take(tx, components, mail),
      (rows) => {
        const named = new Map(components.toReversed().map((each) => [each.entry.uid, each]))
        for (const each of named.values()) {
          const described = describeUpdate(each, mail.from, rows)
          if (described) updates.push(described.update)
          reply ??= described?.reply ?? null
        }
        const [first] = updates
        return first && { summary: summarizeUpdate(first), reply }
      },
    )
    await deps.holdPushes(tx, [...new Set(components.map(({ entry }) => entry.uid))])
    if (actionId === undefined) return
    for (const update of updates) await announce(tx, update, actionId, mail.id)
  }

  /** Parses the components about stored events, if the sender participates in one of them. */
  const readRelevant = async (mail: MeetingMail): Promise<FoundEvent[]> => {
    if (mail.parts.length === 0 || mail.from === '') return []
    if (mail.parts.reduce((sum, { size }) => sum + size, 0) > MAX_SIZE) return []
    const uids = await readUids(mail)
    const rows = uids.length === 0 ? [] : await listByUid(db, uids)
    if (!rows.some(isConcerned(mail.from))) return []
    try {
      return (await readMail(mail, { timezone: await deps.timezone(), reader: deps.reader })) ?? []
    } catch (error) {
      // The email stays a card, which shows the error.
      if (isInvalid(error)) return []
      throw error
    }
  }

  jobs.define({
    name: UPDATE_BY_MAIL,
    payload: Type.Object({ emailId: Type.Integer() }),
    async run({ emailId }, { complete }) {
      const mail = await invitationMail.find(db, emailId)
      const components = mail ? await readRelevant(mail) : []
      if (!mail || components.length === 0) return
      await writeWithOthers(db, async (tx) => {
        // The email may have been moved or deleted since.
        const present = await invitationMail.find(tx, emailId)
        const rows = await lockByUid(tx, [...new Set(components.map(({ entry }) => entry.uid))])
        if (present) {
          const decision = await deps.decide(tx, components, await contextOf(tx, deps, present, rows))
          if (decision.state === 'ready' && !(await journal.wasUndone(tx, decision.ready)))
            await apply(tx, present, decision.ready)
        }
        await complete(tx)
      })
    },
  })
}
