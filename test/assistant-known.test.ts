import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

interface Answer {
  reply: string
  conversationId: string
  question: { options: string[] } | null
  actions: { tool: string; status: string; undoId: number | null }[]
}

const NOW = '2029-03-07T09:00:00.000Z'

/** Questions and orders about stored contacts, reservations, events and tasks, without a model. */
onEveryDatabase('what the assistant knows', (engine) => {
  let instance: Instance
  let person: Person
  const contacts: Record<string, number> = {}

  const post = async (path: string, body: object) => {
    const answer = await instance.post(path, body, { token: person.token })
    expect([path, answer.status]).toEqual([path, path === '/api/ai/chat' ? 200 : 201])
    return answer.body
  }
  const get = async (path: string) => (await instance.get(path, { token: person.token })).body
  const receive = (from: string, subject: string, text: string, date = '2029-03-05T08:00:00Z') =>
    post('/api/emails', { from, to: ['me@example.org'], subject, text, date })
  /** Sends messages of one conversation and returns the last answer. */
  const talk = async (...messages: string[]): Promise<Answer> => {
    let answer: Answer | undefined
    for (const message of messages)
      answer = await post('/api/ai/chat', {
        message,
        ...(answer && { conversationId: answer.conversationId }),
      })
    return answer as Answer
  }
  const reply = async (...messages: string[]): Promise<string> => (await talk(...messages)).reply

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC', REGISTRATION: 'open' } })
    // A Wednesday.
    instance.clock.advance(Date.parse(NOW) - instance.clock.now().getTime())
    person = await register(instance)
    const address = { label: '', city: 'Graz', region: '', postalCode: '8010', country: '' }
    for (const contact of [
      {
        name: 'Lena Moser',
        addresses: [{ address: 'lena@moser.example' }],
        phones: [{ label: 'mobile', number: '+43 660 111222' }],
        postalAddresses: [{ ...address, street: 'Ahornweg 3' }],
        birthday: '1990-06-01',
        organization: 'Moser Optik',
      },
      { name: 'Paul Gruber', addresses: [{ address: 'paul@gruber.example' }], birthday: '--02-11' },
      { name: 'Paul Stein', addresses: [{ address: 'paul@stein.example' }] },
    ])
      contacts[contact.name] = (await post('/api/contacts', contact)).id
    await receive('Lena Moser <lena@moser.example>', 'Frames', 'The new frames are here.')
    await receive(
      'Brook Energy <billing@brook.example>',
      'Your energy bill',
      'Invoice number: 5512. Amount due: 64.20 EUR. Due date: 20 March 2029.',
    )
    await receive(
      'Nordnetz <post@nordnetz.example>',
      'Rechnung 88-1',
      'Rechnungsnummer: 88-1\nRechnungsbetrag: 29,90 €\nFällig am 28. März 2029',
    )
    const event = { timezone: 'UTC', start: '2029-03-09T13:00:00Z', end: '2029-03-09T14:30:00Z' }
    await post('/api/calendar/events', {
      ...event,
      title: 'Eye test',
      location: 'Moser Optik, Graz',
      attendees: [{ name: 'Lena Moser', email: 'lena@moser.example' }],
    })
    const later = { start: '2029-03-12T13:00:00Z', end: '2029-03-12T13:45:00Z' }
    await post('/api/calendar/events', { ...event, ...later, title: 'Piano lesson' })
    const garden = await post('/api/task-lists', { name: 'Garden' })
    await post('/api/tasks', {
      title: 'Prune the roses',
      listId: garden.id,
      dueAt: '2029-03-09',
      priority: 'high',
    })
    await post('/api/tasks', { title: 'Buy soil', listId: garden.id })
    await post('/api/tasks', { title: 'Call the insurance', dueAt: '2029-03-01' })
  })
  afterAll(() => instance.close())

  it('tells the fields of a contact and names the source', async () => {
    expect(await reply('What is Lena’s phone number?')).toBe(
      'Lena Moser:\n- Phone: +43 660 111222 (mobile)\nSource: your contacts.',
    )
    expect(await reply('Wo wohnt Lena Moser?')).toBe(
      'Lena Moser:\n- Adresse: Ahornweg 3, 8010 Graz\nQuelle: deine Kontakte.',
    )
    expect(await reply('Where does Lena work?')).toContain('Company: Moser Optik')
    expect(await reply('Wie ist die Mailadresse von Lena?')).toContain('lena@moser.example')
    expect(await reply('How old is Lena?')).toContain('1 June 1990 (38 years old, 39 on Fri, 1 Jun 2029)')
    expect(await reply('Wann hat Paul Gruber Geburtstag?')).toContain('Geburtstag: 11. Februar')
  })

  it('keeps the contact for the next question', async () => {
    expect(await reply('Who is Lena Moser?')).toContain('- Last email: Mon, 5 Mar 2029, 08:00, “Frames”')
    expect(await reply('Who is Lena Moser?', 'and her birthday?')).toContain('1 June 1990')
    expect(await reply('Wer ist Lena Moser?', 'Und ihre Nummer?')).toContain('+43 660 111222')
  })

  it('asks which of two people is meant, and says who or what is unknown', async () => {
    const asked = await talk("What is Paul's email address?")
    expect(asked.question?.options).toContain('Paul Stein <paul@stein.example>')
    expect(await reply("What is Paul's email address?", 'Paul Stein')).toContain('paul@stein.example')
    expect(await reply('Wie ist die Telefonnummer von Paul Stein?')).toBe(
      'Eine Telefonnummer von Paul Stein kenne ich nicht.',
    )
    expect(await reply("What is Zoe's phone number?")).toBe('You have no contact “Zoe”.')
    expect(await reply('Wie ist die Telefonnummer von Zoe?')).toBe('Du hast keinen Kontakt „Zoe“.')
  })

  it('says which condition of a question it did not use', async () => {
    expect(await reply("What is Lena's phone number in Vienna?")).toContain('I did not use “Vienna”.')
    expect(await reply('Wie ist die Nummer von Lena in Wien?')).toContain('Nicht berücksichtigt: „Wien“.')
  })

  it('tells the last email of a person', async () => {
    expect(await reply('What did Lena write last?')).toBe(
      'Last email: Mon, 5 Mar 2029, 08:00, “Frames”: “The new frames are here.”',
    )
    expect(await reply('Wann hat Lena zuletzt geschrieben?')).toContain('Letzte E-Mail: Mo., 5. März 2029')
    expect(await reply('What did Paul Stein write last?')).toBe('You have no email from Paul Stein.')
  })

  it('adds a contact with its fields', async () => {
    const added = await talk('Add Rosa Villa, rosa@villa.example, +39 06 555 7788, to my contacts')
    expect(added.actions).toMatchObject([{ tool: 'create_contact', status: 'done' }])
    const [rosa] = (await get('/api/contacts?q=rosa')).contacts
    expect(rosa).toMatchObject({
      name: 'Rosa Villa',
      phones: [{ number: '+39 06 555 7788' }],
      addresses: [{ address: 'rosa@villa.example' }],
    })
    await talk('Füge Jan Peters, 040 5551212, zu meinen Kontakten hinzu')
    expect((await get('/api/contacts?q=peters')).contacts).toMatchObject([
      { name: 'Jan Peters', phones: [{ number: '040 5551212' }] },
    ])
  })

  it('changes a contact, and undo restores the old number', async () => {
    const changed = await talk("Lena's new number is +43 660 999888")
    expect(changed.actions.at(-1)).toMatchObject({ tool: 'update_contact', status: 'done' })
    const lena = () => get(`/api/contacts/${contacts['Lena Moser']}`)
    expect((await lena()).phones).toEqual([{ label: '', number: '+43 660 999888' }])
    const undone = await instance.post(
      `/api/actions/${changed.actions.at(-1)?.undoId}/undo`,
      {},
      { token: person.token },
    )
    expect(undone.status).toBe(200)
    expect((await lena()).phones).toEqual([{ label: 'mobile', number: '+43 660 111222' }])
    await talk('Wer ist Paul Stein?', 'Sie arbeitet bei Stein Bau')
    await talk('Paul Stein hat am 4. Mai 1985 Geburtstag')
    await talk('Paul Steins neue Adresse ist Lindenplatz 9, 4020 Linz')
    expect(await get(`/api/contacts/${contacts['Paul Stein']}`)).toMatchObject({
      organization: 'Stein Bau',
      birthday: '1985-05-04',
      postalAddresses: [{ street: 'Lindenplatz 9, 4020 Linz' }],
    })
  })

  it('tells when a bill is due, from which email, and follows up', async () => {
    expect(await reply('When do I have to pay the energy bill?')).toBe(
      'Brook Energy: due Tue, 20 Mar 2029, €64.20, reference 5512\nSource: the email “Your energy bill” from Brook Energy, Mon, 5 Mar 2029.',
    )
    expect(await reply('Was schulde ich Nordnetz?')).toContain('29,90')
    expect(await reply('Was schulde ich Nordnetz?', 'und bis wann?')).toContain('28. März 2029')
    const open = await reply('Which bills do I have to pay by 22 March?')
    expect(open).toContain('Brook Energy')
    expect(open).not.toContain('Nordnetz')
    expect(await reply('Welche Rechnungen sind noch offen?')).toMatch(/Brook Energy[\s\S]*Nordnetz/u)
  })

  it('says that no reservation matches, and does not drop a name', async () => {
    expect(await reply('When does my flight leave?')).toBe(
      'I found nothing like that in your emails of the last weeks.',
    )
    expect(await reply('Wo ist mein Paket?')).toBe(
      'In deinen E-Mails der letzten Wochen habe ich dazu nichts gefunden.',
    )
    expect(await reply('When is the bill of Waterworks due?')).toContain('I found nothing with “Waterworks”.')
  })

  it('tells place, length and people of an event', async () => {
    expect(await reply('How long is the eye test?')).toContain('90 minutes')
    expect(await reply('Wo ist der Eye test?')).toContain('Moser Optik, Graz')
    expect(await reply('Who is coming to the eye test?')).toContain('Lena Moser')
    expect(await reply('Where is the piano lesson?')).toContain('No location is stored.')
  })

  it('lists tasks by list, priority and missing due date', async () => {
    expect(await reply('Which tasks have no due date?')).toBe('- Buy soil')
    expect(await reply('Welche Aufgaben haben kein Fälligkeitsdatum?')).toBe('- Buy soil')
    expect(await reply('What is on my garden list?')).toMatch(
      /list “Garden”:\n- Prune the roses.*\n- Buy soil/u,
    )
    const important = await reply('Which important tasks are on my garden list?')
    expect(important).toContain('Prune the roses')
    expect(important).not.toContain('Buy soil')
    expect(await reply('Which tasks of Lena are on my garden list?')).toContain('I did not use “Lena”.')
  })

  it('leaves orders about other things alone', async () => {
    for (const message of ['Pay the energy bill tomorrow', 'Remind me to call Lena’s number tomorrow']) {
      const { actions } = await talk(message)
      expect(actions.filter(({ tool }) => /contact|reservation/u.test(tool))).toEqual([])
    }
  })
})
