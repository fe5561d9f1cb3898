import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { exampleEnvironment, readConfig, variables } from './config.ts'
import { isSettingName, readSettingFiles } from './setting-files.ts'
import { BadVariable } from './values.ts'

const complaintOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(BadVariable)
    return (error as Error).message
  }
  throw new Error(`This was taken: ${JSON.stringify(environment)}`)
}

const SECRET = 'x'.repeat(32)

describe('an invalid value', () => {
  it.each([
    ['HOST', 'two words'],
    ['HOST', 'http://127.0.0.1'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', '0x0bb8'],
    ['PORT', '3e3'],
    ['PUBLIC_URL', 'desk.example.org'],
    ['PUBLIC_URL', 'ftp://desk.example.org'],
    ['PUBLIC_URL', 'https://desk.example.org/api'],
    ['PUBLIC_URL', 'https://desk.example.org/mail/two'],
    ['PUBLIC_URL', 'https://desk.example.org//two'],
    ['PUBLIC_URL', 'https://desk.example.org/two%20words'],
    ['PUBLIC_URL', 'https://desk.example.org/factotum?x'],
    ['PUBLIC_URL', 'https://desk.example.org/?x'],
    ['PUBLIC_URL', 'https://ana:secret@desk.example.org'],
    ['PUBLIC_URL', 'https://:secret@desk.example.org'],
    ['DATABASE_URL', 'mysql://localhost/factotum'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_POOL_SIZE', '0'],
    ['DATABASE_POOL_SIZE', 'many'],
    ['DATABASE_DIRECT_URL', 'postgres://localhost/factotum'],
    ['DATABASE_DIRECT_URL', 'localhost:5432'],
    ['SECRET_KEY', 'too short'],
    ['SECRET_KEY_PREVIOUS', 'too short'],
    ['ACCESS', 'public'],
    ['ACCESS', 'Open'],
    ['ACCESS', 'open\nprivate'],
    ['REGISTRATION', 'closed'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://one.example, two.example'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'https://one.example/path'],
    ['ALLOWED_HOSTS', 'desk.lan, https://other.lan'],
    ['ALLOWED_HOSTS', '*.lan'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', 'nginx'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '::1/129'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['TRUST_PROXY', '10.0.0.1,,10.0.0.2'],
    ['RATE_LIMIT', '0'],
    ['RATE_LIMIT', 'none'],
    ['TZ_DEFAULT', 'Mars/Olympus'],
    ['AI_TIMEOUT', '25d'],
    ['ACCESS_TOKEN_TTL', '15'],
    ['ACCESS_TOKEN_TTL', '0m'],
    ['ACCESS_TOKEN_TTL', '15 minutes'],
    ['REFRESH_TOKEN_TTL', '-1d'],
    ['REFRESH_TOKEN_MAX_AGE', '1y'],
    ['MODEL_A', 'gpt-5'],
    ['MODEL_B', 'acme:model'],
    ['MODEL_C', 'openai:'],
    ['OPENAI_BASE_URL', 'api.openai.com'],
    ['ANTHROPIC_BASE_URL', 'file:///etc/passwd'],
    ['GOOGLE_BASE_URL', 'https://ana:secret@example.org'],
    ['STRIPE_SECRET_KEY', 'pk_test_forBrowsers'],
    ['STRIPE_SECRET_KEY', 'sk_test_…abcd'],
    ['OPENAI_API_KEY', 'sk-…abcd'],
    ['ANTHROPIC_API_KEY', 'sk-ant-one\ntwo'],
    ['GOOGLE_API_KEY', 'two words'],
    ['OPENAI_COMPATIBLE_API_KEY', 'ключ'],
    ['BOOKINGSVC_API_KEY', 'cal_…abcd'],
    ['STRIPE_PRICES', 'price_1, price 2'],
    ['STRIPE_BASE_URL', 'https://stripe.example.org/v1'],
    ['OUTBOUND_ALLOW', '192.168.1.0/99'],
    ['BLOBS_URL', 'https://key:secret@s3.example.org/bucket'],
    ['BLOBS_URL', 's3://s3.example.org/bucket'],
    ['BLOBS_URL', 's3://key:secret@s3.example.org'],
    ['BLOBS_URL', 's3://key:sec/ret@s3.example.org/bucket'],
    ['BLOBS_URL', 's3://key:secret@s3.example.org/bucket?tls=off'],
    ['BLOBS_URL', 's3://key:secret@s3.example.org/bucket?tls=maybe'],
    ['BLOBS_URL', 's3://key:secret@s3.example.org/bucket?acl=public'],
    ['BLOBS_URL', 's3://key:secret@s3.example.org/bucket?region=a%20b'],
    ['SMTP_URL', 'smtp.example.org:587'],
    ['SMTP_URL', 'https://smtp.example.org'],
    ['SMTP_URL', 'smtp://smtp.example.org:587/path'],
    ['SMTP_URL', 'smtp://smtp.example.org:0'],
    ['SMTP_URL', 'smtp://ana@smtp.example.org:587'],
    ['SMTP_URL', 'smtp://ana:100%@smtp.example.org:587'],
    ['MAIL_FROM', 'Factotum'],
    ['MAIL_FROM', 'Factotum <desk@example.org'],
    ['MAIL_FROM', 'a@example.org, b@example.org'],
    ['LOG_LEVEL', 'verbose'],
    ['METRICS', 'true'],
  ])('%s="%s" causes a one-line error with its name', (name, value) => {
    const message = complaintOf({ [name]: value, ...(name === 'DATABASE_URL' && { SECRET_KEY: SECRET }) })
    expect(message).toMatch(new RegExp(`^${name} \\S`))
    expect(message.split('\n')).toHaveLength(1)
  })

  it('is not repeated in the error if it contains a secret', () => {
    expect(complaintOf({ SECRET_KEY: 'hunter2' })).not.toContain('hunter2')
    expect(
      complaintOf({ DATABASE_URL: 'mysql://ana:hunter2@db/factotum', SECRET_KEY: SECRET }),
    ).not.toContain('hunter2')
    expect(complaintOf({ OPENAI_BASE_URL: 'https://ana:hunter2@example.org' })).not.toContain('hunter2')
    expect(complaintOf({ PUBLIC_URL: 'https://ana:hunter2@example.org' })).not.toContain('hunter2')
    expect(complaintOf({ SMTP_URL: 'smtp://ana:hunter2@example.org/x' })).not.toContain('hunter2')
    expect(complaintOf({ BLOBS_URL: 's3://key:hunter2@s3.example.org' })).not.toContain('hunter2')
  })

  it('may conflict with another value', () => {
    expect(complaintOf({ DATABASE_URL: 'postgres://localhost/factotum' })).toMatch(
      /^SECRET_KEY must .*DATABASE_URL/,
    )
    expect(complaintOf({ SMTP_URL: 'smtp://ana:secret@smtp.example.org' })).toMatch(/^MAIL_FROM must /)
    expect(complaintOf({ REFRESH_TOKEN_TTL: '60d', REFRESH_TOKEN_MAX_AGE: '59d' })).toMatch(
      /^REFRESH_TOKEN_MAX_AGE must /,
    )
  })
})

describe('the SMTP server for system mail', () => {
  it.each([
    ['smtp://smtp.example.org', 'smtp.example.org', 587, 'starttls'],
    ['smtps://smtp.example.org', 'smtp.example.org', 465, 'implicit'],
    ['smtp+plain://smtp.example.org', 'smtp.example.org', 25, 'none'],
    ['smtp://127.0.0.1:1025', '127.0.0.1', 1025, 'opportunistic'],
    ['smtp://10.0.0.5:25', '10.0.0.5', 25, 'opportunistic'],
    ['smtp://[::1]:25', '::1', 25, 'opportunistic'],
    ['smtp://mailpit:1025', 'mailpit', 1025, 'opportunistic'],
  ])('%s', (url, host, port, tls) => {
    const { systemSender } = readConfig({ SMTP_URL: url, MAIL_FROM: '"The desk" <desk@example.org>' })
    expect(systemSender).toMatchObject({
      server: { host, port, tls },
      login: null,
      from: { name: 'The desk', address: 'desk@example.org' },
    })
  })

  it('uses the user name and password of the URL, and the user name as default sender', () => {
    const { systemSender } = readConfig({ SMTP_URL: 'smtps://ana%40example.org:p%23ss@smtp.example.org' })
    expect(systemSender).toMatchObject({
      login: { kind: 'password', user: 'ana@example.org', password: 'p#ss' },
      from: { name: 'Factotum', address: 'ana@example.org' },
    })
  })
})

describe('an empty environment', () => {
  it('has the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: null,
      dataDir: './data',
      databaseUrl: null,
      secretKey: null,
      access: 'open',
      accessIsExplicit: false,
      registration: { configured: null, fallback: 'open' },
      corsOrigins: [],
      allowedHosts: [],
      trustProxy: false,
      rateLimit: 600,
      accessTokenTtlMs: 15 * 60_000,
      refreshTokenTtlMs: 30 * 86_400_000,
      refreshTokenMaxAgeMs: 90 * 86_400_000,
      timezone: null,
      logLevel: 'info',
      metrics: false,
    })
  })

  it('equals empty and blank values', () => {
    const blank = Object.fromEntries(Object.keys(variables).map((name) => [name, '  ']))
    expect(readConfig(blank)).toEqual(readConfig({}))
  })

  it('results in a frozen configuration', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })
})

