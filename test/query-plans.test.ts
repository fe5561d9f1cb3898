import SQLite from 'better-sqlite3'
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { openDatabase, sqliteFile } from '../src/database/database.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { migrate } from '../src/database/migrate.ts'
import { openHandle, openReader } from '../src/database/sqlite-handle.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { connectBookingFixture, handlesOf } from './support/booking-fixture.ts'
import { bookingOf } from './support/booking-server.ts'
import { startCalcom } from './support/calcom.ts'
import { toChange } from './support/changes.ts'
import { DAY } from './support/clock.ts'
import { makeDataPlace } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { listMail } from './support/list-mail.ts'
import { storeMail } from './support/meeting-mail.ts'
import { PASSWORD, register, signIn } from './support/people.ts'
import { sampleOf } from './support/scale.ts'
import { callTool } from './support/tool-call.ts'

/** Small tables, for which a full scan is fine. */
const SMALL = [
  'migrations',
  'migration_lock',
  'samples',
  'used',
  'due',
  'ai_keys',
  'calendar_accounts',
  'mail_rules',
  'job_schedules',
  'activity_seal',
  'instance_settings',
  'backup_schedule',
  'budget',
  // One row per account with a provider. A webhook tries the secrets of all of them.
  'booking_settings',
  'unreadable_bookings',
  'ranges',
  'threads',
  // One page of the matches of a search.
  'hits',
  'best',
  // The positions of the emails that match a rare filter.
  'json_each',
  // The subtasks of one task, which are bounded.
  'tree',
  'path',
  // The newest emails of a thread, at most 100.
  'member',
  // Uses that are not counted yet, by id and limited.
  'contact_uses',
  // Emails that are not read yet, by id and limited.
  'commitment_mails',
  'reservation_mails',
  // Sign-ins in progress. They live for minutes.
  'oauth_states',
  'pragma_page_count',
  'pragma_page_size',
]

const combine = (choices: readonly (readonly string[])[]): string[] =>
  choices.reduce<string[]>(
    (made, options) => made.flatMap((one) => options.map((option) => one + option)),
    [''],
  )

/** Calls every combination of task filters, two pages each, and all task operations. */
const visitTasks = async (instance: Instance, token: string): Promise<void> => {
  const ids: number[] = []
  for (const status of ['todo', 'todo', 'doing', 'doing', 'done', 'done']) {
    const task = {
      title: 'rent',
      status,
      priority: 'high',
      tags: ['home'],
      dueAt: '2100-01-01',
      recurrence: 'FREQ=DAILY',
    }
    const made = await instance.post('/api/tasks', task)
    expect(made.status).toBe(201)
    ids.push(made.body.id)
  }
  const { body: lists } = await instance.get('/api/task-lists')
  const inbox = `&listId=${lists.taskLists[0].id}`
  const queries = combine([
    ['', '&status=open', '&status=todo', '&status=done'],
    ['', '&priority=high'],
    ['', '&tag=home'],
    ['', inbox],
    ['', '&dueBefore=2200-01-01'],
    ['', '&q=re'],
  ])
  for (const query of queries) {
    const first = await instance.get(`/api/tasks?limit=1${query}`)
    expect([query, first.status, typeof first.body.nextCursor]).toEqual([query, 200, 'string'])
    await instance.get(`/api/tasks?limit=1${query}&cursor=${first.body.nextCursor}`)
  }
  for (const dueDay of ['2020-01-01', '2020-01-02'])
    await instance.post('/api/tasks', { title: 'rent', priority: 'high', tags: ['home'], dueDay })
  const late = combine([
    ['', '&priority=high'],
    ['', '&tag=home'],
    ['', inbox],
    ['', '&dueBefore=2200-01-01'],
    ['', '&q=re'],
  ])
  for (const query of late) {
    const first = await instance.get(`/api/tasks?limit=1&status=overdue${query}`)
    expect([query, first.status, typeof first.body.nextCursor]).toEqual([query, 200, 'string'])
    await instance.get(`/api/tasks?limit=1&status=overdue${query}&cursor=${first.body.nextCursor}`)
  }
  const conditions = [
    '#home',
    '!high -#work',
    'due:>2090-01-01 due:<2200-01-01',
    'list:Inbox',
    '(list:Inbox | assignee:me) no:date',
    'text:rent overdue',
  ]
  for (const query of combine([
    ['', '&status=open', '&status=done', '&status=overdue'],
    conditions.map((filter) => `&filter=${encodeURIComponent(filter)}`),
  ])) {
    const { body } = await instance.get(`/api/tasks?limit=1${query}`)
    if (body.nextCursor) await instance.get(`/api/tasks?limit=1${query}&cursor=${body.nextCursor}`)
  }
  const { body: saved } = await instance.post('/api/task-filters', { name: 'Rent', query: 'text:rent' })
  await instance.get('/api/task-filters')
  await instance.get(`/api/tasks?filterId=${saved.id}`)
  await instance.call('PATCH', `/api/task-filters/${saved.id}`, { body: { name: 'Rents' } })
  await instance.call('DELETE', `/api/task-filters/${saved.id}`)
  const input = { name: 'Rents', tasks: [{ title: 'rent' }, { title: 'sign', depth: 1 }] }
  const { body: template } = await instance.post('/api/task-templates', input)
  await instance.get('/api/task-templates')
  await instance.call('PATCH', `/api/task-templates/${template.id}`, { body: { name: 'Rent' } })
  const { body: applied } = await instance.post(`/api/task-templates/${template.id}/apply`, {})
  await instance.post('/api/task-templates', { name: 'Again', taskId: applied.tasks[0].id })
  expect((await instance.post(`/api/actions/${applied.actionId}/undo`)).status).toBe(200)
  await instance.call('DELETE', `/api/task-templates/${template.id}`)
  const preferences = await instance.call('PATCH', '/api/settings/preferences', {
    token,
    body: { timezone: 'Asia/Tokyo' },
  })
  expect(preferences.status).toBe(200)
  await instance.call('PATCH', `/api/tasks/${ids[0]}`, { body: { status: 'done', tags: [] } })
  await instance.call('PATCH', `/api/tasks/${ids[0]}`, { body: { status: 'todo' } })
  await instance.get(`/api/tasks/${ids[0]}`)
  await instance.call('DELETE', `/api/tasks/${ids[0]}`)
  const { body: list } = await instance.post('/api/task-lists', { name: 'Household' })
  await instance.call('PATCH', `/api/task-lists/${list.id}`, { body: { visible: false } })
  await instance.get(`/api/task-lists/${list.id}`)
  await instance.call('PATCH', `/api/tasks/${ids[1]}`, { body: { listId: list.id } })
  expect((await instance.call('DELETE', `/api/task-lists/${list.id}`)).status).toBe(204)
  await instance.get('/api/stats')
  expect(
    (await instance.post('/api/tasks/plan', { start: '2100-01-01', end: '2100-01-02', taskIds: [1] })).status,
  ).toBe(200)
  await instance.get('/api/tags')
  const mail = {
    from: 'ben@example.org',
    to: ['ana@example.org'],
    text: 'Please send me the report by Friday.',
  }
  const { body: email } = await instance.post('/api/emails', mail)
  const analyzed = await instance.post(`/api/emails/${email.id}/analyze?apply=true`)
  expect([analyzed.status, analyzed.body.taskIds.length]).toEqual([200, 1])
  const row = {
    userId: await getLocalUserId(instance.database.db),
    kind: 'k',
    summary: 's',
    payload: '{}',
    at: '2026-01-01T00:00:00.000Z',
    undoneAt: null,
  }
  await instance.database.db.insertInto('actions').values([row, row]).execute()
  const { body } = await instance.get('/api/actions?limit=1')
  await instance.get(`/api/actions?limit=1&cursor=${body.nextCursor}`)
  await instance.post('/api/actions/1/undo')
}

