import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'
import { listMail } from './support/list-mail.ts'
import { register } from './support/people.ts'

interface Action {
  tool: string
  status: string
  undoId: number | null
  actionId: string | null
  input: Record<string, unknown>
  result: Record<string, unknown>
}

interface Answer {
  reply: string
  conversationId: string
  question: { text: string; options: string[] } | null
  actions: Action[]
}

/** The outcome of a sentence. Tools that are not named here must not run, except for searches. */
interface Outcome {
  /** The tool of the last action. */
  tool?: string
  status?: 'done' | 'needs_confirmation'
  input?: object
  result?: object
  reply?: RegExp | string
  /** The labels of the buttons of a question. */
  options?: readonly string[]
}

const SEARCHES = /^(?:list_|find_|read_email|get_|summarize_emails|propose_plan|draft_reply|suggest_)/

/**
 * Everyday sentences and conversations, written before they were run. Each ends with the named outcome: a change, an answer,
 * a question, or nothing. The account is empty again after each of them.
 */
describe('everyday requests to the assistant', () => {
  let instance: Instance
  let token: string
  const post = (path: string, body: object) => instance.post(path, body, { token })
  const get = async (path: string) => (await instance.get(path, { token })).body

  beforeAll(async () => {
    instance = await startInstance({ environment: { TZ_DEFAULT: 'UTC' } })
    // A Tuesday morning.
    instance.clock.advance(Date.parse('2030-02-26T08:00:00.000Z') - instance.clock.now().getTime())
    token = (await register(instance, { name: 'Robin Vale' })).token
    for (const task of [
      { title: 'Tax return', dueAt: '2030-03-01', estimateMinutes: 60 },
      { title: 'Paint the fence', dueAt: '2030-03-02' },
      { title: 'Buy milk', dueAt: '2030-02-25' },
    ])
      expect((await post('/api/tasks', task)).status).toBe(201)
    for (const event of [
      { title: 'Team meeting', start: '2030-02-26T14:00:00Z' },
      { title: 'Dentist', start: '2030-02-27T15:00:00Z' },
      { title: 'Review with Tom', start: '2030-02-28T10:00:00Z' },
      { title: 'Friseur', start: '2030-02-28T16:00:00Z' },
      { title: 'Yoga', start: '2030-03-01T18:00:00Z' },
    ])
      expect((await post('/api/calendar/events', event)).status).toBe(201)
    await post('/api/contacts', { name: 'Ben Okafor', addresses: [{ address: 'ben@example.org' }] })
    for (const [from, subject, text, date] of [
      ['Ana Ruiz <ana@example.org>', 'The offer', 'Could you send me the offer by Friday?', '2030-02-25'],
      [
        'Ben Okafor <ben@example.org>',
        'Server down',
        'The server is down. Can you restart it?',
        '2030-02-24',
      ],
      ['Tom Berg <tom@example.org>', 'Friday', 'Can we meet on Friday at 10?', '2030-02-23'],
      ['LinkedIn <news@linkedin.example>', 'People you may know', 'See who is hiring.', '2030-02-22'],
      ['LinkedIn <news@linkedin.example>', 'Jobs for you', 'New jobs match your profile.', '2030-01-02'],
    ] as const)
      await post('/api/emails', {
        from,
        to: ['robin@example.org'],
        subject,
        text,
        messageId: `${subject.replace(/\W/g, '')}@example.org`,
        date: `${date}T09:00:00Z`,
      })
    await post('/api/emails', {
      folder: 'sent',
      from: 'Robin Vale <robin@example.org>',
      to: ['Ana Ruiz <ana@example.org>'],
      subject: 'Contract',
      text: 'Hi Ana,\n\nI will send you the contract by Thursday.\n\nRobin',
      messageId: 'contract@example.org',
      date: '2030-02-25T12:00:00Z',
    })
    const newsletter = await instance.call('POST', '/api/emails', {
      body: listMail({
        from: 'Gardening Weekly <garden@example.org>',
        subject: 'Roses',
        listId: 'Gardening Weekly <garden.example.org>',
        unsubscribe: '<https://lists.test/leave>',
        date: new Date('2030-02-21T09:00:00Z'),
      }),
      headers: { 'content-type': 'message/rfc822' },
      token,
    })
    expect(newsletter.status).toBe(201)
  })
  afterAll(() => instance.close())

  /** Sends messages of one conversation and returns all answers. */
  const talk = async (messages: readonly string[]): Promise<Answer[]> => {
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

  /** Undoes all changes and rejects all proposals, so that no request sees the changes of another one. */
  const restore = async (answers: readonly Answer[]): Promise<void> => {
    const { actions: pending } = await get('/api/ai/actions?status=pending')
    for (const { id } of pending) await post(`/api/ai/actions/${id}/reject`, {})
    const { actions } = await get('/api/actions?limit=20')
    for (const { id, undoneAt, canUndo } of actions)
      if (undoneAt === null && canUndo !== false) await post(`/api/actions/${id}/undo`, {})
    expect(answers.length).toBeGreaterThan(0)
  }

  const summarize = ({ reply, question, actions }: Answer) => ({
    reply,
    options: question?.options ?? [],
    actions: actions.map(({ tool, status, input, result }) => ({ tool, status, input, result })),
  })

  const check = (answer: Answer, { tool, status, input, result, reply, options }: Outcome): void => {
    const said = summarize(answer)
    const changes = answer.actions.filter((one) => !SEARCHES.test(one.tool))
    const last = answer.actions.at(-1)
    const expected = tool !== undefined && !SEARCHES.test(tool) ? [tool] : []
    expect([changes.map((one) => one.tool), said]).toEqual([expected, expect.anything()])
    if (tool) {
      expect([last?.tool, said]).toEqual([tool, expect.anything()])
      expect(last).toMatchObject({
        status: status ?? 'done',
        ...(input && { input }),
        ...(result && { result }),
      })
    }
    if (reply !== undefined) expect(answer.reply).toMatch(reply)
    if (options) expect(answer.question?.options).toEqual(options)
  }

  const ENGLISH: readonly [string, Outcome][] = [
    [
      'Put a dentist appointment in my calendar for next Monday at 3pm',
      { tool: 'create_event', result: { title: 'Dentist appointment', start: '2030-03-04T15:00:00.000Z' } },
    ],
    [
      "I'm having coffee with Lisa tomorrow at half past four",
      { tool: 'create_event', result: { title: 'Coffee with Lisa', start: '2030-02-27T16:30:00.000Z' } },
    ],
    [
      'Can you push the dentist back by half an hour?',
      { tool: 'move_event', result: { title: 'Dentist', start: '2030-02-27T15:30:00.000Z' } },
    ],
    ["What's on my calendar this Thursday?", { tool: 'list_events', reply: /Review with Tom\n.*Friseur$/ }],
    ['Who am I meeting on Thursday?', { tool: 'list_events', reply: /Review with Tom/ }],
    [
      'When is my next dentist appointment?',
      { tool: 'list_events', reply: /Wed, 27 Feb 2030, 15:00.*Dentist$/ },
    ],
    ['Cancel yoga on Friday', { tool: 'cancel_event', result: { title: 'Yoga', status: 'cancelled' } }],
    [
      'Block Thursday afternoon from 1 to 3 for writing the report',
      {
        tool: 'create_event',
        result: {
          title: 'Writing the report',
          start: '2030-02-28T13:00:00.000Z',
          end: '2030-02-28T15:00:00.000Z',
        },
      },
    ],
    [
      'Vacation from July 1st to July 14th',
      { tool: 'create_event', result: { title: 'Vacation', allDay: true, end: '2030-07-15T00:00:00.000Z' } },
    ],
    [
      'Team standup every weekday at 9:15 for 15 minutes',
      {
        tool: 'create_event',
        result: {
          title: 'Team standup',
          start: '2030-02-26T09:15:00.000Z',
          end: '2030-02-26T09:30:00.000Z',
          recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
        },
        reply: /repeats every week on Mon, Tue, Wed, Thu, Fri/,
      },
    ],
    [
      'Do I have time for a 90 minute workout tomorrow morning?',
      { tool: 'find_free_time', input: { minutes: 90 }, reply: /^- Wed, 27 Feb 2030, 09:00–12:00$/ },
    ],
    [
      'Am I free on Thursday at 10?',
      { tool: 'list_events', reply: /^No, you have:\n- Thu, 28 Feb 2030, 10:00–11:00: Review with Tom$/ },
    ],
    [
      "Don't let me forget to call the landlord on Thursday",
      { tool: 'create_task', result: { title: 'call the landlord', dueDay: '2030-02-28' } },
    ],
    [
      'I have to hand in the expense report by the end of the month',
      {
        reply: 'Should I add the task “hand in the expense report” (due Thu, 28 Feb 2030)?',
        options: ['Yes', 'No'],
      },
    ],
    [
      'Remind me to take my pills every evening at 8pm',
      {
        tool: 'create_task',
        result: {
          title: 'take my pills',
          recurrence: 'FREQ=DAILY',
          remindAt: '2030-02-26T20:00:00.000Z',
        },
      },
    ],
    [
      "I'm done with the tax return",
      { tool: 'update_task', result: { title: 'Tax return', status: 'done' } },
    ],
    ["What's left to do this week?", { tool: 'list_tasks', reply: /Tax return/ }],
    ['Push the tax return to next Monday', { tool: 'update_task', result: { dueDay: '2030-03-04' } }],
    [
      'Delete the task about the milk',
      { tool: 'delete_task', status: 'needs_confirmation', reply: /Buy milk/ },
    ],
    [
      'Add batteries to my shopping list',
      { tool: 'create_task', result: { title: 'batteries', tags: ['shopping'] } },
    ],
    ['Did Ben write anything about the server?', { tool: 'find_emails', reply: /Server down/ }],
    ['Show me mails with attachments from last week', { tool: 'find_emails', reply: 'No matching emails.' }],
    [
      'Who is still waiting for an answer from me?',
      { tool: 'find_unanswered', reply: /Ana Ruiz: The offer/ },
    ],
    [
      'Summarise what Ana wrote this week',
      {
        tool: 'summarize_emails',
        reply: /^1 email from Ana.*\n.*\n.*“Could you send me the offer by Friday\?”$/,
      },
    ],
    ['Any new mail?', { tool: 'find_emails', input: { unread: true }, reply: /Ana Ruiz: The offer/ }],
    [
      "Write to Ana that I'll be ten minutes late",
      { tool: 'draft_email', result: { text: expect.stringContaining("I'll be ten minutes late.") } },
    ],
    [
      "Snooze Ben's mail until tomorrow morning",
      { tool: 'snooze_email', result: { subject: 'Server down', snoozedUntil: '2030-02-27T08:00:00.000Z' } },
    ],
    [
      'Flag the mail from Tom',
      { tool: 'tag_email', result: { starred: true }, reply: 'I updated “Friday”.' },
    ],
    [
      'Delete everything from LinkedIn older than a month',
      {
        tool: 'change_emails',
        status: 'needs_confirmation',
        reply: /^Move 1 email to the trash: “Jobs for you”\?/,
      },
    ],
    [
      'Mark all my mail as read',
      { tool: 'change_emails', status: 'needs_confirmation', reply: /^Mark 6 emails as read/ },
    ],
    [
      'From now on put everything from LinkedIn straight into the archive',
      { tool: 'create_mail_rule', status: 'needs_confirmation', reply: /LinkedIn.*archive/ },
    ],
    [
      'Unsubscribe me from the Gardening Weekly newsletter',
      { tool: 'unsubscribe', status: 'needs_confirmation', reply: /Gardening Weekly/ },
    ],
    [
      'What did I promise Ana?',
      { tool: 'list_commitments', reply: /^- You to Ana Ruiz: I will send you the contract by Thursday/ },
    ],
    [
      'What should I tackle first this morning?',
      { tool: 'get_priorities', reply: /^Start with “Buy milk”\.\n/ },
    ],
    [
      'Schedule my tasks for tomorrow',
      { tool: 'book_plan', status: 'needs_confirmation', reply: /Tax return/ },
    ],
    [
      'When could Ben and I meet tomorrow for an hour, not before 10?',
      {
        tool: 'find_free_time',
        input: { people: ['Ben'], minutes: 60, notBefore: '10:00' },
        reply: /^- Wed, 27 Feb 2030, 10:00–15:00\n/,
      },
    ],
    ['How are you today?', {}],
    ["What's the weather like in Berlin?", {}],
    ['Set the thermostat to 21 degrees at 6', {}],
    ['Who won the match last night?', {}],
  ]

  const GERMAN: readonly [string, Outcome][] = [
    [
      'Trag mir für Donnerstag um 17 Uhr Elternabend ein',
      { tool: 'create_event', result: { title: 'Elternabend', start: '2030-02-28T17:00:00.000Z' } },
    ],
    [
      'Kannst du den Friseur auf Freitag um 11 Uhr verschieben?',
      { tool: 'move_event', result: { title: 'Friseur', start: '2030-03-01T11:00:00.000Z' } },
    ],
    ['Was steht heute noch an?', { tool: 'list_events', reply: /Team meeting$/ }],
    ['Wann habe ich am Donnerstag Zeit?', { tool: 'find_free_time', reply: /28\. Feb\. 2030, 09:00–10:00/ }],
    [
      'Erinnere mich übermorgen daran, die Blumen zu gießen',
      { tool: 'create_task', result: { title: 'die Blumen gießen', dueDay: '2030-02-28' } },
    ],
    [
      'Ich muss bis Freitag die Steuererklärung abgeben',
      { tool: 'create_task', result: { title: 'die Steuererklärung abgeben', dueDay: '2030-03-01' } },
    ],
    [
      'Die Aufgabe Paint the fence ist erledigt',
      {
        tool: 'update_task',
        result: { title: 'Paint the fence', status: 'done' },
        reply: '„Paint the fence“ ist erledigt.',
      },
    ],
    [
      'Verschieb die Aufgabe Tax return auf nächsten Montag',
      { tool: 'update_task', result: { dueDay: '2030-03-04' } },
    ],
    ['Welche Aufgaben sind überfällig?', { tool: 'list_tasks', reply: /^- Buy milk \(fällig .*\)$/ }],
    ['Hat Ben geschrieben?', { tool: 'find_emails', reply: /Server down/ }],
    [
      'Fass mir die Mails von Ana zusammen',
      { tool: 'summarize_emails', reply: /^1 E-Mail von Ana.*\n.*\n.*„Could you send/ },
    ],
    [
      'Schreib Ana, dass ich morgen später komme',
      {
        tool: 'send_email',
        status: 'needs_confirmation',
        input: {
          to: ['Ana Ruiz <ana@example.org>'],
          text: expect.stringContaining('dass ich morgen später komme.'),
        },
      },
    ],
    [
      'Stell die Mail von Ben bis morgen zurück',
      { tool: 'snooze_email', result: { subject: 'Server down', snoozedUntil: '2030-02-27T08:00:00.000Z' } },
    ],
    [
      'Archiviere alle Mails von LinkedIn',
      {
        tool: 'change_emails',
        status: 'needs_confirmation',
        reply: /^2 E-Mails archivieren: „People you may know“, „Jobs for you“\?/,
      },
    ],
    [
      'Verschieb Mails von LinkedIn künftig immer ins Archiv',
      { tool: 'create_mail_rule', status: 'needs_confirmation', reply: /LinkedIn/ },
    ],
    [
      'Bestell den Gardening-Weekly-Newsletter ab',
      { tool: 'unsubscribe', status: 'needs_confirmation', reply: /Gardening Weekly/ },
    ],
    ['Was habe ich Ana versprochen?', { tool: 'list_commitments', reply: /^- Du an Ana Ruiz: I will send/ }],
    [
      'Wann können Ben und ich uns morgen treffen, aber nicht vor 10 Uhr?',
      {
        tool: 'find_free_time',
        input: { people: ['Ben'], notBefore: '10:00' },
        reply: /27\. Feb\. 2030, 10:00–15:00/,
      },
    ],
    ["Wie geht's dir?", {}],
    ['Mach bitte das Licht im Wohnzimmer an', {}],
  ]

  const DIALOGUES: readonly [string[], Outcome][] = [
    [
      ['Lunch with Sara on Friday at noon', 'make it two hours'],
      { tool: 'move_event', result: { title: 'Lunch with Sara', end: '2030-03-01T14:00:00.000Z' } },
    ],
    [['Schedule a call with Lisa on Monday at 10:00', 'add Ben to it', 'no'], { reply: 'I will not do it.' }],
    [
      ['Add a task to renew the passport by Friday', 'actually, by Monday'],
      { tool: 'update_task', result: { title: 'renew the passport', dueDay: '2030-03-04' } },
    ],
    [
      ["What's on my calendar on Thursday?", 'move the second one to Friday'],
      { tool: 'move_event', result: { title: 'Friseur', start: '2030-03-01T16:00:00.000Z' } },
    ],
    [['What do I have tomorrow?', 'and on Thursday?'], { tool: 'list_events', reply: /Review with Tom/ }],
    [['Show my unread mail', 'archive the first one', 'undo that'], { reply: /^Undone: “.+”\.$/ }],
    [
      ['Find the mail from Ana', 'reply that Friday works for me', 'send it', 'no'],
      { reply: 'I will not do it.' },
    ],
    [
      ['Find the mail from Ben', 'snooze it until Monday', 'no, Wednesday instead'],
      { tool: 'snooze_email', result: { subject: 'Server down', snoozedUntil: '2030-02-27T08:00:00.000Z' } },
    ],
    [
      ['Remind me to call the bank at 5', 'in the afternoon'],
      { tool: 'create_task', result: { title: 'call the bank', remindAt: '2030-02-26T17:00:00.000Z' } },
    ],
    [
      ['Schedule a meeting with Tom', 'next Tuesday at 2pm', 'at 3pm instead'],
      { tool: 'move_event', result: { title: 'Meeting with Tom', start: '2030-03-05T15:00:00.000Z' } },
    ],
    [['Delete all my tasks', 'no'], { reply: 'I will not do it.' }],
    [['Plan my tasks for tomorrow', 'yes'], { reply: 'Done.' }],
    [
      ['Add a task to buy stamps', 'put it on the shopping list', 'mark it as done'],
      { tool: 'update_task', result: { title: 'buy stamps', tags: ['shopping'], status: 'done' } },
    ],
    [['Add a task to water the plants tomorrow', 'Thanks, that is great'], {}],
    [
      ['Trag am Freitag um 12 Uhr Mittagessen mit Sara ein', 'Doch lieber um 13 Uhr'],
      { tool: 'move_event', result: { title: 'Mittagessen mit Sara', start: '2030-03-01T13:00:00.000Z' } },
    ],
    [
      ['Neue Aufgabe: Reifen wechseln bis Samstag', 'Setz sie auf hohe Priorität'],
      { tool: 'update_task', result: { title: 'Reifen wechseln', priority: 'high' } },
    ],
    [
      ['Zeig mir die ungelesenen Mails', 'Archiviere die zweite', 'Mach das rückgängig'],
      { reply: /^Rückgängig gemacht: / },
    ],
    [
      ['Such die Mail von Ana', 'Antworte, dass Freitag passt', 'Schick sie ab', 'Nein'],
      { reply: 'Ich mache es nicht.' },
    ],
    [['Was habe ich am Donnerstag?', 'Und am Freitag?'], { tool: 'list_events', reply: /Yoga/ }],
    [
      ['Plane ein Treffen mit Tom', 'Am Dienstag um 14 Uhr', 'Sag es wieder ab'],
      { tool: 'cancel_event', result: { title: 'Treffen mit Tom', status: 'cancelled' } },
    ],
    [
      ['Erinnere mich um 7 an die Wäsche', 'abends'],
      { tool: 'create_task', result: { title: 'Wäsche', remindAt: '2030-02-26T19:00:00.000Z' } },
    ],
  ]

  it.each(ENGLISH)('%s', async (message, outcome) => {
    const answers = await talk([message])
    await restore(answers)
    check(answers[0] as Answer, outcome)
  })
  it.each(GERMAN)('%s', async (message, outcome) => {
    const answers = await talk([message])
    await restore(answers)
    check(answers[0] as Answer, outcome)
  })
  it.each(DIALOGUES)('%j', async (messages, outcome) => {
    const answers = await talk(messages)
    await restore(answers)
    check(answers.at(-1) as Answer, outcome)
  })
})
