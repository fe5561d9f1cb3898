import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Door, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import type { ReadCalendarText } from '../calendar/icalendar/objects.ts'
import type { ConflictJournal } from '../calendar/imports/conflict-journal.ts'
import type { MirroredEvents } from '../calendar/imports/mirrored-events.ts'
import { createCalendarAccounts } from './accounts.ts'
import type { OpenCalendarServer } from './calendar-server.ts'
import { createCalendarAccountsPart } from './data-part.ts'
import { createRemoval } from './removal.ts'
import { calendarAccountRoutes } from './routes.ts'
import { createAccountSync } from './sync/account-sync.ts'
import { createHeldPushes } from './sync/held-pushes.ts'
import { defineCalendarSync } from './sync/jobs.ts'
import { createLocalChanges } from './sync/local-changes.ts'
import { createPublishedFiles } from './sync/published-file.ts'
import { createWaking } from './sync/waking.ts'
import { createTrial } from './trial.ts'

/** How calendar servers are reached: by the guarded client. */
export interface CalendarServers {
  calendarServer: (outbound: Outbound) => OpenCalendarServer
}

export const createCalendarAccountsRoom = (
  { db, clock, random, sealer, changes, jobs, outbound }: Platform,
  servers: CalendarServers,
  needs: {
    activity: Activity
    readCalendar: ReadCalendarText
    mirrored: MirroredEvents
    conflicts: ConflictJournal
    /** Of the service. */
    version: string
  },
) => {
  const { activity, readCalendar, mirrored, conflicts, version } = needs
  const { ask, wake } = createWaking({ jobs, clock })
  const openServer = servers.calendarServer(outbound)
  const readPublished = createPublishedFiles({ outbound, readCalendar })
  const removal = createRemoval({ db, jobs, mirrored })
  const accounts = createCalendarAccounts({ db, clock, random, sealer, activity, ask, mirrored, removal })
  const sync = createAccountSync({
    ...{ db, clock, changes, sealer, mirrored, openServer, readPublished, conflicts, version },
  })
  defineCalendarSync(jobs, { db, clock, sync, ask, removal })
  changes.accompany(createLocalChanges({ clock, wake }))
  const trial = createTrial({ sealer, accounts, openServer, readPublished })
  const doors: Door[] = [
    { prefix: '/api/settings/calendar-accounts', routes: calendarAccountRoutes({ accounts, trial }) },
  ]
  return {
    accounts,
    part: createCalendarAccountsPart({ sealer, removal }),
    doors,
    holdPushes: createHeldPushes({ mirrored }),
  }
}
