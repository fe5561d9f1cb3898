import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

onOneDatabase('sqlite', 'the assistant without an API key', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    // A Tuesday morning.
    instance.clock.advance(Date.parse('2030-02-26T08:00:00.000Z') - instance.clock.now().getTime())
  })
  afterAll(() => instance.close())

  const chat = async (message: string) => {
    const { status, body } = await instance.post('/api/ai/chat', { message })
    expect([status, body.engine, body.fallbackReason]).toEqual([200, 'builtin', 'no_key'])
    return body
  }
  const eventsOn = async (day: string, next: string) =>
    (await instance.get(`/api/calendar/events?start=${day}&end=${next}`)).body.events

  it('creates a task with due date and priority, which can be undone', async () => {
    const { actions } = await chat('add a task to send the report by Friday, high priority')
    expect(actions).toMatchObject([{ tool: 'create_task', status: 'done', result: { priority: 'high' } }])
    const { body } = await instance.get('/api/tasks?q=report')
    expect(body.tasks[0].dueAt).toMatch(/^2030-03-01/)
    expect((await instance.post(`/api/actions/${actions[0].undoId}/undo`)).status).toBe(200)
  })

  it('creates, lists and moves a meeting', async () => {
    await chat('schedule a meeting with Bob on 3 March at 14:00 for 30 minutes')
    expect(await eventsOn('2030-03-03', '2030-03-04')).toMatchObject([
      { start: '2030-03-03T14:00:00.000Z', end: '2030-03-03T14:30:00.000Z', source: 'chat' },
    ])
    await instance.post('/api/calendar/events', { title: 'Dentist', start: '2030-02-27T15:00:00Z' })
    expect((await chat('what do I have tomorrow')).reply).toContain('Dentist')
    await instance.post('/api/calendar/events', { title: 'Review', start: '2030-02-26T15:00:00Z' })
    await chat('move my 3pm to 4pm')
    expect(await eventsOn('2030-02-26', '2030-02-27')).toMatchObject([{ start: '2030-02-26T16:00:00.000Z' }])
  })

  it('finds a free hour', async () => {
    const { actions, reply } = await chat('find me a free hour next week')
    expect(actions).toMatchObject([{ tool: 'find_free_time', status: 'done', input: { minutes: 60 } }])
    expect(reply).toContain('Mar 2030')
  })

  it('creates a recurring reminder', async () => {
    const { actions } = await chat('remind me every Monday to water the plants')
    expect(actions[0].result.recurrence).toMatch(/FREQ=WEEKLY.*BYDAY=MO/)
  })

  it('drafts a reply and sends nothing', async () => {
    await instance.post('/api/emails', {
      from: 'Ana Ruiz <ana@example.org>',
      subject: 'Lunch',
      text: 'Noon?',
      messageId: 'lunch@example.org',
    })
    await instance.post('/api/emails', { from: 'Bob <bob@example.org>', subject: 'Later', text: 'Hm' })
    const { actions } = await chat("draft an answer to Ana's last mail")
    expect(actions.at(-1)).toMatchObject({
      tool: 'draft_email',
      status: 'done',
      result: { subject: 'Re: Lunch' },
    })
    expect(await instance.database.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  it('finds urgent mail', async () => {
    const { actions } = await chat('which mails are urgent')
    expect(actions.map(({ tool }: { tool: string }) => tool)).toEqual(['find_emails', 'find_emails'])
  })

  it('asks for confirmation before it deletes', async () => {
    await instance.post('/api/tasks', { title: 'Old boiler' })
    const { actions } = await chat('delete the task old boiler')
    expect(actions.at(-1)).toMatchObject({ tool: 'delete_task', status: 'needs_confirmation' })
    expect((await instance.get('/api/tasks?q=boiler')).body.tasks).toHaveLength(1)
  })

  it('reports missing scopes instead of an empty result', async () => {
    const payload = { password: PASSWORD, name: 't', scopes: ['ai:write'] }
    const person = await register(instance)
    const { token } = (await instance.post('/api/settings/tokens', payload, person)).body
    const replyTo = async (message: string) =>
      (await instance.post('/api/ai/chat', { message }, { token })).body.reply
    expect(await replyTo('what do I have tomorrow')).toBe(
      'This tool does not exist, or this token has no access to it.',
    )
    expect(await replyTo('which mails are urgent')).toBe(
      'This tool does not exist, or this token has no access to it.',
    )
    expect(await replyTo('how many unread mails do I have')).toBe('This token has no access to that data.')
    expect(await replyTo('give me my briefing')).toContain('no access to calendar, tasks or mail')
  })

  it('says that it did not understand', async () => {
    const { reply, actions } = await chat('write a sonnet about the sea')
    expect(actions).toEqual([])
    expect(reply).toMatch(/^I can’t do that\. Try: “add a task/)
  })
})
