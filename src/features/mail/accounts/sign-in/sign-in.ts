import { createHash } from 'node:crypto'
import type { Db } from '../../../../database/db.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import type { SessionCaller, Visit } from '../../../../platform/access/caller.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { AppError, conflict, invalid, invalidField, notFound } from '../../../../platform/errors.ts'
import { type Random, randomId, randomSecret } from '../../../../platform/random.ts'
import { digest, type Sealer } from '../../../../platform/secrets/seal.ts'
import type { Activity } from '../../../auth/activity.ts'
import { replaceSecret, updateSync } from '../../../remote-accounts/repository.ts'
import type { RequestSending } from '../../outbox/send-requests.ts'
import { type AccountSecret, createMailCredentials, imapTarget, smtpTarget } from '../accounts.ts'
import type { MailTarget } from '../ports.ts'
import {
  type AccountRecord,
  accountRows,
  findAccount,
  findAccountByAddress,
  findAccountOf,
  insertAccount,
} from '../repository.ts'
import type { OauthClients } from './clients.ts'
import { isDue, type OauthName, type OauthProvider, signedOut, type TokenProvider } from './providers.ts'

/** Decrypts the secret of an account when it is needed, and refreshes an OAuth token that expires soon. */
export const createLogins = (deps: {
  db: Db
  clock: Clock
  sealer: Sealer
  clients: Pick<OauthClients, 'find'>
  tokenProvider: TokenProvider
}) => {
  const { db, clock } = deps
  const credentials = createMailCredentials(deps.sealer)

  /** `rejected` is a token that a server refused before it expired. */
  const openFreshSecret = async (account: AccountRecord, rejected?: string): Promise<AccountSecret> => {
    const secret = credentials.open(account.id, account.secret)
    if ('password' in secret || (!isDue(secret, clock) && secret.accessToken !== rejected)) return secret
    const provider = account.signIn === 'password' ? undefined : await deps.clients.find(account.signIn)
    if (!provider) throw signedOut(new Error('The client ID of the provider is no longer set.'))
    const renewed = await deps.tokenProvider.renew(provider, secret)
    const replacement = {
      id: account.id,
      before: account.secret,
      secret: credentials.seal(account.id, renewed),
    }
    const isReplaced = await inTransaction(db, (tx) => replaceSecret(tx, 'mail_accounts', replacement))
    if (isReplaced) return renewed
    // Another process renewed the token at the same time. Some providers then revoke the older token.
    const current = await findAccount(db, account.id)
    return current ? credentials.open(current.id, current.secret) : renewed
  }

  return {
    imap: async (account: AccountRecord): Promise<MailTarget> =>
      imapTarget(account, await openFreshSecret(account)),
    smtp: async (account: AccountRecord): Promise<MailTarget> =>
      smtpTarget(account, await openFreshSecret(account)),
    /** The access token of a user's account, for another server of its provider. */
    async accessToken(userId: number, accountId: string, rejected?: string): Promise<string> {
      const account = await findAccountOf(db, userId, accountId)
      const secret = account && (await openFreshSecret(account, rejected))
      if (!secret || 'password' in secret) throw signedOut(new Error('The mail account has no token.'))
      return secret.accessToken
    },
  }
}

export type Logins = ReturnType<typeof createLogins>

const STATE_TTL_MS = 10 * 60_000

interface SignInInput {
  provider: OauthName
  accountId?: string
  address?: string
  calendar?: boolean
}

/** Calendar accounts that use the tokens of a mail account. */
export interface ProviderCalendars {
  /** Adds the calendar account, or signs in again with the existing one. */
  connect(
    tx: Db,
    account: { userId: number; mailAccountId: string; address: string; url: string },
    visit: Visit,
  ): Promise<void>
  isConnected(view: Db, userId: number, mailAccountId: string): Promise<boolean>
}

export interface SignInResult {
  accountId: string
  /** The user asked for the calendars, but did not allow the access at the provider. */
  isCalendarDenied: boolean
}

const expiredError = () =>
  invalid('This sign-in was started in another browser, has expired or was already used. Start it again.')

export interface SignInDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  activity: Activity
  clients: Pick<OauthClients, 'find'>
  calendars: ProviderCalendars
  tokenProvider: TokenProvider
  redirectUri: () => string
  onChange: (accountId: string) => void
  requestSending: RequestSending
}

/**
 * OAuth sign-in at the mail provider (RFC 6749 with PKCE, RFC 7636). The callback is valid once, in the
 * browser that started it, while its session exists. Otherwise a link could attach another person's mailbox
 * to an attacker's account.
 */
