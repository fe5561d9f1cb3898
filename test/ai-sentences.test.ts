import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

interface Action {
  tool: string
  status: string
  input: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  result: any
}

onOneDatabase('sqlite', 'requests to the assistant without an API key', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    // A Tuesday morning.
    instance.clock.advance(Date.parse('2030-02-26T08:00:00.000Z') - instance.clock.now().getTime())
    for (const task of [
      { title: 'File the tax return', dueAt: '2030-03-01', priority: 'high' },
      { title: 'Water the plants', tags: ['home'], dueAt: '2030-02-27T18:00:00Z' },
      { title: 'Paint the fence', tags: ['home'] },
      { title: 'Paint the door' },
      { title: 'Answer the auditor', dueAt: '2030-02-20' },
      { title: 'Book the hotel', dueAt: '2030-03-04T10:00:00Z' },
    ])
      await make('/api/tasks', task)
    for (const event of [
      { title: 'Dentist', start: '2030-02-27T15:00:00Z' },
      { title: 'Lunch with Maria', start: '2030-02-28T12:00:00Z' },
      { title: 'Trade fair', start: '2030-03-05', end: '2030-03-07', allDay: true },
      {
        title: 'Standup',
        start: '2030-02-25T09:00:00Z',
        end: '2030-02-25T09:15:00Z',
        recurrence: 'FREQ=DAILY',
      },
      { title: 'Review of the budget', start: '2030-03-01T14:00:00Z' },
      {
        title: 'Review of the roof',
        start: '2030-03-01T16:00:00Z',
        attendees: ['Tom Berger <tom@example.org>'],
      },
    ])
      await make('/api/calendar/events', event)
    const mail = (from: string, subject: string, text: string, hour: number) =>
      make('/api/emails', {
        from,
        to: ['me@example.org'],
        subject,
        text,
        messageId: `${subject.replace(/\W/g, '')}@example.org`,
        date: `2030-02-25T${String(hour).padStart(2, '0')}:00:00Z`,
      })
    await mail('Ana Ruiz <ana@example.org>', 'The offer', 'Could you send me the offer by Friday?', 7)
    await mail('Ana Ruiz <ana@example.org>', 'Holiday pictures', 'They are in the album.', 8)
    await mail(
      'Ben Okafor <ben@example.org>',
      'Server down',
      'Urgent: the server is down, please call me immediately!',
      9,
    )
    await mail('Carla Diaz <carla@example.org>', 'Your invoice', 'The invoice is attached.', 10)
    await mail('Lucky Casino <win@casino.example>', 'You have won', 'Click now.', 11)
  })
  afterAll(() => instance.close())

  const make = async (path: string, body: unknown): Promise<number> => {
    const made = await instance.post(path, body)
    expect(made.status).toBe(201)
    return made.body.id
  }
  const chat = async (message: string): Promise<{ reply: string; actions: Action[] }> => {
    const { status, body } = await instance.post('/api/ai/chat', { message })
    expect([status, body.engine, body.fallbackReason]).toEqual([200, 'builtin', 'no_key'])
    return body
  }
  const last = (actions: readonly Action[]): Action => actions.at(-1) as Action
  const undo = async (actions: readonly Action[]): Promise<void> => {
    for (const action of actions.toReversed()) {
      const { undoId } = action as unknown as { undoId: number | null }
      if (undoId !== null) expect((await instance.post(`/api/actions/${undoId}/undo`)).status).toBe(200)
    }
  }
  /** Executes a request, checks its result and undoes it, so that each request starts with the same data. */
  const does = async (sentence: string, tool: string, result: object): Promise<void> => {
    const { actions, reply } = await chat(sentence)
    expect([sentence, last(actions)?.tool, last(actions)?.status, reply]).toEqual([
      sentence,
      tool,
      'done',
      expect.any(String),
    ])
    expect(last(actions).result).toMatchObject(result)
    await undo(actions)
  }
  const day = (date: string) => expect.stringMatching(`^${date}`)

  it.each<[string, object]>([
    [
      'add a task to ring the landlord by Friday, high priority',
      { title: 'ring the landlord', priority: 'high', dueAt: day('2030-03-01') },
    ],
    ['please add "order ink" to my tasks', { title: 'order ink' }],
    ['new todo: fix the bike on Saturday', { title: 'fix the bike', dueAt: day('2030-03-02') }],
    ['I have to renew the visa before 12 March', { title: 'renew the visa' }],
    ['jot down: ask Lena about the keys', { title: 'ask Lena about the keys' }],
    ['create an urgent task to restart the server today', { priority: 'urgent', dueAt: day('2030-02-26') }],
    ['add a low priority task to sort the photos', { title: 'sort the photos', priority: 'low' }],
    [
      'add a task for tomorrow: write the minutes, about 90 minutes',
      { title: 'write the minutes', estimateMinutes: 90 },
    ],
    [
      'add "buy concert tickets" as a task for Thursday with high priority',
      { title: 'buy concert tickets', priority: 'high', dueAt: day('2030-02-28') },
    ],
    ['need to collect the parcel tomorrow', { title: 'collect the parcel', dueAt: day('2030-02-27') }],
    ['remind me every 3 days to feed the sourdough', { recurrence: expect.stringContaining('INTERVAL=3') }],
    ['put eggs on the shopping list', { title: 'eggs', tags: ['shopping'] }],
    ['remind me to stretch at 4pm', { title: 'stretch', remindAt: '2030-02-26T16:00:00.000Z' }],
    ['remind me tomorrow at 7:30am to take the bins out', { remindAt: '2030-02-27T07:30:00.000Z' }],
    ['remind me in 45 minutes to check the oven', { remindAt: '2030-02-26T08:45:00.000Z' }],
    [
      'remind me every Monday to back up the laptop',
      { title: 'back up the laptop', recurrence: expect.stringContaining('BYDAY=MO') },
    ],
    [
      'remind me every other Thursday to call grandma',
      { recurrence: expect.stringMatching(/INTERVAL=2.*TH|TH.*INTERVAL=2/) },
    ],
    [
      'every weekday at 9 remind me to read the news',
      { recurrence: expect.stringContaining('MO,TU,WE,TH,FR') },
    ],
    [
      'remind me on the 1st of every month to pay the rent',
      { recurrence: expect.stringContaining('BYMONTHDAY=1') },
    ],
    [
      'set up a weekly reminder on Friday to submit my hours',
      { title: 'submit my hours', recurrence: expect.stringContaining('WEEKLY') },
    ],
    ['don’t let me forget to buy stamps #errands', { title: 'buy stamps', tags: ['errands'] }],
    [
      'Neue Aufgabe: Reifen wechseln bis Samstag, hohe Priorität',
      { title: 'Reifen wechseln', priority: 'high', dueAt: day('2030-03-02') },
    ],
    ['Füge eine Aufgabe hinzu: Keller aufräumen', { title: 'Keller aufräumen' }],
    [
      'Erinnere mich jeden Montag daran, den Müll rauszubringen',
      { recurrence: expect.stringContaining('BYDAY=MO') },
    ],
    [
      'erinnere mich morgen um 8 an den Zahnarzt',
      { title: 'Zahnarzt', remindAt: '2030-02-27T08:00:00.000Z' },
    ],
  ])('%s', (sentence, task) => does(sentence, 'create_task', task))

  it.each<[string, object]>([
    ['mark the tax return as done', { title: 'File the tax return', status: 'done' }],
    ['I finished watering the plants', { title: 'Water the plants', status: 'done' }],
    ['tick off paint the fence', { title: 'Paint the fence', status: 'done' }],
    ['postpone the tax return task to Monday', { dueAt: day('2030-03-04') }],
    ['postpone the tax return to Monday', { title: 'File the tax return', dueAt: day('2030-03-04') }],
    ['push the hotel task back by two days', { dueAt: '2030-03-06T10:00:00.000Z' }],
    ['snooze the plants task until Friday', { dueAt: day('2030-03-01') }],
    ['make the hotel task urgent', { priority: 'urgent' }],
    ['set the priority of the fence task to low', { title: 'Paint the fence', priority: 'low' }],
    ['start the fence task', { title: 'Paint the fence', status: 'doing' }],
    ['lower the priority of the tax return task', { priority: 'low' }],
    ['add the tag work to the auditor task', { tags: ['work'] }],
    ['move my tax return deadline to Thursday', { dueAt: day('2030-02-28') }],
    ['rename the hotel task to book the flat', { title: 'book the flat' }],
    ['tag the hotel task with travel', { tags: ['travel'] }],
    ['change the due date of the tax return task to 15 March', { dueAt: day('2030-03-15') }],
    ['markiere die Aufgabe Paint the door als erledigt', { title: 'Paint the door', status: 'done' }],
    ['verschiebe die Aufgabe tax return auf Montag', { dueAt: day('2030-03-04') }],
  ])('%s', (sentence, task) => does(sentence, 'update_task', task))

  it('reopens a completed task', async () => {
    const { actions } = await chat('mark the tax return as done')
    expect(last(actions).result.status).toBe('done')
    const again = await chat('reopen the tax return task')
    expect(last(again.actions)).toMatchObject({ tool: 'update_task', result: { status: 'todo' } })
  })

  it.each<[string, string[], string[]]>([
    ['show me my tasks', ['Water the plants', 'Book the hotel'], []],
    ['what is overdue', ['Answer the auditor'], ['Book the hotel']],
    ['what is due on Friday', ['File the tax return'], ['Book the hotel', 'Answer the auditor']],
    ['which tasks are high priority', ['File the tax return'], ['Paint']],
    ['show me everything tagged home', ['Water the plants', 'Paint the fence'], ['Paint the door']],
    ['what do I have to do tomorrow?', ['Water the plants'], ['Book the hotel']],
    ["what's still open", ['Paint the door'], []],
    ['welche Aufgaben sind überfällig', ['Answer the auditor'], ['Paint']],
    ['was muss ich morgen erledigen', ['Water the plants'], ['Book the hotel']],
  ])('%s', async (sentence, included, omitted) => {
    const { reply, actions } = await chat(sentence)
    expect(actions.every(({ tool }) => tool === 'list_tasks')).toBe(true)
    for (const title of included) expect(reply).toContain(title)
    for (const title of omitted) expect(reply).not.toContain(title)
  })

  it.each<[string, object]>([
    [
      'schedule a meeting with Bob on 3 March at 14:00 for 30 minutes',
      { title: 'Meeting with Bob', start: '2030-03-03T14:00:00.000Z', end: '2030-03-03T14:30:00.000Z' },
    ],
    [
      'book lunch with Nina tomorrow at noon',
      { title: 'Lunch with Nina', start: '2030-02-27T12:00:00.000Z', description: 'With Nina' },
    ],
    [
      'set up a call with Ana and Ben on Friday from 2 to 3:30pm in room 4',
      { start: '2030-03-01T14:00:00.000Z', end: '2030-03-01T15:30:00.000Z', location: 'room 4' },
    ],
    ['put "parents evening" on my calendar for 12 March at 19:00', { start: '2030-03-12T19:00:00.000Z' }],
    [
      'coffee with Tom on Saturday at 11 at Café Central',
      { title: 'Coffee with Tom', start: '2030-03-02T11:00:00.000Z', location: 'Café Central' },
    ],
    ['add an event: company outing on 20 March', { title: 'Company outing', allDay: true }],
    [
      'I’m on vacation from 6 to 10 May',
      { title: 'Vacation', allDay: true, start: '2030-05-06T00:00:00.000Z', end: '2030-05-11T00:00:00.000Z' },
    ],
    [
      'create a recurring meeting every Wednesday at 10 called planning',
      { title: 'Planning', recurrence: expect.stringContaining('BYDAY=WE') },
    ],
    [
      'block Thursday from 9 to 11 for writing',
      { start: '2030-02-28T09:00:00.000Z', end: '2030-02-28T11:00:00.000Z' },
    ],
    [
      'Vereinbare ein Treffen mit Jonas am 5. März um 10 Uhr für 45 Minuten',
      { title: 'Treffen mit Jonas', start: '2030-03-05T10:00:00.000Z', end: '2030-03-05T10:45:00.000Z' },
    ],
    [
      'Trag Mittagessen mit Maria morgen um 12 Uhr ein',
      { title: 'Mittagessen mit Maria', start: '2030-02-27T12:00:00.000Z' },
    ],
  ])('%s', (sentence, event) => does(sentence, 'create_event', event))

  it.each<[string, string, object]>([
    [
      'move the dentist to Thursday at 10',
      'move_event',
      { title: 'Dentist', start: '2030-02-28T10:00:00.000Z' },
    ],
    ['move my 3pm tomorrow to 4pm', 'move_event', { title: 'Dentist', start: '2030-02-27T16:00:00.000Z' }],
    ['reschedule lunch with Maria to Friday', 'move_event', { start: '2030-03-01T12:00:00.000Z' }],
    ['push the dentist back by 30 minutes', 'move_event', { start: '2030-02-27T15:30:00.000Z' }],
    ['bring the dentist appointment forward by an hour', 'move_event', { start: '2030-02-27T14:00:00.000Z' }],
    ['extend the dentist appointment by 30 minutes', 'move_event', { end: '2030-02-27T16:30:00.000Z' }],
    ['shorten the lunch with Maria to 45 minutes', 'move_event', { end: '2030-02-28T12:45:00.000Z' }],
    [
      'move the trade fair to 12 March',
      'move_event',
      { start: '2030-03-12T00:00:00.000Z', end: '2030-03-14T00:00:00.000Z' },
    ],
    ['can we move the lunch with Maria to Friday?', 'move_event', { start: '2030-03-01T12:00:00.000Z' }],
    ["move tomorrow's 3pm to Friday", 'move_event', { title: 'Dentist', start: '2030-03-01T15:00:00.000Z' }],
    ["move the 3 o'clock appointment tomorrow to 5", 'move_event', { start: '2030-02-27T17:00:00.000Z' }],
    ['schiebe den Dentist auf Donnerstag', 'move_event', { start: '2030-02-28T15:00:00.000Z' }],
    ['cancel the dentist', 'cancel_event', { title: 'Dentist', status: 'cancelled' }],
    ['cancel my lunch on Thursday', 'cancel_event', { title: 'Lunch with Maria', status: 'cancelled' }],
    ['rename the dentist appointment to Dr. Weber', 'update_event', { title: 'Dr. Weber' }],
    ['change the location of the lunch with Maria to Luigi', 'update_event', { location: 'Luigi' }],
    ['verschiebe den Dentist auf Donnerstag', 'move_event', { start: '2030-02-28T15:00:00.000Z' }],
    ['sag das Lunch mit Maria ab', 'cancel_event', { title: 'Lunch with Maria', status: 'cancelled' }],
    ['benenne den Termin Dentist in Zahnarzt um', 'update_event', { title: 'Zahnarzt' }],
  ])('%s', (sentence, tool, event) => does(sentence, tool, event))

  it.each<[string, string[], string[]]>([
    ['what do I have tomorrow', ['Dentist', 'Standup', '15:00'], ['Lunch']],
    ["what's on today", ['Standup'], ['Dentist']],
    ['what have I got on Friday?', ['Review of the budget', 'Review of the roof'], ['Dentist']],
    ['what does next week look like', ['Trade fair', 'all day'], ['00:00']],
    ['when is the dentist', ['27 Feb 2030', '15:00'], ['Standup']],
    ['when do I meet Maria', ['Lunch with Maria'], ['Dentist']],
    ['what is my next meeting', ['Standup'], ['Dentist']],
    ['show my calendar for 5 March', ['Trade fair', 'all day'], ['00:00']],
    ['Was habe ich am Donnerstag?', ['Lunch with Maria'], ['Dentist']],
    ['was steht nächste Woche an', ['Trade fair', 'ganztägig'], ['00:00']],
  ])('%s', async (sentence, included, omitted) => {
    const { reply } = await chat(sentence)
    for (const words of included) expect(reply).toContain(words)
    for (const words of omitted) expect(reply).not.toContain(words)
  })

  it.each<[string, object, RegExp]>([
    ['find me a free hour next week', { minutes: 60 }, /Mar 2030/],
    ['when am I free on Friday', {}, /1 Mar/],
    ['any free slot tomorrow morning?', {}, /27 Feb/],
    ['find 90 minutes for a workshop this week', { minutes: 90 }, /Feb|Mar/],
    ['finde eine freie Stunde nächste Woche', { minutes: 60 }, /März/],
  ])('%s', async (sentence, input, pattern) => {
    const { reply, actions } = await chat(sentence)
    expect(last(actions)).toMatchObject({ tool: 'find_free_time', status: 'done', input })
    expect(reply).toMatch(pattern)
  })

  it.each<[string, string[], string[]]>([
    ["what's urgent", ['Server down'], ['Holiday']],
    ['which mails are urgent', ['Server down'], ['Holiday', 'invoice']],
    ['show me mails from Ana', ['The offer', 'Holiday pictures'], ['Server']],
    ['search my mail for the album', ['Holiday pictures'], ['offer']],
    ['find the mail with the invoice', ['Your invoice'], ['Holiday']],
    ['any unread mail?', ['The offer', 'Your invoice'], []],
    ['which mails are unanswered', ['The offer', 'Ana Ruiz'], ['Holiday', 'casino']],
    ['who waits for an answer', ['The offer'], ['Holiday']],
    ["who's still waiting to hear from me", ['The offer'], ['Holiday']],
    ['anything new from Carla?', ['Your invoice'], ['offer']],
    ['did Ben answer me', ['Server down'], ['offer']],
    ['who do I still have to answer?', ['The offer'], ['Holiday']],
    ['what did Ben write', ['the server is down'], []],
    ['read me the last mail from Ana', ['They are in the album.'], ['offer']],
    ['welche Mails sind dringend?', ['Server down'], ['Holiday']],
    ['wer wartet auf eine Antwort', ['The offer'], ['Holiday']],
    ['zeig mir die Mails von Carla', ['Your invoice'], ['offer']],
  ])('%s', async (sentence, included, omitted) => {
    const { reply } = await chat(sentence)
    for (const words of included) expect(reply).toContain(words)
    for (const words of omitted) expect(reply).not.toContain(words)
  })

  it.each<[string, object]>([
    ['archive the mail from Ben', { folder: 'archive' }],
    ["archive Ana's last mail", { folder: 'archive' }],
    ['move the message from Carla to the archive', { folder: 'archive' }],
    ["mark Carla's mail as read", { read: true }],
    ['star the mail about the album', { starred: true }],
    ['tag the mail from Carla as money', { tags: ['money'] }],
    ['archiviere die Mail von Ben', { folder: 'archive' }],
  ])('%s', (sentence, mail) => does(sentence, 'tag_email', mail))

  it('asks before it archives all mails of a sender', async () => {
    const { actions, reply } = await chat('archive all mails from Ana')
    expect(last(actions)).toMatchObject({ tool: 'change_emails', status: 'needs_confirmation' })
    expect(reply).toContain('Archive 2 emails')
  })

  it.each<[string, object, RegExp]>([
    [
      "draft an answer to Ana's mail about the offer",
      { subject: 'Re: The offer', to: [{ address: 'ana@example.org' }] },
      /^Hi Ana,.*Could you send me the offer by Friday\?.*\[/s,
    ],
    [
      'draft a reply to Ben saying that I am on my way',
      { subject: 'Re: Server down' },
      /^Hi Ben,\n\nI am on my way\.\n\n/,
    ],
    [
      'reply to the latest message from Ben: I will call at noon',
      { subject: 'Re: Server down' },
      /I will call at noon\./,
    ],
    ['reply to Carla and tell her I have paid it', { subject: 'Re: Your invoice' }, /I have paid it\./],
    [
      'write an email to Ana about the party',
      { to: [{ address: 'ana@example.org' }], subject: 'Party' },
      /^Hello Ana,/,
    ],
    [
      'antworte Ben, dass alles wieder läuft',
      { subject: 'Re: Server down' },
      /^Ich wollte nur sagen, dass alles wieder läuft\.$/m,
    ],
  ])('%s', async (sentence, draft, text) => {
    const { actions } = await chat(sentence)
    expect(last(actions)).toMatchObject({ tool: 'draft_email', status: 'done', result: draft })
    expect(last(actions).result.text).toMatch(text)
    expect(await instance.database.db.selectFrom('outbox').selectAll().execute()).toEqual([])
    await undo(actions)
  })

  it.each<[string, string]>([
    ['delete the task about the hotel', 'delete_task'],
    ['remove the tax return task', 'delete_task'],
    ['delete the mail from the casino', 'delete_email'],
    ['email ana@example.org that the offer is on its way', 'send_email'],
    ['invite carla@example.org to a demo on Friday at 3', 'create_event'],
    ['call off the review with Tom', 'cancel_event'],
  ])('asks for confirmation before irreversible actions: %s', async (sentence, tool) => {
    const { actions, reply } = await chat(sentence)
    expect(last(actions)).toMatchObject({ tool, status: 'needs_confirmation' })
    expect(reply).toMatch(/Please confirm|Press the button to confirm/)
  })

  it.each<[string, RegExp]>([
    ['mark paint as done', /Several tasks match.*fence.*door|Several tasks match.*door.*fence/s],
    ['cancel the review on Friday', /Several events match.*budget.*roof/s],
    ['archive the mail from Ana', /Several emails match.*Holiday.*offer/s],
    ['delete the mail from Ana', /Several emails match/],
    ['archive all newsletters', /did not find that email|No email matches/],
    ['sag die Review am Freitag ab', /Mehrere Termine passen.*budget.*roof/s],
    ['schedule a meeting with Bob', /When should that be/],
    ['cancel the concert', /did not find that event/],
    ['mark the piano as done', /no open task that matches “piano”/],
    ['send Zoe a mail saying hello there', /do not know the email address of Zoe/],
    ["I can't make it to the standup tomorrow", /cancel “Wed, 27 Feb 2030, .*Standup”\?/],
  ])('asks for clarification instead of guessing: %s', async (sentence, reply) => {
    const answer = await chat(sentence)
    expect(answer.reply).toMatch(reply)
    expect(answer.actions.every(({ tool }) => /^(?:list|find)_/.test(tool))).toBe(true)
  })

  it.each<[string, RegExp]>([
    ['how many unread mails do I have', /^5 unread emails\.$/],
    ['how many tasks are overdue', /^1 overdue task\.$/],
    ['how many meetings do I have tomorrow', /^2 events\.$/],
    ['how many mails did Ana send me', /^2 emails\.$/],
    ['give me my statistics', /5 unread.*6 open/],
    ['how many days until 24 December', /^In 301 days\.$/],
    ['what time is it in Tokyo', /17:0\d/],
    ['what day is it', /Tuesday/],
    ['brief me', /Standup/],
    ['good morning, what is up today?', /Standup/],
    ['help', /^I can help with tasks, events and emails/],
    ['give me a briefing for tomorrow', /Dentist/],
    ['give me an overview of tomorrow', /Dentist/],
    ['how long until Friday', /^In 3 days\.$/],
    ['wie viele ungelesene Mails habe ich', /^5 E-Mails \(ungelesen\)\.$/],
  ])('%s', async (sentence, reply) => {
    expect((await chat(sentence)).reply).toMatch(reply)
  })

  it.each([
    "what's the weather like tomorrow",
    'play some jazz',
    'who won the world cup in 1998',
    'tell me a joke',
    'order a pizza',
    'turn off the lights',
    'translate hello into French',
    'book a flight to Rome',
    'write a sonnet about the sea',
    'transfer 50 euros to Max',
    'spiel Musik',
  ])('does nothing for requests it does not handle, and lists its abilities: %s', async (sentence) => {
    const { reply, actions } = await chat(sentence)
    expect(actions).toEqual([])
    expect(reply).toMatch(/Try: “add a task|Versuche: „Neue Aufgabe/)
  })

  describe('several requests in one message', () => {
    it('are executed in order', async () => {
      const { actions } = await chat('add a task to buy flour and remind me tomorrow at 9 to bake')
      expect(actions.map(({ tool, result }) => [tool, result.title])).toEqual([
        ['create_task', 'buy flour'],
        ['create_task', 'bake'],
      ])
      await undo(actions)
    })
  })

  it('counts beyond the list limit, and says when a list is truncated', async () => {
    for (let number = 1; number <= 55; number++)
      await make('/api/tasks', { title: `Box ${number}`, tags: ['attic'] })
    expect((await chat('how many open tasks do I have')).reply).toBe('61 open tasks.')
    expect((await chat('wie viele offene Aufgaben habe ich')).reply).toBe('61 Aufgaben (offen).')
    const { reply } = await chat('show my tasks tagged attic')
    expect(reply.split('\n').slice(49)).toEqual([expect.stringMatching(/^- Box/), '', 'There are more.'])
  })
})
