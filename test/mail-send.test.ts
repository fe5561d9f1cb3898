import type { ImapFlow } from 'imapflow'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DAY, MINUTE } from './support/clock.ts'
import { makeDataPlace } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Email, type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import {
  accountBody,
  message,
  newAddress,
  openImapClient,
  withMailServersOnOneDatabase,
} from './support/mail-servers.ts'
import { signIn } from './support/people.ts'
import { callProcess, startFactotum } from './support/process.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

withMailServersOnOneDatabase('postgres', 'sending an email', (engine) => {
  let fixture: MailFixture
  let account: { id: string; address: string }
  const clients: ImapFlow[] = []
  beforeAll(async () => {
    fixture = await openMailFixture(engine)
    await fixture.instance.app.jobs.start()
    account = await fixture.addAccount(newAddress('ana'), { senderName: 'Ana Ruiz' })
    await fixture.live(account.id)
  })
  afterAll(async () => {
    for (const client of clients) await client.logout()
    await fixture.close()
  })

  const openClient = async (address: string): Promise<ImapFlow> => {
    const client = await openImapClient(address)
    clients.push(client)
    return client
  }
  const send = (input: Record<string, unknown>, headers: Record<string, string> = {}) =>
    fixture.instance.post(
      '/api/emails/send',
      { accountId: account.id, subject: 'Lunch', text: 'At noon?', ...input },
      { headers },
    )
  const read = async (id: number): Promise<Email> => (await fixture.instance.get(`/api/emails/${id}`)).body
  const waitForStatus = (id: number, status: string): Promise<Email> =>
    eventually(async () => {
      const email = await read(id)
      return email.delivery?.status === status && email
    })
  const fetchRaw = async (client: ImapFlow, folder: string): Promise<string[]> => {
    const { exists } = await client.mailboxOpen(folder)
    if (exists === 0) return []
    const found = await client.fetchAll('1:*', { source: true })
    return found.map(({ source }) => String(source))
  }

  it('delivers it, stores a copy in the Sent folder, and hides BCC recipients', async () => {
    const [to, blind] = [newAddress('ben'), newAddress('blind')]
    const queued = await send({
      to: [`Ben Okafor <${to}>`],
      bcc: [`Bó <${blind}>`],
      subject: 'Grüße aus Wien',
      text: 'Hallo!',
      html: '<p>Hallo! <img src="https://example.org/a.png"></p>',
    })
    expect(queued.status).toBe(202)
    expect(queued.headers.get('location')).toBe(`/api/emails/${queued.body.id}`)
    expect(queued.body).toMatchObject({ folder: 'drafts', delivery: { status: 'queued', error: null } })
    await fixture.passUndoDelay()
    const sent = await waitForStatus(queued.body.id, 'sent')
    expect(sent).toMatchObject({ folder: 'sent', delivery: { status: 'sent', error: null } })

    const ben = await openClient(to)
    const [raw = ''] = await eventually(async () => {
      const found = await fetchRaw(ben, 'INBOX')
      return found.length > 0 && found
    })
    const parsed = await simpleParser(raw)
    expect(parsed.subject).toBe('Grüße aus Wien')
    expect(parsed.from?.value).toEqual([{ name: 'Ana Ruiz', address: account.address }])
    expect(parsed.messageId).toBe(`<${sent.messageId}>`)
    expect(parsed.html).toContain('src="https://example.org/a.png"')
    expect(raw).not.toContain(blind)
    const other = await openClient(blind)
    await eventually(async () => (await fetchRaw(other, 'INBOX')).length === 1)

    const own = await openClient(account.address)
    const [copy = ''] = await eventually(async () => {
      const found = await fetchRaw(own, 'Sent')
      return found.length > 0 && found
    })
    expect(copy).toContain(sent.messageId ?? '')
    // The sender keeps the BCC recipients, also in other mail programs.
    expect((await simpleParser(copy)).bcc).toMatchObject({ value: [{ name: 'Bó', address: blind }] })
    await fixture.settle(account.id)
    await fixture.settle(account.id)
    expect(await fetchRaw(own, 'Sent')).toHaveLength(1)
    expect(
      (await fixture.emails(account.id)).filter(({ messageId }) => messageId === sent.messageId),
    ).toHaveLength(1)
  })

  it('happens once per Idempotency-Key', async () => {
    const to = newAddress('once')
    const headers = { 'idempotency-key': `send-${to}` }
    const answers = await Promise.all([send({ to: [to] }, headers), send({ to: [to] }, headers)])
    const again = await send({ to: [to] }, headers)
    expect(again.status).toBe(202)
    const ids = answers.filter(({ status }) => status === 202).map(({ body }) => body.id)
    expect(new Set([...ids, again.body.id]).size).toBe(1)
    expect((await send({ to: [to], subject: 'other' }, headers)).body.code).toBe('idempotency_mismatch')
    await fixture.passUndoDelay()
    await waitForStatus(again.body.id, 'sent')
    const once = await openClient(to)
    await eventually(async () => (await fetchRaw(once, 'INBOX')).length > 0)
    expect(await fetchRaw(once, 'INBOX')).toHaveLength(1)
  })

  // The remaining tests do not depend on the database.
  if (engine === 'postgres') return

  it('sets the headers of a reply', async () => {
    const own = await openClient(account.address)
    const original = message({
      subject: 'A question',
      messageId: '<third@example.test>',
      headers: 'References: <first@example.test> <second@example.test>',
    })
    await own.append('INBOX', original)
    const question = await eventually(async () =>
      (await fixture.emails(account.id)).find(({ subject }) => subject === 'A question'),
    )
    const to = newAddress('asker')
    const { body } = await send({ to: [to], subject: 'Re: A question', inReplyTo: question.id })
    const thread = await fixture.instance.get(`/api/emails/${question.id}/thread`)
    expect(thread.body.emails.map(({ id }: { id: number }) => id)).toContain(body.id)
    await fixture.passUndoDelay()
    await waitForStatus(body.id, 'sent')
    const asker = await openClient(to)
    const [raw = ''] = await eventually(async () => {
      const found = await fetchRaw(asker, 'INBOX')
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

  it('includes attachments', async () => {
    const content = Buffer.from([0, 1, 2, 250, 251, 13, 10, 46, 13, 10])
    const upload = await fixture.instance.call('POST', '/api/attachments?filename=r%C3%A9sum%C3%A9.pdf', {
      body: content,
      headers: { 'content-type': 'application/pdf' },
    })
    expect(upload.status).toBe(201)
    const to = newAddress('reader')
    const { body } = await send({ to: [to], attachmentIds: [upload.body.id] })
    await fixture.passUndoDelay()
    await waitForStatus(body.id, 'sent')
    const reader = await openClient(to)
    const [raw = ''] = await eventually(async () => {
      const found = await fetchRaw(reader, 'INBOX')
      return found.length > 0 && found
    })
    const [attachment] = (await simpleParser(raw)).attachments
    expect([attachment?.filename, attachment?.contentType]).toEqual(['résumé.pdf', 'application/pdf'])
    expect(attachment?.content.equals(content)).toBe(true)
    expect((await send({ to: [to], attachmentIds: ['nothing'] })).body.errors[0].path).toBe('attachmentIds.0')
  })

  it('can be cancelled for ten seconds', async () => {
    const to = newAddress('hasty')
    const { body } = await send({ to: [to] })
    const cancelled = await fixture.instance.post(`/api/emails/${body.id}/cancel-send`)
    expect([cancelled.status, cancelled.body.delivery.status, cancelled.body.folder]).toEqual([
      200,
      'cancelled',
      'drafts',
    ])
    await fixture.passUndoDelay()
    const second = await send({ to: [to] })
    await fixture.passUndoDelay()
    await waitForStatus(second.body.id, 'sent')
    expect((await fixture.instance.post(`/api/emails/${second.body.id}/cancel-send`)).status).toBe(409)
    expect((await read(body.id)).delivery?.status).toBe('cancelled')
    const hasty = await openClient(to)
    await eventually(async () => (await fetchRaw(hasty, 'INBOX')).length > 0)
    expect(await fetchRaw(hasty, 'INBOX')).toHaveLength(1)
  })

  it('waits for the scheduled time', async () => {
    const to = newAddress('later')
    const sendAt = new Date(fixture.instance.clock.now().getTime() + 60 * MINUTE).toISOString()
    const { body } = await send({ to: [to], sendAt })
    const before = await send({ to: [to], subject: 'before' })
    await fixture.passUndoDelay()
    await waitForStatus(before.body.id, 'sent')
    expect((await read(body.id)).delivery?.status).toBe('queued')
    await fixture.advanceClock(60 * MINUTE)
    await waitForStatus(body.id, 'sent')
    expect((await send({ to: [to], sendAt: 'whenever' })).body.errors[0].path).toBe('sendAt')
    const far = new Date(fixture.instance.clock.now().getTime() + 500 * DAY).toISOString()
    expect((await send({ to: [to], sendAt: far })).body.errors[0].path).toBe('sendAt')
  })

  it('reports refused recipients and delivers to the others', async () => {
    const { body } = await send({ to: ['nobody@refused.test'] })
    const good = newAddress('good')
    const both = await send({ to: [good, 'nobody@refused.test'] })
    await fixture.passUndoDelay()
    const failed = await waitForStatus(body.id, 'failed')
    expect(failed.delivery?.error).toContain('550')
    expect(failed.folder).toBe('drafts')
    const partly = await waitForStatus(both.body.id, 'sent')
    expect(partly.delivery?.error).toContain('nobody@refused.test')
    expect(partly.delivery?.error).not.toContain(good)
  })

  it('reports refused recipients in the language of the account', async () => {
    // The first session expired while the clock moved on.
    const { token } = await signIn(fixture.instance, fixture.person.email)
    const setLocale = (locale: string) =>
      fixture.instance.call('PATCH', '/api/settings/preferences', { token, body: { locale } })
    expect((await setLocale('de-DE')).status).toBe(200)
    const { body } = await send({ to: [newAddress('good'), 'nobody@refused.test'] })
    await fixture.passUndoDelay()
    const partly = await waitForStatus(body.id, 'sent')
    expect(partly.delivery?.error).toMatch(/^Nicht zugestellt an nobody@refused\.test /)
    await setLocale('en-GB')
  })

  it('writes internationalized domains as A-labels in the envelope', async () => {
    const name = newAddress('bo').split('@')[0]
    const { body } = await send({ to: [`Bo Öst <${name}@exämple.test>`], bcc: [`${name}2@EXÄMPLE.test`] })
    await fixture.passUndoDelay()
    const sent = await waitForStatus(body.id, 'sent')
    expect(sent.delivery?.error).toBeNull()
    expect((sent as unknown as { to: unknown }).to).toEqual([
      { name: 'Bo Öst', address: `${name}@exämple.test` },
    ])
    for (const local of [name, `${name}2`]) {
      const bo = await openClient(`${local}@xn--exmple-cua.test`)
      const [raw = ''] = await eventually(async () => {
        const found = await fetchRaw(bo, 'INBOX')
        return found.length > 0 && found
      })
      expect(raw).toContain(`${name}@xn--exmple-cua.test`)
    }
    const invalid = await send({ to: ['bo@ex%ämple.test'] })
    expect([invalid.status, invalid.body.errors[0].path]).toEqual([400, 'to.0'])
  })

  it('rejects an address that the server cannot accept before it is sent', async () => {
    const to = ['bö@example.test']
    // After the first messages the server is known to offer no SMTPUTF8.
    const known = await send({ to: [newAddress('ascii')], cc: to })
    expect([known.status, known.body.errors[0].path]).toEqual([400, 'cc.0'])
    expect(known.body.errors[0].message).toContain('Use an address with only a–z before the @')
  })

  it('rejects header and command injection', async () => {
    for (const input of [
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
      expect([input, (await send(input)).status]).toEqual([input, 400])
    const to = newAddress('victim')
    const evil = 'Hello\r\nBcc: all@example.test\r\n\r\nBody'
    const { body } = await send({ to: [{ name: evil, address: to }], subject: evil })
    await fixture.passUndoDelay()
    await waitForStatus(body.id, 'sent')
    const victim = await openClient(to)
    const [raw = ''] = await eventually(async () => {
      const found = await fetchRaw(victim, 'INBOX')
      return found.length > 0 && found
    })
    expect(raw).not.toMatch(/^Bcc:/im)
    expect((await simpleParser(raw)).to).toMatchObject({ value: [{ address: to }] })
  })
})

withMailServersOnOneDatabase('sqlite', 'sending through a failing server', (engine) => {
  let fixture: MailFixture
  let server: Awaited<ReturnType<typeof startScriptedSmtp>>
  let accountId: string
  beforeAll(async () => {
    fixture = await openMailFixture(engine)
    await fixture.instance.app.jobs.start()
    server = await startScriptedSmtp()
    const { id } = await fixture.addAccount(newAddress(), {
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
    await fixture.close()
    server.close()
  })
  const send = async (): Promise<number> => {
    const body = { accountId, to: ['ben@example.test'], subject: 'Lunch', text: 'At noon?' }
    const sent = await fixture.instance.post('/api/emails/send', body)
    await fixture.passUndoDelay()
    return sent.body.id
  }
  const delivery = async (id: number) => (await fixture.instance.get(`/api/emails/${id}`)).body.delivery
  const waitForStatus = (id: number, status: string) =>
    eventually(async () => {
      const found = await delivery(id)
      return found.status === status && found
    })

  it('does not resend a message if the connection ended before the server confirmed it', async () => {
    server.turns = ['die after data']
    const id = await send()
    const uncertain = await waitForStatus(id, 'uncertain')
    expect(uncertain.error).toContain('may have been sent')
    await fixture.advanceClock(DAY)
    const next = await send()
    await waitForStatus(next, 'sent')
    expect(await delivery(id)).toEqual(uncertain)
    expect(server.handedOver).toBe(2)
  })

  it('accepts recipients with a quoted local part', async () => {
    const raw = message({ from: '"John Doe" <"john doe"@example.test>', subject: 'Lunch' })
    const headers = { 'content-type': 'message/rfc822' }
    const { from } = (await fixture.instance.post('/api/emails', raw, { headers })).body
    expect(from).toEqual({ name: 'John Doe', address: '"john doe"@example.test' })
    const body = { accountId, to: [from, '"o\\"hara, j."@example.test'], subject: 'Re: Lunch', text: 'Yes.' }
    const sent = await fixture.instance.post('/api/emails/send', body)
    expect(sent.body.to).toEqual([from, { name: '', address: '"o\\"hara, j."@example.test' }])
    await fixture.passUndoDelay()
    await waitForStatus(sent.body.id, 'sent')
    expect(server.taken).toMatchObject([
      { recipients: ['"john doe"@example.test', '"o\\"hara, j."@example.test'] },
    ])
  })

  it('sends waiting messages at once after the settings of the account were corrected', async () => {
    Object.assign(fixture.person, await signIn(fixture.instance, fixture.person.email))
    const smtp = { host: '127.0.0.1', port: server.port, tls: 'none' }
    const own = await fixture.addAccount(newAddress(), { smtp: { ...smtp, port: 1 } })
    const body = { accountId: own.id, to: ['ben@example.test'], subject: 'Lunch', text: 'At noon?' }
    const { id } = (await fixture.instance.post('/api/emails/send', body)).body
    await fixture.passUndoDelay()
    await eventually(async () => (await delivery(id)).error !== null)
    expect((await delivery(id)).status).toBe('queued')
    const later = new Date(fixture.instance.clock.now().getTime() + DAY).toISOString()
    const scheduled = (await fixture.instance.post('/api/emails/send', { ...body, sendAt: later })).body
    const path = `/api/settings/mail-accounts/${own.id}`
    const changed = await fixture.instance.call('PATCH', path, {
      ...fixture.person,
      body: { smtp, password: accountBody(own.address).password },
    })
    expect(changed.status).toBe(200)
    await waitForStatus(id, 'sent')
    expect((await delivery(scheduled.id)).status).toBe('queued')
    expect(server.taken).toHaveLength(1)
    expect((await fixture.instance.post(`/api/emails/${scheduled.id}/cancel-send`)).status).toBe(200)
  })

  it('sends to international addresses if the server offers SMTPUTF8, and explains if it does not', async () => {
    Object.assign(fixture.person, await signIn(fixture.instance, fixture.person.email))
    const to = ['bö@exämple.test', 'ben@exämple.test']
    const own = await fixture.addAccount(newAddress(), {
      smtp: { host: '127.0.0.1', port: server.port, tls: 'none' },
    })
    const post = (recipients = to) =>
      fixture.instance.post('/api/emails/send', {
        accountId: own.id,
        to: recipients,
        subject: 'Lunch',
        text: 'At noon?',
      })
    const sendAscii = async (): Promise<void> => {
      const { body } = await post(['ben@example.test'])
      await fixture.passUndoDelay()
      await waitForStatus(body.id, 'sent')
    }
    const failed = await post()
    expect(failed.status).toBe(202)
    await fixture.passUndoDelay()
    const { error } = await waitForStatus(failed.body.id, 'failed')
    expect(error).toContain('bö@exämple.test')
    expect(error).toContain('Ask the recipient for an address with only a–z before the @')
    expect((await post()).status).toBe(400)
    expect(server.handedOver).toBe(0)

    server.utf8 = true
    await sendAscii()
    const sent = await post()
    expect(sent.status).toBe(202)
    await fixture.passUndoDelay()
    await waitForStatus(sent.body.id, 'sent')
    expect(server.taken.at(-1)).toMatchObject({
      recipients: ['bö@xn--exmple-cua.test', 'ben@xn--exmple-cua.test'],
    })
    expect(server.taken.at(-1)?.parameters).toContain('SMTPUTF8')
    expect(server.taken[0]?.parameters).not.toContain('SMTPUTF8')
    server.utf8 = false
  })

  if (engine === 'postgres') return

  it.each(['busy', 'greylist recipients', 'die before data'] as const)(
    'retries after a temporary failure: %s',
    async (turn) => {
      server.turns = [turn, turn]
      const id = await send()
      await eventually(async () => (await delivery(id)).error !== null)
      expect((await delivery(id)).status).toBe('queued')
      await eventually(async () => {
        await fixture.advanceClock(MINUTE)
        return (await delivery(id)).status === 'sent'
      })
      expect(server.taken).toHaveLength(1)
      expect(await delivery(id)).toMatchObject({ status: 'sent', error: null })
    },
  )

  it('keeps the message with the reason after a permanent failure', async () => {
    server.turns = ['refuse']
    const id = await send()
    const failed = await waitForStatus(id, 'failed')
    expect(failed.error).toContain('554 5.7.1 We do not like this message')
    await fixture.advanceClock(2 * 60 * MINUTE)
    expect(server.taken).toHaveLength(0)
  })

  it('gives up after three days of temporary failures', async () => {
    server.turns = Array.from({ length: 500 }, () => 'busy' as const)
    const id = await send()
    await eventually(async () => (await delivery(id)).error !== null)
    await eventually(async () => {
      await fixture.advanceClock(12 * 60 * MINUTE)
      return (await delivery(id)).status === 'failed'
    })
    expect((await delivery(id)).error).toContain('451')
  })

  it('can be cancelled between retries', async () => {
    server.turns = ['busy', 'accept']
    const id = await send()
    await eventually(async () => (await delivery(id)).error !== null)
    expect((await fixture.instance.post(`/api/emails/${id}/cancel-send`)).status).toBe(200)
    const next = await send()
    await fixture.advanceClock(60 * MINUTE)
    await waitForStatus(next, 'sent')
    expect(server.taken).toHaveLength(1)
    expect((await delivery(id)).status).toBe('cancelled')
  })
})

withMailServersOnOneDatabase('sqlite', 'a process that is killed while sending', (engine) => {
  it('marks the message as uncertain after the restart and does not resend it', async () => {
    const server = await startScriptedSmtp()
    server.turns = ['hang']
    const place = await makeDataPlace(engine, 'prepared')
    let running = await startFactotum(place.environment)
    const call = (method: string, path: string, body?: unknown, token?: string) =>
      callProcess(running, method, path, body, token)
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
})