export const createSignIn = (deps: SignInDeps) => {
  const { db, clock, random, sealer, activity } = deps
  const requireProvider = async (name: OauthName): Promise<OauthProvider> => {
    const provider = await deps.clients.find(name)
    if (!provider)
      throw conflict(
        `The sign-in with ${name} is not configured. The owner enters the client in the settings, or sets MAIL_OAUTH_${name.toUpperCase()}_CLIENT_ID.`,
        'not_configured',
      )
    return provider
  }
  const toSealContext = (state: string): string => `oauth_states.verifier:${state}`

  const saveAccount = async (
    { userId, accountId }: { userId: number; accountId: string | null },
    provider: OauthProvider,
    { address, hasCalendar }: { address: string; hasCalendar: boolean },
    tokens: { refreshToken: string; accessToken: string; expiresAt: string },
    visit: Visit,
  ): Promise<string> =>
    inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      // Without an id, a second sign-in to the same mailbox renews the account instead of adding it twice.
      const existing =
        accountId === null
          ? await findAccountByAddress(tx, userId, address, provider.name)
          : await findAccountOf(tx, userId, accountId)
      const id = existing?.id ?? randomId(random)
      const servers = {
        imap: JSON.stringify({ ...provider.imap, certificate: null }),
        smtp: JSON.stringify({ ...provider.smtp, certificate: null }),
      }
      const shared = {
        ...servers,
        signIn: provider.name,
        secret: createMailCredentials(sealer).seal(id, tokens),
        updatedAt: now,
      }
      if (existing) {
        if (existing.address.toLowerCase() !== address.toLowerCase())
          throw conflict(`You signed in as ${address}, but this account belongs to ${existing.address}.`)
        await accountRows.update(tx, existing, {
          ...shared,
          username: address,
          smtpUsername: null,
          // An imported account is turned off until its user signs in.
          enabled: 1,
        })
        await updateSync(tx, 'mail_sync', id, { requestedAt: now, status: 'waiting', error: null })
      } else
        await insertAccount(tx, {
          ...shared,
          id,
          userId,
          name: address,
          address,
          senderName: '',
          username: address,
          smtpUsername: null,
          enabled: 1,
          version: 1,
          createdAt: now,
        })
      const action = existing ? 'mail_account.changed' : 'mail_account.added'
      await activity.record(tx, userId, visit, action, { address, signIn: provider.name })
      if (hasCalendar && provider.calendar) {
        const calendar = { userId, mailAccountId: id, address, url: provider.calendar.toUrl(address) }
        await deps.calendars.connect(tx, calendar, visit)
      }
      if (existing) await deps.requestSending(tx, id)
      deps.onChange(id)
      return id
    })

  return {
    async begin(caller: SessionCaller, input: SignInInput) {
      const provider = await requireProvider(input.provider)
      if (input.calendar && !provider.calendar)
        throw invalidField('calendar', `must be false: calendars of ${provider.name} are not available yet`)
      if (input.accountId !== undefined && !(await findAccountOf(db, caller.userId, input.accountId)))
        throw notFound('mail account')
      const [state, verifier, browser] = [randomSecret(random), randomSecret(random), randomSecret(random)]
      const now = clock.now()
      // A new sign-in without this scope would take it away from the calendars that are already connected.
      const wantsCalendar =
        provider.calendar !== null &&
        (input.calendar ??
          (input.accountId !== undefined &&
            (await deps.calendars.isConnected(db, caller.userId, input.accountId))))
      await inTransaction(db, async (tx) => {
        await tx.deleteFrom('oauth_states').where('expiresAt', '<=', now.toISOString()).execute()
        await tx
          .insertInto('oauth_states')
          .values({
            state: digest(state),
            sessionId: caller.sessionId,
            userId: caller.userId,
            browser: digest(browser),
            provider: provider.name,
            accountId: input.accountId ?? null,
            verifier: sealer.seal(verifier, toSealContext(digest(state))),
            calendar: wantsCalendar ? 1 : 0,
            expiresAt: new Date(now.getTime() + STATE_TTL_MS).toISOString(),
          })
          .execute()
      })
      const url = new URL(provider.authUrl)
      const parameters = {
        client_id: provider.clientId,
        redirect_uri: deps.redirectUri(),
        response_type: 'code',
        scope: wantsCalendar ? `${provider.scope} ${provider.calendar?.scope}` : provider.scope,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...provider.extra,
        ...(input.address !== undefined && { login_hint: input.address }),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, browser, maxAgeMs: STATE_TTL_MS }
    },

    async finish(
      returned: { state: string; code?: string; error?: string },
      browser: string | undefined,
      visit: Visit,
    ): Promise<SignInResult> {
      const state = digest(returned.state)
      const row = await inTransaction(db, async (tx) => {
        const found = await tx
          .selectFrom('oauth_states')
          .selectAll()
          .where('state', '=', state)
          .executeTakeFirst()
        if (!found || browser === undefined || digest(browser) !== found.browser) throw expiredError()
        await tx.deleteFrom('oauth_states').where('state', '=', state).execute()
        return found
      })
      if (row.expiresAt <= clock.now().toISOString()) throw expiredError()
      if (returned.code === undefined)
        throw new AppError('forbidden', 'forbidden', 'The provider denied access to the mailbox.')
      const provider = await requireProvider(row.provider)
      const verifier = sealer.open(row.verifier, toSealContext(state))
      const tokens = await deps.tokenProvider.exchange(provider, returned.code, verifier, deps.redirectUri())
      if (tokens.refreshToken === null || tokens.address === null)
        throw new AppError(
          'upstream',
          'upstream_failed',
          'The provider returned no email address or no refresh token.',
        )
      const { refreshToken, accessToken, expiresAt, address, scope } = tokens
      // The consent page of Google lets the user refuse single permissions.
      const isGranted =
        scope === null || provider.calendar === null || scope.split(' ').includes(provider.calendar.scope)
      const accountId = await saveAccount(
        row,
        provider,
        { address, hasCalendar: row.calendar === 1 && isGranted },
        { refreshToken, accessToken, expiresAt },
        visit,
      )
      return { accountId, isCalendarDenied: row.calendar === 1 && !isGranted }
    },
  }
}

export type SignIn = ReturnType<typeof createSignIn>
