import { availableParallelism } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { createAccessTokens } from './features/auth/access-jwt.ts'
import { createAccounts } from './features/auth/accounts.ts'
import { createActivity } from './features/auth/activity.ts'
import { createAttempts } from './features/auth/attempts.ts'
import { createCredentials } from './features/auth/credentials.ts'
import { createInvitations } from './features/auth/invitations.ts'
import { createPasswords } from './features/auth/passwords.ts'
import { authRoutes } from './features/auth/routes.ts'
import { createSessionCookie } from './features/auth/session-cookie.ts'
import { createSessions } from './features/auth/sessions.ts'
import { createFeedTokens, createPersonalTokens } from './features/auth/tokens.ts'
import { createTwoFactor } from './features/auth/two-factor.ts'
import { createCalendar } from './features/calendar/calendar.ts'
import { createCalendarPart } from './features/calendar/calendar-part.ts'
import { createEvents } from './features/calendar/events.ts'
import { createExpansion } from './features/calendar/expansion.ts'
import { createExport as createCalendarExport } from './features/calendar/export.ts'
import { icalendarRoutes } from './features/calendar/icalendar/routes.ts'
import { createImport as createCalendarImport } from './features/calendar/import.ts'
import { defineCalendarJobs } from './features/calendar/jobs.ts'
import { createOccurrences } from './features/calendar/occurrences.ts'
import { createReminders } from './features/calendar/reminders.ts'
import { calendarRoutes } from './features/calendar/routes.ts'
import { createSaving } from './features/calendar/saving.ts'
import { consoleRoutes } from './features/console/routes.ts'
import { createHealth } from './features/health/health.ts'
import { healthRoutes } from './features/health/routes.ts'
import { defineHousekeeping } from './features/housekeeping/jobs.ts'
import { accountsPart } from './features/settings/data/accounts-part.ts'
import { createDeletion } from './features/settings/data/deletion.ts'
import { createExport } from './features/settings/data/export.ts'
import { dataRoutes } from './features/settings/data/routes.ts'
import { createSampleData } from './features/settings/data/sample.ts'
import { createPreferences } from './features/settings/profile/preferences.ts'
import { createProfile } from './features/settings/profile/profile.ts'
import { profileRoutes } from './features/settings/profile/routes.ts'
import { securityRoutes } from './features/settings/security/routes.ts'
import { createSecurity } from './features/settings/security/security.ts'
import { tokenRoutes } from './features/settings/tokens/routes.ts'
import { createChanges } from './platform/changes.ts'
import type { Clock } from './platform/clock.ts'
import { docsRoutes } from './platform/docs/routes.ts'
import { addMetrics } from './platform/http/metrics.ts'
import { describeApi, type OpenApiDocument } from './platform/http/openapi.ts'
import type { RouteTable } from './platform/http/route-table.ts'
import { createServer } from './platform/http/server.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import { openJobs } from './platform/jobs/open.ts'
import type { Logger } from './platform/log.ts'
import type { Random } from './platform/random.ts'
import { deriveKeys } from './platform/secrets/keys.ts'
import { createSealer } from './platform/secrets/seal.ts'
import { systemTimeZone } from './platform/time.ts'

/** The outside world. */
export interface Deps {
  database: Database
  clock: Clock
  random: Random
  log: Logger
  /** What everything secret is derived from. */
  secretKey: string
  version: string
  /** Where the built console lies. */
  consoleDirectory: string
}

const TAGS = [
  { name: 'Authentication', description: 'Register, sign in, stay signed in, sign out.' },
  { name: 'Calendar', description: 'Events, in every time zone; calendar files and feeds; free time.' },
  { name: 'Health and statistics', description: 'How the service is.' },
  {
    name: 'Settings',
    description: 'Your profile, what guards it, and your data. Always for someone signed in.',
  },
] as const

const DRAIN_MS = 10_000

export type App = Awaited<ReturnType<typeof buildApp>>

