import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { resolvePreset } from '../src/features/mail/reminders/snooze-presets.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register, signIn } from './support/people.ts'

const HOUR = 60 * MINUTE

it('presets are mornings in the time zone of the account', () => {
  const friday = new Date('2026-03-27T22:30:00Z')
  expect(resolvePreset('later-today', friday, 'Europe/Berlin')).toBe('2026-03-28T01:30:00.000Z')
  expect(resolvePreset('tomorrow', friday, 'Europe/Berlin')).toBe('2026-03-28T07:00:00.000Z')
  expect(resolvePreset('weekend', friday, 'Europe/Berlin')).toBe('2026-03-28T07:00:00.000Z')
  // Daylight saving time starts on that Sunday.
  expect(resolvePreset('next-week', friday, 'Europe/Berlin')).toBe('2026-03-30T06:00:00.000Z')
  expect(resolvePreset('tomorrow', friday, 'Asia/Tokyo')).toBe('2026-03-28T23:00:00.000Z')
  const monday = new Date('2026-03-30T12:00:00Z')
  expect(resolvePreset('next-week', monday, 'UTC')).toBe('2026-04-06T08:00:00.000Z')
})

onOneDatabase('sqlite', 'mail for later', (engine) => {
  let instance: Instance
  let person: Person
  let count = 0
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance)
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const after = (ms: number) => new Date(instance.clock.now().getTime() + ms).toISOString()
  const store = async (body: Record<string, unknown>) => {
    const made = await instance.post('/api/emails', {
      from: 'Ana <ana@example.org>',
      to: ['me@example.org'],
      messageId: `m${++count}@x.example`,
      date: instance.clock.now().toISOString(),
      text: 'x',
      ...body,
    })
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    instance.clock.advance(1000)
    return made.body as { id: number; threadId: number; messageId: string }
  }
  const read = async (id: number) => (await instance.get(`/api/emails/${id}`)).body
  const patch = (id: number, body: object) => instance.call('PATCH', `/api/emails/${id}`, { body })
  const patchThreads = (threadIds: number[], change: object, folder = 'inbox') =>
    instance.call('PATCH', '/api/threads', { body: { threadIds, folder, change } })
  const subjects = async (query: string): Promise<string[]> =>
    (await instance.get(`/api/threads?${query}`)).body.threads.map((one: { subject: string }) => one.subject)
  /** Reads the list in pages of one conversation. */
  const subjectsByOne = async (query: string): Promise<string[]> => {
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await instance.get(`/api/threads?limit=1&${query}${cursor}`)
      found.push(...body.threads.map((one: { subject: string }) => one.subject))
      if (body.nextCursor === null) return found
      cursor = `&cursor=${body.nextCursor}`
    }
  }
  /** Runs the periodic job. Jobs on PostgreSQL use the clock of the database, which tests cannot move. */
  const sweep = async (payload = {}) => {
    const { jobs } = instance.app
    const id = (await jobs.enqueue(instance.database.db, 'mail-reminders', payload)) as string
    while ((await jobs.find(id))?.state !== 'done') await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const pass = async (ms: number) => {
    instance.clock.advance(ms)
    await sweep()
  }
  const dueOf = async (id: number) => {
    const rows = await instance.database.db
      .selectFrom('changes')
      .select('data')
      .where('type', '=', 'email.due')
      .where('subject', '=', String(id))
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    return rows.map(({ data }) => JSON.parse(data))
  }
  const notificationsOf = async (id: number) =>
    (
      await instance.get('/api/notifications?kind=mail_due&limit=100', await signIn(instance, person.email))
    ).body.notifications
      .filter(({ link }: { link: string }) => link === `/mail/inbox/${id}`)
      .map(({ title, body }: { title: string; body: string }) => [title, body])

  /** The counts of the badges equal the lengths of the lists. */
  const expectCounts = async () => {
    const lengthOf = async (path: string, name: string) =>
      (await instance.get(`${path}&limit=200`)).body[name].length
    expect((await instance.get('/api/emails/counts')).body).toEqual({
      inbox: await lengthOf('/api/emails?folder=inbox&unread=true', 'emails'),
      archive: await lengthOf('/api/emails?folder=archive&unread=true', 'emails'),
      drafts: await lengthOf('/api/emails?folder=drafts', 'emails'),
      snoozed: await lengthOf('/api/threads?snoozed=true', 'threads'),
    })
  }

  it('a snoozed conversation leaves the inbox and returns to its top once, with a notification', async () => {
    const first = await store({ subject: 'Snooze 1', tags: ['snooze'] })
    const answer = await store({ subject: 'Re: Snooze 1', inReplyTo: first.messageId, tags: ['snooze'] })
    await store({ subject: 'Snooze 2', tags: ['snooze'] })
    const until = after(2 * HOUR)
    const changed = await patchThreads([first.threadId], { snoozedUntil: until })
    expect([changed.status, changed.body.emails]).toEqual([
      200,
      [
        expect.objectContaining({ id: answer.id, snoozedUntil: null, pinned: false, returned: null }),
        expect.objectContaining({ id: first.id }),
      ],
    ])
    expect(await read(first.id)).toMatchObject({ snoozedUntil: until, folder: 'inbox', returned: null })
    expect(await subjects('folder=inbox&tag=snooze')).toEqual(['Snooze 2'])
    for (const query of ['snoozed=true&tag=snooze', 'q=is:snoozed tag:snooze', 'folder=inbox&snoozed=true'])
      expect([query, await subjects(query)]).toEqual([query, ['Re: Snooze 1']])
    // Other lists and searches contain it.
    expect(await subjects('tag=snooze')).toEqual(['Snooze 2', 'Re: Snooze 1'])
    const { emails } = (await instance.get('/api/emails?folder=inbox&tag=snooze')).body
    expect(emails).toHaveLength(1)
    await expectCounts()
    await pass(HOUR)
    expect(await dueOf(answer.id)).toEqual([])
    await store({ subject: 'Snooze 3', tags: ['snooze'] })
    await pass(HOUR)
    await sweep()
    const newer = await store({ subject: 'Snooze 4', tags: ['snooze'] })
    const order = ['Snooze 4', 'Re: Snooze 1', 'Snooze 3', 'Snooze 2']
    expect(await subjects('folder=inbox&tag=snooze')).toEqual(order)
    expect(await subjectsByOne('folder=inbox&tag=snooze')).toEqual(order)
    await expectCounts()
    expect(await subjects('tag=snooze')).toEqual(['Snooze 4', 'Snooze 3', 'Snooze 2', 'Re: Snooze 1'])
    const [due, ...others] = await dueOf(answer.id)
    expect(others).toEqual([])
    expect(await dueOf(first.id)).toEqual([])
    expect(due).toMatchObject({ subject: 'Re: Snooze 1', returned: { reason: 'snooze' } })
    expect(await notificationsOf(answer.id)).toEqual([['Back from snooze: Re: Snooze 1', 'From Ana']])
    const { threads } = (await instance.get('/api/threads?folder=inbox&tag=snooze')).body
    expect(threads[1]).toMatchObject({ returned: due.returned, snoozedUntil: null, messageCount: 2 })
    // The archive ends the mark, and undo restores it.
    const archived = await patchThreads([first.threadId], { folder: 'archive' })
    expect((await read(answer.id)).returned).toBeNull()
    await instance.call('PATCH', '/api/emails', { body: { emails: archived.body.emails } })
    expect(await read(answer.id)).toMatchObject({ folder: 'inbox', returned: due.returned })
    expect(await subjectsByOne('folder=inbox&tag=snooze')).toEqual(order)
    await patchThreads([newer.threadId, first.threadId], { folder: 'archive' })
  })

  it('a new email of a snoozed conversation brings it back at once', async () => {
    const mail = await store({ subject: 'Woken' })
    const old = new Date(instance.clock.now().getTime() - DAY).toISOString()
    await patch(mail.id, { snoozedUntil: after(HOUR) })
    // A message that is found late belongs to the snoozed conversation.
    const late = await store({ subject: 'Woken', date: old, references: [mail.messageId] })
    expect((await read(late.id)).snoozedUntil).toBe((await read(mail.id)).snoozedUntil)
    await store({ subject: 'Re: Woken', folder: 'sent', inReplyTo: mail.messageId })
    expect((await read(mail.id)).snoozedUntil).not.toBeNull()
    await store({ subject: 'Re: Woken', inReplyTo: mail.messageId })
    expect([(await read(mail.id)).snoozedUntil, (await read(late.id)).snoozedUntil]).toEqual([null, null])
    await pass(2 * HOUR)
    expect(await dueOf(mail.id)).toEqual([])
  })

  it('a snooze ends with a move, and can be changed and removed', async () => {
    const moved = await store({ subject: 'Moved' })
    await patch(moved.id, { snoozedUntil: after(HOUR) })
    await patch(moved.id, { folder: 'trash' })
    const changed = await store({ subject: 'Changed' })
    await patch(changed.id, { snoozedUntil: after(HOUR) })
    await patch(changed.id, { snoozedUntil: after(3 * HOUR) })
    const removed = await store({ subject: 'Removed' })
    await patch(removed.id, { snoozedUntil: after(HOUR) })
    await patch(removed.id, { snoozedUntil: null })
    await pass(2 * HOUR)
    for (const { id } of [moved, changed, removed]) expect(await dueOf(id)).toEqual([])
    await pass(2 * HOUR)
    expect(await dueOf(changed.id)).toHaveLength(1)
    // An archived email returns to the inbox, and stays in its folder.
    await patch(changed.id, { folder: 'archive' })
    await patch(changed.id, { snoozedUntil: after(HOUR) })
    expect(await subjects('folder=inbox')).not.toContain('Changed')
    await pass(2 * HOUR)
    expect((await subjects('folder=inbox'))[0]).toBe('Changed')
    expect((await read(changed.id)).folder).toBe('archive')
    await patchThreads([changed.threadId], { folder: 'archive' })
    expect(await subjects('folder=inbox')).not.toContain('Changed')
  })

  it('times must be in the future', async () => {
    const mail = await store({ subject: 'Past' })
    const sent = await store({ subject: 'Past', folder: 'sent' })
    for (const [id, field, value, message] of [
      [mail.id, 'snoozedUntil', after(-HOUR), 'must be in the future'],
      [mail.id, 'snoozedUntil', after(3000 * DAY), 'must be within five years'],
      [sent.id, 'followUpAt', after(-HOUR), 'must be in the future'],
      [mail.id, 'followUpAt', after(HOUR), 'can only be set for sent emails and drafts'],
    ] as const) {
      const { status, body } = await patch(id, { [field]: value })
      expect([status, body.errors[0].path, body.errors[0].message]).toEqual([
        400,
        field,
        expect.stringContaining(message),
      ])
    }
    expect((await patchThreads([mail.threadId], { snoozedUntil: after(-HOUR) })).status).toBe(400)
    expect((await patch(mail.id, { snoozedUntil: 'soon' })).status).toBe(400)
  })

  it('a sent email without an answer returns to the inbox, and an answer prevents it', async () => {
    const sent = async (subject: string) => {
      const mail = await store({
        subject,
        folder: 'sent',
        from: 'me@example.org',
        to: ['Ben Okafor <ben@example.org>', 'cleo@example.org'],
      })
      expect((await patch(mail.id, { followUpAt: after(DAY) })).status).toBe(200)
      return mail
    }
    const [open, answered, automatic] = [await sent('Open'), await sent('Answered'), await sent('Automatic')]
    await store({ subject: 'Re: Answered', from: 'ben@example.org', inReplyTo: answered.messageId })
    const raw = [
      'From: ben@example.org',
      'To: me@example.org',
      'Subject: Re: Automatic',
      `In-Reply-To: <${automatic.messageId}>`,
      'Auto-Submitted: auto-replied',
      '',
      'I am away.',
    ].join('\r\n')
    const imported = await fetch(`${instance.url}/api/emails`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: raw,
    })
    expect(imported.status).toBe(201)
    // Own emails of the conversation are not answers either.
    await store({ subject: 'Re: Open', folder: 'sent', from: 'me@example.org', inReplyTo: open.messageId })
    expect((await read(answered.id)).followUpAt).toBeNull()
    await pass(2 * DAY)
    expect(await dueOf(answered.id)).toEqual([])
    expect((await dueOf(open.id))[0].returned.reason).toBe('follow-up')
    expect(await notificationsOf(open.id)).toEqual([['No answer from Ben Okafor, cleo@example.org', 'Open']])
    expect(await dueOf(automatic.id)).toHaveLength(1)
    const { threads } = (await instance.get('/api/threads?folder=inbox&limit=2')).body
    expect(threads).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ subject: 'Open', folder: 'sent', returned: expect.anything() }),
      ]),
    )
    // Archiving removes it from the inbox, and it stays in the sent folder.
    const archived = await patchThreads([open.threadId], { folder: 'archive' })
    expect(archived.body.emails).toHaveLength(1)
    expect(await subjects('folder=inbox')).not.toContain('Open')
    expect((await read(open.id)).folder).toBe('sent')
    await instance.call('PATCH', '/api/emails', { body: { emails: archived.body.emails } })
    expect(await subjects('folder=inbox')).toContain('Open')
  })

  it('an answer counts by its references, also if its date is before the email that it answers', async () => {
    const mail = await store({
      folder: 'sent',
      from: 'me@example.org',
      to: ['ana@example.org'],
      subject: 'Offer?',
    })
    await patch(mail.id, { followUpAt: after(DAY) })
    const early = { date: after(-3 * DAY), subject: 'Re: Offer?' }
    await store({ ...early, references: [mail.messageId], inReplyTo: 'unknown@x.example', folder: 'junk' })
    expect((await read(mail.id)).followUpAt).not.toBeNull()
    await store({ ...early, inReplyTo: mail.messageId })
    expect((await read(mail.id)).followUpAt).toBeNull()
  })

  it('a snoozed email is silent in the statistics, the briefing and the lists of the assistant', async () => {
    const other = await register(instance)
    const mail = await instance.post(
      '/api/emails',
      {
        from: 'Ana <ana@example.org>',
        to: ['me@example.org'],
        subject: 'URGENT: server down',
        text: 'Please call me back immediately, production is down. Can you answer today?',
        date: instance.clock.now().toISOString(),
      },
      other,
    )
    const { id } = mail.body
    await instance.post(`/api/emails/${id}/analyze`, undefined, other)
    const figures = async () => (await instance.get('/api/stats', other)).body.emails
    const briefed = async () => JSON.stringify((await instance.get('/api/briefing', other)).body)
    const ask = async (message: string) =>
      JSON.stringify((await instance.post('/api/ai/chat', { message }, other)).body)
    expect(await figures()).toMatchObject({ unread: 1, urgent: 1 })
    expect(await briefed()).toContain('server down')
    expect(await ask('Show my unread emails')).toContain('server down')
    await instance.call('PATCH', `/api/emails/${id}`, { ...other, body: { snoozedUntil: after(DAY) } })
    expect(await figures()).toMatchObject({ total: 1, unread: 0, urgent: 0 })
    expect(await briefed()).not.toContain('server down')
    expect(await ask('Show my unread emails')).not.toContain('server down')
    expect(await ask('What is urgent?')).not.toContain('server down')
    expect(await ask('Find the email from Ana')).toContain('server down')
  })

  it('pinned conversations can be listed apart, and stay pinned with a new email', async () => {
    const pinned = await store({ subject: 'Pinned', tags: ['pin'] })
    await store({ subject: 'Not pinned', tags: ['pin'] })
    await patchThreads([pinned.threadId], { pinned: true })
    const answer = await store({ subject: 'Re: Pinned', tags: ['pin'], inReplyTo: pinned.messageId })
    expect((await read(answer.id)).pinned).toBe(true)
    expect(await subjectsByOne('folder=inbox&pinned=true')).toEqual(['Re: Pinned'])
    expect(await subjects('q=is:pinned')).toEqual(['Re: Pinned'])
    expect(await subjects('folder=inbox&pinned=false&tag=pin')).toEqual(['Not pinned'])
    await patchThreads([pinned.threadId], { pinned: false })
    expect(await subjects('pinned=true')).toEqual([])
  })

  it('rules snooze and pin incoming mail, and undo reverts them', async () => {
    const rule = await instance.post('/api/mail-rules', {
      name: 'Later',
      q: 'from:later@example.org',
      does: { snooze: 'tomorrow', pinned: true },
    })
    expect([rule.status, rule.body.does]).toEqual([
      201,
      expect.objectContaining({ snooze: 'tomorrow', pinned: true }),
    ])
    instance.clock.advance(2000)
    const mail = await store({ subject: 'Ruled', from: 'later@example.org' })
    const stored = await read(mail.id)
    expect([stored.pinned, stored.snoozedUntil > after(0)]).toEqual([true, true])
    const [action] = (await instance.get('/api/actions?limit=1')).body.actions
    expect(action.summary).toBe('By the rule “Later”: “Ruled” pinned, snoozed')
    expect((await instance.post(`/api/actions/${action.id}/undo`)).status).toBe(200)
    expect(await read(mail.id)).toMatchObject({ pinned: false, snoozedUntil: null })
    const run = await instance.post(`/api/mail-rules/${rule.body.id}/run`, {})
    expect([run.body.changed, (await read(mail.id)).pinned]).toEqual([1, true])
    await pass(2 * DAY)
    expect(await dueOf(mail.id)).toHaveLength(1)
  })

  // Two hundred emails take long to store on PostgreSQL, and the statements are the same.
  it.runIf(engine === 'sqlite')('many conversations of one time return once each', async () => {
    const numbers = Array.from({ length: 70 }, (_, n) => n)
    const mails = await Promise.all(numbers.map((n) => store({ subject: `Bulk ${n}`, tags: ['bulk'] })))
    for (const text of ['1', '2'])
      await Promise.all(
        mails.map(({ messageId }, n) =>
          store({ subject: `Re: Bulk ${n}`, inReplyTo: messageId, tags: ['bulk'], text }),
        ),
      )
    const threadIds = mails.map(({ threadId }) => threadId)
    await patchThreads(threadIds, { snoozedUntil: after(DAY) })
    expect(await subjects('folder=inbox&tag=bulk')).toEqual([])
    await pass(2 * DAY)
    const { count } = await instance.database.db
      .selectFrom('changes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('type', '=', 'email.due')
      .where('data', 'like', '%"Re: Bulk %')
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(70)
    const pages = await instance.get('/api/threads?folder=inbox&tag=bulk&limit=30')
    const rest = await instance.get(
      `/api/threads?folder=inbox&tag=bulk&limit=100&cursor=${pages.body.nextCursor}`,
    )
    const listed = [...pages.body.threads, ...rest.body.threads].map(({ id }: { id: number }) => id)
    expect([...listed].sort((a, b) => a - b)).toEqual([...threadIds].sort((a, b) => a - b))
  })

  it('a snooze survives a clock that is set back', async () => {
    const mail = await store({ subject: 'Clock' })
    const at = after(HOUR)
    await patch(mail.id, { snoozedUntil: at })
    instance.clock.advance(-DAY)
    await sweep({ at })
    expect(await dueOf(mail.id)).toEqual([])
    await pass(DAY + 2 * HOUR)
    expect(await dueOf(mail.id)).toHaveLength(1)
  })
})
