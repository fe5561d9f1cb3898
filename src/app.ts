import { availableParallelism } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { emailWords } from './database/email-words.ts'
import { afterCommit } from './database/transaction.ts'
import { createActions } from './features/actions/actions.ts'
import { actionsPart } from './features/actions/data-part.ts'
import { actionRoutes } from './features/actions/routes.ts'
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
import { createMailedEvents } from './features/calendar/by-mail/from-email.ts'
import { createRespond } from './features/calendar/by-mail/respond.ts'
import { meetingMailRoutes } from './features/calendar/by-mail/routes.ts'
import { createTargets } from './features/calendar/by-mail/targets.ts'
import { createCalendar } from './features/calendar/calendar.ts'
import { createCalendarPart } from './features/calendar/calendar-part.ts'
import { createEvents } from './features/calendar/events.ts'
import { createExpansion } from './features/calendar/expansion.ts'
import { createExport as createCalendarExport } from './features/calendar/export.ts'
import { createEventFigures } from './features/calendar/figures.ts'
import { createFocusBlocks } from './features/calendar/focus-blocks.ts'
import { icalendarRoutes } from './features/calendar/icalendar/routes.ts'
import { createImport as createCalendarImport } from './features/calendar/import.ts'
import { createBatchWriter } from './features/calendar/import-batch.ts'
import { defineCalendarJobs } from './features/calendar/jobs.ts'
import { createOccurrences } from './features/calendar/occurrences.ts'
import { createReminders } from './features/calendar/reminders.ts'
import { calendarRoutes } from './features/calendar/routes.ts'
import { createSaving } from './features/calendar/saving.ts'
import { consoleRoutes } from './features/console/routes.ts'
import { createDashboard } from './features/dashboard/dashboard.ts'
import { dashboardRoutes } from './features/dashboard/routes.ts'
import { createAttachments } from './features/emails/attachments.ts'
import { createComposing } from './features/emails/composing.ts'
import { createEmailsPart } from './features/emails/data-part.ts'
import { deliveryRoutes } from './features/emails/delivery-routes.ts'
import { createEmails } from './features/emails/emails.ts'
import { createEmailFigures } from './features/emails/figures.ts'
import { createFiling } from './features/emails/filing.ts'
import { createFinding } from './features/emails/finding.ts'
import { createMeetingMail } from './features/emails/meeting-mail.ts'
import { emailRoutes } from './features/emails/routes.ts'
import { createHealth } from './features/health/health.ts'
import { healthRoutes } from './features/health/routes.ts'
import { defineHousekeeping } from './features/housekeeping/jobs.ts'
import { createMailAccounts } from './features/mail-accounts/accounts.ts'
import { createAutoconfig, type MailDns } from './features/mail-accounts/autoconfig/autoconfig.ts'
import { mailAccountsPart } from './features/mail-accounts/data-part.ts'
import type { OpenMailbox } from './features/mail-accounts/mailbox.ts'
import { createAnswerPost } from './features/mail-accounts/outbox/answer-post.ts'
import { createDelivery } from './features/mail-accounts/outbox/delivery.ts'
import { defineSending } from './features/mail-accounts/outbox/jobs.ts'
import { createOutbox } from './features/mail-accounts/outbox/outbox.ts'
import { mailAccountRoutes } from './features/mail-accounts/routes.ts'
import { createLogins } from './features/mail-accounts/sign-in/login.ts'
import { signInRoutes } from './features/mail-accounts/sign-in/routes.ts'
import { createSignIn } from './features/mail-accounts/sign-in/sign-in.ts'
import { createTokenDesk } from './features/mail-accounts/sign-in/tokens.ts'
import { createLocalChanges } from './features/mail-accounts/sync/local-changes.ts'
import { createSyncing } from './features/mail-accounts/sync/syncing.ts'
import type { Transport } from './features/mail-accounts/transport.ts'
import { createTrial } from './features/mail-accounts/trial.ts'
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
import { tasksPart } from './features/tasks/data-part.ts'
import { createTaskFigures } from './features/tasks/figures.ts'
import { planRoutes } from './features/tasks/plan-routes.ts'
import { createPlanning } from './features/tasks/planning.ts'
import { createTaskReminders } from './features/tasks/reminders.ts'
import { taskRoutes } from './features/tasks/routes.ts'
import { createTasks } from './features/tasks/tasks.ts'
import { createBlobs } from './platform/blobs/blobs.ts'
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
import { createOutbound, type Outbound } from './platform/outbound/outbound.ts'
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
  /** How mailboxes and mail servers are reached, at addresses that `resolve` has checked. */
  mailbox: (resolve: Outbound['resolve']) => OpenMailbox
  transport: (resolve: Outbound['resolve']) => Transport
  mailDns: MailDns
}

