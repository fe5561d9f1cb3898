import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LOCAL_SERVERS } from '../src/features/models/local-servers.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { type OddServer, startOddServer } from './support/providers/odd-server.ts'

it('searches the default addresses of four servers, on this machine only', () => {
  expect(LOCAL_SERVERS.map(({ server, baseUrl }) => `${server} ${baseUrl}`)).toEqual([
    'ollama http://127.0.0.1:11434/v1',
    'llama.cpp http://127.0.0.1:8080/v1',
    'lm-studio http://127.0.0.1:1234/v1',
    'vllm http://127.0.0.1:8000/v1',
  ])
})

/** Returns an address at which nothing listens. */
const findFreeAddress = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/v1`
}

onOneDatabase('sqlite', 'local models', (engine) => {
  let ollama: OddServer
  let locked: OddServer
  let other: OddServer
  let instance: Instance
  let owner: Person
  let member: Person
  beforeAll(async () => {
    ;[ollama, locked, other] = await Promise.all([startOddServer(), startOddServer(), startOddServer()])
    ollama.models = ['qwen3:8b', 'gemma3:4b']
    locked.models = 401
    other.models = 404
    instance = await startInstance({
      engine,
      environment: { ACCESS: 'private', REGISTRATION: 'open' },
      deps: {
        localModelServers: [
          { server: 'ollama', baseUrl: ollama.url },
          { server: 'llama.cpp', baseUrl: await findFreeAddress() },
          { server: 'lm-studio', baseUrl: other.url },
          { server: 'vllm', baseUrl: locked.url },
        ],
      },
    })
    owner = await register(instance)
    member = await register(instance)
  })
  afterAll(() => Promise.all([instance.close(), ollama.close(), locked.close(), other.close()]))

  const search = (person?: { token?: string | undefined }) =>
    instance.post('/api/ai/local-models', undefined, person)
  const select = (body: object, person: { token?: string | undefined }) =>
    instance.call('PUT', '/api/ai/local-models', { ...person, body })

  it('are found on request of the owner, and each server says why it was not found', async () => {
    const { status, body } = await search(owner)
    expect(status).toBe(200)
    expect(body.servers).toEqual([
      { server: 'ollama', baseUrl: ollama.url, result: 'found', models: ['qwen3:8b', 'gemma3:4b'] },
      { server: 'llama.cpp', baseUrl: expect.any(String), result: 'not_running', models: [] },
      { server: 'lm-studio', baseUrl: other.url, result: 'no_model_server', models: [] },
      { server: 'vllm', baseUrl: locked.url, result: 'needs_key', models: [] },
    ])
  })

  it('can be neither searched nor selected by other accounts and tokens', async () => {
    const scopes = ['ai:write', 'workflow:write']
    const made = await instance.post('/api/settings/tokens', { password: PASSWORD, name: 't', scopes }, owner)
    for (const person of [member, { token: made.body.token }]) {
      expect((await search(person)).status).toBe(403)
      expect((await select({ baseUrl: ollama.url, model: 'qwen3:8b' }, person)).status).toBe(403)
    }
    expect((await search()).status).toBe(401)
    const typed = { provider: 'openai-compatible', baseUrl: ollama.url }
    const { body } = await instance.post('/api/api-keys', typed, member)
    expect(body).toMatchObject({ verified: false, reason: expect.stringContaining('OUTBOUND_ALLOW') })
  })

  it('are selected with their server, cost nothing, and can be tested', async () => {
    const wrong = [
      { baseUrl: 'http://127.0.0.1:1/v1', model: 'qwen3:8b' },
      { baseUrl: ollama.url, model: 'llama4' },
    ]
    for (const body of wrong) expect((await select(body, owner)).status).toBe(400)
    expect((await select({ baseUrl: locked.url, model: 'x' }, owner)).status).toBe(409)
    const selected = await select({ baseUrl: ollama.url, model: 'qwen3:8b' }, owner)
    expect(selected.body).toMatchObject({
      model: 'model_d',
      provider: 'openai-compatible',
      providerModel: 'qwen3:8b',
      ready: true,
    })
    ollama.answer = ({ tools, messages }) =>
      tools && !messages.some(({ role }) => role === 'tool')
        ? { message: { content: '<tool_call>{"name":"get_weekday","arguments":{}}</tool_call>' } }
        : { message: { content: tools ? '<think>Easy.</think>It is Monday.' : '{"weekday":"Monday"}' } }
    const tested = await instance.post('/api/ai/model-test', {}, owner)
    expect([tested.status, tested.body]).toEqual([
      200,
      {
        model: 'model_d',
        provider: 'openai-compatible',
        providerModel: 'qwen3:8b',
        text: 'It is Monday.',
        tools: 'used',
        json: true,
      },
    ])
    expect(new Set(ollama.asked.map(({ model }) => model))).toEqual(new Set(['qwen3:8b']))
    const { body: usage } = await instance.get('/api/ai/usage', owner)
    expect(usage.today).toMatchObject({ requests: 3, costUsd: 0, unpriced: 0 })
    const { body } = await instance.get('/api/api-keys/openai-compatible', owner)
    expect(body).toMatchObject({ baseUrl: ollama.url, model: 'qwen3:8b', verified: true })
    const refused = await instance.post('/api/ai/model-test', {}, member)
    expect([refused.status, refused.body.detail]).toEqual([502, expect.stringContaining('OUTBOUND_ALLOW')])
    await instance.call('DELETE', '/api/api-keys/openai-compatible', member)
    expect((await instance.post('/api/ai/model-test', {}, member)).status).toBe(409)
  })

  it('answer a chat without tools if the model has none, and the answer says so', async () => {
    await select({ baseUrl: ollama.url, model: 'gemma3:4b' }, owner)
    ollama.asked = []
    ollama.answer = ({ tools }) =>
      tools
        ? { status: 400, error: { error: { message: 'gemma3:4b does not support tools' } } }
        : { message: { content: 'I cannot see your tasks.' } }
    const { status, body } = await instance.post('/api/ai/chat', { message: 'What is due?' }, owner)
    expect([status, body.reply, body.notice, body.engine]).toEqual([
      200,
      'I cannot see your tasks.',
      'no_tools',
      'llm',
    ])
    const conversation = await instance.get(`/api/ai/conversations/${body.conversationId}`, owner)
    expect(conversation.body.messages[1].notice).toBe('no_tools')
    expect((await instance.post('/api/ai/model-test', {}, owner)).body.tools).toBe('missing')
    ollama.answer = () => ({ status: 500, error: { error: { message: 'out of memory' } } })
    const failed = await instance.post('/api/ai/chat', { message: 'Hello' }, owner)
    expect([failed.status, failed.body.detail]).toEqual([502, expect.stringContaining('“out of memory”')])
  })

  it('are not reachable any more after a key was saved for another address', async () => {
    await instance.post('/api/api-keys', { provider: 'openai-compatible', baseUrl: ollama.url }, owner)
    const { body } = await instance.get('/api/api-keys/openai-compatible', owner)
    expect(body).toMatchObject({ model: null, verified: false })
    await instance.call('DELETE', '/api/api-keys/openai-compatible', owner)
  })
})
