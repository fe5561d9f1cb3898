import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { type BookedEvents, createBookingFigures } from './booked-events.ts'
import { createBookingUpdater, createZoneReader } from './booking-updater.ts'
import { bookingsPart } from './data-part.ts'
import { createNotices } from './notices.ts'
import type { ProviderKinds } from './provider.ts'
import { bookingRoutes } from './routes.ts'
import { createDrift, Runner } from './run.ts'
import { type BookingEnvironment, createBookingSettings } from './settings.ts'
import { createBookingSync, defineBookingJobs } from './sync.ts'

/** Supported booking providers. */
export interface BookingProviders {
  bookingProviders: ProviderKinds
}

export const createBookingsFeature = (
  platform: Platform,
  { bookingProviders: kinds }: BookingProviders,
  needs: {
    activity: Activity
    events: BookedEvents
    /** Version of Factotum. */
    version: string
    environment: BookingEnvironment & { syncEveryMs: number | null }
    zoneOf: (userId: number) => Promise<string>
  },
) => {
  const { db, clock, jobs } = platform
  const { activity, events, version, environment, zoneOf } = needs
  const readZone = createZoneReader()
  const settings = createBookingSettings({ ...platform, activity, kinds, environment })
  const apply = createBookingUpdater({ events, readZone })
  const runner = new Runner({ ...platform, events, apply, version })
  const sync = createBookingSync({ ...platform, settings, runner, version, zoneOf })
  const notices = createNotices({ ...platform, settings, events, apply, zoneOf })
  const drift = createDrift({ ...platform, settings, events, readZone })
  defineBookingJobs(jobs, { db, sync, settings, clock, everyMs: environment.syncEveryMs })
  const eventTypes = async (userId: number, signal: AbortSignal) =>
    settings.connect(await settings.read(userId)).eventTypes(signal)
  const routes: FeatureRoutes[] = [
    { prefix: '/api/bookingsvc', plugin: bookingRoutes({ db, settings, sync, notices, drift, eventTypes }) },
  ]
  return {
    settings,
    sync,
    eventTypes,
    part: bookingsPart,
    figures: createBookingFigures({ db, events }),
    routes,
  }
}
