import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import type { BucketSettings } from '../platform/object-storage.ts'
import { classifyAddress, isLocalName, normaliseHost } from '../platform/outbound/addresses.ts'
import { isTimeZone } from '../platform/time.ts'

/** A setting that is read from the environment, with its meaning, default and parser. */
interface Variable<T> {
  means: string
  /** The value in `.env.example`. */
  example: string
  fallback: T
  read(text: string): T
}

/** A value that is not valid. The message is one line that names the variable. */
export class BadVariable extends Error {}

type Reader<T> = (text: string) => T
interface Described<T> {
  means: string
  example?: string
  fallback: T
}

const variable = <T>(read: Reader<NonNullable<T>>, described: Described<T>): Variable<T> => ({
  means: described.means,
  example: described.example ?? (described.fallback === null ? '' : String(described.fallback)),
  fallback: described.fallback,
  read: read as Reader<T>,
})

export const text = <T extends string | null>(described: Described<T> & { atLeast?: number }): Variable<T> =>
  variable((value) => {
    if (described.atLeast !== undefined && value.length < described.atLeast)
      throw new BadVariable(`must have at least ${described.atLeast} characters`)
    return value as NonNullable<T>
  }, described)

export const choice = <C extends string, T extends C | null>(
  choices: readonly C[],
  described: Described<T>,
): Variable<C | T> =>
  variable<C | T>((value) => {
    if (!choices.includes(value as C))
      throw new BadVariable(`must be one of ${choices.join(', ')}, not "${value}"`)
    return value as NonNullable<C | T>
  }, described)

export const wholeNumber = (
  range: { from: number; to: number },
  described: Described<number>,
): Variable<number> =>
  variable((value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < range.from || number > range.to)
      throw new BadVariable(`must be a whole number from ${range.from} to ${range.to}, not "${value}"`)
    return number
  }, described)

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses `15m` or `30d` to milliseconds. */
export const duration = (described: { means: string; example: string }): Variable<number> => {
  const read = (value: string): number => {
    const [, amount, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(value) ?? []
    const milliseconds = Number(amount) * (UNIT_MS[unit ?? ''] ?? Number.NaN)
    if (!(milliseconds > 0))
      throw new BadVariable(`must be a duration such as 15m, 12h or 30d, not "${value}"`)
    return milliseconds
  }
  return { ...described, fallback: read(described.example), read }
}

export const list = <E>(
  readEntry: Reader<E>,
  described: { means: string; example?: string },
): Variable<readonly E[]> =>
  variable<readonly E[]>(
    (value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
        .map(readEntry),
    { ...described, example: described.example ?? '', fallback: [] },
  )

/** Parses an absolute path. */
export const readFolder = (value: string): string => {
  if (!isAbsolute(value) || /\p{Cc}/u.test(value))
    throw new Error('must be absolute paths such as /mnt/backups')
  return resolve(value)
}

/** Parses an absolute http(s) address without path, query or credentials: `https://factotum.example.org`. */
export const readOrigin = (value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username ||
    url.password
  )
    throw new BadVariable('must be an address such as https://factotum.example.org')
  return url.origin
}

/**
 * First segments of the paths of the application. A base path that begins with one would be ambiguous, because the
 * proxy may remove the base path or keep it.
 */
export const OWN_SEGMENTS: ReadonlySet<string> = new Set([
  'api',
  'api-docs',
  'assets',
  'assistant',
  'audit',
  'calendar',
  'console',
  'contacts',
  'dav',
  'docs',
  'forgotten',
  'help',
  'insights',
  'login',
  'mail',
  'mcp',
  'metrics',
  'overlay',
  'promises',
  'register',
  'reset-password',
  'settings',
  'stream',
  'tasks',
])

const BASE_PATH = /^(?:\/[\w~-][\w.~-]*)*\/?$/

/** Parses the address that people open, which may have a path: `https://home.example/factotum`. */
export const readPublicUrl = (value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const path = url?.pathname ?? ''
  if (!BASE_PATH.test(path))
    throw new BadVariable(
      'must have a path of letters, digits and hyphens, such as https://home.example/factotum',
    )
  if (url) url.pathname = '/'
  const origin = readOrigin(url?.href ?? value)
  const [, first = ''] = path.split('/')
  if (OWN_SEGMENTS.has(first))
    throw new BadVariable(`must have another path, because /${first} is a path of Factotum itself`)
  return `${origin}${path.replace(/\/$/, '')}`
}

export const origin = (described: Described<string | null>): Variable<string | null> =>
  variable<string | null>(readOrigin, described)

/** An absolute http(s) address, optionally with a path. */
export const address = (described: Described<string | null>): Variable<string | null> =>
  variable<string | null>((value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
      throw new BadVariable('must be an http or https address without a user name and password')
    return value.replace(/\/+$/, '')
  }, described)

export const custom = <T>(read: Reader<NonNullable<T>>, described: Described<T>): Variable<T> =>
  variable(read, described)

type Values<V> = { readonly [K in keyof V]: V[K] extends Variable<infer T> ? T : never }

/**
 * Reads every variable; an empty one counts as unset. The first invalid one throws an error that names it.
 */
export const readVariables = <V extends Record<string, Variable<unknown>>>(
  variables: V,
  environment: Readonly<Record<string, string | undefined>>,
): Values<V> => {
  const read = ([name, definition]: [string, Variable<unknown>]): [string, unknown] => {
    const given = environment[name]?.trim()
    if (given === undefined || given === '') return [name, definition.fallback]
    try {
      return [name, definition.read(given)]
    } catch (error) {
      const message = error instanceof Error ? error.message : 'is not valid'
      throw new BadVariable(`${name} ${message.replace(/\s+/g, ' ')}`)
    }
  }
  return Object.fromEntries(Object.entries(variables).map(read)) as Values<V>
}

export const readTimeZone = (value: string): string => {
  if (!isTimeZone(value)) throw new BadVariable(`must be a time zone such as Europe/Berlin, not "${value}"`)
  return value
}

export const readDatabaseUrl = (value: string): string => {
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol))
    throw new BadVariable('must be an address such as postgres://user:password@host:5432/name')
  return value
}

