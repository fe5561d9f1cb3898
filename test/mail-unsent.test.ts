import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DAY } from './support/clock.ts'
import { eventually } from './support/eventually.ts'
import { type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import { newAddress, withMailServersOnOneDatabase } from './support/mail-servers.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

const UNDO_MS = 10_000

withMailServersOnOneDatabase('sqlite', 'an email that failed or has an unknown outcome', (engine) => {
  let fixture: MailFixture
  let server: Awaited<ReturnType<typeof startScriptedSmtp>>
  let accountId: string
  beforeAll(async () => {
    fixture = await openMailFixture(engine)
    await fixture.instance.app.jobs.start()
    server = await startScriptedSmtp()
    const { id } = await fixture.addAccount(newAddress(), {
      smtp: { host: '127.0.0.1', port: server.port, tls: 'none' },
    })
    accountId = id
  })
  beforeEach(() => {
    server.turns = []
    server.taken = []
    server.handedOver = 0
  })
  afterAll(async () => {
    await fixture.close()
    server.close()
  })

  const read = async (id: number) => (await fixture.instance.get(`/api/emails/${id}`)).body
  const waitForStatus = (id: number, status: string) =>
    eventually(async () => {
      const email = await read(id)
      return email.delivery.status === status && email
    })
  const post = (id: number, action: string, body?: unknown) =>
    fixture.instance.post(`/api/emails/${id}/${action}`, body)
  /** Sends an email that fails in this way. */
  const sendWithFailure = async (turn: 'refuse' | 'die after data', subject = 'Lunch'): Promise<number> => {
    server.turns = [turn]
    const input = { accountId, to: ['ben@example.test'], subject, text: 'At noon?' }
    const { body } = await fixture.instance.post('/api/emails/send', input)
    await fixture.passUndoDelay()
    await waitForStatus(body.id, turn === 'refuse' ? 'failed' : 'uncertain')
    return body.id
  }

  it('is sent again with the same Message-ID on request, and can be cancelled', async () => {
    const id = await sendWithFailure('refuse')
    const { messageId } = await read(id)
    const startedAt = fixture.instance.clock.now().getTime()
    const again = await post(id, 'resend')
    expect([again.status, again.body.folder, again.body.delivery]).toEqual([
      202,
      'drafts',
      { status: 'queued', error: null, sendAt: expect.any(String) },
    ])
    expect(Date.parse(again.body.delivery.sendAt) - startedAt).toBeGreaterThanOrEqual(UNDO_MS)
    expect((await post(id, 'cancel-send')).body.delivery.status).toBe('cancelled')
    expect((await post(id, 'resend')).status).toBe(409)

    const other = await sendWithFailure('refuse')
    await post(other, 'resend')
    await fixture.passUndoDelay()
    expect((await waitForStatus(other, 'sent')).folder).toBe('sent')
    expect(server.taken).toHaveLength(1)
    expect(server.taken[0]?.raw).toContain((await read(other)).messageId)
    expect((await read(id)).messageId).toBe(messageId)
  })

  it('is not sent again without mayArriveTwice if it may have arrived', async () => {
    const id = await sendWithFailure('die after data')
    const refused = await post(id, 'resend')
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.detail).toContain('twice')
    expect((await post(id, 'resend', { mayArriveTwice: false })).status).toBe(409)
    expect((await post(id, 'resend', { mayArriveTwise: true })).status).toBe(400)
    expect((await read(id)).delivery.status).toBe('uncertain')
    expect((await post(id, 'resend', { mayArriveTwice: true })).status).toBe(202)
    await fixture.passUndoDelay()
    await waitForStatus(id, 'sent')
    expect([server.handedOver, server.taken.length]).toEqual([2, 1])
  })

  // The remaining tests do not depend on the database.
  if (engine === 'postgres') return

  it('is sent again once for concurrent requests', async () => {
    const id = await sendWithFailure('refuse')
    const answers = await Promise.all([1, 2, 3].map(() => post(id, 'resend')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409])
    await fixture.passUndoDelay()
    await waitForStatus(id, 'sent')
    expect(server.taken).toHaveLength(1)
  })

  it('can be marked as sent, and is copied to the Sent folder of the server', async () => {
    const id = await sendWithFailure('die after data', 'It did arrive')
    const { status, body } = await post(id, 'mark-sent')
    expect([status, body.folder, body.delivery.status, body.delivery.error]).toEqual([
      200,
      'sent',
      'sent',
      null,
    ])
    const push = { kind: 'append', emailId: id }
    await eventually(async () => {
      const waiting = await fixture.instance.database.db.selectFrom('mail_pushes').selectAll().execute()
      const placements = await fixture.instance.database.db
        .selectFrom('mail_placements')
        .select('id')
        .where('emailId', '=', id)
        .execute()
      return placements.length === 1 && !waiting.some((each) => each.emailId === push.emailId)
    })
    expect((await post(id, 'mark-sent')).status).toBe(409)
    expect((await post(id, 'resend', { mayArriveTwice: true })).status).toBe(409)
  })

  it('can be discarded, and is never sent again', async () => {
    for (const turn of ['refuse', 'die after data'] as const) {
      const id = await sendWithFailure(turn)
      const { status, body } = await post(id, 'discard-send')
      expect([status, body.folder, body.delivery.status]).toEqual([200, 'trash', 'cancelled'])
      expect((await post(id, 'discard-send')).status).toBe(409)
    }
    const before = server.handedOver
    await fixture.advanceClock(DAY)
    const next = await fixture.instance.post('/api/emails/send', { accountId, to: ['ben@example.test'] })
    await fixture.passUndoDelay()
    await waitForStatus(next.body.id, 'sent')
    expect(server.handedOver).toBe(before + 1)
  })

  it('is required for these actions: queued, received and missing emails are rejected', async () => {
    const sendAt = new Date(fixture.instance.clock.now().getTime() + DAY).toISOString()
    const input = { accountId, to: ['ben@example.test'], sendAt }
    const queued = (await fixture.instance.post('/api/emails/send', input)).body
    expect(queued.delivery).toEqual({ status: 'queued', error: null, sendAt })
    const stored = await fixture.instance.post('/api/emails', { from: 'ben@example.test', subject: 'Hello' })
    for (const action of ['resend', 'mark-sent', 'discard-send']) {
      expect([action, (await post(queued.id, action)).status]).toEqual([action, 409])
      expect([action, (await post(stored.body.id, action)).status]).toEqual([action, 404])
      expect([action, (await post(999_999, action)).status]).toEqual([action, 404])
    }
    const listed = (await fixture.instance.get('/api/emails?folder=drafts')).body.emails
    expect(listed.find(({ id }: { id: number }) => id === queued.id).delivery.sendAt).toBe(sendAt)
  })
})
