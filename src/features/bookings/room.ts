import type { Door, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { createApplying } from './applying.ts'
import type { BookedEvents } from './booked-events.ts'
import { createZones } from './booking-fields.ts'
import { bookingsPart } from './data-part.ts'
import { createDrift } from './drift.ts'
import { createBookingFigures } from './figures.ts'
import { defineBookingJobs } from './jobs.ts'
import { createLeases } from './lease.ts'
import { createNotices } from './notices.ts'
import type { ProviderKinds } from './provider.ts'
import { bookingRoutes } from './routes.ts'
import { createRunner } from './run.ts'
import { type BookingEnvironment, createBookingSettings } from './settings.ts'
import { createBookingSync } from './sync.ts'

/** Where bookings can be made. */
export interface BookingProviders {
  bookingProviders: ProviderKinds
}

export const createBookingsRoom = (
  { db, clock, random, log, sealer, changes, jobs, outbound }: Platform,
  { bookingProviders: kinds }: BookingProviders,
  needs: {
    activity: Activity
    events: BookedEvents
    /** Of the service. */
    version: string
    environment: BookingEnvironment & { syncEveryMs: number | null }
    timezone: () => Promise<string>
  },
) => {
  const { activity, events, version, environment, timezone } = needs
  const readZone = createZones()
  const settings = createBookingSettings({ db, clock, sealer, outbound, activity, kinds, environment })
  const apply = createApplying({ events, readZone })
  const leases = createLeases({ db, clock })
  const run = createRunner({ db, clock, leases, events, apply, log, version })
  const sync = createBookingSync({
    ...{ db, clock, random, log, changes, settings, leases, run, version, timezone },
  })
  const notices = createNotices({ db, clock, log, changes, settings, events, apply, timezone })
  const drift = createDrift({ db, clock, settings, events, readZone })
  defineBookingJobs(jobs, { sync, clock, everyMs: environment.syncEveryMs })
  const eventTypes = async (signal: AbortSignal) => settings.connect(await settings.read()).eventTypes(signal)
  const doors: Door[] = [
    { prefix: '/api/bookingsvc', routes: bookingRoutes({ db, settings, sync, notices, drift, eventTypes }) },
  ]
  return { settings, sync, part: bookingsPart, figures: createBookingFigures({ db, events }), doors }
}
