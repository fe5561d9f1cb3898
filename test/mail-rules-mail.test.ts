import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from './support/mail-desk.ts'
import {
  eventually,
  newAddress,
  openAsAnother,
  withMailServersOnEveryDatabase,
} from './support/mail-servers.ts'

withMailServersOnEveryDatabase('mail rules and the mail server', (engine) => {
  let desk: Desk
  let own: ImapFlow
  const address = newAddress('ruled')
  beforeAll(async () => {
    desk = await openDesk(engine)
    own = await openAsAnother(address)
  })
  afterAll(async () => {
    await own?.logout()
    await desk?.close()
  })

  const inInbox = async (): Promise<number> => {
    const status = await own.status('INBOX', { messages: true })
    return status ? (status.messages ?? 0) : 0
  }
  const message = (subject: string): string =>
    `From: Shop <pay@shop.example>\r\nTo: ${address}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}-${engine}@shop.example>\r\n\r\nInvoice.\r\n`

  it('archives, marks and stars there too what arrives, and leaves the past of an account alone', async () => {
    const rule = { name: 'Shop', q: 'from:shop', does: { folder: 'archive', read: true, starred: true } }
    expect((await desk.instance.post('/api/mail-rules', rule)).status).toBe(201)
    const createdAt = new Date(Date.now() - 3_600_000).toISOString()
    await desk.instance.database.db.updateTable('mail_rules').set({ createdAt }).execute()
    // It came after the rule was made, and yet before the account was here.
    await own.append('INBOX', message('past'), [], new Date(Date.now() - 60_000))
    const account = await desk.addAccount(address)
    await desk.live(account.id)
    const find = async (subject: string) =>
      (await desk.emails(account.id)).find((email) => email.subject === subject)
    expect(await find('past')).toMatchObject({ folder: 'inbox', read: false })

    await own.append('INBOX', message('fresh'))
    const fresh = await eventually(() => find('fresh'))
    expect(fresh).toMatchObject({ folder: 'archive', read: true, starred: true })
    await eventually(async () => (await inInbox()) === 1)
    const archive = (await own.list()).find(({ specialUse, path }) =>
      [specialUse, path].some((name) => /archive/i.test(name ?? '')),
    )
    await own.mailboxOpen(archive?.path as string)
    const [moved] = await own.fetchAll('1:*', { flags: true, envelope: true })
    expect(moved?.envelope?.subject).toBe('fresh')
    expect([...(moved?.flags ?? [])]).toEqual(expect.arrayContaining(['\\Seen', '\\Flagged']))
    // Another look at everything finds nothing to change.
    await desk.settle(account.id)
    expect(await find('fresh')).toMatchObject({ folder: 'archive', read: true, starred: true })
    const { body } = await desk.instance.get('/api/actions')
    expect(body.actions).toHaveLength(1)
    await desk.instance.post(`/api/actions/${body.actions[0].id}/undo`, undefined, desk.person)
    await eventually(async () => (await inInbox()) === 2)
  })
})
