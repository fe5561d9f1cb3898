import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

/** The annotations of every tool: r read-only, d destructive, i idempotent, o open world. */
const ANNOTATIONS: Record<string, string> = {
  find_emails: 'ri',
  read_email: 'ri',
  tag_email: 'i',
  snooze_email: 'i',
  pin_email: 'i',
  remind_if_unanswered: 'i',
  delete_email: 'di',
  draft_email: '',
  send_email: 'o',
  send_draft: 'o',
  list_tasks: 'ri',
  create_task: '',
  update_task: 'i',
  delete_task: 'di',
  list_task_comments: 'ri',
  add_task_comment: 'o',
  start_timer: 'i',
  stop_timer: '',
  list_events: 'ri',
  create_event: 'o',
  move_event: 'io',
  update_event: 'io',
  cancel_event: 'dio',
  delete_event: 'dio',
  find_free_time: 'ri',
  list_calendars: 'ri',
  list_task_lists: 'ri',
  list_mail_folders: 'ri',
  list_mailing_lists: 'ri',
  summarize_emails: 'ri',
  get_priorities: 'ri',
  propose_plan: 'ri',
  book_plan: '',
  change_emails: 'di',
  change_tasks: 'di',
  unsubscribe: 'io',
  invite_guests: 'o',
  get_statistics: 'ri',
  get_briefing: 'ri',
  find_unanswered: 'ri',
  find_contact: 'ri',
  create_contact: '',
  update_contact: 'i',
  read_contact: 'ri',
  list_reservations: 'ri',
  list_commitments: 'ri',
  close_commitment: 'i',
  list_mail_rules: 'ri',
  create_mail_rule: '',
  delete_mail_rule: 'di',
  list_bookings: 'ri',
  list_booking_types: 'rio',
  sync_bookings: 'io',
  get_stream: 'ri',
  list_streams: 'ri',
  change_stream: 'io',
  audit_page: 'rio',
}

const ALL_SCOPES = [
  'mail:write',
  'tasks:write',
  'calendar:write',
  'booking:write',
  'ai:write',
  'stream:write',
  'workflow:write',
]

