import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'

/** Everyday sentences. Each is carried out, answered with a question, or left alone. */
describe('everyday sentences to the assistant', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ environment: { TZ_DEFAULT: 'UTC' } })
    // A Tuesday morning.
    instance.clock.advance(Date.parse('2030-02-26T08:00:00.000Z') - instance.clock.now().getTime())
    for (const title of ['Tax return', 'Paint the fence', 'Buy milk'])
      await instance.post('/api/tasks', { title, dueAt: '2030-03-01' })
    for (const event of [
      { title: 'Dentist', start: '2030-02-27T15:00:00Z' },
      { title: 'Review with Tom', start: '2030-02-28T10:00:00Z' },
    ])
      await instance.post('/api/calendar/events', event)
    await instance.post('/api/emails', {
      from: 'Ana Ruiz <ana@example.org>',
      to: ['me@example.org'],
      subject: 'The offer',
      text: 'Could you send me the offer by Friday?',
      messageId: 'offer@example.org',
      date: '2030-02-25T09:00:00Z',
    })
  })
  afterAll(() => instance.close())

  const chat = async (message: string) => {
    const { status, body } = await instance.post('/api/ai/chat', { message })
    expect([message, status]).toEqual([message, 200])
    return body
  }

  it.each<[string, string, object]>([
    [
      'add a task to water the plants tomorrow',
      'create_task',
      { title: 'water the plants', dueDay: '2030-02-27' },
    ],
    ['remind me in half an hour to check the oven', 'create_task', { remindAt: '2030-02-26T08:30:00.000Z' }],
    [
      'remind me in three quarters of an hour to call Sam',
      'create_task',
      { remindAt: '2030-02-26T08:45:00.000Z' },
    ],
    ['remind me every Monday to take the bins out', 'create_task', { recurrence: 'FREQ=WEEKLY;BYDAY=MO' }],
    ['put eggs on the shopping list', 'create_task', { title: 'eggs', tags: ['shopping'] }],
    ['new task prepare the slides by Thursday, high priority', 'create_task', { priority: 'high' }],
    ['I need to renew my passport by Friday', 'create_task', { title: 'renew my passport' }],
    ['mark the tax return as done', 'update_task', { status: 'done' }],
    ['move the task paint the fence to Saturday', 'update_task', { dueDay: '2030-03-02' }],
    ['make the fence task urgent', 'update_task', { priority: 'urgent' }],
    [
      'schedule lunch with Ana on Friday at noon',
      'create_event',
      { title: 'Lunch with Ana', start: '2030-03-01T12:00:00.000Z' },
    ],
    [
      'Set up a call with Anna and Ben next Tuesday at 15:30 for 45 min on Zoom',
      'create_event',
      {
        title: 'Call with Anna and Ben',
        start: '2030-03-05T15:30:00.000Z',
        end: '2030-03-05T16:15:00.000Z',
        location: 'Zoom',
      },
    ],
    [
      'Block two hours every morning this week for deep work',
      'create_event',
      { title: 'Deep work', recurrence: expect.stringContaining('UNTIL=20300303') },
    ],
    ['dinner with Tom on Saturday at 19:00', 'create_event', { title: 'Dinner with Tom' }],
    ['move the dentist to Friday', 'move_event', { start: '2030-03-01T15:00:00.000Z' }],
    ['rename the dentist appointment to orthodontist', 'update_event', { title: 'orthodontist' }],
    ['cancel my meeting with Tom', 'cancel_event', { status: 'cancelled' }],
    ['star the mail from Ana', 'tag_email', { starred: true }],
    ['archive the mail from Ana', 'tag_email', { folder: 'archive' }],
    ['reply to Ana that Friday works', 'draft_email', { subject: 'Re: The offer' }],
    [
      'Erstelle eine Aufgabe Miete zahlen bis Freitag',
      'create_task',
      { title: 'Miete zahlen', dueDay: '2030-03-01' },
    ],
    [
      'Erinnere mich morgen um 9 Uhr an den Anruf bei Oma',
      'create_task',
      { remindAt: '2030-02-27T09:00:00.000Z' },
    ],
    ['Setze Brot auf die Einkaufsliste', 'create_task', { title: 'Brot', tags: ['einkauf'] }],
    ['Neue Aufgabe: Steuer abgeben bis 31. Mai', 'create_task', { title: 'Steuer abgeben' }],
    ['Trag morgen um 15 Uhr einen Zahnarzttermin ein', 'create_event', { start: '2030-02-27T15:00:00.000Z' }],
    [
      'Plane ein Mittagessen mit Ben am Donnerstag um 12:30',
      'create_event',
      { title: 'Mittagessen mit Ben' },
    ],
    [
      'Lege für Dienstag 14 Uhr ein Meeting mit dem Vertrieb an',
      'create_event',
      { title: 'Meeting mit dem Vertrieb' },
    ],
    ['Markiere die Aufgabe Buy milk als erledigt', 'update_task', { status: 'done' }],
  ])('writes and says everything: %s', async (message, tool, result) => {
    const { reply, actions } = await chat(message)
    const action = actions.at(-1)
    expect([reply, action?.tool]).toEqual([expect.any(String), tool])
    expect(action).toMatchObject({ status: 'done', result })
    expect(action.undoId).not.toBeNull()
    expect((await instance.post(`/api/actions/${action.undoId}/undo`)).status).toBe(200)
  })

  it('names the repetition, its end and the people', async () => {
    const { reply } = await chat('Block two hours every morning this week for deep work')
    expect(reply).toMatch(/“Deep work”.*2 hours.*repeats every day until Sun, 3 Mar 2030/)
  })

  it.each<[string, string]>([
    ['what do I have tomorrow', 'list_events'],
    ['when am I free on Friday', 'find_free_time'],
    ['what should I work on first', 'get_priorities'],
    ['what is overdue', 'list_tasks'],
    ['summarise my unread mail', 'summarize_emails'],
    ['what did Ana write', 'read_email'],
    ['what needs my attention today', 'get_priorities'],
    ['Womit soll ich anfangen?', 'get_priorities'],
    ['Fasse meine ungelesenen Mails zusammen', 'summarize_emails'],
    ['how many tasks are open', 'get_statistics'],
    ['Was steht morgen an?', 'list_events'],
    ['Welche Aufgaben habe ich heute?', 'list_tasks'],
    ['Habe ich neue Mails?', 'find_emails'],
    ['Gib mir einen Überblick über den Tag', 'get_briefing'],
  ])('reads: %s', async (message, tool) => {
    const { actions } = await chat(message)
    expect(actions.map((one: { tool: string }) => one.tool)).toContain(tool)
  })

  it.each([
    'remind me to stretch at 6',
    'schedule a meeting with Zoe',
    'delete all my tasks',
    'remind me',
    'schedule a call with Kim yesterday at 10:00',
    'Verschiebe den Termin',
    'Neue Aufgabe',
  ])('asks and writes nothing: %s', async (message) => {
    const { reply, actions } = await chat(message)
    expect(reply).toContain('?')
    expect(actions.filter((one: { undoId: number | null }) => one.undoId !== null)).toEqual([])
  })

  it.each([
    'keep the volume at the current level',
    'turn on the coffee machine at 7 tomorrow',
    'order sushi for tomorrow at noon',
    'call me a taxi for 7am',
    'what is the capital of Peru',
    'play some jazz tonight',
    'book a flight to Madrid on Monday',
    'tell me a joke',
    'Spiel heute Abend Musik von Queen',
    'Wie wird das Wetter morgen?',
    'Bestell mir eine Pizza',
    'Erzähl mir einen Witz',
    'Mach das Licht aus',
  ])('leaves alone: %s', async (message) => {
    expect((await chat(message)).actions).toEqual([])
  })
})