describe('derived settings', () => {
  const derived = (environment: Record<string, string>): string => {
    const { access, registration, accessIsExplicit } = readConfig(environment)
    return `${access} ${registration.configured ?? registration.fallback}${accessIsExplicit ? ' explicit' : ''}`
  }
  it.each([
    [{}, 'open open'],
    [{ HOST: '::1' }, 'open open'],
    [{ HOST: '127.0.0.53' }, 'open open'],
    [{ PUBLIC_URL: 'http://[::1]:3000' }, 'open open'],
    [{ HOST: '0.0.0.0' }, 'private invite'],
    [{ HOST: '::' }, 'private invite'],
    [{ HOST: '192.168.1.20' }, 'private invite'],
    [{ HOST: 'desk.lan' }, 'private invite'],
    [{ HOST: '127.0.0.1.evil.example' }, 'private invite'],
    [{ PUBLIC_URL: 'https://desk.example.org' }, 'private invite'],
    [{ PUBLIC_URL: 'http://localhost.evil.example' }, 'private invite'],
    [{ TRUST_PROXY: 'true' }, 'private invite'],
    [{ TRUST_PROXY: '1' }, 'private invite'],
    [{ TRUST_PROXY: 'false' }, 'open open'],
    [{ ACCESS: 'private' }, 'private invite explicit'],
    [{ ACCESS: 'open', HOST: '0.0.0.0' }, 'open open explicit'],
    [{ ACCESS: 'open', REGISTRATION: 'first' }, 'open first explicit'],
    [{ HOST: '0.0.0.0', REGISTRATION: 'open' }, 'private open'],
  ])('%j → %s', (environment, expected) => {
    expect(derived(environment as Record<string, string>)).toBe(expected)
  })

  it.each([
    ['true', true],
    ['2', 2],
    ['10.0.0.1, 192.168.0.0/16, ::1, fd00::/8', ['10.0.0.1', '192.168.0.0/16', '::1', 'fd00::/8']],
  ])('TRUST_PROXY=%s', (value, expected) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toEqual(expected)
  })

  it('origins are parsed to the form that browsers send', () => {
    const { publicUrl, corsOrigins } = readConfig({
      PUBLIC_URL: 'HTTPS://Desk.Example.org:443/',
      CORS_ORIGINS: ' https://One.example/ ,http://two.example:80,, ',
    })
    expect(publicUrl).toBe('https://desk.example.org')
    expect(corsOrigins).toEqual(['https://one.example', 'http://two.example'])
  })

  it.each([
    ['https://Home.example/factotum/', 'https://home.example/factotum'],
    ['https://home.example:8443/apps/factotum-2', 'https://home.example:8443/apps/factotum-2'],
    ['https://home.example/apidocs', 'https://home.example/apidocs'],
  ])('the public address may have a path: %s', (value, expected) => {
    expect(readConfig({ PUBLIC_URL: value }).publicUrl).toBe(expected)
  })

  it('a host is allowed by name, with any port', () => {
    const read = (value: string) => {
      try {
        return readConfig({ ALLOWED_HOSTS: value }).allowedHosts
      } catch {
        return 'refused'
      }
    }
    expect([['desk.lan'], 'refused']).toContainEqual(read('desk.lan:8443'))
  })
})

