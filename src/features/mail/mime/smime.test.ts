import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSignedMail, PGP_MAIL, type SignedMail } from '../../../../test/support/signed-mail.ts'
import { createRootStore, type RootStore } from './certificates.ts'
import { type ParsedMessage, readMessage } from './message.ts'
import { readSignedMessage } from './smime.ts'

const DAY_MS = 86_400_000
const now = Date.now()

let mail: SignedMail
let roots: RootStore
beforeAll(() => {
  mail = createSignedMail()
  roots = createRootStore([mail.rootPem])
})
afterAll(() => mail.remove())

const read = (raw: Buffer | string): ParsedMessage =>
  readSignedMessage(Buffer.from(raw as string), { now: now + 60_000, roots })
const judge = (raw: Buffer | string) => {
  const { security } = read(raw)
  return [security?.status, ...(security?.reasons ?? [])]
}

const replace = (raw: Buffer, from: string, to: string): Buffer => {
  const text = raw.toString('latin1')
  expect(text).toContain(from)
  return Buffer.from(text.replace(from, to), 'latin1')
}

const toBase64 = (bytes: Buffer): string => `${bytes.toString('base64').replaceAll(/.{64}/g, '$&\r\n')}\r\n`

const splitOpaque = (raw: Buffer): { head: string; der: Buffer } => {
  const [, head = '', body = ''] = /^([\s\S]*?\r?\n\r?\n)([\s\S]*)$/.exec(raw.toString('latin1')) ?? []
  const der = Buffer.from(body, 'base64')
  expect(der.length).toBeGreaterThan(1000)
  return { head, der }
}

describe('S/MIME signatures', () => {
  it('opens opaque-signed mail with its attachments', () => {
    const body =
      'Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Grüße</p>\r\n--m\r\nContent-Type: application/pdf; name=offer.pdf\r\n\r\npdf\r\n--m--\r\n'
    for (const flags of [[], ['-stream'], ['-keyid'], ['-noattr']]) {
      const message = read(mail.signOpaque('ana', { body, flags }))
      expect(message).toMatchObject({ html: '<p>Grüße</p>\n', subject: 'Signed offer' })
      expect(message.attachments.map(({ filename }) => filename)).toEqual(['offer.pdf'])
      expect(message.security).toMatchObject({ kind: 'signed', protocol: 'smime', status: 'verified' })
    }
  })

  it('names the signer', () => {
    expect(read(mail.signDetached('ana')).security?.signer).toMatchObject({
      name: 'Ana Ruiz',
      addresses: ['ana@example.org'],
      issuer: 'Test Mail CA',
      algorithm: 'SHA-256',
    })
  })

  it('verifies detached signatures, also with the line breaks of a file', () => {
    const raw = mail.signDetached('ana')
    expect(judge(raw)).toEqual(['verified'])
    expect(judge(raw.toString('latin1').replaceAll('\r\n', '\n'))).toEqual(['verified'])
    expect(judge(mail.signDetached('ana', { flags: ['-keyopt', 'rsa_padding_mode:pss'] }))).toEqual([
      'verified',
    ])
  })

  it('does not trust an authority that Node does not know', () => {
    const { security } = readSignedMessage(mail.signDetached('ana'), { now: now + 60_000 })
    expect(security).toMatchObject({ status: 'unverified', reasons: ['untrusted_issuer'] })
  })

  it('reports changed content', () => {
    expect(judge(replace(mail.signDetached('ana'), '120 euros', '920 euros'))).toEqual([
      'invalid',
      'content_changed',
    ])
    expect(judge(replace(mail.signDetached('ana', { flags: ['-noattr'] }), '120', '920'))).toEqual([
      'invalid',
      'content_changed',
    ])
  })

  it('reports a damaged signature over unchanged content', () => {
    const { head, der } = splitOpaque(mail.signOpaque('ana'))
    der[der.length - 1] = (der.at(-1) as number) ^ 1
    expect(judge(head + toBase64(der))).toEqual(['invalid', 'signature_mismatch'])
  })

  it('does not verify a signer with another address than the sender', () => {
    expect(judge(mail.signDetached('ana', { from: 'boss@example.org' }))).toEqual([
      'unverified',
      'address_mismatch',
    ])
    expect(judge(mail.signDetached('ana', { from: 'ANA@EXAMPLE.ORG' }))).toEqual(['verified'])
  })

  it('does not verify a certificate that was not valid when the message was sent', () => {
    const old = mail.signDetached('ana', { date: new Date(now - 10 * DAY_MS) })
    expect(judge(old)).toEqual(['unverified', 'certificate_expired'])
    const later = readSignedMessage(mail.signDetached('ana', { date: new Date(now + 60_000) }), {
      now: now + 9_000 * DAY_MS,
      roots,
    })
    expect(later.security?.status).toBe('verified')
    // The sender cannot choose a date in the future to make an expired certificate valid again.
    const future = mail.signDetached('ana', { date: new Date(now + 9_000 * DAY_MS) })
    expect(judge(future)).toEqual(['verified'])
  })

  it('does not verify weak digests and short keys', () => {
    expect(judge(mail.signDetached('ana', { digest: 'sha1' }))).toEqual(['unverified', 'weak_algorithm'])
    expect(judge(mail.signDetached('ana', { digest: 'md5' }))).toEqual(['unverified', 'weak_algorithm'])
    mail.createSigner('short', { bits: 1024 })
    expect(judge(mail.signDetached('short'))).toEqual(['unverified', 'weak_algorithm'])
  })

  it('does not verify a certificate for another purpose', () => {
    mail.createSigner('server', { usage: 'serverAuth' })
    expect(judge(mail.signDetached('server'))).toEqual(['unverified', 'certificate_usage'])
  })

  it('does not accept a certificate that another mail certificate issued', () => {
    mail.createSigner('forged', { address: 'boss@example.org', issuer: 'ana' })
    const raw = mail.signDetached('forged', { from: 'boss@example.org', chain: ['ana', 'issuer'] })
    expect(judge(raw)).toEqual(['unverified', 'untrusted_issuer'])
  })

  it('cannot check a signature without its certificate', () => {
    expect(judge(mail.signDetached('ana', { flags: ['-nocerts'], chain: [] }))).toEqual([
      'unchecked',
      'no_certificate',
    ])
  })

  it('has no mark for a message with unsigned parts', () => {
    const signed = mail.signDetached('ana').toString('latin1')
    const boundary = /boundary="([^"]+)"/.exec(signed)?.[1] as string
    const extra = signed.replace(
      `--${boundary}--`,
      `--${boundary}\r\nContent-Type: text/plain\r\n\r\nPay 900 euros\r\n--${boundary}--`,
    )
    expect(read(extra).security).toBeNull()
    const wrapped = `From: ana@example.org\r\nContent-Type: multipart/mixed; boundary=w\r\n\r\n--w\r\n${signed.slice(signed.indexOf('Content-Type'))}\r\n--w--\r\n`
    expect(read(wrapped).security).toBeNull()
  })

  it('opens signed mail inside signed mail up to a limit', () => {
    let body = 'Content-Type: text/plain\r\n\r\nInnermost\r\n'
    const wrap = (): string => {
      const raw = mail.signOpaque('ana', { body }).toString('latin1')
      return raw.slice(raw.indexOf('MIME-Version'))
    }
    body = wrap()
    expect(read(mail.signOpaque('ana', { body })).text).toBe('Innermost\n')
    for (let depth = 0; depth < 4; depth++) body = wrap()
    const deep = read(mail.signOpaque('ana', { body }))
    expect(deep.attachments.map(({ filename }) => filename)).toEqual(['smime.p7m'])
  })

  it('survives malformed structures', () => {
    const nested = Buffer.alloc(40_000, Buffer.from([0x30, 0x80]))
    const wide = Buffer.concat([
      Buffer.from([0x30, 0x83, 0x03, 0x0d, 0x40]),
      Buffer.alloc(200_000, Buffer.from([5, 0])),
    ])
    const { head, der } = splitOpaque(mail.signOpaque('ana'))
    const cases = [Buffer.alloc(0), Buffer.from('no asn.1'), nested, wide, der.subarray(0, der.length / 2)]
    for (const bytes of cases) {
      const message = read(head + toBase64(bytes))
      expect(message.security).toMatchObject({ status: 'unchecked', reasons: ['unreadable_signature'] })
      expect(message.attachments).toHaveLength(1)
    }
  })

  it('survives every damaged byte of a signature', () => {
    const { head, der } = splitOpaque(mail.signOpaque('ana'))
    const statuses = new Set<string | undefined>()
    for (let at = 0; at < der.length; at += 31) {
      const damaged = Buffer.from(der)
      damaged[at] = (damaged[at] as number) ^ 0xff
      const { security, text } = read(head + toBase64(damaged))
      // The certificate of the authority is not part of the signed data, so a change of its padding may remain valid.
      if (security?.status === 'verified') expect(text).toBe('The price is 120 euros.\n')
      statuses.add(security?.status)
    }
    expect(statuses).toContain('invalid')
    expect(statuses).toContain('unchecked')
  })
})

