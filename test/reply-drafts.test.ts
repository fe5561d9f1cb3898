import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { storeMail } from './support/meeting-mail.ts'
import { PASSWORD, register } from './support/people.ts'

const RESPOND = '/api/workflow/email-response'
const DAY = 86_400_000

let mails = 0
const mail = (
  text: string,
  {
    subject = 'The figures',
    from = 'Ben Okafor <ben@example.org>',
    headers = [] as string[],
    date = new Date(),
  } = {},
) =>
  [
    `From: ${from}`,
    'To: Ana Ruiz <ana@example.org>',
    `Subject: ${subject}`,
    `Message-ID: <reply-${++mails}@example.org>`,
    `Date: ${date.toUTCString()}`,
    ...headers,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
  ].join('\r\n')

onOneDatabase('sqlite', 'reply drafts', (engine) => {
  let instance: Instance
  let token: string
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
    token = (await register(instance, { name: 'Ana Ruiz' })).token
  })
  afterAll(() => instance.close())

  const draft = async (text: string, payload: unknown = undefined, more = {}) => {
    const id = await storeMail(instance, mail(text, more))
    return { id, ...(await instance.post(`/api/emails/${id}/reply-draft`, payload)) }
  }

  it('greet, answer the questions, leave gaps and continue the thread; nothing is stored or sent', async () => {
    const count = async () => (await instance.get('/api/emails?limit=200')).body.emails.length
    const { id, status, body } = await draft('Hi Ana,\n\nwho signed the contract?\n\nBest,\nBen')
    expect(status).toBe(200)
    const { messageId } = (await instance.get(`/api/emails/${id}`)).body
    const text =
      'Hi Ben,\n\nThanks for your message.\n\nYou asked: “who signed the contract?”\n[your answer]\n\nBest,\nAna Ruiz'
    expect(body).toEqual({
      subject: 'Re: The figures',
      text,
      html: expect.stringContaining('<p>Hi Ben,</p>'),
      tone: 'friendly',
      language: 'en',
      answerable: true,
      reason: null,
      gaps: ['[your answer]'],
      slots: [],
      notices: [],
      to: [{ name: 'Ben Okafor', address: 'ben@example.org' }],
      inReplyTo: messageId,
      accountId: null,
      engine: 'builtin',
      model: 'model_a',
      provider: 'builtin',
      fallbackReason: 'no_key',
      costUsd: 0,
      usage: { inputTokens: 0, outputTokens: 0 },
    })
    const before = await count()
    await instance.post(`/api/emails/${id}/reply-draft`, { tone: 'brief' })
    expect(await count()).toBe(before)
    expect((await instance.get(`/api/emails/${id}`)).body.analysis).toBeNull()
  })

  it('have the requested tone and language', async () => {
    const formal = await draft('Who signed it?', { tone: 'formal' })
    expect([formal.body.tone, formal.body.text]).toEqual([
      'formal',
      expect.stringMatching(/^Dear Ben Okafor,/),
    ])
    const german = await draft('Who signed it?', { language: 'de-AT', tone: 'formal' })
    expect([german.body.language, german.body.text]).toEqual([
      'de',
      expect.stringMatching(/^Guten Tag Ben Okafor,/),
    ])
    const french = await draft('Who signed it?', { language: 'fr' })
    expect([french.body.language, french.body.notices]).toEqual([
      'en',
      ['Without a model, drafts are available only in English and German, not in fr.'],
    ])
  })

  it('are in German for a German mail', async () => {
    const { body } = await draft('Hallo Ana,\n\nkannst du mir den Vertrag schicken?\n\nLG\nBen')
    expect(body.text).toBe(
      'Hallo Ben,\n\ndanke für deine Nachricht.\n\nDu fragst: „kannst du mir den Vertrag schicken?“\n[deine Antwort]\n\nViele Grüße\nAna Ruiz',
    )
  })

  it('are addressed to the Reply-To address', async () => {
    const { body } = await draft('Who signed it?', {}, { headers: ['Reply-To: Desk <desk@example.org>'] })
    expect(body.to).toEqual([{ name: 'Desk', address: 'desk@example.org' }])
  })

  it('propose free times within working hours if the mail asks for a time', async () => {
    const busy = (await instance.get('/api/calendar/free?minutes=30&limit=200')).body.slots
    // Fill the first free day completely.
    await instance.post('/api/calendar/events', { title: 'Taken', start: busy[0].start, end: busy[0].end })
    const { slots } = (await instance.get('/api/calendar/free?minutes=30&limit=200')).body
    const { body } = await draft('Hi Ana,\n\nwhen would you be free to talk?\n\nBen')
    expect(body.slots.length).toBeGreaterThan(0)
    expect(body.slots.length).toBeLessThanOrEqual(3)
    for (const { start, end } of body.slots)
      expect(
        slots.some((free: { start: string; end: string }) => free.start <= start && end <= free.end),
      ).toBe(true)
    expect(body.text).toContain('Would one of these times suit you?')
    expect(body.text).toContain('(Times are in Europe/Berlin.)')
    expect(body.text.match(/^- /gm)).toHaveLength(body.slots.length)
    expect(body.gaps).toEqual([])
  })

  it('accept a proposed time if it is free, and offer others if it is not', async () => {
    const day = new Date(Date.now() + 9 * DAY).toISOString().slice(0, 10)
    const text = `Shall we meet on ${day} at 3pm?`
    const free = await draft(text)
    expect(free.body.text).toMatch(/at 15:00 works for me\./)
    expect(free.body.slots).toEqual([])
    const found = await instance.post('/api/calendar/detect', { text })
    const { start, end } = found.body.meetings[0]
    await instance.post('/api/calendar/events', { title: 'Dentist', start, end })
    const taken = await draft(text)
    expect(taken.body.text).toContain('I am afraid I am not free at the time you suggest.')
    expect(taken.body.slots.length).toBeGreaterThan(0)
    expect(taken.body.text).not.toContain('Dentist')
  })

  it('do not use the calendar with a token that lacks its scope', async () => {
    const id = await storeMail(instance, mail('When would you be free to talk?'))
    const tokenWith = async (...scopes: string[]) =>
      (await instance.post('/api/settings/tokens', { name: 't', scopes, password: PASSWORD }, { token })).body
        .token
    const call = async (...scopes: string[]) =>
      instance.post(`/api/emails/${id}/reply-draft`, {}, { token: await tokenWith(...scopes) })
    expect((await call('tasks:read')).status).toBe(403)
    const blind = await call('mail:read')
    expect([blind.status, blind.body.slots, blind.body.gaps]).toEqual([
      200,
      [],
      ['[times when you are free]'],
    ])
    expect((await call('mail:read', 'calendar:read')).body.slots.length).toBeGreaterThan(0)
  })

  it('do not answer automated mail, and say so', async () => {
    const { body } = await draft(
      'Weekly deals, 50% off! Shop now. Unsubscribe here.',
      {},
      {
        from: 'Shop <news@shop.example>',
        subject: 'Weekly deals',
        headers: ['List-Unsubscribe: <https://shop.example/u>'],
      },
    )
    expect(body).toMatchObject({ answerable: false, reason: 'newsletter', text: '', html: '', gaps: [] })
    expect(body.notices).toEqual(['This is a newsletter. Nobody expects a reply.'])
    const silent = await draft('Your parcel is here.', {}, { from: 'no-reply@post.example' })
    expect(silent.body).toMatchObject({ answerable: false, reason: 'no-reply', text: '', slots: [] })
  })

  it.each([
    [
      'phishing',
      'Your account is suspended. Verify your password: http://paypal.com.check.example/x',
      'PayPal <service@paypa1.example>',
    ],
    [
      'dunning',
      'Sehr geehrte Frau Ruiz,\n\nbis heute konnten wir keinen Zahlungseingang feststellen. Bitte überweisen Sie den offenen Betrag.',
      'Lenz <buchhaltung@lenz.example>',
    ],
    [
      'advertising',
      'Hi Ana,\n\nI came across your website. We help companies like yours get more leads. Open to a quick call this week?',
      'Chad <chad@rocket.example>',
    ],
  ])('do not answer %s', async (reason, text, from) => {
    const { status, body } = await draft(text, { instructions: 'accept' }, { from })
    expect(status).toBe(200)
    expect(body).toMatchObject({ answerable: false, reason, text: '', slots: [] })
  })

  it('name both zones, and accept no time in a zone that was not named', async () => {
    const date = new Date('2030-11-19T09:00:00Z')
    const ask = (text: string) =>
      instance.post(RESPOND, { text, from: 'Ben <ben@example.org>', date: date.toISOString() })
    instance.clock.advance(date.getTime() - instance.clock.now().getTime())
    const london = await ask('Could we meet on Tuesday 26 November at 2pm London time?')
    expect(london.body.text).toContain('Tue 26 Nov, 14:00 your time, 15:00 in Berlin works for me.')
    const within = await ask('Are you free on Wednesday between 2 and 4 (my time, London)?')
    expect(within.body.text).toContain('How about Wed 20 Nov, 14:00 your time, 15:00 in Berlin?')
    expect(within.body.slots).toEqual([
      { start: '2030-11-20T14:00:00.000Z', end: '2030-11-20T14:30:00.000Z' },
    ])
    const unknown = await ask('Could we meet on Tuesday 26 November at 2pm my time?')
    expect(unknown.body.text).not.toContain('works for me')
    const week = await ask('Können wir uns in der 49. Kalenderwoche treffen? Dienstag um 10 Uhr wäre gut.')
    expect(week.body.text).toContain('Dienstag, 3. Dezember, um 10:00 Uhr passt mir gut.')
  })

  it('say that they cannot read a language, and keep the requested length', async () => {
    const french = await draft('Bonjour, pouvez-vous m’envoyer le contrat avant vendredi ? Merci d’avance.')
    expect(french.body).toMatchObject({ answerable: true, gaps: ['[your reply]'] })
    expect(french.body.notices[0]).toContain('written in French')
    const short = await draft('Who signed it? When did they sign it? Where is it?', {
      instructions: 'in one sentence',
    })
    expect(short.body.text).toBe('Hi Ben,\n\n[your answer]\n\nBest,\nAna Ruiz')
    expect(short.body.notices).toEqual([])
  })

  it.each([
    [{ tone: 'rude' }, 'tone'],
    [{ language: 'x' }, 'language'],
    [{ ton: 'brief' }, 'ton'],
  ])('are rejected for %j, and the field is named', async (payload, path) => {
    const { status, body } = await draft('Hello?', payload)
    expect([status, body.errors[0].path]).toEqual([400, path])
  })

  it('return 404 for an unknown email', async () => {
    expect((await instance.post('/api/emails/999999999/reply-draft', {})).status).toBe(404)
  })

  describe('for automations', () => {
    it('answer a stored email', async () => {
      const id = await storeMail(instance, mail('Who signed the contract?'))
      const { status, body } = await instance.post(RESPOND, { emailId: id, tone: 'brief' })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        subject: 'Re: The figures',
        text: 'Hi Ben,\n\n> Who signed the contract?\n[your answer]\n\nAna Ruiz',
        html: expect.stringContaining('<p>'),
        tone: 'brief',
        answerable: true,
        gaps: ['[your answer]'],
        engine: 'builtin',
        model: 'model_a',
        usage: { inputTokens: 0, outputTokens: 0 },
      })
    })

    it('answer an email in the request, with instructions', async () => {
      const { body } = await instance.post(RESPOND, {
        from: { name: 'Ben Okafor', address: 'ben@example.org' },
        subject: 'AW: Board',
        text: 'Could you join the board?',
        date: '2026-02-02T10:00:00Z',
        tone: 'formal',
        instructions: 'decline',
      })
      expect(body.subject).toBe('Re: Board')
      expect(body.text).toContain('Dear Ben Okafor,\n\nThank you for your message of 2 February 2026.')
      expect(body.text).toContain('Unfortunately I have to decline.')
    })

    it.each([
      [{}, 'text'],
      [{ tone: 'brief' }, 'text'],
      [{ emailId: 1, text: 'x' }, 'text'],
      [{ text: 'x', tone: 'x' }, 'tone'],
      [{ text: 'x', instruction: 'x' }, 'instruction'],
    ])('are rejected for %j, and the field is named', async (payload, path) => {
      const { status, body } = await instance.post(RESPOND, payload)
      expect([status, body.errors[0].path]).toEqual([400, path])
    })
  })
})
