import type { Db } from '../../../database/db.ts'
import { type AppError, conflict } from '../../../platform/errors.ts'
import {
  type Bookkeeping,
  type EventFields,
  type EventRecord,
  type EventSource,
  fieldsOf,
  type VersionedEvent,
} from '../event.ts'
import { lockEvent } from '../event-repository.ts'
import type { Saving } from '../event-writer.ts'
import { type FoundEvent, nameOf, readExtra } from '../ical/entry.ts'
import { cancels, isNews } from '../imports/batch.ts'
import type { Occurrences, OneOccurrence } from '../occurrences.ts'
import { isSameAddress } from '../people.ts'
import { isSeries } from '../series.ts'
import type { InvitationTexts } from './locales/en.ts'
import { isOwnAddress, type MailTrust, type OwnAccount } from './mail.ts'

/** The time of an attendee's last reply. Emails may be processed in another order than they were written. */
export const answeredAt = (extra: string | null, email: string): string =>
  readExtra(extra).people?.find((person) => isSameAddress(person.email, email))?.answeredAt ?? ''

/** Programs copy LAST-MODIFIED from the event, so DTSTAMP is the time of the reply. */
export const replyStamp = ({ stampedAt, entry }: FoundEvent): string | null => stampedAt ?? entry.revisedAt

// Anybody can send an email with the UID of any event. The From address is only as reliable as the checks of
// the mail server. An email may only do what its sender may do: organizers revise or cancel their events,
// attendees reply for themselves.

/** Created in this calendar, with or without other attendees. */
const LOCAL_SOURCES: readonly EventSource[] = ['manual', 'chat', 'bookingsvc']

const isCreatedLocally = ({ source }: Pick<EventFields, 'source'>): boolean => LOCAL_SOURCES.includes(source)

export const refusal = (message: string): AppError => conflict(message, 'meeting_refused')

export const nameIn = ({ title }: Pick<EventFields, 'title'>): string =>
  title === '' ? 'this event' : `“${title}”`

interface EmailSender {
  /** The sender of the email; empty if unknown. */
  sender: string
  /** The sender of the email that created the event. */
  firstSender: string
}

/** Rejects a revision or cancellation from anybody but the organizer. */
const requireAuthor = (
  event: EventFields,
  { entry }: FoundEvent,
  { sender, firstSender }: EmailSender,
): void => {
  const { organizer } = event
  if (isCreatedLocally(event))
    throw refusal(
      `${nameIn(event)} was created in this calendar, so email cannot change it. Edit the event instead.`,
    )
  if (organizer && entry.organizer && !isSameAddress(organizer.email, entry.organizer.email))
    throw refusal(
      `${nameIn(event)} is organized by ${organizer.email}, but this email names ${entry.organizer.email} as the organizer. Nothing was changed.`,
    )
  if (isSameAddress(sender, organizer?.email ?? '') || isSameAddress(sender, firstSender)) return
  const author = organizer?.email ?? (firstSender || 'someone else')
  throw refusal(
    `${nameIn(event)} is from ${author}, but this email is ${sender === '' ? 'from an unknown sender' : `from ${sender}`}. Nothing was changed. If you trust the email, delete the event and add it from the email again.`,
  )
}

/** Rejects changes from anybody but the author of the event. An email without news needs no authority. */
export const requireAuthority = (
  component: FoundEvent,
  rows: readonly EventRecord[],
  emailSender: EmailSender,
): void => {
  const same = rows.find((row) => nameOf(row) === nameOf(component.entry))
  const known = rows.find(({ recurrenceId }) => recurrenceId === '') ?? same ?? rows[0]
  if (!known) return
  const isOld = same && component.kind === 'entry' && !cancels(component) && !isNews(component.entry, same)
  const event = fieldsOf(known)
  if (!isOld || isCreatedLocally(event)) requireAuthor(event, component, emailSender)
}

/** Replies go to the organizer. */
export const isOrganizedHere = (
  { source, organizer }: EventFields,
  accounts: readonly OwnAccount[],
): boolean =>
  isCreatedLocally({ source }) ||
  (organizer === null ? source !== 'email' : isOwnAddress(organizer.email, accounts))

/** The subject of an email: an event, a whole series, or one occurrence. */
export interface Target {
  /** The event or series. */
  row: EventRecord
  one: OneOccurrence | undefined
  /** The current values. */
  fields: EventFields
  /** The row with the current values. */
  record: EventRecord
}

export type Targets = ReturnType<typeof createTargets>

