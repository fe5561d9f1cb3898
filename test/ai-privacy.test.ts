import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import type { Instance } from './support/instance.ts'
import { type AiFixture, startAiFixture } from './support/providers/ai-fixture.ts'
import type { Call } from './support/providers/provider.ts'

const SECRET = /marmalade/i

onOneDatabase('sqlite', 'private data', (engine) => {
  let fixture: AiFixture
  let instance: Instance
  let mail: number
  let task: number
  let event: number
  let block: number
  beforeAll(async () => {
    fixture = await startAiFixture({ engine, environment: { MODEL_A: 'openai:gpt-4.1', TZ_DEFAULT: 'UTC' } })
    instance = fixture.instance
    // A Monday morning.
    instance.clock.advance(Date.parse('2030-03-04T08:00:00.000Z') - instance.clock.now().getTime())
    mail = (
      await instance.post('/api/emails', {
        from: 'Ben <ben@example.org>',
        subject: 'The marmalade',
        text: 'Could you send me the marmalade by Friday? Let us meet about the marmalade on Tuesday at 2pm.',
        date: '2030-03-04T07:00:00Z',
        tags: ['private'],
      })
    ).body.id
    const analyzed = await instance.post(`/api/emails/${mail}/analyze?apply=true`)
    expect([analyzed.status, analyzed.body.fallbackReason]).toEqual([200, 'private'])
    task = analyzed.body.taskIds[0]
    const [meeting] = analyzed.body.meetings
    const { title, start } = meeting
    const made = await instance.post('/api/calendar/events/from-email', {
      emailId: mail,
      meeting: { title, start },
    })
    expect(made.status).toBe(201)
    event = made.body.id
    const plan = { start: '2030-03-04T08:00:00Z', end: '2030-03-08T18:00:00Z', apply: true }
    block = (await instance.post('/api/tasks/plan', plan)).body.blocks[0].eventId
    await instance.post('/api/tasks', { title: 'Rent', dueAt: '2030-03-04' })
    await instance.post('/api/calendar/events', { title: 'Lunch', start: '2030-03-04T12:00:00Z' })
  })
  afterAll(() => fixture.close())
  beforeEach(() => {
    fixture.providers.openai.asked = []
  })

  const change = (path: string, body: object) => instance.call('PATCH', path, { body })
  /** All tool calls that might reveal private data. */
  const looks = (): Call[] => [
    { name: 'list_tasks', input: {} },
    { name: 'list_tasks', input: { query: 'marmalade' } },
    { name: 'list_events', input: { start: '2030-03-01', end: '2030-03-31' } },
    { name: 'find_emails', input: { query: 'marmalade' } },
    { name: 'get_statistics', input: {} },
    { name: 'get_briefing', input: {} },
    { name: 'get_briefing', input: { date: '2030-03-05' } },
    { name: 'get_briefing', input: { date: '2030-03-08' } },
    { name: 'find_unanswered', input: {} },
    { name: 'update_task', input: { id: task, priority: 'low' } },
    { name: 'delete_task', input: { id: task } },
    { name: 'move_event', input: { id: event, start: '2030-03-06T10:00:00Z' } },
    { name: 'cancel_event', input: { id: block } },
    { name: 'delete_event', input: { id: block } },
    { name: 'draft_email', input: { replyTo: mail, text: 'x' } },
  ]
  const sendLooksToModel = async (): Promise<string> => {
    fixture.providers.openai.script = [{ calls: looks() }, { say: 'That is all.' }]
    const { status, body } = await instance.post('/api/ai/chat', { message: 'look at everything' })
    expect(status).toBe(200)
    const [, last] = fixture.providers.openai.asked
    const results = last?.body.messages.filter(({ role }: { role: string }) => role === 'tool')
    expect(results).toHaveLength(looks().length)
    expect(body.actions.slice(9).map(({ status: became }: { status: string }) => became)).toEqual(
      Array(6).fill('failed'),
    )
    // Return the results only, because the calls are the model's own words.
    return JSON.stringify(results)
  }

  it('passes the private tag on to tasks, events and blocks created from it', async () => {
    for (const path of [
      `/api/tasks/${task}`,
      `/api/calendar/events/${event}`,
      `/api/calendar/events/${block}`,
    ])
      expect([path, (await instance.get(path)).body.tags]).toEqual([
        path,
        expect.arrayContaining(['private']),
      ])
  })

  it('is not sent to a model by any tool', async () => {
    const sentText = await sendLooksToModel()
    expect(sentText).not.toMatch(SECRET)
    expect(sentText).toContain('Rent')
    expect(sentText).toContain('Lunch')
  })

  it('is not sent to an MCP client', async () => {
    for (const { name, input } of looks()) {
      const { status, body } = await instance.post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
        { headers: { accept: 'application/json, text/event-stream' } },
      )
      expect([name, status]).toEqual([name, 200])
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      expect(text).toContain('content')
      expect(text).not.toMatch(SECRET)
    }
  })

  it('includes linked objects if the mail becomes private later', async () => {
    for (const [path, id] of [
      ['/api/tasks', task],
      ['/api/calendar/events', event],
      ['/api/calendar/events', block],
    ] as const)
      expect((await change(`${path}/${id}`, { tags: [] })).status).toBe(200)
    expect(await sendLooksToModel()).not.toMatch(SECRET)
    await change(`/api/emails/${mail}`, { tags: [] })
    fixture.providers.openai.script = [{ calls: looks().slice(0, 9) }, { say: 'There it is.' }]
    const { body } = await instance.post('/api/ai/chat', { message: 'look again' })
    expect(JSON.stringify(fixture.providers.openai.asked.at(-1)?.body)).toMatch(SECRET)
    // After the mail is private again, earlier results are withheld too.
    await change(`/api/emails/${mail}`, { tags: ['private'] })
    fixture.providers.openai.asked = []
    fixture.providers.openai.script = [{ say: 'Yes?' }]
    const { conversationId } = body
    await instance.post('/api/ai/chat', { message: 'and now?', conversationId })
    const again = fixture.providers.openai.asked[0]?.body.messages.filter(
      ({ role }: { role: string }) => role === 'tool',
    )
    expect(again.length).toBeGreaterThan(0)
    expect(JSON.stringify(again)).not.toMatch(SECRET)
  })

  it('stays private after the mail was deleted', async () => {
    await change(`/api/tasks/${task}`, { tags: ['private'] })
    await change(`/api/calendar/events/${event}`, { tags: ['private'] })
    expect((await instance.call('DELETE', `/api/emails/${mail}`)).status).toBe(204)
    expect((await instance.get(`/api/tasks/${task}`)).body.emailId).toBeNull()
    fixture.providers.openai.script = [{ calls: looks().slice(0, 9) }, { say: 'Nothing.' }]
    await instance.post('/api/ai/chat', { message: 'look' })
    const results = fixture.providers.openai.asked
      .at(-1)
      ?.body.messages.filter(({ role }: { role: string }) => role === 'tool')
    expect(JSON.stringify(results)).not.toMatch(SECRET)
  })
})

onOneDatabase('postgres', 'a conversation that started with the built-in engine', (engine) => {
  let fixture: AiFixture
  beforeAll(async () => {
    fixture = await startAiFixture({
      engine,
      environment: { MODEL_A: 'openai:gpt-4.1', AI_FALLBACK: 'builtin' },
    })
  })
  afterAll(() => fixture.close())

  it('continues with a model that does not receive its private content', async () => {
    const { instance, providers } = fixture
    await instance.post('/api/tasks', { title: 'Order marmalade', tags: ['private'] })
    providers.openai.script = [{ status: 500 }]
    const first = await instance.post('/api/ai/chat', { message: 'show my tasks' })
    expect([first.body.engine, first.body.reply]).toEqual(['builtin', expect.stringMatching(SECRET)])
    providers.openai.asked = []
    providers.openai.script = [{ say: 'Hello.' }]
    const { conversationId } = first.body
    await instance.post('/api/ai/chat', { message: 'and what else', conversationId })
    expect(JSON.stringify(providers.openai.asked)).not.toMatch(SECRET)
    expect(JSON.stringify(providers.openai.asked)).toContain('withheld')
  })
})
