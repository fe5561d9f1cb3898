import type { Db } from '../../database/db.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Door, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import type { ReadCalendarText } from '../calendar/icalendar/objects.ts'
import type { MirroredEvents } from '../calendar/mirrored-events.ts'
import { createCalendarAccounts } from './accounts.ts'
import type { OpenCalendarServer } from './calendar-server.ts'
import { createCalendarAccountsPart } from './data-part.ts'
import { calendarAccountRoutes } from './routes.ts'
import { createPublishedFiles } from './sync/published-file.ts'
import { createTrial } from './trial.ts'

/** How calendar servers are reached: by the guarded client. */
export interface CalendarServers {
  calendarServer: (outbound: Outbound) => OpenCalendarServer
}

export const createCalendarAccountsRoom = (
  { db, clock, random, sealer, outbound }: Platform,
  servers: CalendarServers,
  needs: {
    activity: Activity
    readCalendar: ReadCalendarText
    /** See accounts.ts. */
    wake: (tx: Db, accountId: string) => Promise<void>
    mirrored: MirroredEvents
  },
) => {
  const { activity, readCalendar, wake, mirrored } = needs
  const openServer = servers.calendarServer(outbound)
  const readPublished = createPublishedFiles({ outbound, readCalendar })
  const accounts = createCalendarAccounts({ db, clock, random, sealer, activity, wake, mirrored })
  const trial = createTrial({ sealer, accounts, openServer, readPublished })
  const doors: Door[] = [
    { prefix: '/api/settings/calendar-accounts', routes: calendarAccountRoutes({ accounts, trial }) },
  ]
  return { accounts, part: createCalendarAccountsPart({ sealer }), doors }
}
