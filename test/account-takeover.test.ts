import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import type { Engine } from '../src/database/database.ts'
import { deriveKeys } from '../src/platform/secrets/seal.ts'
import { createMailSignature, SIGNATURE_HEADER } from '../src/platform/secrets/signatures.ts'
import { onOneDatabase } from './support/databases.ts'
import { type EventStream, openEventStream } from './support/event-stream.ts'
import { eventually } from './support/eventually.ts'
import { entriesOf, exportOf, importInto } from './support/exports.ts'
import { type Instance, startInstance } from './support/instance.ts'
import {
  accountBody,
  mailServers,
  message,
  newAddress,
  openImapClient,
  withMailServersOnOneDatabase,
} from './support/mail-servers.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { type AiFixture, startAiFixture } from './support/providers/ai-fixture.ts'
import { returnedForms, textIn, withoutSignature } from './support/returned-mail.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'
import { startReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'

const PUBLIC_URL = 'https://desk.example.org'
const NEW_PASSWORD = 'a longer and better one'
const ASK = '/api/auth/password-reset'
const CONFIRM = '/api/auth/password-reset/confirm'
const CONTROL = 'An ordinary mail'

const openInstance = async (engine: Engine, smtpUrl: string): Promise<AiFixture> => {
  const environment = {
    PUBLIC_URL,
    ACCESS: 'private',
    REGISTRATION: 'open',
    OUTBOUND_ALLOW: '127.0.0.1',
    MODEL_A: 'openai:gpt-4.1',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Factotum <factotum@example.test>',
  }
  const fixture = await startAiFixture({ engine, environment })
  fixture.instance.app.syncing.start()
  fixture.instance.app.sending.start()
  await fixture.instance.app.jobs.start()
  return fixture
}

/** Registers a person with the address of a connected mailbox. */
const connectPerson = async (instance: Instance): Promise<{ person: Person; accountId: string }> => {
  const email = newAddress('ana')
  const person = await register(instance, { email })
  const added = await instance.post('/api/settings/mail-accounts', accountBody(email), person)
  expect(added.status).toBe(201)
  const accountId = added.body.id as string
  await eventually(
    async () =>
      (await instance.get(`/api/settings/mail-accounts/${accountId}`, person)).body.sync.status === 'live',
  )
  return { person, accountId }
}

const askFor = async (instance: Instance, email: string): Promise<{ headers: { cookie: string } }> => {
  const { status, headers } = await instance.post(ASK, { email })
  expect(status).toBe(202)
  return { headers: { cookie: headers.getSetCookie()[0]?.split(';')[0] as string } }
}

const tokenIn = (raw: string): string => /#(\S+)/.exec(textIn(raw))?.[1] as string

withMailServersOnOneDatabase('sqlite', 'a mailbox that is connected here', (engine) => {
  let fixture: AiFixture
  let instance: Instance
  let receiver: WebhookReceiver
  const clients: ImapFlow[] = []
  const streams: EventStream[] = []
  beforeAll(async () => {
    fixture = await openInstance(engine, `smtp://127.0.0.1:${mailServers().relay}`)
    instance = fixture.instance
    await register(instance)
    receiver = await startReceiver()
  })
  afterAll(async () => {
    for (const stream of streams) await stream.leave()
    for (const client of clients) await client.logout()
    await fixture.close()
    await receiver.close()
  })

  const openMailbox = async (address: string): Promise<ImapFlow> => {
    const client = await openImapClient(address)
    clients.push(client)
    return client
  }
  const settle = async (accountId: string, person: Person): Promise<void> => {
    await instance.post(`/api/settings/mail-accounts/${accountId}/sync`, undefined, person)
    await eventually(async () => {
      const { requestedAt, status } = await instance.database.db
        .selectFrom('mail_sync')
        .select(['requestedAt', 'status'])
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow()
      return requestedAt === null && status === 'live'
    })
  }
  /** Reads the mail with the link as another mail client does. */
  const readLinkMail = (mailbox: ImapFlow, older = 'none'): Promise<string> =>
    eventually(async () => {
      const { exists } = await mailbox.mailboxOpen('INBOX')
      if (exists === 0) return undefined
      const found = await mailbox.fetchAll('1:*', { source: true })
      return found
        .map(({ source }) => String(source))
        .find((raw) => /^Subject: Reset your password/m.test(raw) && tokenIn(raw) !== older)
    })
  const tokenFor = async (person: Person, ...scopes: string[]): Promise<string> =>
    (await instance.post('/api/settings/tokens', { password: PASSWORD, name: 'attacker', scopes }, person))
      .body.token

  const readApi = async (token: string): Promise<string[]> => {
    const seen: unknown[] = []
    for (const query of ['limit=200', 'q=password', 'q=reset', 'q=reference', 'q=in:trash', 'q=in:sent']) {
      const { status, body } = await instance.get(`/api/emails?${query}`, { token })
      expect(status).toBe(200)
      seen.push(body)
    }
    const { body } = await instance.get('/api/emails?limit=200', { token })
    for (const { id } of body.emails as { id: number }[]) {
      const email = await instance.get(`/api/emails/${id}`, { token })
      seen.push(email.body, (await instance.get(`/api/emails/${id}/raw`, { token })).body)
      seen.push((await instance.get(`/api/emails/${id}/thread`, { token })).body)
      for (const attachment of email.body.attachments as { id: string }[])
        seen.push((await instance.get(`/api/emails/${id}/attachments/${attachment.id}`, { token })).body)
    }
    return seen.map((each) => JSON.stringify(each))
  }
  const readMcp = async (token: string): Promise<string[]> => {
    const client = new Client({ name: 'attacker', version: '1.0.0' })
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${instance.url}/mcp`), { requestInit: { headers } }),
    )
    const seen: string[] = []
    for (const input of [{}, { query: 'password' }, { query: 'reset' }])
      seen.push(JSON.stringify(await client.callTool({ name: 'find_emails', arguments: input })))
    for (const { id } of (await instance.get('/api/emails?limit=200', { token })).body.emails as {
      id: number
    }[])
      seen.push(JSON.stringify(await client.callTool({ name: 'read_email', arguments: { id } })))
    await client.close()
    return seen
  }
  const readAssistant = async (token: string): Promise<string[]> => {
    const { openai } = fixture.providers
    openai.asked = []
    openai.script = [{ calls: [{ name: 'find_emails', input: {} }] }, { say: 'Done.' }]
    const { status, body } = await instance.post('/api/ai/chat', { message: 'Show my mails' }, { token })
    expect(status).toBe(200)
    return [JSON.stringify(openai.asked), JSON.stringify(body)]
  }

  it.each([false, true])(
    'does not reveal a reset link to a token in any form of the mail (second factor: %s)',
    async (hasSecondFactor) => {
      const { person, accountId } = await connectPerson(instance)
      const attacker = await tokenFor(person, 'mail:read', 'ai:write', 'ai:read')
      if (hasSecondFactor)
        await instance.database.db
          .updateTable('users')
          .set({ twoFactorEnabledAt: instance.clock.now().toISOString() })
          .where('id', '=', person.id)
          .execute()
      const hook = { url: receiver.url, events: ['email.received', 'notification.created'] }
      expect((await instance.post('/api/settings/webhooks', hook, person)).status).toBe(201)
      const stream = await openEventStream(instance.url, '/api/events', { token: attacker })
      streams.push(stream)

      // The holder of the token requests the link, so they have the cookie. They lack only the link.
      const browser = await askFor(instance, person.email)
      const mailbox = await openMailbox(person.email)
      const raw = await readLinkMail(mailbox)
      const token = tokenIn(raw)
      expect(token).toMatch(/^resetkey[0-9a-f]{64}$/)
      for (const form of Object.values(returnedForms(raw))) await mailbox.append('INBOX', form)
      await mailbox.mailboxCreate('Sent').catch(() => undefined)
      await mailbox.append('Sent', withoutSignature(raw))
      await mailbox.append('INBOX', message({ subject: CONTROL, body: 'Lunch?' }))
      await settle(accountId, person)
      await settle(accountId, person)

      // An ordinary mail must arrive through each channel, to prove that the channel works.
      const channels = {
        api: await readApi(attacker),
        mcp: await readMcp(attacker),
        assistant: await readAssistant(attacker),
        webhook: (await receiver.until(1)).map(({ text }) => text),
        live: (await stream.until(1)).map((event) => JSON.stringify(event)),
        export: [...(await entriesOf(await exportOf(instance, person.token)))].map(
          ([name, content]) => name + content.toString('latin1'),
        ),
      }
      const secret = token.slice('resetkey'.length)
      for (const [channel, seen] of Object.entries(channels)) {
        const all = seen.join('\n')
        expect([channel, all.includes(CONTROL)]).toEqual([channel, true])
        expect([channel, all.toLowerCase().includes(secret)]).toEqual([channel, false])
        expect([channel, /Reset your password|resetref|X-Factotum-Signature/i.test(all)]).toEqual([
          channel,
          false,
        ])
      }
      const stored = await instance.database.db
        .selectFrom('emails')
        .select('subject')
        .where('accountId', '=', accountId)
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
      expect(stored).toEqual([{ subject: CONTROL }])
      // Each message has a recorded placement, so that no sync fetches it again.
      const { count } = await instance.database.db
        .selectFrom('mail_placements')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('accountId', '=', accountId)
        .where('emailId', 'is', null)
        .executeTakeFirstOrThrow()
      expect(Number(count)).toBeGreaterThanOrEqual(Object.keys(returnedForms(raw)).length + 2)

      // The owner did not request this link, so it does not work in the owner's browser.
      const elsewhere = await instance.post(CONFIRM, { token, password: NEW_PASSWORD })
      expect([elsewhere.status, elsewhere.body.code]).toEqual([403, 'reset_other_browser'])
      expect((await instance.get('/api/auth/me', person)).status).toBe(200)

      // The owner reads the mailbox with another client and can reset the password.
      const ownBrowser = await askFor(instance, person.email)
      expect(ownBrowser).not.toEqual(browser)
      const own = tokenIn(await readLinkMail(mailbox, token))
      expect((await instance.post(CONFIRM, { token: own, password: NEW_PASSWORD }, ownBrowser)).status).toBe(
        204,
      )
      expect((await instance.get('/api/auth/me', person)).status).toBe(401)
      const login = await instance.post('/api/auth/login', { email: person.email, password: NEW_PASSWORD })
      expect([login.status, login.body.code]).toEqual(
        hasSecondFactor ? [401, 'two_factor_required'] : [200, undefined],
      )
    },
  )

  it('rejects mail of the service that a client wants to store', async () => {
    const person = await register(instance, { email: newAddress('ben') })
    const writer = await tokenFor(person, 'mail:read', 'mail:write')
    await askFor(instance, person.email)
    const raw = await readLinkMail(await openMailbox(person.email))
    const before = (await instance.get('/api/emails?limit=200', { token: writer })).body.emails.length
    const headers = { 'content-type': 'message/rfc822' }
    for (const [form, body] of Object.entries(returnedForms(raw))) {
      const answer = await instance.call('POST', '/api/emails', { token: writer, body, headers })
      expect([form, answer.status, answer.body.code]).toEqual([form, 409, 'system_mail'])
    }
    for (const fields of [
      { text: textIn(raw) },
      { html: `<p>${textIn(raw)}</p>` },
      { subject: tokenIn(raw) },
    ]) {
      const input = { from: 'ben@example.org', subject: 'Fwd', ...fields }
      const answer = await instance.post('/api/emails', input, { token: writer })
      expect([answer.status, answer.body.code]).toEqual([409, 'system_mail'])
    }
    const upload = await instance.call('POST', '/api/attachments?filename=mail.eml', {
      token: writer,
      body: raw,
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect([upload.status, upload.body.code]).toEqual([409, 'system_mail'])
    expect((await instance.get('/api/emails?limit=200', { token: writer })).body.emails).toHaveLength(before)
  })
})

withMailServersOnOneDatabase('postgres', 'a reset mail that a relay changed beyond recognition', (engine) => {
  let fixture: AiFixture
  let instance: Instance
  let relay: Awaited<ReturnType<typeof startScriptedSmtp>>
  beforeAll(async () => {
    relay = await startScriptedSmtp()
    fixture = await openInstance(engine, `smtp://127.0.0.1:${relay.port}`)
    instance = fixture.instance
  })
  afterAll(async () => {
    await fixture.close()
    relay.close()
  })

  it('has a link that is not accepted, because the service cannot know who has read it', async () => {
    const { person } = await connectPerson(instance)
    const browser = await askFor(instance, person.email)
    await eventually(async () => relay.taken.length === 1)
    const token = tokenIn(relay.taken[0]?.raw as string)
    const mailbox = await openImapClient(person.email)
    const reversed = [...token].toReversed().join('')
    await mailbox.append('INBOX', message({ subject: 'Changed', body: reversed }))
    await mailbox.logout()
    await eventually(
      async () => (await instance.get('/api/emails?q=Changed', person)).body.emails.length === 1,
    )
    const answer = await instance.post(CONFIRM, { token, password: NEW_PASSWORD }, browser)
    expect([answer.status, answer.body.code]).toEqual([409, 'reset_mail_not_seen'])
    expect((await instance.get('/api/auth/me', person)).status).toBe(200)
  })
})