/** Calls all operations on comments and time entries, two pages of each list. */
const visitContributions = async (instance: Instance, task: string, as: { token: string }): Promise<void> => {
  const times = { startedAt: '2026-03-01T09:00:00Z', endedAt: '2026-03-01T10:00:00Z' }
  for (const [path, body, change] of [
    [`${task}/comments`, { text: 'read' }, { text: 'changed' }],
    [`${task}/time-entries`, times, { note: 'changed' }],
  ] as const) {
    const ids: number[] = []
    for (let n = 0; n < 3; n++) ids.push((await instance.post(path, body, as)).body.id)
    const first = await instance.get(`${path}?limit=1`, as)
    await instance.get(`${path}?limit=1&cursor=${first.body.nextCursor}`, as)
    await instance.call('PATCH', `${path}/${ids[0]}`, { ...as, body: change })
    expect((await instance.call('DELETE', `${path}/${ids[0]}`, as)).status).toBe(204)
  }
  for (const verb of ['start', 'stop', 'start'])
    expect((await instance.post(`${task}/time-entries/${verb}`, undefined, as)).status).toBe(200)
  for (const query of ['', '&running=true', '&running=false']) {
    const first = await instance.get(`/api/time-entries?limit=1${query}`, as)
    if (first.body.nextCursor === null) continue
    await instance.get(`/api/time-entries?limit=1${query}&cursor=${first.body.nextCursor}`, as)
  }
}

/** Calls the lists and operations of tasks that another account shares. */
const visitSharedTasks = async (instance: Instance, token: string): Promise<void> => {
  const member = await register(instance)
  const { body: list } = await instance.post('/api/task-lists', { name: 'Shared' }, { token })
  const input = { email: member.email, role: 'editor' }
  const { body: share } = await instance.post(`/api/task-lists/${list.id}/shares`, input, { token })
  await instance.post(`/api/shares/${share.id}/accept`, undefined, { token: member.token })
  const as = { token: member.token }
  const ids: number[] = []
  for (let n = 0; n < 3; n++) {
    const task = { title: 'rent', listId: list.id, priority: 'high', tags: ['home'], dueAt: '2020-01-01' }
    ids.push((await instance.post('/api/tasks', task, as)).body.id)
  }
  for (const query of combine([
    ['', '&status=open', '&status=todo', '&status=overdue'],
    ['', '&priority=high'],
    ['', '&tag=home'],
    ['', `&listId=${list.id}`],
    ['', '&dueBefore=2200-01-01'],
    ['', '&q=re'],
  ])) {
    const first = await instance.get(`/api/tasks?limit=1${query}`, as)
    expect([query, first.status, typeof first.body.nextCursor]).toEqual([query, 200, 'string'])
    await instance.get(`/api/tasks?limit=1${query}&cursor=${first.body.nextCursor}`, as)
  }
  await instance.get('/api/task-lists', as)
  await instance.call('PATCH', `/api/task-lists/${list.id}`, { ...as, body: { color: '#123456' } })
  await instance.post(`/api/task-lists/${list.id}/sections`, { name: 'Soon' }, { token })
  for (const filter of ['!high #home', 'list:Shared', '/Soon', 'assignee:Ana'])
    expect((await instance.get(`/api/tasks?limit=1&filter=${encodeURIComponent(filter)}`, as)).status).toBe(
      200,
    )
  const path = `/api/tasks/${ids[0]}`
  await instance.get(path, as)
  await visitContributions(instance, path, as)
  await visitContributions(instance, path, { token })
  for (const body of [{ remindAt: '2100-01-01' }, { title: 'm' }, { remindAt: null }, { status: 'done' }])
    expect((await instance.call('PATCH', path, { ...as, body })).status).toBe(200)
  await instance.call('DELETE', path, as)
  const { body: inbox } = await instance.get('/api/task-lists', { token })
  const moved = { token, body: { listId: inbox.taskLists[0].id } }
  expect((await instance.call('PATCH', `/api/tasks/${ids[1]}`, moved)).status).toBe(200)
  expect((await instance.call('DELETE', `/api/task-lists/${list.id}?tasks=delete`, { token })).status).toBe(
    204,
  )
}

/** Calls keys, models, usage, conversations and pending actions, two pages of each list. */
const visitAi = async (instance: Instance, person: { token: string }): Promise<void> => {
  for (const path of ['/api/ai-model', '/api/ai/models', '/api/api-keys', '/api/ai/usage'])
    await instance.get(path)
  await instance.post('/api/ai-model', { model: 'model_a' })
  await instance.post('/api/api-keys', {
    provider: 'openai',
    key: 'sk-0123456789',
    baseUrl: 'http://127.0.0.1:9',
  })
  await instance.call('DELETE', '/api/api-keys/openai')
  const { body } = await instance.post('/api/ai/chat', { message: 'Hello' })
  await instance.post('/api/ai/chat', { message: 'Hello', conversationId: body.conversationId })
  await instance.post('/api/ai/chat', { message: 'Hello again' })
  const event = { title: 'Lunch', start: '2100-01-01T12:00:00Z', tags: ['private'] }
  expect((await instance.post('/api/calendar/events', event)).status).toBe(201)
  // Private content is searched in tasks, events and emails.
  for (const message of [
    'show my tasks',
    'what do I have on 1 January 2100',
    'which mails are urgent',
    'who waits for an answer',
    'give me my statistics',
    'brief me',
  ])
    expect((await instance.post('/api/ai/chat', { message })).body.actions.length).toBeGreaterThan(0)
  const row = {
    conversationId: null,
    tokenId: null,
    userId: await getLocalUserId(instance.database.db),
    source: 'chat' as const,
    tool: 'delete_task',
    input: '{"id":1}',
    summary: '',
    language: 'en' as const,
    about: null,
    status: 'pending' as const,
    result: null,
    error: null,
    journalId: null,
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2200-01-01T00:00:00.000Z',
    decidedAt: null,
  }
  await instance.database.db
    .insertInto('ai_actions')
    .values(['a', 'b', 'c'].map((id) => ({ ...row, id })))
    .execute()
  for (const list of [
    '/api/ai/actions?limit=1',
    '/api/ai/actions?limit=1&status=pending',
    '/api/ai/conversations?limit=1',
    '/api/ai/conversations?limit=1&q=hello',
  ]) {
    const first = await instance.get(list)
    expect([list, first.status, typeof first.body.nextCursor]).toEqual([list, 200, 'string'])
    await instance.get(`${list}&cursor=${first.body.nextCursor}`)
  }
  await instance.get('/api/ai/actions/a')
  await instance.post('/api/ai/actions/a/reject')
  await instance.post('/api/ai/actions/b/confirm', undefined, person)
  await instance.get(`/api/ai/conversations/${body.conversationId}`)
  const renamed = { body: { title: 'Greetings' } }
  await instance.call('PATCH', `/api/ai/conversations/${body.conversationId}`, renamed)
  const retry = { message: 'Hello', conversationId: body.conversationId, replacesLast: true }
  expect((await instance.post('/api/ai/chat', retry)).status).toBe(200)
  await instance.call('DELETE', `/api/ai/conversations/${body.conversationId}`)
}

