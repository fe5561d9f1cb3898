import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { fillInstance } from './support/full-instance.ts'
import { type Answer, type Call, type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

/*
 * Walks every operation of the API as a second account. It must get the same answers as in an instance in which nobody
 * else has data. An id of the first account must answer like an unknown one.
 */

interface Schema {
  $ref?: string
  type?: string
  example?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
  example?: unknown
}

interface Operation {
  method: string
  path: string
  parameters: Parameter[]
  content: Record<string, { schema?: Schema; example?: unknown }>
  responses: string[]
}

const listOperations = (document: Answer['body']): Operation[] =>
  Object.entries(document.paths as Record<string, Record<string, Answer['body']>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        content: requestBody?.content ?? {},
        responses: Object.values(responses as Record<string, { content?: object }>).flatMap(
          ({ content = {} }) => Object.keys(content),
        ),
      })),
  )

const createExamples = (document: Answer['body']) => {
  const exampleOf = (schema: Schema): unknown => {
    if (schema.$ref) return exampleOf(document.components.schemas[schema.$ref.split('/').at(-1) as string])
    if (schema.example !== undefined) return schema.example
    if (schema.enum) return schema.enum[0]
    if (schema.anyOf) return exampleOf(schema.anyOf[0] as Schema)
    if (schema.type === 'array') return schema.items ? [exampleOf(schema.items)] : []
    if (schema.type === 'integer' || schema.type === 'number') return 1
    if (schema.type === 'boolean') return true
    if (schema.type !== 'object') return 'text'
    const properties = Object.entries(schema.properties ?? {})
    const required = properties.filter(([name]) => schema.required?.includes(name))
    const chosen = required.length > 0 ? required : properties.slice(0, 1)
    return Object.fromEntries(chosen.map(([name, inner]) => [name, exampleOf(inner)]))
  }
  return exampleOf
}

/** Values that differ between two instances, or from one call to the next. */
const VOLATILE =
  /(?:^id$|Id$|At$|^at$|^date$|^version$|^etag$|^hash$|Token$|^token$|^nextCursor$|^revision$|^uptime|^next$|^minutes$)/
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

const mask = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(TIME, '<time>').replace(/127\.0\.0\.1:\d+/g, '<host>')
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, VOLATILE.test(name) ? '<masked>' : mask(inner)]),
  )
}

/** Facts of the instance, not of an account. */
const OF_INSTANCE = new Set(['/api/health', '/metrics', '/api-docs', '/docs'])
const isStream = ({ responses }: Operation): boolean =>
  responses.length > 0 && responses.includes('text/event-stream') && !responses.includes('application/json')

/** Operations whose parameter names something of the service, not a row of an account. */
const NOT_PERSONAL = [
  // Backups belong to the instance. Only its owner reaches them.
  'GET /api/backups/{id}',
  'POST /api/backups/{id}/download',
  'DELETE /api/backups/{id}',
  'PUT /api/settings/billing/budgets/{measure}',
  'DELETE /api/settings/billing/budgets/{measure}',
  'PUT /api/instance/oauth-clients/{provider}',
  'DELETE /api/instance/oauth-clients/{provider}',
  'GET /api/workflow/templates/{id}',
]

/** Invoices are read from Stripe by the customer of the account: see billing-stripe.test.ts. */
const TESTED_ELSEWHERE = [
  'GET /api/settings/billing/invoices/{id}',
  'GET /api/settings/billing/invoices/{id}/pdf',
]

/** Parameters that are names, not ids: names that exist, but not for the first account. */
const UNKNOWN_NAMES: Readonly<Record<string, string>> = { platform: 'kick', keyId: 'anthropic' }
const UNKNOWN = { number: 2 ** 40, text: 'q3vYw1y0T2uJf0b2nq8XVA' }

interface Owner {
  token: string
  email: string
}

/** Lists that contain what is shared, and the notifications of the offers. */
const SHARED_PATHS: readonly string[] = [
  '/api/calendar/events',
  '/api/calendar/upcoming',
  '/api/calendars',
  '/api/notifications',
  '/api/shares',
  '/api/task-lists',
  '/api/tasks',
]

