import type { Db } from '../../database/db.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Sharing } from '../sharing/shares.ts'
import type { Actions } from '../undo/journal.ts'
import { createBookedEvents, createFocusBlocks } from './booked-events.ts'
import { createCalendar, createEventFigures, createMeetingHistory, type Habits } from './calendar.ts'
import { createCalendarPart } from './calendar-part.ts'
import { createCalendars } from './calendars/calendars.ts'
import { findCalendar } from './calendars/repository.ts'
import { calendarRoutes } from './calendars/routes.ts'
import { createCalendarStore, requireTarget } from './calendars/store.ts'
import { countBooked } from './event-repository.ts'
import { createExpansion, createSaving, type SavingDeps } from './event-writer.ts'
import { createEvents } from './events.ts'
import { createExport } from './export.ts'
import { createCalendarReader } from './ical/reader.ts'
import { createBatchWriter } from './imports/batch.ts'
import { createFileEvents } from './imports/file-events.ts'
import { createImport } from './imports/import.ts'
import { createConflictJournal, createImportJournal } from './imports/journal.ts'
import { createMirroredEvents } from './imports/mirrored-events.ts'
import { followMeetingMail } from './invitations/automatic-updates.ts'
import { createInvitationCards } from './invitations/card.ts'
import { createDetecting } from './invitations/detection.ts'
import { createMailedEvents } from './invitations/from-email.ts'
import { createInvitationSender } from './invitations/invitation-sender.ts'
import { createInvitingEvents } from './invitations/inviting-events.ts'
import { createFoundJournal, createUpdateJournal } from './invitations/journal.ts'
import { type AnswerPost, createInvitationReader, type InvitationMail } from './invitations/mail.ts'
import { createRespond, createRespondToEmail } from './invitations/respond.ts'
import { createTargets, createUpdateDecision } from './invitations/update-decision.ts'
import { defineCalendarJobs } from './jobs.ts'
import { createCalendarAccess } from './members/access.ts'
import { createOwnReminders } from './members/member-reminders.ts'
import { redactChange } from './members/redaction.ts'
import { deleteRemindersOfCalendar } from './members/repository.ts'
import { createOccurrences } from './occurrences.ts'
import { createGuests } from './people.ts'
import { createAlarms, createReminders } from './reminders.ts'
import { createReservationEvents } from './reservation-events.ts'
import { alarmRoutes, calendarFileRoutes, eventRoutes, meetingMailRoutes, periodRoutes } from './routes.ts'
import { createBriefedEvents } from './windows/window.ts'

interface MeetingMailNeeds {
  invitationMail: InvitationMail
  post: AnswerPost
  /** Holds back automatic changes from servers that would send mail to attendees because of them. */
  holdPushes: (tx: Db, userId: number, uids: readonly string[]) => Promise<void>
  /** Whether a CalDAV server sends the invitations of an event itself. */
  isScheduledByServer: (tx: Db, userId: number, uid: string) => Promise<boolean>
  /** Whether the user knows the person: the first invitation of a known contact becomes a tentative event. */
  isKnownContact: (view: Db, userId: number, address: string) => Promise<boolean>
}

