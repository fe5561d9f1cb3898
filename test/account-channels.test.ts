import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { entriesOf, exportOf, linesOf } from './support/exports.ts'
import { fillInstance } from './support/full-instance.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'
import { startReceiver } from './support/webhook-receiver.ts'

/*
 * A second account must find nothing of the first one in MCP tools, live events, webhooks, exports and jobs. The API
 * has its own test, account-isolation.test.ts.
 */

interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

const UNKNOWN_ID = 2 ** 40

/** Builds arguments for a tool. Ids are `id`; the rest does not matter, as long as both servers get the same. */
const argumentsFor = (schema: Schema, id: unknown, name = ''): unknown => {
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return argumentsFor(schema.anyOf[0] as Schema, id, name)
  if (schema.type === 'array') return schema.items ? [argumentsFor(schema.items, id, name)] : []
  if (/(?:^id|Ids?)$/.test(name)) return schema.type === 'string' ? String(id) : id
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'boolean') return true
  if (schema.type !== 'object')
    return /At$|^start$|^end$|day/i.test(name) ? '2030-03-01' : 'report@example.org'
  const required = Object.entries(schema.properties ?? {}).filter(
    ([property]) => schema.required?.includes(property) || /(?:^id|Ids?)$/.test(property),
  )
  return Object.fromEntries(
    required.map(([property, inner]) => [property, argumentsFor(inner, id, property)]),
  )
}

const connect = async (instance: Instance, token: string): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${instance.url}/mcp`), { requestInit: { headers } }),
  )
  return client
}

onOneDatabase('sqlite', 'a second account in other channels', (engine) => {
  let instance: Instance
  let alone: Instance
  let owner: { token: string }
  let stranger: Person
  let reference: Person

  beforeAll(async () => {
    instance = await startInstance({ engine })
    owner = await fillInstance(instance)
    alone = await startInstance({ engine, clock: instance.clock })
    await register(alone)
    const person = { email: 'stranger@example.org', name: 'Stranger' }
    stranger = await register(instance, person)
    reference = await register(alone, person)
  })
  afterAll(async () => {
    await instance?.close()
    await alone?.close()
  })

  /** Calls every tool. Ids and times differ between two servers, and are masked. */
  const callTools = async (of: Instance, token: string, idOf: (tool: string) => unknown) => {
    const client = await connect(of, token)
    const { tools } = await client.listTools()
    const answers: Record<string, string> = {}
    for (const { name, inputSchema } of tools) {
      const input = argumentsFor(inputSchema as Schema, idOf(name)) as Record<string, unknown>
      const result = await client.callTool({ name, arguments: input })
      answers[name] = JSON.stringify(result)
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
        .replace(/"(id|\w+Id)\\?":\s*(?:\d+|\\?"[\w-]+\\?")/g, '"$1":<id>')
        .replace(/\b\d{1,13}\b/g, '<number>')
        .replace(/[\w-]{22,}/g, '<key>')
    }
    await client.close()
    return answers
  }

  it('gets from each MCP tool what an account without data gets', async () => {
    const first = async (path: string, name: string): Promise<unknown> =>
      (await instance.get(path, owner)).body[name][0].id
    const ids: [RegExp, unknown][] = [
      [/task/, await first('/api/tasks', 'tasks')],
      [/event|invit/, await first('/api/calendar/events', 'events')],
      [/./, await first('/api/emails', 'emails')],
    ]
    const before = (await instance.get('/api/stats', owner)).body
    const foreign = await callTools(
      instance,
      stranger.token,
      (tool) => ids.find(([pattern]) => pattern.test(tool))?.[1],
    )
    expect(Object.keys(foreign).length).toBeGreaterThan(15)
    expect(foreign).toEqual(await callTools(alone, reference.token, () => UNKNOWN_ID))
    expect((await instance.get('/api/stats', owner)).body).toEqual(before)
  })

  it('receives only its own live events, also those that it missed', async () => {
    const stream = await openEventStream(instance.url, '/api/events', stranger)
    await instance.post('/api/tasks', { title: 'Task of the owner' }, owner)
    await instance.post('/api/emails', { from: 'x@example.org', subject: 'Mail of the owner' }, owner)
    await instance.post('/api/calendar/events', { title: 'Event', start: '2030-05-01T10:00:00Z' }, owner)
    const { body: own } = await instance.post('/api/tasks', { title: 'Mine' }, stranger)
    const isOwn = ({ data }: { data: { subject?: string } }) => data.subject === String(own.id)
    await expect.poll(() => stream.events.some(isOwn)).toBe(true)
    expect(JSON.stringify(stream.events)).not.toContain('owner')
    await stream.leave()
    const again = await openEventStream(instance.url, '/api/events', { ...stranger, lastEventId: '1' })
    await expect.poll(() => again.events.some((event) => event.event === 'reset' || isOwn(event))).toBe(true)
    expect(JSON.stringify(again.events)).not.toContain('owner')
    await again.leave()
  })

  it('receives only its own changes at its webhooks', async () => {
    const receiver = await startReceiver()
    instance.app.sending.start()
    const hook = { url: receiver.url, events: ['*'] }
    expect((await instance.post('/api/settings/webhooks', hook, stranger)).status).toBe(201)
    await instance.post('/api/tasks', { title: 'Secret of the owner' }, owner)
    await instance.post('/api/tasks', { title: 'Mine again' }, stranger)
    await expect.poll(() => receiver.received.some(({ text }) => text.includes('Mine again'))).toBe(true)
    expect(receiver.received.map(({ text }) => text).join()).not.toContain('owner')
    await receiver.close()
  })

  it('exports only its own data', async () => {
    const countLines = async (of: Instance, token: string) => {
      const files = linesOf(await entriesOf(await exportOf(of, token)))
      return Object.fromEntries(Object.entries(files).map(([name, lines]) => [name, lines.length]))
    }
    const fresh = { email: 'fresh@example.org', name: 'Fresh' }
    const [here, there] = [await register(instance, fresh), await register(alone, fresh)]
    expect(await countLines(instance, here.token)).toEqual(await countLines(alone, there.token))
  })

  it('does not see background jobs', async () => {
    expect((await instance.get('/api/jobs', stranger)).status).toBe(403)
  })
})
