import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { ChangeData } from '../../../platform/changes.ts'
import { AppError } from '../../../platform/errors.ts'
import { decodeCalendar, unescapeText } from '../../../platform/icalendar/text.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type EventField, type EventFields, type EventRecord, fieldsOf, toDetailField } from '../event.ts'
import { findEvent, listByUid, lockByUid } from '../event-repository.ts'
import { changedFields } from '../event-writer.ts'
import { type FoundEvent, nameOf } from '../ical/entry.ts'
import type { CalendarReader } from '../ical/reader.ts'
import { writeWithOthers } from '../imports/import.ts'
import { isSameAddress } from '../people.ts'
import type { MailedEvents } from './from-email.ts'
import type { RecordedReply, UpdateJournal } from './journal.ts'
import {
  type InvitationMail,
  isOwnAddress,
  type MeetingMail,
  readMail,
  type SchedulingMailer,
} from './mail.ts'
import { checkTrust, type createUpdateDecision, type UpdateContext } from './update-decision.ts'

const UPDATE_BY_MAIL = 'calendar.update-by-mail'

type Rows = ReadonlyMap<string, EventRecord>

/** The effect of an email on one event, for a notification and the journal. */
type UpdateDescription = Omit<ChangeData<'invitation.applied'>, 'actionId' | 'emailId'> & { eventId: number }

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

const detailsOf = (before: EventFields, after: EventFields): UpdateDescription['details'] => {
  const changed = changedFields(before, after)
  const named = (['title', 'location'] as const)
    .filter((field) => changed.includes(field))
    .map((field) => ({ field, after: after[field].slice(0, MAX_DETAIL_LENGTH) }))
  const listed = changed.filter((field) => !UNLISTED.includes(field)).map(toDetailField)
  return [...named, ...[...new Set(listed)].map((field) => ({ field }))]
}

