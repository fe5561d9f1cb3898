import { createHash } from 'node:crypto'
import type { Db } from '../../../../database/db.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import type { SessionCaller, Visit } from '../../../../platform/access/caller.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { AppError, conflict, invalid, notFound } from '../../../../platform/errors.ts'
import { type Random, randomId, randomSecret } from '../../../../platform/random.ts'
import { digest, type Sealer } from '../../../../platform/secrets/seal.ts'
import type { Activity } from '../../../auth/activity.ts'
import { replaceSecret, updateAccount, updateSync } from '../../../remote-accounts/repository.ts'
import { type AccountSecret, createMailCredentials, imapTarget, smtpTarget } from '../accounts.ts'
import type { MailTarget } from '../ports.ts'
import { type AccountRecord, findAccount, findAccountOf, insertAccount } from '../repository.ts'
import {
  findOauthProvider,
  isDue,
  type OauthName,
  type OauthProvider,
  type OauthSettings,
  signedOut,
  type TokenProvider,
} from './providers.ts'

/** Decrypts the secret of an account when it is needed, and refreshes an OAuth token that expires soon. */
export const createLogins = (deps: {
  db: Db
  clock: Clock
  sealer: Sealer
  settings: OauthSettings
  tokenProvider: TokenProvider
}) => {
  const { db, clock } = deps
  const credentials = createMailCredentials(deps.sealer)

  const openFreshSecret = async (account: AccountRecord): Promise<AccountSecret> => {
    const secret = credentials.open(account.id, account.secret)
    if ('password' in secret || !isDue(secret, clock)) return secret
    const provider =
      account.signIn === 'password' ? undefined : findOauthProvider(deps.settings, account.signIn)
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
  }
}

export type Logins = ReturnType<typeof createLogins>

const STATE_TTL_MS = 10 * 60_000

interface SignInInput {
  provider: OauthName
  accountId?: string
  address?: string
}

const expiredError = () =>
  invalid('This sign-in was started in another browser, has expired or was already used. Start it again.')

export interface SignInDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  activity: Activity
  settings: OauthSettings
  tokenProvider: TokenProvider
  redirectUri: () => string
  onChange: (accountId: string) => void
}

/**
 * OAuth sign-in at the mail provider (RFC 6749 with PKCE, RFC 7636). The callback is valid once, in the
 * browser that started it, while its session exists. Otherwise a link could attach another person's mailbox
 * to an attacker's account.
 */
export const createSignIn = (deps: SignInDeps) => {
  const { db, clock, random, sealer, activity } = deps
  const requireProvider = (name: OauthName): OauthProvider => {
    const provider = findOauthProvider(deps.settings, name)
    if (!provider)
      throw conflict(
        `The sign-in with ${name} is not configured. Set MAIL_OAUTH_${name.toUpperCase()}_CLIENT_ID.`,
        'not_configured',
      )
    return provider
  }
  const toSealContext = (state: string): string => `oauth_states.verifier:${state}`

  const saveAccount = async (
    userId: number,
    provider: OauthProvider,
    address: string,
    accountId: string | null,
    tokens: { refreshToken: string; accessToken: string; expiresAt: string },
    visit: Visit,
  ): Promise<string> =>
    inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      const existing = accountId === null ? undefined : await findAccountOf(tx, userId, accountId)
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
        await updateAccount(tx, 'mail_accounts', id, { ...shared, username: address, smtpUsername: null })
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
      deps.onChange(id)
      return id
    })

  return {
    async begin(caller: SessionCaller, input: SignInInput) {
      const provider = requireProvider(input.provider)
      if (input.accountId !== undefined && !(await findAccountOf(db, caller.userId, input.accountId)))
        throw notFound('mail account')
      const [state, verifier, browser] = [randomSecret(random), randomSecret(random), randomSecret(random)]
      const now = clock.now()
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
            expiresAt: new Date(now.getTime() + STATE_TTL_MS).toISOString(),
          })
          .execute()
      })
      const url = new URL(provider.authUrl)
      const parameters = {
        client_id: provider.clientId,
        redirect_uri: deps.redirectUri(),
        response_type: 'code',
        scope: provider.scope,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...provider.extra,
        ...(input.address !== undefined && { login_hint: input.address }),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, browser, maxAgeMs: STATE_TTL_MS }
    },

    /** Returns the id of the connected account. */
    async finish(
      returned: { state: string; code?: string; error?: string },
      browser: string | undefined,
      visit: Visit,
    ): Promise<string> {
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
      const provider = requireProvider(row.provider)
      const verifier = sealer.open(row.verifier, toSealContext(state))
      const tokens = await deps.tokenProvider.exchange(provider, returned.code, verifier, deps.redirectUri())
      if (tokens.refreshToken === null || tokens.address === null)
        throw new AppError(
          'upstream',
          'upstream_failed',
          'The provider returned no email address or no refresh token.',
        )
      const { refreshToken, accessToken, expiresAt, address } = tokens
      return saveAccount(
        row.userId,
        provider,
        address,
        row.accountId,
        { refreshToken, accessToken, expiresAt },
        visit,
      )
    },
  }
}

export type SignIn = ReturnType<typeof createSignIn>