/** Runs all booking operations: created, rescheduled, deleted, reconciled, received by webhook. */
const visitBookings = async (instance: Instance): Promise<void> => {
  const provider = await startCalcom()
  const { sync, notify } = handlesOf(instance, provider)
  await connectBookingFixture(instance, provider)
  const [one, two, gone] = [bookingOf(), bookingOf(), bookingOf()]
  provider.bookings = [one, two, gone]
  await sync()
  await instance.call('PATCH', `/api/calendar/events/by-bookingsvc/${two.uid}`, { body: { notes: 'n' } })
  const next = bookingOf({ replaces: one.uid })
  Object.assign(one, { status: 'cancelled', replacedBy: next.uid })
  provider.bookings = [one, two, next]
  await sync()
  expect((await sync('?full=true')).body).toMatchObject({ cancelled: 1 })
  await notify(provider.noticeOf(two, 'created', two.createdAt))
  await instance.get('/api/bookingsvc/drift')
  await instance.get('/api/bookingsvc/settings')
  await provider.close()
}

/** Calls usage, budgets and details, and runs the budget job. */
const visitBilling = async (instance: Instance, token: string): Promise<void> => {
  const base = '/api/settings/billing'
  for (const path of ['plan', 'plans', 'usage', 'budgets', 'details', 'invoices'])
    expect([path, (await instance.get(`${base}/${path}`, { token })).status]).toEqual([path, 200])
  await instance.call('PATCH', `${base}/details`, { token, body: { name: 'Ana' } })
  await instance.call('PUT', `${base}/budgets/storageBytes`, { token, body: { limit: 1 } })
  await instance.call('DELETE', `${base}/budgets/storageBytes`, { token })
}

/** Calls every list of the stream, two pages each, and all stream operations. */
const visitStream = async (instance: Instance): Promise<void> => {
  const path = '/api/stream'
  const twice = async (list: string): Promise<void> => {
    const first = await instance.get(`${path}/${list}limit=1`)
    expect([list, first.status, typeof first.body.nextCursor]).toEqual([list, 200, 'string'])
    await instance.get(`${path}/${list}limit=1&cursor=${first.body.nextCursor}`)
  }
  for (let n = 0; n < 2; n++) {
    await instance.post(`${path}/start`)
    await instance.post(`${path}/captions`, { captions: [{ text: 'a' }, { text: 'b' }] })
    await instance.call('PATCH', `${path}/state`, { body: { viewers: n + 1 } })
    if (n === 0) await instance.post(`${path}/stop`)
    await instance.post(`${path}/milestones`, { title: 'm', target: 9, source: 'tasks_completed' })
    await instance.call('PUT', `${path}/credentials/p${n}`, { body: { key: 'k' } })
  }
  for (const list of ['streams?', 'milestones?', 'credentials?']) await twice(list)
  for (const filter of ['', 'language=en&', 'order=desc&', 'language=en&order=desc&'])
    await twice(`captions?${filter}`)
  await instance.call('POST', `${path}/captions`, {
    body: 'WEBVTT\n\n00:00.000 --> 00:01.000\nx',
    headers: { 'content-type': 'text/vtt' },
  })
  const { body } = await instance.get(`${path}/captions`)
  await instance.call('PATCH', `${path}/captions/${body.captions[0].id}`, { body: { language: 'de' } })
  await instance.call('DELETE', `${path}/captions/${body.captions[1].id}`)
  for (const file of ['captions.vtt', 'captions.srt', 'overlay']) await instance.get(`${path}/${file}`)
  await instance.post('/api/calendar/events', { title: 'b', start: '2026-03-02T09:00:00Z', bookingId: 'b1' })
  await instance.post(`${path}/milestones`, { title: 'b', target: 9, source: 'bookings' })
  await instance.post(`${path}/milestones`, { title: 'e', target: 9, source: 'emails_received' })
  await instance.post(`${path}/panic`)
  await instance.call('DELETE', `${path}/milestones/1`)
  await instance.call('DELETE', `${path}/credentials/p0`)
  await instance.call('DELETE', `${path}/captions`)
  await instance.call('DELETE', `${path}/captions?streamId=1&language=en`)
  await instance.call('DELETE', `${path}/streams/1`)
}

