import { createServer } from 'node:https'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate, trustCertificate } from './support/certificates.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { listMail } from './support/list-mail.ts'
import { createLoopbackWorld, type Visited } from './support/loopback-world.ts'
import { addAccountToSendWith } from './support/mail-account-to-send-with.ts'
import { type Person, register } from './support/people.ts'

interface Action {
  tool: string
  status: string
  input: Record<string, unknown>
  result: Record<string, unknown>
}

interface Answer {
  reply: string
  conversationId: string
  question: { text: string; options: string[] } | null
  actions: Action[]
}

const HOST = 'lists.test'

/** Requests that reach other people or use what they share, without a model. */
describe('the assistant and other people', () => {
  const world = createLoopbackWorld()
  let instance: Instance
  let lists: Visited
  let endTrust: () => void
  let robin: Person
  let ben: Person

  beforeAll(async () => {
    const pair = makeCertificate(HOST)
    endTrust = trustCertificate(pair.cert)
    lists = await world.listen(
      createServer(pair, (request, response) => {
        request.resume()
        response.writeHead(202).end('gone')
      }),
    )
    instance = await startInstance({
      environment: { TZ_DEFAULT: 'UTC', REGISTRATION: 'open' },
      deps: { outbound: world.client() },
    })
    // A Tuesday morning.
    instance.clock.advance(Date.parse('2030-02-26T08:00:00.000Z') - instance.clock.now().getTime())
    robin = await register(instance, { name: 'Robin Vale' })
    ben = await register(instance, { name: 'Ben Okafor' })
    await addAccountToSendWith(instance, robin)
  })
  afterAll(async () => {
    await instance.close()
    await world.end()
    endTrust()
  })

  const post = (path: string, body: object, person: Person = robin) =>
    instance.post(path, body, { token: person.token })
  const get = async (path: string) => (await instance.get(path, { token: robin.token })).body

  const chat = async (message: string, more: object = {}): Promise<Answer> => {
    const { status, body } = await post('/api/ai/chat', { message, ...more })
    expect([message, status, body.detail]).toEqual([message, 200, undefined])
    return body
  }
  /** Sends messages of one conversation and returns the last answer. */
  const talk = async (...messages: string[]): Promise<Answer> => {
    let answer: Answer | undefined
    for (const message of messages)
      answer = await chat(message, answer && { conversationId: answer.conversationId })
    return answer as Answer
  }
  const addMail = async (subject: string, text: string): Promise<number> =>
    (
      await post('/api/emails', {
        from: 'Ana Ruiz <ana@example.org>',
        to: ['me@example.org'],
        subject,
        text,
        messageId: `${subject.replace(/\W/g, '')}@example.org`,
        date: '2030-02-25T09:00:00Z',
      })
    ).body.id
  const addNewsletter = async (name: string): Promise<void> => {
    const stored = await instance.call('POST', '/api/emails', {
      body: listMail({
        from: `${name} <news@example.org>`,
        listId: `${name} <${name.toLowerCase()}.example.org>`,
        unsubscribe: `<https://${HOST}:${lists.port}/leave/${name.toLowerCase()}>`,
        date: new Date('2030-02-21T09:00:00Z'),
      }),
      headers: { 'content-type': 'message/rfc822' },
      token: robin.token,
    })
    expect(stored.status).toBe(201)
  }

  /** Confirms the newest action that waits. */
  const pressButton = async (): Promise<void> => {
    const [action] = (await get('/api/ai/actions?status=pending&limit=1')).actions
    expect((await post(`/api/ai/actions/${action.id}/confirm`, {})).body.status).toBe('done')
  }

  it('unsubscribes after a confirmation, and sends nothing after a refusal', async () => {
    await addNewsletter('Roses')
    await addNewsletter('Tulips')
    const declined = await talk('Unsubscribe me from Roses', 'no')
    expect(declined.reply).toBe('I will not do it.')
    expect(lists.seen).toEqual([])
    const typed = await talk('Melde mich vom Tulips-Newsletter ab', 'ja')
    expect(typed.reply).toBe('Ein getipptes Ja reicht dafür nicht. Drücke zum Bestätigen die Schaltfläche.')
    expect(lists.seen).toEqual([])
    await pressButton()
    expect(lists.seen).toEqual(['POST /leave/tulips'])
    const again = await chat('Unsubscribe me from Tulips')
    expect(again.reply).toBe('You have already unsubscribed from “Tulips”.')
    expect(lists.seen).toHaveLength(1)
  })

  it('invites a guest after a confirmation, and sends nothing after a refusal', async () => {
    await post('/api/contacts', { name: 'Lisa Moor', addresses: [{ address: 'lisa@example.org' }] })
    const sentTo = async (): Promise<string[]> =>
      (await get('/api/emails?folder=drafts')).emails
        .filter(({ delivery }: { delivery: object | null }) => delivery !== null)
        .flatMap(({ to }: { to: { address: string }[] }) => to.map(({ address }) => address))
    const declined = await talk('Schedule a call with Tom on Monday at 10:00', 'add Lisa to it', 'no')
    expect(declined.reply).toBe('I will not do it.')
    expect(await sentTo()).toEqual([])
    const typed = await talk('Schedule a review on Tuesday at 10:00', 'invite Lisa too', 'yes')
    expect(typed.reply).toBe('A typed yes is not enough for that. Press the button to confirm it.')
    expect(await sentTo()).toEqual([])
    await pressButton()
    expect(await sentTo()).toEqual(['lisa@example.org'])
  })

  it('finds time with a person who shares a calendar', async () => {
    const calendar = (await post('/api/calendars', { name: 'Ben' }, ben)).body
    for (const [start, end] of [
      ['2030-02-27T11:00:00Z', '2030-02-27T12:00:00Z'],
      ['2030-02-27T14:00:00Z', '2030-02-27T16:30:00Z'],
    ])
      await post('/api/calendar/events', { title: 'Secret', start, end, calendarId: calendar.id }, ben)
    const shares = `/api/calendars/${calendar.id}/shares`
    const offered = await post(shares, { email: robin.email, role: 'freeBusy' }, ben)
    expect([offered.status, offered.body.detail]).toEqual([202, undefined])
    await post(`/api/shares/${offered.body.id}/accept`, {})
    await post('/api/calendar/events', { title: 'Dentist', start: '2030-02-27T13:00:00Z' })
    const { reply, actions } = await chat('When are Ben and I free tomorrow, not before 10?')
    expect(actions.at(-1)).toMatchObject({
      tool: 'find_free_time',
      input: { people: ['Ben'], notBefore: '10:00' },
      result: { people: [{ name: 'Ben', isKnown: true }] },
    })
    expect(reply).toBe(
      '- Wed, 27 Feb 2030, 10:00–11:00\n- Wed, 27 Feb 2030, 12:00–13:00\n- Wed, 27 Feb 2030, 16:30–17:00',
    )
    const german = await chat('Wann haben Ben und ich morgen eine Stunde Zeit, nicht vor 10 Uhr?')
    expect(german.reply).toContain('27. Feb. 2030, 12:00–13:00')
    expect(german.reply).not.toContain('16:30')
  })

  describe('with an open email', () => {
    const text = 'Hi Robin,\n\nthe offer is ready. Could you send me your address by Friday?\n\nAna'

    it.each([
      [
        'Summarise this',
        /^Ana Ruiz: .* \(Mon, 25 Feb 2030\)\n\n(?:- “.*”\n)*- “Could you send me your address by Friday\?”/,
      ],
      [
        'Fass das zusammen',
        /^Ana Ruiz: .* \(Mo\., 25\. Feb\. 2030\)\n\n(?:- „.*“\n)*- „Could you send me your address by Friday\?“/,
      ],
      ['Worum geht es hier?', /„Could you send me your address by Friday\?“/],
    ])('summarizes: %s', async (message, reply) => {
      const context = { type: 'email', id: await addMail(message, text) }
      const answer = await chat(message, { context })
      expect(answer.reply).toMatch(reply)
      expect(answer.actions.at(-1)).toMatchObject({ tool: 'summarize_emails', input: { id: context.id } })
    })

    it.each([
      ['Snooze this until tomorrow', 'snooze_email', { snoozedUntil: '2030-02-27T08:00:00.000Z' }],
      ['Stell das bis morgen zurück', 'snooze_email', { snoozedUntil: '2030-02-27T08:00:00.000Z' }],
      ['Remind me about this on Friday', 'snooze_email', { snoozedUntil: '2030-03-01T08:00:00.000Z' }],
      ['Archive this', 'tag_email', { folder: 'archive' }],
      ['Archiviere das', 'tag_email', { folder: 'archive' }],
      ['Star this', 'tag_email', { starred: true }],
      ['Make this a task for Friday', 'create_task', { dueDay: '2030-03-01' }],
      ['Mach daraus eine Aufgabe', 'create_task', {}],
    ])('changes it: %s', async (message, tool, result) => {
      const id = await addMail(`Open: ${message}`, text)
      const { actions } = await chat(message, { context: { type: 'email', id } })
      const expected = tool === 'create_task' ? { title: `Open: ${message}` } : { id }
      expect(actions.at(-1)).toMatchObject({ tool, status: 'done', result: { ...expected, ...result } })
    })

    it.each([
      ['What should I answer?', 'yes', 'Should I save this as a draft?'],
      ['Was soll ich antworten?', 'ja', 'Soll ich das als Entwurf speichern?'],
    ])('proposes a reply and saves it only after a yes: %s', async (message, yes, question) => {
      const context = { type: 'email', id: await addMail(`Answer: ${message}`, text) }
      const proposed = await chat(message, { context })
      expect(proposed.reply).toContain(`> Hi Ana,`)
      expect(proposed.question?.text).toBe(question)
      expect(proposed.actions.filter(({ tool }) => tool !== 'read_email')).toEqual([])
      const { conversationId } = proposed
      const { actions } = await chat(yes, { context, conversationId })
      expect(actions.at(-1)).toMatchObject({
        tool: 'draft_email',
        result: { to: [{ address: 'ana@example.org' }] },
      })
    })
  })

  it('changes an open task and an open event', async () => {
    const task = (await post('/api/tasks', { title: 'Tax return', dueAt: '2030-02-27' })).body
    for (const message of ['Move this to Friday', 'Verschieb das auf Freitag']) {
      const { actions } = await chat(message, { context: { type: 'task', id: task.id } })
      expect(actions.at(-1)).toMatchObject({
        tool: 'update_task',
        result: { id: task.id, dueDay: '2030-03-01' },
      })
      await instance.call('PATCH', `/api/tasks/${task.id}`, {
        body: { dueAt: '2030-02-27' },
        token: robin.token,
      })
    }
    const event = (await post('/api/calendar/events', { title: 'Yoga', start: '2030-02-28T18:00:00Z' })).body
    const context = { type: 'event', id: event.id }
    const moved = await chat('Move this to Friday', { context })
    expect(moved.actions.at(-1)).toMatchObject({
      tool: 'move_event',
      result: { id: event.id, start: '2030-03-01T18:00:00.000Z' },
    })
    const german = await chat('Diesen Termin auf Samstag verschieben', { context })
    expect(german.actions.at(-1)).toMatchObject({
      tool: 'move_event',
      result: { start: '2030-03-02T18:00:00.000Z' },
    })
  })
})
