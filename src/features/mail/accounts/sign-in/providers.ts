import Type from 'typebox'
import { compileChecker } from '../../../../platform/checker.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { Outbound } from '../../../../platform/outbound/port.ts'
import { quote } from '../../../../platform/outbound/steps.ts'
import { findProvider } from '../autoconfig/providers.ts'
import type { MailServer } from '../ports.ts'

export type OauthName = 'google' | 'microsoft'

/** The client that the instance has registered with a provider. */
export interface OauthCredentials {
  clientId: string
  clientSecret: string | null
}

/** The operator's OAuth settings for one provider. */
export interface OauthSetting {
  clientId: string | null
  clientSecret: string | null
  authUrl: string | null
  tokenUrl: string | null
  imap: Omit<MailServer, 'certificate'> | null
  smtp: Omit<MailServer, 'certificate'> | null
  caldavUrl: string | null
}
export type OauthSettings = Readonly<Record<OauthName, OauthSetting>>

export interface OauthProvider {
  name: OauthName
  clientId: string
  clientSecret: string | null
  authUrl: string
  tokenUrl: string
  scope: string
  /** The CalDAV server that accepts the tokens; null if the provider has none. */
  calendar: { scope: string; toUrl: (address: string) => string } | null
  /** Parameters that make the authorization endpoint issue a refresh token. */
  extra: Readonly<Record<string, string>>
  imap: Omit<MailServer, 'certificate'>
  smtp: Omit<MailServer, 'certificate'>
}

const DEFAULTS = {
  google: {
    domain: 'gmail.com',
    authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    scope: 'openid email https://mail.google.com/',
    calendarScope: 'https://www.googleapis.com/auth/calendar',
    extra: { access_type: 'offline', prompt: 'consent' },
  },
  microsoft: {
    domain: 'outlook.com',
    authUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope:
      'openid email offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send',
    calendarScope: null,
    extra: { prompt: 'select_account' },
  },
} as const

/** Google names the address in the URL of the principal. */
const toGoogleCaldavUrl = (address: string): string =>
  `https://apidata.googleusercontent.com/caldav/v2/${encodeURIComponent(address)}/user`

/** Completes the client of the instance with the endpoints and servers of the provider. */
export const toOauthProvider = (
  settings: OauthSettings,
  name: OauthName,
  { clientId, clientSecret }: OauthCredentials,
): OauthProvider => {
  const setting = settings[name]
  const known = findProvider(DEFAULTS[name].domain, [])
  if (!known) throw new Error(`The provider list lacks ${DEFAULTS[name].domain}.`)
  const { authUrl, tokenUrl, scope, calendarScope, extra } = DEFAULTS[name]
  return {
    name,
    clientId,
    clientSecret,
    authUrl: setting.authUrl ?? authUrl,
    tokenUrl: setting.tokenUrl ?? tokenUrl,
    scope,
    calendar: calendarScope && {
      scope: calendarScope,
      toUrl: (address) => setting.caldavUrl ?? toGoogleCaldavUrl(address),
    },
    extra,
    imap: setting.imap ?? known.imap,
    smtp: setting.smtp ?? known.smtp,
  }
}

/** Renew a token this long before it expires, so that it does not expire during a session. */
const RENEW_BEFORE_MS = 5 * 60_000
const DEFAULT_LIFE_SECONDS = 3600

const TokenResponse = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  expires_in: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  refresh_token: Type.Optional(Type.String()),
  id_token: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
})

export interface Tokens {
  refreshToken: string
  accessToken: string
  expiresAt: string
}

/** The consent was revoked, or the user changed the password at the provider. Only the user can fix it. */
export const signedOut = (cause?: unknown, response: string | null = null): AppError =>
  new AppError('upstream', 'upstream_failed', 'The provider rejected the sign-in. Reconnect the account.', {
    cause,
    details: { failure: { step: 'login', reason: 'signed_out', response } },
  })

export const isDue = ({ expiresAt }: Tokens, clock: Clock): boolean =>
  Date.parse(expiresAt) - RENEW_BEFORE_MS <= clock.now().getTime()

export const createTokenProvider = (deps: { outbound: Outbound; clock: Clock }) => {
  const requestToken = async (provider: OauthProvider, fields: Record<string, string>) => {
    const body = new URLSearchParams({
      client_id: provider.clientId,
      ...(provider.clientSecret !== null && { client_secret: provider.clientSecret }),
      ...fields,
    })
    const response = await deps.outbound.fetch(provider.tokenUrl, {
      method: 'POST',
      trust: 'operator',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: body.toString(),
      maxRedirects: 0,
      maxBytes: 100_000,
    })
    const payload: unknown = await response.json().catch(() => undefined)
    if (response.status >= 400 && response.status < 500) {
      const { error, error_description: words } = (payload ?? {}) as {
        error?: unknown
        error_description?: unknown
      }
      const response = quote([error, words].filter((part) => typeof part === 'string').join(': '))
      throw signedOut(new Error(response ?? 'refused'), response)
    }
    if (response.status !== 200 || !compileChecker(TokenResponse).Check(payload))
      throw new AppError('upstream', 'upstream_failed', 'The provider returned no token.')
    const {
      access_token: accessToken,
      expires_in: life,
      refresh_token: newRefreshToken,
      id_token: idToken,
      scope,
    } = payload as Type.Static<typeof TokenResponse>
    const seconds = Number(life ?? DEFAULT_LIFE_SECONDS)
    const lifeSeconds = Number.isFinite(seconds) && seconds > 0 ? seconds : DEFAULT_LIFE_SECONDS
    return {
      accessToken,
      refreshToken: newRefreshToken ?? null,
      expiresAt: new Date(deps.clock.now().getTime() + lifeSeconds * 1000).toISOString(),
      address: readAddress(idToken),
      /** RFC 6749, section 5.1: without a scope, the provider granted the requested one. */
      scope: scope ?? null,
    }
  }
  return {
    exchange: (provider: OauthProvider, code: string, verifier: string, redirectUri: string) =>
      requestToken(provider, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }),
    async renew(provider: OauthProvider, tokens: Tokens): Promise<Tokens> {
      const renewed = await requestToken(provider, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refreshToken,
      })
      const { accessToken, expiresAt } = renewed
      return { accessToken, expiresAt, refreshToken: renewed.refreshToken ?? tokens.refreshToken }
    },
  }
}

export type TokenProvider = ReturnType<typeof createTokenProvider>

/**
 * OpenID Connect Core, section 3.1.3.7: a token received from the token endpoint over TLS needs no signature
 * check.
 */
const readAddress = (idToken: string | undefined): string | null => {
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