/** The wiring diagram, top to bottom: platform, rooms, doors. */
export const buildApp = async (config: Config, deps: Deps) => {
  const { database, clock, random, log, version } = deps
  const { db } = database

  // Platform
  const keys = deriveKeys(deps.secretKey)
  const previousKeys = config.secretKeyPrevious === null ? null : deriveKeys(config.secretKeyPrevious)
  const sealer = createSealer(keys, previousKeys, random)
  const changes = createChanges({ db, clock, log })
  const jobs: Jobs = await openJobs({ database, clock, random, log })

  // Accounts
  const accessTokens = createAccessTokens({ key: keys.signing, ttlMs: config.accessTokenTtlMs, clock })
  const activity = createActivity({ db, clock })
  const attempts = createAttempts({ db, clock })
  const passwords = createPasswords(Math.max(1, availableParallelism() - 1))
  const refreshTtlMs = config.refreshTokenTtlMs
  const maxAgeMs = config.refreshTokenMaxAgeMs
  const sessions = createSessions({
    db,
    clock,
    random,
    changes,
    activity,
    accessTokens,
    refreshTtlMs,
    maxAgeMs,
  })
  const twoFactor = createTwoFactor({ clock, random, sealer, activity })
  const invitations = createInvitations({ db, clock, random, activity })
  const { registration } = config
  const timezone = (): string => config.timezone ?? systemTimeZone()
  const accounts = createAccounts({
    ...{ db, clock, changes, activity, attempts, passwords, sessions, twoFactor, invitations },
    registration,
    timezone,
  })
  const tokens = createPersonalTokens({ db, clock, random, activity })
  const feedTokens = createFeedTokens({ db, clock, random, activity })
  const credentials = createCredentials({ db, clock, log, accessTokens })

  // Settings
  const profile = createProfile({ db, clock, activity })
  const preferences = createPreferences({ db, clock, activity, timezone })
  const security = createSecurity({ db, clock, activity, attempts, passwords, sessions, accounts, twoFactor })
  const habits = preferences.ofInstance
  const zoneOfInstance = async (): Promise<string> => (await habits()).timezone

  // Calendar
  const saving = createSaving({ changes, clock, jobs })
  const occurrences = createOccurrences({ saving, random })
  const events = createEvents({ db, clock, random, saving, occurrences, timezone: zoneOfInstance })
  const calendar = createCalendar({ db, clock, habits })
  const calendarImport = createCalendarImport({ db, clock, saving, occurrences, timezone: zoneOfInstance })
  const calendarExport = createCalendarExport({ db, clock })

  // All data at once
  const parts = [accountsPart, createCalendarPart({ saving, calendarExport })]
  const exportAll = createExport({ database, clock, log, version, parts })
  const deletion = createDeletion({ changes, parts })
  const sample = createSampleData({ db, clock, random, passwords, activity, parts })

  // Background
  const health = createHealth({ database, clock, version, checks: {} })
  defineHousekeeping(jobs, { db, clock, changes, activity, attempts, sessions, invitations })

  defineCalendarJobs(jobs, {
    expansion: createExpansion({ db, clock }),
    reminders: createReminders({ db, clock, changes, jobs }),
  })

  // Doors
  const onlyThisMachine = config.access === 'open' && !config.accessIsExplicit
  const { app, routes, origins, draining } = await createServer(
    { ...config, onlyThisMachine },
    { db, clock, random, log, credentials },
  )
  const baseUrl = (): string =>
    config.publicUrl ?? `http://${hostOf(config.host)}:${portOf(app, config.port)}`
  const describe = (): OpenApiDocument => describeApi(routes, { ...aboutApi(version), access: config.access })
  const cookie = createSessionCookie({ maxAgeMs, publicUrl: config.publicUrl })

  if (config.metrics) await addMetrics(app, changes)
  await app.register(consoleRoutes(deps.consoleDirectory, accounts))
  await app.register(docsRoutes(describe, baseUrl))
  await app.register(healthRoutes(health), { prefix: '/api' })
  await app.register(authRoutes({ accounts, sessions, cookie, origins }), { prefix: '/api/auth' })
  await app.register(profileRoutes({ profile, preferences }), { prefix: '/api/settings' })
  await app.register(securityRoutes({ security, sessions, activity }), { prefix: '/api/settings/security' })
  await app.register(tokenRoutes({ tokens, feedTokens, invitations, security, baseUrl }), {
    prefix: '/api/settings',
  })
  await app.register(dataRoutes({ security, activity, exportAll, sample, deletion }), {
    prefix: '/api/settings',
  })
  await app.register(calendarRoutes({ events, calendar }), { prefix: '/api/calendar' })
  await app.register(
    icalendarRoutes({ importing: calendarImport, exporting: calendarExport, timezone: zoneOfInstance }),
    { prefix: '/api/calendar' },
  )
  await app.ready()

  return {
    http: app,
    routes: routes as RouteTable,
    describe,
    baseUrl,
    jobs,
    changes,
    rooms: { accounts, tokens, sample, twoFactor, preferences },
    /** Lets what runs finish, then lets go of everything. */
    async close(): Promise<void> {
      health.beginDraining()
      await draining.drain(DRAIN_MS)
      await jobs.drain(DRAIN_MS)
      await database.close()
    },
  }
}

const aboutApi = (version: string) => ({
  title: 'Factotum',
  version,
  description: "One person's mail, tasks, calendar, bookings and live stream, behind one API.",
  tags: TAGS,
})

const hostOf = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host

const portOf = (app: FastifyInstance, configured: number): number => {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : configured
}