export const createTargets = ({ saving, occurrences }: { saving: Saving; occurrences: Occurrences }) => {
  const whole = (row: EventRecord): Target => ({ row, one: undefined, fields: fieldsOf(row), record: row })
  const part = (row: EventRecord, one: OneOccurrence): Target => ({
    row,
    one,
    fields: one.fields,
    record: one.override ?? row,
  })

  return {
    /** Finds the target among the rows of its UID. Returns undefined if it is not in the calendar. */
    async find(
      tx: Db,
      rows: readonly EventRecord[],
      recurrenceId: string | null,
    ): Promise<Target | undefined> {
      const series = rows.find((row) => row.recurrenceId === '')
      const one = series && recurrenceId !== null && (await occurrences.locate(tx, series, recurrenceId))
      if (series && one) return part(series, one)
      const row = rows.find((each) => each.recurrenceId === (recurrenceId ?? ''))
      return row && whole(row)
    },

    /** Locks the target by id, for a change that depends on its current state. */
    async lock(tx: Db, userId: number, id: number, occurrence: string | undefined): Promise<Target> {
      const row = await lockEvent(tx, userId, id)
      return occurrence === undefined ? whole(row) : part(row, await occurrences.findOne(tx, row, occurrence))
    },

    /** Writes the changed fields and keeps the revision of the author. */
    async change(
      tx: Db,
      { row, one, fields, record }: Target,
      change: Partial<EventFields>,
      extra: string | null = record.extra,
      revisedAt: string | null = record.revisedAt,
    ): Promise<void> {
      const after = { ...fields, ...change }
      const kept: Partial<Bookkeeping> = { revisedAt, extra, sequence: record.sequence }
      if (one) await occurrences.changeOne(tx, row, one, after, kept)
      else if (isSeries(fields)) await occurrences.changeSeries(tx, row, after, {}, kept)
      else await saving.update(tx, row, after, kept)
    },

    show: (tx: Db, { row, one }: Target): Promise<VersionedEvent> =>
      occurrences.show(tx, row.userId, row.id, one?.start),
  }
}

/**
 * `new`: the meeting is not in the calendar. `ready`: the email is applied automatically. `current`: it
 * contains nothing new. `waiting`: a user may apply it. `refused`: nobody may apply it.
 */
export type UpdateState = 'new' | 'ready' | 'current' | 'waiting' | 'refused'

/** Writes the reason in the language of the reader. */
type Reason = (t: InvitationTexts['reasons']) => string

export interface Decision {
  state: UpdateState
  /** Why the email is not applied automatically; null if there is nothing to explain. */
  reason: Reason | null
}

export interface UpdateContext {
  /** Events with the UIDs in the email. */
  rows: readonly EventRecord[]
  accounts: readonly OwnAccount[]
  sender: string
  folder: string
  trust: MailTrust
  /** The sender of the email that created the event. */
  firstSenderOf: (event: EventRecord) => Promise<string>
}

const NEVER_APPLIED = ['trash', 'junk', 'spam']
const READY: Decision = { state: 'ready', reason: null }
const CURRENT: Decision = { state: 'current', reason: null }

const waiting = (reason: Reason): Decision => ({ state: 'waiting', reason })
const refused = (reason: Reason): Decision => ({ state: 'refused', reason })

/** Returns undefined if the mail server trusts the email. */
export const checkTrust = (
  context: Pick<UpdateContext, 'folder' | 'trust' | 'sender'>,
): Decision | undefined => {
  const { folder, trust, sender } = context
  if (trust.isSpam || NEVER_APPLIED.includes(folder)) return waiting((t) => t.inSpamOrTrash(sender))
  if (trust.sender === 'failed') return waiting((t) => t.senderNotVerified(sender))
  return undefined
}

/** RFC 5546, 2.1.5: compare SEQUENCE first, then the time of the revision. */
export const isOlder = ({ sequence, revisedAt }: FoundEvent['entry'], row: EventRecord): boolean =>
  sequence < row.sequence ||
  (sequence === row.sequence && (revisedAt ?? '') < (row.revisedAt ?? row.updatedAt))

/**
 * Decides whether an email may change an event automatically. Stricter than the rules for a user's request.
 */
