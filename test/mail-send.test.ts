import type { ImapFlow } from 'imapflow'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DAY, MINUTE } from './support/clock.ts'
import { makeDataPlace } from './support/databases.ts'
import { type Desk, type Email, openDesk } from './support/mail-desk.ts'
import {
  accountBody,
  eventually,
  message,
  newAddress,
  openAsAnother,
  withMailServersOnEveryDatabase,
} from './support/mail-servers.ts'
import { startFactotum } from './support/process.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

withMailServersOnEveryDatabase('sending', (engine) => {
  let desk: Desk
  let account: { id: string; address: string }
  const clients: ImapFlow[] = []
  beforeAll(async () => {
    desk = await openDesk(engine)
    await desk.instance.app.jobs.start()
    account = await desk.addAccount(newAddress('ana'), { senderName: 'Ana Ruiz' })
    await desk.live(account.id)
  })
  afterAll(async () => {
    for (const client of clients) await client.logout()
    await desk.close()
  })

  const another = async (address: string): Promise<ImapFlow> => {
    const client = await openAsAnother(address)
    clients.push(client)
    return client
  }
  const send = (wish: Record<string, unknown>, headers: Record<string, string> = {}) =>
    desk.instance.post(
      '/api/emails/send',
      { accountId: account.id, subject: 'Lunch', text: 'At noon?', ...wish },
      { headers },
    )
  const read = async (id: number): Promise<Email> => (await desk.instance.get(`/api/emails/${id}`)).body
  const settled = (id: number, status: string): Promise<Email> =>
    eventually(async () => {
      const email = await read(id)
      return email.delivery?.status === status && email
    })
  const rawIn = async (client: ImapFlow, folder: string): Promise<string[]> => {
    const { exists } = await client.mailboxOpen(folder)
    if (exists === 0) return []
    const found = await client.fetchAll('1:*', { source: true })
    return found.map(({ source }) => String(source))
  }

  it('reaches the one it is for, with a copy in the sent folder of the server and none for the blind', async () => {
    const [to, blind] = [newAddress('ben'), newAddress('blind')]
    const queued = await send({
      to: [`Ben Okafor <${to}>`],
      bcc: [blind],
      subject: 'Grüße aus Wien',
      text: 'Hallo!',
      html: '<p>Hallo! <img src="https://example.org/a.png"></p>',
    })
    expect(queued.status).toBe(202)
    expect(queued.headers.get('location')).toBe(`/api/emails/${queued.body.id}`)
    expect(queued.body).toMatchObject({ folder: 'drafts', delivery: { status: 'queued', error: null } })
    await desk.passUndo()
    const sent = await settled(queued.body.id, 'sent')
    expect(sent).toMatchObject({ folder: 'sent', delivery: { status: 'sent', error: null } })

    const ben = await another(to)
    const [raw = ''] = await eventually(async () => {
      const found = await rawIn(ben, 'INBOX')
      return found.length > 0 && found
    })
    const parsed = await simpleParser(raw)
    expect(parsed.subject).toBe('Grüße aus Wien')
    expect(parsed.from?.value).toEqual([{ name: 'Ana Ruiz', address: account.address }])
    expect(parsed.messageId).toBe(`<${sent.messageId}>`)
    expect(parsed.html).toContain('src="https://example.org/a.png"')
    expect(raw).not.toContain(blind)
    const other = await another(blind)
    await eventually(async () => (await rawIn(other, 'INBOX')).length === 1)

    const own = await another(account.address)
    const [copy = ''] = await eventually(async () => {
      const found = await rawIn(own, 'Sent')
      return found.length > 0 && found
    })
    expect(copy).toContain(sent.messageId ?? '')
    expect(copy).not.toContain(blind)
    await desk.settle(account.id)
    await desk.settle(account.id)
    expect(await rawIn(own, 'Sent')).toHaveLength(1)
    expect(
      (await desk.emails(account.id)).filter(({ messageId }) => messageId === sent.messageId),
    ).toHaveLength(1)
  })

  it('happens once for one Idempotency-Key', async () => {
    const to = newAddress('once')
    const headers = { 'idempotency-key': `send-${to}` }
    const answers = await Promise.all([send({ to: [to] }, headers), send({ to: [to] }, headers)])
    const again = await send({ to: [to] }, headers)
    expect(again.status).toBe(202)
    const ids = answers.filter(({ status }) => status === 202).map(({ body }) => body.id)
    expect(new Set([...ids, again.body.id]).size).toBe(1)
    expect((await send({ to: [to], subject: 'other' }, headers)).body.code).toBe('idempotency_mismatch')
    await desk.passUndo()
    await settled(again.body.id, 'sent')
    const once = await another(to)
    await eventually(async () => (await rawIn(once, 'INBOX')).length > 0)
    expect(await rawIn(once, 'INBOX')).toHaveLength(1)
  })

  // The rest is the same whatever keeps the jobs.
  if (engine === 'postgres') return

  it('answers in the conversation', async () => {
    const own = await another(account.address)
    const original = message({
      subject: 'A question',
      messageId: '<third@example.test>',
      headers: 'References: <first@example.test> <second@example.test>',
    })
    await own.append('INBOX', original)
    const question = await eventually(async () =>
      (await desk.emails(account.id)).find(({ subject }) => subject === 'A question'),
    )
    const to = newAddress('asker')
    const { body } = await send({ to: [to], subject: 'Re: A question', inReplyTo: question.id })
    const thread = await desk.instance.get(`/api/emails/${question.id}/thread`)
    expect(thread.body.emails.map(({ id }: { id: number }) => id)).toContain(body.id)
    await desk.passUndo()
    await settled(body.id, 'sent')
    const asker = await another(to)
    const [raw = ''] = await eventually(async () => {
      const found = await rawIn(asker, 'INBOX')
      return found.length > 0 && found
    })
    const parsed = await simpleParser(raw)
    expect(parsed.inReplyTo).toBe('<third@example.test>')
    expect(parsed.references).toEqual([
      '<first@example.test>',
      '<second@example.test>',
      '<third@example.test>',
    ])
  })

  it('carries attachments', async () => {
    const content = Buffer.from([0, 1, 2, 250, 251, 13, 10, 46, 13, 10])
    const upload = await desk.instance.call('POST', '/api/attachments?filename=r%C3%A9sum%C3%A9.pdf', {
      body: content,
      headers: { 'content-type': 'application/pdf' },
    })
    expect(upload.status).toBe(201)
    const to = newAddress('reader')
    const { body } = await send({ to: [to], attachmentIds: [upload.body.id] })
    await desk.passUndo()
    await settled(body.id, 'sent')
    const reader = await another(to)
    const [raw = ''] = await eventually(async () => {
      const found = await rawIn(reader, 'INBOX')
      return found.length > 0 && found
    })
    const [attachment] = (await simpleParser(raw)).attachments
    expect([attachment?.filename, attachment?.contentType]).toEqual(['résumé.pdf', 'application/pdf'])
    expect(attachment?.content.equals(content)).toBe(true)
    expect((await send({ to: [to], attachmentIds: ['nothing'] })).body.errors[0].path).toBe('attachmentIds.0')
  })

  it('can be taken back for ten seconds, and then no more', async () => {
    const to = newAddress('hasty')
    const { body } = await send({ to: [to] })
    const cancelled = await desk.instance.post(`/api/emails/${body.id}/cancel-send`)
    expect([cancelled.status, cancelled.body.delivery.status, cancelled.body.folder]).toEqual([
      200,
      'cancelled',
      'drafts',
    ])
    await desk.passUndo()
    const second = await send({ to: [to] })
    await desk.passUndo()
    await settled(second.body.id, 'sent')
    expect((await desk.instance.post(`/api/emails/${second.body.id}/cancel-send`)).status).toBe(409)
    expect((await read(body.id)).delivery?.status).toBe('cancelled')
    const hasty = await another(to)
    await eventually(async () => (await rawIn(hasty, 'INBOX')).length > 0)
    expect(await rawIn(hasty, 'INBOX')).toHaveLength(1)
  })

  it('waits for the time that it was given', async () => {
    const to = newAddress('later')
    const sendAt = new Date(desk.instance.clock.now().getTime() + 60 * MINUTE).toISOString()
    const { body } = await send({ to: [to], sendAt })
    const before = await send({ to: [to], subject: 'before' })
    await desk.passUndo()
    await settled(before.body.id, 'sent')
    expect((await read(body.id)).delivery?.status).toBe('queued')
    await desk.letPass(60 * MINUTE)
    await settled(body.id, 'sent')
    expect((await send({ to: [to], sendAt: 'whenever' })).body.errors[0].path).toBe('sendAt')
    const far = new Date(desk.instance.clock.now().getTime() + 500 * DAY).toISOString()
    expect((await send({ to: [to], sendAt: far })).body.errors[0].path).toBe('sendAt')
  })

  it('tells whom the server refused for good, and sends to the others', async () => {
    const { body } = await send({ to: ['nobody@refused.test'] })
    const good = newAddress('good')
    const both = await send({ to: [good, 'nobody@refused.test'] })
    await desk.passUndo()
    const failed = await settled(body.id, 'failed')
    expect(failed.delivery?.error).toContain('550')
    expect(failed.folder).toBe('drafts')
    const partly = await settled(both.body.id, 'sent')
    expect(partly.delivery?.error).toContain('nobody@refused.test')
    expect(partly.delivery?.error).not.toContain(good)
  })

  it('lets nobody smuggle in a header or a command', async () => {
    for (const wish of [
      { to: ['a@example.test\r\nBcc: all@example.test'] },
      { to: [{ name: 'x', address: 'a@example.test>\r\nRCPT TO:<b@example.test' }] },
      { to: [{ name: 'x', address: '"a\r\nRCPT TO:<b@example.test>"@example.test' }] },
      { to: ['"a>b"@example.test'] },
      { to: [] },
      { to: ['no address'] },
      { to: ['a@example.test'], inReplyTo: 'x>\r\nBcc: <all@example.test' },
      { to: ['a@example.test'], inReplyTo: 999_999_999 },
      { to: ['a@example.test'], accountId: 'nothing' },
      { to: ['a@example.test'], headers: { Bcc: 'all@example.test' } },
    ])
      expect([wish, (await send(wish)).status]).toEqual([wish, 400])
    const to = newAddress('victim')
    const evil = 'Hello\r\nBcc: all@example.test\r\n\r\nBody'
    const { body } = await send({ to: [{ name: evil, address: to }], subject: evil })
    await desk.passUndo()
    await settled(body.id, 'sent')
    const victim = await another(to)
    const [raw = ''] = await eventually(async () => {
      const found = await rawIn(victim, 'INBOX')
      return found.length > 0 && found
    })
    expect(raw).not.toMatch(/^Bcc:/im)
    expect((await simpleParser(raw)).to).toMatchObject({ value: [{ address: to }] })
  })
})