/** Returns undefined if the event did not change. */
const describeUpdate = (
  component: FoundEvent,
  sender: string,
  { before, after }: { before: Rows; after: Rows },
): { update: UpdateDescription; reply: RecordedReply | null } | undefined => {
  const { uid, recurrenceId } = component.entry
  const [own, whole] = [nameOf(component.entry), nameOf({ uid, recurrenceId: null })]
  const is = after.get(own) ?? after.get(whole) ?? before.get(whole)
  const stored = before.get(own) ?? before.get(whole)
  if (!is) return undefined
  const was = stored ?? is
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
  if (!stored) return { update: { ...common, what: 'invited' }, reply: null }
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
  if (what === 'invited') return `${by} invited you to “${title.slice(0, 200)}”`
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

export interface AutomaticUpdateDeps extends Pick<Platform, 'db' | 'clock' | 'changes' | 'jobs'> {
  invitationMail: InvitationMail
  mailer: Pick<SchedulingMailer, 'accounts'>
  mailedEvents: Pick<MailedEvents, 'take'>
  decide: ReturnType<typeof createUpdateDecision>
  journal: UpdateJournal
  reader: Pick<CalendarReader, 'readFile'>
  zoneOf: (userId: number) => Promise<string>
  /** Withholds a change from servers that would email the guests because of it. */
  holdPushes: (tx: Db, userId: number, uids: readonly string[]) => Promise<void>
  isKnownContact: (view: Db, userId: number, address: string) => Promise<boolean>
}

/** Collects the input for a decision. */
export const contextOf = async (
  view: Db,
  userId: number,
  { invitationMail, mailer }: Pick<AutomaticUpdateDeps, 'invitationMail' | 'mailer'>,
  mail: MeetingMail,
  rows: readonly EventRecord[],
): Promise<UpdateContext> => ({
  rows,
  accounts: await mailer.accounts(view, userId),
  sender: mail.from,
  folder: mail.folder,
  trust: await mail.readTrust(),
  async firstSenderOf({ emailId }) {
    return emailId === null ? '' : ((await invitationMail.find(view, userId, emailId))?.from ?? '')
  },
})

/**
 * Returns the first invitation of a known contact as tentative events. Returns none if the user is not invited,
 * the meeting is over, or the mail server does not trust the email.
 */
const toTentative = (components: readonly FoundEvent[], context: UpdateContext, now: Date): FoundEvent[] => {
  const { accounts, folder } = context
  const isOwn = (email: string): boolean => isOwnAddress(email, accounts)
  const isInvitation = (each: FoundEvent): boolean =>
    each.kind === 'entry' &&
    each.method === 'REQUEST' &&
    each.entry.status !== 'cancelled' &&
    (each.entry.end > now.toISOString() || each.entry.recurrence !== null) &&
    each.entry.organizer !== null &&
    !isOwn(each.entry.organizer.email) &&
    each.entry.attendees.some(({ email, status }) => isOwn(email) && status === 'needs-action')
  if (folder === 'sent' || folder === 'drafts' || checkTrust(context)) return []
  if (!components.every(isInvitation)) return []
  return components.map((each): FoundEvent => {
    if (each.kind !== 'entry') return each
    return { ...each, entry: { ...each.entry, status: 'tentative' } }
  })
}

/**
 * Applies meeting email as it arrives: an organizer's revision or cancellation of a stored event, and an
 * attendee's reply. The job is enqueued in the transaction that stores the email, so it runs exactly once.
 */
export const followMeetingMail = (deps: AutomaticUpdateDeps): void => {
  const { db, clock, changes, jobs, invitationMail, journal } = deps

  changes.accompany(async (tx, recorded) => {
    const received = recorded.filter(({ type }) => type === 'email.received')
    if (received.length === 0) return
    for (const [userId, mails] of Map.groupBy(received, (change) => change.userId)) {
      const emailIds = mails.map(({ subject }) => Number(subject))
      for (const emailId of await invitationMail.listWithCalendar(tx, userId, emailIds))
        await jobs.enqueue(tx, UPDATE_BY_MAIL, { userId, emailId }, { key: String(emailId) })
    }
  })

  const announce = async (
    tx: Db,
    userId: number,
    update: UpdateDescription,
    cause: { actionId: number; emailId: number },
  ) => {
    // Do not notify about past events, for example after an old mailbox is connected.
    if (update.lastEnd <= clock.now().toISOString()) return
    const { eventId, ...data } = update
    const calendarId = (await findEvent(tx, userId, eventId))?.calendarId
    await changes.record(tx, {
      userId,
      type: 'invitation.applied',
      subject: String(eventId),
      data: { ...data, ...cause, ...(calendarId !== undefined && { calendarId }) },
    })
  }

  const apply = async (
    tx: Db,
    userId: number,
    mail: MeetingMail,
    components: readonly FoundEvent[],
  ): Promise<void> => {
    const updates: UpdateDescription[] = []
    let reply: RecordedReply | null = null
    const actionId = await journal.record(
      tx,
      userId,
      { emailId: mail.id, components },
      () => deps.mailedEvents.take(tx, userId, components, mail),
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
    await deps.holdPushes(tx, userId, [...new Set(components.map(({ entry }) => entry.uid))])
    if (actionId === undefined) return
    for (const update of updates) await announce(tx, userId, update, { actionId, emailId: mail.id })
  }

  /**
   * Parses the components about stored events, if the sender participates in one of them. Also parses the first
   * invitation of a known contact.
   */
  const readRelevant = async (userId: number, mail: MeetingMail): Promise<FoundEvent[]> => {
    if (mail.parts.length === 0 || mail.from === '') return []
    if (mail.parts.reduce((sum, { size }) => sum + size, 0) > MAX_SIZE) return []
    const uids = await readUids(mail)
    const rows = uids.length === 0 ? [] : await listByUid(db, userId, uids)
    const isFirst = uids.length > 0 && rows.length === 0
    if (isFirst ? !(await deps.isKnownContact(db, userId, mail.from)) : !rows.some(isConcerned(mail.from)))
      return []
    try {
      return (await readMail(mail, { timezone: await deps.zoneOf(userId), reader: deps.reader })) ?? []
    } catch (error) {
      // The email stays a card, which shows the error.
      if (isInvalid(error)) return []
      throw error
    }
  }

  jobs.define({
    name: UPDATE_BY_MAIL,
    payload: Type.Object({ userId: Type.Integer(), emailId: Type.Integer() }),
    async run({ userId, emailId }, { complete }) {
      const mail = await invitationMail.find(db, userId, emailId)
      const components = mail ? await readRelevant(userId, mail) : []
      if (!mail || components.length === 0) return
      await writeWithOthers(db, async (tx) => {
        // The email may have been moved or deleted since.
        const present = await invitationMail.find(tx, userId, emailId)
        const rows = await lockByUid(tx, userId, [...new Set(components.map(({ entry }) => entry.uid))])
        if (present) {
          const context = await contextOf(tx, userId, deps, present, rows)
          const decision = await deps.decide(tx, components, context)
          const isFirst = decision.state === 'new' && decision.reason === null && rows.length === 0
          const applied = isFirst ? toTentative(components, context, clock.now()) : decision.ready
          if (applied.length > 0 && !(await journal.wasUndone(tx, userId, applied)))
            await apply(tx, userId, present, applied)
        }
        await complete(tx)
      })
    },
  })
}