export const createUpdateDecision = ({ targets }: { targets: Pick<Targets, 'find'> }) => {
  const decideAge = async (
    view: Db,
    component: FoundEvent,
    own: readonly EventRecord[],
    isRenewed: boolean,
  ) => {
    const { entry } = component
    const same = own.find((row) => nameOf(row) === nameOf(entry))
    const series = own.find(({ recurrenceId }) => recurrenceId === '')
    const stored = same ?? series
    if (!stored) return waiting((t) => t.seriesMissing)
    // An occurrence that comes with a later revision of its series belongs to that revision.
    if (!same && isRenewed) return READY
    if (!same && !(await targets.find(view, own, entry.recurrenceId)))
      return waiting((t) => t.occurrenceMissing(stored.title))
    if (cancels(component)) {
      if (stored.status === 'cancelled') return CURRENT
      return isOlder(entry, stored) ? waiting((t) => t.older) : READY
    }
    if (component.kind === 'undated') return waiting((t) => t.noStart)
    return (same ? isNews(entry, same) : !isOlder(entry, stored)) ? READY : CURRENT
  }

  const decideRevision = async (
    view: Db,
    each: FoundEvent,
    context: UpdateContext,
    renewed: ReadonlySet<string>,
  ): Promise<Decision> => {
    const { entry, method } = each
    const own = context.rows.filter(({ uid }) => uid === entry.uid)
    const known = own.find(({ recurrenceId }) => recurrenceId === '') ?? own[0]
    const { sender } = context
    if (!known) {
      if (cancels(each)) return refused((t) => t.cancelsUnknownEvent(sender))
      const stated = entry.organizer?.email
      if (stated === undefined || isSameAddress(sender, stated)) return { state: 'new', reason: null }
      return { state: 'new', reason: (t) => t.notOrganizer(sender, stated) }
    }
    const event = fieldsOf(known)
    const { organizer } = event
    if (isCreatedLocally(event)) return refused((t) => t.createdHere(sender, event.title))
    const stated = entry.organizer?.email
    if (organizer && stated !== undefined && !isSameAddress(organizer.email, stated))
      return refused((t) =>
        t.otherOrganizer({ sender, stated, title: event.title, organizer: organizer.email }),
      )
    if (!organizer || !isSameAddress(sender, organizer.email)) {
      const reason: Reason = (t) =>
        organizer ? t.notOrganizer(sender, organizer.email) : t.noOrganizer(sender, event.title)
      const isFirst = isSameAddress(sender, await context.firstSenderOf(known))
      return isFirst ? waiting(reason) : refused(reason)
    }
    if (method !== 'REQUEST' && method !== 'CANCEL') return waiting((t) => t.published(sender))
    return checkTrust(context) ?? decideAge(view, each, own, renewed.has(entry.uid))
  }

  const decideReply = async (view: Db, component: FoundEvent, context: UpdateContext): Promise<Decision> => {
    const { entry, method } = component
    const { rows, accounts, sender } = context
    const own = rows.filter(({ uid }) => uid === entry.uid)
    const target = await targets.find(view, own, entry.recurrenceId)
    if (!target) return refused((t) => t.replyToUnknownEvent(sender))
    const { fields, record } = target
    if (method !== 'REPLY')
      return waiting((t) => (method === 'COUNTER' ? t.proposesOtherTime(sender) : t.sentBy(sender)))
    if (!isOrganizedHere(fields, accounts)) return refused((t) => t.youAreNotOrganizer(sender, fields.title))
    const guest = fields.attendees.find(({ email }) => isSameAddress(email, sender))
    if (!guest) return refused((t) => t.notInvited(sender, fields.title))
    const said = entry.attendees.find(({ email }) => isSameAddress(email, sender))
    if (!said) return refused((t) => t.repliesForOther(sender, entry.attendees[0]?.email))
    if (entry.sequence < record.sequence)
      return refused((t) => t.repliesToEarlierVersion(sender, fields.title))
    if (said.status === 'needs-action') return CURRENT
    const [stampedAt, before] = [replyStamp(component), answeredAt(record.extra, guest.email)]
    if (before !== '' && stampedAt === null) return waiting((t) => t.noTimeStamp(sender))
    if (before !== '' && (stampedAt as string) <= before) return CURRENT
    return checkTrust(context) ?? READY
  }

  /** Decides about all components of an email; `ready` are those to apply. */
  return async (
    view: Db,
    components: readonly FoundEvent[],
    context: UpdateContext,
  ): Promise<Decision & { ready: FoundEvent[] }> => {
    const isReply = (each: FoundEvent): boolean =>
      ['REPLY', 'COUNTER', 'DECLINECOUNTER', 'REFRESH'].includes(each.method ?? '')
    const renewed = new Set(
      components.flatMap(({ entry }) => {
        const row = context.rows.find((each) => nameOf(each) === nameOf(entry))
        return entry.recurrenceId === null && row && isNews(entry, row) ? [entry.uid] : []
      }),
    )
    const decisions: Decision[] = []
    for (const each of components)
      decisions.push(
        isReply(each)
          ? await decideReply(view, each, context)
          : await decideRevision(view, each, context, renewed),
      )
    const first = (...states: UpdateState[]): Decision | undefined =>
      states.flatMap((state) => decisions.find((one) => one.state === state) ?? [])[0]
    // Apply all components of an email or none: half of a revision may contradict the other half.
    const stays = first('refused', 'waiting', 'new')
    if (stays) return { ...stays, ready: [] }
    return {
      ...(first('ready') ?? CURRENT),
      ready: components.filter((_, index) => decisions[index]?.state === 'ready'),
    }
  }
}
