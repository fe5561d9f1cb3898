import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { readStorage } from '../src/database/account-storage.ts'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { openDatabase } from '../src/database/database.ts'
import type { Db } from '../src/database/db.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { migrate } from '../src/database/migrate.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { makeDataPlace, onOneDatabase } from './support/databases.ts'
import { type Call, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { unzip } from './support/unzip.ts'

const RAW = 'From: a@b.example\r\nSubject: Raw\r\n\r\nas it came'

const fill = async (instance: Instance) => {
  const upload = await instance.call('POST', '/api/attachments?filename=a/b.txt', {
    body: 'a file',
    headers: { 'content-type': 'text/plain' },
  })
  const raw = await instance.call('POST', '/api/emails', {
    body: RAW,
    headers: { 'content-type': 'message/rfc822' },
  })
  const plain = await instance.post('/api/emails', {
    from: 'a@b.example',
    subject: 'Plain',
    attachmentIds: [upload.body.id],
  })
  return { raw: raw.body, plain: plain.body }
}

onOneDatabase('postgres', 'email data', (engine) => {
  it('is exported as JSON, raw messages and attachment files', async () => {
    const instance = await startInstance({ engine })
    const { token } = await register(instance)
    const { raw, plain } = await fill(instance)
    const response = await fetch(`${instance.url}/api/settings/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    const lines = (files['mail/emails.jsonl'] as string).trim().split('\n')
    const toComparable = ({ id, messageId, threadId, subject }: typeof raw) => ({
      id,
      messageId,
      threadId,
      subject,
    })
    expect(lines.map((line) => toComparable(JSON.parse(line)))).toEqual([raw, plain].map(toComparable))
    expect(files[`mail/messages/${raw.id}.eml`]).toBe(RAW)
    expect(files[`mail/attachments/${plain.attachments[0].id}-b.txt`]).toBe('a file')
    await instance.close()
  })

  it('is wiped completely, including blobs and search words', async () => {
    const instance = await startInstance({ engine })
    const { token } = await register(instance)
    await fill(instance)
    const body = { password: PASSWORD, wipe: true }
    expect((await instance.call('DELETE', '/api/settings/account', { token, body })).status).toBe(204)
    await instance.app.features.emails.prune()
    const { db } = instance.database
    for (const table of ['emails', 'email_bodies', 'email_words', 'attachments', 'blobs', 'tallies'] as const)
      expect([
        table,
        (
          await db
            .selectFrom(table)
            .select((row) => row.fn.countAll().as('n'))
            .modifyEnd(ALL_ACCOUNTS)
            .execute()
        ).map(({ n }) => Number(n)),
      ]).toEqual([table, [0]])
    await instance.close()
  })

  /** Inserts thousands of emails without search words. */
  const fillMany = (db: Db, count: number) =>
    sql`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    insert into emails (position, "threadId", folder, "fromName", "fromAddress", "to", cc, bcc, "replyTo", subject,
      "subjectKey", "references", snippet, date, tags, read, starred, attachments, "hasAttachments", version,
      "createdAt", "updatedAt", "userId")
    select n, n, 'inbox', '', '', '[]', '[]', '[]', '[]', '', '', '[]', '', '', '[]', 0, 0, '[]', 0, 1, '', '', (select id from users)
    from numbers ${ALL_ACCOUNTS}`.execute(db)

  it('is wiped in one transaction that does not block other requests', async () => {
    const instance = await startInstance({ engine })
    const { db } = instance.database
    const wipe = () =>
      inTransaction(db, async (tx) => {
        let turns = 0
        let isOver = false
        const count = (): void => {
          turns++
          if (!isOver) setImmediate(count)
        }
        setImmediate(count)
        await instance.app.features.emails.wipe(tx)
        isOver = true
        return turns
      })
    const countLeft = async () =>
      (await db.selectFrom('emails').select('id').limit(1).modifyEnd(ALL_ACCOUNTS).execute()).length
    await fillMany(db, 5000)
    expect(await wipe()).toBeGreaterThanOrEqual(10)
    expect(await countLeft()).toBe(0)
    await instance.close()
  })

  it('of an earlier version, which stored rendered JSON too, is served unchanged', async () => {
    const at = '2026-03-01T14:00:00.000Z'
    const received = {
      messageId: '1@example.org',
      accountId: 'an-account',
      folder: 'archive',
      from: { name: 'Ana "A" Ruiz', address: 'ana@example.org' },
      to: [{ name: '', address: 'ben@example.org' }],
      cc: [{ name: 'Cy', address: 'cy@example.org' }],
      subject: 'Lunch',
      snippet: 'At noon?',
      date: at,
      tags: ['Work'],
      read: true,
      starred: false,
      attachments: [{ id: 'a', filename: 'menu.pdf', contentType: 'application/pdf', size: 5 }],
      analysis: { urgency: { level: 'high', score: 0.9 } },
      delivery: { status: 'failed', error: '550 No such mailbox', sendAt: at },
      createdAt: at,
      updatedAt: at,
    }
    const draft = {
      ...received,
      messageId: null,
      accountId: null,
      folder: 'drafts',
      from: null,
      to: [],
      cc: [],
      tags: [],
      read: false,
      starred: true,
      attachments: [],
      analysis: null,
      delivery: null,
    }
    const place = await makeDataPlace(engine)
    const database = await openDatabase({ ...place, onIdleError: () => {} })
    await migrate(database, '0035-column-names')
    for (const [index, { from, delivery, analysis, read, starred, ...fields }] of [
      received,
      draft,
    ].entries()) {
      const { id } = await database.db
        .insertInto('emails')
        .values({
          ...fields,
          position: index + 1,
          threadId: index + 1,
          fromName: from?.name ?? '',
          fromAddress: from?.address ?? '',
          to: JSON.stringify(fields.to),
          cc: JSON.stringify(fields.cc),
          bcc: '[]',
          replyTo: '[]',
          references: '[]',
          subjectKey: 'lunch',
          tags: JSON.stringify(fields.tags),
          read: read ? 1 : 0,
          starred: starred ? 1 : 0,
          attachments: JSON.stringify(fields.attachments),
          hasAttachments: fields.attachments.length,
          analysis: analysis && JSON.stringify(analysis),
          deliveryStatus: delivery?.status ?? null,
          deliveryError: delivery?.error ?? null,
          deliveryAt: delivery?.sendAt ?? null,
          shown: JSON.stringify({ ...fields, from, delivery, analysis, read, starred }).slice(1, -1),
          version: 3,
        } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      await database.db
        .insertInto('email_bodies')
        .values({ emailId: id, text: 'At noon?', html: null })
        .execute()
    }
    await database.close()

    const instance = await startInstance({ place })
    const summaries = [draft, received].map((email, index) => ({
      ...email,
      id: 2 - index,
      threadId: 2 - index,
      folderId: null,
      folders: [],
      invitation: null,
      mailingList: null,
      unreadable: null,
      snoozedUntil: null,
      followUpAt: null,
      pinned: false,
      returned: null,
    }))
    expect((await instance.get('/api/emails')).body.emails).toEqual(summaries)
    const { body, headers } = await instance.get('/api/emails/1')
    expect(body).toEqual({
      ...summaries[1],
      bcc: [],
      security: null,
      replyTo: [],
      inReplyTo: null,
      text: 'At noon?',
      html: null,
    })
    expect(headers.get('etag')).toBe('"1.3"')
    const [row] = await instance.database.db
      .selectFrom('emails')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(row).not.toHaveProperty('shown')
    const { db } = instance.database
    expect(await readStorage(db, await getLocalUserId(db))).toBe(2 * 'At noon?'.length)
    await instance.close()
  })

  it('is part of the sample data, whose removal keeps other emails', async () => {
    const instance = await startInstance({ engine })
    const sample = await instance.app.features.sample.fill('en')
    const { body } = await instance.get('/api/emails')
    expect(body.emails.length).toBeGreaterThanOrEqual(10)
    const [reply] = (await instance.get('/api/emails?q=subject:drawings+is:starred')).body.emails
    expect((await instance.get(`/api/emails/${reply.id}/thread`)).body.emails).toHaveLength(4)
    const own = await instance.post('/api/emails', { from: 'a@b.example', subject: 'Mine' })
    const signedIn = await instance.post('/api/auth/login', sample)
    const { token } = signedIn.body
    expect((await instance.call('DELETE', '/api/settings/sample-data', { token })).status).toBe(204)
    const idsOf = async (call: Call = {}) =>
      (await instance.get('/api/emails', call)).body.emails.map(({ id }: { id: number }) => id)
    expect(await idsOf()).toEqual([own.body.id])
    // The first registration takes over what is left.
    expect(await idsOf(await register(instance))).toEqual([own.body.id])
    await instance.close()
  })
})
