import type { Db } from '../../database/db.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Actions } from '../undo/journal.ts'
import { createBookedEvents, createFocusBlocks } from './booked-events.ts'
import { createCalendar, createEventFigures, type Habits } from './calendar.ts'
import { createCalendarPart } from './calendar-part.ts'
import { countBooked } from './event-repository.ts'
import { createExpansion, createSaving, type SavingDeps } from './event-writer.ts'
import { createEvents } from './events.ts'
import { createExport } from './export.ts'
import { createCalendarReader } from './ical/reader.ts'
import { createBatchWriter } from './imports/batch.ts'
import { createImport } from './imports/import.ts'
import { createConflictJournal, createImportJournal } from './imports/journal.ts'
import { createMirroredEvents } from './imports/mirrored-events.ts'
import { followMeetingMail } from './invitations/automatic-updates.ts'
import { createDetecting, createInvitationCards } from './invitations/detection.ts'
import { createMailedEvents } from './invitations/from-email.ts'
import { createFoundJournal, createUpdateJournal } from './invitations/journal.ts'
import type { AnswerPost, InvitationMail } from './invitations/mail.ts'
import { createRespond } from './invitations/respond.ts'
import { createTargets, createUpdateDecision } from './invitations/update-decision.ts'
import { defineCalendarJobs } from './jobs.ts'
import { createOccurrences } from './occurrences.ts'
import { createGuests } from './people.ts'
import { createAlarms, createReminders } from './reminders.ts'
import { alarmRoutes, calendarFileRoutes, eventRoutes, meetingMailRoutes, periodRoutes } from './routes.ts'
import { createBriefedEvents } from './windows/window.ts'

interface MeetingMailNeeds {
  invitationMail: InvitationMail
  post: AnswerPost
  /** Holds back automatic changes from servers that would send mail to attendees because of them. */
  holdPushes: (tx: Db, uids: readonly string[]) => Promise<void>
}

export const createCalendarFeature = (
  { db, clock, random, changes, jobs, workers }: Platform,
  {
    habits,
    actions,
    hasEmail,
  }: { habits: () => Promise<Habits>; actions: Actions; hasEmail: SavingDeps['hasEmail'] },
) => {
  const timezone = async (): Promise<string> => (await habits()).timezone
  const reader = createCalendarReader({ workers })
  const saving = createSaving({ changes, clock, jobs, hasEmail })
  const occurrences = createOccurrences({ saving, clock, random })
  const events = createEvents({ db, clock, random, saving, occurrences, timezone })
  const calendar = createCalendar({ db, clock, habits })
  const write = createBatchWriter({ saving, occurrences })
  const importJournal = createImportJournal({ actions, saving })
  const importing = createImport({ db, clock, write, journal: importJournal, reader, timezone })
  const exporting = createExport({ db, clock })
  const journal = createFoundJournal({ actions, saving })
  const targets = createTargets({ saving, occurrences })
  defineCalendarJobs(jobs, {
    expansion: createExpansion({ db, clock }),
    reminders: createReminders({ db, clock, changes, jobs }),
  })
  return {
    events,
    calendar,
    guests: createGuests({ db }),
    part: createCalendarPart({ saving, calendarExport: exporting, jobs }),
    booked: createBookedEvents({ saving }),
    mirrored: createMirroredEvents({ db, clock, saving, write, reader, timezone }),
    conflicts: createConflictJournal({ actions, changes, saving, targets }),
    readText: async (bytes: Uint8Array) => reader.readObjects(bytes, await timezone()),
    agenda: createFocusBlocks({ saving, random }),
    figures: createEventFigures(db),
    countBooked,
    briefed: createBriefedEvents(db),
    /** Routes that need mail: invitations arrive and are answered by email. */
    routes: ({ invitationMail, post, holdPushes }: MeetingMailNeeds): FeatureRoutes[] => {
      const taking = createMailedEvents({
        db,
        clock,
        saving,
        targets,
        invitationMail,
        post,
        write,
        timezone,
        journal,
        reader,
        workers,
      })
      const { fromEmail } = taking
      const decide = createUpdateDecision({ targets })
      const updateJournal = createUpdateJournal({ actions, saving, targets, hasEmail })
      const platform = { db, clock, changes, jobs }
      followMeetingMail({
        platform,
        invitationMail,
        post,
        taking,
        decide,
        journal: updateJournal,
        reader,
        timezone,
        holdPushes,
      })
      const describeInvitation = createInvitationCards({
        db,
        invitationMail,
        post,
        decide,
        journal: updateJournal,
        reader,
        timezone,
      })
      const detect = createDetecting({ clock, timezone, workers })
      const respond = createRespond({ db, clock, targets, invitationMail, post })
      return [
        { prefix: '/api/calendar', plugin: eventRoutes(events) },
        { prefix: '/api/calendar', plugin: periodRoutes({ events, calendar }) },
        { prefix: '/api/calendar', plugin: alarmRoutes(createAlarms({ db, saving })) },
        {
          prefix: '/api/calendar',
          plugin: meetingMailRoutes({ detect, fromEmail, respond, describeInvitation }),
        },
        { prefix: '/api/calendar', plugin: calendarFileRoutes({ importing, exporting, timezone }) },
      ]
    },
  }
}
