import type { ImapFlow } from 'imapflow'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type Email, type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import {
  accountBody,
  newAddress,
  openImapClient,
  withMailServersOnOneDatabase,
} from './support/mail-servers.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const ACCOUNTS = '/api/settings/mail-accounts'
const TEMPLATES = '/api/mail-templates'

/** The nesting of a message, such as `mixed(plain,pdf)`. */
const readStructure = (raw: string): string => {
  const [head = '', ...rest] = raw.split(/\r?\n\r?\n/)
  const field = /^content-type:\s*([\w-]+)\/([\w.+-]+)((?:.*(?:\r?\n[ \t].*)*))/im.exec(head)
  const [, type = 'text', subtype = 'plain', parameters = ''] = field ?? []
  if (type !== 'multipart') return subtype
  const boundary = /boundary="?([^";\r\n]+)/i.exec(parameters)?.[1] ?? ''
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`).slice(1, -1)
  return `${subtype}(${parts.map((part) => readStructure(part.replace(/^\r?\n/, ''))).join(',')})`
}

withMailServersOnOneDatabase('sqlite', 'a formatted email', (engine) => {
  let fixture: MailFixture
  let account: { id: string; address: string }
  const clients: ImapFlow[] = []
  beforeAll(async () => {
    fixture = await openMailFixture(engine)
    await fixture.instance.app.jobs.start()
    account = await fixture.addAccount(newAddress('ana'), { senderName: 'Ana Ruiz' })
  })
  afterAll(async () => {
    for (const client of clients) await client.logout()
    await fixture.close()
  })

  const { person, instance } = { person: () => fixture.person, instance: () => fixture.instance }
  const changeAccount = (body: object, id = account.id) =>
    instance().call('PATCH', `${ACCOUNTS}/${id}`, { token: person().token, body })
  const send = (input: object) =>
    instance().post('/api/emails/send', { accountId: account.id, subject: 'Plans', ...input })
  const upload = async (filename: string, type: string, content: Buffer): Promise<string> => {
    const { status, body } = await instance().call('POST', `/api/attachments?filename=${filename}`, {
      body: content,
      headers: { 'content-type': type },
    })
    expect(status).toBe(201)
    return body.id
  }
  const waitForStatus = (id: number, status: string): Promise<Email> =>
    eventually(async () => {
      const email: Email = (await instance().get(`/api/emails/${id}`)).body
      return email.delivery?.status === status && email
    })
  const receive = async (address: string): Promise<string> => {
    const client = await openImapClient(address)
    clients.push(client)
    return eventually(async () => {
      const { exists } = await client.mailboxOpen('INBOX')
      if (exists === 0) return false
      const [found] = await client.fetchAll('1:*', { source: true })
      return String(found?.source)
    })
  }

  it('is sent with its text, related images and attachments', async () => {
    const image = await upload('plan.png', 'image/png', PNG)
    const file = await upload('plan.pdf', 'application/pdf', Buffer.from('%PDF-1.4'))
    const to = newAddress('ben')
    const html = `<p>See the <b>plan</b>:</p><ul><li>one</li></ul><p><img src="cid:${image}" alt="Plan"></p><script>alert(1)</script><p><img src="data:image/png;base64,${PNG.toString('base64')}"></p><blockquote type="cite"><p style="color:red">Before</p></blockquote>`
    const queued = await send({ to: [to], html, attachmentIds: [image, file] })
    expect(queued.status).toBe(202)
    expect(queued.body.html).toContain(`src="/api/emails/${queued.body.id}/attachments/${image}"`)
    await fixture.passUndoDelay()
    await waitForStatus(queued.body.id, 'sent')
    const raw = await receive(to)
    expect(readStructure(raw)).toBe('mixed(alternative(plain,related(html,png,png)),pdf)')
    const parsed = await simpleParser(raw, { skipImageLinks: true })
    expect(parsed.text?.replace(/\n{3,}/g, '\n\n')).toBe('See the plan:\n\n * one\n\n> Before')
    const written = String(parsed.html)
    expect(written).toContain(`<img alt="Plan" src="cid:${image}@factotum"`)
    expect(written).toContain('<ul style="margin:0 0 10px;padding-left:24px">')
    expect(written).toContain('<blockquote type="cite" style=')
    expect(written).toContain('<p style="color:red">Before</p>')
    expect(written).not.toMatch(/script|alert|data:/)
    const dispositions = parsed.attachments.map(({ contentDisposition, contentType }) => [
      contentDisposition,
      contentType,
    ])
    expect(dispositions).toEqual([
      ['inline', 'image/png'],
      ['inline', 'image/png'],
      ['attachment', 'application/pdf'],
    ])
  })

  it('is kept as a draft with its images and its quote', async () => {
    const [first, second] = [await upload('a.png', 'image/png', PNG), await upload('b.png', 'image/png', PNG)]
    const draft = await instance().post('/api/emails', {
      folder: 'drafts',
      html: `<p><img src="cid:${first}"></p><div data-part="signature"><p>Ana</p></div><blockquote type="cite">Hi</blockquote>`,
      attachmentIds: [first],
    })
    const path = (id: string) => `/api/emails/${draft.body.id}/attachments/${id}`
    expect(draft.body.html).toContain(`<img src="${path(first)}"`)
    expect(draft.body.html).toContain('<div data-part="signature"><p>Ana</p></div><blockquote type="cite">Hi')
    expect(draft.body.text).toBe('Ana\n\n> Hi')
    const changed = await instance().call('PATCH', `/api/emails/${draft.body.id}`, {
      body: {
        html: `<p><img src="cid:${first}"><img src="cid:${second}"></p>`,
        attachmentIds: [first, second],
      },
    })
    expect(changed.status).toBe(200)
    expect(changed.body.html).toContain(path(first))
    expect(changed.body.html).toContain(path(second))
    const foreign = await instance().call('PATCH', `/api/emails/${draft.body.id}`, {
      body: { html: '<p>x<img src="cid:unknown"></p>', attachmentIds: [] },
    })
    expect([foreign.body.html, foreign.body.attachments]).toEqual(['<p>x</p>', []])
  })

  it('can be sent only from an identity of its account', async () => {
    const alias = newAddress('sales')
    const changed = await changeAccount({
      identities: [{ name: 'Sales', address: alias }],
      signature: '<p>Ana</p><script>x()</script>',
    })
    expect(changed.body).toMatchObject({
      identities: [{ name: 'Sales', address: alias }],
      signature: '<p>Ana</p>',
    })
    const to = newAddress('carl')
    const foreign = await send({ to: [to], text: 'Hi', from: 'boss@example.org' })
    expect([foreign.status, foreign.body.errors?.[0].path]).toEqual([400, 'from'])
    const queued = await send({ to: [to], text: 'Hi', from: alias.toUpperCase() })
    expect(queued.body.from).toEqual({ name: 'Sales', address: alias })
    await fixture.passUndoDelay()
    await waitForStatus(queued.body.id, 'sent')
    const parsed = await simpleParser(await receive(to))
    expect(parsed.from?.value).toEqual([{ name: 'Sales', address: alias }])
    const twice = await changeAccount({ identities: [{ name: '', address: account.address.toUpperCase() }] })
    expect([twice.status, twice.body.errors?.[0].path]).toEqual([400, 'identities.0.address'])
  })

  it('can use templates, which belong to one account', async () => {
    const html = '<p>Dear {{firstName}},</p><script>x()</script>'
    const added = await instance().post(TEMPLATES, { name: ' Offer ', html })
    expect(added.status).toBe(201)
    expect(added.body).toMatchObject({ name: 'Offer', subject: '', html: '<p>Dear {{firstName}},</p>' })
    const path = `${TEMPLATES}/${added.body.id}`
    const change = (body: object, etag: string) =>
      instance().call('PATCH', path, { body, headers: { 'if-match': etag } })
    const etag = added.headers.get('etag') ?? ''
    expect((await change({ subject: 'Our offer' }, etag)).body.subject).toBe('Our offer')
    expect((await change({ subject: 'Old' }, etag)).status).toBe(412)
    expect((await instance().post(TEMPLATES, { name: 'x', html: '<script></script>' })).status).toBe(400)
    expect((await instance().get(TEMPLATES)).body.mailTemplates).toHaveLength(1)
    expect((await instance().call('DELETE', path)).status).toBe(204)
    expect((await instance().get(path)).status).toBe(404)
  })

  it('is refused before sending if it exceeds the SIZE of the server, and the refusal says what to do', async () => {
    const smtp = await startScriptedSmtp()
    try {
      const server = { host: '127.0.0.1', port: smtp.port, tls: 'none' }
      const small = await fixture.addAccount(newAddress('small'), {
        ...accountBody(newAddress('small')),
        smtp: server,
      })
      const from = { accountId: small.id, to: ['ben@example.org'] }
      smtp.turns = ['too large']
      const refused = await send({ ...from, text: 'Hi' })
      await fixture.passUndoDelay()
      const failed = await waitForStatus(refused.body.id, 'failed')
      expect(failed.delivery?.error).toBe(
        '552 5.3.4 Message too big for this mailbox. Send fewer or smaller attachments, or share a link to the files.',
      )
      smtp.size = 20_000
      const test = await instance().post(`${ACCOUNTS}/${small.id}/test`, undefined, person())
      expect(test.body.smtp.ok).toBe(true)
      expect((await fixture.account(small.id)).maxMessageBytes).toBe(20_000)
      const large = await send({ ...from, text: 'x'.repeat(30_000) })
      expect([large.status, large.body.code]).toEqual([413, 'too_large'])
      expect(large.body.detail).toContain('Send fewer or smaller attachments.')
    } finally {
      smtp.close()
    }
  })
})
