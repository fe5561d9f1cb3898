import { createHash } from 'node:crypto'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { SessionCaller } from '../../../platform/access/caller.ts'
import type { Visit } from '../../../platform/access/visit.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError, conflict, invalid, notFound } from '../../../platform/errors.ts'
import { type Random, randomId, randomSecret } from '../../../platform/random.ts'
import { digest } from '../../../platform/secrets/digest.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Activity } from '../../auth/activity.ts'
import { sealSecret } from '../credentials.ts'
import { findAccountOf, insertAccount, updateAccount, updateSync } from '../store.ts'
import { findOauthProvider, type OauthName, type OauthProvider, type OauthSettings } from './providers.ts'
import type { TokenDesk } from './tokens.ts'

const LASTS_MS = 10 * 60_000

interface Wish {
  provider: OauthName
  accountId?: string
  address?: string
}

const expired = () =>
  invalid('This sign-in was not begun here, has ended, or was used already. Begin it again.')

export interface SignInDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  activity: Activity
  settings: OauthSettings
  tokenDesk: TokenDesk
  redirectUri: () => string
  onChange: (accountId: string) => void
}

/**
 * Signing in at the mailbox's provider (RFC 6749 with PKCE, RFC 7636). What comes back is taken only from the browser
 * that began, while the session that began is still there, and once: nobody can attach another's mailbox to
 * themselves by sending them a link.
 */
export const createSignIn = (deps: SignInDeps) => {
  const { db, clock, random, sealer, activity } = deps
  const providerOf = (name: OauthName): OauthProvider => {
    const provider = findOauthProvider(deps.settings, name)
    if (!provider)
      throw conflict(
        `Signing in with ${name} is not set up here: set MAIL_OAUTH_${name.toUpperCase()}_CLIENT_ID.`,
        'not_configured',
      )
    return provider
  }
  const contextOf = (state: string): string => `oauth_states.verifier:${state}`

  const file = async (
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
        secret: sealSecret(sealer, id, tokens),
        updatedAt: now,
      }
      if (existing) {
        if (existing.address.toLowerCase() !== address.toLowerCase())
          throw conflict(`You signed in as ${address}, and this account is ${existing.address}.`)
        await updateAccount(tx, id, { ...shared, username: address, smtpUsername: null })
        await updateSync(tx, id, { requestedAt: now, status: 'waiting', error: null })
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
    async begin(caller: SessionCaller, wish: Wish) {
      const provider = providerOf(wish.provider)
      if (wish.accountId !== undefined && !(await findAccountOf(db, caller.userId, wish.accountId)))
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
            accountId: wish.accountId ?? null,
            verifier: sealer.seal(verifier, contextOf(digest(state))),
            expiresAt: new Date(now.getTime() + LASTS_MS).toISOString(),
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
        ...(wish.address !== undefined && { login_hint: wish.address }),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, browser, lastsMs: LASTS_MS }
    },

    /** The id of the account that is connected then. */
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
        if (!found || browser === undefined || digest(browser) !== found.browser) throw expired()
        await tx.deleteFrom('oauth_states').where('state', '=', state).execute()
        return found
      })
      if (row.expiresAt <= clock.now().toISOString()) throw expired()
      if (returned.code === undefined)
        throw new AppError('forbidden', 'forbidden', 'The provider was not allowed to let us in.')
      const provider = providerOf(row.provider)
      const verifier = sealer.open(row.verifier, contextOf(state))
      const tokens = await deps.tokenDesk.exchange(provider, returned.code, verifier, deps.redirectUri())
      if (tokens.refreshToken === null || tokens.address === null)
        throw new AppError(
          'upstream',
          'upstream_failed',
          'The provider told neither who you are nor a lasting token.',
        )
      const { refreshToken, accessToken, expiresAt, address } = tokens
      return file(
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
