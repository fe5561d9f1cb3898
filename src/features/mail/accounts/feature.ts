import { afterCommit } from '../../../database/transaction.ts'
import type { LanguageOf } from '../../../platform/language.ts'
import type { Outbound } from '../../../platform/outbound/port.ts'
import type { FeatureRoutes, Platform } from '../../../platform/platform.ts'
import type { MailSignature } from '../../../platform/secrets/signatures.ts'
import type { Activity } from '../../auth/activity.ts'
import type { ConnectedMailboxes } from '../../auth/auth-mail.ts'
import { updateSync } from '../../remote-accounts/repository.ts'
import { createFolders } from '../folders/folders.ts'
import { folderRoutes } from '../folders/routes.ts'
import type { Attachments } from '../messages/attachments.ts'
import type { EmailEditor } from '../messages/email-writer.ts'
import type { Emails } from '../messages/emails.ts'
import { createDelivery, defineSendJobs } from '../outbox/delivery.ts'
import {
  createInvitationReplyMailer,
  createNotificationMailer,
  createSystemMailer,
  type SystemSender,
} from '../outbox/mailers.ts'
import { createOutbox, createUnsent } from '../outbox/outbox.ts'
import { createSendRequests, createSentCopies } from '../outbox/send-requests.ts'
import { createLocalChanges } from '../sync/pushes.ts'
import { createSyncing } from '../sync/scheduler.ts'
import { createSyncedCount } from '../sync/synced-count.ts'
import { createMailAccounts, listIdentities } from './accounts.ts'
import { createAutoconfig, type MailDns } from './autoconfig/autoconfig.ts'
import { createConnectionTest } from './connection-test.ts'
import { createMailAccountsPart } from './data-part.ts'
import type { OpenMailbox, Transport } from './ports.ts'
import { findSyncedAccount, listOwnAddresses } from './repository.ts'
import { mailAccountRoutes, mailServerRoutes, oauthClientRoutes, signInRoutes } from './routes.ts'
import { createOauthClients } from './sign-in/clients.ts'
import { createTokenProvider, type OauthSettings } from './sign-in/providers.ts'
import { createLogins, createSignIn, type ProviderCalendars } from './sign-in/sign-in.ts'

/** Factories for IMAP and SMTP connections. `resolve` checks each address before a connection is opened. */
export interface MailServers {
  mailbox: (resolve: Outbound['resolve']) => OpenMailbox
  transport: (resolve: Outbound['resolve']) => Transport
  mailDns: MailDns
}

const PREFIX = '/api/settings/mail-accounts'
const MAX_ADDRESSES = 200

export const createMailAccountsFeature = (
  { db, clock, random, log, sealer, changes, jobs, outbound, quota, baseUrl }: Platform,
  servers: MailServers,
  needs: {
    activity: Activity
    emails: Emails
    editor: EmailEditor
    attachments: Attachments
    settings: OauthSettings
    calendars: ProviderCalendars
    signature: MailSignature
    systemSender: SystemSender | null
    zoneOf: (userId: number) => Promise<string>
    languageOf: LanguageOf
  },
) => {
  const { activity, emails, editor, attachments, settings, zoneOf, languageOf, signature, systemSender } =
    needs
  const openMailbox = servers.mailbox(outbound.resolve)
  const transport = servers.transport(outbound.resolve)
  const tokenProvider = createTokenProvider({ outbound, clock })
  const redirectUri = (): string => `${baseUrl()}${PREFIX}/oauth/callback`
  const clients = createOauthClients({ db, clock, sealer, activity, settings, redirectUri })
  const logins = createLogins({ db, clock, sealer, clients, tokenProvider })
  const synced = createSyncedCount({ db, clock, zoneOf })
  const syncing = createSyncing({
    db,
    clock,
    random,
    log,
    changes,
    store: emails,
    logins,
    openMailbox,
    countSynced: synced.add,
    hasSpace: quota.hasSpace,
    languageOf,
  })
  const { wake } = syncing
  emails.onLocalChange(createLocalChanges({ clock, wake }))
  const outbox = createOutbox({
    db,
    clock,
    random,
    jobs,
    editor,
    emails,
    zoneOf,
    quota,
    openAttachment: attachments.open,
  })
  /** Sanitizes HTML that belongs to no email, such as a signature. */
  const sanitize = async (html: string): Promise<string | null> => (await editor.prepare({ html })).htmlOf(0)
  const requestSentCopy = createSentCopies({ clock, wake })
  defineSendJobs(
    jobs,
    createDelivery({ db, clock, random, emails, outbox, logins, transport, requestSentCopy, languageOf }),
  )
  const unsent = createUnsent({ db, clock, jobs, emails, requestSentCopy })
  const onChange = (accountId: string): void => afterCommit(() => wake(accountId))
  const requestSending = createSendRequests(jobs)
  const accounts = createMailAccounts({
    db,
    clock,
    random,
    sealer,
    activity,
    sanitize,
    onChange,
    requestSending,
  })
  const folders = createFolders({ db, accounts, logins, openMailbox, languageOf, emails })
  const connectionTest = createConnectionTest({ openMailbox, transport, accounts, logins, languageOf })
  const autoconfig = createAutoconfig({
    outbound,
    dns: servers.mailDns,
    hasOauth: async (name) => (await clients.find(name)) !== undefined,
  })
  const signIn = createSignIn({
    db,
    clock,
    random,
    sealer,
    activity,
    clients,
    calendars: needs.calendars,
    tokenProvider,
    onChange,
    requestSending,
    redirectUri,
  })
  const isSecure = (): boolean => baseUrl().startsWith('https:')
  const routes: FeatureRoutes[] = [
    { prefix: '/api', plugin: folderRoutes(folders) },
    { prefix: PREFIX, plugin: mailAccountRoutes(accounts) },
    { prefix: PREFIX, plugin: mailServerRoutes({ accounts, connectionTest, autoconfig, languageOf }) },
    { prefix: `${PREFIX}/oauth`, plugin: signInRoutes({ signIn, isSecure, consoleUrl: baseUrl }) },
    { prefix: '/api/instance/oauth-clients', plugin: oauthClientRoutes(clients) },
  ]
  const { systemMailer, instanceMail } = createSystemMailer({
    db,
    clock,
    random,
    logins,
    transport,
    signature,
    systemSender,
  })
  const mailboxes: ConnectedMailboxes = {
    async findSynced(address) {
      const account = await findSyncedAccount(db, address, clock.now().toISOString())
      return account && { accountId: account.id, address: account.address }
    },
    async requestSync(accountId) {
      await updateSync(db, 'mail_sync', accountId, { requestedAt: clock.now().toISOString() })
      wake(accountId)
    },
  }
  /** The user's own addresses, in lower case. */
  const addresses = async (userId: number): Promise<Set<string>> =>
    new Set(
      (await listOwnAddresses(db, userId, MAX_ADDRESSES))
        .flatMap((account) => listIdentities({ ...account, senderName: '' }))
        .map(({ address }) => address.toLowerCase()),
    )
  return {
    accounts,
    folders,
    oauthClients: clients,
    tokens: logins,
    addresses,
    syncing,
    synced,
    outbox: { ...outbox, ...unsent },
    systemMailer,
    instanceMail,
    mailboxes,
    personalPost: createNotificationMailer({
      db,
      clock,
      logins,
      transport,
      signature,
      systemSender,
      languageOf,
    }),
    post: createInvitationReplyMailer({ outbox }),
    part: createMailAccountsPart({ sealer, sanitize }),
    routes,
  }
}