onOneDatabase('postgres', 'the tools for MCP clients', (engine) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  let instance: Instance
  let person: Person
  let client: Client
  let tools: Awaited<ReturnType<Client['listTools']>>['tools']
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { ACCESS: 'private', REGISTRATION: 'open' } })
    person = await register(instance)
    client = await connect(ALL_SCOPES)
    ;({ tools } = await client.listTools())
  })
  afterAll(async () => {
    await client.close()
    await instance.close()
  })

  const connect = async (scopes: readonly string[]): Promise<Client> => {
    const made = await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'mcp', scopes },
      person,
    )
    const connected = new Client({ name: 'test', version: '1.0.0' })
    const headers = { authorization: `Bearer ${made.body.token}` }
    await connected.connect(
      new StreamableHTTPClientTransport(new URL(`${instance.url}/mcp`), { requestInit: { headers } }),
    )
    return connected
  }

  /** Calls a tool and checks its structured content against the schema. The client checks it too. */
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  const call = async (name: string, input: object = {}): Promise<any> => {
    const answer = await client.callTool({ name, arguments: input as Record<string, unknown> })
    expect([name, answer.isError, answer.isError && answer.content]).toEqual([name, false, false])
    const schema = tools.find((tool) => tool.name === name)?.outputSchema
    const validate = ajv.compile(schema as object)
    validate(answer.structuredContent)
    expect([name, validate.errors ?? []]).toEqual([name, []])
    expect((answer.content as { text: string }[])[0]?.text).toMatch(/data|confirm/)
    return answer.structuredContent
  }

  /** Calls a tool that waits for a confirmation, and confirms it in the console. */
  const confirm = async (name: string, input: object) => {
    const { status, confirmation } = await call(name, input)
    expect([name, status, typeof confirmation.summary]).toEqual([name, 'needs_confirmation', 'string'])
    return instance.post(`/api/ai/actions/${confirmation.actionId}/confirm`, {}, person)
  }

  it('have annotations that say what they do', () => {
    const found = tools.map(({ name, annotations }) => {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {}
      const flags = [readOnlyHint && 'r', destructiveHint && 'd', idempotentHint && 'i', openWorldHint && 'o']
      return [name, flags.filter(Boolean).join('')]
    })
    expect(Object.fromEntries(found)).toEqual(ANNOTATIONS)
  })

  it('describe their output, without examples', () => {
    for (const { name, outputSchema } of tools) {
      expect([name, outputSchema?.type]).toEqual([name, 'object'])
      expect(JSON.stringify(outputSchema)).not.toContain('"examples"')
    }
  })

  it('are protocol errors if they do not exist or the token has no access', async () => {
    await expect(client.callTool({ name: 'launch_rocket', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    })
    const reader = await connect(['tasks:read'])
    const asked = reader.callTool({ name: 'create_task', arguments: { title: 'x' } })
    await expect(asked).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool'),
    })
    await reader.close()
  })

  it('return tasks, events and overviews as data', async () => {
    const { status, result, undoId } = await call('create_task', {
      title: 'Pay the rent',
      dueAt: '2030-03-01',
    })
    expect([status, result.title, typeof undoId]).toEqual(['done', 'Pay the rent', 'number'])
    expect(result.version).toBeUndefined()
    await call('update_task', { id: result.id, priority: 'high' })
    expect((await call('list_tasks')).tasks).toMatchObject([{ title: 'Pay the rent', priority: 'high' }])
    expect((await confirm('delete_task', { id: result.id })).status).toBe(200)
    const event = { title: 'Lunch', start: '2030-03-01T12:00:00Z', end: '2030-03-01T13:00:00Z' }
    const { id } = (await call('create_event', event)).result
    await call('move_event', { id, start: '2030-03-01T14:00:00Z' })
    await call('update_event', { id, location: 'Rome' })
    const window = { start: '2030-03-01T00:00:00Z', end: '2030-03-02T00:00:00Z' }
    expect((await call('list_events', window)).events).toMatchObject([{ title: 'Lunch', location: 'Rome' }])
    await call('cancel_event', { id })
    await confirm('delete_event', { id })
    for (const name of ['get_statistics', 'get_briefing', 'find_unanswered', 'find_free_time'])
      await call(name)
  })

  it('change the guests and the recurrence of an event', async () => {
    const event = { title: 'Choir', start: '2031-03-03T18:00:00Z', end: '2031-03-03T19:00:00Z' }
    const { id } = (await call('create_event', event)).result
    const wrong = await client.callTool({
      name: 'update_event',
      arguments: { id, recurrence: 'FREQ=WEEKLY;INTERVAL=-5' },
    })
    expect([wrong.isError, JSON.stringify(wrong.content)]).toEqual([
      true,
      expect.stringMatching(/recurrence/i),
    ])
    await call('update_event', { id, recurrence: 'FREQ=WEEKLY;COUNT=3' })
    await call('update_event', { id, addAttendees: ['ana@example.org', 'ben@example.org'] })
    expect((await confirm('update_event', { id, removeAttendees: ['ANA@example.org'] })).status).toBe(200)
    const window = { start: '2031-03-03T00:00:00Z', end: '2031-03-04T00:00:00Z' }
    expect((await call('list_events', window)).events).toMatchObject([
      { attendees: [{ email: 'ben@example.org' }], recurrence: expect.stringContaining('COUNT=3') },
    ])
  })

  it('return emails as data', async () => {
    const email = { from: 'ana@example.org', subject: 'Offer', text: 'Could you send me the offer?' }
    const { body } = await instance.post('/api/emails', email, person)
    expect((await call('find_emails', { query: 'offer' })).emails).toMatchObject([{ id: body.id }])
    expect((await call('read_email', { id: body.id })).text).toContain('the offer')
    expect((await call('tag_email', { id: body.id, add: ['work'] })).result.tags).toEqual(['work'])
    const draft = await call('draft_email', { text: 'Here it is.', replyTo: body.id })
    expect(draft.result.subject).toBe('Re: Offer')
    expect((await confirm('delete_email', { id: body.id })).body.status).toBe('done')
    await call('send_email', { to: ['ana@example.org'], subject: 'Hi', text: 'Hello' })
  })

  it('find and add contacts', async () => {
    const input = { name: 'Ben Okafor', addresses: ['ben@example.org'], organization: 'Okafor Ltd' }
    const { result, undoId } = await call('create_contact', input)
    expect(result).toMatchObject({ name: 'Ben Okafor', addresses: [{ address: 'ben@example.org' }] })
    expect((await call('find_contact', { query: 'oka' })).contacts).toMatchObject([{ id: result.id }])
    expect((await instance.post(`/api/actions/${undoId}/undo`, {}, person)).status).toBe(200)
    expect((await call('find_contact', { query: 'oka' })).contacts).toEqual([])
  })

  it('list promises and close them', async () => {
    const date = instance.clock.now().toISOString()
    const mail = { from: 'Ben Okafor <ben@okafor.example>', subject: 'Plan', date }
    await instance.post('/api/emails', { ...mail, text: 'I will send you the plan tomorrow.' }, person)
    await instance.post(
      '/api/emails',
      { ...mail, tags: ['private'], text: 'I will call the doctor.' },
      person,
    )
    const { commitments } = await call('list_commitments', { person: 'ben', direction: 'theirs' })
    expect(commitments).toMatchObject([{ text: 'I will send you the plan tomorrow.', status: 'open' }])
    const { result, undoId } = await call('close_commitment', { id: commitments[0].id })
    expect(result).toMatchObject({ status: 'done', closedBy: 'user' })
    expect((await call('list_commitments', {})).commitments).toEqual([])
    expect((await instance.post(`/api/actions/${undoId}/undo`, {}, person)).status).toBe(200)
    expect((await call('list_commitments', {})).commitments).toHaveLength(1)
  })

  it('change mail rules only after a confirmation', async () => {
    const rule = { name: 'Invoices', q: 'subject:invoice', does: { tags: ['invoices'] } }
    const made = await confirm('create_mail_rule', rule)
    expect([made.status, made.body.result.name]).toEqual([200, 'Invoices'])
    const { mailRules } = await call('list_mail_rules')
    expect(mailRules).toMatchObject([{ name: 'Invoices', q: 'subject:invoice' }])
    expect((await confirm('delete_mail_rule', { id: mailRules[0].id })).status).toBe(200)
    expect((await call('list_mail_rules')).mailRules).toEqual([])
    const wrong = await client.callTool({ name: 'create_mail_rule', arguments: { ...rule, q: 'in:inbox' } })
    expect(wrong.isError).toBe(true)
    const limited = await connect(['mail:write'])
    const withTask = { ...rule, does: { task: true } }
    const refused = await limited.callTool({ name: 'create_mail_rule', arguments: withTask })
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
      true,
      expect.stringContaining('tasks:write'),
    ])
    await limited.close()
  })

  it('read bookings and the stream, and change the stream only after a confirmation', async () => {
    const window = { start: '2030-03-01', end: '2030-04-01' }
    expect(await call('list_bookings', window)).toEqual({ bookings: [], more: false })
    for (const name of ['list_booking_types', 'sync_bookings']) {
      const answer = await client.callTool({ name, arguments: {} })
      expect([name, answer.isError]).toEqual([name, true])
    }
    expect((await call('get_stream')).live).toBe(false)
    expect((await confirm('change_stream', { live: true, title: 'Roof' })).body.result.live).toBe(true)
    expect(await call('get_stream')).toMatchObject({ live: true, title: 'Roof' })
    await confirm('change_stream', { live: false })
    expect((await call('list_streams')).streams).toMatchObject([{ title: 'Roof', live: false }])
  })

  it('fetch a page for an audit only after a confirmation, and never a private address', async () => {
    const refused = await confirm('audit_page', { url: 'http://127.0.0.1/' })
    expect([refused.status, refused.body.code]).toEqual([400, 'page_unavailable'])
  })

  it('comment on tasks and time them, and ask before others see a comment', async () => {
    const { body: list } = await instance.post('/api/task-lists', { name: 'Garden' }, person)
    const { result: task } = await call('create_task', { title: 'Paint the fence', listId: list.id })
    const { result: comment, undoId } = await call('add_task_comment', { id: task.id, text: 'Which colour?' })
    expect((await call('list_task_comments', { id: task.id })).comments).toEqual([comment])
    expect((await instance.post(`/api/actions/${undoId}/undo`, {}, person)).status).toBe(200)
    expect((await call('list_task_comments', { id: task.id })).comments).toEqual([])

    const { result: other } = await call('create_task', { title: 'Mow the lawn' })
    const first = await call('start_timer', { id: other.id })
    const second = await call('start_timer', { id: task.id })
    expect(second.result.stopped.id).toBe(first.result.id)
    const undo = async (id: number) => (await instance.post(`/api/actions/${id}/undo`, {}, person)).status
    const running = async () =>
      (await instance.get('/api/time-entries?running=true', person)).body.timeEntries.map(
        ({ id }: { id: number }) => id,
      )
    expect([await undo(second.undoId), await running()]).toEqual([200, [first.result.id]])
    const stopped = await call('stop_timer')
    expect([await undo(stopped.undoId), await running()]).toEqual([200, [first.result.id]])
    await call('stop_timer')

    const member = await register(instance)
    const share = { email: member.email, role: 'viewer' }
    const { body: offer } = await instance.post(`/api/task-lists/${list.id}/shares`, share, person)
    await instance.post(`/api/shares/${offer.id}/accept`, undefined, member)
    expect((await confirm('add_task_comment', { id: task.id, text: 'Green.' })).status).toBe(200)
    const { body: seen } = await instance.get(`/api/tasks/${task.id}/comments`, member)
    expect(seen.comments.map(({ text }: { text: string }) => text)).toEqual(['Green.'])
  })

  it('a deleted task comes back with its comments and its time', async () => {
    const { result: task } = await call('create_task', { title: 'Sweep' })
    await call('add_task_comment', { id: task.id, text: 'With the new broom.' })
    const spent = { startedAt: '2026-03-01T09:00:00Z', endedAt: '2026-03-01T09:30:00Z' }
    await instance.post(`/api/tasks/${task.id}/time-entries`, spent, person)
    expect((await confirm('delete_task', { id: task.id })).status).toBe(200)
    const { body } = await instance.get('/api/actions?limit=1', person)
    expect((await instance.post(`/api/actions/${body.actions[0].id}/undo`, {}, person)).status).toBe(200)
    const { tasks } = await call('list_tasks', { query: 'sweep' })
    expect((await call('list_task_comments', { id: tasks[0].id })).comments).toMatchObject([
      { text: 'With the new broom.', authorId: person.id },
    ])
    const { body: time } = await instance.get(`/api/tasks/${tasks[0].id}/time-entries`, person)
    expect(time.trackedSeconds).toBe(1800)
  })
})
