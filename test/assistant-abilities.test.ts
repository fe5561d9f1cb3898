import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'

interface Answer {
  reply: string
  conversationId: string
  question: { text: string; options: string[] } | null
  actions: {
    tool: string
    status: string
    undoId: number | null
    actionId: string | null
    input: Record<string, unknown>
    result: Record<string, unknown>
  }[]
}

/** The abilities of the product in sentences, without a model. */
describe('the abilities of the assistant', () => {
  let instance: Instance
  let token: string
  beforeAll(async () => {
    instance = await startInstance({ environment: { TZ_DEFAULT: 'UTC' } })
    // A Tuesday morning.
    instance.clock.advance(Date.parse('2030-02-26T08:00:00.000Z') - instance.clock.now().getTime())
    token = (await register(instance)).token
    for (const task of [
      { title: 'Tax return', dueAt: '2030-02-20', estimateMinutes: 60 },
      { title: 'Slides', dueAt: '2030-02-26', estimateMinutes: 30, priority: 'high' },
      { title: 'Someday', estimateMinutes: 30 },
      { title: 'Old work', status: 'done' },
    ])
      await post('/api/tasks', task)
    for (const [from, subject, text, date] of [
      ['Ana Ruiz <ana@example.org>', 'The offer', 'Could you send me the offer by Friday?', '2030-02-25'],
      ['Ana Ruiz <ana@example.org>', 'Lunch', 'Shall we have lunch on Thursday?', '2030-02-24'],
      ['Tom Berg <tom@example.org>', 'Friday', 'Can we meet on Friday at 10?', '2030-02-25'],
      ['LinkedIn <news@linkedin.example>', 'People you may know', 'See who is hiring.', '2030-02-23'],
      ['LinkedIn <news@linkedin.example>', 'Jobs for you', 'New jobs match your profile.', '2030-01-02'],
    ] as const)
      await post('/api/emails', {
        from,
        to: ['me@example.org'],
        subject,
        text,
        messageId: `${subject.replace(/\W/g, '')}@example.org`,
        date: `${date}T09:00:00Z`,
      })
  })
  afterAll(() => instance.close())

  const post = (path: string, body: object) => instance.post(path, body, { token })
  const get = async (path: string) => (await instance.get(path, { token })).body

  /** Sends messages of one conversation and returns all answers. */
  const talk = async (...messages: string[]): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (const message of messages) {
      const conversationId = answers.at(-1)?.conversationId
      const { status, body } = await post('/api/ai/chat', {
        message,
        ...(conversationId && { conversationId }),
      })
      expect([message, status, body.detail]).toEqual([message, 200, undefined])
      answers.push(body)
    }
    return answers
  }
  const ask = async (message: string): Promise<Answer> => (await talk(message))[0] as Answer
  const openTitles = async (): Promise<string[]> =>
    (await get('/api/tasks?status=open')).tasks.map(({ title }: { title: string }) => title)

  it('summarizes unread mail with quotes, and counts newsletters', async () => {
    const { reply, actions } = await ask('Summarise my unread mail')
    expect(reply).toMatch(/^5 unread/)
    expect(reply).toContain('“Could you send me the offer by Friday?”')
    expect(actions.at(-1)).toMatchObject({ tool: 'summarize_emails', result: { total: 5, more: false } })
    const german = await ask('Fasse zusammen, was Ana diese Woche geschrieben hat')
    expect(german.reply).toMatch(/^1 E-Mail von Ana/)
    expect(german.reply).toContain('Could you send me the offer by Friday?')
    expect(german.reply).not.toContain('Lunch')
  })

  it('says what comes first and why', async () => {
    const { reply, actions } = await ask('What should I work on first?')
    expect(reply).toMatch(/^Start with “Tax return”/)
    expect(reply).toMatch(/Tax return: overdue for \d days/)
    expect(reply).toContain('free working time left today')
    expect(actions.at(-1)?.tool).toBe('get_priorities')
    const german = await ask('Was ist heute wichtig?')
    expect(german.reply).toMatch(/^Das braucht deine Aufmerksamkeit/)
    expect(german.reply).toContain('Slides: heute fällig, hohe Priorität')
    expect(german.reply).not.toContain('Old work')
  })

  it('plans open tasks for tomorrow, books them after a yes, and undoes them', async () => {
    const answers = await talk('Plan my tasks for tomorrow', 'yes', 'undo that')
    const [plan, yes, undone] = answers as [Answer, Answer, Answer]
    expect(plan.reply).toMatch(/I propose 2 blocks:\n- Wed, 27 Feb 2030, 09:00–10:00: Tax return/)
    expect(plan.reply).not.toContain('Old work')
    // It is due today, so tomorrow is too late.
    expect(plan.reply).toContain('No time found for: Slides.')
    const action = plan.actions.at(-1)
    expect(action).toMatchObject({ tool: 'book_plan', status: 'needs_confirmation' })
    expect(((action as Answer['actions'][number]).input.blocks as { start: string }[])[0]?.start).toBe(
      '2030-02-27T09:00:00.000Z',
    )
    expect(yes.reply).toBe('Done.')
    const events = '/api/calendar/events?start=2030-02-27&end=2030-02-28'
    expect(undone.reply).toMatch(/^Undone: Add \d blocks? to the calendar/)
    expect((await get(events)).events).toEqual([])
    const actions = (await get('/api/actions')).actions
    expect(actions[0]).toMatchObject({ kind: 'tasks.planned', undoneAt: expect.any(String) })
  })

  it('books edited blocks of a plan', async () => {
    const { actions } = await ask('Plane meine Aufgaben für morgen')
    const { actionId, input } = actions.at(-1) as Answer['actions'][number]
    const [first] = input.blocks as { taskId: number }[]
    const blocks = [{ taskId: first?.taskId, start: '2030-02-27T18:00:00Z', end: '2030-02-27T18:45:00Z' }]
    const confirmed = await post(`/api/ai/actions/${actionId}/confirm`, { input: { blocks } })
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'done'])
    const { events } = await get('/api/calendar/events?start=2030-02-27&end=2030-02-28')
    expect(events).toMatchObject([{ title: 'Tax return', start: '2030-02-27T18:00:00.000Z' }])
    expect((await post(`/api/actions/${confirmed.body.undoId}/undo`, {})).status).toBe(200)
  })

  it('snoozes an email by its sender, and the one of the conversation', async () => {
    const [first, undone] = await talk('snooze the mail from Tom to tomorrow 9', 'undo that')
    expect(first?.actions.at(-1)).toMatchObject({
      tool: 'snooze_email',
      status: 'done',
      result: { subject: 'Friday', snoozedUntil: '2030-02-27T09:00:00.000Z' },
    })
    expect(undone?.reply).toBe('Undone: “Friday”.')
    const answers = await talk('find the mail from Tom', 'snooze it until Monday', 'undo that')
    expect(answers[1]?.actions.at(-1)).toMatchObject({
      tool: 'snooze_email',
      result: { snoozedUntil: '2030-03-04T08:00:00.000Z' },
    })
    const german = await ask('Stell die Mail von Tom zurück')
    expect(german.reply).toBe('Bis wann soll ich sie zurückstellen?')
  })

  it('reads a rule back with its matches, and adds it only with the button', async () => {
    const [proposal, typed] = await talk('always archive mails from LinkedIn', 'yes')
    expect(proposal?.reply).toMatch(/archive it. 2 emails match already\? Press the button to confirm/)
    expect(typed?.reply).toBe('A typed yes is not enough for that. Press the button to confirm it.')
    expect((await get('/api/mail-rules')).mailRules).toEqual([])
    const [{ id: actionId }] = (await get('/api/ai/actions?status=pending&limit=1')).actions
    const confirmed = await post(`/api/ai/actions/${actionId}/confirm`, {})
    expect(confirmed.body.status).toBe('done')
    expect((await get('/api/mail-rules')).mailRules).toHaveLength(1)
    expect((await post(`/api/actions/${confirmed.body.undoId}/undo`, {})).status).toBe(200)
    expect((await get('/api/mail-rules')).mailRules).toEqual([])
    const german = await ask('Verschiebe alles von Ana in den Ordner Rechnungen')
    expect(german.reply).toBe('Einen E-Mail-Ordner „Rechnungen“ gibt es nicht.')
  })

  it('changes many emails after a confirmation that counts them, and undoes them at once', async () => {
    const answers = await talk('mark everything from LinkedIn as read', 'yes')
    expect(answers[0]?.reply).toMatch(/^Mark 2 emails as read: “People you may know”, “Jobs for you”\?/)
    const unread = async () => (await get('/api/emails?unread=true&q=linkedin')).emails.length
    expect(await unread()).toBe(0)
    const { conversationId } = answers[1] as Answer
    await post('/api/ai/chat', { message: 'undo that', conversationId })
    expect(await unread()).toBe(2)
    const none = await ask('archive all newsletters older than a year')
    expect(none.reply).toBe('No email matches. I have not changed anything.')
    const german = await talk('Lösche alle Mails von LinkedIn', 'nein')
    expect(german[0]?.reply).toMatch(/^2 E-Mails in den Papierkorb verschieben: „People you may know“/)
    expect(german[1]?.reply).toBe('Ich mache es nicht.')
    expect((await get('/api/emails?folder=trash')).emails).toEqual([])
  })

  it('finds newsletters by the data of their mailing list, not by the word', async () => {
    const message = [
      'From: Roses <news@roses.example>',
      'To: me@example.org',
      'Subject: Garden weekly',
      'Message-ID: <garden@roses.example>',
      'Date: Mon, 25 Feb 2030 09:00:00 +0000',
      'List-ID: Roses <roses.roses.example>',
      '',
      'Prune now.',
    ].join('\r\n')
    const headers = { 'content-type': 'message/rfc822' }
    const stored = [
      await instance.call('POST', '/api/emails', { body: message, headers, token }),
      await post('/api/emails', {
        from: 'Ana Ruiz <ana@example.org>',
        to: ['me@example.org'],
        subject: 'About our newsletter',
        text: 'Who writes the newsletter?',
        date: '2030-02-25T10:00:00Z',
      }),
    ]
    for (const [sentence, reply] of [
      ['Archive all newsletters', /^Archive 1 email: “Garden weekly”\?/],
      ['Archiviere alle Newsletter', /^1 E-Mail archivieren: „Garden weekly“\?/],
    ] as const)
      expect((await ask(sentence)).reply).toMatch(reply)
    for (const { body } of stored) await instance.call('DELETE', `/api/emails/${body.id}`, { token })
  })

  it('deletes all tasks only after a confirmation, and restores them', async () => {
    const before = await openTitles()
    const [proposal, , undone] = await talk('Delete all my tasks', 'yes', 'undo that')
    expect(proposal?.reply).toMatch(/^Delete 3 tasks: “Tax return”, “Slides”, “Someday”\?/)
    expect(undone?.reply).toMatch(/^Undone: Delete 3 tasks: “Tax return”/)
    expect(await openTitles()).toEqual(before)
    expect((await ask('complete all tasks in list Nowhere')).reply).toBe(
      'There is no task list or tag called “Nowhere”.',
    )
    const list = (await post('/api/task-lists', { name: 'Home' })).body
    await post('/api/tasks', { title: 'Water plants', listId: list.id })
    const answers = await talk('Erledige alle Aufgaben in der Liste Home', 'ja')
    expect(answers[0]?.reply).toMatch(/^1 Aufgabe als erledigt markieren: „Water plants“/)
    expect(await openTitles()).toEqual(before)
  })

  it('changes the whole last list', async () => {
    const answers = await talk('show my unread mails', 'archive them all', 'no')
    expect(answers[1]?.actions.at(-1)).toMatchObject({ tool: 'change_emails', status: 'needs_confirmation' })
    expect(answers[1]?.reply).toMatch(/^Archive 5 emails/)
  })

  it('finds time with conditions, and says whose calendar it cannot see', async () => {
    const { reply, actions } = await ask(
      'when can Ana and I meet next week for an hour, not before 10, not on Friday',
    )
    expect(actions.at(-1)).toMatchObject({
      tool: 'find_free_time',
      input: { minutes: 60, notBefore: '10:00', exceptDays: ['friday'], people: ['Ana'] },
    })
    expect(reply).toContain('- Mon, 4 Mar 2030, 10:00–17:00')
    expect(reply).not.toContain('8 Mar')
    expect(reply).toContain('I cannot see the calendar of Ana')
  })

  it('unsubscribes only from a list that it found', async () => {
    expect((await ask('unsubscribe me from the Acme newsletter')).reply).toBe(
      'I found no newsletter or mailing list called “Acme”.',
    )
    expect((await ask('Melde mich vom Acme-Newsletter ab')).reply).toContain('habe ich nicht gefunden')
  })

  it('drafts an acceptance of a proposal', async () => {
    const english = await ask('Tell Tom yes for Friday')
    expect(english.actions.at(-1)).toMatchObject({
      tool: 'draft_email',
      status: 'done',
      result: { subject: 'Re: Friday', text: expect.stringContaining('Friday works for me.') },
    })
    const german = await ask('Sage Tom für Freitag zu')
    expect(german.actions.at(-1)).toMatchObject({
      tool: 'draft_email',
      result: { text: expect.stringContaining('Freitag passt mir gut.') },
    })
  })

  it('adds a guest, and asks before an invitation is sent', async () => {
    await post('/api/contacts', { name: 'Ben Okafor', addresses: [{ address: 'ben@example.org' }] })
    const [booked, added] = await talk('schedule a call with Lisa on Monday at 9:00', 'add Ben to it')
    expect(booked?.reply).toMatch(/“Call with Lisa” is in the calendar:.*calendar “/)
    expect(added?.actions.find(({ tool }) => tool === 'update_event')).toMatchObject({
      status: 'done',
      result: { title: 'Call with Lisa', attendees: [{ email: 'ben@example.org' }] },
    })
    expect(added?.actions.at(-1)).toMatchObject({ tool: 'invite_guests', status: 'needs_confirmation' })
    expect(added?.reply).toContain('Send an invitation for “Call with Lisa” to ben@example.org')
    const { emails } = await get('/api/emails?folder=sent')
    expect(emails).toEqual([])
  })

  it('answers in the language of the person if the message has none', async () => {
    expect((await ask('xyzzy')).reply).toContain('I can’t do that. Try: ')
    await instance.call('PATCH', '/api/settings/preferences', { body: { locale: 'de-DE' }, token })
    expect((await ask('xyzzy')).reply).toMatch(/Das (?:habe ich nicht verstanden|kann ich hier nicht)/)
    expect((await ask('undo that')).reply).toBe('There is nothing to undo in this conversation.')
  })
})
