import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { DAY } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

const HOUR = DAY / 24
const ZONE = 'America/Los_Angeles'

onOneDatabase('sqlite', 'a briefing', (engine) => {
  let instance: Instance
  /** Start of the current day in the timezone of the instance. */
  let midnight: number
  let date: string
  const at = (hours: number): string => new Date(midnight + hours * HOUR).toISOString()
  const dayAfter = (days: number): string =>
    new Intl.DateTimeFormat('sv', { timeZone: ZONE }).format(midnight + days * DAY + 12 * HOUR)
  const brief = async (query = '') => (await instance.get(`/api/briefing${query}`)).body
  const mail = async (given: Record<string, unknown>): Promise<{ id: number; threadId: number }> => {
    const { status, body } = await instance.post('/api/emails', given)
    expect(status).toBe(201)
    return body
  }
  const ANA = 'Ana Ruiz <ana@ruiz.example>'

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: ZONE } })
    // A Wednesday without a clock change, at 10:00.
    const now = Date.parse('2031-06-11T17:00:00.000Z')
    instance.clock.advance(now - instance.clock.now().getTime())
    midnight = Date.parse('2031-06-11T07:00:00.000Z')
    date = '2031-06-11'
  })
  afterAll(() => instance.close())

  it('reports an empty day', async () => {
    const { status, body } = await instance.get('/api/briefing')
    expect(status).toBe(200)
    expect(body).toEqual({
      date,
      timezone: ZONE,
      generatedAt: expect.stringMatching(/^2031-06-11T17:00/),
      isToday: true,
      isEmpty: true,
      summary: 'Your calendar is empty.',
      text: 'Wednesday, 11 June 2031\n\nNothing is planned, nothing is due, and nobody is waiting for a reply.',
      workingDay: { isWorkingDay: true, hours: [{ start: at(9), end: at(17) }], freeMinutes: 480 },
      events: [],
      conflicts: [],
      due: [],
      overdue: [],
      waiting: [],
      commitments: [],
    })
  })

  it('lists the events of the day and their conflicts', async () => {
    const event = (title: string, from: number, until: number, more = {}) =>
      instance.post('/api/calendar/events', { title, start: at(from), end: at(until), ...more })
    await event('Stand-up', -24 * 7 + 9, -24 * 7 + 9.5, { recurrence: 'FREQ=DAILY', timezone: ZONE })
    const review = (await event('Design review', 13, 15, { location: 'Room 4' })).body.id
    const dentist = (await event('Dentist', 14, 14.5)).body.id
    await event('Called off', 13, 15, { status: 'cancelled' })
    await event('Yesterday', -3, -1)
    await event('Night train', 23, 30)
    await event('Holiday', 0, 24, {
      allDay: true,
      timezone: ZONE,
      start: date,
      end: dayAfter(1),
      busy: false,
    })
    const body = await brief()
    expect(body.events.map(({ title }: { title: string }) => title)).toEqual([
      'Holiday',
      'Stand-up',
      'Design review',
      'Dentist',
      'Night train',
    ])
    expect(body.conflicts).toEqual([
      {
        start: at(14),
        end: at(14.5),
        events: [
          { id: review, title: 'Design review' },
          { id: dentist, title: 'Dentist' },
        ],
      },
    ])
    expect(body.isEmpty).toBe(false)
    expect(body.workingDay.freeMinutes).toBe(480 - 30 - 120)
    expect(body.summary).toBe(
      '5 events are in the calendar, the first at 09:00: Stand-up. 1 conflict among them.',
    )
    expect(body.text).toContain('- 13:00–15:00 Design review (Room 4)')
    expect(body.text).toContain('- all day Holiday')
    expect(body.text).toContain('- 23:00–… Night train')
  })

  it('lists due and overdue tasks by the day of the user', async () => {
    const task = (title: string, dueAt: string | null, more = {}) =>
      instance.post('/api/tasks', { title, dueAt, ...more })
    await task('Pay the rent', date, { priority: 'high' })
    await task('Late tonight', at(23.9))
    await task('Just after midnight', at(24))
    await task('Last week', at(-24 * 6))
    await task('Done', at(12), { status: 'done' })
    await task('Some day', null)
    const body = await brief()
    expect(body.due).toEqual([
      { id: expect.any(Number), title: 'Pay the rent', dueAt: at(0), dueDay: date, priority: 'high' },
      { id: expect.any(Number), title: 'Late tonight', dueAt: at(23.9), dueDay: null, priority: 'normal' },
    ])
    expect(body.overdue.map(({ title }: { title: string }) => title)).toEqual(['Last week'])
    expect(body.summary).toContain('2 tasks are due, 1 task is overdue.')
    expect(body.text).toContain('- Last week (since Thu 5 Jun)')
    // The summary must not report the page size as a total.
    const many = Array.from({ length: 51 }, (_, index) =>
      instance.post('/api/tasks', { title: `Old ${index}`, dueAt: at(-100) }),
    )
    const ids = (await Promise.all(many)).map((made) => made.body.id)
    expect((await brief()).summary).toContain('2 tasks are due, more than 50 tasks are overdue.')
    await Promise.all(ids.map((id) => instance.call('DELETE', `/api/tasks/${id}`)))
  })

  it('lists the latest unanswered question of each thread', async () => {
    const question = await mail({
      from: ANA,
      subject: 'Kitchen',
      text: 'Hi,\n\nCould you send me the offer for the kitchen by Friday?\n\nBest,\nAna',
      messageId: 'kitchen-1@ruiz.example',
      date: at(-20),
    })
    await mail({
      from: 'Bob <bob@b.example>',
      subject: 'Thanks',
      text: 'All is well. Thank you!',
      date: at(-5),
    })
    await mail({
      from: 'Shop <noreply@shop.example>',
      subject: 'Your order confirmation',
      text: 'Order number 12. Order total: 12 EUR. Do you like our shop? Unsubscribe here.',
      date: at(-5),
    })
    await mail({
      from: 'Old <old@o.example>',
      subject: 'Old',
      date: at(-24 * 20),
      text: 'Could you please call me back?',
    })
    await mail({
      from: 'Bin <bin@o.example>',
      subject: 'Bin',
      folder: 'trash',
      date: at(-3),
      text: 'Could you please call me back?',
    })
    const before = await brief()
    expect(before.waiting).toEqual([
      {
        emailId: question.id,
        threadId: question.threadId,
        folder: 'inbox',
        subject: 'Kitchen',
        date: at(-20),
        from: { name: 'Ana Ruiz', address: 'ana@ruiz.example' },
        asks: ['Could you send me the offer for the kitchen by Friday?'],
      },
    ])
    expect(before.summary).toContain('Ana Ruiz waits for an answer.')
    expect(before.text).toContain('- Ana Ruiz, Kitchen: Could you send me the offer')

    const answer = {
      from: 'Me <me@me.example>',
      to: [ANA],
      subject: 'Re: Kitchen',
      text: 'Here it is.',
      inReplyTo: 'kitchen-1@ruiz.example',
    }
    await mail({ ...answer, folder: 'drafts', messageId: 'draft@me.example', date: at(1) })
    expect((await brief()).waiting).toHaveLength(1)
    await mail({ ...answer, folder: 'sent', messageId: 'kitchen-2@me.example', date: at(2) })
    expect((await brief()).waiting).toEqual([])

    const again = await mail({
      from: ANA,
      subject: 'Re: Kitchen',
      date: at(3),
      inReplyTo: 'kitchen-2@me.example',
      text: 'Thank you. Can you also tell me when the oven comes?\n\n> Could you send me the offer?',
    })
    const { waiting } = await brief()
    expect(waiting).toMatchObject([{ emailId: again.id, threadId: question.threadId }])
    expect(waiting[0].asks).toEqual(['Can you also tell me when the oven comes?'])
  })

  it('lists promises and who made them', async () => {
    const theirs = await mail({
      from: 'Ines <ines@falk.example>',
      subject: 'Drawings',
      date: at(-4),
      text: 'I will send you the drawings by Friday.',
    })
    const mine = await mail({
      folder: 'sent',
      from: 'Me <me@me.example>',
      to: ['Tom <tom@t.example>'],
      subject: 'Invoice',
      date: at(-3),
      text: 'I will send you the invoice by tomorrow.',
    })
    const { commitments, text, summary } = await brief()
    expect(commitments).toEqual([
      {
        id: expect.any(Number),
        by: 'me',
        who: { name: 'Tom', address: 'tom@t.example' },
        subject: 'Invoice',
        emailId: mine.id,
        text: 'I will send you the invoice by tomorrow.',
        date: at(-3),
        dueAt: at(0),
        dueDay: date,
        isOverdue: false,
        confidence: expect.any(Number),
      },
      {
        id: expect.any(Number),
        by: 'them',
        who: { name: 'Ines', address: 'ines@falk.example' },
        subject: 'Drawings',
        text: 'I will send you the drawings by Friday.',
        emailId: theirs.id,
        date: at(-4),
        dueAt: at(48),
        dueDay: dayAfter(2),
        isOverdue: false,
        confidence: expect.any(Number),
      },
    ])
    const dueOn = (instant: string) =>
      new Intl.DateTimeFormat('sv', { timeZone: ZONE }).format(new Date(instant))
    // The mails were sent on Tuesday.
    expect(commitments.map(({ dueAt }: { dueAt: string }) => dueOn(dueAt))).toEqual([
      '2031-06-11',
      '2031-06-13',
    ])
    expect(text).toContain('You promised\n- Tom: I will send you the invoice by tomorrow. (Wed 11 Jun)')
    expect(text).toContain('Waiting for\n- Ines: I will send you the drawings by Friday. (Fri 13 Jun)')
    expect(summary).toContain('1 promise to Tom due.')
    const overdue = await brief(`?date=${dayAfter(3)}`)
    expect(overdue.summary).toContain('You are waiting for Ines.')
    await instance.call('PATCH', `/api/commitments/${commitments[0].id}`, { body: { status: 'done' } })
    expect((await brief()).commitments).toHaveLength(1)
  })

  it('prefers the stored analysis of a mail', async () => {
    const kept = await mail({ from: 'Kim <kim@k.example>', subject: 'Hm', text: 'Hm.', date: at(5) })
    const analysis = {
      category: 'conversation',
      questions: [{ text: 'Shall we go?', offset: 0 }],
      actionItems: [{ text: 'Bring the maps', owner: 'me' }, { text: 17, owner: 'them' }, null],
    }
    const keep = (value: unknown) =>
      instance.database.db
        .updateTable('emails')
        .set({ analysis: JSON.stringify(value) })
        .where('id', '=', kept.id)
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
    await keep(analysis)
    const body = await brief()
    expect(body.waiting[0]).toMatchObject({ emailId: kept.id, asks: ['Shall we go?', 'Bring the maps'] })
    for (const useless of [{}, [], 'x', { category: 'conversation', questions: 'none', actionItems: {} }]) {
      await keep(useless)
      expect((await brief()).waiting.map(({ emailId }: { emailId: number }) => emailId)).not.toContain(
        kept.id,
      )
    }
  })

  it('covers other days too', async () => {
    const tomorrow = await brief(`?date=${dayAfter(1)}`)
    expect(tomorrow).toMatchObject({ date: dayAfter(1), isToday: false })
    expect(tomorrow.events.map(({ title }: { title: string }) => title)).toEqual(['Night train', 'Stand-up'])
    expect(tomorrow.due.map(({ title }: { title: string }) => title)).toEqual(['Just after midnight'])
    expect(tomorrow.text).toContain('- …–06:00 Night train')
    const saturday = await brief('?date=2031-06-14')
    expect(saturday.workingDay).toEqual({ isWorkingDay: false, hours: [], freeMinutes: 0 })
    // Earlier than any mail.
    expect((await brief('?date=2031-05-01')).waiting).toEqual([])
    // The day on which clocks go forward has 23 hours.
    expect((await brief('?date=2031-03-09')).date).toBe('2031-03-09')
    for (const wrong of ['2031-02-30', 'tomorrow', '2031-06-11T10:00:00Z', '']) {
      const { status, body } = await instance.get(`/api/briefing?date=${encodeURIComponent(wrong)}`)
      expect([wrong, status, body.errors?.[0]?.path]).toEqual([wrong, 400, 'date'])
    }
    expect((await instance.get('/api/briefing?day=2031-06-11')).status).toBe(400)
  })

  it('uses the timezone and working hours of the user, and limits a token to its scopes', async () => {
    const { token } = await register(instance)
    await instance.call('PATCH', '/api/settings/preferences', {
      token,
      body: { timezone: 'Asia/Tokyo', workingHours: [{ day: 'thursday', start: '10:00', end: '12:30' }] },
    })
    // In Tokyo it is 02:00 on the next day.
    const body = await brief()
    expect(body).toMatchObject({ date: '2031-06-12', timezone: 'Asia/Tokyo' })
    expect(body.workingDay.hours).toEqual([
      { start: '2031-06-12T01:00:00.000Z', end: '2031-06-12T03:30:00.000Z' },
    ])
    const make = async (scopes: string[]) =>
      (await instance.post('/api/settings/tokens', { password: PASSWORD, name: 'n', scopes }, { token })).body
        .token
    const keysWith = async (scopes: string[]) =>
      Object.keys((await instance.get('/api/briefing', { token: await make(scopes) })).body).filter((key) =>
        /events|conflicts|due|overdue|waiting|commitments|workingDay/.test(key),
      )
    expect(await keysWith(['tasks:read'])).toEqual(['due', 'overdue'])
    expect(await keysWith(['mail:write'])).toEqual(['waiting', 'commitments'])
    expect(await keysWith(['calendar:read'])).toEqual(['workingDay', 'events', 'conflicts'])
    expect(await keysWith(['stream:read'])).toEqual([])
  })
})
