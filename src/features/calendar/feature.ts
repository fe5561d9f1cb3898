import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { CollectionLog } from '../dav/collection-log.ts'
import type { Sharing } from '../sharing/shares.ts'
import type { Actions } from '../undo/journal.ts'
import { createBookedEvents, createFocusBlocks } from './booked-events.ts'
import { createCalendar, createEventFigures, createMeetingHistory, type Habits } from './calendar.ts'
import { createCalendarPart } from './calendar-part.ts'
import { createCalendars } from './calendars/calendars.ts'
import { findCalendar } from './calendars/repository.ts'
import { calendarRoutes } from './calendars/routes.ts'
import { createCalendarStore, requireTarget } from './calendars/store.ts'
import { type CreateConferencingLink, createAddConferencing } from './conferencing-link.ts'
import { CalendarBackend } from './dav/calendar-backend.ts'
import { noteEventChanges } from './dav/event-changes.ts'
import { countBooked } from './event-repository.ts'
import { createExpansion, createSaving, type SavingDeps } from './event-writer.ts'
import { createEvents } from './events.ts'
import { createExport } from './export.ts'
import { createFindTime } from './find-time.ts'
import { createCalendarReader } from './ical/reader.ts'
import { createBatchWriter } from './imports/batch.ts'
import { createFileEvents } from './imports/file-events.ts'
import { createImport } from './imports/import.ts'
import { createConflictJournal, createImportJournal } from './imports/journal.ts'
import { createMirroredEvents } from './imports/mirrored-events.ts'
import { followMeetingMail } from './invitations/automatic-updates.ts'
import { createInvitationCards } from './invitations/card.ts'
import { createMeetingDetector } from './invitations/detection.ts'
import { createMailedEvents } from './invitations/from-email.ts'
import { createInvitationSender } from './invitations/invitation-sender.ts'
import { createInvitingEvents } from './invitations/inviting-events.ts'
import { createFoundJournal, createUpdateJournal } from './invitations/journal.ts'
import { createInvitationReader, type InvitationMail, type SchedulingMailer } from './invitations/mail.ts'
import { createRespond, createRespondToEmail } from './invitations/respond.ts'
import { createTargets, createUpdateDecision } from './invitations/update-decision.ts'
import { EXPAND, REMIND } from './job-names.ts'
import { createCalendarAccess } from './members/access.ts'
import { createOwnReminders } from './members/member-reminders.ts'
import { redactChange } from './members/redaction.ts'
import { deleteRemindersOfCalendar } from './members/repository.ts'
import { createMirrorWriter } from './mirrors/mirror-writer.ts'
import { createMirrors } from './mirrors/mirrors.ts'
import { mirrorRoutes } from './mirrors/routes.ts'
import { createOccurrences } from './occurrences.ts'
import { createGuests } from './people.ts'
import { createQuickEvents, type SuggestAddresses } from './quick.ts'
import { createAlarms, createReminders } from './reminders.ts'
import { createReservationEvents } from './reservation-events.ts'
import { alarmRoutes, calendarFileRoutes, eventRoutes, meetingMailRoutes, periodRoutes } from './routes.ts'
import { createBriefedEvents } from './windows/window.ts'

interface MeetingMailNeeds {
  invitationMail: InvitationMail
  mailer: SchedulingMailer
  /** Holds back automatic changes from servers that would send mail to attendees because of them. */
  holdPushes: (tx: Db, userId: number, uids: readonly string[]) => Promise<void>
  /** Whether a CalDAV server sends the invitations of an event itself. */
  isScheduledByServer: (tx: Db, userId: number, uid: string) => Promise<boolean>
  /** Whether the user knows the person: the first invitation of a known contact becomes a tentative event. */
  isKnownContact: (view: Db, userId: number, address: string) => Promise<boolean>
  suggestAddresses: SuggestAddresses
  /** The addresses of an account, in lower case. */
  ownAddresses: (userId: number) => Promise<ReadonlySet<string>>
}

