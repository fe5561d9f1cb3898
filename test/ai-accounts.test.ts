import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { startOpenAi } from './support/providers/openai.ts'
import type { Provider } from './support/providers/provider.ts'

const ENVIRONMENT_KEY = 'sk-environment-0123456789-envi'
const KEY_OF_BEN = 'sk-runtime-key-0123456789-benn'

const environmentOf = (openai: Provider) => ({
  MODEL_A: 'openai:gpt-5',
  MODEL_B: 'openai:gpt-4.1',
  OPENAI_BASE_URL: openai.url,
  OPENAI_API_KEY: ENVIRONMENT_KEY,
})

onOneDatabase('sqlite', 'the AI of two accounts', (engine) => {
  let openai: Provider
  let instance: Instance
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    openai = await startOpenAi()
    instance = await startInstance({ engine, environment: environmentOf(openai) })
    await instance.post('/api/ai-model', { model: 'model_b' })
    ana = await register(instance)
    ben = await register(instance)
  })
  afterAll(async () => {
    await instance.close()
    await openai.close()
  })

  const statusOf = async (token: string | undefined) =>
    (await instance.get('/api/api-keys/openai', { token })).body
  const generate = (token: string | undefined) =>
    instance.post('/api/ai/generate', { prompt: 'Thank Ana for the cake' }, { token })
  const makeToken = async ({ token }: Person, scopes: string[]): Promise<string> =>
    (await instance.post('/api/settings/tokens', { name: 'x', scopes, password: PASSWORD }, { token })).body
      .token

  it('has a selected model per account, and the first registration keeps the one of the local account', async () => {
    const modelOf = async (token?: string) => (await instance.get('/api/ai-model', { token })).body.model
    expect([await modelOf(), await modelOf(ana.token), await modelOf(ben.token)]).toEqual([
      'model_b',
      'model_b',
      'model_a',
    ])
    await instance.post('/api/ai-model', { model: 'model_c' }, { token: ben.token })
    expect([await modelOf(ana.token), await modelOf(ben.token)]).toEqual(['model_b', 'model_c'])
    const { body } = await instance.get('/api/workflow/model-info', { token: ben.token })
    expect(body.model).toBe('model_c')
    await instance.post('/api/ai-model', { model: 'model_a' }, { token: ben.token })
  })

  it('uses the keys of the environment for the owner only', async () => {
    expect(await statusOf(ana.token)).toMatchObject({ source: 'environment', hint: '…envi' })
    expect(await statusOf(ben.token)).toMatchObject({
      configured: false,
      source: 'none',
      hint: '',
      baseUrl: null,
    })
    expect((await generate(ana.token)).body.engine).toBe('llm')
    const asked = openai.asked.length
    expect((await generate(ben.token)).body).toMatchObject({ engine: 'builtin', fallbackReason: 'no_key' })
    expect(openai.asked.length).toBe(asked)
  })

  it('keeps runtime keys within the account', async () => {
    const saved = await instance.post(
      '/api/api-keys',
      { provider: 'openai', key: KEY_OF_BEN, baseUrl: openai.url },
      { token: ben.token },
    )
    expect([saved.status, saved.body.source]).toEqual([201, 'runtime'])
    expect((await statusOf(ana.token)).source).toBe('environment')
    await generate(ben.token)
    expect(openai.asked.at(-1)?.headers.authorization).toBe(`Bearer ${KEY_OF_BEN}`)
    await generate(undefined)
    expect(openai.asked.at(-1)?.headers.authorization).toBe(`Bearer ${ENVIRONMENT_KEY}`)
    const remove = (token: string) => instance.call('DELETE', '/api/api-keys/openai', { token })
    expect((await remove(ana.token)).status).toBe(404)
    expect((await remove(ben.token)).status).toBe(204)
  })

  it('counts usage per account', async () => {
    const requestsOf = async (token: string) =>
      (await instance.get('/api/ai/usage', { token })).body.today.requests
    const before = [await requestsOf(ana.token), await requestsOf(ben.token)] as const
    await generate(ben.token)
    expect([await requestsOf(ana.token), await requestsOf(ben.token)]).toEqual([before[0], before[1] + 1])
    const stats = (await instance.get('/api/stats', { token: ben.token })).body
    expect(stats.ai.requests).toBe(before[1] + 1)
  })

  it('keeps conversations within the account, and those of a token within the token', async () => {
    const chat = (token: string | undefined, conversationId?: string) =>
      instance.post(
        '/api/ai/chat',
        { message: 'show my tasks', ...(conversationId !== undefined && { conversationId }) },
        { token },
      )
    const token = await makeToken(ben, ['ai:write', 'tasks:read'])
    const { conversationId } = (await chat(ben.token)).body
    const { conversationId: ofToken } = (await chat(token)).body
    const list = async (as: string | undefined): Promise<string[]> =>
      (await instance.get('/api/ai/conversations', { token: as })).body.conversations.map(
        ({ id }: { id: string }) => id,
      )
    expect((await list(ben.token)).toSorted()).toEqual([conversationId, ofToken].toSorted())
    expect(await list(token)).toEqual([ofToken])
    expect([await list(ana.token), await list(undefined)]).toEqual([[], []])
    for (const as of [ana.token, undefined]) {
      const path = `/api/ai/conversations/${conversationId}`
      expect((await instance.get(path, { token: as })).status).toBe(404)
      expect((await instance.call('DELETE', path, { token: as })).status).toBe(404)
      expect((await chat(as, conversationId)).status).toBe(404)
    }
    expect((await instance.get(`/api/ai/conversations/${conversationId}`, { token })).status).toBe(404)
  })

  it('keeps pending actions and their notifications within the account', async () => {
    const title = 'Buy milk'
    const { body: task } = await instance.post('/api/tasks', { title }, { token: ben.token })
    const { body: chat } = await instance.post(
      '/api/ai/chat',
      { message: `delete the task ${title}` },
      { token: ben.token },
    )
    const id: string = chat.actions.at(-1).actionId
    expect(id).toEqual(expect.any(String))
    const path = `/api/ai/actions/${id}`
    for (const token of [ana.token, undefined]) {
      expect((await instance.get('/api/ai/actions', { token })).body.actions).toEqual([])
      expect((await instance.get(path, { token })).status).toBe(404)
      expect((await instance.post(`${path}/reject`, undefined, { token })).status).toBe(404)
    }
    const input = { input: { id: task.id } }
    expect((await instance.post(`${path}/confirm`, undefined, { token: ana.token })).status).toBe(404)
    expect((await instance.call('PATCH', path, { body: input, token: ana.token })).status).toBe(404)
    expect((await instance.post(`${path}/confirm`)).status).toBe(401)
    const kindsOf = async (token: string): Promise<string[]> =>
      (await instance.get('/api/notifications', { token })).body.notifications.map(
        ({ kind }: { kind: string }) => kind,
      )
    expect(await kindsOf(ana.token)).not.toContain('action_waiting')
    expect(await kindsOf(ben.token)).toContain('action_waiting')
    const confirmed = await instance.post(`${path}/confirm`, undefined, { token: ben.token })
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'done'])
    const undo = (token: string) =>
      instance.post(`/api/actions/${confirmed.body.undoId}/undo`, undefined, { token })
    expect((await undo(ana.token)).status).toBe(404)
    expect((await undo(ben.token)).status).toBe(200)
  })
})