describe('BLOBS_URL', () => {
  it('names the server, the bucket, the folder and the keys', () => {
    const url = 's3://key:a%2Fb+c@S3.example.org:9000/bucket/home/mail/?region=eu-central-1'
    expect(readConfig({ BLOBS_URL: url }).blobs).toEqual({
      url,
      bucket: {
        endpoint: 'https://s3.example.org:9000',
        region: 'eu-central-1',
        bucket: 'bucket',
        prefix: 'home/mail/',
        accessKeyId: 'key',
        secretAccessKey: 'a/b+c',
      },
    })
    expect(
      readConfig({ BLOBS_URL: 's3://key:secret@minio:9000/bucket?tls=off' }).blobs?.bucket,
    ).toMatchObject({
      endpoint: 'http://minio:9000',
      region: 'us-east-1',
      prefix: '',
    })
  })
})

describe('.env.example', () => {
  it('lists every variable with its meaning', () => {
    const example = exampleEnvironment()
    for (const [name, { means }] of Object.entries(variables)) {
      expect(example).toContain(`# ${means}\n#${name}=`)
      expect(means).not.toContain('\n')
    }
  })

  it('is valid with every line uncommented', () => {
    const environment = parseEnv(exampleEnvironment().replace(/^#(?=[A-Z])/gm, ''))
    expect(Object.keys(environment).sort()).toEqual(Object.keys(variables).sort())
    expect(readConfig(environment)).toEqual(readConfig({}))
  })

  it('equals the output of the schema', () => {
    expect(readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')).toBe(exampleEnvironment())
  })
})

describe('a setting in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'factotum-settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const key = join(folder, 'key')
  writeFileSync(key, `${SECRET}\n`)

  it('is read without the line break', () => {
    expect(readConfig(readSettingFiles({ SECRET_KEY_FILE: key })).secretKey).toBe(SECRET)
    expect(isSettingName('SECRET_KEY_FILE')).toBe(true)
    expect(isSettingName('OTHER_FILE')).toBe(false)
  })

  it('is rejected if it is also set, or cannot be read', () => {
    expect(() => readSettingFiles({ SECRET_KEY_FILE: key, SECRET_KEY: SECRET })).toThrow('are both set')
    expect(() => readSettingFiles({ SECRET_KEY_FILE: join(folder, 'none') })).toThrow(
      /SECRET_KEY_FILE names .*none, which cannot be read \(ENOENT\)/,
    )
  })
})