/** Calls every email list, search and change. */
const askForMail = async (instance: Instance): Promise<void> => {
  const { body: upload } = await instance.call('POST', '/api/attachments?filename=a.txt', {
    body: 'a',
    headers: { 'content-type': 'text/plain' },
  })
  const mail = { from: 'a@b.example', to: ['c@d.example'], text: 'words', tags: ['one'] }
  for (let n = 0; n < 3; n++)
    await instance.post('/api/emails', { ...mail, subject: `Re: s${n}`, messageId: `m${n}@x` })
  const { body: draft } = await instance.post('/api/emails', { folder: 'drafts', attachmentIds: [upload.id] })
  await instance.call('PATCH', `/api/emails/${draft.id}`, {
    body: { text: 'x', tags: ['t'], date: '2020-01-01' },
  })
  await instance.get(`/api/emails/${draft.id}/attachments/${upload.id}`)
  await instance.get(`/api/emails/${draft.id}/thread?limit=1`)
  await instance.get('/api/emails/counts')
  for (const query of [
    'limit=2',
    'folder=inbox',
    'unread=true',
    'folder=inbox&unread=true',
    'folder=archive',
    'folderId=1',
    'q=in:archive+words',
    'q=-in:archive',
    'unread=false',
    'starred=true',
    'starred=true&folder=inbox',
    'starred=true&tag=one',
    'starred=true&accountId=acc',
    'tag=one',
    'tag=one&folder=inbox',
    'accountId=acc',
    'threadId=1',
    'urgency=high',
    'q=words',
    'q=words&tag=one',
    'q=is:unread',
    'q=has:attachment',
    'q=-words',
    'q=words+-subject:s1',
    'q=words&sort=best',
    'q=words+list:a&sort=best',
    'q=words+list:a',
    'q=words+is:starred',
    'q=words+is:unread+has:attachment&sort=best',
    'q=words+in:trash&accountId=acc&urgency=high',
    'q=wor*',
    'q=words+before:2030-01-01+after:2020-01-01',
    'q=tag:one',
    'q=-tag:one',
    'q=in:inbox',
    'q=before:2030-01-01',
  ]) {
    const first = await instance.get(`/api/emails?limit=1&${query.replace('limit=2', '')}`.replace(/&$/, ''))
    expect([query, first.status]).toEqual([query, 200])
    if (first.body.nextCursor)
      await instance.get(
        `/api/emails?limit=1&${query.replace('limit=2', '')}&cursor=${first.body.nextCursor}`,
      )
  }
  await instance.call('DELETE', `/api/emails/${draft.id}`)
  instance.clock.advance(2 * DAY)
  await instance.app.features.emails.prune()
}

/** Calls two pages of mailing lists, and all their operations. */
const visitMailingLists = async (instance: Instance): Promise<void> => {
  const date = instance.clock.now()
  for (const listId of ['<one.example>', '<two.example>'])
    await storeMail(
      instance,
      listMail({ listId, date, unsubscribe: '<https://lists.example/>', found: null }),
    )
  const { body } = await instance.get('/api/mailing-lists?limit=1')
  const id: number = body.mailingLists[0].lastEmailId
  await instance.get(`/api/mailing-lists?limit=1&cursor=${body.nextCursor}`)
  await instance.get(`/api/emails/${id}/mailing-list`)
  await instance.post(`/api/emails/${id}/unsubscribe`)
  const moved = await instance.post('/api/mailing-lists/move', { id: 'one.example', folder: 'trash' })
  const undone = await instance.post(`/api/actions/${moved.body.actionId}/undo`)
  expect([moved.body.moved, undone.status]).toEqual([1, 200])
}

/** Calls two pages of mail rules, imports mail while there are some, and runs all their operations. */
const visitMailRules = async (instance: Instance): Promise<void> => {
  const ruleInput = { name: 'Rule', q: 'from:ruled -draft', does: { folder: 'archive', task: true } }
  await instance.post('/api/emails', { from: 'ruled@b.example', subject: 'Before', text: 'x' })
  const { id } = (await instance.post('/api/mail-rules', ruleInput)).body
  await instance.post('/api/mail-rules', { ...ruleInput, q: 'list:one.example', does: { read: true } })
  const { nextCursor } = (await instance.get('/api/mail-rules?limit=1')).body
  await instance.get(`/api/mail-rules?limit=1&cursor=${nextCursor}`)
  await instance.get(`/api/mail-rules/${id}`)
  await instance.post('/api/emails', { from: 'ruled@b.example', subject: 'After', text: 'x' })
  const run = await instance.post(`/api/mail-rules/${id}/run`, {})
  const undone = await instance.post(`/api/actions/${run.body.actionId}/undo`)
  expect([run.body.changed, undone.status]).toEqual([1, 200])
  await instance.post(`/api/mail-rules/${id + 1}/run`, { dryRun: true })
  await instance.call('PATCH', `/api/mail-rules/${id}`, { body: { enabled: false } })
  await instance.call('DELETE', `/api/mail-rules/${id}`)
}

/** Calls the lists of pinned and snoozed emails, and returns snoozed emails to the inbox. */
const visitReminders = async (instance: Instance): Promise<void> => {
  const snoozedUntil = new Date(instance.clock.now().getTime() + 60_000).toISOString()
  const store = async (fields: Record<string, unknown>) =>
    (await instance.post('/api/emails', { from: 'Zoe <zoe@threads.example>', text: 'x', ...fields })).body
  const later = await store({ subject: 'later' })
  const mail = await store({ subject: 'answered', messageId: 'r1@x' })
  const sent = await store({ subject: 'sent', folder: 'sent', messageId: 's1@x' })
  const threadIds = [later.threadId, mail.threadId]
  const change = { pinned: true, snoozedUntil }
  await instance.call('PATCH', '/api/threads', { body: { threadIds, change } })
  for (const query of [
    'pinned=true',
    'snoozed=true',
    'folder=inbox&pinned=true',
    'folder=inbox&snoozed=true',
  ])
    await instance.get(`/api/threads?limit=1&${query}`)
  await store({ subject: 'Re: answered', inReplyTo: 'r1@x' })
  for (const _ of [1, 2]) {
    await instance.call('PATCH', `/api/emails/${sent.id}`, { body: { followUpAt: snoozedUntil } })
    await store({ subject: 'Re: sent', inReplyTo: 's1@x' })
  }
  instance.clock.advance(120_000)
  const { jobs } = instance.app
  const id = (await jobs.enqueue(instance.database.db, 'mail-reminders', {})) as string
  while ((await jobs.find(id))?.state !== 'done') await new Promise((resolve) => setTimeout(resolve, 20))
  const first = await instance.get('/api/threads?limit=1&folder=inbox')
  expect(first.body.threads[0].returned).not.toBeNull()
  await instance.get(`/api/threads?limit=1&folder=inbox&cursor=${first.body.nextCursor}`)
}

/** Calls every combination of thread filters, two pages each, and all operations on threads. */
const visitThreads = async (instance: Instance): Promise<void> => {
  const ids: number[] = []
  for (const n of [1, 2, 3])
    for (const folder of ['inbox', 'archive']) {
      const email = {
        from: 'Zoe <zoe@threads.example>',
        subject: 'zebra',
        tags: ['stripes'],
        folder,
        starred: true,
      }
      const text = `Number ${n}`
      ids.push((await instance.post('/api/emails', { ...email, text, date: `2026-01-0${n}` })).body.threadId)
    }
  const queries = combine([
    ['', '&folder=inbox'],
    ['', '&unread=true'],
    ['', '&starred=true'],
    ['', '&tag=stripes'],
    ['', '&q=zebra', '&q=-lion', '&q=zebra after:2025-01-01'],
  ])
    // A search reads the word index, and not the one of starred emails.
    .filter((query) => !/starred.*q=zebra/.test(query))
  for (const query of queries) {
    const first = await instance.get(`/api/threads?limit=1${query}`)
    expect([query, first.status, typeof first.body.nextCursor]).toEqual([query, 200, 'string'])
    await instance.get(`/api/threads?limit=1${query}&cursor=${first.body.nextCursor}`)
  }
  const change = { read: true, starred: false, folder: 'trash', addTags: ['a'], removeTags: ['stripes'] }
  const changed = await instance.call('PATCH', '/api/threads', { body: { threadIds: ids, change } })
  expect(changed.body.emails).toHaveLength(6)
  await instance.call('PATCH', '/api/emails', { body: { emails: changed.body.emails } })
  expect((await instance.post('/api/threads/delete', { threadIds: ids })).status).toBe(204)
  await instance.get('/api/emails/suggestions?q=zo')
  const { body: search } = await instance.post('/api/saved-searches', { name: 'Zebras', q: 'zebra' })
  await instance.get('/api/saved-searches')
  await instance.call('PATCH', `/api/saved-searches/${search.id}`, { body: { name: 'Stripes' } })
  await instance.call('DELETE', `/api/saved-searches/${search.id}`)
}

