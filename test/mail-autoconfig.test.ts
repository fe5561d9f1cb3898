import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MailDns } from '../src/features/mail/accounts/autoconfig/autoconfig.ts'
import { createAutoconfig } from '../src/features/mail/accounts/autoconfig/autoconfig.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { createLoopbackWorld } from './support/loopback-world.ts'
import { register } from './support/people.ts'

/** A DNS resolver that reads from a table. */
const records = (table: Record<string, unknown[]>): MailDns => ({
  services: async (name) => (table[name] ?? []) as { host: string; port: number }[],
  exchangers: async (domain) => (table[`MX ${domain}`] ?? []) as string[],
})

describe('mail servers of an address', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({
      environment: { MAIL_OAUTH_GOOGLE_CLIENT_ID: 'client-id', MAIL_OAUTH_GOOGLE_CLIENT_SECRET: 'hush' },
      deps: {
        mailDns: records({
          'MX hosted.example': ['alt1.aspmx.l.google.com'],
          '_imaps._tcp.own.example': [{ host: 'mail.own.example', port: 993 }],
          '_submission._tcp.own.example': [{ host: 'mail.own.example', port: 587 }],
          '_submissions._tcp.own.example': [{ host: '', port: 0 }],
        }),
      },
    })
  })
  afterAll(() => instance.close())
  const find = async (address: string) => {
    const { token } = await register(instance)
    return (await instance.post('/api/settings/mail-accounts/autoconfig', { address }, { token })).body
  }

  it('are known for large providers and the domains that they host', async () => {
    expect(await find('ana@gmail.com')).toMatchObject({
      source: 'provider',
      provider: 'Gmail',
      signIn: 'google',
      imap: { host: 'imap.gmail.com', port: 993, tls: 'implicit' },
    })
    expect(await find('ana@hosted.example')).toMatchObject({
      provider: 'Google Workspace',
      username: 'ana@hosted.example',
    })
    expect(await find('Ana@Outlook.com')).toMatchObject({ signIn: 'microsoft' })
  })

  it('tell whether this instance can use the OAuth sign-in of the provider', async () => {
    expect(await find('ana@gmail.com')).toMatchObject({ oauthAvailable: true })
    expect(await find('ana@outlook.com')).toMatchObject({ oauthAvailable: false })
    expect(await find('ana@fastmail.com')).toMatchObject({ oauthAvailable: false })
  })

  it('tell what to do at the provider before a sign-in with a password', async () => {
    expect((await find('ana@gmail.com')).setup).toEqual({
      kind: 'app_password',
      url: 'https://myaccount.google.com/apppasswords',
    })
    expect((await find('ana@gmx.net')).setup.kind).toBe('imap_access')
    expect((await find('ana@outlook.com')).setup).toEqual({ kind: 'rejected', url: null })
    expect((await find('ana@posteo.de')).setup).toEqual({ kind: 'none', url: null })
  })

  it('name the steps and the ways that work on this instance, in the language of the account', async () => {
    const { token } = await register(instance)
    const list = async () => {
      const { body } = await instance.get('/api/settings/mail-accounts/providers', { token })
      return new Map<string, Record<string, unknown>>(
        body.providers.map((provider: { id: string }) => [provider.id, provider]),
      )
    }
    const english = await list()
    expect(english.get('gmail')).toMatchObject({ ways: ['oauth', 'app_password'] })
    expect(english.get('microsoft')).toMatchObject({ ways: [], steps: [] })
    expect(english.get('proton')).toMatchObject({
      ways: ['bridge'],
      imap: { host: '127.0.0.1', port: 1143, tls: 'starttls' },
      smtp: { host: '127.0.0.1', port: 1025, tls: 'starttls' },
    })
    expect(english.get('icloud')?.steps).toContainEqual({
      text: 'Sign in to your Apple Account.',
      url: 'https://account.apple.com/account/manage',
    })
    await instance.call('PATCH', '/api/settings/preferences', { body: { locale: 'de-DE' }, token })
    const german = await list()
    expect([...german.keys()]).toEqual([...english.keys()])
    for (const [id, provider] of german) {
      const texts = ({ steps, note, calendarNote }: Record<string, unknown>) => [
        ...(steps as { text: string }[]).map(({ text }) => text),
        ...[note, calendarNote].filter((text) => text !== null),
      ]
      const before = texts(english.get(id) ?? {})
      expect([id, texts(provider).filter((text) => before.includes(text))]).toEqual([id, []])
    }
  })

  it('are found in the DNS records of the domain', async () => {
    expect(await find('ana@own.example')).toEqual({
      source: 'dns',
      provider: null,
      details: null,
      imap: { host: 'mail.own.example', port: 993, tls: 'implicit' },
      smtp: { host: 'mail.own.example', port: 587, tls: 'starttls' },
      username: 'ana@own.example',
      signIn: 'password',
      oauthAvailable: false,
      setup: { kind: 'none', url: null },
      note: null,
    })
  })

  it('require a valid address', async () => {
    expect((await find('nobody')).errors[0].path).toBe('address')
  })
})

const document = (imap: string) => `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="a">
<incomingServer type="pop3"><hostname>pop.a.example</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
<incomingServer type="imap"><hostname>plain.a.example</hostname><port>143</port><socketType>plain</socketType></incomingServer>
${imap}
<outgoingServer type="smtp"><hostname>smtp.%EMAILDOMAIN%</hostname><port>587</port><socketType>STARTTLS</socketType>
<username>%EMAILLOCALPART%</username></outgoingServer></emailProvider></clientConfig>`
const IMAP = `<incomingServer type="imap"><hostname>imap.a.example</hostname><port>993</port>
<socketType>SSL</socketType><username>%EMAILLOCALPART%</username></incomingServer>`

describe('autoconfiguration of a domain', () => {
  const world = createLoopbackWorld()
  afterAll(() => world.end())

  it.each([
    ['uses a valid document', document(IMAP), 'autoconfig'],
    ['ignores servers without encryption', document(''), 'none'],
    ['ignores an invalid document', '<incomingServer type="imap">', 'none'],
  ])('%s', async (_what, xml, source) => {
    // Plain HTTP replaces HTTPS here. The test checks the document and the guarded client.
    const requestedUrls: string[] = []
    const outbound = {
      ...world.client(),
      fetch: async (url: string) => {
        requestedUrls.push(url)
        const { port } = await world.serve((_request, response) => void response.end(xml))
        return world
          .client({ 'a.example': ['127.0.0.1'] }, { typedMayBePrivate: true })
          .fetch(`http://a.example:${port}/`, { trust: 'typed' })
      },
    }
    const autoconfig = createAutoconfig({ outbound, dns: records({}), hasOauth: async () => false })
    const found = await autoconfig.find('ana@a.example', 'en')
    expect(found.source).toBe(source)
    expect(requestedUrls[0]).toBe(
      'https://autoconfig.a.example/mail/config-v1.1.xml?emailaddress=ana%40a.example',
    )
    expect(requestedUrls[2]).not.toContain('ana')
    if (source === 'autoconfig')
      expect(found).toMatchObject({
        imap: { host: 'imap.a.example', port: 993, tls: 'implicit' },
        smtp: { host: 'smtp.a.example', port: 587, tls: 'starttls' },
        username: 'ana',
      })
  })

  it('finds nothing if no server responds', async () => {
    const outbound = { ...world.client(), fetch: async () => Promise.reject(new Error('nobody')) }
    const autoconfig = createAutoconfig({ outbound, dns: records({}), hasOauth: async () => false })
    expect(await autoconfig.find('ana@b.example', 'en')).toMatchObject({ source: 'none', imap: null })
  })
})