/** `true`, a number of hops, or the addresses and networks of the proxies. */
export const readTrustProxy = (value: string): boolean | number | string[] => {
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

export const readHost = (value: string): string => {
  if (!/^[\w.:-]+$/.test(value)) throw new BadVariable(`must be an address or a name, not "${value}"`)
  return value
}

/** A host name without port: requests match by name on any port. */
export const readHostName = (value: string): string => {
  if (!/^[\w.-]+$/.test(value)) throw new BadVariable(`must be names such as nas.lan, not "${value}"`)
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
export const model = (example: string, means: string) =>
  custom(readModel, { means, example, fallback: readModel(example) })

export const readDollars = (value: string): number => {
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(value))
    throw new BadVariable(`must be an amount in dollars such as 2.50, not "${value}"`)
  return Number(value)
}

export const readPrice = (value: string): { model: string; input: number; output: number } => {
  const [, name, input, output] = /^([^\s=]+)=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(value) ?? []
  if (!name) throw new BadVariable(`must be prices such as gpt-5=1.25/10, not "${value}"`)
  return { model: name, input: Number(input), output: Number(output) }
}

/** Parses a mail server: `imaps://host:993`, `smtp://host:587` (STARTTLS), `smtp+plain://…`. */
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

export const signIn = <N extends 'GOOGLE' | 'MICROSOFT'>(name: N, title: string) => {
  const prefix = `MAIL_OAUTH_${name}` as const
  return {
    [`${prefix}_CLIENT_ID`]: text<string | null>({
      means: `OAuth client id for mail accounts at ${title}`,
      fallback: null,
    }),
    [`${prefix}_CLIENT_SECRET`]: text<string | null>({ means: 'The client secret', fallback: null }),
    [`${prefix}_AUTH_URL`]: address({ means: 'Overrides the authorization endpoint', fallback: null }),
    [`${prefix}_TOKEN_URL`]: address({ means: 'Overrides the token endpoint', fallback: null }),
    [`${prefix}_IMAP`]: custom<MailServerSetting | null>(readMailServer, {
      means: 'Overrides the IMAP server, such as imaps://imap.example.org:993',
      fallback: null,
    }),
    [`${prefix}_SMTP`]: custom<MailServerSetting | null>(readMailServer, {
      means: 'Overrides the SMTP server, such as smtps://smtp.example.org:465',
      fallback: null,
    }),
  } as {
    [K in 'CLIENT_ID' | 'CLIENT_SECRET' | 'AUTH_URL' | 'TOKEN_URL' as `MAIL_OAUTH_${N}_${K}`]: Variable<
      string | null
    >
  } & { [K in 'IMAP' | 'SMTP' as `MAIL_OAUTH_${N}_${K}`]: Variable<MailServerSetting | null> }
}

/**
 * A key is sent in a header, which accepts only ASCII. Often it was truncated (“sk-…”) or broken when it was
 * copied.
 */
export const readKey = (value: string): string => {
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new BadVariable('must consist of visible ASCII characters, without spaces')
  return value
}

/** A publishable key looks similar, but has no permissions. */
export const readStripeKey = (value: string): string => {
  if (value.startsWith('pk_')) throw new BadVariable('must be the secret key (sk_…), not the publishable one')
  return readKey(value)
}

export const readPriceId = (value: string): string => {
  if (!/^[\w-]{1,200}$/.test(value))
    throw new BadVariable(`must be price ids such as price_1Pgaf, not "${value}"`)
  return value
}

/**
 * Parses `2024-08-13` for bookings, or one version per kind of request:
 * `bookings=2024-08-13,event-types=2024-06-14`.
 */
export const readApiVersions = (value: string): Record<string, string> => {
  const entries = value.split(',').map((entry): [string, string] => {
    const [, name = 'bookings', version] = /^(?:(bookings|event-types)=)?([\w.-]+)$/.exec(entry.trim()) ?? []
    if (version === undefined) throw new BadVariable(`must be a version such as 2024-08-13, not "${value}"`)
    return [name, version]
  })
  return Object.fromEntries(entries)
}

const HOUR_MS = 3_600_000

/** A timer with more than 25 days would fire at once. */
export const readAiTimeout = (value: string): number => {
  const timeout = duration({ means: '', example: '30s' }).read(value)
  if (timeout > HOUR_MS) throw new BadVariable(`must be an hour or less, not "${value}"`)
  return timeout
}

const MINUTE_MS = 60_000

export const readSyncEvery = (value: string): number => {
  const every = duration({ means: '', example: '1h' }).read(value)
  if (every < MINUTE_MS) throw new BadVariable(`must be a minute or more, not "${value}"`)
  return every
}

export interface SmtpSetting {
  host: string
  port: number
  tls: 'implicit' | 'starttls' | 'opportunistic' | 'none'
  login: { user: string; password: string } | null
}

const SMTP_URL_FORM =
  'must be a server such as smtp://user:password@smtp.example.org:587 (STARTTLS) or smtps://user:password@smtp.example.org:465; percent-encode special characters in the user name and password'
const SMTP_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465, 'smtp+plain:': 25 }