/** Calls contacts, suggestions, and all their operations. */
const visitContacts = async (instance: Instance): Promise<void> => {
  const base = '/api/contacts'
  for (const name of ['Ana Ruiz', 'ana ruiz', 'Ben Okafor'])
    await instance.post(base, { name, addresses: [{ address: `ana@${name.length}${name[0]}.example` }] })
  await instance.post('/api/emails', { folder: 'sent', to: ['ana@7a.example'], subject: 'x' })
  await instance.post('/api/emails', { from: 'Ana <new@a.example>', subject: 'x' })
  for (const query of ['', '&q=ana', '&q=ana+ruiz', '&known=true', '&known=false&q=a', '&known=true&q=a']) {
    const { body } = await instance.get(`${base}?limit=1${query}`)
    if (body.nextCursor) await instance.get(`${base}?limit=1${query}&cursor=${body.nextCursor}`)
  }
  for (const q of ['', 'a', 'ana ru']) expect((await instance.get(`${base}/suggest?q=${q}`)).status).toBe(200)
  const { duplicates } = (await instance.get(`${base}/duplicates`)).body
  const [kept, other] = duplicates[0].contacts
  const merged = await instance.post(`${base}/${kept.id}/merge`, { contactIds: [other.id] })
  expect((await instance.post(`/api/actions/${merged.body.actionId}/undo`)).status).toBe(200)
  const body = 'BEGIN:VCARD\nFN:Ana\nEMAIL:ana@8a.example\nEND:VCARD\nBEGIN:VCARD\nFN:Nobody\nEND:VCARD\n'
  const headers = { 'content-type': 'text/vcard' }
  await instance.call('POST', `${base}/import`, { body, headers })
  await instance.get(`${base}/export`)
  await instance.get(`${base}/${kept.id}/vcard`)
  await instance.call('PATCH', `${base}/${kept.id}`, { body: { addresses: [] } })
  await instance.call('DELETE', `${base}/${kept.id}`)
}

/** Lists reservations by type and by time, and repeats an email about one of them. */
const visitReservations = async (instance: Instance): Promise<void> => {
  for (const subject of ['Invoice 4711', 'Reminder of invoice 4711'])
    await instance.post('/api/emails', {
      from: 'Energy <billing@energy.example>',
      subject,
      date: instance.clock.now().toISOString(),
      text: 'Invoice number: 4711. Amount due: 42.00 EUR. Due date: 1 December 2030.',
    })
  const period = { from: '2020-01-01', to: '2040-01-01' }
  for (const input of [{}, { types: ['invoice', 'parcel'] }, { status: 'confirmed' }, period])
    await callTool(instance, 'list_reservations', input)
}

/** Calls every combination of filters of promises, and all their operations. */
const visitCommitments = async (instance: Instance): Promise<void> => {
  const base = '/api/commitments'
  const now = instance.clock.now().toISOString()
  const mail = { from: 'Ana <ana@p.example>', date: now, messageId: 'p1@p.example' }
  await instance.post('/api/emails', {
    ...mail,
    subject: 'Offer',
    text: 'I will send you the offer tomorrow. I will call the bank. I will pay the rent.',
  })
  const queries = combine([
    ['', '&direction=mine', '&direction=theirs'],
    ['', '&status=open', '&status=done'],
    ['', '&address=ana@p.example'],
    ['', '&overdue=true', '&dueBefore=2099-01-01'],
  ])
  for (const query of queries) {
    const { body } = await instance.get(`${base}?limit=1${query}`)
    if (body.nextCursor) await instance.get(`${base}?limit=1${query}&cursor=${body.nextCursor}`)
  }
  const [first] = (await instance.get(base)).body.commitments
  const made = await instance.post(`${base}/${first.id}/task`)
  await instance.call('PATCH', `/api/tasks/${made.body.taskId}`, { body: { status: 'done' } })
  await instance.call('PATCH', `${base}/${first.id}`, { body: { status: 'open', dueDay: '2099-01-01' } })
  await instance.post('/api/emails', {
    ...mail,
    messageId: 'p2@p.example',
    inReplyTo: 'p1@p.example',
    subject: 'Re: Offer',
    text: 'As promised, here is the offer: https://p.example',
  })
  await instance.get(base)
}

/** Calls webhooks, deliveries, and all their operations. */
const visitWebhooks = async (instance: Instance, token: string): Promise<void> => {
  const base = '/api/settings/webhooks'
  for (let n = 0; n < 2; n++)
    await instance.post(base, { url: 'http://127.0.0.1:9/hook', events: ['*'] }, { token })
  const first = await instance.get(`${base}?limit=1`, { token })
  await instance.get(`${base}?limit=1&cursor=${first.body.nextCursor}`, { token })
  const path = `${base}/${first.body.webhooks[0].id}`
  for (let n = 0; n < 2; n++) await instance.post('/api/tasks', { title: 'told' })
  for (const query of ['', '&state=waiting']) {
    const { body } = await instance.get(`${path}/deliveries?limit=1${query}`, { token })
    const next = `${path}/deliveries?limit=1${query}&cursor=${body.nextCursor}`
    const { body: last } = await instance.get(next, { token })
    await instance.get(`${path}/deliveries/${last.deliveries[0].id}`, { token })
    await instance.post(`${path}/deliveries/${last.deliveries[0].id}/redeliver`, undefined, { token })
  }
  await instance.post(`${path}/redeliver`, { from: '2020-01-01' }, { token })
  instance.app.sending.start()
  await eventually(async () => (await instance.get(path, { token })).body.failingSince !== null)
  await instance.app.sending.stop()
  await instance.call('PATCH', path, { token, body: { enabled: false } })
  await instance.call('DELETE', path, { token })
  for (const query of ['', '&state=done']) await instance.get(`/api/jobs?limit=1${query}`, { token })
}

