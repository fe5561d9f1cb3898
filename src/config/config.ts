import { parseAllowEntry } from '../platform/outbound/addresses.ts'
import { BadVariable, readVariables } from '../platform/variables.ts'
import { isBareAddress, type SmtpSetting } from './values.ts'
import { variables } from './variables.ts'

/** Allows the host of an address that the operator configured, also a private one. */
const allowEntryOf = (baseUrl: string | null) => {
  if (baseUrl === null) return []
  const url = new URL(baseUrl)
  return [parseAllowEntry(`${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`)]
}

/** The SMTP server for system mail; null: the owner's mail account sends it. */
const toSystemSender = (smtp: SmtpSetting | null, from: { name: string; address: string } | null) => {
  if (smtp === null) return null
  const { host, port, tls, login } = smtp
  const user = login?.user ?? ''
  if (from === null && !isBareAddress(user))
    throw new BadVariable('MAIL_FROM must be set, because the user name in SMTP_URL is not an email address')
  return {
    server: { host, port, tls, certificate: null },
    login: login && { kind: 'password' as const, ...login },
    from: from ?? { name: 'Factotum', address: user },
  }
}

const allowEntryOfServer = (server: { host: string; port: number } | undefined) =>
  server === undefined
    ? []
    : [parseAllowEntry(`${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}`)]

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

const PROVIDER_VARIABLES = {
  openai: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  google: ['GOOGLE_API_KEY', 'GOOGLE_BASE_URL'],
  'openai-compatible': ['OPENAI_COMPATIBLE_API_KEY', 'OPENAI_COMPATIBLE_BASE_URL'],
} as const

/** Reads and validates the environment. Throws BadVariable with one line that names the problem. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>) => {
  const values = readVariables(variables, environment)
  const { HOST, PUBLIC_URL, DATABASE_URL, SECRET_KEY, ACCESS, TRUST_PROXY } = values

  if (DATABASE_URL !== null && SECRET_KEY === null)
    throw new BadVariable('SECRET_KEY must be set if DATABASE_URL is set: all instances need the same key')
  if (values.REFRESH_TOKEN_MAX_AGE < values.REFRESH_TOKEN_TTL)
    throw new BadVariable('REFRESH_TOKEN_MAX_AGE must not be shorter than REFRESH_TOKEN_TTL')

  const isLocal =
    isLoopback(HOST) &&
    (PUBLIC_URL === null || isLoopback(new URL(PUBLIC_URL).hostname)) &&
    TRUST_PROXY === false
  const access = ACCESS ?? (isLocal ? 'open' : 'private')
  const provider = (name: keyof typeof PROVIDER_VARIABLES) => {
    const [key, baseUrl] = PROVIDER_VARIABLES[name]
    return { key: values[key], baseUrl: values[baseUrl] }
  }

  const providers = {
    openai: provider('openai'),
    anthropic: provider('anthropic'),
    google: provider('google'),
    'openai-compatible': provider('openai-compatible'),
  }

  const signInOf = (name: 'GOOGLE' | 'MICROSOFT') => ({
    clientId: values[`MAIL_OAUTH_${name}_CLIENT_ID`],
    clientSecret: values[`MAIL_OAUTH_${name}_CLIENT_SECRET`],
    authUrl: values[`MAIL_OAUTH_${name}_AUTH_URL`],
    tokenUrl: values[`MAIL_OAUTH_${name}_TOKEN_URL`],
    imap: values[`MAIL_OAUTH_${name}_IMAP`],
    smtp: values[`MAIL_OAUTH_${name}_SMTP`],
  })

  const systemSender = toSystemSender(values.SMTP_URL, values.MAIL_FROM)

  return Object.freeze({
    host: HOST,
    isLoopbackHost: isLoopback(HOST),
    port: values.PORT,
    publicUrl: PUBLIC_URL,
    dataDir: values.DATA_DIR,
    databaseUrl: DATABASE_URL,
    secretKey: SECRET_KEY,
    secretKeyPrevious: values.SECRET_KEY_PREVIOUS,
    access,
    /** Whether the operator set ACCESS. Open access by default rejects requests from other machines. */
    accessIsExplicit: ACCESS !== null,
    isLocal,
    registration: values.REGISTRATION ?? (access === 'open' ? 'open' : 'invite'),
    corsOrigins: values.CORS_ORIGINS,
    allowedHosts: values.ALLOWED_HOSTS,
    trustProxy: TRUST_PROXY,
    rateLimit: values.RATE_LIMIT,
    /** Null for the system's time zone. */
    timezone: values.TZ_DEFAULT,
    accessTokenTtlMs: values.ACCESS_TOKEN_TTL,
    refreshTokenTtlMs: values.REFRESH_TOKEN_TTL,
    refreshTokenMaxAgeMs: values.REFRESH_TOKEN_MAX_AGE,
    ai: {
      models: {
        model_a: values.MODEL_A,
        model_b: values.MODEL_B,
        model_c: values.MODEL_C,
        model_d: values.MODEL_D,
      },
      providers,
      timeoutMs: values.AI_TIMEOUT,
      fallback: values.AI_FALLBACK,
      dailyLimitUsd: values.AI_DAILY_LIMIT_USD,
      tokenDailyLimitUsd: values.AI_TOKEN_DAILY_LIMIT_USD,
      prices: values.AI_PRICES,
    },
    /** The host of a configured base address may be reached, also a private one. */
    outboundAllow: [
      ...values.OUTBOUND_ALLOW,
      ...allowEntryOf(values.BOOKINGSVC_BASE_URL),
      ...allowEntryOf(values.STRIPE_BASE_URL),
      ...allowEntryOfServer(systemSender?.server),
      ...Object.values(providers).flatMap(({ baseUrl }) => allowEntryOf(baseUrl)),
    ],
    systemSender,
    mailFrom: values.MAIL_FROM,
    mailOauth: { google: signInOf('GOOGLE'), microsoft: signInOf('MICROSOFT') },
    bookingsvc: {
      provider: values.BOOKINGSVC_PROVIDER,
      baseUrl: values.BOOKINGSVC_BASE_URL,
      apiKey: values.BOOKINGSVC_API_KEY,
      webhookSecret: values.BOOKINGSVC_WEBHOOK_SECRET,
      apiVersions: values.BOOKINGSVC_API_VERSION ?? {},
      syncEveryMs: values.BOOKINGSVC_SYNC_EVERY,
    },
    stripe: {
      secretKey: values.STRIPE_SECRET_KEY,
      webhookSecret: values.STRIPE_WEBHOOK_SECRET,
      prices: values.STRIPE_PRICES,
      baseUrl: values.STRIPE_BASE_URL,
    },
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS === 'on',
  })
}

export type Config = ReturnType<typeof readConfig>

/** Returns the contents of `.env.example`. */
export const exampleEnvironment = (): string =>
  Object.entries(variables)
    .map(([name, { means, example }]) => `# ${means}\n#${name}=${example}\n`)
    .join('\n')
