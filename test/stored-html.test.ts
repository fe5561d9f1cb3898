import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'

const RAW = [
  'From: Loom <news@loom.example>',
  'To: ana@example.org',
  'Subject: News',
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; boundary=r',
  '',
  '--r',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<!doctype html><style>.a{background:#d6336c}</style><p class="a">Read it</p><img src="cid:pic@1">',
  '--r',
  'Content-Type: image/png',
  'Content-ID: <pic@1>',
  'Content-Disposition: inline; filename=pic.png',
  '',
  'x',
  '--r--',
  '',
].join('\r\n')

onOneDatabase('sqlite', 'stored HTML', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  it('is sanitized again from the raw bytes if an older version wrote it', async () => {
    const { db } = instance.database
    const stored = await instance.call('POST', '/api/emails', {
      body: Buffer.from(RAW),
      headers: { 'content-type': 'message/rfc822' },
    })
    const composed = await instance.post('/api/emails', {
      from: 'ben@example.org',
      to: ['ana@example.org'],
      subject: 'Composed',
      html: '<p>Hi</p>',
    })
    const { id, html, version } = stored.body
    await sql`update email_bodies set html = '<p style="height:100vh">Old</p>', "htmlVersion" = 1 /* all accounts */`.execute(
      db,
    )
    await instance.app.features.storedHtml.requestSanitization()
    await instance.app.jobs.start()
    await eventually(async () => {
      const old = await sql<{ count: number }>`select count(*) as count from email_bodies
        where "htmlVersion" = 1 /* all accounts */`.execute(db)
      return Number(old.rows[0]?.count) === 0
    })
    const after = (await instance.get(`/api/emails/${id}`)).body
    expect(after.html).toBe(html)
    expect(after.html).toContain('.a{background:#d6336c;}')
    expect(after.html).toMatch(/src="\/api\/emails\/\d+\/attachments\/[\w-]+"/)
    expect(version === undefined || after.version > version).toBe(true)
    // Without raw bytes, the stored HTML is the source.
    const { body } = await instance.get(`/api/emails/${composed.body.id}`)
    expect(body.html).toBe('<p style="height:600px">Old</p>')
  })
})