/** Calls notifications and all their operations. */
const visitNotifications = async (instance: Instance, token: string): Promise<void> => {
  const { db } = instance.database
  const settings = '/api/settings/notifications'
  const kinds = { milestone_reached: { email: 'now', webhook: true }, task_due: { email: 'digest' } }
  const digest = { frequency: 'weekly' }
  const changed = await instance.call('PATCH', settings, { token, body: { kinds, digest } })
  expect(changed.status).toBe(200)
  const milestone = (n: number) => ({ title: `m${n}`, target: 1, current: 2 })
  for (let n = 0; n < 3; n++) await instance.post('/api/stream/milestones', milestone(n))
  const userId = await getLocalUserId(db)
  await inTransaction(db, (tx) =>
    instance.app.changes.record(
      tx,
      toChange({ userId, type: 'task.due', subject: '1', data: { title: 't' } }),
    ),
  )
  await instance.call('PATCH', settings, { token, body: { digest: { frequency: 'daily' } } })
  const base = '/api/notifications'
  for (const query of [
    '',
    '&unread=true',
    '&kind=milestone_reached',
    '&kind=milestone_reached&unread=true',
  ]) {
    const first = await instance.get(`${base}?limit=1${query}`, { token })
    expect([query, first.status, typeof first.body.nextCursor]).toEqual([query, 200, 'string'])
    await instance.get(`${base}?limit=1${query}&cursor=${first.body.nextCursor}`, { token })
  }
  const { body } = await instance.get(base, { token })
  const [{ id }, { id: other }] = body.notifications
  await instance.get(`${base}/${id}`, { token })
  await instance.call('PATCH', `${base}/${id}`, { token, body: { read: true } })
  await instance.call('DELETE', `${base}/${id}`, { token })
  await instance.post(`${base}/read`, { upTo: other }, { token })
  await instance.post(`${base}/read`, {}, { token })
  await instance.app.jobs.start()
  await instance.app.jobs.enqueue(db, 'notifications.deliver', {})
  const mails = () => db.selectFrom('notification_mails').select('error').modifyEnd(ALL_ACCOUNTS).execute()
  await eventually(async () => (await mails()).some(({ error }) => error !== null))
  await instance.call('DELETE', `${base}?read=true&upTo=${other}`, { token })
  await instance.call('DELETE', base, { token })
}

/** Calls all calendar operations, and moves events between calendars. */
const visitCalendars = async (instance: Instance, defaultId: number): Promise<void> => {
  const base = '/api/calendars'
  const { body } = await instance.post(base, { name: 'Family' })
  const first = await instance.get(`${base}?limit=1`)
  await instance.get(`${base}?limit=1&cursor=${first.body.nextCursor}`)
  await instance.call('PATCH', `/api/calendar/events/1`, { body: { calendarId: body.id } })
  await instance.call('PATCH', `/api/calendar/events/3`, { body: { calendarId: body.id } })
  for (const id of [body.id, defaultId])
    expect((await instance.call('PATCH', `${base}/${id}`, { body: { isDefault: true } })).status).toBe(200)
  expect((await instance.call('DELETE', `${base}/${body.id}`)).status).toBe(204)
  const { body: other } = await instance.post(base, { name: 'Work' })
  await instance.post('/api/calendar/events', {
    title: 'n',
    start: '2026-03-02T09:00:00Z',
    calendarId: other.id,
  })
  expect((await instance.call('DELETE', `${base}/${other.id}?events=delete`)).status).toBe(204)
}