withMailServersOnEveryDatabase('sending through a server that fails', (engine) => {
  let desk: Desk
  let server: Awaited<ReturnType<typeof startScriptedSmtp>>
  let accountId: string
  beforeAll(async () => {
    desk = await openDesk(engine)
    await desk.instance.app.jobs.start()
    server = await startScriptedSmtp()
    const { id } = await desk.addAccount(newAddress(), {
      smtp: { host: '127.0.0.1', port: server.port, tls: 'none' },
    })
    accountId = id
  })
  beforeEach(() => {
    server.turns = []
    server.taken = []
    server.handedOver = 0
  })
  afterAll(async () => {
    await desk.close()
    server.close()
  })
  const send = async (): Promise<number> => {
    const body = { accountId, to: ['ben@example.test'], subject: 'Lunch', text: 'At noon?' }
    const sent = await desk.instance.post('/api/emails/send', body)
    await desk.passUndo()
    return sent.body.id
  }
  const delivery = async (id: number) => (await desk.instance.get(`/api/emails/${id}`)).body.delivery
  const reaches = (id: number, status: string) =>
    eventually(async () => {
      const found = await delivery(id)
      return found.status === status && found
    })

  it('does not send again what may have been sent: the line died after the message and before the answer', async () => {
    server.turns = ['die after data']
    const id = await send()
    const uncertain = await reaches(id, 'uncertain')
    expect(uncertain.error).toContain('may have been sent')
    await desk.letPass(DAY)
    const next = await send()
    await reaches(next, 'sent')
    expect(await delivery(id)).toEqual(uncertain)
    expect(server.handedOver).toBe(2)
  })

  it('answers who writes from a part in quotes, spaces and all', async () => {
    const raw = message({ from: '"John Doe" <"john doe"@example.test>', subject: 'Lunch' })
    const headers = { 'content-type': 'message/rfc822' }
    const { from } = (await desk.instance.post('/api/emails', raw, { headers })).body
    expect(from).toEqual({ name: 'John Doe', address: '"john doe"@example.test' })
    const body = { accountId, to: [from, '"o\\"hara, j."@example.test'], subject: 'Re: Lunch', text: 'Yes.' }
    const sent = await desk.instance.post('/api/emails/send', body)
    expect(sent.body.to).toEqual([from, { name: '', address: '"o\\"hara, j."@example.test' }])
    await desk.passUndo()
    await reaches(sent.body.id, 'sent')
    expect(server.taken).toMatchObject([
      { recipients: ['"john doe"@example.test', '"o\\"hara, j."@example.test'] },
    ])
  })

  if (engine === 'postgres') return

  it.each(['busy', 'greylist recipients', 'die before data'] as const)(
    'tries again when the server says later: %s',
    async (turn) => {
      server.turns = [turn, turn]
      const id = await send()
      await eventually(async () => (await delivery(id)).error !== null)
      expect((await delivery(id)).status).toBe('queued')
      await eventually(async () => {
        await desk.letPass(MINUTE)
        return (await delivery(id)).status === 'sent'
      })
      expect(server.taken).toHaveLength(1)
      expect(await delivery(id)).toMatchObject({ status: 'sent', error: null })
    },
  )

  it('keeps it with the reason when the server says no', async () => {
    server.turns = ['refuse']
    const id = await send()
    const failed = await reaches(id, 'failed')
    expect(failed.error).toContain('554 5.7.1 We do not like this message')
    await desk.letPass(2 * 60 * MINUTE)
    expect(server.taken).toHaveLength(0)
  })

  it('gives up after three days of later', async () => {
    server.turns = Array.from({ length: 500 }, () => 'busy' as const)
    const id = await send()
    await eventually(async () => (await delivery(id)).error !== null)
    await eventually(async () => {
      await desk.letPass(12 * 60 * MINUTE)
      return (await delivery(id)).status === 'failed'
    })
    expect((await delivery(id)).error).toContain('451')
  })

  it('is taken back while it waits for another try', async () => {
    server.turns = ['busy', 'accept']
    const id = await send()
    await eventually(async () => (await delivery(id)).error !== null)
    expect((await desk.instance.post(`/api/emails/${id}/cancel-send`)).status).toBe(200)
    const next = await send()
    await desk.letPass(60 * MINUTE)
    await reaches(next, 'sent')
    expect(server.taken).toHaveLength(1)
    expect((await delivery(id)).status).toBe('cancelled')
  })
})

