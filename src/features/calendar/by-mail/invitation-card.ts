import type { Db } from '../../../database/db.ts'
import { readingIn } from '../../../database/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import { listByUid } from '../event-store.ts'
import type { CalendarReader } from '../icalendar/reader.ts'
import { contextOf } from './automatic-updates.ts'
import type { AnswerPost, MailDesk } from './mail.ts'
import type { InvitationCard } from './schema.ts'
import { readMail } from './telling.ts'
import type { createUpdateDecision } from './update-decision.ts'
import type { UpdateJournal } from './update-journal.ts'

export type DescribeInvitation = ReturnType<typeof createInvitationCards>

/** What a mail says about a meeting, and what became of it or why nothing did. Nothing is written. */
export const createInvitationCards =
  (deps: {
    db: Db
    desk: MailDesk
    post: Pick<AnswerPost, 'accounts'>
    decide: ReturnType<typeof createUpdateDecision>
    journal: UpdateJournal
    reader: Pick<CalendarReader, 'readFile'>
    timezone: () => Promise<string>
  }) =>
  async (emailId: number): Promise<InvitationCard> => {
    const view = readingIn(deps.db)
    const mail = await deps.desk.find(view, emailId)
    if (!mail) throw notFound('e-mail')
    const told = await readMail(mail, { timezone: await deps.timezone(), reader: deps.reader })
    const first = told?.[0]
    if (!told || !first) throw notFound('invitation: this e-mail has no calendar part')
    const { entry, method } = first
    const rows = await listByUid(view, [...new Set(told.map((each) => each.entry.uid))])
    const decision = await deps.decide(view, told, await contextOf(view, deps, mail, rows))
    const change = await deps.journal.findOfEmail(view, emailId)
    const known = rows.find(({ uid, recurrenceId }) => uid === entry.uid && recurrenceId === '') ?? rows[0]
    const state = change ? (change.isUndone ? 'undone' : 'applied') : decision.state
    return {
      emailId,
      method: method ?? 'PUBLISH',
      title: entry.title || known?.title || '',
      start: first.kind === 'entry' ? first.entry.start : null,
      end: first.kind === 'entry' ? first.entry.end : null,
      allDay: first.kind === 'entry' && first.entry.allDay,
      timezone: first.kind === 'entry' ? first.entry.timezone : null,
      location: entry.location,
      sender: mail.from,
      organizer: entry.organizer,
      eventId: known ? (known.seriesId ?? known.id) : null,
      state,
      reason: change ? null : decision.reason,
      actionId: change && !change.isUndone ? change.actionId : null,
    }
  }
