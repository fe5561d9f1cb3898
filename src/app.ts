import type { FastifyInstance } from 'fastify'
import type { Config } from './config/config.ts'
import type { Database } from './database/database.ts'
import { createActions } from './features/actions/actions.ts'
import { actionsPart } from './features/actions/data-part.ts'
import { actionRoutes } from './features/actions/routes.ts'
import { createAssistantRoom } from './features/ai/assistant/room.ts'
import { createIntelligenceRoom } from './features/ai/intelligence/room.ts'
import { createRepliesRoom } from './features/ai/replies/room.ts'
import { type AiProviders, createAiRoom } from './features/ai/room.ts'
import type { Passwords } from './features/auth/passwords.ts'
import { createAuthRoom } from './features/auth/room.ts'
import { createBillingRoom, type PaymentProviders } from './features/billing/room.ts'
import { type BookingProviders, createBookingsRoom } from './features/bookings/room.ts'
import { createBriefingRoom } from './features/briefing/room.ts'
import { createCalendarRoom } from './features/calendar/room.ts'
import { type CalendarServers, createCalendarAccountsRoom } from './features/calendar-accounts/room.ts'
import { consoleRoutes, readConsole } from './features/console/routes.ts'
import { createDashboard } from './features/dashboard/dashboard.ts'
import { dashboardRoutes } from './features/dashboard/routes.ts'
import { createTagList } from './features/dashboard/tags.ts'
import { createEmailsRoom } from './features/emails/room.ts'
import { createHealth } from './features/health/health.ts'
import { healthRoutes } from './features/health/routes.ts'
import { createWriteChecks } from './features/health/write-checks.ts'
import { defineHousekeeping } from './features/housekeeping/jobs.ts'
import { jobRoutes } from './features/jobs/routes.ts'
import { liveRoutes } from './features/live/routes.ts'
import { createMailAccountsRoom, type MailServers } from './features/mail-accounts/room.ts'
import { createNotificationsRoom } from './features/notifications/room.ts'
import { createAccountsPart } from './features/settings/data/accounts-part.ts'
import { createDataRoom } from './features/settings/data/room.ts'
import { createSettingsRoom } from './features/settings/room.ts'
import { createStreamRoom } from './features/stream/room.ts'
import { createSystemMail } from './features/system-mail/recognition.ts'
import type { MailTasks } from './features/tasks/mail-tasks.ts'
import { createTasksRoom } from './features/tasks/room.ts'
import { createWebhooksRoom } from './features/webhooks/room.ts'
import { createWorkflowRoom } from './features/workflow/room.ts'
import { type Caller, userIdOf } from './platform/access/caller.ts'
import { createBlobs } from './platform/blobs/blobs.ts'
import { createChanges } from './platform/changes.ts'
import type { Clock } from './platform/clock.ts'
import { docsRoutes } from './platform/docs/routes.ts'
import { addMetrics } from './platform/http/metrics.ts'
import { describeApi, type OpenApiDocument } from './platform/http/openapi.ts'
import type { RequestLimits } from './platform/http/request-limits.ts'
import type { RouteTable } from './platform/http/route-table.ts'
import { createServer } from './platform/http/server.ts'
import { openJobs } from './platform/jobs/open.ts'
import { createLiveEvents } from './platform/live/live.ts'
import type { Logger } from './platform/log.ts'
import { createOutbound, type Outbound } from './platform/outbound/outbound.ts'
import type { Door, Platform } from './platform/platform.ts'
import type { Random } from './platform/random.ts'
import { deriveKeys } from './platform/secrets/keys.ts'
import { createMailSignature } from './platform/secrets/mail-signature.ts'
import { createSealer } from './platform/secrets/seal.ts'
import { systemTimeZone } from './platform/time.ts'
import { createWorkerPool, type WorkerPool } from './platform/workers/worker-pool.ts'

/** The outside world. */
export interface Deps extends MailServers, CalendarServers, AiProviders, BookingProviders, PaymentProviders {
  database: Database
  clock: Clock
  random: Random
  log: Logger
  /** What everything secret is derived from. */
  secretKey: string
  version: string
  /** Where the built console lies. */
  consoleDirectory: string
  /** Another way out than the guarded client on the network. */
  outbound?: Outbound
  /** Other than those that take as long to guess as we promised. */
  passwords?: Passwords
  /** Tests give one with other limits. */
  workers?: WorkerPool
  /** Gives memory back to the system; called after large inputs were read. */
  releaseMemory?: () => void
  /** Other limits than those that ship. */
  requestLimits?: RequestLimits
}

