import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { eventually } from './support/eventually.ts'
import { type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import { newAddress, openImapClient, withMailServersOnOneDatabase } from './support/mail-servers.ts'

withMailServersOnOneDatabase('postgres', 'mail rules with a mail server', (engine) => {
  let fixture: MailFixture
  let own: ImapFlow
  const address = newAddress('ruled')
  beforeAll(async () => {
    fixture = await openMailFixture(engine)
    own = await openImapClient(address)
  })
  afterAll(async () => {
    await own?.logout()
    await fixture?.close()
  })

  const countInbox = async (): Promise<number> => {
    const status = await own.status('INBOX', { messages: true })
    return status ? (status.messages ?? 0) : 0
  }
  const message = (subject: string): string =>
    `From: Shop <pay@shop.example>\r\nTo: ${address}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}-${engine}@shop.example>\r\n\r\nInvoice.\r\n`

  it('archive, mark and star new mail on the server, and ignore mail from before the account was added', async () => {
    const rule = { name: 'Shop', q: 'from:shop', does: { folder: 'archive', read: true, starred: true } }
    expect((await fixture.instance.post('/api/mail-rules', rule)).status).toBe(201)
    const createdAt = new Date(Date.now() - 3_600_000).toISOString()
    await fixture.instance.database.db
      .updateTable('mail_rules')
      .set({ createdAt })
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    // It arrived after the rule was created, but before the account was added.
    await own.append('INBOX', message('past'), [], new Date(Date.now() - 60_000))
    const account = await fixture.addAccount(address)
    await fixture.live(account.id)
    const find = async (subject: string) =>
      (await fixture.emails(account.id)).find((email) => email.subject === subject)
    expect(await find('past')).toMatchObject({ folder: 'inbox', read: false })

    await own.append('INBOX', message('fresh'))
    const fresh = await eventually(() => find('fresh'))
    expect(fresh).toMatchObject({ folder: 'archive', read: true, starred: true })
    await eventually(async () => (await countInbox()) === 1)
    const archive = (await own.list()).find(({ specialUse, path }) =>
      [specialUse, path].some((name) => /archive/i.test(name ?? '')),
    )
    await own.mailboxOpen(archive?.path as string)
    const [moved] = await own.fetchAll('1:*', { flags: true, envelope: true })
    expect(moved?.envelope?.subject).toBe('fresh')
    expect([...(moved?.flags ?? [])]).toEqual(expect.arrayContaining(['\\Seen', '\\Flagged']))
    // Another full sync changes nothing.
    await fixture.settle(account.id)
    expect(await find('fresh')).toMatchObject({ folder: 'archive', read: true, starred: true })
    const { body } = await fixture.instance.get('/api/actions')
    expect(body.actions).toHaveLength(1)
    await fixture.instance.post(`/api/actions/${body.actions[0].id}/undo`, undefined, fixture.person)
    await eventually(async () => (await countInbox()) === 2)
  })
})
