import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DAY } from './support/clock.ts'
import { type Desk, openDesk } from './support/mail-desk.ts'
import { eventually, newAddress, withMailServersOnEveryDatabase } from './support/mail-servers.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

const UNDO_MS = 10_000

withMailServersOnEveryDatabase('what was not sent, or may not have been', (engine) => {
  let desk: Desk
  let server: Awaited<ReturnType<typeof startScriptedSmtp>>
  let accountId: string
  beforeAll(async () => {
    desk = await openDesk(engine)
    await desk.instance.app.jobs.start()
    server = await startScriptedSmtp()
    const { id } = await desk.addAccount(newAddress(), {
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
    await desk.close()
    server.close()
  })

  const read = async (id: number) => (await desk.instance.get(`/api/emails/${id}`)).body
  const reaches = (id: number, status: string) =>
    eventually(async () => {
      const email = await read(id)
      return email.delivery.status === status && email
    })
  const ask = (id: number, what: string, body?: unknown) =>
    desk.instance.post(`/api/emails/${id}/${what}`, body)
  /** One that went wrong in this way. */
  const sendInto = async (turn: 'refuse' | 'die after data', subject = 'Lunch'): Promise<number> => {
    server.turns = [turn]
    const wish = { accountId, to: ['ben@example.test'], subject, text: 'At noon?' }
    const { body } = await desk.instance.post('/api/emails/send', wish)
    await desk.passUndo()
    await reaches(body.id, turn === 'refuse' ? 'failed' : 'uncertain')
    return body.id
  }

  it('is sent again when it is asked for, under the id it had, and can be taken back until then', async () => {
    const id = await sendInto('refuse')
    const { messageId } = await read(id)
    const begun = desk.instance.clock.now().getTime()
    const again = await ask(id, 'resend')
    expect([again.status, again.body.folder, again.body.delivery]).toEqual([
      202,
      'drafts',
      { status: 'queued', error: null, sendAt: expect.any(String) },
    ])
    expect(Date.parse(again.body.delivery.sendAt) - begun).toBeGreaterThanOrEqual(UNDO_MS)
    expect((await ask(id, 'cancel-send')).body.delivery.status).toBe('cancelled')
    expect((await ask(id, 'resend')).status).toBe(409)

    const other = await sendInto('refuse')
    await ask(other, 'resend')
    await desk.passUndo()
    expect((await reaches(other, 'sent')).folder).toBe('sent')
    expect(server.taken).toHaveLength(1)
    expect(server.taken[0]?.raw).toContain((await read(other)).messageId)
    expect((await read(id)).messageId).toBe(messageId)
  })

  it('is not sent again unknowingly when it may have arrived', async () => {
    const id = await sendInto('die after data')
    const refused = await ask(id, 'resend')
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.detail).toContain('twice')
    expect((await ask(id, 'resend', { mayArriveTwice: false })).status).toBe(409)
    expect((await ask(id, 'resend', { mayArriveTwise: true })).status).toBe(400)
    expect((await read(id)).delivery.status).toBe('uncertain')
    expect((await ask(id, 'resend', { mayArriveTwice: true })).status).toBe(202)
    await desk.passUndo()
    await reaches(id, 'sent')
    expect([server.handedOver, server.taken.length]).toEqual([2, 1])
  })

  // The rest is the same whatever keeps the jobs.
  if (engine === 'postgres') return

  it('is sent once more, however many ask at once', async () => {
    const id = await sendInto('refuse')
    const answers = await Promise.all([1, 2, 3].map(() => ask(id, 'resend')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409])
    await desk.passUndo()
    await reaches(id, 'sent')
    expect(server.taken).toHaveLength(1)
  })

  it('is marked as sent by one who knows, and copied to the sent folder of the server', async () => {
    const id = await sendInto('die after data', 'It did arrive')
    const { status, body } = await ask(id, 'mark-sent')
    expect([status, body.folder, body.delivery.status, body.delivery.error]).toEqual([
      200,
      'sent',
      'sent',
      null,
    ])
    const push = { kind: 'append', emailId: id }
    await eventually(async () => {
      const waiting = await desk.instance.database.db.selectFrom('mail_pushes').selectAll().execute()
      const lies = await desk.instance.database.db
        .selectFrom('mail_placements')
        .select('id')
        .where('emailId', '=', id)
        .execute()
      return lies.length === 1 && !waiting.some((each) => each.emailId === push.emailId)
    })
    expect((await ask(id, 'mark-sent')).status).toBe(409)
    expect((await ask(id, 'resend', { mayArriveTwice: true })).status).toBe(409)
  })

  it('is discarded, and never tried again', async () => {
    for (const turn of ['refuse', 'die after data'] as const) {
      const id = await sendInto(turn)
      const { status, body } = await ask(id, 'discard-send')
      expect([status, body.folder, body.delivery.status]).toEqual([200, 'trash', 'cancelled'])
      expect((await ask(id, 'discard-send')).status).toBe(409)
    }
    const before = server.handedOver
    await desk.letPass(DAY)
    const next = await desk.instance.post('/api/emails/send', { accountId, to: ['ben@example.test'] })
    await desk.passUndo()
    await reaches(next.body.id, 'sent')
    expect(server.handedOver).toBe(before + 1)
  })

  it('leaves alone what is on its way, was never sent, or is not there', async () => {
    const sendAt = new Date(desk.instance.clock.now().getTime() + DAY).toISOString()
    const wish = { accountId, to: ['ben@example.test'], sendAt }
    const queued = (await desk.instance.post('/api/emails/send', wish)).body
    expect(queued.delivery).toEqual({ status: 'queued', error: null, sendAt })
    const stored = await desk.instance.post('/api/emails', { from: 'ben@example.test', subject: 'Hello' })
    for (const what of ['resend', 'mark-sent', 'discard-send']) {
      expect([what, (await ask(queued.id, what)).status]).toEqual([what, 409])
      expect([what, (await ask(stored.body.id, what)).status]).toEqual([what, 404])
      expect([what, (await ask(999_999, what)).status]).toEqual([what, 404])
    }
    const listed = (await desk.instance.get('/api/emails?folder=drafts')).body.emails
    expect(listed.find(({ id }: { id: number }) => id === queued.id).delivery.sendAt).toBe(sendAt)
  })
})
