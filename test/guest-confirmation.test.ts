import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { addAccountToSendWith } from './support/mail-account-to-send-with.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { type AiFixture, startAiFixture } from './support/providers/ai-fixture.ts'

const EVENTS = '/api/calendar/events'
const ACTIONS = '/api/ai/actions'
const START = '2030-03-01T12:00:00.000Z'
const LATER = '2030-03-02T15:00:00.000Z'

const addEvent = async (instance: Instance, fields: object, as: { token?: string } = {}) => {
  const made = await instance.post(EVENTS, { title: 'Lunch', start: START, ...fields }, as)
  expect(made.status).toBe(201)
  return made.body
}

/** Each tool that changes an event, with an input, and the expected change. */
const changes = (id: number): [string, object, object][] => [
  ['move_event', { id, start: LATER }, { start: LATER }],
  ['update_event', { id, title: 'Dinner' }, { title: 'Dinner' }],
  ['cancel_event', { id }, { status: 'cancelled' }],
]

onOneDatabase('sqlite', 'changes to events with guests wait for confirmation', (engine) => {
  describe('over MCP', () => {
    let instance: Instance
    let person: Person
    let client: Client
    beforeAll(async () => {
      instance = await startInstance({ engine, environment: { ACCESS: 'private', REGISTRATION: 'open' } })
      person = await register(instance)
      await addAccountToSendWith(instance, person)
      const request = { password: PASSWORD, name: 'mcp', scopes: ['calendar:write'] }
      const { token } = (await instance.post('/api/settings/tokens', request, person)).body
      client = new Client({ name: 'test', version: '1.0.0' })
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${instance.url}/mcp`), { requestInit }))
    })
    afterAll(async () => {
      await client?.close()
      await instance?.close()
    })

    const call = async (name: string, input: object): Promise<string> => {
      const result = await client.callTool({ name, arguments: input as Record<string, unknown> })
      return (result.content as { text: string }[])[0]?.text ?? ''
    }
    const pending = async () => (await instance.get(`${ACTIONS}?status=pending`, person)).body.actions
    const confirm = (id: string, as: { token?: string } = person) =>
      instance.post(`${ACTIONS}/${id}/confirm`, {}, as)
    const get = async (id: number) => (await instance.get(`${EVENTS}/${id}`, person)).body

    it.each(['move_event', 'update_event', 'cancel_event'])(
      '%s requires confirmation and runs once confirmed',
      async (name) => {
        const event = await addEvent(instance, { attendees: ['Li <li@example.org>'] }, person)
        const [, input, after] = changes(event.id).find(([tool]) => tool === name) as [string, object, object]
        expect(await call(name, input)).toContain('waits for the person')
        expect((await get(event.id)).updatedAt).toBe(event.updatedAt)
        expect(await get(event.id)).toMatchObject({ title: 'Lunch', start: START, status: 'confirmed' })
        const [action] = await pending()
        expect(action).toMatchObject({ tool: name, source: 'mcp', input })
        expect(action.summary).toContain('guests may be notified: li@example.org')
        expect((await confirm(action.id)).status).toBe(200)
        expect(await get(event.id)).toMatchObject(after)
        expect((await confirm(action.id)).status).toBe(409)
      },
    )

    it('an invitation to a new event requires confirmation', async () => {
      const input = { title: 'Demo', start: START, attendees: ['Carla <carla@example.org>'] }
      expect(await call('create_event', input)).toContain('waits for the person')
      const [action] = await pending()
      expect(action.summary).toMatch(/^Create “Demo” on .* with carla@example.org$/)
      const done = await confirm(action.id)
      expect(done.body.result).toMatchObject({ title: 'Demo', attendees: [{ email: 'carla@example.org' }] })
    })

    it('an event whose only attendee is the user changes at once', async () => {
      for (const attendee of [
        person.email,
        person.email.toUpperCase(),
        'me@example.org',
        'me+x@example.org',
      ]) {
        const made = await call('create_event', { title: 'Gym', start: START, attendees: [attendee] })
        expect(made).toContain('status: done')
        const event = await addEvent(instance, { attendees: [attendee] }, person)
        for (const [name, input] of changes(event.id))
          expect(await call(name, input)).toContain('status: done')
      }
      expect(await pending()).toEqual([])
    })

    it('an organizer and a guest of a single occurrence count as guests', async () => {
      const organized = await addEvent(
        instance,
        { organizer: 'boss@example.org', attendees: [person.email] },
        person,
      )
      expect(await call('cancel_event', { id: organized.id })).toContain('waits for the person')
      const series = await addEvent(instance, { recurrence: 'FREQ=DAILY;COUNT=3' }, person)
      const occurrence = '2030-03-02T12:00:00.000Z'
      await instance.call('PATCH', `${EVENTS}/${series.id}?occurrence=${occurrence}`, {
        ...person,
        body: { attendees: ['li@example.org'] },
      })
      expect(await call('move_event', { id: series.id, start: LATER })).toContain('waits for the person')
      for (const { id } of await pending()) await instance.post(`${ACTIONS}/${id}/reject`, undefined, person)
    })

    it('rejects a confirmation if the event was changed since, after a day, and for another account', async () => {
      const event = await addEvent(instance, { attendees: ['li@example.org'] }, person)
      const ask = async () => {
        await call('cancel_event', { id: event.id })
        return (await pending())[0].id as string
      }
      const stranger = await register(instance)
      const first = await ask()
      const foreign = await confirm(first, stranger)
      expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
      const edit = await instance.call('PATCH', `${ACTIONS}/${first}`, {
        ...stranger,
        body: { input: { id: event.id } },
      })
      expect(edit.status).toBe(404)
      await instance.call('PATCH', `${EVENTS}/${event.id}`, { ...person, body: { title: 'Brunch' } })
      const stale = await confirm(first)
      expect([stale.status, stale.body.detail]).toEqual([409, expect.stringContaining('changed since')])
      const late = await ask()
      instance.clock.advance(DAY)
      const { body } = await instance.post('/api/auth/login', { email: person.email, password: PASSWORD })
      expect((await confirm(late, body)).status).toBe(409)
      person = { ...person, ...body }
      expect(await get(event.id)).toMatchObject({ title: 'Brunch', status: 'confirmed' })
    })
  })

  describe('in the chat, in open mode', () => {
    let fixture: AiFixture
    let instance: Instance
    beforeAll(async () => {
      fixture = await startAiFixture({ engine, environment: { MODEL_A: 'openai:gpt-4.1' } })
      instance = fixture.instance
    })
    afterAll(() => fixture?.close())

    it('a model waits, and nobody without a session can confirm', async () => {
      const event = await addEvent(instance, { attendees: ['li@example.org'] })
      const ids: string[] = []
      for (const [name, input] of [
        ...changes(event.id),
        ['create_event', { title: 'Demo', start: START, attendees: ['li@example.org'] }] as const,
      ]) {
        fixture.providers.openai.script = [{ calls: [{ name, input }] }, { say: 'It waits.' }]
        const { body } = await instance.post('/api/ai/chat', { message: 'do it' })
        expect(body.actions).toMatchObject([{ tool: name, status: 'needs_confirmation' }])
        ids.push(body.actions[0].actionId)
      }
      expect((await instance.get(`${EVENTS}/${event.id}`)).body.updatedAt).toBe(event.updatedAt)
      const [id] = ids as [string]
      const confirm = (as: { token?: string }) => instance.post(`${ACTIONS}/${id}/confirm`, {}, as)
      const early = await confirm({})
      expect([early.status, early.body.code]).toEqual([401, 'unauthorized'])
      expect(early.body.detail).toContain('no account yet')
      expect(early.body.detail).toContain('/api/auth/register')
      const owner = await register(instance)
      const anonymous = await confirm({})
      expect([anonymous.status, anonymous.body.detail]).toEqual([401, expect.stringContaining('Sign in')])
      const edited = await instance.call('PATCH', `${ACTIONS}/${id}`, { body: { input: { id: event.id } } })
      expect(edited.status).toBe(401)
      const request = { password: PASSWORD, name: 't', scopes: ['calendar:write', 'ai:write', 'mail:write'] }
      const { token } = (await instance.post('/api/settings/tokens', request, owner)).body
      expect((await confirm({ token })).status).toBe(403)
      // The first account owns requests without a token. An account that a client registers does not.
      expect((await confirm(await register(instance))).status).toBe(404)
      // A program could propose an action, register the first account, and confirm with its new session.
      const late = await confirm(owner)
      expect([late.status, late.body.detail]).toEqual([
        403,
        expect.stringContaining('before this session began'),
      ])
      expect((await instance.get(`${EVENTS}/${event.id}`)).body.updatedAt).toBe(event.updatedAt)
      const [name, input] = changes(event.id)[0] as [string, object, object]
      fixture.providers.openai.script = [{ calls: [{ name, input }] }, { say: 'It waits.' }]
      const { body } = await instance.post('/api/ai/chat', { message: 'do it' })
      const proposed = `${ACTIONS}/${body.actions[0].actionId}/confirm`
      expect((await instance.post(proposed, {}, owner)).status).toBe(200)
      expect((await instance.get(`${EVENTS}/${event.id}`)).body.start).toBe(LATER)
    })
  })

  it('the built-in assistant waits too', async () => {
    const instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    instance.clock.advance(Date.parse('2030-02-26T08:00:00.000Z') - instance.clock.now().getTime())
    const event = await addEvent(instance, { title: 'Review', attendees: ['Tom <tom@example.org>'] })
    for (const [message, tool] of [
      ['move the review to Saturday at 10', 'move_event'],
      ['rename the review to Retro', 'update_event'],
      ['cancel the review', 'cancel_event'],
      ['invite carla@example.org to a demo on Friday at 3', 'create_event'],
    ]) {
      const { body } = await instance.post('/api/ai/chat', { message })
      expect(body.actions.at(-1)).toMatchObject({ tool, status: 'needs_confirmation' })
      expect(body.reply).toContain('Press the button to confirm')
    }
    expect((await instance.get(`${EVENTS}/${event.id}`)).body.updatedAt).toBe(event.updatedAt)
    await instance.close()
  })
})
