import { parseAllowEntry } from '../platform/outbound/addresses.ts'
import {
  address,
  choice,
  custom,
  duration,
  list,
  origin,
  readOrigin,
  text,
  wholeNumber,
} from '../platform/variables.ts'
import {
  model,
  readAiTimeout,
  readApiVersions,
  readDatabaseUrl,
  readDollars,
  readHost,
  readHostName,
  readKey,
  readMailFrom,
  readPrice,
  readPriceId,
  readSmtpUrl,
  readStripeKey,
  readSyncEvery,
  readTimeZone,
  readTrustProxy,
  type SmtpSetting,
  signIn,
} from './values.ts'

/** Every setting there is, in the order of `.env.example`. */
export const variables = {
  HOST: custom(readHost, { means: 'Address to listen on', fallback: '127.0.0.1' }),
  PORT: wholeNumber({ from: 0, to: 65_535 }, { means: 'Port to listen on', fallback: 3000 }),
  PUBLIC_URL: origin({
    means:
      'The address that people open, such as https://desk.example.org. When set, pages opened at any other address may not call the API',
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
    means:
      'Host names without a port by which people open this instance (besides localhost and IP addresses), such as nas.lan, comma separated',
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
  OPENAI_API_KEY: custom<string | null>(readKey, { means: 'Key for OpenAI', fallback: null }),
  OPENAI_BASE_URL: address({ means: 'Another address for OpenAI', fallback: null }),
  ANTHROPIC_API_KEY: custom<string | null>(readKey, { means: 'Key for Anthropic', fallback: null }),
  ANTHROPIC_BASE_URL: address({ means: 'Another address for Anthropic', fallback: null }),
  GOOGLE_API_KEY: custom<string | null>(readKey, { means: 'Key for Google', fallback: null }),
  GOOGLE_BASE_URL: address({ means: 'Another address for Google', fallback: null }),
  OPENAI_COMPATIBLE_API_KEY: custom<string | null>(readKey, {
    means: 'Key for a server that speaks the OpenAI protocol (many need none)',
    fallback: null,
  }),
  OPENAI_COMPATIBLE_BASE_URL: address({
    means: 'Address of that server, such as http://127.0.0.1:11434/v1',
    fallback: null,
  }),
  AI_TIMEOUT: custom(readAiTimeout, {
    means: 'How long a provider may take for an answer, or be silent within one',
    example: '30s',
    fallback: readAiTimeout('30s'),
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
  SMTP_URL: custom<SmtpSetting | null>(readSmtpUrl, {
    means:
      "Server for mail of the service itself (password reset, notifications): smtp://user:password@host:587 or smtps://user:password@host:465. Default: the owner's first mail account",
    fallback: null,
  }),
  MAIL_FROM: custom<{ name: string; address: string } | null>(readMailFrom, {
    means:
      'Sender of that mail, such as Factotum <desk@example.org>. Default: the name in SMTP_URL, where that is an address',
    fallback: null,
  }),
  BOOKINGSVC_PROVIDER: choice(['calcom', 'calendly'] as const, {
    means: 'Where bookings are made: calcom or calendly',
    fallback: 'calcom',
  }),
  BOOKINGSVC_BASE_URL: address({ means: 'Another address for its API', fallback: null }),
  BOOKINGSVC_API_KEY: custom<string | null>(readKey, {
    means: 'Its key, unless saved in the settings',
    fallback: null,
  }),
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
