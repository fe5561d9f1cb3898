import type { Db } from '../../../database/db.ts'
import { transactionOr } from '../../../database/transaction.ts'
import { pick } from '../../../platform/collections.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type EventFields, type EventRecord, fieldsOf, pickPlace } from '../event.ts'
import { listByUid } from '../event-repository.ts'
import type { Entry, FoundEvent } from '../ical/entry.ts'
import type { CalendarReader } from '../ical/reader.ts'
import { cancels } from '../imports/batch.ts'
import { listWindow } from '../windows/window.ts'
import { contextOf } from './automatic-updates.ts'
import type { UpdateJournal } from './journal.ts'
import {
  type InvitationMail,
  isOwnAddress,
  type OwnAccount,
  readMail,
  type SchedulingMailer,
} from './mail.ts'
import { commentIn } from './replies.ts'
import type { InvitationCard } from './schema.ts'
import { invitationTexts } from './texts.ts'
import { type createUpdateDecision, isOlder } from './update-decision.ts'

const MAX_CONFLICTS = 5

const FORMER_FIELDS = ['title', 'start', 'end', 'allDay', 'location'] as const
type Former = NonNullable<InvitationCard['former']>

/** The former values, if one of them differs from the email. */
const toFormer = (before: Former | undefined, entry: Entry): Former | null => {
  if (!before || FORMER_FIELDS.every((name) => before[name] === entry[name])) return null
  return pick(before, FORMER_FIELDS)
}

/** Lists busy events at the time of the meeting, without the meeting itself. */
const findConflicting = async (
  view: Db,
  userId: number,
  { uid, start, end }: Entry,
): Promise<InvitationCard['conflicts']> => {
  const rows = await listWindow(view, userId, {
    expanded: true,
    from: start,
    until: end,
    among: 'busy',
    limit: MAX_CONFLICTS + 1,
  })
  return rows
    .filter((row) => row.uid !== uid)
    .slice(0, MAX_CONFLICTS)
    .map((row) => ({
      id: row.seriesId ?? row.id,
      title: row.title,
      start: row.start,
      end: row.end,
      allDay: row.allDay === 1,
    }))
}

/** The rows of an event: the one that the email is about, and the series of an occurrence. */
const selectRows = (rows: readonly EventRecord[], { uid, recurrenceId }: FoundEvent['entry']) => {
  const own = rows.filter((row) => row.uid === uid)
  const series = own.find((row) => row.recurrenceId === '')
  const same = own.find((row) => row.recurrenceId === (recurrenceId ?? ''))
  return { same, known: series ?? same ?? own[0] }
}

/** An email is outdated if the calendar has a later version with other values. */
const isOutdated = (component: FoundEvent, same: EventRecord | undefined): boolean => {
  if (!same || component.kind !== 'entry' || component.method !== 'REQUEST') return false
  return isOlder(component.entry, same) && toFormer(fieldsOf(same), component.entry) !== null
}

interface Participation {
  attendees: EventFields['attendees']
  answer: InvitationCard['answer']
  canAnswer: boolean
}

const findParticipation = (
  { entry, method }: FoundEvent,
  stored: EventFields | undefined,
  accounts: readonly OwnAccount[],
): Participation => {
  const { attendees, organizer, status } = stored ?? entry
  const own = attendees.find(({ email }) => isOwnAddress(email, accounts))
  const canAnswer =
    method === 'REQUEST' &&
    own !== undefined &&
    organizer !== null &&
    !isOwnAddress(organizer.email, accounts) &&
    status !== 'cancelled'
  return { attendees, answer: own?.status ?? null, canAnswer }
}

export type DescribeInvitation = ReturnType<typeof createInvitationCards>

/** Describes the meeting in an email, its effect on the calendar, or why it had none. Writes nothing. */
export const createInvitationCards =
  (
    deps: Pick<Platform, 'db' | 'clock'> & {
      invitationMail: InvitationMail
      mailer: Pick<SchedulingMailer, 'accounts'>
      decide: ReturnType<typeof createUpdateDecision>
      journal: UpdateJournal
      reader: Pick<CalendarReader, 'readFile'>
      habitsOf: (userId: number) => Promise<{ timezone: string; locale: string }>
    },
  ) =>
  async (userId: number, emailId: number): Promise<InvitationCard> => {
    const { timezone, locale } = await deps.habitsOf(userId)
    const view = transactionOr(deps.db)
    const mail = await deps.invitationMail.find(view, userId, emailId)
    if (!mail) throw notFound('email')
    const components = await readMail(mail, { timezone, reader: deps.reader })
    const first = components?.[0]
    if (!components || !first) throw notFound('invitation: this email has no calendar part')
    const { entry, method } = first
    const dated = first.kind === 'entry' ? first.entry : undefined
    const rows = await listByUid(view, userId, [...new Set(components.map((each) => each.entry.uid))])
    const context = await contextOf(view, userId, deps, mail, rows)
    const decision = await deps.decide(view, components, context)
    const change = await deps.journal.findOfEmail(view, userId, emailId)
    const { same, known } = selectRows(rows, entry)
    const stored = same ?? known
    const storedFields = stored && fieldsOf(stored)
    const outdated = !change && isOutdated(first, same)
    const state = change
      ? change.isUndone
        ? 'undone'
        : known
          ? 'applied'
          : 'removed'
      : outdated
        ? 'outdated'
        : decision.state
    const former = change ? change.findBefore(entry) : storedFields
    const participation = findParticipation(first, storedFields, context.accounts)
    const cancelled = cancels(first) || (stored?.status ?? entry.status) === 'cancelled'
    const isAhead = dated !== undefined && dated.end > deps.clock.now().toISOString()
    return {
      emailId,
      method: method ?? 'PUBLISH',
      title: entry.title || known?.title || '',
      start: dated?.start ?? null,
      end: dated?.end ?? null,
      allDay: dated?.allDay ?? false,
      timezone: dated?.timezone ?? null,
      ...pickPlace(entry),
      recurrence: entry.recurrence,
      occurrence: entry.recurrenceId,
      cancelled,
      ...participation,
      canAnswer: participation.canAnswer && state !== 'refused' && !cancelled,
      comment: method === 'REPLY' || method === 'COUNTER' ? commentIn(entry.extra) : '',
      former: dated && method !== 'REPLY' ? toFormer(former, dated) : null,
      conflicts: isAhead && !cancelled && dated ? await findConflicting(view, userId, dated) : [],
      sender: mail.from,
      organizer: entry.organizer,
      eventId: known ? (known.seriesId ?? known.id) : null,
      state,
      reason:
        change || outdated || !decision.reason ? null : decision.reason(invitationTexts(locale).reasons),
      actionId: change && !change.isUndone && known ? change.actionId : null,
    }
  }
