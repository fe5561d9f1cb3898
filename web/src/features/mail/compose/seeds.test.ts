import { describe, expect, it } from 'vitest'
import type { Email } from '../folders.ts'
import { answerTo, EMPTY_SEED, forwardOf, type MailAccount, prepareSeed } from './seeds.ts'

const ANA = { name: 'Ana', address: 'ana@example.org' }
const BEN = { name: 'Ben', address: 'ben@example.org' }
const CLEO = { name: 'Cleo', address: 'cleo@example.org' }

const email = (change: Partial<Email> = {}) =>
  ({
    id: 7,
    accountId: 'work',
    folder: 'inbox',
    from: BEN,
    replyTo: [],
    to: [ANA],
    cc: [CLEO],
    bcc: [],
    subject: 'Drawings',
    date: '2026-03-02T14:00:00.000Z',
    text: 'Here they are.\n> Where are they?\n',
    html: null,
    messageId: '<one@example.org>',
    attachments: [],
    ...change,
  }) as unknown as Email

const formatDate = () => '2 March'
const answer = (kind: 'reply' | 'all', change: Partial<Email> = {}) =>
  answerTo({ email: email(change), kind, own: [ANA], formatDate })
const addresses = (people: readonly { address: string }[]) => people.map(({ address }) => address)

describe('a reply', () => {
  it('goes to the sender, or to Reply-To', () => {
    expect(addresses(answer('reply').fields.to)).toEqual(['ben@example.org'])
    expect(addresses(answer('reply', { replyTo: [CLEO] }).fields.to)).toEqual(['cleo@example.org'])
  })

  it('to all goes to the other recipients too, but not to the user', () => {
    const { to, cc } = answer('all', { to: [ANA, BEN] }).fields
    expect([addresses(to), addresses(cc)]).toEqual([['ben@example.org'], ['cleo@example.org']])
  })

  it('to a sent email goes to its recipients', () => {
    const { fields } = answer('reply', { folder: 'sent', from: ANA, to: [BEN] })
    expect(addresses(fields.to)).toEqual(['ben@example.org'])
  })

  it('has one prefix, also if another program wrote it', () => {
    expect(answer('reply').fields.subject).toBe('Re: Drawings')
    expect(answer('reply', { subject: 'AW: Drawings' }).fields.subject).toBe('AW: Drawings')
  })

  it('quotes the text, and names the email for the thread', () => {
    const { fields, inReplyTo } = answer('reply')
    expect(fields.text).toBe('\n\nOn 2 March, Ben wrote:\n> Here they are.\n>> Where are they?\n')
    expect(inReplyTo).toBe('<one@example.org>')
  })

  it('copies the images that the quoted text shows, and no other attachments', () => {
    const attachments = [{ id: 1 }, { id: 2 }] as unknown as Email['attachments']
    const html = '<img src="/api/emails/7/attachments/2">'
    expect(answer('reply', { html, attachments }).copies?.attachments).toEqual([{ id: 2 }])
  })
})

describe('a forwarded email', () => {
  it('begins with the headers of the email', () => {
    const { fields } = forwardOf(email(), formatDate)
    expect(fields.subject).toBe('Fwd: Drawings')
    expect(fields.text).toContain('From: Ben <ben@example.org>\nDate: 2 March\nSubject: Drawings')
  })

  it('keeps all attachments', () => {
    const attachments = [{ id: 1 }, { id: 2 }] as unknown as Email['attachments']
    expect(forwardOf(email({ attachments }), formatDate).copies).toEqual({ emailId: 7, attachments })
  })
})

describe('the sender', () => {
  const account = (id: string, address: string, change: Partial<MailAccount> = {}) =>
    ({
      id,
      address,
      senderName: '',
      identities: [],
      signature: null,
      plainText: false,
      ...change,
    }) as MailAccount
  const accounts = [
    account('home', 'ana@home.example'),
    account('work', 'ana@work.example', {
      identities: [{ name: 'Sales', address: 'sales@work.example' }],
    }),
  ]
  const senderOf = (accountId: string | null, me: readonly { name: string; address: string }[]) => {
    const seed = { ...EMPTY_SEED, fields: { ...EMPTY_SEED.fields, accountId }, me }
    const { fields } = prepareSeed(seed, accounts)
    return [fields.accountId, fields.from]
  }

  it('is the identity to which the email was sent', () => {
    const sales = { name: '', address: 'SALES@work.example' }
    expect(senderOf('work', [sales])).toEqual(['work', 'sales@work.example'])
  })

  it('is the account of the email, else the first one', () => {
    expect(senderOf('work', [])).toEqual(['work', 'ana@work.example'])
    expect(senderOf(null, [])).toEqual(['home', 'ana@home.example'])
  })

  it('decides whether a new email is plain text', () => {
    const plain = account('home', 'ana@home.example', { plainText: true })
    expect(prepareSeed({ ...EMPTY_SEED, words: 'Hello' }, [plain]).fields).toMatchObject({
      text: 'Hello',
      html: null,
    })
  })
})