const visitCalendarAccounts = async (instance: Instance, token: string): Promise<void> => {
  const base = '/api/settings/calendar-accounts'
  const { calendarAccounts } = (await instance.get(base, { token })).body
  const [{ id }, other] = calendarAccounts
  const { db } = instance.database
  const calendar = await db
    .insertInto('remote_calendars')
    .values({
      accountId: id,
      href: 'a',
      name: 'A',
      colour: null,
      writable: 1,
      followed: 1,
      syncToken: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const calendars = [{ id: calendar.id, followed: false }]
  await instance.call('PATCH', `${base}/${id}`, { token, body: { calendars, name: 'x' } })
  await instance.call('PATCH', `${base}/${other.id}`, { token, body: { receivesNew: true } })
  await instance.get(`${base}/${id}`, { token })
  expect((await instance.call('DELETE', `${base}/${id}`, { token })).status).toBe(204)
}

/** Returns SQLite's plan of each query on this connection. */
const explainAll = (handle: SQLite.Database, queries: Iterable<string>): Map<string, string[]> => {
  const plans = new Map<string, string[]>()
  for (const query of queries) {
    const rows = handle.prepare(`explain query plan ${query.replaceAll('?', 'null')}`).all()
    plans.set(
      query,
      rows.map((row) => (row as { detail: string }).detail),
    )
  }
  return plans
}

/** Creates statistics like an operator or a tool. */
const runOutside = (file: string, command: 'analyze' | 'pragma optimize = 0x10002'): void => {
  const handle = new SQLite(file)
  handle.exec(command)
  handle.close()
}

/** Queries whose plan differs from the plan without statistics, by the connection that runs them. */
const changedPlans: Record<string, string[]> = {}

/** Compares the plans of all connections of the service while others create statistics. */
const comparePlans = async (
  place: Parameters<typeof openDatabase>[0],
  planned: Map<string, string[]>,
): Promise<void> => {
  const file = sqliteFile(place.dataDir)
  // A connection ignores statistics for all queries or for none.
  const queries = sampleOf([...planned.keys()], 400)
  const compare = (name: string, handle: SQLite.Database): void => {
    changedPlans[name] = [...explainAll(handle, queries)]
      .filter(([text, details]) => details.join() !== planned.get(text)?.join())
      .map(([text]) => text)
  }
  const compareNew = (name: string, handle: SQLite.Database): void => {
    compare(name, handle)
    handle.close()
  }
  const [writer, reader] = [openHandle(file, false), openReader(file)]
  for (const command of ['analyze', 'pragma optimize = 0x10002'] as const) {
    runOutside(file, command)
    compare(`writer during ${command}`, writer)
    compare(`reader during ${command}`, reader)
    compareNew(`tool after ${command}`, new SQLite(file))
    compareNew(`read thread after ${command}`, openReader(file))
    runOutside(file, command)
    compareNew(`start after ${command}`, openHandle(file, false))
  }
  writer.close()
  reader.close()
  const running = await openDatabase(place)
  runOutside(file, 'analyze')
  await running.tidy()
  await running.close()
  compareNew('tool after the daily cleanup', new SQLite(file))
}

/** SQLite's query plan for every query of the API, each with its SQL. */
const plans: string[] = []
/** The part of `plans` that belongs to statistics over time. */
const historyPlans: string[] = []

beforeAll(async () => {
  const place = await makeDataPlace('sqlite', 'prepared')
  const database = await openDatabase({ ...place, onIdleError: () => {} })
  await migrate(database)
  const nodes: RootOperationNode[] = []
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const instance = await startInstance({
    place,
    deps: { database: { ...database, db: database.db.withPlugin(recorder) } },
  })
  const person = await register(instance)
  const { token } = person
  // First, because a query that another request has built before is not recorded again.
  const firstOfHistory = nodes.length
  for (const interval of ['day', 'week', 'month'])
    expect((await instance.get(`/api/stats/history?interval=${interval}`)).status).toBe(200)
  const historyNodes = new Set(nodes.slice(firstOfHistory))
  for (let n = 0; n < 3; n++) {
    await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'n', scopes: ['ai:read'] },
      { token },
    )
    await instance.post('/api/settings/feed-tokens', { name: 'n', purpose: 'overlay' }, { token })
    const access = { calendars: 'read', tasks: 'read', contacts: 'read' }
    await instance.post('/api/settings/app-passwords', { password: PASSWORD, name: 'n', access }, { token })
    const mailServer = { host: 'mail.example.org', port: 993, tls: 'implicit' }
    await instance.post(
      '/api/settings/mail-accounts',
      { address: 'ana@example.org', password: 'x', imap: mailServer, smtp: mailServer },
      { token },
    )
    const server = { kind: 'caldav', url: 'http://127.0.0.1:9/', username: 'ana', password: 'x' }
    await instance.post('/api/settings/calendar-accounts', { ...server, enabled: false }, { token })
    await instance.post('/api/settings/invitations', { password: PASSWORD }, { token })
    await instance.post('/api/auth/login', { email: person.email, password: PASSWORD })
  }
  await instance.post('/api/auth/refresh', { refreshToken: person.refreshToken })
  for (const path of [
    'tokens',
    'feed-tokens',
    'app-passwords',
    'mail-accounts',
    'calendar-accounts',
    'invitations',
    'security/sessions',
    'security/activity',
  ]) {
    const first = await instance.get(`/api/settings/${path}?limit=1`, { token })
    expect([path, first.status, typeof first.body.nextCursor]).toEqual([path, 200, 'string'])
    await instance.get(`/api/settings/${path}?limit=1&cursor=${first.body.nextCursor}`, { token })
  }
  await visitCalendarAccounts(instance, token)
  const events = '/api/calendar/events'
  for (const recurrence of [null, null, 'FREQ=DAILY', 'FREQ=WEEKLY;COUNT=3'])
    await instance.post(events, { title: 'n', start: '2026-03-02T09:00:00Z', recurrence })
  const { calendarId } = (await instance.get(`${events}/1`)).body
  for (const query of ['start=2026-03-01&end=2026-03-05', 'start=2026-03-01', 'end=2026-04-01', 'limit=1'])
    for (const filter of combine([
      ['', '&status=confirmed'],
      ['', '&source=manual'],
      ['', `&calendarId=${calendarId}`],
    ])) {
      const first = await instance.get(`${events}?${query}&${filter}${query === 'limit=1' ? '' : '&limit=1'}`)
      expect([query, filter, typeof first.body.nextCursor]).toEqual([query, filter, 'string'])
      await instance.get(`${events}?${query}&${filter}&cursor=${first.body.nextCursor}`)
    }
  await instance.call('PATCH', `${events}/3?occurrence=2026-03-04T09:00:00.000Z`, { body: { title: 'm' } })
  for (const path of ['upcoming', `upcoming?calendarId=${calendarId}`, 'stats', 'free'])
    await instance.get(`/api/calendar/${path}`)
  await visitCalendars(instance, calendarId)
  await visitAi(instance, await signIn(instance, person.email))
  await visitTasks(instance, token)
  await visitSharedTasks(instance, (await signIn(instance, person.email)).token)
  await visitWebhooks(instance, token)
  await visitBilling(instance, token)
  await askForMail(instance)
  await visitMailingLists(instance)
  await visitMailRules(instance)
  await visitThreads(instance)
  await visitContacts(instance)
  await visitCommitments(instance)
  await visitReservations(instance)
  await visitBookings(instance)
  const asking = { from: 'a@b.example', text: 'Could you please send me the report?' }
  await instance.post('/api/emails', {
    ...asking,
    date: new Date(instance.clock.now().getTime() - 1000).toISOString(),
  })
  expect((await instance.get('/api/briefing')).body.waiting).toHaveLength(2)
  await visitStream(instance)
  await visitNotifications(instance, (await signIn(instance, person.email)).token)
  await visitReminders(instance)
  await instance.get('/console/options')
  await instance.app.jobs.list({ limit: 10 })
  const stream = await openEventStream(instance.url, '/api/events', { lastEventId: '1' })
  await stream.until(1)
  await stream.leave()
  await instance.app.changes.prune(instance.clock.now().toISOString())

  const executor = database.db.getExecutor()
  const historyQueries = new Set<string>()
  const queries = new Set<string>()
  for (const node of nodes) {
    if (!/^(Select|Update|Delete)QueryNode$|^RawNode$/.test(node.kind)) continue
    const { sql: text } = executor.compileQuery(node, { queryId: 'plan' } as never)
    queries.add(text)
    if (historyNodes.has(node)) historyQueries.add(text)
  }
  await instance.close()
  await database.close()
  const file = sqliteFile(place.dataDir)
  const handle = new SQLite(file)
  const planned = explainAll(handle, queries)
  handle.close()
  for (const [text, details] of planned)
    for (const detail of details) {
      plans.push(`${detail}   ← ${text}`)
      if (historyQueries.has(text)) historyPlans.push(`${detail}   ← ${text}`)
    }
  await comparePlans({ ...place, onIdleError: () => {} }, planned)
  await place.remove()
})

