import type { ImapFlow } from 'imapflow'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listMail } from './support/list-mail.ts'
import { type Desk, openDesk } from './support/mail-desk.ts'
import {
  eventually,
  newAddress,
  openAsAnother,
  withMailServersOnEveryDatabase,
} from './support/mail-servers.ts'

withMailServersOnEveryDatabase('a list that is left by mail', (engine) => {
  let desk: Desk
  let account: { id: string; address: string }
  let own: ImapFlow
  let list: ImapFlow
  const listAddress = newAddress('leave')
  beforeAll(async () => {
    desk = await openDesk(engine)
    await desk.instance.app.jobs.start()
    // The first account is not the one that the list writes to.
    await desk.addAccount(newAddress('other'))
    account = await desk.addAccount(newAddress('ana'), { senderName: 'Ana Ruiz' })
    await desk.live(account.id)
    own = await openAsAnother(account.address)
    list = await openAsAnother(listAddress)
  })
  afterAll(async () => {
    await own?.logout()
    await list?.logout()
    await desk?.close()
  })

  const arrive = async (subject: string) => {
    const unsubscribe = `<mailto:${listAddress}?subject=leave%20now&body=token%201>`
    await own.append('INBOX', listMail({ subject, unsubscribe, post: null, date: desk.instance.clock.now() }))
    return eventually(async () => (await desk.emails(account.id)).find((email) => email.subject === subject))
  }
  const inInbox = async (client: ImapFlow): Promise<number> => (await client.mailboxOpen('INBOX')).exists

  it('hears of it once, from the account that it wrote to', async () => {
    const mail = await arrive('Weekly')
    const path = `/api/emails/${mail.id}`
    expect((await desk.instance.get(path)).body.mailingList).toEqual({
      ...{ id: 'news.example.org', name: 'Example News', unsubscribe: 'mail' },
    })
    const left = await desk.instance.post(`${path}/unsubscribe`)
    expect([left.status, left.body.status, left.body.to]).toEqual([200, 'queued', listAddress])
    await desk.passUndo()
    await eventually(async () => (await inInbox(list)) > 0)
    const [received] = await list.fetchAll('1:*', { source: true })
    const parsed = await simpleParser(String(received?.source))
    expect(parsed.from?.value).toEqual([{ name: 'Ana Ruiz', address: account.address }])
    expect([parsed.subject, parsed.text?.trim()]).toEqual(['leave now', 'token 1'])
    const state = async () => (await desk.instance.get(`${path}/mailing-list`)).body.unsubscribed
    await eventually(async () => (await state()).status === 'sent')
    expect((await desk.instance.post(`${path}/unsubscribe`)).body.emailId).toBe(left.body.emailId)
    // Its mail may go: that the list was left is known all the same.
    await desk.instance.call('DELETE', `/api/emails/${left.body.emailId}`)
    expect(await state()).toMatchObject({ status: 'sent', emailId: null, to: listAddress })
    expect(await inInbox(list)).toBe(1)
  })

  it('has its mails put away on the server too', async () => {
    await arrive('Another')
    const moved = await desk.instance.post('/api/mailing-lists/move', {
      ...{ id: 'news.example.org', folder: 'trash' },
    })
    expect(moved.body).toMatchObject({ moved: 2, more: false })
    await eventually(async () => (await inInbox(own)) === 0)
    const undone = await desk.instance.post(`/api/actions/${moved.body.actionId}/undo`)
    expect(undone.status).toBe(200)
    await eventually(async () => (await inInbox(own)) === 2)
  })
})