const TAGS = [
  { name: 'Authentication', description: 'Register, sign in, stay signed in, sign out.' },
  { name: 'Calendar', description: 'Events, in every time zone; calendar files and feeds; free time.' },
  { name: 'Booking provider', description: 'What others book with you, as events in your calendar.' },
  { name: 'Tasks', description: 'What is to be done, by when, and time in the calendar for it.' },
  { name: 'Actions', description: 'What was done for you rather than by you, and how to take it back.' },
  { name: 'Notifications', description: 'What you were told of, to be read and put away.' },
  { name: 'Live events', description: 'What happens, told as it happens.' },
  { name: 'Jobs', description: 'What is done in the background, and what could not be done.' },
  { name: 'Health and statistics', description: 'How the service is, and how things stand.' },
  { name: 'Emails', description: 'Mail: stored, found, read, tagged, in its conversations.' },
  {
    name: 'Stream features',
    description: 'Going live: state, captions, milestones, and what the overlay shows.',
  },
  { name: 'Briefing', description: 'What a day is about, over all of it.' },
  { name: 'Workflow', description: 'What workflows of other programs call: audits, templates, the model.' },
  {
    name: 'AI',
    description:
      'Models and keys, the assistant, what mails are about; with no model, by the engine that is built in.',
  },
  {
    name: 'Settings',
    description: 'Your profile, what guards it, and your data. Always for someone signed in.',
  },
] as const

const DRAIN_MS = 10_000

export type App = Awaited<ReturnType<typeof buildApp>>

const openPlatform = async (
  config: Config,
  { database, clock, random, log, version, secretKey, outbound, workers, releaseMemory }: Deps,
  baseUrl: () => string,
) => {
  const { db } = database
  const keys = deriveKeys(secretKey)
  const previousKeys = config.secretKeyPrevious === null ? null : deriveKeys(config.secretKeyPrevious)
  const platform: Platform = {
    ...{ database, db, clock, random, log, baseUrl },
    sealer: createSealer(keys, previousKeys, random),
    changes: createChanges({ database, clock, log }),
    live: createLiveEvents({ database, log }),
    jobs: await openJobs({ database, clock, random, log }),
    outbound:
      outbound ??
      createOutbound({
        allow: config.outboundAllow,
        typedMayBePrivate: config.access === 'open',
        userAgent: `Factotum/${version}`,
      }),
    workers: workers ?? createWorkerPool({ releaseMemory }),
    blobs: createBlobs({
      ...{ database, dataDir: config.dataDir, clock, random, log },
      uses: [
        { table: 'emails', column: 'rawBlob' },
        { table: 'attachments', column: 'blob' },
      ],
    }),
  }
  return {
    platform,
    signingKey: keys.signing,
    browserKey: keys.browsers,
    signature: createMailSignature(keys, previousKeys),
  }
}

