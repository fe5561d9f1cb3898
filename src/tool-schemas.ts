import { EventTypes, SyncReport } from './features/bookings/schema.ts'
import { DailyBriefing } from './features/briefing/schema.ts'
import { Event } from './features/calendar/event.ts'
import { FreeSlots, SavedEvent } from './features/calendar/schema.ts'
import { Commitment } from './features/commitments/commitment.ts'
import { Contact } from './features/contacts/contact.ts'
import { Stats } from './features/dashboard/schema.ts'
import { MailingList, UnsubscribeResponse } from './features/mail/mailing-lists/schema.ts'
import { Email } from './features/mail/messages/email.ts'
import { MailRule, NewMailRule } from './features/mail/rules/schema.ts'
import { KnownReservation, StoredReservation } from './features/mail-analysis/reservation-schema.ts'
import { answerMetaFields } from './features/models/schema.ts'
import { Stream, StreamState } from './features/stream/schema.ts'
import { TaskComment } from './features/tasks/comment-schema.ts'
import { Task, TaskPlan } from './features/tasks/schema.ts'
import { StartedTimer, TimeEntry } from './features/tasks/time-entry-schema.ts'
import { auditReport } from './features/workflow/schema.ts'

/** The schemas of other features in which the tools of the assistant answer. */
export const TOOL_SCHEMAS = {
  task: Task,
  event: Event,
  savedEvent: SavedEvent,
  freeSlots: FreeSlots,
  email: Email,
  statistics: Stats,
  briefing: DailyBriefing,
  contact: Contact,
  commitment: Commitment,
  mailRule: MailRule,
  newMailRule: NewMailRule,
  eventTypes: EventTypes,
  syncReport: SyncReport,
  streamState: StreamState,
  stream: Stream,
  auditReport: auditReport(answerMetaFields),
  taskPlan: TaskPlan,
  taskComment: TaskComment,
  timeEntry: TimeEntry,
  startedTimer: StartedTimer,
  mailingList: MailingList,
  reservation: StoredReservation,
  knownReservation: KnownReservation,
  unsubscribed: UnsubscribeResponse,
}
