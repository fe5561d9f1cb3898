import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { CHANGES } from './change-catalogue.ts'
import type { Config } from './config/config.ts'
import type { Steps } from './database/migrate.ts'
import { createAccountsPart } from './features/accounts/data/accounts-part.ts'
import { createAccountsFeature, createDataFeature } from './features/accounts/feature.ts'
import { createAssistantFeature } from './features/assistant/feature.ts'
import { createAuthFeature } from './features/auth/feature.ts'
import type { Passwords } from './features/auth/passwords.ts'
import { createBackupsFeature, type RunCommand } from './features/backups/feature.ts'
import { createBillingFeature, type PaymentProviders } from './features/billing/feature.ts'
import { type BookingProviders, createBookingsFeature } from './features/bookings/feature.ts'
import { createBriefingFeature } from './features/briefing/routes.ts'
import { createCalendarFeature } from './features/calendar/feature.ts'
import { type CalendarServers, createCalendarAccountsFeature } from './features/calendar/remote/feature.ts'
import { createCommitmentsFeature } from './features/commitments/feature.ts'
import { consoleRoutes, readConsole } from './features/console/routes.ts'
import { createContactsFeature } from './features/contacts/feature.ts'
import { createDashboardFeature } from './features/dashboard/feature.ts'
import { createCollectionLog, createDavFeature } from './features/dav/feature.ts'
import { createDemoFeature } from './features/demo/feature.ts'
import { createHealthFeature } from './features/health/feature.ts'
import { helpRoutes } from './features/help/routes.ts'
import { defineBlobMoves } from './features/housekeeping/blob-moves.ts'
import { defineHousekeeping } from './features/housekeeping/jobs.ts'
import { createUpgrades } from './features/housekeeping/upgrades.ts'
import { createImportsFeature } from './features/imports/feature.ts'
import { jobRoutes } from './features/jobs/routes.ts'
import { liveRoutes } from './features/live/routes.ts'
import {
  createMailAccountsFeature,
  createMailLogins,
  type MailServers,
} from './features/mail/accounts/feature.ts'
import { createMailFeature, createStoredMail } from './features/mail/feature.ts'
import { createMailAnalyzer } from './features/mail-analysis/engine-analysis.ts'
import { createMailAnalysisFeature, createRepliesFeature } from './features/mail-analysis/feature.ts'
import { ReservationMails } from './features/mail-analysis/reservation-mails.ts'
import { type AiProviders, createModelsFeature } from './features/models/feature.ts'
import { createNotificationsFeature } from './features/notifications/feature.ts'
import { createSharingFeature } from './features/sharing/feature.ts'
import { createStreamFeature } from './features/stream/feature.ts'
import { createSystemMail } from './features/system-mail/recognition.ts'
import { createTasksFeature } from './features/tasks/feature.ts'
import { createActionsPart } from './features/undo/data-part.ts'
import { createActions } from './features/undo/journal.ts'
import { actionRoutes } from './features/undo/routes.ts'
import { createWebhooksFeature } from './features/webhooks/feature.ts'
import { createWorkflowFeature } from './features/workflow/feature.ts'
import { userIdOf } from './platform/access/caller.ts'
import { apiInfo } from './platform/docs/api-info.ts'
import { docsRoutes } from './platform/docs/routes.ts'
import { toBasePath } from './platform/http/base-path.ts'
import { addFeatureRoutes } from './platform/http/feature-routes.ts'
import { addMetrics } from './platform/http/metrics.ts'
import { describeApi, type OpenApiDocument } from './platform/http/openapi.ts'
import type { RequestLimits } from './platform/http/request-limits.ts'
import type { RouteTable } from './platform/http/route-table.ts'
import { createServer } from './platform/http/server.ts'
import { openPlatform, type PlatformDeps } from './platform/open-platform.ts'
import { systemTimeZone } from './platform/time.ts'
import { TOOL_SCHEMAS } from './tool-schemas.ts'

/** External dependencies, which tests replace. */
export interface Deps
  extends PlatformDeps,
    MailServers,
    CalendarServers,
    AiProviders,
    BookingProviders,
    PaymentProviders {
  /** The directory of the built console. */
  consoleDirectory: string
  /** The directory of the built documentation site. */
  helpDirectory: string
  /** Replaces the password hashing of production. */
  passwords?: Passwords
  /** Runs a command of Factotum in its own process. */
  runCommand?: RunCommand
  /** Replaces the default limits. */
  requestLimits?: RequestLimits
  /** Tests pass the migrations of another version. */
  steps?: Steps
}

const DRAIN_MS = 10_000

export type App = Awaited<ReturnType<typeof buildApp>>