withMailServersOnEveryDatabase(
  'a process that is killed while it sends',
  (engine) => {
    it('says after the next start that nobody knows, and sends nothing', { timeout: 120_000 }, async () => {
      const server = await startScriptedSmtp()
      server.turns = ['hang']
      const place = await makeDataPlace(engine, 'prepared')
      let running = await startFactotum(place.environment)
      const call = async (method: string, path: string, body?: unknown, token?: string) => {
        const response = await fetch(`${running.url}${path}`, {
          method,
          headers: {
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
        return (await response.json()) as any
      }
      const owner = { email: 'ana@example.org', password: 'correct horse battery', name: 'Ana' }
      const { token } = await call('POST', '/api/auth/register', owner)
      const account = await call(
        'POST',
        '/api/settings/mail-accounts',
        {
          ...accountBody(newAddress()),
          smtp: { host: '127.0.0.1', port: server.port, tls: 'none' },
          enabled: false,
        },
        token,
      )
      const { id } = await call('POST', '/api/emails/send', {
        accountId: account.id,
        to: ['ben@example.test'],
        subject: 'Lunch',
        text: 'At noon?',
      })
      await eventually(async () => server.handedOver === 1)
      running.child.kill('SIGKILL')
      await running.ended
      running = await startFactotum(place.environment)
      const { delivery } = await eventually(async () => {
        const email = await call('GET', `/api/emails/${id}`)
        return email.delivery.status !== 'queued' && email
      })
      expect(delivery).toMatchObject({
        status: 'uncertain',
        error: expect.stringContaining('may have been sent'),
      })
      expect(server.handedOver).toBe(1)
      running.child.kill('SIGTERM')
      await running.ended
      server.close()
      await place.remove()
    })
  },
  { concurrent: true },
)
