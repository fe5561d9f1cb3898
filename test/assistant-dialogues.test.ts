import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'

interface Answer {
  reply: string
  conversationId: string
  question: { text: string; options: string[] } | null
  actions: { tool: string; status: string; undoId: number | null; result: Record<string, unknown> }[]
}

describe('the memory of a conversation without a model', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ environment: { TZ_DEFAULT: 'UTC' } })
    // A Tuesday morning.
    instance.clock.advance(Date.parse('2030-02-26T08:00:00.000Z') - instance.clock.now().getTime())
    for (const [subject, from] of [
      ['The offer', 'Ana Ruiz <ana@example.org>'],
      ['Server down', 'Ben Okafor <ben@example.org>'],
      ['Your invoice', 'Carla Diaz <carla@example.org>'],
    ])
      await instance.post('/api/emails', {
        from,
        to: ['me@example.org'],
        subject,
        text: 'Could you answer by Friday?',
        messageId: `${subject?.replace(/\W/g, '')}@example.org`,
        date: '2030-02-25T09:00:00Z',
      })
  })
  afterAll(() => instance.close())

  /** Sends messages of one conversation and returns all answers. */
  const talk = async (...messages: string[]): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (const message of messages) {
      const conversationId = answers.at(-1)?.conversationId
      const { status, body } = await instance.post('/api/ai/chat', {
        message,
        ...(conversationId && { conversationId }),
      })
      expect([message, status]).toEqual([message, 200])
      answers.push(body)
    }
    return answers
  }
  const lastAction = (answers: readonly Answer[]) => answers.at(-1)?.actions.at(-1)
  const lastReply = (answers: readonly Answer[]): string => answers.at(-1)?.reply ?? ''

  it.each<[string[], string, object]>([
    [
      ['add a task to water the plants tomorrow', 'make it high priority'],
      'update_task',
      { priority: 'high' },
    ],
    [['add a task to mow the lawn tomorrow', 'move it to Friday'], 'update_task', { dueDay: '2030-03-01' }],
    [['add a task to feed the cat', 'mark it as done'], 'update_task', { status: 'done' }],
    [['add a task to call the vet', 'rename it to call Dr Lee'], 'update_task', { title: 'call Dr Lee' }],
    [['add a task to buy paint', 'put it on the shopping list'], 'update_task', { tags: ['shopping'] }],
    [
      ['schedule lunch with Ana on Friday at noon', 'make it an hour and a half'],
      'move_event',
      { end: '2030-03-01T13:30:00.000Z' },
    ],
    [
      ['Trag am Freitag um 14 Uhr Zahnarzt ein', 'nur eine halbe Stunde'],
      'move_event',
      { end: '2030-03-01T14:30:00.000Z' },
    ],
    [
      ['schedule a call with Tom on Thursday at 15:00', 'move it to Friday'],
      'move_event',
      { start: '2030-03-01T15:00:00.000Z' },
    ],
    [
      ['schedule a call with Kim on Thursday at 10:00', 'no, at 11:00 instead'],
      'move_event',
      { start: '2030-02-28T11:00:00.000Z' },
    ],
    [['schedule dinner with Eve on Sunday at 19:00', 'cancel it'], 'cancel_event', { status: 'cancelled' }],
    [
      ['Erstelle eine Aufgabe Miete zahlen bis Freitag', 'Verschieb das auf Montag'],
      'update_task',
      { dueDay: '2030-03-04' },
    ],
    [['find the mail from Ben', 'star it'], 'tag_email', { starred: true }],
    [['show my unread mails', 'archive the second one'], 'tag_email', { folder: 'archive' }],
  ])('%j', async (messages, tool, result) => {
    const answers = await talk(...messages)
    expect([lastReply(answers), lastAction(answers)?.tool]).toEqual([expect.any(String), tool])
    expect(lastAction(answers)).toMatchObject({ status: 'done', result })
    expect(lastAction(answers)?.undoId).not.toBeNull()
  })

  it('undoes the last change', async () => {
    const answers = await talk('add a task to paint the shed', 'undo that')
    expect(lastReply(answers)).toBe('Undone: “paint the shed”.')
    const { body } = await instance.get('/api/tasks?q=shed')
    expect(body.tasks).toEqual([])
  })

  it('asks for a missing time and continues with the answer', async () => {
    const answers = await talk('schedule a meeting with Zoe', 'tomorrow at 14:00')
    expect(answers[0]?.actions).toEqual([])
    expect(lastAction(answers)).toMatchObject({
      tool: 'create_event',
      result: { start: '2030-02-27T14:00:00.000Z', title: 'Meeting with Zoe' },
    })
  })

  it('asks for the half of the day and takes a button', async () => {
    const [first] = await talk('remind me to call mom at 7')
    expect(first?.actions).toEqual([])
    expect(first?.question?.options).toHaveLength(3)
    const option = first?.question?.options.find((label) => label.includes('19:00')) as string
    const { body } = await instance.post('/api/ai/chat', {
      message: option,
      conversationId: first?.conversationId,
    })
    expect(body.actions.at(-1).result).toMatchObject({
      title: 'call mom',
      remindAt: '2030-02-26T19:00:00.000Z',
    })
  })

  it('writes nothing after “no”', async () => {
    const answers = await talk('remind me to feed the fish at 6', 'no')
    expect(answers.flatMap(({ actions }) => actions)).toEqual([])
    expect(lastReply(answers)).toBe('I have not changed anything.')
  })

  it('asks which of several items is meant and takes “the second”', async () => {
    const answers = await talk(
      'add a task to sort the red boxes',
      'add a task to sort the blue boxes',
      'mark sort boxes as done',
      'the second',
    )
    expect(answers[2]?.question?.options).toHaveLength(3)
    expect(lastAction(answers)).toMatchObject({ tool: 'update_task', result: { status: 'done' } })
  })

  it('asks before it sends a draft, and a typed yes does not send it', async () => {
    const answers = await talk('write a mail to ana@example.org saying the offer is fine', 'send it', 'yes')
    expect(answers[0]?.actions.at(-1)).toMatchObject({ tool: 'draft_email', status: 'done' })
    expect(answers[1]?.actions.at(-1)).toMatchObject({ tool: 'send_draft', status: 'needs_confirmation' })
    expect(lastReply(answers)).toBe('A typed yes is not enough for that. Press the button to confirm it.')
    expect((await instance.get('/api/emails?folder=sent')).body.emails).toEqual([])
  })

  it('asks before it undoes a change that is older than a proposal, or not the last change', async () => {
    const proposed = await talk(
      'add a task to oil the gate',
      'delete the task oil the gate',
      'undo that',
      'no',
    )
    expect(proposed[1]?.actions.at(-1)).toMatchObject({ tool: 'delete_task', status: 'needs_confirmation' })
    expect(proposed[2]).toMatchObject({
      reply: 'The last change in this conversation was “oil the gate”. Should I undo it?',
      question: { options: ['Yes', 'No'] },
    })
    expect((await instance.get('/api/tasks?q=gate')).body.tasks).toHaveLength(1)

    const first = await talk('add a task to sand the bench')
    await talk('add a task to water the palm')
    const conversationId = first.at(-1)?.conversationId
    const say = async (message: string) =>
      (await instance.post('/api/ai/chat', { message, conversationId })).body.reply
    expect(await say('undo that')).toBe(
      'The last change in this conversation was “sand the bench”. Should I undo it?',
    )
    expect((await instance.get('/api/tasks?q=bench')).body.tasks).toHaveLength(1)
    expect(await say('yes')).toBe('Undone: “sand the bench”.')
    expect((await instance.get('/api/tasks?q=bench')).body.tasks).toEqual([])
    expect((await instance.get('/api/tasks?q=palm')).body.tasks).toHaveLength(1)
  })

  it.each([
    ['write a mail to ana@example.org saying the offer is fine and send it', 'The offer is fine.'],
    [
      'Schreib eine Mail an ana@example.org, dass das Angebot passt, und schick sie ab',
      'Ich wollte nur sagen, dass das Angebot passt.',
    ],
  ])('does not write the request to send into the mail: %s', async (message, body) => {
    const answers = await talk(message)
    const action = answers[0]?.actions.at(-1)
    expect(action).toMatchObject({ tool: 'send_email', status: 'needs_confirmation' })
    expect((action as unknown as { input: { text: string } }).input.text).toMatch(
      new RegExp(`\\n\\n${body}\\n$`),
    )
  })

  it('lists the tasks of a day with its events', async () => {
    await instance.post('/api/tasks', { title: 'Renew the passport', dueAt: '2030-03-05' })
    for (const question of ['What do I have on 5 March 2030?', 'Was habe ich am 5. März 2030?'])
      expect(lastReply(await talk(question))).toContain('Renew the passport')
    expect(lastReply(await talk('Which meetings do I have on 5 March 2030?'))).not.toContain('passport')
  })

  it('repeats the last question for another day', async () => {
    const answers = await talk('what do I have tomorrow', 'and on Friday?')
    expect(lastAction(answers)?.tool).toBe('list_events')
  })
})