onOneDatabase('sqlite', 'an import', (engine) => {
  it('skips mail that the service itself signed, also with its previous key', async () => {
    const keys = ['k'.repeat(40), 'p'.repeat(40)] as const
    const source = await startInstance({ engine })
    const signed = keys.map((key) =>
      createMailSignature(deriveKeys(key), null).sign({ kind: 'reset', id: 'r'.repeat(43) }),
    )
    for (const [subject, headers] of [
      [CONTROL, ''],
      ['Signed', `${SIGNATURE_HEADER}: ${signed[0]}`],
      ['Signed before', `${SIGNATURE_HEADER}: ${signed[1]}`],
    ] as const) {
      const body = message({ subject, headers })
      const made = await source.call('POST', '/api/emails', {
        body,
        headers: { 'content-type': 'message/rfc822' },
      })
      expect(made.status).toBe(201)
    }
    const zip = await exportOf(source, (await register(source)).token)
    await source.close()
    const target = await startInstance({
      engine,
      environment: { SECRET_KEY: keys[0], SECRET_KEY_PREVIOUS: keys[1] },
    })
    const { token } = await register(target)
    expect((await importInto(target, token, zip)).status).toBe(200)
    const { emails } = (await target.get('/api/emails')).body
    expect(emails.map(({ subject }: { subject: string }) => subject)).toEqual([CONTROL])
    expect((await target.get('/api/emails?q=signed')).body.emails).toEqual([])
    await target.close()
  })
})
