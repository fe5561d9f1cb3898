import Type from 'typebox'
import { compileChecker } from '../../../platform/checker.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { quote } from '../../../platform/outbound/steps.ts'
import type { OauthProvider } from './providers.ts'

/** A token is renewed while it is still good for this long, so that none ends in the middle of a sentence. */
const RENEW_BEFORE_MS = 5 * 60_000
const DEFAULT_LIFE_SECONDS = 3600

const TokenAnswer = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  expires_in: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  refresh_token: Type.Optional(Type.String()),
  id_token: Type.Optional(Type.String()),
})

export interface Tokens {
  refreshToken: string
  accessToken: string
  expiresAt: string
}

/** The provider has taken its consent back, or the person has changed the password there: only they can mend it. */
export const signedOut = (cause?: unknown): AppError =>
  new AppError(
    'upstream',
    'upstream_failed',
    'The provider no longer lets us in: connect the account anew.',
    {
      cause,
      details: { failure: { step: 'login', reason: 'signed_out', said: null } },
    },
  )

export const isDue = ({ expiresAt }: Tokens, clock: Clock): boolean =>
  Date.parse(expiresAt) - RENEW_BEFORE_MS <= clock.now().getTime()

export const createTokenDesk = (deps: { outbound: Outbound; clock: Clock }) => {
  const ask = async (provider: OauthProvider, fields: Record<string, string>) => {
    const body = new URLSearchParams({
      client_id: provider.clientId,
      ...(provider.clientSecret !== null && { client_secret: provider.clientSecret }),
      ...fields,
    })
    const answer = await deps.outbound.fetch(provider.tokenUrl, {
      method: 'POST',
      trust: 'operator',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: body.toString(),
      maxRedirects: 0,
      maxBytes: 100_000,
    })
    const told: unknown = await answer.json().catch(() => undefined)
    if (answer.status >= 400 && answer.status < 500) {
      const { error, error_description: words } = (told ?? {}) as {
        error?: unknown
        error_description?: unknown
      }
      throw signedOut(new Error(quote(`${String(error)} ${String(words ?? '')}`) ?? 'refused'))
    }
    if (answer.status !== 200 || !compileChecker(TokenAnswer).Check(told))
      throw new AppError('upstream', 'upstream_failed', 'The provider gave no token.')
    const {
      access_token: accessToken,
      expires_in: life,
      refresh_token: fresh,
      id_token: idToken,
    } = told as Type.Static<typeof TokenAnswer>
    const seconds = Number(life ?? DEFAULT_LIFE_SECONDS)
    const lives = Number.isFinite(seconds) && seconds > 0 ? seconds : DEFAULT_LIFE_SECONDS
    return {
      accessToken,
      refreshToken: fresh ?? null,
      expiresAt: new Date(deps.clock.now().getTime() + lives * 1000).toISOString(),
      address: addressIn(idToken),
    }
  }
  return {
    exchange: (provider: OauthProvider, code: string, verifier: string, redirectUri: string) =>
      ask(provider, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }),
    async renew(provider: OauthProvider, tokens: Tokens): Promise<Tokens> {
      const fresh = await ask(provider, { grant_type: 'refresh_token', refresh_token: tokens.refreshToken })
      const { accessToken, expiresAt } = fresh
      return { accessToken, expiresAt, refreshToken: fresh.refreshToken ?? tokens.refreshToken }
    },
  }
}

export type TokenDesk = ReturnType<typeof createTokenDesk>

/** OpenID Connect Core, 3.1.3.7: straight from the token endpoint over TLS, its signature need not be checked. */
const addressIn = (idToken: string | undefined): string | null => {
  try {
    const claims = JSON.parse(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
      email?: unknown
      preferred_username?: unknown
    }
    const found = [claims.email, claims.preferred_username].find(
      (value) => typeof value === 'string' && /^[^\s@<>]+@[^\s@<>]+$/.test(value),
    )
    return (found as string | undefined) ?? null
  } catch {
    return null
  }
}