describe('encrypted mail', () => {
  it('names S/MIME encryption with its file', () => {
    const raw = mail.encrypt()
    const expected = { kind: 'encrypted', protocol: 'smime', status: 'unchecked', attachmentIndex: 0 }
    expect(read(raw).security).toMatchObject(expected)
    expect(read(raw).attachments[0]?.filename).toBe('smime.p7m')
    // The structure decides if the parameter is missing.
    expect(read(raw.toString('latin1').replace(/smime-type=[\w-]+;/, '')).security).toMatchObject(expected)
  })

  it('names OpenPGP in all its forms', () => {
    const encrypted = readMessage(Buffer.from(PGP_MAIL.encrypted))
    expect(encrypted.security).toMatchObject({ kind: 'encrypted', protocol: 'openpgp', attachmentIndex: 1 })
    expect(encrypted.attachments[1]?.filename).toBe('encrypted.asc')
    const inline = readMessage(Buffer.from(PGP_MAIL.inline))
    expect(inline.security).toMatchObject({ kind: 'encrypted', protocol: 'openpgp', attachmentIndex: 0 })
    expect(inline.attachments[0]).toMatchObject({ filename: 'message.asc' })
    expect(inline.attachments[0]?.content.toString()).toMatch(
      /^-----BEGIN PGP MESSAGE-----\n[\s\S]*END PGP MESSAGE-----\n$/,
    )
    for (const raw of [PGP_MAIL.signed, PGP_MAIL.clearSigned])
      expect(readMessage(Buffer.from(raw)).security).toMatchObject({
        kind: 'signed',
        protocol: 'openpgp',
        status: 'unchecked',
      })
    expect(
      readMessage(Buffer.from('Subject: a\r\n\r\nAbout -----BEGIN PGP MESSAGE-----\r\n')).security,
    ).toBeNull()
  })
})