export const createCalendarFeature = (
  { db, clock, random, changes, jobs, workers }: Platform,
  {
    habitsOf,
    actions,
    hasEmail,
    sharing,
  }: {
    habitsOf: (userId: number) => Promise<Habits>
    actions: Actions
    hasEmail: SavingDeps['hasEmail']
    sharing: Sharing
  },
) => {
  const zoneOf = async (userId: number): Promise<string> => (await habitsOf(userId)).timezone
  const reader = createCalendarReader({ workers })
  const saving = createSaving({ changes, clock, jobs, hasEmail })
  const access = createCalendarAccess({ sharing })
  const ownReminders = createOwnReminders({ clock, jobs, access })
  const store = createCalendarStore({ changes, clock, saving, sharing })
  const calendars = createCalendars({ db, clock, store, saving, sharing })
  sharing.define('calendar', {
    async find(view, userId, id) {
      const calendar = await findCalendar(view, userId, id)
      return calendar && { name: calendar.name, shareable: true }
    },
    placeOf: ({ data }) => data.calendarId,
    redact: redactChange,
    toRemoval: ({ userId, subject }, calendarId) => ({
      userId,
      type: 'event.cancelled',
      subject,
      data: { id: Number(subject), calendarId, deleted: true },
    }),
    ended: (tx, { ownerId, memberId, resourceId }) =>
      deleteRemindersOfCalendar(tx, { ownerId, memberId, calendarId: resourceId }),
  })
  const occurrences = createOccurrences({ saving, clock, random })
  const writersBy = (changedBy: string) => {
    const by = createSaving({ changes, clock, jobs, hasEmail, changedBy })
    return { saving: by, occurrences: createOccurrences({ saving: by, clock, random }) }
  }
  const events = createEvents({
    db,
    clock,
    random,
    saving,
    occurrences,
    writersBy,
    access,
    ownReminders,
    zoneOf,
  })
  const calendar = createCalendar({ db, clock, habitsOf })
  const write = createBatchWriter({ saving, occurrences })
  const importJournal = createImportJournal({ actions, saving })
  const fileEvents = createFileEvents({ db, clock, saving, write, reader })
  const importing = createImport({ db, fileEvents, journal: importJournal, zoneOf })
  const exporting = createExport({ db, clock })
  const journal = createFoundJournal({ actions, saving })
  const targets = createTargets({ saving, occurrences })
  const reminders = createReminders({ db, clock, changes, jobs, ownReminders })
  defineCalendarJobs(jobs, { expansion: createExpansion({ db, clock }), reminders })
  /** Sends the mail of invitations. It needs the outbox. */
  const createInviting = ({
    post,
    isScheduledByServer,
  }: Pick<MeetingMailNeeds, 'post' | 'isScheduledByServer'>) =>
    createInvitingEvents({
      db,
      events,
      saving,
      sender: createInvitationSender({ clock, post, habitsOf, isScheduledByServer }),
    })
  return {
    events,
    calendars,
    createInviting,
    reminders,
    calendar,
    guests: createGuests({ db, access }),
    part: createCalendarPart({ calendarExport: exporting, store, jobs }),
    store,
    /** Whether an account may subscribe to a calendar: its own, or one that is shared with it. */
    canSubscribe: calendars.isReadable,
    booked: createBookedEvents({ saving }),
    reservationEvents: createReservationEvents({ actions, saving }),
    mirrored: createMirroredEvents({ db, clock, saving, write, reader, zoneOf }),
    requireTarget,
    fileEvents,
    conflicts: createConflictJournal({ actions, changes, saving, targets }),
    readInvitation: createInvitationReader({ reader }),
    readText: async (userId: number, bytes: Uint8Array) => reader.readObjects(bytes, await zoneOf(userId)),
    agenda: createFocusBlocks({ saving, random }),
    figures: createEventFigures(db),
    history: createMeetingHistory(db),
    countBooked,
    briefed: createBriefedEvents(db),
    /** Routes that need mail: invitations arrive and are answered by email. */
    routes: ({
      invitationMail,
      post,
      holdPushes,
      isScheduledByServer,
      isKnownContact,
    }: MeetingMailNeeds): FeatureRoutes[] => {
      const taking = createMailedEvents({
        db,
        clock,
        saving,
        targets,
        invitationMail,
        post,
        write,
        zoneOf,
        journal,
        reader,
        workers,
      })
      const { fromEmail } = taking
      const decide = createUpdateDecision({ targets })
      const updateJournal = createUpdateJournal({ actions, saving, targets })
      const platform = { db, clock, changes, jobs }
      followMeetingMail({
        platform,
        invitationMail,
        post,
        taking,
        decide,
        journal: updateJournal,
        reader,
        zoneOf,
        holdPushes,
        isKnownContact,
      })
      const describeInvitation = createInvitationCards({
        db,
        clock,
        invitationMail,
        post,
        decide,
        journal: updateJournal,
        reader,
        habitsOf,
      })
      const detect = createDetecting({ clock, zoneOf, workers })
      const respond = createRespond({ db, clock, targets, invitationMail, post, habitsOf })
      const respondToEmail = createRespondToEmail({ db, invitationMail, reader, zoneOf, taking, respond })
      const inviting = createInviting({ post, isScheduledByServer })
      return [
        { prefix: '/api/calendars', plugin: calendarRoutes(calendars) },
        { prefix: '/api/calendar', plugin: eventRoutes({ events, inviting }) },
        { prefix: '/api/calendar', plugin: periodRoutes({ events, calendar }) },
        { prefix: '/api/calendar', plugin: alarmRoutes(createAlarms({ db, saving, access })) },
        {
          prefix: '/api/calendar',
          plugin: meetingMailRoutes({ detect, fromEmail, respond, respondToEmail, describeInvitation }),
        },
        { prefix: '/api/calendar', plugin: calendarFileRoutes({ importing, exporting, calendars, zoneOf }) },
      ]
    },
  }
}
