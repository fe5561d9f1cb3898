import { afterCommit } from '../../database/transaction.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Door, Platform } from '../../platform/platform.ts'
import type { MailSignature } from '../../platform/secrets/mail-signature.ts'
import type { Activity } from '../auth/activity.ts'
import type { ConnectedMailboxes } from '../auth/letters.ts'
import type { Attachments } from '../emails/attachments.ts'
import type { Emails } from '../emails/emails.ts'
import { createMailAccounts } from './accounts.ts'
import { createAutoconfig, type MailDns } from './autoconfig/autoconfig.ts'
import { createMailAccountsPart } from './data-part.ts'
import type { OpenMailbox } from './mailbox.ts'
import { createAnswerPost } from './outbox/answer-post.ts'
import { createCopies } from './outbox/copies.ts'
import { createDelivery } from './outbox/delivery.ts'
import { defineSending } from './outbox/jobs.ts'
import { createLetters } from './outbox/letters.ts'
import { createOutbox } from './outbox/outbox.ts'
import { createPersonalPost } from './outbox/personal-post.ts'
import type { SystemSender } from './outbox/system-sender.ts'
import { createUnsent } from './outbox/unsent.ts'
import { mailAccountRoutes } from './routes.ts'
import { createLogins } from './sign-in/login.ts'
import type { OauthSettings } from './sign-in/providers.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createTokenDesk } from './sign-in/tokens.ts'
import { findSyncedAccount, listOwnAddresses, updateSync } from './store.ts'
import { createLocalChanges } from './sync/local-changes.ts'
import { createSyncedCount } from './sync/synced-count.ts'
import { createSyncing } from './sync/syncing.ts'
import type { Transport } from './transport.ts'
import { createTrial } from './trial.ts'

/** How mailboxes and mail servers are reached, at addresses that `resolve` has checked. */
export interface MailServers {
  mailbox: (resolve: Outbound['resolve']) => OpenMailbox
  transport: (resolve: Outbound['resolve']) => Transport
  mailDns: MailDns
}

const PREFIX = '/api/settings/mail-accounts'
const MOST_ADDRESSES = 200

export const createMailAccountsRoom = (
  { db, clock, random, log, sealer, changes, jobs, outbound, baseUrl }: Platform,
  servers: MailServers,
  needs: {
    activity: Activity
    emails: Emails
    attachments: Attachments
    settings: OauthSettings
    signature: MailSignature
    systemSender: SystemSender | null
    timezone: () => Promise<string>
  },
) => {
  const { activity, emails, attachments, settings, timezone, signature, systemSender } = needs
  const openMailbox = servers.mailbox(outbound.resolve)
  const transport = servers.transport(outbound.resolve)
  const tokenDesk = createTokenDesk({ outbound, clock })
  const logins = createLogins({ db, clock, sealer, settings, tokenDesk })
  const synced = createSyncedCount({ db, clock, timezone })
  const syncing = createSyncing({
    ...{ db, clock, random, log, changes, filing: emails, logins, openMailbox },
    countSynced: synced.add,
  })
  const { wake } = syncing
  emails.onLocalChange(createLocalChanges({ clock, wake }))
  const outbox = createOutbox({
    ...{ db, clock, random, jobs, emails, timezone },
    openAttachment: attachments.open,
  })
  const askForCopy = createCopies({ clock, wake })
  defineSending(jobs, createDelivery({ db, clock, random, emails, outbox, logins, transport, askForCopy }))
  const unsent = createUnsent({ db, clock, jobs, emails, askForCopy })
  const onChange = (accountId: string): void => afterCommit(() => wake(accountId))
  const accounts = createMailAccounts({ db, clock, random, sealer, activity, onChange })
  const trial = createTrial({ openMailbox, transport, accounts, logins })
  const findServers = createAutoconfig({ outbound, dns: servers.mailDns })
  const signIn = createSignIn({
    ...{ db, clock, random, sealer, activity, settings, tokenDesk, onChange },
    redirectUri: () => `${baseUrl()}${PREFIX}/oauth/callback`,
  })
  const isSecure = (): boolean => baseUrl().startsWith('https:')
  const doors: Door[] = [
    { prefix: PREFIX, routes: mailAccountRoutes({ accounts, trial, findServers }) },
    { prefix: `${PREFIX}/oauth`, routes: signInRoutes({ signIn, isSecure, consoleUrl: baseUrl }) },
  ]
  const letters = createLetters({ db, clock, random, logins, transport, signature, systemSender })
  const mailboxes: ConnectedMailboxes = {
    async findSynced(address) {
      const account = await findSyncedAccount(db, address, clock.now().toISOString())
      return account && { accountId: account.id, address: account.address }
    },
    async requestSync(accountId) {
      await updateSync(db, accountId, { requestedAt: clock.now().toISOString() })
      wake(accountId)
    },
  }
  /** The person's own, in lower case. */
  const addresses = async (): Promise<Set<string>> =>
    new Set((await listOwnAddresses(db, MOST_ADDRESSES)).map(({ address }) => address.toLowerCase()))
  return {
    accounts,
    addresses,
    syncing,
    synced,
    outbox: { ...outbox, ...unsent },
    letters,
    mailboxes,
    personalPost: createPersonalPost({ db, clock, logins, transport, signature, systemSender }),
    post: createAnswerPost({ outbox }),
    part: createMailAccountsPart({ sealer }),
    doors,
  }
}
