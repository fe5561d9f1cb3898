import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { ARMOR, createSignedMail, PGP_MAIL, type SignedMail } from './support/signed-mail.ts'

const BODY =
  'Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: text/plain\r\n\r\nThe price is 120 ducats.\r\n--m\r\nContent-Type: application/pdf; name=offer.pdf\r\n\r\npdf\r\n--m--\r\n'

onOneDatabase('sqlite', 'signed mail', (engine) => {
  let instance: Instance
  let mail: SignedMail
  const store = async (raw: Buffer | string) => {
    const { status, body } = await instance.call('POST', '/api/emails', {
      body: Buffer.from(raw as string),
      headers: { 'content-type': 'message/rfc822' },
    })
    expect(status).toBe(201)
    return body
  }
  const get = async (id: number) => (await instance.get(`/api/emails/${id}`)).body

  beforeAll(async () => {
    mail = createSignedMail()
    instance = await startInstance({ engine })
  })
  afterAll(async () => {
    mail.remove()
    await instance.close()
  })

  it('shows and finds the content of opaque-signed mail', async () => {
    const { id, text, attachments } = await store(mail.signOpaque('ana', { body: BODY }))
    expect(text).toBe('The price is 120 ducats.\n')
    expect(attachments).toMatchObject([{ filename: 'offer.pdf' }])
    expect((await get(id)).security).toMatchObject({
      kind: 'signed',
      protocol: 'smime',
      status: 'unverified',
      reasons: ['untrusted_issuer'],
      signer: { name: 'Ana Ruiz', addresses: ['ana@example.org'], issuer: 'Test Mail CA' },
      attachmentId: null,
    })
    expect((await instance.get('/api/emails?q=ducats')).body.emails).toMatchObject([{ id }])
    const file = await instance.call('GET', `/api/emails/${id}/attachments/${attachments[0].id}`)
    expect(file.status).toBe(200)
  })

  it('reports a signature over changed content, also in a large message', async () => {
    const body = `Content-Type: text/plain\r\n\r\nPay 120 euros.\r\n${'A line of text.\r\n'.repeat(6_000)}`
    const raw = mail.signDetached('ana', { body })
    expect((await store(raw)).security.status).toBe('unverified')
    const changed = raw.toString('latin1').replace('120 euros', '920 euros')
    expect((await store(changed)).security).toMatchObject({ status: 'invalid', reasons: ['content_changed'] })
  })

  it('offers the file of encrypted mail', async () => {
    for (const [raw, protocol, filename] of [
      [mail.encrypt(), 'smime', 'smime.p7m'],
      [PGP_MAIL.encrypted, 'openpgp', 'encrypted.asc'],
      [PGP_MAIL.inline, 'openpgp', 'message.asc'],
    ] as const) {
      const { security, attachments } = await store(raw)
      expect(security).toMatchObject({
        kind: 'encrypted',
        protocol,
        status: 'unchecked',
        reasons: ['no_key'],
      })
      const file = attachments.find(({ id }: { id: string }) => id === security.attachmentId)
      expect(file.filename).toBe(filename)
    }
    expect(ARMOR).toContain('PGP MESSAGE')
    expect((await store(PGP_MAIL.signed)).security).toMatchObject({ kind: 'signed', status: 'unchecked' })
    expect((await store('Subject: Plain\r\nFrom: a@example.org\r\n\r\nHi\r\n')).security).toBeNull()
  })

  it('does not keep the mark of a draft that is edited', async () => {
    const { id } = await store(mail.signDetached('ana'))
    await instance.call('PATCH', `/api/emails/${id}`, { body: { folder: 'drafts' } })
    const { body } = await instance.call('PATCH', `/api/emails/${id}`, { body: { text: 'Another text' } })
    expect(body.security).toBeNull()
  })
})
