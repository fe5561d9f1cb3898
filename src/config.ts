import { isIP } from 'node:net'
import { parseAllowEntry } from './platform/outbound/addresses.ts'
import { isTimeZone } from './platform/time.ts'
import {
  address,
  BadVariable,
  choice,
  custom,
  duration,
  list,
  origin,
  readOrigin,
  readVariables,
  text,
  type Variable,
  wholeNumber,
} from './platform/variables.ts'

const readTimeZone = (value: string): string => {
  if (!isTimeZone(value)) throw new BadVariable(`must be a time zone such as Europe/Berlin, not "${value}"`)
  return value
}

const readDatabaseUrl = (value: string): string => {
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol))
    throw new BadVariable('must be an address such as postgres://user:password@host:5432/name')
  return value
}

/** `true`, a number of hops, or the addresses and networks of the proxies. */
const readTrustProxy = (value: string): boolean | number | string[] => {
  if (value === 'true') return true
  if (value === 'false') return false
  if (/^\d+$/.test(value)) return Number(value)
  const entries = value.split(',').map((entry) => entry.trim())
  for (const entry of entries) {
    const [ip = '', bits, ...rest] = entry.split('/')
    const most = isIP(ip) === 6 ? 128 : 32
    if (
      !isIP(ip) ||
      rest.length > 0 ||
      (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    )
      throw new BadVariable(`must be true, a number of hops, or proxies' addresses, not "${value}"`)
  }
  return entries
}

const readHost = (value: string): string => {
  if (!/^[\w.:-]+$/.test(value)) throw new BadVariable(`must be an address or a name, not "${value}"`)
  return value
}

/** A name alone: requests are told apart by it whatever port they come to. */
const readHostName = (value: string): string => {
  if (!/^[\w.-]+$/.test(value)) throw new BadVariable(`must be names such as desk.lan, not "${value}"`)
  return value
}

const PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const

const readModel = (value: string): { provider: (typeof PROVIDERS)[number]; model: string } => {
  const [, provider, model] = /^([a-z-]+):(.+)$/.exec(value) ?? []
  const known = PROVIDERS.find((name) => name === provider)
  if (!known || !model)
    throw new BadVariable(`must be provider:model with a provider of ${PROVIDERS.join(', ')}, not "${value}"`)
  return { provider: known, model }
}
const model = (example: string, means: string) =>
  custom(readModel, { means, example, fallback: readModel(example) })

const readDollars = (value: string): number => {
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(value))
    throw new BadVariable(`must be an amount in dollars such as 2.50, not "${value}"`)
  return Number(value)
}

const readPrice = (value: string): { model: string; input: number; output: number } => {
  const [, name, input, output] = /^([^\s=]+)=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(value) ?? []
  if (!name) throw new BadVariable(`must be prices such as gpt-5=1.25/10, not "${value}"`)
  return { model: name, input: Number(input), output: Number(output) }
}

/** `imaps://host:993`, `smtp://host:587` (STARTTLS), `smtp+plain://…`: a mail server in one line. */
const readMailServer = (value: string): MailServerSetting => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const [, protocol, way] = /^(imap|smtp)(s|\+plain)?:$/.exec(url?.protocol ?? '') ?? []
  if (!url || !protocol || url.hostname === '' || url.port === '')
    throw new BadVariable(`must be a server such as imaps://imap.example.org:993, not "${value}"`)
  const tls = way === 's' ? 'implicit' : way === '+plain' ? 'none' : 'starttls'
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port), tls }
}
interface MailServerSetting {
  host: string
  port: number
  tls: 'implicit' | 'starttls' | 'none'
}

