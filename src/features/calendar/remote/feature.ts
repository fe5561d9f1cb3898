import type { LanguageOf } from '../../../platform/language.ts'
import type { Outbound } from '../../../platform/outbound/port.ts'
import type { FeatureRoutes, Platform } from '../../../platform/platform.ts'
import type { Activity } from '../../auth/activity.ts'
import type { CalendarStore } from '../calendars/store.ts'
import type { ReadCalendarText } from '../ical/objects.ts'
import type { ConflictJournal } from '../imports/journal.ts'
import type { MirroredEvents } from '../imports/mirrored-events.ts'
import { createCalendarAccounts, createRemoval, type ProviderTokens } from './accounts.ts'
import type { OpenCalendarServer } from './calendar-server.ts'
import { createConnectionTest } from './connection-test.ts'
import { createCalendarAccountsPart } from './data-part.ts'
import { createProviderCalendars } from './provider-calendars.ts'
import { calendarAccountRoutes, calendarSyncRoutes } from './routes.ts'
import {
  createAccountSync,
  createHeldPushes,
  createLocalChanges,
  createServerScheduling,
  createSyncRequests,
  defineCalendarSync,
} from './sync/account-sync.ts'
import { createPublishedFiles } from './sync/remote-files.ts'

/** Opens connections to calendar servers with the SSRF-protected HTTP client. */
export interface CalendarServers {
  calendarServer: (outbound: Outbound) => OpenCalendarServer
}

export const createCalendarAccountsFeature = (
  platform: Platform,
  servers: CalendarServers,
  needs: {
    activity: Activity
    readCalendar: ReadCalendarText
    mirrored: MirroredEvents
    store: CalendarStore
    conflicts: ConflictJournal
    /** The version of Factotum. */
    version: string
    languageOf: LanguageOf
    tokens: ProviderTokens
  },
) => {
  const { activity, readCalendar, mirrored, store, conflicts, version, languageOf, tokens } = needs
  const { db, clock, changes, jobs, outbound } = platform
  const { requestSync, wake } = createSyncRequests(platform)
  const openServer = servers.calendarServer(outbound)
  const readPublished = createPublishedFiles({ ...platform, readCalendar })
  const removal = createRemoval({ ...platform, mirrored, store })
  const accounts = createCalendarAccounts({ ...platform, activity, requestSync, mirrored, store, removal })
  const sync = createAccountSync({
    ...platform,
    tokens,
    mirrored,
    store,
    wake,
    openServer,
    readPublished,
    conflicts,
    version,
    languageOf,
  })
  defineCalendarSync(jobs, { db, clock, sync, requestSync, removal })
  changes.accompany(createLocalChanges({ clock, wake }))
  const connectionTest = createConnectionTest({
    ...platform,
    tokens,
    accounts,
    openServer,
    readPublished,
    languageOf,
  })
  const prefix = '/api/settings/calendar-accounts'
  const routes: FeatureRoutes[] = [
    { prefix, plugin: calendarAccountRoutes({ accounts, connectionTest }) },
    { prefix, plugin: calendarSyncRoutes({ accounts, connectionTest }) },
  ]
  return {
    accounts,
    providerCalendars: createProviderCalendars({ ...platform, activity, store, requestSync }),
    part: createCalendarAccountsPart({ ...platform, removal }),
    routes,
    holdPushes: createHeldPushes({ mirrored }),
    isScheduledByServer: createServerScheduling({ mirrored }),
  }
}
