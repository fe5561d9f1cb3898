import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import type { Db } from '../src/database/db.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { onOneDatabase } from './support/databases.ts'
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

onOneDatabase('sqlite', 'email data', (engine) => {
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