export const createCalendarFeature = (
  platform: Platform,
  needs: {
    habitsOf: (userId: number) => Promise<Habits>
    actions: Actions
    hasEmail: SavingDeps['hasEmail']
    sharing: Sharing
    createConferencingLink: CreateConferencingLink
    davLog: CollectionLog
  },
) => {
  const { db, jobs, changes } = platform
  const { habitsOf, actions, hasEmail, sharing, createConferencingLink, davLog } = needs
  const zoneOf = async (userId: number): Promise<string> => (await habitsOf(userId)).timezone
  const reader = createCalendarReader(platform)
  const saving = createSaving({ ...platform, hasEmail })
  const syncSaving = createSaving({ ...platform, hasEmail, writesMirrored: true })
  const mirrorWriter = createMirrorWriter({ ...platform, saving: syncSaving })
  const access = createCalendarAccess({ sharing })
  const ownReminders = createOwnReminders({ ...platform, access })
  const store = createCalendarStore({ ...platform, saving, sharing })
  const calendars = createCalendars({ ...platform, store, saving, sharing })
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
  const mirrors = createMirrors({ ...platform, store, sharing, writer: mirrorWriter })
  const occurrences = createOccurrences({ ...platform, saving })
  const writersBy = (changedBy: string) => {
    const by = createSaving({ ...platform, hasEmail, changedBy })
    return { saving: by, occurrences: createOccurrences({ ...platform, saving: by }) }
  }
  const events = createEvents({
    ...platform,
    saving,
    occurrences,
    writersBy,
    access,
    ownReminders,
    zoneOf,
    addConferencing: createAddConferencing(createConferencingLink),
  })
  const calendar = createCalendar({ ...platform, habitsOf })
  const write = createBatchWriter({ saving, occurrences })
  const davWriterOf = (writers: { saving: typeof saving; occurrences: typeof occurrences }) => {
    const write = createBatchWriter(writers)
    const { adopt } = createMirroredEvents({ ...platform, saving: writers.saving, write, reader, zoneOf })
    return { saving: writers.saving, adopt }
  }
  const davBackend = new CalendarBackend({
    ...platform,
    calendars,
    reader,
    log: davLog,
    ownReminders,
    own: davWriterOf({ saving, occurrences }),
    writerBy: (name) => davWriterOf(writersBy(name)),
    zoneOf,
  })
  changes.accompany(async (tx, recorded) => noteEventChanges(davLog, tx, recorded))
  const importJournal = createImportJournal({ actions, saving })
  const fileEvents = createFileEvents({ ...platform, saving, write, reader })
  const importing = createImport({ ...platform, fileEvents, journal: importJournal, zoneOf })
  const exporting = createExport(platform)
  const journal = createFoundJournal({ actions, saving })
  const targets = createTargets({ saving, occurrences })
  const reminders = createReminders({ ...platform, ownReminders })
  const expansion = createExpansion(platform)
  jobs.define({
    name: EXPAND,
    payload: Type.Object({}),
    // The range of stored occurrences shrinks every day.
    schedule: '41 3 * * *',
    async run(_payload, { signal, progress }) {
      for (let done = 1; !signal.aborted && (await expansion.expandNext()); done++)
        if (done % 100 === 0) await progress(done)
    },
  })
  jobs.define({
    name: REMIND,
    payload: Type.Object({}),
    // A fallback in case the job for the next reminder was lost or parked.
    schedule: '*/10 * * * *',
    run: reminders.sendDue,
  })
  /** Sends the mail of invitations. It needs the outbox. */
  const createInviting = (late: Pick<MeetingMailNeeds, 'mailer' | 'isScheduledByServer'>) => {
    const sender = createInvitationSender({ ...platform, ...late, habitsOf })
    return createInvitingEvents({ ...platform, events, saving, sender })
  }
  return {
    events,
    calendars,
    createInviting,
    reminders,
    calendar,
    guests: createGuests({ ...platform, access }),
    part: createCalendarPart({ ...platform, calendarExport: exporting, store, mirrorWriter }),
    store,
    davBackend,
    /** Whether an account may subscribe to a calendar: its own, or one that is shared with it. */
    canSubscribe: calendars.isReadable,
    notificationsOf: calendars.notificationsOf,
    booked: createBookedEvents({ saving }),
    reservationEvents: createReservationEvents({ actions, saving }),
    mirrored: createMirroredEvents({ ...platform, saving: syncSaving, write, reader, zoneOf }),
    requireTarget,
    fileEvents,
    conflicts: createConflictJournal({ ...platform, actions, saving, targets }),
    readInvitation: createInvitationReader({ reader }),
    readText: async (userId: number, bytes: Uint8Array) => reader.readObjects(bytes, await zoneOf(userId)),
    agenda: createFocusBlocks({ ...platform, saving }),
    figures: createEventFigures(db),
    history: createMeetingHistory(db),
    countBooked,
    briefed: createBriefedEvents(db),
    /** Routes that need mail: invitations arrive and are answered by email. */
    routes: (mail: MeetingMailNeeds): FeatureRoutes[] => {
      const base = { ...platform, ...mail, reader, targets }
      const mailedEvents = createMailedEvents({ ...base, saving, write, zoneOf, journal })
      const decide = createUpdateDecision({ targets })
      const updateJournal = createUpdateJournal({ actions, saving, targets })
      followMeetingMail({ ...base, mailedEvents, decide, journal: updateJournal, zoneOf })
      const respond = createRespond({ ...base, habitsOf })
      return [
        { prefix: '/api/calendars', plugin: calendarRoutes(calendars) },
        { prefix: '/api/calendars', plugin: mirrorRoutes(mirrors) },
        {
          prefix: '/api/calendar',
          plugin: eventRoutes({
            events,
            inviting: createInviting(mail),
            quick: createQuickEvents({ ...base, zoneOf }),
          }),
        },
        {
          prefix: '/api/calendar',
          plugin: periodRoutes({
            events,
            calendar,
            findTime: createFindTime({ ...base, calendar, habitsOf, access }),
          }),
        },
        { prefix: '/api/calendar', plugin: alarmRoutes(createAlarms({ ...platform, saving, access })) },
        {
          prefix: '/api/calendar',
          plugin: meetingMailRoutes({
            detect: createMeetingDetector({ ...platform, zoneOf }),
            fromEmail: mailedEvents.fromEmail,
            respond,
            respondToEmail: createRespondToEmail({ ...base, zoneOf, mailedEvents, respond }),
            describeInvitation: createInvitationCards({ ...base, decide, journal: updateJournal, habitsOf }),
          }),
        },
        { prefix: '/api/calendar', plugin: calendarFileRoutes({ importing, exporting, calendars, zoneOf }) },
      ]
    },
  }
}