/** A name without a dot is a machine or a container of the same network. */
const isNear = (host: string): boolean =>
  isIP(host) === 0 ? isLocalName(host) || !host.includes('.') : classifyAddress(host) === 'private'

const decodePart = (text: string, form: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new BadVariable(form)
  }
}

/** The value contains a password, so no message repeats it. */
export const readSmtpUrl = (value: string): SmtpSetting => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const usual = url && SMTP_PORTS[url.protocol]
  const host = url && normaliseHost(url.hostname.replace(/^\[|\]$/g, ''))
  const port = Number(url?.port || usual)
  const isPlain = /^\/?$/.test(url?.pathname ?? '') && !url?.search && !url?.hash
  if (!url || !usual || !host || !/^[a-z0-9_.:-]+$/.test(host) || port === 0 || !isPlain)
    throw new BadVariable(SMTP_URL_FORM)
  const [user, password] = [url.username, url.password].map((part) => decodePart(part, SMTP_URL_FORM)) as [
    string,
    string,
  ]
  if ((user === '') !== (password === ''))
    throw new BadVariable('must have both a user name and a password, or neither')
  const tls =
    url.protocol === 'smtps:'
      ? 'implicit'
      : url.protocol === 'smtp+plain:'
        ? 'none'
        : isNear(host)
          ? 'opportunistic'
          : 'starttls'
  return { host, port, tls, login: user === '' ? null : { user, password } }
}

