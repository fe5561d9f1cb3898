import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDataPlace, onOneDatabase } from './support/databases.ts'
import { calendar, card, gzip, mbox, TICKTICK, TODOIST, tar, zip } from './support/import-files.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const BUSY = new Set(['uploading', 'analysing', 'running', 'undoing'])

onOneDatabase('postgres', 'imports of files', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { TZ_DEFAULT: 'Europe/Vienna', IMPORT_LIMIT_MB: '8' },
    })
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const upload = async (person: Person, filename: string, body: string | Buffer) =>
    instance.call('POST', `/api/imports?filename=${encodeURIComponent(filename)}`, {
      token: person.token,
      body: Buffer.from(body),
      headers: { 'content-type': 'application/octet-stream' },
    })
  const settle = async (person: Person, id: number) => {
    for (;;) {
      const { body } = await instance.get(`/api/imports/${id}`, person)
      if (!BUSY.has(body.state)) return body
      await wait(20)
    }
  }
  const analyse = async (person: Person, filename: string, body: string | Buffer) => {
    const { status, body: created } = await upload(person, filename, body)
    expect([status, created.detail]).toEqual([201, undefined])
    return settle(person, created.id)
  }
  const act = async (person: Person, id: number, action: string, body?: object) => {
    const answer = await instance.call('POST', `/api/imports/${id}/${action}`, {
      token: person.token,
      ...(body && { body }),
    })
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return settle(person, id)
  }
  const run = async (person: Person, filename: string, body: string | Buffer, options = {}) => {
    const { id, state, error } = await analyse(person, filename, body)
    expect([state, error]).toEqual(['ready', null])
    return act(person, id, 'start', options)
  }
  const problems = async (person: Person, id: number) =>
    (await instance.get(`/api/imports/${id}/problems`, person)).body.problems as {
      severity: string
      file: string
      line: number | null
      field: string
      value: string
    }[]
  const emails = async (person: Person, query = '') =>
    (await instance.get(`/api/emails?limit=200${query}`, person)).body.emails

  it('imports an mbox file after a dry run, and undoes it', async () => {
    const person = await register(instance)
    const file = mbox(
      { id: 'one', subject: 'Lunch', header: ['X-Gmail-Labels: Inbox,Unread,Starred,"Plans, 2020"'] },
      {
        id: 'two',
        subject: 'Re: Lunch',
        header: ['In-Reply-To: <one@example.org>', 'X-Mozilla-Status: 0001'],
      },
      { subject: 'No id', text: '>From here on\n\nFrom the heart' },
    )
    const ready = await analyse(person, 'Friends.mbox', file)
    expect(ready).toMatchObject({
      state: 'ready',
      format: 'mbox',
      problemCount: 0,
      counts: { emails: { created: 0 } },
    })
    expect(ready.analysis.emails).toMatchObject({
      count: 3,
      duplicates: 0,
      samples: ['Lunch', 'Re: Lunch', 'No id'],
    })
    expect(await emails(person)).toEqual([])

    const done = await act(person, ready.id, 'start', {})
    expect(done).toMatchObject({
      state: 'done',
      counts: { emails: { created: 3, duplicates: 0, skipped: 0 } },
    })
    const stored = await emails(person)
    const [one, two, three] = ['Lunch', 'Re: Lunch', 'No id'].map((subject) =>
      stored.find((mail: { subject: string }) => mail.subject === subject),
    )
    expect(one).toMatchObject({
      folder: 'inbox',
      read: false,
      starred: true,
      tags: ['Plans, 2020'],
      date: '2020-03-02T09:00:00.000Z',
    })
    expect(two).toMatchObject({ folder: 'archive', read: true, tags: ['Friends'], threadId: one.threadId })
    expect((await instance.get(`/api/emails/${three.id}`, person)).body.text).toBe(
      'From here on\n\nFrom the heart\n',
    )
    const { body: stats } = await instance.get('/api/notifications', person)
    expect(stats.notifications).toEqual([])

    const again = await run(person, 'Friends.mbox', file)
    expect(again.counts.emails).toEqual({ created: 0, updated: 0, duplicates: 3, skipped: 0 })

    await instance.call('PATCH', `/api/emails/${two.id}`, { token: person.token, body: { tags: ['mine'] } })
    await instance.call('PATCH', `/api/emails/${three.id}`, { token: person.token, body: { read: false } })
    const undone = await act(person, done.id, 'undo')
    expect(undone).toMatchObject({ state: 'undone', counts: { undo: { removed: 2, kept: 1 } } })
    expect((await emails(person)).map(({ subject }: { subject: string }) => subject)).toEqual(['Re: Lunch'])
    expect((await instance.post(`/api/imports/${done.id}/undo`, undefined, person)).status).toBe(409)
  })

  it('imports a message although another one has its Message-ID, subject, sender and date', async () => {
    const person = await register(instance)
    const same = { id: 'twice', subject: 'Twice' }
    const first = mbox({ ...same, text: 'Without the offer.' })
    const changed = mbox({ ...same, header: ['X-GM-THRID: 7'], text: 'Without the offer.' })
    const other = mbox({ ...same, text: 'With the offer, at last.' })
    expect((await run(person, 'a.mbox', first)).counts.emails).toMatchObject({ created: 1 })
    expect((await run(person, 'b.mbox', changed)).counts.emails).toMatchObject({ created: 0, duplicates: 1 })
    const ready = await analyse(person, 'c.mbox', other)
    expect((await act(person, ready.id, 'start', {})).counts.emails).toMatchObject({ created: 1 })
    expect((await run(person, 'c.mbox', other)).counts.emails).toMatchObject({ created: 0, duplicates: 1 })
    expect(await emails(person)).toHaveLength(2)
  })

  it('imports all parts of Google Takeout from zip and tgz', async () => {
    const files = {
      'Takeout/Mail/All mail Including Spam and Trash.mbox': mbox({
        id: 'three',
        subject: 'Hello',
        header: ['X-Gmail-Labels: =?UTF-8?Q?Archiviert,Ge=C3=B6ffnet?='],
      }),
      'Takeout/Contacts/All/All.vcf': card('Ben Okafor', 'ben@example.net', 'X-MOOD:calm', 'TEL:+431'),
      'Takeout/Calendar/Work.ics': calendar('Team meeting', 'Review'),
      'Takeout/Tasks/Tasks.json': JSON.stringify({
        kind: 'tasks#taskLists',
        items: [
          {
            title: 'Errands',
            items: [{ id: 'a', title: 'Buy milk', status: 'needsAction', due: '2026-12-01T00:00:00Z' }],
          },
        ],
      }),
      'Takeout/archive_browser.html': '<html></html>',
    }
    const person = await register(instance)
    const done = await run(person, 'takeout.zip', await zip(files))
    expect([done.format, done.state]).toEqual(['takeout', 'done'])
    for (const [kind, created] of Object.entries({ emails: 1, contacts: 1, events: 2, tasks: 1 }))
      expect([kind, done.counts[kind].created]).toEqual([kind, created])
    expect(await problems(person, done.id)).toMatchObject([
      { severity: 'unknown', file: 'Takeout/Contacts/All/All.vcf', field: 'X-MOOD', value: 'calm' },
      { severity: 'unknown', file: 'Takeout/archive_browser.html' },
    ])
    expect((await emails(person))[0]).toMatchObject({ folder: 'archive', read: true, tags: [] })
    const { body: events } = await instance.get(
      '/api/calendar/events?start=2020-03-01&end=2020-04-01',
      person,
    )
    expect(events.events.map(({ start }: { start: string }) => start)).toEqual([
      '2020-03-01T08:00:00.000Z',
      '2020-03-02T08:00:00.000Z',
    ])

    const again = await run(person, 'takeout.tgz', await gzip(await tar(files)))
    for (const kind of ['emails', 'contacts', 'events', 'tasks'])
      expect([kind, again.counts[kind].created, again.counts[kind].duplicates]).toEqual([
        kind,
        0,
        done.counts[kind].created,
      ])

    expect((await act(person, done.id, 'undo')).counts.undo).toEqual({ removed: 6, kept: 0 })
    for (const [path, list] of [
      ['/api/emails', 'emails'],
      ['/api/contacts?known=true', 'contacts'],
      ['/api/tasks', 'tasks'],
      ['/api/calendar/events', 'events'],
    ] as const)
      expect([path, (await instance.get(path, person)).body[list]]).toEqual([path, []])
    expect((await instance.get('/api/task-lists', person)).body.taskLists).toHaveLength(1)
  })

  it('imports tasks of Todoist and TickTick, and reports what does not fit', async () => {
    const person = await register(instance)
    const todoist = await run(person, 'Private [2203].csv', TODOIST)
    expect([todoist.format, todoist.counts.tasks.created]).toEqual(['todoist-csv', 4])
    const ticktick = await run(person, 'TickTick-backup.csv', TICKTICK)
    expect([ticktick.format, ticktick.counts.tasks.created]).toEqual(['ticktick-csv', 2])
    const { body } = await instance.get('/api/tasks?limit=50', person)
    const task = (title: string) => body.tasks.find((one: { title: string }) => one.title === title)
    expect(task('Buy milk')).toMatchObject({
      priority: 'urgent',
      dueDay: '2026-12-01',
      tags: ['shop'],
      notes: '2 litres, fresh',
    })
    expect(task('Take the receipt')).toMatchObject({
      notes: expect.stringContaining('Ask for a bag'),
      parentId: task('Buy milk').id,
    })
    expect(task('Water plants').recurrence).toBe('FREQ=DAILY')
    expect(task('Clean the windows')).toMatchObject({
      priority: 'urgent',
      dueAt: '2026-12-24T08:00:00.000Z',
      remindAt: '2026-12-24T07:45:00.000Z',
      recurrence: 'FREQ=WEEKLY;INTERVAL=2',
      tags: ['spring', 'glass', 'Home'],
      notes: '- [ ] Kitchen\n- [x] Bath\n\nPomodoros: 4',
    })
    expect((await instance.get('/api/tasks?status=done', person)).body.tasks).toMatchObject([
      { title: 'Old job', completedAt: '2025-02-01T00:00:00.000Z' },
    ])
    const { body: lists } = await instance.get('/api/task-lists', person)
    expect(lists.taskLists.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Chores',
      'Inbox',
      'Private',
    ])
    const found = (await problems(person, todoist.id)).map(({ severity, line, field }) => [
      severity,
      line,
      field,
    ])
    expect(found).toEqual([
      ['changed', 4, 'Assigned to'],
      ['unknown', 7, 'COLOUR'],
      ['changed', 7, 'DATE'],
      ['skipped', 8, 'TYPE'],
    ])
    const csv = await fetch(`${instance.url}/api/imports/${todoist.id}/problems.csv`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    expect(await csv.text()).toContain('changed,,7,DATE,every other full moon,')
    const { analysis } = await analyse(person, 'Private [2203].csv', TODOIST)
    expect(analysis.tasks).toMatchObject({ count: 4, duplicates: 4 })
    const again = await run(person, 'Private [2203].csv', TODOIST)
    expect(again.counts.tasks).toMatchObject({ created: 0, duplicates: 4 })
  })

  it('reads recurring dates of Todoist, also those that count from the completion', async () => {
    const person = await register(instance)
    const dates = [
      ['every 3rd friday', 'en', 'FREQ=MONTHLY;BYDAY=3FR'],
      ['every first Monday', 'en', 'FREQ=MONTHLY;BYDAY=1MO'],
      ['jeden 3. Freitag', 'de', 'FREQ=MONTHLY;BYDAY=3FR'],
      ['ev weekday', 'en', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
      ['on the last Thursday of every month', 'en', 'FREQ=MONTHLY;BYDAY=-1TH'],
      ['every! 2 weeks', 'en', 'FREQ=WEEKLY;INTERVAL=2'],
      ['every halloween', 'en', null],
    ]
    const file = [
      'TYPE,CONTENT,PRIORITY,INDENT,DATE,DATE_LANG',
      ...dates.map(([date, language]) => `task,${date},4,1,${date},${language}`),
      '',
    ].join('\r\n')
    const { id } = await run(person, 'Chores.csv', file)
    const { tasks } = (await instance.get('/api/tasks', person)).body
    for (const [title, , recurrence] of dates)
      expect(tasks).toContainEqual(
        expect.objectContaining({
          title,
          recurrence,
          recurrenceFrom: title?.includes('!') ? 'completion' : 'due',
        }),
      )
    expect(await problems(person, id)).toMatchObject([
      {
        severity: 'changed',
        field: 'DATE',
        value: 'every halloween',
        reason: 'The task does not repeat: its date was added to the notes.',
      },
    ])
  })

  it('reads Google Takeout as Google writes it in German, and in the format for large archives', async () => {
    const person = await register(instance)
    const labels = (text: string) => ({ header: [`X-Gmail-Labels: ${text}`] })
    const mails = mbox(
      { id: 'g1', subject: 'One', ...labels('Posteingang,Wichtig,Ungelesen') },
      { id: 'g2', subject: 'Two', ...labels('=?UTF-8?Q?Gesendet,Ge=C3=B6ffnet?=') },
      { id: 'g3', subject: 'Three', ...labels('=?UTF-8?B?RW50d8O8cmZl?=') },
      { id: 'g4', subject: 'Four', ...labels('Papierkorb,Markiert,Kategorie: Werbung') },
      { id: 'g5', subject: 'Five' },
    )
    const files = {
      'Takeout/E-Mail/Alle E-Mails einschließlich Spam- und Papierkorb-E-Mails.mbox': mails,
      'Takeout/Kontakte/Alle Kontakte/Alle Kontakte.vcf': card('Ben Okafor', 'ben@example.net'),
      'Takeout/Kontakte/Meine Kontakte/Meine Kontakte.vcf': card('Ben Okafor', 'ben@example.net'),
      'Takeout/Kalender/Arbeit.ics': calendar('Termin'),
    }
    const done = await run(person, 'takeout-20260101T000000Z-001.zip', await zip(files, { isZip64: true }))
    expect([done.format, done.state, done.problemCount]).toEqual(['takeout', 'done', 0])
    expect(done.counts).toMatchObject({
      emails: { created: 5 },
      contacts: { created: 1, duplicates: 1 },
      events: { created: 1 },
    })
    const all = (await Promise.all(
      ['inbox', 'sent', 'drafts', 'trash', 'archive'].map((folder) => emails(person, `&folder=${folder}`)),
    )) as { subject: string; tags: string[] }[][]
    expect(all.map((list) => list.map(({ subject, tags }) => [subject, tags]))).toEqual([
      [['One', ['Wichtig']]],
      [['Two', []]],
      [['Three', []]],
      [['Four', ['Werbung']]],
      [['Five', []]],
    ])
  })

  it('continues after a restart without duplicates', async () => {
    const place = await makeDataPlace(engine, 'prepared')
    const file = mbox(
      ...Array.from({ length: 70 }, (_, index) => ({
        ...(index % 2 === 0 && { id: `r${index}` }),
        subject: `Mail ${index}`,
      })),
    )
    const first = await startInstance({ place })
    const person = await register(first)
    const imports = first.app.features.fileImports
    const row = await imports.upload(
      person.id,
      { filename: 'Old.mbox' },
      (async function* () {
        yield Buffer.from(file)
      })(),
    )
    const context = { signal: new AbortController().signal, isLastAttempt: true }
    await imports.work(person.id, row.id, context)
    await imports.start(person.id, row.id, {}, undefined)
    const stop = new AbortController()
    const stopped = imports.work(person.id, row.id, {
      signal: stop.signal,
      isLastAttempt: true,
      onProgress: () => stop.abort(),
    })
    await expect(stopped).rejects.toThrow()
    const { counts } = await imports.get(person.id, row.id)
    expect(counts.emails.created).toBe(25)
    await first.close()

    const second = await startInstance({ place })
    await second.app.jobs.start()
    for (;;) {
      const { state, counts } = await second.app.features.fileImports.get(person.id, row.id)
      if (state === 'done') {
        expect(counts.emails).toEqual({ created: 70, updated: 0, duplicates: 0, skipped: 0 })
        break
      }
      await wait(20)
    }
    const { rows } = await second.database.db
      .selectFrom('emails')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('userId', '=', person.id)
      .execute()
      .then((all) => ({ rows: Number(all[0]?.count) }))
    expect(rows).toBe(70)
    await second.close()
    await place.remove()
  })

  it('refuses hostile and unknown files, and too large ones', async () => {
    const person = await register(instance)
    const failures: [string, string | Buffer, RegExp][] = [
      ['x.bin', Buffer.from([1, 2, 3, 4]), /format of the file is unknown/],
      ['x.csv', 'a,b\n1,2\n', /columns come from no known program: a, b/],
      ['x.json', '{"a":1}', /no known program/],
      ['x.json', '[{', /not valid JSON/],
      ['x.tar', await tar({ '../../etc/passwd': 'x' }), /points outside the archive/],
      ['x.tar', await tar({ 'a.ics': calendar('A') }, { 'b.ics': '/etc/passwd' }), /is a link/],
      [
        'x.tgz',
        (await gzip(await tar({ 'a.ics': calendar('A') }))).subarray(0, 100),
        /damaged or incomplete/,
      ],
      ['x.zip', (await zip({ 'a.ics': calendar('A') })).subarray(0, 150), /The archive was refused/],
      [
        'bomb.mbox.gz',
        await gzip(Buffer.concat([Buffer.from(mbox({ subject: 'Bomb' })), Buffer.alloc(66 * 1024 * 1024)])),
        /impossible size/,
      ],
    ]
    for (const [name, bytes, reason] of failures) {
      const { state, error } = await analyse(person, name, bytes)
      expect([name, state]).toEqual([name, 'failed'])
      expect(error).toMatch(reason)
    }
    expect((await upload(person, 'x.mbox', '')).status).toBe(400)
    const large = await upload(person, 'x.mbox', Buffer.alloc(9 * 1024 * 1024))
    expect([large.status, large.body.code]).toEqual([413, 'too_large'])
    expect(
      (
        await instance.call('POST', '/api/imports?filname=x', {
          token: person.token,
          body: Buffer.from('x'),
          headers: { 'content-type': 'application/octet-stream' },
        })
      ).status,
    ).toBe(400)
    const ready = await analyse(person, 'x.ics', calendar('A'))
    expect(
      (await instance.post(`/api/imports/${ready.id}/start`, { calendarId: 999_999 }, person)).status,
    ).toBe(400)
    expect(
      (await instance.post(`/api/imports/${ready.id}/start`, { mailAccountId: 'none' }, person)).status,
    ).toBe(400)
    expect((await instance.post(`/api/imports/${ready.id}/undo`, undefined, person)).status).toBe(409)
    const cancelled = await instance.post(`/api/imports/${ready.id}/cancel`, undefined, person)
    expect([cancelled.status, cancelled.body.state]).toEqual([200, 'cancelled'])
    expect((await instance.call('DELETE', `/api/imports/${ready.id}`, { token: person.token })).status).toBe(
      204,
    )
    const { rows } = await instance.database.db
      .selectFrom('file_import_pieces')
      .select('importId')
      .where('userId', '=', person.id)
      .where('importId', '=', ready.id)
      .execute()
      .then((rows) => ({ rows }))
    expect(rows).toEqual([])
  })
})