/** Creates the application: platform, features, routes. Each feature creates its own services. */
export const buildApp = async (config: Config, deps: Deps) => {
  const { database, version } = deps
  const baseUrl = (): string =>
    config.publicUrl ?? `http://${hostOf(config.host)}:${portOf(app, config.port)}`
  const { platform, signingKey, browserKey, signature } = await openPlatform(config, deps, {
    baseUrl,
    catalogue: CHANGES,
  })
  const { changes, live, jobs, outbound, workers } = platform
  const timezone = (): string => config.timezone ?? systemTimeZone()

  // Features
  const auth = createAuthFeature(platform, config, {
    signingKey,
    browserKey,
    timezone,
    passwords: deps.passwords,
  })
  const { activity } = auth
  const accounts = createAccountsFeature(platform, auth, timezone)
  const { preferences, security, zoneOf, languageOf } = accounts
  const actions = createActions(platform)
  const storedMail = createStoredMail(platform)
  const mailLogins = createMailLogins(platform, { activity, settings: config.mailOauth })
  const { sharing, routes: sharingRoutes } = createSharingFeature(platform, auth)
  const davLog = createCollectionLog(platform)
  const calendar = createCalendarFeature(platform, {
    habitsOf: preferences.get,
    actions,
    hasEmail: storedMail.has,
    sharing,
    createConferencingLink: preferences.createConferencingLink,
    davLog,
  })
  const tasks = createTasksFeature(platform, {
    preferences,
    actions,
    agenda: calendar.agenda,
    origins: { hasEmail: storedMail.has, hasEvent: calendar.agenda.has },
    sharing,
  })
  const contacts = createContactsFeature(platform, { actions })
  const ownAddressesOf = async (userId: number): Promise<ReadonlySet<string>> => {
    const email = await auth.accounts.emailOf(userId)
    const addresses = await mailLogins.addressesOf(userId)
    return email === null ? addresses : addresses.add(email.toLowerCase())
  }
  const commitments = createCommitmentsFeature(platform, {
    actions,
    zoneOf,
    preferences,
    analyses: storedMail.analyses,
    tasks: tasks.tasks,
    emailTags: storedMail.tagsOf,
    ownAddresses: ownAddressesOf,
    settleContacts: () => contacts.tally.settle(),
  })
  const reservationMails = new ReservationMails(platform)
  const mail = createMailFeature(platform, {
    mailQueues: [commitments.queue, reservationMails],
    zoneOf,
    contacts: contacts.tally,
    actions,
    activity,
    systemMail: createSystemMail({ db: platform.db, signature, resets: auth.resetSearch }),
    tasks: tasks.mailTasks,
    version,
    stored: storedMail,
  })
  const calendarAccounts = createCalendarAccountsFeature(platform, deps, {
    activity,
    mirrored: calendar.mirrored,
    store: calendar.store,
    conflicts: calendar.conflicts,
    version,
    readCalendar: calendar.readText,
    languageOf,
    tokens: mailLogins.logins,
  })
  const mailAccounts = createMailAccountsFeature(platform, deps, {
    activity,
    emails: mail.emails,
    editor: mail.editor,
    attachments: mail.attachments,
    mailLogins,
    calendars: calendarAccounts.providerCalendars,
    zoneOf,
    languageOf,
    signature,
    systemSender: config.systemSender,
  })
  const { systemMailer, mailboxes, outbox, post } = mailAccounts
  const passwordReset = auth.createPasswordReset(systemMailer, mailboxes)
  const bookings = createBookingsFeature(platform, deps, {
    activity,
    events: calendar.booked,
    version,
    environment: config.bookingsvc,
    zoneOf,
  })
  const fileImports = createImportsFeature(platform, {
    emails: mail.emails,
    readHead: mail.readHead,
    hasMailAccount: mail.hasAccount,
    contacts: contacts.importing,
    readCards: contacts.readCards,
    events: calendar.fileEvents,
    readEvents: calendar.fileEvents.read,
    requireCalendar: calendar.requireTarget,
    tasks: tasks.tasks,
    lists: tasks.lists,
    sections: tasks.sections,
    hasTaskList: (tx, userId, id) => tasks.lists.has(tx, userId, id),
    zoneOf,
    maxBytes: config.importLimitBytes,
  })
  const webhooks = createWebhooksFeature(platform, { activity, zoneOf })
  const notifications = createNotificationsFeature(platform, {
    activity,
    isFamiliar: auth.isFamiliar,
    post: mailAccounts.personalPost,
    countEndpoints: webhooks.webhooks.countNotificationEndpoints,
    notificationsOf: calendar.notificationsOf,
  })
  const models = createModelsFeature(platform, deps, { settings: config.ai, activity, zoneOf })
  const { structuredAnswers, answers } = models
  const billing = createBillingFeature(platform, deps, {
    settings: config.stripe,
    activity,
    zoneOf,
    sources: { ai: models.usagePerDay, messages: mailAccounts.synced.perDay },
  })
  const analyzeMail = createMailAnalyzer(platform.workers)
  const mailAnalysis = createMailAnalysisFeature(platform, {
    analyses: storedMail.analyses,
    mailTasks: tasks.mailTasks,
    reservationEvents: calendar.reservationEvents,
    reservationTasks: tasks.reservationTasks,
    reservationMails,
    zoneOf,
    languageOf,
    structuredAnswers,
    analyzeMail,
  })
  const { isPhishing } = mailAnalysis
  const replies = createRepliesFeature(platform, {
    engineAnalysis: mailAnalysis.engineAnalysis,
    calendar: calendar.calendar,
    structuredAnswers,
    senders: post.accounts,
    ownerName: () => auth.accounts.ownerName(),
  })
  const stream = createStreamFeature(platform, {
    habitsOf: preferences.get,
    counts: {
      tasks_completed: tasks.countCompleted,
      bookings: calendar.countBooked,
      emails_received: mail.countReceived,
    },
  })
  const workflow = createWorkflowFeature(platform, {
    zoneOf,
    modelStatus: models.models.current,
    structuredAnswers,
    languageOf,
    answers,
  })
  const dashboard = createDashboardFeature(platform, {
    preferences,
    mail,
    calendar,
    bookings,
    tasks,
    models,
  })
  const briefing = createBriefingFeature(platform, {
    preferences,
    calendar,
    tasks,
    mail,
    commitments,
    mailLogins,
    analyzeMail,
  })
  const { isScheduledByServer } = calendarAccounts
  const assistant = createAssistantFeature(platform, {
    modelRouter: models.modelRouter,
    zoneOf,
    replyDrafter: replies.replyDrafter,
    languageOf,
    version,
    services: {
      tasks: tasks.tasks,
      events: calendar.events,
      calendar: calendar.calendar,
      dashboard: dashboard.dashboard,
      actions,
      guests: calendar.guests,
      analyzeMail,
      reservations: mailAnalysis.reservations,
      listKnownReservations: mailAnalysis.listKnown,
      ownAddresses: (caller) => ownAddressesOf(userIdOf(caller)),
      emails: mail.emails,
      finding: mail.finding,
      outbox,
      briefing: briefing.briefing,
      contacts: contacts.contacts,
      commitments: commitments.commitments,
      mailRules: mail.rules,
      folders: mailAccounts.folders,
      mailingLists: {
        list: mail.mailingLists,
        unsubscriber: mail.createUnsubscriber({ outbox, isPhishing }),
      },
      planning: tasks.planning,
      taskLists: tasks.lists,
      comments: tasks.comments,
      timeEntries: tasks.timeEntries,
      calendars: calendar.calendars,
      inviting: calendar.createInviting({ mailer: post, isScheduledByServer }),
      bookings: { sync: bookings.sync, eventTypes: bookings.eventTypes },
      stream: { state: stream.state, streams: stream.streams },
      audits: workflow.audits,
      schemas: TOOL_SCHEMAS,
      traces: { emailTags: storedMail.tagsOf, tasksOfEvents: tasks.ofEvents },
    },
  })
  const dav = createDavFeature(platform, {
    log: davLog,
    backends: [calendar.davBackend],
    personOf: (account) => auth.accounts.profile(account),
    zoneOf,
  })
  const demo = createDemoFeature(platform, auth, {
    calendars: calendar.calendars,
    calendarStore: calendar.store,
    events: calendar.events,
    tasks: tasks.tasks,
    taskLists: tasks.lists,
    sharing,
    emails: mail.emails,
    forgetContacts: contacts.forgetContacts,
    synced: mailAccounts.synced,
    insertPastNotification: notifications.insertPastNotification,
  })
  const parts = [
    createAccountsPart(platform),
    demo.part,
    // Calendars refer to those of the calendar accounts.
    calendarAccounts.part,
    calendar.part,
    tasks.part,
    createActionsPart(actions),
    mail.part,
    mailAccounts.part,
    contacts.part,
    commitments.part,
    mailAnalysis.part,
    bookings.part,
    stream.part,
    webhooks.part,
    models.part,
    billing.part,
    notifications.part,
    fileImports.part,
    dav.part,
  ]
  const data = createDataFeature(platform, auth, {
    security,
    parts,
    version,
    dataDir: config.dataDir,
    instanceMail: mailAccounts.instanceMail,
    publicUrl: config.publicUrl,
  })
  const backups = createBackupsFeature(platform, { activity, zoneOf, security, config, deps })
  const health = createHealthFeature(platform, { version, lastProvenAt: backups.lastProvenAt })
  defineBlobMoves(platform)
  defineHousekeeping(platform, [
    auth.prune,
    passwordReset.prune,
    actions.prune,
    mail.emails.prune,
    models.prune,
    assistant.prune,
    billing.prune,
    mailAccounts.synced.settle,
    webhooks.deliveries.prune,
    data.prune,
    fileImports.prune,
    notifications.inbox.prune,
    davLog.prune,
    createUpgrades(platform, config, deps.steps).settle,
  ])

  // Routes
  const onlyThisMachine = config.access === 'open' && !config.accessIsExplicit
  const built = readConsole(deps.consoleDirectory, toBasePath(config.publicUrl))
  const { app, routes, origins, draining } = await createServer(
    { ...config, onlyThisMachine },
    {
      ...platform,
      processLock: database.processLock,
      onFailure: health.noteFailure,
      credentials: auth.credentials,
      noPage: built?.noPage,
      requestLimits: deps.requestLimits,
    },
  )
  const describe = (): Promise<OpenApiDocument> =>
    describeApi(routes, {
      ...apiInfo(version),
      access: config.access,
      publicUrl: config.publicUrl,
      catalogue: CHANGES,
    })
  if (config.metrics) await addMetrics(app, { ...platform, gauges: health.gauges })
  addFeatureRoutes(app, [
    { prefix: '', plugin: consoleRoutes(built, auth.accounts) },
    { prefix: '', plugin: docsRoutes(describe) },
    { prefix: '', plugin: helpRoutes({ directory: deps.helpDirectory, publicUrl: config.publicUrl }) },
    ...health.routes,
    ...auth.routes(origins, passwordReset),
    ...tasks.routes,
    { prefix: '/api/actions', plugin: actionRoutes(actions) },
    ...accounts.routes({
      invitationMailer: auth.createInvitationMailer(systemMailer),
      canSubscribe: calendar.canSubscribe,
      address: config,
    }),
    ...sharingRoutes,
    ...data.exportRoutes,
    ...demo.routes,
    ...data.routes,
    ...calendar.routes({
      invitationMail: mail.invitationMail,
      mailer: post,
      holdPushes: calendarAccounts.holdPushes,
      isScheduledByServer,
      isKnownContact: contacts.isKnownContact,
      suggestAddresses: async (userId, name, limit) =>
        (await contacts.contacts.suggest(userId, name, limit)).suggestions,
      ownAddresses: ownAddressesOf,
    }),
    ...dashboard.routes,
    { prefix: '/api', plugin: liveRoutes(platform) },
    { prefix: '/api/jobs', plugin: jobRoutes(platform.jobs, languageOf) },
    ...mail.routes({
      outbox,
      askToSend: assistant.askToSend,
      isPhishing,
      readCalendar: calendar.readText,
      readInvitation: calendar.readInvitation,
    }),
    ...mailAccounts.routes,
    ...contacts.routes,
    ...commitments.routes,
    ...calendarAccounts.routes,
    ...models.routes,
    ...assistant.routes,
    ...webhooks.routes,
    ...notifications.routes,
    ...bookings.routes,
    ...billing.routes,
    ...mailAnalysis.routes,
    ...replies.routes,
    ...stream.routes,
    ...briefing.routes,
    ...workflow.routes,
    ...fileImports.routes,
    ...backups.routes,
    ...dav.routes,
  ])
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
    features: {
      accounts: auth.accounts,
      actions,
      activityLog: auth.activityLog,
      tokens: auth.tokens,
      twoFactor: auth.twoFactor,
      sample: demo.sample,
      dataParts: parts,
      preferences,
      aiKeys: models.keys,
      aiModels: models.models,
      webhooks: webhooks.webhooks,
      emails: mail.emails,
      unreadableEmails: mail.unreadable,
      storedHtml: mail.storedHtml,
      mailAccounts: mailAccounts.accounts,
      oauthClients: mailAccounts.oauthClients,
      bookings: bookings.settings,
      calendarAccounts: calendarAccounts.accounts,
      calendarReminders: calendar.reminders,
      streamCredentials: stream.credentials,
      fileImports: fileImports.imports,
      backups: backups.backups,
      backupSchedules: backups.schedules,
    },
    /**
     * Waits for running work, then closes everything. During the delay, requests are answered but the health check
     * fails, so load balancers stop sending requests.
     */
    async close({ delayMs = 0 } = {}): Promise<void> {
      health.beginDraining()
      draining.announce()
      if (delayMs > 0) await setTimeout(delayMs)
      await assistant.close()
      live.close()
      await draining.drain(DRAIN_MS)
      await models.settled()
      await mailAccounts.syncing.stop()
      await webhooks.sending.stop()
      await bookings.sync.stop()
      await jobs.drain(DRAIN_MS)
      await platform.blobs.close()
      await stream.milestoneCounter.stop()
      await outbound.close()
      await workers.close()
      await database.close()
    },
  }
}

const hostOf = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host

const portOf = (app: FastifyInstance, configured: number): number => {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : configured
}