const signIn = <N extends 'GOOGLE' | 'MICROSOFT'>(name: N, title: string) => {
  const prefix = `MAIL_OAUTH_${name}` as const
  return {
    [`${prefix}_CLIENT_ID`]: text<string | null>({
      means: `Client id for signing in to mail at ${title}`,
      fallback: null,
    }),
    [`${prefix}_CLIENT_SECRET`]: text<string | null>({ means: 'Its secret', fallback: null }),
    [`${prefix}_AUTH_URL`]: address({ means: 'Another address to sign in at', fallback: null }),
    [`${prefix}_TOKEN_URL`]: address({ means: 'Another address for its tokens', fallback: null }),
    [`${prefix}_IMAP`]: custom<MailServerSetting | null>(readMailServer, {
      means: 'Another server to read mail from, such as imaps://imap.example.org:993',
      fallback: null,
    }),
    [`${prefix}_SMTP`]: custom<MailServerSetting | null>(readMailServer, {
      means: 'Another server to send mail through, such as smtps://smtp.example.org:465',
      fallback: null,
    }),
  } as {
    [K in 'CLIENT_ID' | 'CLIENT_SECRET' | 'AUTH_URL' | 'TOKEN_URL' as `MAIL_OAUTH_${N}_${K}`]: Variable<
      string | null
    >
  } & { [K in 'IMAP' | 'SMTP' as `MAIL_OAUTH_${N}_${K}`]: Variable<MailServerSetting | null> }
}

/** A publishable key is the wrong one of two that look alike, and can do nothing. */
const readStripeKey = (value: string): string => {
  if (value.startsWith('pk_')) throw new BadVariable('must be the secret key (sk_…), not the publishable one')
  return value
}

const readPriceId = (value: string): string => {
  if (!/^[\w-]{1,200}$/.test(value))
    throw new BadVariable(`must be ids of prices such as price_1Pgaf, not "${value}"`)
  return value
}

/** `2024-08-13` for bookings, or one for each kind of request: `bookings=2024-08-13,event-types=2024-06-14`. */
const readApiVersions = (value: string): Record<string, string> => {
  const entries = value.split(',').map((entry): [string, string] => {
    const [, name = 'bookings', version] = /^(?:(bookings|event-types)=)?([\w.-]+)$/.exec(entry.trim()) ?? []
    if (version === undefined) throw new BadVariable(`must be a version such as 2024-08-13, not "${value}"`)
    return [name, version]
  })
  return Object.fromEntries(entries)
}

const MINUTE_MS = 60_000

const readSyncEvery = (value: string): number => {
  const every = duration({ means: '', example: '1h' }).read(value)
  if (every < MINUTE_MS) throw new BadVariable(`must be a minute or more, not "${value}"`)
  return every
}

/** What the operator names may be reached, wherever it lies. */
const allowEntryOf = (baseUrl: string | null) => {
  if (baseUrl === null) return []
  const url = new URL(baseUrl)
  return [parseAllowEntry(`${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`)]
}