const BLOBS_URL_FORM =
  'must be a bucket such as s3://ACCESS_KEY:SECRET_KEY@s3.example.org/bucket/prefix?region=eu-central-1; percent-encode special characters in the keys (a slash is %2F)'
const BUCKET_NAME = /^[a-z0-9][a-z0-9._-]{1,62}$/i

/** A bucket for attachments, with the text that it was read from. */
export interface BlobsSetting {
  url: string
  bucket: BucketSettings
}

/** The value contains the secret key, so no message repeats it. */
export const readBlobsUrl = (value: string): BlobsSetting => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 's3:' || url.hash) throw new BadVariable(BLOBS_URL_FORM)
  const host = normaliseHost(url.hostname.replace(/^\[|\]$/g, ''))
  const [accessKeyId, secretAccessKey, path] = [url.username, url.password, url.pathname].map((part) =>
    decodePart(part, BLOBS_URL_FORM),
  ) as [string, string, string]
  const [bucket = '', ...folders] = path.split('/').filter((part) => part !== '')
  if (!host || !BUCKET_NAME.test(bucket)) throw new BadVariable(BLOBS_URL_FORM)
  if (!/^[\x21-\x7e]+$/.test(accessKeyId) || !/^[\x21-\x7e]+$/.test(secretAccessKey))
    throw new BadVariable(
      'must contain the access key and the secret key: s3://ACCESS_KEY:SECRET_KEY@host/bucket',
    )
  const { region = 'us-east-1', tls = 'on', ...unknown } = Object.fromEntries(url.searchParams)
  const [other] = Object.keys(unknown)
  if (other !== undefined) throw new BadVariable('has an unknown option; the options are region and tls')
  if (tls !== 'on' && tls !== 'off') throw new BadVariable('must have tls=on or tls=off')
  if (!/^[\w-]{1,64}$/.test(region)) throw new BadVariable('must have a region such as eu-central-1')
  // Message bodies would cross the Internet in plain text.
  if (tls === 'off' && !isNear(host))
    throw new BadVariable('may have tls=off only for a server in the same network')
  const authority = `${host.includes(':') ? `[${host}]` : host}${url.port && `:${url.port}`}`
  return {
    url: value,
    bucket: {
      endpoint: `${tls === 'on' ? 'https' : 'http'}://${authority}`,
      region,
      bucket,
      prefix: folders.map((part) => `${part}/`).join(''),
      accessKeyId,
      secretAccessKey,
    },
  }
}

const BARE_ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/

export const isBareAddress = (text: string): boolean => BARE_ADDRESS.test(text)

/** Parses `factotum@example.org` or `Name <factotum@example.org>`. */
export const readMailFrom = (value: string): { name: string; address: string } => {
  const [, name = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(value) ?? []
  const address = (bracketed ?? value).trim()
  if (!isBareAddress(address))
    throw new BadVariable(`must be an address such as Factotum <factotum@example.org>, not "${value}"`)
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}
