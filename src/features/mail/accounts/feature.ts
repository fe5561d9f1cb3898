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

/** The credentials and addresses of mail accounts. The calendar accounts of a provider use its tokens too. */
export const createMailLogins = (
  platform: Platform,
  { activity, settings }: { activity: Activity; settings: OauthSettings },
) => {
  const redirectUri = (): string => `${platform.baseUrl()}${PREFIX}/oauth/callback`
  const tokenProvider = createTokenProvider(platform)
  const clients = createOauthClients({ ...platform, activity, settings, redirectUri })
  return {
    redirectUri,
    tokenProvider,
    clients,
    logins: createLogins({ ...platform, clients, tokenProvider }),
    /** The user's own addresses, in lower case. */
    addressesOf: async (userId: number): Promise<Set<string>> =>
      new Set(
        (await listOwnAddresses(platform.db, userId, MAX_ADDRESSES))
          .flatMap((account) => listIdentities({ ...account, senderName: '' }))
          .map(({ address }) => address.toLowerCase()),
      ),
  }
}

export const createMailAccountsFeature = (
  platform: Platform,
  servers: MailServers,
  needs: {
    activity: Activity
    emails: Emails
    editor: EmailEditor
    attachments: Attachments
    mailLogins: ReturnType<typeof createMailLogins>
    calendars: ProviderCalendars
    signature: MailSignature
    systemSender: SystemSender | null
    zoneOf: (userId: number) => Promise<string>
    languageOf: LanguageOf
  },
) => {
  const { db, clock, jobs, outbound, quota, baseUrl } = platform
  const { activity, emails, editor, attachments, zoneOf, languageOf, signature, systemSender } = needs
  const { clients, logins, tokenProvider, redirectUri } = needs.mailLogins
  const openMailbox = servers.mailbox(outbound.resolve)
  const transport = servers.transport(outbound.resolve)
  const synced = createSyncedCount({ db, clock, zoneOf })
  const syncing = createSyncing({
    ...platform,
    store: emails,
    logins,
    openMailbox,
    countSynced: synced.add,
    hasSpace: quota.hasSpace,
    languageOf,
  })
  const { wake } = syncing
  emails.onLocalChange(createLocalChanges({ clock, wake }))
  const outbox = createOutbox({ ...platform, editor, emails, zoneOf, openAttachment: attachments.open })
  /** Sanitizes HTML that belongs to no email, such as a signature. */
  const sanitize = async (html: string): Promise<string | null> => (await editor.prepare({ html })).htmlOf(0)
  const requestSentCopy = createSentCopies({ clock, wake })
  defineSendJobs(
    jobs,
    createDelivery({ ...platform, emails, outbox, logins, transport, requestSentCopy, languageOf }),
  )
  const unsent = createUnsent({ ...platform, emails, requestSentCopy })
  const onChange = (accountId: string): void => afterCommit(() => wake(accountId))
  const requestSending = createSendRequests(jobs)
  const accounts = createMailAccounts({ ...platform, activity, sanitize, onChange, requestSending })
  const folders = createFolders({ db, accounts, logins, openMailbox, languageOf, emails })
  const connectionTest = createConnectionTest({ openMailbox, transport, accounts, logins, languageOf })
  const autoconfig = createAutoconfig({
    outbound,
    dns: servers.mailDns,
    hasOauth: async (name) => (await clients.find(name)) !== undefined,
  })
  const signIn = createSignIn({
    ...platform,
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
    ...platform,
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
  return {
    accounts,
    folders,
    oauthClients: clients,
    syncing,
    synced,
    outbox: { ...outbox, ...unsent },
    systemMailer,
    instanceMail,
    mailboxes,
    personalPost: createNotificationMailer({
      ...platform,
      logins,
      transport,
      signature,
      systemSender,
      languageOf,
    }),
    post: createInvitationReplyMailer({ outbox }),
    part: createMailAccountsPart({ ...platform, sanitize }),
    routes,
  }
}