/** Every setting there is, in the order of `.env.example`. */
export const variables = {
  HOST: custom(readHost, { means: 'Address to listen on', fallback: '127.0.0.1' }),
  PORT: wholeNumber({ from: 0, to: 65_535 }, { means: 'Port to listen on', fallback: 3000 }),
  PUBLIC_URL: origin({
    means: 'How the world calls this instance, when that is not http://HOST:PORT',
    example: '',
    fallback: null,
  }),
  DATA_DIR: text({ means: 'The embedded database, files and the generated secret', fallback: './data' }),
  DATABASE_URL: custom<string | null>(readDatabaseUrl, {
    means: 'postgres://user:password@host/name: use PostgreSQL instead of the embedded SQLite',
    fallback: null,
  }),
  SECRET_KEY: text<string | null>({
    means: 'Signs tokens and seals stored secrets; made into DATA_DIR when unset; required with DATABASE_URL',
    fallback: null,
    atLeast: 32,
  }),
  SECRET_KEY_PREVIOUS: text<string | null>({
    means: 'The key before a change of SECRET_KEY: opens what it sealed until that is sealed anew',
    fallback: null,
    atLeast: 32,
  }),
  ACCESS: choice<'open' | 'private', null>(['open', 'private'], {
    means: 'open: no token needed on your own machine; private: a token for everything. Default: by HOST',
    fallback: null,
  }),
  REGISTRATION: choice<'open' | 'first' | 'invite', null>(['open', 'first', 'invite'], {
    means: 'Who may register: anyone, the first account only, or the first and then by invitation',
    fallback: null,
  }),
  CORS_ORIGINS: list(readOrigin, { means: 'Other sites whose pages may call the API, comma separated' }),
  ALLOWED_HOSTS: list(readHostName, {
    means: 'Further host names that this instance answers to, comma separated',
  }),
  TRUST_PROXY: custom<boolean | number | string[]>(readTrustProxy, {
    means: 'Behind a reverse proxy: true, the number of proxies, or their addresses',
    example: '',
    fallback: false,
  }),
  RATE_LIMIT: wholeNumber(
    { from: 1, to: 1_000_000 },
    { means: 'Requests a minute for one client when access is private', fallback: 600 },
  ),
  TZ_DEFAULT: custom<string | null>(readTimeZone, {
    means: "The instance's time zone. Default: the system's",
    fallback: null,
  }),
  ACCESS_TOKEN_TTL: duration({ means: 'How long an access token lives', example: '15m' }),
  REFRESH_TOKEN_TTL: duration({ means: 'How long a session lives without being used', example: '30d' }),
  REFRESH_TOKEN_MAX_AGE: duration({ means: 'How long a session lives at most', example: '90d' }),
  MODEL_A: model('anthropic:claude-sonnet-4-5', 'What answers as model_a'),
  MODEL_B: model('openai:gpt-5', 'What answers as model_b'),
  MODEL_C: model('google:gemini-2.5-pro', 'What answers as model_c'),
  MODEL_D: model('openai-compatible:llama3.1', 'What answers as model_d'),
  OPENAI_API_KEY: text<string | null>({ means: 'Key for OpenAI', fallback: null }),
  OPENAI_BASE_URL: address({ means: 'Another address for OpenAI', fallback: null }),
  ANTHROPIC_API_KEY: text<string | null>({ means: 'Key for Anthropic', fallback: null }),
  ANTHROPIC_BASE_URL: address({ means: 'Another address for Anthropic', fallback: null }),
  GOOGLE_API_KEY: text<string | null>({ means: 'Key for Google', fallback: null }),
  GOOGLE_BASE_URL: address({ means: 'Another address for Google', fallback: null }),
  OPENAI_COMPATIBLE_API_KEY: text<string | null>({
    means: 'Key for a server that speaks the OpenAI protocol (many need none)',
    fallback: null,
  }),
  OPENAI_COMPATIBLE_BASE_URL: address({
    means: 'Address of that server, such as http://127.0.0.1:11434/v1',
    fallback: null,
  }),
  AI_TIMEOUT: duration({
    means: 'How long a provider may take for an answer, or be silent within one',
    example: '30s',
  }),
  AI_FALLBACK: choice(['off', 'builtin'] as const, {
    means: 'builtin: the built-in engine answers when a provider fails or a spending limit is reached',
    fallback: 'off',
  }),
  AI_DAILY_LIMIT_USD: custom<number | null>(readDollars, {
    means: 'How many dollars all AI requests of a day may cost',
    fallback: null,
  }),
  AI_TOKEN_DAILY_LIMIT_USD: custom<number | null>(readDollars, {
    means: 'How many dollars the AI requests of one personal access token may cost in a day',
    fallback: null,
  }),
  AI_PRICES: list(readPrice, {
    means:
      'Prices of models in dollars for a million tokens, read and written, such as gpt-5=1.25/10, comma separated; they go before the built-in list, which is of a day and wants checking. A model without a price counts towards a ceiling like the dearest that is known: give local ones theirs, as in llama3.1=0/0',
  }),
  OUTBOUND_ALLOW: list(parseAllowEntry, {
    means:
      'Private hosts and networks that may be reached, such as 192.168.1.0/24 or nas.lan, comma separated',
  }),
  ...signIn('GOOGLE', 'Google'),
  ...signIn('MICROSOFT', 'Microsoft'),
  BOOKINGSVC_PROVIDER: choice(['calcom', 'calendly'] as const, {
    means: 'Where bookings are made: calcom or calendly',
    fallback: 'calcom',
  }),
  BOOKINGSVC_BASE_URL: address({ means: 'Another address for its API', fallback: null }),
  BOOKINGSVC_API_KEY: text<string | null>({ means: 'Its key, unless saved in the settings', fallback: null }),
  BOOKINGSVC_WEBHOOK_SECRET: text<string | null>({
    means: 'What its notices are signed with',
    fallback: null,
  }),
  BOOKINGSVC_API_VERSION: custom<Record<string, string> | null>(readApiVersions, {
    means: 'Another version of its API, such as 2024-08-13, or bookings=2024-08-13,event-types=2024-06-14',
    fallback: null,
  }),
  BOOKINGSVC_SYNC_EVERY: custom<number | null>(readSyncEvery, {
    means: 'Sync bookings by itself, such as every 15m; off unless set, for a workflow may call the sync',
    fallback: null,
  }),
  STRIPE_SECRET_KEY: custom<string | null>(readStripeKey, {
    means:
      'Key for Stripe: people can then subscribe to a plan. Without it the instance is on the self-hosted plan',
    fallback: null,
  }),
  STRIPE_WEBHOOK_SECRET: text<string | null>({
    means: "What Stripe's notices to /api/billing/webhook are signed with",
    fallback: null,
  }),
  STRIPE_PRICES: list(readPriceId, {
    means:
      'The plans: ids of recurring prices at Stripe, comma separated. Default: every active one the key can see',
  }),
  STRIPE_BASE_URL: origin({ means: 'Another address for Stripe, without a path', fallback: null }),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const, {
    means: 'How much is logged: trace, debug, info, warn, error, fatal, silent',
    fallback: 'info',
  }),
  METRICS: choice(['on', 'off'] as const, { means: 'Whether GET /metrics answers', fallback: 'off' }),
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