onOneDatabase('sqlite', 'a second account', (engine) => {
  let instance: Instance
  let alone: Instance
  let owner: Owner
  let stranger: Person
  let guest: Person
  let reference: Person
  let operations: Operation[]
  let exampleOf: (schema: Schema) => unknown
  /** Ids of the first account that are in no list of the API, by path. */
  let unlisted: Readonly<Record<string, Record<string, string>>>

  /** Shares a list and calendars of the first account with a third one, and a list of that one with the first. */
  const shareWithGuest = async (): Promise<typeof unlisted> => {
    const share = async (path: string, role: string, by: Person | Owner = owner): Promise<number> => {
      const email = by === owner ? guest.email : owner.email
      const { body } = await instance.post(`${path}/shares`, { email, role }, by)
      await instance.post(`/api/shares/${body.id}/accept`, {}, by === owner ? guest : owner)
      return body.id
    }
    const add = async (path: string, name: string, by: Person | Owner = owner): Promise<string> =>
      `${path}/${(await instance.post(path, { name }, by)).body.id}`
    const list = await add('/api/task-lists', 'Shared list')
    const seen = await add('/api/task-lists', 'Seen list')
    const [open, busy] = [await add('/api/calendars', 'Open'), await add('/api/calendars', 'Busy')]
    const [source, target] = [await add('/api/calendars', 'Source'), await add('/api/calendars', 'Target')]
    const idOf = (path: string): number => Number(path.split('/').at(-1))
    for (const path of [list, seen])
      await instance.post('/api/tasks', { title: 'Shared task', listId: idOf(path) }, owner)
    for (const path of [open, busy]) {
      const event = { title: 'Shared event', start: '2026-03-04T10:00:00Z', calendarId: idOf(path) }
      await instance.post('/api/calendar/events', event, owner)
    }
    const ofList = await share(list, 'editor')
    await share(seen, 'viewer')
    const ofCalendar = await share(open, 'viewer')
    await share(busy, 'freeBusy')
    const offered = await share(await add('/api/task-lists', 'List of the guest', guest), 'viewer', guest)
    const section = await instance.post(`${list}/sections`, { name: 'Section' }, owner)
    const task = (await instance.get(`/api/tasks?listId=${idOf(list)}`, owner)).body.tasks[0].id
    const comment = await instance.post(`/api/tasks/${task}/comments`, { text: 'Hidden' }, owner)
    const timer = await instance.post(`/api/tasks/${task}/time-entries/start`, undefined, owner)
    const mirror = await instance.post(`${source}/mirrors`, { targetCalendarId: idOf(target) }, owner)
    const pathOf = (path: string, shareId: number) => ({ id: String(idOf(path)), shareId: String(shareId) })
    return {
      '/api/task-lists/{id}/shares/{shareId}': pathOf(list, ofList),
      '/api/calendars/{id}/shares/{shareId}': pathOf(open, ofCalendar),
      '/api/task-lists/{id}/sections/{sectionId}': {
        id: String(idOf(list)),
        sectionId: String(section.body.id),
      },
      '/api/tasks/{id}/comments/{commentId}': { id: String(task), commentId: String(comment.body.id) },
      '/api/tasks/{id}/time-entries/{entryId}': { id: String(task), entryId: String(timer.body.id) },
      '/api/calendars/{id}/mirrors/{mirrorId}': {
        id: String(idOf(source)),
        mirrorId: String(mirror.body.id),
      },
      '/api/shares/{id}': { id: String(offered) },
      '/api/shares/{id}/accept': { id: String(offered) },
      '/api/shares/{id}/decline': { id: String(offered) },
    }
  }

  const addUnlisted = async (): Promise<typeof unlisted> => {
    const { db } = instance.database
    const { id: userId } = (await instance.get('/api/auth/me', owner)).body
    const first = async (path: string, name: string) => (await instance.get(path, owner)).body[name][0]
    const alarm = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'UID:alarm@x',
      'DTSTART:20300401T100000Z',
      'SUMMARY:With alarm',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER;VALUE=DATE-TIME:20300401T080000Z',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n')
    const headers = { 'content-type': 'text/calendar' }
    await instance.call('POST', '/api/calendar/import', { ...owner, body: alarm, headers })
    const event = await db
      .selectFrom('events')
      .select('id')
      .where('userId', '=', userId)
      .where('uid', '=', 'alarm@x')
      .executeTakeFirstOrThrow()
    const { id: alarmId } = await first(`/api/calendar/events/${event.id}/alarms`, 'alarms')
    const task = await first('/api/tasks', 'tasks')
    const rpc = (method: string, params: object) =>
      instance.post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method, params },
        { ...owner, headers: { accept: 'application/json, text/event-stream' } },
      )
    await rpc('tools/call', { name: 'delete_task', arguments: { id: task.id } })
    const action = await first('/api/ai/actions', 'actions')
    const attachment = await db
      .selectFrom('attachments')
      .select(['id', 'emailId'])
      .where('userId', '=', userId)
      .where('emailId', 'is not', null)
      .executeTakeFirstOrThrow()
    const booked = await db
      .selectFrom('events')
      .select('bookingId')
      .where('userId', '=', userId)
      .where('bookingId', 'is not', null)
      .executeTakeFirstOrThrow()
    const unreadable = {
      name: 'x',
      reason: 'is not JSON',
      body: '{',
      size: 1,
      readerVersion: '0.0.0-test',
      failedAt: instance.clock.now().toISOString(),
    }
    const booking = await db
      .insertInto('unreadable_bookings')
      .values({ ...unreadable, userId, bookingId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const remote = await db
      .selectFrom('remote_calendars')
      .select(['id', 'accountId'])
      .executeTakeFirstOrThrow()
    const object = await db
      .insertInto('unreadable_objects')
      .values({ ...unreadable, accountId: remote.accountId, calendarId: remote.id, etag: '' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const shares = await shareWithGuest()
    const emailId = String(attachment.emailId)
    const actionId = { id: String(action.id), actionId: String(action.id) }
    return {
      ...shares,
      '/api/calendar/events/by-bookingsvc/{bookingId}': { bookingId: String(booked.bookingId) },
      '/api/calendar/events/{id}/alarms/{alarmId}': { id: String(event.id), alarmId: String(alarmId) },
      '/api/calendar/invitations/{emailId}': { emailId },
      '/api/calendar/invitations/{emailId}/respond': { emailId },
      '/api/emails/{id}/attachments/{attachmentId}': { id: emailId, attachmentId: attachment.id },
      '/api/emails/{id}/attachments/{attachmentId}/preview': {
        id: emailId,
        attachmentId: attachment.id,
      },
      '/api/attachments/{id}': { id: attachment.id },
      '/api/settings/calendar-accounts/{id}/unreadable/{itemId}': {
        id: remote.accountId,
        itemId: String(object.id),
      },
      '/api/bookingsvc/unreadable/{id}': { id: String(booking.id) },
      '/api/api-keys/{keyId}': { keyId: 'openai' },
      '/api/api-keys/{keyId}/verify': { keyId: 'openai' },
      '/api/ai/actions/{id}': actionId,
      '/api/ai/actions/{id}/confirm': actionId,
      '/api/ai/actions/{id}/reject': actionId,
    }
  }

  beforeAll(async () => {
    instance = await startInstance({ engine })
    const { token } = await fillInstance(instance)
    owner = { token, email: (await instance.get('/api/auth/me', { token })).body.email }
    alone = await startInstance({ engine, clock: instance.clock })
    await register(alone)
    const person = { email: 'stranger@example.org', name: 'Stranger' }
    stranger = await register(instance, person)
    guest = await register(instance, { email: 'guest@example.org', name: 'Guest' })
    reference = await register(alone, person)
    const document = (await instance.get('/api-docs')).body
    operations = listOperations(document)
    exampleOf = createExamples(document)
    unlisted = await addUnlisted()
  })
  afterAll(async () => {
    await instance?.close()
    await alone?.close()
  })

  const queryOf = ({ parameters }: Operation): string => {
    const required = parameters.filter(
      ({ in: place, required: isRequired }) => place === 'query' && isRequired,
    )
    const pairs = required.map(({ name, schema, example }): [string, string] => [
      name,
      String(example ?? exampleOf(schema)),
    ])
    return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
  }
  const bodyOf = ({ content }: Operation): Pick<Call, 'body' | 'headers'> => {
    const [type, media] = Object.entries(content)[0] ?? []
    if (type === undefined || media === undefined) return {}
    const body = media.example ?? (media.schema ? exampleOf(media.schema) : '')
    return type === 'application/json' ? { body } : { body: String(body), headers: { 'content-type': type } }
  }
  const view = ({ status, body }: Answer) => ({ status, body: mask(body) })
  const readAll = async (of: Instance, token: string): Promise<Record<string, unknown>> => {
    const answers: Record<string, unknown> = {}
    for (const operation of operations) {
      const { method, path } = operation
      if (method !== 'GET' || path.includes('{') || OF_INSTANCE.has(path) || isStream(operation)) continue
      answers[path] = view(await of.get(`${path}${queryOf(operation)}`, { token }))
    }
    return answers
  }

  it('reads what an account without data reads', async () => {
    const answers = await readAll(instance, stranger.token)
    expect(Object.keys(answers).length).toBeGreaterThan(50)
    expect(answers).toEqual(await readAll(alone, reference.token))
  })

  it('reads with shares only what is shared', async () => {
    const answers = await readAll(instance, guest.token)
    const person = await register(alone, { email: 'guest@example.org', name: 'Guest' })
    await alone.post('/api/task-lists', { name: 'List of the guest' }, person)
    const others = await readAll(alone, person.token)
    for (const path of SHARED_PATHS) delete answers[path]
    for (const path of SHARED_PATHS) delete others[path]
    expect(answers).toEqual(others)
    const read = async (path: string) => (await instance.get(path, guest)).body
    const { tasks } = await read('/api/tasks?limit=200')
    expect(tasks.map(({ title }: { title: string }) => title)).toEqual(['Shared task', 'Shared task'])
    const window = 'start=2026-03-01T00:00:00Z&end=2026-04-01T00:00:00Z'
    const { events } = await read(`/api/calendar/events?${window}`)
    expect(events.map(({ title }: { title: string }) => title).toSorted()).toEqual(['Busy', 'Shared event'])
    const { calendars } = await read('/api/calendars')
    const names = (all: { name: string; owner: object | null }[]) =>
      all.filter((each) => each.owner !== null).map(({ name }) => name)
    expect(names(calendars)).toEqual(['Open', 'Busy'])
    expect(names((await read('/api/task-lists')).taskLists)).toEqual(['Shared list', 'Seen list'])
  })

  const ownedLists = new Map<string, unknown[] | undefined>()
  /** Several operations have the same list. */
  const listOwned = async (url: string): Promise<unknown[] | undefined> => {
    if (!ownedLists.has(url)) {
      const { status, body } = await instance.get(`${url}?limit=200`, { token: owner.token })
      ownedLists.set(url, status === 200 ? Object.values(body as object).find(Array.isArray) : undefined)
    }
    return ownedLists.get(url)
  }

  /** Finds ids of the first account: the first entry of the list above the parameter. */
  const findOwned = async (path: string): Promise<Map<string, string>> => {
    const found = new Map<string, string>(Object.entries(unlisted[path] ?? {}))
    if (found.size > 0) return found
    let url = ''
    for (const part of path.split('/').slice(1)) {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
      if (name !== undefined) {
        const list = await listOwned(url)
        const entry = (list as Record<string, unknown>[] | undefined)?.find((each) => each[name] ?? each.id)
        const value = entry?.[name] ?? entry?.id
        if (value === undefined) return found
        found.set(name, String(value))
        url += `/${encodeURIComponent(String(value))}`
      } else url += `/${part}`
    }
    return found
  }

  it('gets the answer of an unknown id for ids of another account, and changes nothing', async () => {
    const before = await readAll(instance, owner.token)
    const untested: string[] = []
    let tested = 0
    for (const operation of operations) {
      const { method, path, parameters } = operation
      const inPath = parameters.filter(({ in: place }) => place === 'path')
      if (inPath.length === 0 || isStream(operation)) continue
      const owned = await findOwned(path)
      if (owned.size < inPath.length) {
        untested.push(`${method} ${path}`)
        continue
      }
      const fill = (toText: (parameter: Parameter) => string): string =>
        inPath.reduce((url, each) => url.replace(`{${each.name}}`, encodeURIComponent(toText(each))), path)
      const call = async (url: string, values: readonly string[]) => {
        const answer = await instance.call(method, `${url}${queryOf(operation)}`, {
          token: stranger.token,
          ...bodyOf(operation),
        })
        const written = JSON.stringify(view(answer))
        return values.reduce((text, value) => text.replaceAll(value, '<id>'), written)
      }
      const unknownOf = ({ name, schema }: Parameter): string =>
        String(schema.type === 'integer' ? UNKNOWN.number : (UNKNOWN_NAMES[name] ?? UNKNOWN.text))
      const foreign = await call(
        fill(({ name }) => owned.get(name) as string),
        [...owned.values()].filter((value) => value.length > 2),
      )
      const unknown = await call(
        fill(unknownOf),
        [...Object.values(UNKNOWN), ...Object.values(UNKNOWN_NAMES)].map(String),
      )
      expect(`${method} ${path} ${foreign}`).toBe(`${method} ${path} ${unknown}`)
      tested++
    }
    expect(await readAll(instance, owner.token)).toEqual(before)
    expect(tested).toBeGreaterThan(90)
    expect(untested.toSorted()).toEqual([...NOT_PERSONAL, ...TESTED_ELSEWHERE].toSorted())
  })
})