onOneDatabase('sqlite', 'AI_KEYS_FOR', (engine) => {
  it('lets the keys of the environment serve all accounts', async () => {
    const openai = await startOpenAi()
    const environment = { ...environmentOf(openai), AI_KEYS_FOR: 'all' }
    const instance = await startInstance({ engine, environment })
    await register(instance)
    const { token } = await register(instance)
    expect((await instance.get('/api/api-keys/openai', { token })).body.source).toBe('environment')
    const answer = await instance.post('/api/ai/generate', { prompt: 'Hello' }, { token })
    expect(answer.body.engine).toBe('llm')
    await instance.close()
    await openai.close()
  })

  it('does not let a member use the address of a server without a key', async () => {
    const openai = await startOpenAi()
    const environment = { MODEL_A: 'openai-compatible:llama3.1', OPENAI_COMPATIBLE_BASE_URL: openai.url }
    const instance = await startInstance({ engine, environment })
    await register(instance)
    const { token } = await register(instance)
    const saved = await instance.post('/api/api-keys', { provider: 'openai-compatible', key: 'x' }, { token })
    expect([saved.status, saved.body.errors?.[0]?.path]).toEqual([400, 'baseUrl'])
    expect(openai.asked).toEqual([])
    await instance.close()
    await openai.close()
  })

  it('limits the spending of each account on its own', async () => {
    const openai = await startOpenAi()
    const environment = {
      ...environmentOf(openai),
      AI_KEYS_FOR: 'all',
      AI_DAILY_LIMIT_USD: '0.0001',
    }
    const instance = await startInstance({ engine, environment })
    const [ana, ben] = [await register(instance), await register(instance)]
    const generate = async ({ token }: Person) =>
      (await instance.post('/api/ai/generate', { prompt: 'Hello' }, { token })).status
    expect([await generate(ana), await generate(ana)]).toEqual([200, 429])
    expect([await generate(ben), await generate(ben)]).toEqual([200, 429])
    await instance.close()
    await openai.close()
  })
})