const PROVIDER_VARIABLES = {
  openai: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  google: ['GOOGLE_API_KEY', 'GOOGLE_BASE_URL'],
  'openai-compatible': ['OPENAI_COMPATIBLE_API_KEY', 'OPENAI_COMPATIBLE_BASE_URL'],
} as const

/** The environment, read and checked. Throws BadVariable with one line that names what is wrong. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>) => {
  const values = readVariables(variables, environment)
  const { HOST, PUBLIC_URL, DATABASE_URL, SECRET_KEY, ACCESS, TRUST_PROXY } = values

  if (DATABASE_URL !== null && SECRET_KEY === null)
    throw new BadVariable('SECRET_KEY must be set when DATABASE_URL is: every instance needs the same one')
  if (values.REFRESH_TOKEN_MAX_AGE < values.REFRESH_TOKEN_TTL)
    throw new BadVariable('REFRESH_TOKEN_MAX_AGE must not be shorter than REFRESH_TOKEN_TTL')

  const staysHome =
    isLoopback(HOST) &&
    (PUBLIC_URL === null || isLoopback(new URL(PUBLIC_URL).hostname)) &&
    TRUST_PROXY === false
  const access = ACCESS ?? (staysHome ? 'open' : 'private')
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

  return Object.freeze({
    host: HOST,
    port: values.PORT,
    publicUrl: PUBLIC_URL,
    dataDir: values.DATA_DIR,
    databaseUrl: DATABASE_URL,
    secretKey: SECRET_KEY,
    secretKeyPrevious: values.SECRET_KEY_PREVIOUS,
    access,
    /** Whether the operator said so; open access that was merely assumed refuses everything from elsewhere. */
    accessIsExplicit: ACCESS !== null,
    staysHome,
    registration: values.REGISTRATION ?? (access === 'open' ? 'open' : 'invite'),
    corsOrigins: values.CORS_ORIGINS,
    allowedHosts: values.ALLOWED_HOSTS,
    trustProxy: TRUST_PROXY,
    rateLimit: values.RATE_LIMIT,
    /** Null for the system's. */
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
    /** A base address names its host as one that may be reached, wherever it is. */
    outboundAllow: [
      ...values.OUTBOUND_ALLOW,
      ...allowEntryOf(values.BOOKINGSVC_BASE_URL),
      ...allowEntryOf(values.STRIPE_BASE_URL),
      ...Object.values(providers).flatMap(({ baseUrl }) => allowEntryOf(baseUrl)),
    ],
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

/** The contents of `.env.example`. */
export const exampleEnvironment = (): string =>
  Object.entries(variables)
    .map(([name, { means, example }]) => `# ${means}\n#${name}=${example}\n`)
    .join('\n')
