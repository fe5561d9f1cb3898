import type { ImapFlow } from 'imapflow'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from './support/eventually.ts'
import { listMail } from './support/list-mail.ts'
import { type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import { newAddress, openImapClient, withMailServersOnOneDatabase } from './support/mail-servers.ts'

withMailServersOnOneDatabase('sqlite', 'a mailing list with unsubscribe by email', (engine) => {
  let fixture: MailFixture
  let account: { id: string; address: string }
  let own: ImapFlow
  let list: ImapFlow
  const listAddress = newAddress('leave')
  beforeAll(async () => {
    fixture = await openMailFixture(engine)
    await fixture.instance.app.jobs.start()
    // The list writes to the second account, not to the first.
    await fixture.addAccount(newAddress('other'))
    account = await fixture.addAccount(newAddress('ana'), { senderName: 'Ana Ruiz' })
    await fixture.live(account.id)
    own = await openImapClient(account.address)
    list = await openImapClient(listAddress)
  })
  afterAll(async () => {
    await own?.logout()
    await list?.logout()
    await fixture?.close()
  })

  const arrive = async (subject: string) => {
    const unsubscribe = `<mailto:${listAddress}?subject=leave%20now&body=token%201>`
    await own.append(
      'INBOX',
      listMail({ subject, unsubscribe, post: null, date: fixture.instance.clock.now() }),
    )
    return eventually(async () =>
      (await fixture.emails(account.id)).find((email) => email.subject === subject),
    )
  }
  const countInbox = async (client: ImapFlow): Promise<number> => (await client.mailboxOpen('INBOX')).exists

  it('receives one request from the account that is subscribed', async () => {
    const mail = await arrive('Weekly')
    const path = `/api/emails/${mail.id}`
    expect((await fixture.instance.get(path)).body.mailingList).toEqual({
      id: 'news.example.org',
      name: 'Example News',
      unsubscribe: 'mail',
    })
    const unsubscribed = await fixture.instance.post(`${path}/unsubscribe`)
    expect([unsubscribed.status, unsubscribed.body.status, unsubscribed.body.to]).toEqual([
      200,
      'queued',
      listAddress,
    ])
    await fixture.passUndoDelay()
    await eventually(async () => (await countInbox(list)) > 0)
    const [received] = await list.fetchAll('1:*', { source: true })
    const parsed = await simpleParser(String(received?.source))
    expect(parsed.from?.value).toEqual([{ name: 'Ana Ruiz', address: account.address }])
    expect([parsed.subject, parsed.text?.trim()]).toEqual(['leave now', 'token 1'])
    const state = async () => (await fixture.instance.get(`${path}/mailing-list`)).body.unsubscribed
    await eventually(async () => (await state()).status === 'sent')
    expect((await fixture.instance.post(`${path}/unsubscribe`)).body.emailId).toBe(unsubscribed.body.emailId)
    // The status of the request remains when its email is deleted.
    await fixture.instance.call('DELETE', `/api/emails/${unsubscribed.body.emailId}`)
    expect(await state()).toMatchObject({ status: 'sent', emailId: null, to: listAddress })
    expect(await countInbox(list)).toBe(1)
  })

  it('has its emails moved on the server, too', async () => {
    await arrive('Another')
    const moved = await fixture.instance.post('/api/mailing-lists/move', {
      id: 'news.example.org',
      folder: 'trash',
    })
    expect(moved.body).toMatchObject({ moved: 2, more: false })
    await eventually(async () => (await countInbox(own)) === 0)
    const undone = await fixture.instance.post(`/api/actions/${moved.body.actionId}/undo`)
    expect(undone.status).toBe(200)
    await eventually(async () => (await countInbox(own)) === 2)
  })
})
