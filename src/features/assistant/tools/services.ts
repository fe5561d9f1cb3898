import type { Caller } from '../../../platform/access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { EventType } from '../../bookings/provider.ts'
import type { BookingSync } from '../../bookings/sync.ts'
import type { Briefing } from '../../briefing/briefing.ts'
import type { Calendar } from '../../calendar/calendar.ts'
import type { Calendars } from '../../calendar/calendars/calendars.ts'
import type { Events } from '../../calendar/events.ts'
import type { InvitingEvents } from '../../calendar/invitations/inviting-events.ts'
import type { Guests } from '../../calendar/people.ts'
import type { Commitments } from '../../commitments/commitments.ts'
import type { Contacts } from '../../contacts/contacts.ts'
import type { Dashboard } from '../../dashboard/dashboard.ts'
import type { Folders } from '../../mail/folders/folders.ts'
import type { MailingListList } from '../../mail/mailing-lists/schema.ts'
import type { Unsubscriber } from '../../mail/mailing-lists/unsubscribe.ts'
import type { Finding } from '../../mail/messages/email-queries.ts'
import type { Emails } from '../../mail/messages/emails.ts'
import type { Outbox } from '../../mail/outbox/outbox.ts'
import type { MailRules } from '../../mail/rules/rules.ts'
import type { AnalyzeMail } from '../../mail-analysis/engine-analysis.ts'
import type { ReservationStore } from '../../mail-analysis/reservation-store.ts'
import type { ReservationFiling } from '../../mail-analysis/reservations.ts'
import type { StreamState, Streams } from '../../stream/streams.ts'
import type { Comments } from '../../tasks/comments.ts'
import type { TaskLists } from '../../tasks/lists.ts'
import type { Planning } from '../../tasks/planner.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { TimeEntries } from '../../tasks/time-entries.ts'
import type { Actions } from '../../undo/journal.ts'
import type { Audits } from '../../workflow/audits.ts'
import type { ToolSchemas } from './contracts/contract.ts'
import type { ToolContracts } from './contracts.ts'
import type { Journal } from './journal.ts'
import type { Privacy, PrivacyDeps } from './privacy.ts'

/** Services of the other features. The assistant uses the same services as the HTTP routes. */
export interface AssistantServices {
  tasks: Tasks
  events: Events
  calendar: Calendar
  guests: Guests
  /** The email addresses of the person that a caller acts for, in lower case. */
  ownAddresses: (caller: Caller) => Promise<ReadonlySet<string>>
  emails: Emails
  finding: Finding
  outbox: Outbox
  dashboard: Dashboard
  briefing: Briefing
  actions: Actions
  traces: PrivacyDeps
  analyzeMail: AnalyzeMail
  reservations: Pick<ReservationFiling, 'list'>
  listKnownReservations: ReservationStore['list']
  contacts: Contacts
  commitments: Commitments
  mailRules: MailRules
  folders: Pick<Folders, 'list' | 'get'>
  mailingLists: {
    list: (userId: number, page: PageRequest) => Promise<MailingListList>
    unsubscriber: Pick<Unsubscriber, 'methods' | 'leave'>
  }
  planning: Pick<Planning, 'plan'>
  calendars: Pick<Calendars, 'list'>
  inviting: Pick<InvitingEvents, 'change'>
  taskLists: Pick<TaskLists, 'list'>
  comments: Comments
  timeEntries: TimeEntries
  bookings: {
    sync: Pick<BookingSync, 'sync'>
    eventTypes: (userId: number, signal: AbortSignal) => Promise<EventType[]>
  }
  stream: { state: StreamState; streams: Streams }
  audits: Audits
  schemas: Omit<ToolSchemas, 'taskFields' | 'emailFlags' | 'searchSyntax'>
  clock: Clock
  zoneOf: (userId: number) => Promise<string>
}

/** The services with what all tools share. */
export type ToolDeps = AssistantServices & {
  contracts: ToolContracts
  journal: Journal
  privacy: Privacy
}
