import { parseAllowEntry } from '../platform/outbound/addresses.ts'
import {
  address,
  BadVariable,
  type BlobsSetting,
  choice,
  custom,
  duration,
  isBareAddress,
  list,
  model,
  origin,
  readAiTimeout,
  readApiVersions,
  readBlobsUrl,
  readDatabaseUrl,
  readDollars,
  readFolder,
  readHost,
  readHostName,
  readKey,
  readMailFrom,
  readOrigin,
  readPrice,
  readPriceId,
  readPublicUrl,
  readSmtpUrl,
  readStripeKey,
  readSyncEvery,
  readTimeZone,
  readTrustProxy,
  readVariables,
  type SmtpSetting,
  signIn,
  text,
  wholeNumber,
} from './values.ts'

/** All settings, in the order of `.env.example`. */
export const variables = {
  HOST: custom(readHost, { means: 'Address to listen on', fallback: '127.0.0.1' }),
  PORT: wholeNumber({ from: 0, to: 65_535 }, { means: 'Port to listen on', fallback: 3000 }),
  PUBLIC_URL: custom<string | null>(readPublicUrl, {
    means:
      'The public address, such as https://factotum.example.org or https://home.example/factotum. If set, pages opened at any other address may not call the API',
    example: '',
    fallback: null,
  }),
  DATA_DIR: text({
    means: 'Directory for the SQLite database, files and the generated secret',
    fallback: './data',
  }),
  DATABASE_URL: custom<string | null>(readDatabaseUrl, {
    means: 'postgres://user:password@host/name: use PostgreSQL instead of SQLite',
    fallback: null,
  }),
  DATABASE_POOL_SIZE: wholeNumber(
    { from: 1, to: 1_000 },
    {
      means: 'PostgreSQL connections of this instance. Two more listen for changes and hold the process lock',
      fallback: 10,
    },
  ),
  DATABASE_DIRECT_URL: custom<string | null>(readDatabaseUrl, {
    means:
      'The address of the PostgreSQL server itself, if DATABASE_URL is a connection pooler in transaction mode, such as PgBouncer',
    fallback: null,
  }),
  BLOBS_URL: custom<BlobsSetting | null>(readBlobsUrl, {
    means:
      'S3-compatible storage for messages and attachments, such as s3://ACCESS_KEY:SECRET_KEY@s3.example.org/bucket/prefix?region=eu-central-1. Default: DATA_DIR, or PostgreSQL',
    fallback: null,
  }),
  SECRET_KEY: text<string | null>({
    means:
      'Signs tokens and encrypts stored secrets. Generated in DATA_DIR if unset; required with DATABASE_URL',
    fallback: null,
    atLeast: 32,
  }),
  SECRET_KEY_PREVIOUS: text<string | null>({
    means: 'The previous SECRET_KEY: decrypts stored secrets until they are encrypted with the new key',
    fallback: null,
    atLeast: 32,
  }),
  ACCESS: choice<'open' | 'private', null>(['open', 'private'], {
    means:
      'open: no token required on this machine; private: a token for every request. Default: depends on HOST',
    fallback: null,
  }),
  REGISTRATION: choice<'open' | 'first' | 'invite', null>(['open', 'first', 'invite'], {
    means:
      'Who may register: open (anyone), first (only the first account), or invite (the first, then by invitation)',
    fallback: null,
  }),
  CORS_ORIGINS: list(readOrigin, {
    means: 'Other origins whose pages may call the API, separated by commas',
  }),
  ALLOWED_HOSTS: list(readHostName, {
    means:
      'Host names of this instance without port, besides localhost and IP addresses, such as nas.lan, separated by commas',
  }),
  TRUST_PROXY: custom<boolean | number | string[]>(readTrustProxy, {
    means: 'Behind a reverse proxy: true, the number of proxies, or their addresses',
    example: '',
    fallback: false,
  }),
  RATE_LIMIT: wholeNumber(
    { from: 1, to: 1_000_000 },
    { means: 'Requests per minute and client while access is private', fallback: 600 },
  ),
  IMPORT_LIMIT_MB: wholeNumber(
    { from: 1, to: 1_000_000 },
    { means: 'Largest file that can be imported, in MiB', fallback: 4096 },
  ),
  UPGRADE_COPIES: wholeNumber(
    { from: 0, to: 100 },
    {
      means:
        'Number of copies of the SQLite database that upgrades keep, each for 29 days at most; 0: upgrade without a copy',
      fallback: 3,
    },
  ),
  SHUTDOWN_DELAY: wholeNumber(
    { from: 0, to: 300 },
    {
      means:
        'With several instances behind a load balancer: seconds between SIGTERM and the end of new requests. The health check fails meanwhile, so choose two of its intervals',
      fallback: 0,
    },
  ),
  TZ_DEFAULT: custom<string | null>(readTimeZone, {
    means: 'The default time zone of the instance. Default: that of the system',
    fallback: null,
  }),
  ACCESS_TOKEN_TTL: duration({ means: 'Lifetime of an access token', example: '15m' }),
  REFRESH_TOKEN_TTL: duration({ means: 'Lifetime of a session without use', example: '30d' }),
  REFRESH_TOKEN_MAX_AGE: duration({ means: 'Maximum lifetime of a session', example: '90d' }),
  MODEL_A: model('anthropic:claude-sonnet-4-5', 'Provider and model of model_a'),
  MODEL_B: model('openai:gpt-5', 'Provider and model of model_b'),
  MODEL_C: model('google:gemini-2.5-pro', 'Provider and model of model_c'),
  MODEL_D: model('openai-compatible:llama3.1', 'Provider and model of model_d'),
  OPENAI_API_KEY: custom<string | null>(readKey, { means: 'API key for OpenAI', fallback: null }),
  OPENAI_BASE_URL: address({ means: 'Overrides the API address of OpenAI', fallback: null }),
  ANTHROPIC_API_KEY: custom<string | null>(readKey, { means: 'API key for Anthropic', fallback: null }),
  ANTHROPIC_BASE_URL: address({ means: 'Overrides the API address of Anthropic', fallback: null }),
  GOOGLE_API_KEY: custom<string | null>(readKey, { means: 'API key for Google', fallback: null }),
  GOOGLE_BASE_URL: address({ means: 'Overrides the API address of Google', fallback: null }),
  OPENAI_COMPATIBLE_API_KEY: custom<string | null>(readKey, {
    means: 'API key for a server with an OpenAI-compatible API (many need none)',
    fallback: null,
  }),
  OPENAI_COMPATIBLE_BASE_URL: address({
    means: 'Address of that server, such as http://127.0.0.1:11434/v1',
    fallback: null,
  }),
  AI_KEYS_FOR: choice(['owner', 'all'] as const, {
    means:
      'Accounts that the provider keys above serve. owner: only the owner, so a single account always has them. all: every account',
    fallback: 'owner',
  }),
  AI_TIMEOUT: custom(readAiTimeout, {
    means: 'Timeout for a response of a provider, and for silence during a response',
    example: '30s',
    fallback: readAiTimeout('30s'),
  }),
  AI_FALLBACK: choice(['off', 'builtin'] as const, {
    means: 'builtin: the built-in engine answers when a provider fails or a spending limit is reached',
    fallback: 'off',
  }),
  AI_DAILY_LIMIT_USD: custom<number | null>(readDollars, {
    means: 'Spending limit in dollars per day for the AI requests of one account',
    fallback: null,
  }),
  AI_TOKEN_DAILY_LIMIT_USD: custom<number | null>(readDollars, {
    means: 'Spending limit in dollars per day for the AI requests of one personal access token',
    fallback: null,
  }),
  AI_PRICES: list(readPrice, {
    means:
      'Model prices in dollars per million input and output tokens, such as gpt-5=1.25/10, separated by commas. They override the built-in list, which may be outdated. A model without a price counts as the most expensive known model, so set the price of local models, such as llama3.1=0/0',
  }),
  OUTBOUND_ALLOW: list(parseAllowEntry, {
    means:
      'Private hosts and networks that outbound requests may reach, such as 192.168.1.0/24 or nas.lan, separated by commas',
  }),
  ...signIn('GOOGLE', 'Google'),
  MAIL_OAUTH_GOOGLE_CALDAV_URL: address({ means: 'Overrides the CalDAV server of Google', fallback: null }),
  ...signIn('MICROSOFT', 'Microsoft'),
  SMTP_URL: custom<SmtpSetting | null>(readSmtpUrl, {
    means:
      "SMTP server for system mail (password reset, notifications): smtp://user:password@host:587 or smtps://user:password@host:465. Default: the owner's first mail account",
    fallback: null,
  }),
  MAIL_FROM: custom<{ name: string; address: string } | null>(readMailFrom, {
    means:
      'Sender of that mail, such as Factotum <factotum@example.org>. Default: the user name in SMTP_URL, if it is an email address',
    fallback: null,
  }),
  BOOKINGSVC_PROVIDER: choice(['calcom', 'calendly'] as const, {
    means: 'Booking provider: calcom or calendly',
    fallback: 'calcom',
  }),
  BOOKINGSVC_BASE_URL: address({
    means: 'Overrides the API address of the booking provider',
    fallback: null,
  }),
  BOOKINGSVC_API_KEY: custom<string | null>(readKey, {
    means: 'API key of the booking provider, unless saved in the settings',
    fallback: null,
  }),
  BOOKINGSVC_WEBHOOK_SECRET: text<string | null>({
    means: 'Signing secret of its webhooks',
    fallback: null,
  }),
  BOOKINGSVC_API_VERSION: custom<Record<string, string> | null>(readApiVersions, {
    means: 'Overrides the API version, such as 2024-08-13, or bookings=2024-08-13,event-types=2024-06-14',
    fallback: null,
  }),
  BOOKINGSVC_SYNC_EVERY: custom<number | null>(readSyncEvery, {
    means:
      'Interval of automatic booking syncs, such as 15m. Off by default, because a workflow may call the sync',
    fallback: null,
  }),
  STRIPE_SECRET_KEY: custom<string | null>(readStripeKey, {
    means:
      'Secret key for Stripe: lets users subscribe to a plan. Without it the instance is on the self-hosted plan',
    fallback: null,
  }),
  STRIPE_WEBHOOK_SECRET: text<string | null>({
    means: 'Signing secret of Stripe webhooks to /api/billing/webhook',
    fallback: null,
  }),
  STRIPE_PRICES: list(readPriceId, {
    means:
      'The plans: ids of recurring Stripe prices, separated by commas. Default: all active prices of the account',
  }),
  STRIPE_BASE_URL: origin({ means: 'Overrides the API address of Stripe, without a path', fallback: null }),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const, {
    means: 'Log level: trace, debug, info, warn, error, fatal, silent',
    fallback: 'info',
  }),
  BACKUP_PASSPHRASE: text<string | null>({
    means:
      'Encrypts backups, and opens encrypted ones: for the commands backup, restore and verify, and for scheduled backups without a passphrase of their own',
    fallback: null,
  }),
  BACKUP_FOLDERS: list(readFolder, {
    means:
      'Directories besides DATA_DIR/backups that scheduled backups may use, such as /mnt/nas, separated by commas',
  }),
  METRICS: choice(['on', 'off'] as const, {
    means: 'Prometheus metrics at GET /metrics: on or off',
    fallback: 'off',
  }),
}

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
  if (values.DATABASE_DIRECT_URL !== null && DATABASE_URL === null)
    throw new BadVariable('DATABASE_DIRECT_URL must be unset, because DATABASE_URL is not set')
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
    databasePoolSize: values.DATABASE_POOL_SIZE,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    /** Null: blobs stay in DATA_DIR, or in PostgreSQL. */
    blobs: values.BLOBS_URL,
    secretKey: SECRET_KEY,
    secretKeyPrevious: values.SECRET_KEY_PREVIOUS,
    access,
    /** Whether the operator set ACCESS. Open access by default rejects requests from other machines. */
    accessIsExplicit: ACCESS !== null,
    isLocal,
    /** `configured` is null without REGISTRATION: then the owner decides. */
    registration: {
      configured: values.REGISTRATION,
      fallback: access === 'open' ? ('open' as const) : ('invite' as const),
    },
    corsOrigins: values.CORS_ORIGINS,
    allowedHosts: values.ALLOWED_HOSTS,
    trustProxy: TRUST_PROXY,
    rateLimit: values.RATE_LIMIT,
    shutdownDelayMs: values.SHUTDOWN_DELAY * 1000,
    upgradeCopies: values.UPGRADE_COPIES,
    importLimitBytes: values.IMPORT_LIMIT_MB * 1024 * 1024,
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
      keysFor: values.AI_KEYS_FOR,
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
    mailOauth: {
      google: { ...signInOf('GOOGLE'), caldavUrl: values.MAIL_OAUTH_GOOGLE_CALDAV_URL },
      microsoft: { ...signInOf('MICROSOFT'), caldavUrl: null },
    },
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
    backupPassphrase: values.BACKUP_PASSPHRASE,
    backupFolders: values.BACKUP_FOLDERS,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS === 'on',
  })
}

export type Config = ReturnType<typeof readConfig>

/** Returns the contents of `.env.example`. */
export const exampleEnvironment = (): string =>
  [
    '# Settings of Factotum. Every setting can also be read from a file: SECRET_KEY_FILE=/run/secrets/key\n',
    ...Object.entries(variables).map(([name, { means, example }]) => `# ${means}\n#${name}=${example}\n`),
  ].join('\n')
