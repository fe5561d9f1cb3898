import type { Db } from '../../database/db.ts'
import type { Door, Platform } from '../../platform/platform.ts'
import type { Actions } from '../actions/actions.ts'
import { createAlarms } from './alarms/alarms.ts'
import { alarmRoutes } from './alarms/routes.ts'
import { createBookedEvents } from './booked-events.ts'
import { followMeetingMail } from './by-mail/automatic-updates.ts'
import { createDetecting } from './by-mail/detecting.ts'
import { createMailedEvents } from './by-mail/from-email.ts'
import { createInvitationCards } from './by-mail/invitation-card.ts'
import { createFoundJournal } from './by-mail/journal.ts'
import type { AnswerPost, MailDesk } from './by-mail/mail.ts'
import { createRespond } from './by-mail/respond.ts'
import { meetingMailRoutes } from './by-mail/routes.ts'
import { createTargets } from './by-mail/targets.ts'
import { createUpdateDecision } from './by-mail/update-decision.ts'
import { createUpdateJournal } from './by-mail/update-journal.ts'
import { createCalendar, type Habits } from './calendar.ts'
import { createCalendarPart } from './calendar-part.ts'
import { countBooked } from './event-store.ts'
import { createEvents } from './events.ts'
import { createExpansion } from './expansion.ts'
import { createExport } from './exports/export.ts'
import { calendarFileRoutes } from './file-routes.ts'
import { createFocusBlocks } from './focus-blocks.ts'
import { createGuests } from './guests.ts'
import { createCalendarReader } from './icalendar/reader.ts'
import { createBatchWriter } from './imports/batch.ts'
import { createConflictJournal } from './imports/conflict-journal.ts'
import { createImport } from './imports/import.ts'
import { createImportJournal } from './imports/journal.ts'
import { createMirroredEvents } from './imports/mirrored-events.ts'
import { defineCalendarJobs } from './jobs.ts'
import { createOccurrences } from './occurrences.ts'
import { createReminders } from './reminders/reminders.ts'
import { calendarRoutes } from './routes.ts'
import { createSaving, type SavingDeps } from './saving.ts'
import { createBriefedEvents } from './windows/briefed-events.ts'
import { createEventFigures } from './windows/figures.ts'

interface MeetingMailNeeds {
  desk: MailDesk
  post: AnswerPost
  /** Keeps automatic changes from servers that would mail the guests because of them. */
  holdPushes: (tx: Db, uids: readonly string[]) => Promise<void>
}

export const createCalendarRoom = (
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
    ...{ events, calendar },
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
    /** Meetings come in and are answered by mail. */
    doors: ({ desk, post, holdPushes }: MeetingMailNeeds): Door[] => {
      const taking = createMailedEvents({
        ...{ db, clock, saving, targets, desk, post, write, timezone, journal, reader, workers },
      })
      const { fromEmail } = taking
      const decide = createUpdateDecision({ targets })
      const updateJournal = createUpdateJournal({ actions, saving, targets, hasEmail })
      const platform = { db, clock, changes, jobs }
      followMeetingMail({
        platform,
        desk,
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
        desk,
        post,
        decide,
        journal: updateJournal,
        reader,
        timezone,
      })
      const detect = createDetecting({ clock, timezone, workers })
      const respond = createRespond({ db, clock, targets, desk, post })
      return [
        { prefix: '/api/calendar', routes: calendarRoutes({ events, calendar }) },
        { prefix: '/api/calendar', routes: alarmRoutes(createAlarms({ db, saving })) },
        {
          prefix: '/api/calendar',
          routes: meetingMailRoutes({ detect, fromEmail, respond, describeInvitation }),
        },
        { prefix: '/api/calendar', routes: calendarFileRoutes({ importing, exporting, timezone }) },
      ]
    },
  }
}