/** The wiring diagram, top to bottom: platform, rooms, doors. Each room wires its own inside in its room.ts. */
export const buildApp = async (config: Config, deps: Deps) => {
  const { database, clock, random, log, version } = deps
  const baseUrl = (): string =>
    config.publicUrl ?? `http://${hostOf(config.host)}:${portOf(app, config.port)}`
  const { platform, signingKey, browserKey, signature } = await openPlatform(config, deps, baseUrl)
  const { db, changes, live, jobs, outbound, workers } = platform
  const timezone = (): string => config.timezone ?? systemTimeZone()

  // Rooms
  const auth = createAuthRoom(platform, config, {
    signingKey,
    browserKey,
    timezone,
    passwords: deps.passwords,
  })
  const { activity, accounts } = auth
  const settings = createSettingsRoom(platform, auth, timezone)
  const { preferences, security } = settings
  const habits = preferences.ofInstance
  const zoneOfInstance = async (): Promise<string> => (await habits()).timezone
  const actions = createActions({ db, clock, changes })
  const systemMail = createSystemMail({ db, signature, resets: auth.resetSearch })
  const mail = createEmailsRoom(platform, {
    ...{ timezone: zoneOfInstance, actions, activity, systemMail },
    tasks: (): MailTasks => tasks.mailTasks,
    version,
  })
  const calendar = createCalendarRoom(platform, { habits, actions, hasEmail: mail.emails.hold })
  const calendarAccounts = createCalendarAccountsRoom(platform, deps, {
    ...{ activity, mirrored: calendar.mirrored, conflicts: calendar.conflicts, version },
    readCalendar: calendar.readText,
  })
  const bookings = createBookingsRoom(platform, deps, {
    ...{ activity, events: calendar.booked, version },
    ...{ environment: config.bookingsvc, timezone: zoneOfInstance },
  })
  const mailAccounts = createMailAccountsRoom(platform, deps, {
    ...{ activity, emails: mail.emails, attachments: mail.attachments },
    ...{ settings: config.mailOauth, timezone: zoneOfInstance },
    ...{ signature, systemSender: config.systemSender },
  })
  const passwordReset = auth.createPasswordReset(mailAccounts.letters, mailAccounts.mailboxes)
  const tasks = createTasksRoom(platform, {
    ...{ preferences, actions, agenda: calendar.agenda },
    origins: { hasEmail: mail.emails.hold, hasEvent: calendar.agenda.has },
  })
  const webhooks = createWebhooksRoom(platform, { activity, timezone: zoneOfInstance })
  const notifications = createNotificationsRoom(platform, {
    ...{ activity, isFamiliar: auth.isFamiliar, post: mailAccounts.personalPost },
    countEndpoints: webhooks.webhooks.countHearing,
  })
  const ai = createAiRoom(platform, deps, { settings: config.ai, activity, timezone: zoneOfInstance })
  const billing = createBillingRoom(platform, deps, {
    ...{ settings: config.stripe, activity, timezone: zoneOfInstance },
    sources: { ai: ai.usagePerDay, messages: mailAccounts.synced.perDay },
  })
  const intelligence = createIntelligenceRoom(platform, {
    ...{ analyses: mail.analyses, mailTasks: tasks.mailTasks },
    ...{ timezone: zoneOfInstance, consulting: ai.consulting },
  })
  const replies = createRepliesRoom(platform, {
    ...{ reading: intelligence.reading, calendar: calendar.calendar, consulting: ai.consulting },
    ...{ senders: mailAccounts.post.accounts, ownerName: accounts.ownerName },
  })
  const stream = createStreamRoom(platform, {
    habits,
    counts: {
      tasks_completed: tasks.countCompleted,
      bookings: calendar.countBooked,
      emails_received: mail.countReceived,
    },
  })
  const workflow = createWorkflowRoom(platform, {
    timezone: zoneOfInstance,
    ...{ modelStatus: ai.models.current, reword: ai.rewordAudit, answers: ai.answers },
  })

  // Over all rooms
  const dashboard = createDashboard({
    clock,
    preferences: habits,
    emails: mail.figures,
    events: calendar.figures,
    bookings: bookings.figures,
    tasks: tasks.figures,
    ai: ai.figures,
  })
  const briefing = createBriefingRoom(platform, {
    ...{ habits, events: calendar.briefed, tasks: tasks.briefed, mail: mail.briefed },
    ownAddresses: mailAccounts.addresses,
    analyzeMail: intelligence.analyzeMail,
  })
  const ownAddresses = async (caller: Caller): Promise<ReadonlySet<string>> => {
    const email = await accounts.emailOf(userIdOf(caller))
    const addresses = await mailAccounts.addresses()
    return email === null ? addresses : addresses.add(email.toLowerCase())
  }
  const assistant = createAssistantRoom(platform, {
    ...{ asking: ai.asking, timezone: zoneOfInstance, drafting: replies.drafting, version },
    rooms: {
      ...{ tasks: tasks.tasks, events: calendar.events, calendar: calendar.calendar, dashboard, actions },
      guests: calendar.guests,
      ownAddresses,
      ...{ emails: mail.emails, finding: mail.finding, outbox: mailAccounts.outbox },
      briefing: briefing.briefing,
      traces: { emailTags: mail.tagsOf, tasksOfEvents: tasks.ofEvents },
    },
  })
  const listTags = createTagList({ emails: mail.usedTags, tasks: tasks.usedTags })
  const parts = [
    ...[createAccountsPart(platform), calendar.part, tasks.part, actionsPart, mail.part, mailAccounts.part],
    ...[
      calendarAccounts.part,
      bookings.part,
      stream.part,
      webhooks.part,
      ai.part,
      billing.part,
      notifications.part,
    ],
  ]
  const data = createDataRoom(platform, auth, { security, parts, version, dataDir: config.dataDir })
  const writes = createWriteChecks({ database, blobs: platform.blobs, clock })
  const health = createHealth({ database, clock, version, checkWrites: writes.read })
  defineHousekeeping(jobs, {
    ...{ ai, assistant, data, billing, synced: mailAccounts.synced },
    ...{ database, clock, changes, ...auth, passwordReset, actions, emails: mail.emails },
    ...{ deliveries: webhooks.deliveries, inbox: notifications.inbox },
  })

  // Doors
  const onlyThisMachine = config.access === 'open' && !config.accessIsExplicit
  const built = readConsole(deps.consoleDirectory)
  const { app, routes, origins, draining } = await createServer(
    { ...config, onlyThisMachine },
    {
      db,
      processLock: database.processLock,
      onFailure: writes.note,
      clock,
      random,
      log,
      credentials: auth.credentials,
      noPage: built?.noPage,
      requestLimits: deps.requestLimits,
    },
  )
  const describe = (): OpenApiDocument =>
    describeApi(routes, { ...aboutApi(version), access: config.access, publicUrl: config.publicUrl })
  if (config.metrics) await addMetrics(app, changes)
  await app.register(consoleRoutes(built, accounts))
  await app.register(docsRoutes(describe, baseUrl))
  const doors: Door[] = [
    { prefix: '/api', routes: healthRoutes(health) },
    ...auth.doors(origins, passwordReset),
    ...tasks.doors,
    { prefix: '/api/actions', routes: actionRoutes(actions) },
    ...settings.doors,
    ...data.doors,
    ...calendar.doors({ desk: mail.desk, post: mailAccounts.post, holdPushes: calendarAccounts.holdPushes }),
    { prefix: '/api', routes: dashboardRoutes(dashboard, listTags) },
    { prefix: '/api', routes: liveRoutes(live) },
    { prefix: '/api/jobs', routes: jobRoutes(jobs) },
    ...mail.doors({
      outbox: mailAccounts.outbox,
      askToSend: assistant.askToSend,
      isPhishing: intelligence.isPhishing,
    }),
    ...mailAccounts.doors,
    ...calendarAccounts.doors,
    ...ai.doors,
    ...assistant.doors,
    ...webhooks.doors,
    ...notifications.doors,
    ...bookings.doors,
    ...billing.doors,
    ...intelligence.doors,
    ...replies.doors,
    ...stream.doors,
    ...briefing.doors,
    ...workflow.doors,
  ]
  for (const { prefix, routes: plugin } of doors) await app.register(plugin, { prefix })
  await app.ready()

  return {
    http: app,
    routes: routes as RouteTable,
    describe,
    baseUrl,
    jobs,
    syncing: mailAccounts.syncing,
    sending: webhooks.sending,
    changes,
    live,
    workers,
    rooms: {
      ...{
        accounts,
        activityLog: auth.activityLog,
        tokens: auth.tokens,
        twoFactor: auth.twoFactor,
        sample: data.sample,
        dataParts: parts,
        preferences,
      },
      aiKeys: ai.keys,
      aiModels: ai.models,
      webhooks: webhooks.webhooks,
      ...{ emails: mail.emails, unreadableEmails: mail.unreadable },
      ...{ mailAccounts: mailAccounts.accounts, bookings: bookings.settings },
      calendarAccounts: calendarAccounts.accounts,
      streamCredentials: stream.credentials,
    },
    /** Lets what runs finish, then lets go of everything. */
    async close(): Promise<void> {
      health.beginDraining()
      await assistant.close()
      live.close()
      await draining.drain(DRAIN_MS)
      await ai.settled()
      await mailAccounts.syncing.stop()
      await webhooks.sending.stop()
      await bookings.sync.stop()
      await jobs.drain(DRAIN_MS)
      await stream.counting.stop()
      await outbound.close()
      await workers.close()
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