const TAGS = [
  { name: 'Authentication', description: 'Register, sign in, stay signed in, sign out.' },
  { name: 'Calendar', description: 'Events, in every time zone; calendar files and feeds; free time.' },
  { name: 'Tasks', description: 'What is to be done, by when, and time in the calendar for it.' },
  { name: 'Actions', description: 'What was done for you rather than by you, and how to take it back.' },
  { name: 'Health and statistics', description: 'How the service is, and how things stand.' },
  { name: 'Emails', description: 'Mail: stored, found, read, tagged, in its conversations.' },
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
  const outbound = createOutbound({
    allow: config.outboundAllow,
    typedMayBePrivate: config.access === 'open',
    userAgent: `Factotum/${version}`,
  })

  const blobs = createBlobs({
    ...{ database, dataDir: config.dataDir, clock, random, log },
    uses: [
      { table: 'emails', column: 'rawBlob' },
      { table: 'attachments', column: 'blob' },
    ],
  })

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
  const writeBatch = createBatchWriter({ saving, occurrences })
  const calendarImport = createCalendarImport({ db, clock, write: writeBatch, timezone: zoneOfInstance })
  const calendarExport = createCalendarExport({ db, clock })

  // Mail
  const fullText = emailWords(database.engine)
  const filing = createFiling({ blobs, fullText, clock, random, changes })
  const attachments = createAttachments({ db, blobs, clock, random })
  const composing = createComposing({ clock, blobs, fullText, filing, attachments, timezone: zoneOfInstance })
  const emails = createEmails({ db, clock, blobs, fullText, filing, composing, attachments })
  const finding = createFinding({ db, fullText, timezone: zoneOfInstance })

  // All data at once
  const parts = [
    accountsPart,
    createCalendarPart({ saving, calendarExport }),
    tasksPart,
    actionsPart,
    createEmailsPart({ emails, composing, blobs }),
    mailAccountsPart,
  ]
  const exportAll = createExport({ database, clock, log, version, parts })
  const deletion = createDeletion({ changes, parts })
  const sample = createSampleData({ db, clock, random, passwords, activity, parts })

  // Tasks, and what is done for the person
  const actions = createActions({ db, clock, changes })
  const reminders = createTaskReminders({ db, clock, changes, jobs })
  const agenda = createFocusBlocks({ saving, random })
  const tasks = createTasks({
    ...{ database, clock, changes, preferences, reminders },
    origins: { hasEvent: agenda.has },
  })
  const planning = createPlanning({ db, clock, preferences, agenda, actions })

  // Mail accounts
  const openMailbox = deps.mailbox(outbound.resolve)
  const transport = deps.transport(outbound.resolve)
  const tokenDesk = createTokenDesk({ outbound, clock })
  const settings = config.mailOauth
  const logins = createLogins({ db, clock, sealer, settings, tokenDesk })
  const syncing = createSyncing({ db, clock, random, log, filing: emails, logins, openMailbox })
  emails.onLocalChange(createLocalChanges({ clock, wake: syncing.wake }))
  const outbox = createOutbox({
    ...{ db, clock, random, jobs, emails },
    openAttachment: attachments.open,
    timezone: zoneOfInstance,
  })
  defineSending(
    jobs,
    createDelivery({ db, clock, random, emails, outbox, logins, transport, wake: syncing.wake }),
  )
  const onChange = (accountId: string): void => afterCommit(() => syncing.wake(accountId))
  const mailAccounts = createMailAccounts({ db, clock, random, sealer, activity, onChange })
  const trial = createTrial({ openMailbox, transport, accounts: mailAccounts, logins })
  const findServers = createAutoconfig({ outbound, dns: deps.mailDns })
  const redirectUri = (): string => `${baseUrl()}/api/settings/mail-accounts/oauth/callback`
  const signIn = createSignIn({
    db,
    clock,
    random,
    sealer,
    activity,
    settings,
    tokenDesk,
    redirectUri,
    onChange,
  })

  // Meetings by mail
  const desk = createMeetingMail({ blobs })
  const post = createAnswerPost({ outbox })
  const targets = createTargets({ saving, occurrences })
  const fromEmail = createMailedEvents({
    ...{ db, saving, targets, desk, post },
    write: writeBatch,
    timezone: zoneOfInstance,
  })
  const respond = createRespond({ db, clock, targets, desk, post })

  // Over all rooms
  const dashboard = createDashboard({
    clock,
    preferences: preferences.ofInstance,
    emails: createEmailFigures(db),
    events: createEventFigures(db),
    tasks: createTaskFigures(db),
  })

  // Background
  const health = createHealth({ database, clock, version, checks: {} })
  defineHousekeeping(jobs, { db, clock, changes, activity, attempts, sessions, invitations, actions, emails })
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
  await app.register(taskRoutes(tasks), { prefix: '/api/tasks' })
  await app.register(planRoutes(planning), { prefix: '/api/tasks' })
  await app.register(actionRoutes(actions), { prefix: '/api/actions' })
  await app.register(profileRoutes({ profile, preferences }), { prefix: '/api/settings' })
  await app.register(securityRoutes({ security, sessions, activity }), { prefix: '/api/settings/security' })
  await app.register(tokenRoutes({ tokens, feedTokens, invitations, security, baseUrl }), {
    prefix: '/api/settings',
  })
  await app.register(dataRoutes({ security, activity, exportAll, sample, deletion }), {
    prefix: '/api/settings',
  })
  await app.register(calendarRoutes({ events, calendar }), { prefix: '/api/calendar' })
  await app.register(meetingMailRoutes({ fromEmail, respond }), { prefix: '/api/calendar' })
  await app.register(
    icalendarRoutes({ importing: calendarImport, exporting: calendarExport, timezone: zoneOfInstance }),
    { prefix: '/api/calendar' },
  )
  await app.register(dashboardRoutes(dashboard), { prefix: '/api' })
  await app.register(emailRoutes({ emails, finding, attachments }), { prefix: '/api' })
  await app.register(deliveryRoutes(outbox), { prefix: '/api' })
  await app.register(mailAccountRoutes({ accounts: mailAccounts, trial, findServers }), {
    prefix: '/api/settings/mail-accounts',
  })
  await app.register(
    signInRoutes({ signIn, isSecure: () => baseUrl().startsWith('https:'), consoleUrl: baseUrl }),
    { prefix: '/api/settings/mail-accounts/oauth' },
  )
  await app.ready()

  return {
    http: app,
    routes: routes as RouteTable,
    describe,
    baseUrl,
    jobs,
    syncing,
    changes,
    rooms: { accounts, tokens, sample, twoFactor, preferences, emails, mailAccounts },
    /** Lets what runs finish, then lets go of everything. */
    async close(): Promise<void> {
      health.beginDraining()
      await draining.drain(DRAIN_MS)
      await syncing.stop()
      await jobs.drain(DRAIN_MS)
      await outbound.close()
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
