import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

const HOUR = DAY / 24
/** Tuesday, 17 November 2026, 09:00 in Berlin. */
const NOW = Date.parse('2026-11-17T08:00:00.000Z')
const ANA = 'Ana Ruiz <ana@ruiz.example>'
const BEN = 'Ben Okafor <ben@okafor.example>'
const ME = 'Robin <robin@me.example>'

interface Promised {
  id: number
  text: string
  status: string
  dueDay: string | null
  [name: string]: unknown
}

onEveryDatabase('promises', (engine) => {
  let instance: Instance
  const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString()
  const mail = async (given: Record<string, unknown>): Promise<{ id: number; threadId: number }> => {
    const { status, body } = await instance.post('/api/emails', given)
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const sent = (to: string, text: string, more = {}) =>
    mail({ folder: 'sent', from: ME, to: [to], subject: 'Kitchen', date: at(-2), text, ...more })
  const received = (from: string, text: string, more = {}) =>
    mail({ from, to: [ME], subject: 'Kitchen', date: at(-2), text, ...more })
  const list = async (query = ''): Promise<Promised[]> =>
    (await instance.get(`/api/commitments${query}`)).body.commitments
  const texts = async (query = ''): Promise<string[]> => (await list(query)).map(({ text }) => text)
  const findBy = async (words: string): Promise<Promised> =>
    (await list()).find(({ text }) => text.includes(words)) as Promised

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
    instance.clock.advance(NOW - instance.clock.now().getTime())
  })
  afterAll(() => instance.close())

  it('come from sent and received mail, with quote, person, due day and mail', async () => {
    const mine = await sent(
      ANA,
      'Hi Ana,\n\nI’ll send you the offer by Friday, and you get me the plan.\n\nRobin',
      {
        messageId: 'offer@me.example',
      },
    )
    const theirs = await received(BEN, 'Ich melde mich morgen.', { subject: 'Termin' })
    const found = await list()
    expect(found).toMatchObject([
      {
        direction: 'theirs',
        person: { name: 'Ben Okafor', address: 'ben@okafor.example', contactId: expect.any(Number) },
        text: 'Ich melde mich morgen.',
        dueDay: '2026-11-18',
        dueAt: '2026-11-17T23:00:00.000Z',
        emailId: theirs.id,
        threadId: theirs.threadId,
        subject: 'Termin',
      },
      {
        direction: 'mine',
        person: { name: 'Ana Ruiz', address: 'ana@ruiz.example' },
        text: 'I’ll send you the offer by Friday',
        quote: 'I’ll send you the offer by Friday, and you get me the plan.',
        dueDay: '2026-11-20',
        status: 'open',
        isOverdue: false,
        closedBy: null,
        emailId: mine.id,
      },
    ])
    const one = await instance.get(`/api/commitments/${found[0]?.id}`)
    expect([one.status, one.body]).toEqual([200, found[0]])
    expect(one.headers.get('etag')).toMatch(/^"\d+\.1/)
  })

  it('are not made from quoted history, newsletters, drafts, spam and old mail', async () => {
    const before = (await list()).length
    const text = 'I will send you the invoice tomorrow.'
    await received(ANA, `Thanks!\n\nOn Mon, 16 Nov 2026 at 10:12, Robin <robin@me.example> wrote:\n> ${text}`)
    await received(
      'News <news@shop.example>',
      `${text} Up to 50 % off! Unsubscribe here: https://shop.example/u`,
      {
        subject: 'Weekend sale',
      },
    )
    await received(BEN, text, { folder: 'junk' })
    await sent(BEN, text, { folder: 'drafts' })
    await received(BEN, text, { date: at(-24 * 90) })
    await received(BEN, 'I am out of the office until Monday. I will answer your mail then.', {
      subject: 'Automatic reply: Kitchen',
    })
    expect((await list()).length).toBe(before)
  })

  it('are kept once when they are repeated, with the new date', async () => {
    await sent(ANA, 'Sorry, I will send you the offer on Monday instead.', {
      subject: 'Re: Kitchen',
      inReplyTo: 'offer@me.example',
      messageId: 'offer-2@me.example',
      date: at(-1),
    })
    const offers = (await list()).filter(({ text }) => text.includes('offer'))
    expect(offers).toMatchObject([{ text: 'I’ll send you the offer by Friday', dueDay: '2026-11-23' }])
  })

  it('close when a later mail of the promiser delivers, and undo opens them again', async () => {
    const delivery = await sent(
      ANA,
      'Hi Ana,\n\nas promised, here is the offer: https://files.example/offer',
      {
        subject: 'Re: Kitchen',
        inReplyTo: 'offer@me.example',
        messageId: 'offer-3@me.example',
        date: at(0),
      },
    )
    const offer = await findBy('offer')
    expect(offer).toMatchObject({
      status: 'done',
      closedBy: 'email',
      closingEmailId: delivery.id,
      closingQuote: expect.stringContaining('here is the offer'),
      closedAt: expect.any(String),
    })
    const { body } = await instance.get('/api/actions?limit=1')
    expect(body.actions[0]).toMatchObject({ kind: 'commitment.closed' })
    expect((await instance.post(`/api/actions/${body.actions[0].id}/undo`)).status).toBe(200)
    expect(await findBy('offer')).toMatchObject({ status: 'open', closedBy: null, closingEmailId: null })
  })

  it('are only suggested as done when the mail is doubtful', async () => {
    const answer = await received(BEN, 'We decided to take the second variant of the kitchen.', {
      subject: 'Re: Termin',
      inReplyTo: 'x@y.example',
      date: at(1),
    })
    expect((await findBy('Ich melde mich')).closingEmailId).toBeNull()
    const first = await received(BEN, 'I will get back to you about the tiles tomorrow.', {
      subject: 'Tiles',
      messageId: 'tiles@okafor.example',
    })
    const second = await received(BEN, 'The tiles are grey and cost 40 euros each, says the shop.', {
      subject: 'Re: Tiles',
      inReplyTo: 'tiles@okafor.example',
      date: at(1),
    })
    expect(answer.threadId).not.toBe(second.threadId)
    const tiles = await findBy('tiles')
    expect(tiles).toMatchObject({
      emailId: first.id,
      status: 'open',
      closingEmailId: second.id,
      closingQuote: expect.stringContaining('grey'),
    })
    const kept = await instance.call('PATCH', `/api/commitments/${tiles.id}`, {
      body: { rejectSuggestion: true },
    })
    expect(kept.body).toMatchObject({ status: 'open', closingEmailId: null, closingQuote: null })
  })

  it('close also if the delivering mail arrives first', async () => {
    await sent(BEN, 'Done, I have paid the deposit.', {
      subject: 'Re: Deposit',
      inReplyTo: 'deposit@me.example',
      messageId: 'deposit-2@me.example',
      date: at(-1),
    })
    expect(await texts('?status=done')).toEqual([])
    await sent(BEN, 'I will pay the deposit tomorrow.', {
      subject: 'Deposit',
      messageId: 'deposit@me.example',
      date: at(-3),
    })
    expect(await texts('?status=done')).toEqual(['I will pay the deposit tomorrow.'])
  })

  it('filter by direction, status, person, due date and overdue, in pages', async () => {
    await received(ANA, 'I will call the plumber on Monday.', { subject: 'Pipes', date: at(-24 * 5) })
    expect(await texts('?overdue=true')).toEqual(['I will call the plumber on Monday.'])
    expect((await list('?overdue=true'))[0]).toMatchObject({ isOverdue: true, dueDay: '2026-11-16' })
    expect(await texts('?address=ANA@ruiz.example&direction=theirs')).toEqual([
      'I will call the plumber on Monday.',
    ])
    expect(await texts('?dueBefore=2026-11-18&status=open')).toEqual(['I will call the plumber on Monday.'])
    for (const one of await list('?direction=mine')) expect(one.direction).toBe('mine')
    const all = await texts()
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await instance.get(`/api/commitments?limit=1${cursor && `&cursor=${cursor}`}`)
      paged.push(...body.commitments.map(({ text }: Promised) => text))
      cursor = body.nextCursor
    }
    expect(paged).toEqual(all)
    expect(all.length).toBeGreaterThan(3)
    expect((await instance.get('/api/commitments?cursor=x')).status).toBe(400)
    expect((await instance.get('/api/commitments?direction=ours')).status).toBe(400)
  })

  it('change status, due date and text with the version that the caller saw', async () => {
    const { id } = await findBy('plumber')
    const before = await instance.get(`/api/commitments/${id}`)
    const etag = before.headers.get('etag') as string
    const change = (body: unknown, headers = {}) =>
      instance.call('PATCH', `/api/commitments/${id}`, { body, headers })
    const done = await change({ status: 'done' }, { 'if-match': etag })
    expect(done.body).toMatchObject({ status: 'done', closedBy: 'user', isOverdue: false })
    expect((await change({ status: 'open' }, { 'if-match': etag })).status).toBe(412)
    const open = await change({ status: 'open', dueDay: '2026-12-01', text: 'Call the plumber' })
    expect(open.body).toMatchObject({
      status: 'open',
      closedAt: null,
      closedBy: null,
      text: 'Call the plumber',
      dueDay: '2026-12-01',
      dueAt: '2026-11-30T23:00:00.000Z',
    })
    expect((await change({ dueAt: '2026-12-02T10:00:00Z' })).body).toMatchObject({
      dueAt: '2026-12-02T10:00:00.000Z',
      dueDay: null,
    })
    expect((await change({ dueAt: null })).body).toMatchObject({ dueAt: null, dueDay: null })
    for (const wrong of [{ dueDay: '2026-02-30' }, { status: 'late' }, { closingEmailId: 4 }, { text: ' ' }])
      expect((await change(wrong)).status).toBe(400)
    expect(
      (await instance.call('PATCH', '/api/commitments/999999', { body: { status: 'done' } })).status,
    ).toBe(404)
  })

  it('become tasks, and the completed task closes them', async () => {
    const { id } = await findBy('Ich melde mich')
    const made = await instance.post(`/api/commitments/${id}/task`)
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/tasks/${made.body.taskId}`])
    const task = (await instance.get(`/api/tasks/${made.body.taskId}`)).body
    expect(task).toMatchObject({ title: 'Ben Okafor: Ich melde mich morgen', dueDay: '2026-11-18' })
    const again = await instance.post(`/api/commitments/${id}/task`)
    expect([again.status, again.body.taskId, again.body.actionId]).toEqual([200, task.id, null])
    await instance.call('PATCH', `/api/tasks/${task.id}`, { body: { status: 'done' } })
    expect((await instance.get(`/api/commitments/${id}`)).body).toMatchObject({
      status: 'done',
      closedBy: 'task',
      taskId: task.id,
    })
    await instance.call('PATCH', `/api/tasks/${task.id}`, { body: { status: 'todo' } })
    expect((await instance.get(`/api/commitments/${id}`)).body.status).toBe('open')
    expect((await instance.post(`/api/actions/${made.body.actionId}/undo`)).status).toBe(409)

    const offer = await findBy('offer')
    const other = await instance.post(`/api/commitments/${offer.id}/task`)
    expect((await instance.get(`/api/tasks/${other.body.taskId}`)).body.title).toBe(
      'Send Ana the offer by Friday',
    )
    expect((await instance.post(`/api/actions/${other.body.actionId}/undo`)).status).toBe(200)
    expect((await instance.get(`/api/tasks/${other.body.taskId}`)).status).toBe(404)
    expect((await findBy('offer')).taskId).toBeNull()
  })

  it('are answered by the assistant without a model, which closes them', async () => {
    let conversationId: string | undefined
    const chat = async (message: string): Promise<string> => {
      const { status, body } = await instance.post('/api/ai/chat', {
        message,
        ...(conversationId !== undefined && { conversationId }),
      })
      expect([status, body.detail]).toEqual([200, undefined])
      conversationId = body.conversationId
      return body.reply
    }
    for (const asked of ['What did I promise Ana?', 'Show my promises to Ana'])
      expect(await chat(asked)).toContain('You to Ana Ruiz: I’ll send you the offer by Friday')
    expect(await chat('Was habe ich Ana versprochen?')).toContain('Du an Ana Ruiz: I’ll send you the offer')
    expect(await chat('What does Ben owe me?')).toContain('Ben Okafor to you: I will get back to you')
    expect(await chat('What does Zoe owe me?')).toContain('No open promises')
    expect(await chat('Mark my promise to Ana as done')).toContain(
      'Done: “I’ll send you the offer by Friday”.',
    )
    expect((await findBy('offer')).status).toBe('done')
    await chat('undo that')
    expect((await findBy('offer')).status).toBe('open')
  })

  it('keep their quote when the mail is deleted', async () => {
    const { id, emailId, quote } = await findBy('offer')
    expect((await instance.call('DELETE', `/api/emails/${emailId}`)).status).toBe(204)
    const after = (await instance.get(`/api/commitments/${id}`)).body
    expect([after.quote, after.subject, after.emailId]).toEqual([quote, 'Kitchen', null])
  })

  it('belong to one account, need the scope of mail, and keep their day in another time zone', async () => {
    const { token } = await register(instance)
    const scoped = async (scope: string) =>
      (
        await instance.post(
          '/api/settings/tokens',
          { password: PASSWORD, name: scope, scopes: [scope] },
          { token },
        )
      ).body.token
    expect((await instance.get('/api/commitments', { token: await scoped('tasks:read') })).status).toBe(403)
    const reader = await scoped('mail:read')
    const [first] = (await instance.get('/api/commitments', { token: reader })).body.commitments
    expect(
      (
        await instance.call('PATCH', `/api/commitments/${first.id}`, {
          token: reader,
          body: { status: 'done' },
        })
      ).status,
    ).toBe(403)
    await instance.call('PATCH', '/api/settings/preferences', { token, body: { timezone: 'Asia/Tokyo' } })
    const tokyo = (await instance.get('/api/commitments?direction=theirs', { token })).body.commitments
    expect(tokyo.find(({ text }: Promised) => text.includes('Ich melde'))).toMatchObject({
      dueDay: '2026-11-18',
      dueAt: '2026-11-17T15:00:00.000Z',
    })
  })
})