it('no query of the API scans a whole table or sorts without an available index', () => {
  expect(plans.length).toBeGreaterThan(30)
  const slow = plans
    .filter((plan) => /^SCAN (?!CONSTANT|\d+ CONSTANT ROWS)|USE TEMP B-TREE/.test(plan))
    // In index order, and limited to the page.
    .filter(
      (plan) =>
        !/^SCAN \w+ USING (COVERING )?INDEX .* limit cast\(\? as integer\)( \/\* all accounts \*\/)?$/s.test(
          plan,
        ),
    )
    // Overlaps at a moment are read from one short index range per duration class.
    .filter((plan) => !/^(SCAN reach|USE TEMP B-TREE FOR ORDER BY) .* as reach cross join /s.test(plan))
    .filter(
      (plan) =>
        !/^SCAN (\w+) +← select .* from "\1" order by "id"( desc)? limit cast\(\? as integer\)$/.test(plan),
    )
    // The word index itself is scanned.
    .filter((plan) => !/^SCAN \w+ VIRTUAL TABLE INDEX \d+:(=|\S*M)/.test(plan))
    // Ranked, with a limit.
    .filter(
      (plan) =>
        !/^(SCAN hit|USE TEMP B-TREE FOR ORDER BY) .* from \(select .* limit cast\(\? as integer\)\) as "hit"/s.test(
          plan,
        ),
    )
    // Counted, with a limit.
    .filter(
      (plan) =>
        !/^(SCAN mail|USE TEMP B-TREE FOR (ORDER|GROUP) BY) .* from \(select .* limit cast\(\? as integer\)\) as "mail" group by/s.test(
          plan,
        ),
    )
    // A median needs sorted values. Only the replies of the requested time are read, from an index range.
    .filter(
      (plan) =>
        !/^(SCAN (sent|replies|\(subquery-\d+\))|USE TEMP B-TREE) .*with ranges .* sent as \(/s.test(plan),
    )
    // The counts of the badges stop at 100.
    .filter((plan) => !/^SCAN counted .* limit cast\(\? as integer\)\) as "counted"/s.test(plan))
    // The threads of snoozed emails, up to 100. An index finds the emails.
    .filter(
      (plan) =>
        !/^USE TEMP B-TREE FOR DISTINCT .*select distinct \+"threadId" .* "snoozedUntil" is not null limit/s.test(
          plan,
        ),
    )
    // An hourly job sums up all sizes, from an index of sizes only.
    .filter((plan) => !/^SCAN blobs USING COVERING INDEX blobs_size .* select sum/.test(plan))
    // The shares of one list or calendar, or of one member, are few. An index finds them.
    .filter(
      (plan) =>
        !/^USE TEMP B-TREE FOR ORDER BY .* from "shares" .* order by ("shares"\."id"|"users"\."name", "users"\."id")$/s.test(
          plan,
        ),
    )
    // Daily jobs, which may run during the test, go through all accounts.
    .filter((plan) => !/^SCAN users .*← *\s*select (users\.id as id|"id") from "?users"?(\s|$)/.test(plan))
    .filter((plan) => !/^SCAN billing_budgets .* select distinct "userId" from "billing_budgets"/.test(plan))
    .filter((plan) => !SMALL.some((table) => plan.startsWith(`SCAN ${table} `)))
  expect(slow).toEqual([])
})

it('a change of few rows does not search all rows of the account', () => {
  // One row per account, or few.
  const few =
    /^SEARCH (calendar_accounts|calendars|mail_folders|notifications|file_import_\w+|\w+_settings|\w+_sync) /
  const changes = plans.filter((plan) => /^SEARCH [^←]* ← (update|delete) /.test(plan) && !few.test(plan))
  const conditions = / where (?=.*"(?!userId)\w+" (= \?|in \())/s
  expect(changes.filter((plan) => conditions.test(plan)).length).toBeGreaterThan(50)
  expect(changes.filter((plan) => conditions.test(plan) && /^SEARCH [^←]*\(userId=\?\)/.test(plan))).toEqual(
    [],
  )
})

it('statistics over time read every large table from an index', () => {
  for (const table of ['emails', 'events', 'tasks', 'ai_days']) {
    const ofTable = historyPlans.filter((plan) => new RegExp(`\\b(from|join)\\s+"?${table}"?\\b`).test(plan))
    const hasIndex = ofTable.some((plan) => /^SEARCH \w+ USING (COVERING )?INDEX/.test(plan))
    expect([table, hasIndex, ofTable]).toEqual([table, true, ofTable])
    // `e`, `s` and `t` are aliases of these tables.
    expect(ofTable.filter((plan) => /^SCAN (emails|events|tasks|ai_days|[est]) /.test(plan))).toEqual([])
  }
})

it('every connection of the service has the same plans with and without ANALYZE and PRAGMA optimize', () => {
  const {
    'tool after analyze': analyzed = [],
    'tool after pragma optimize = 0x10002': _,
    ...ours
  } = changedPlans
  // The statistics do change plans of connections that use them.
  expect(analyzed.length).toBeGreaterThan(0)
  expect(Object.keys(ours)).toHaveLength(9)
  expect(Object.entries(ours).filter(([, queries]) => queries.length > 0)).toEqual([])
})

it('starred emails are found by an index, because they are few', () => {
  const starred = plans
    .filter((plan) => /^SE?\w+ emails .*"starred" = 1.* order by /s.test(plan))
    // A search with words joins its matches by their position.
    .filter((plan) => !plan.includes('"email_words" cross join'))
  expect(starred.length).toBeGreaterThan(3)
  expect(
    starred.filter(
      (plan) => !/^(SEARCH|SCAN) emails USING (COVERING )?INDEX emails_(starred|returned)/.test(plan),
    ),
  ).toEqual([])
})

it('a search joins each match by its position', () => {
  const joined = plans.filter((plan) =>
    /^SEARCH emails .*(?:from "email_words" cross join|as "(hits|best)" cross join) "emails"/s.test(plan),
  )
  expect(joined.length).toBeGreaterThan(5)
  expect(joined.filter((plan) => !/^SEARCH emails [^←]*position=\?/.test(plan))).toEqual([])
})

it('no query reads all emails of an account in the order of their threads', () => {
  const threads = plans.filter((plan) => /^SEARCH emails USING (COVERING )?INDEX emails_thread /.test(plan))
  expect(threads.length).toBeGreaterThan(3)
  expect(threads.filter((plan) => /^SEARCH [^←]*\(userId=\?\)/.test(plan))).toEqual([])
})

it('a thread is found by its subject, not by reading all emails of a time range', () => {
  const found = plans.filter((plan) =>
    /^SEARCH emails .* ← select .*"subjectKey" = \? and "position"/.test(plan),
  )
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter((plan) => !plan.startsWith('SEARCH emails USING INDEX emails_subject '))).toEqual([])
})

it('pinned and snoozed emails are found by an index, because they are few', () => {
  for (const [column, index] of [
    ['"pinned" = 1', 'emails_pinned'],
    ['"snoozedUntil" is not null', 'emails_snoozed'],
  ] as const) {
    const listed = plans.filter(
      (plan) => plan.startsWith('SEARCH emails ') && plan.includes(column) && / order by "emails"/.test(plan),
    )
    expect(listed.length).toBeGreaterThan(1)
    const others = listed.filter((plan) => !new RegExp(`USING INDEX (${index}|emails_returned) `).test(plan))
    expect(others).toEqual([])
  }
})

it('no calendar window uses an index that would scan nearly everything', () => {
  const astray = plans
    .filter((plan) => /^SEARCH e .* ← select e\.id, e\."seriesId"/.test(plan))
    .filter((plan) =>
      / as reach cross join events as e/.test(plan)
        ? !/^SEARCH e USING INDEX events_span /.test(plan)
        : / e\.status = \? and e\.source = \?/.test(plan) &&
          !/^SEARCH e USING INDEX (events_status_source |\w+ \(.*start>\? AND start<\?\))/.test(plan),
    )
  expect(astray).toEqual([])
})
