import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { type AiFixture, askForEvents, startAiFixture } from './support/providers/ai-fixture.ts'

const NAMES = ['model_a', 'model_b', 'model_c', 'model_d']

onOneDatabase('sqlite', 'the four models', (engine) => {
  let fixture: AiFixture
  let bare: Instance
  beforeAll(async () => {
    fixture = await startAiFixture({ engine })
    bare = await startInstance({ engine })
  })
  afterAll(async () => {
    await fixture.close()
    await bare.close()
  })

  it('are mapped by the configuration, and the first ready one is active by default', async () => {
    const { body } = await fixture.instance.get('/api/ai-model')
    expect(body).toEqual({
      model: 'model_a',
      provider: 'anthropic',
      providerModel: 'claude-sonnet-4-5',
      ready: true,
      engine: 'llm',
      allowed: NAMES,
    })
    const other = await startInstance({ engine, environment: { OPENAI_API_KEY: 'sk-0123456789abcdef' } })
    expect((await other.get('/api/ai-model')).body).toMatchObject({ model: 'model_b', provider: 'openai' })
    await other.close()
  })

  it('keep the selection over a restart', async () => {
    const chosen = await bare.post('/api/ai-model', { model: 'model_c' })
    expect([chosen.status, chosen.body.model, chosen.body.provider]).toEqual([200, 'model_c', 'google'])
    const again = await startInstance({ engine, place: bare.place })
    expect((await again.get('/api/ai-model')).body.model).toBe('model_c')
    await again.close()
    await bare.post('/api/ai-model', { model: 'model_d' })
    expect((await bare.get('/api/ai-model')).body.model).toBe('model_d')
  })

  it('are the only allowed values', async () => {
    for (const model of ['gpt-5', 'model_e', '', 7, null])
      expect((await fixture.instance.post('/api/ai-model', { model })).status).toBe(400)
    expect((await fixture.instance.post('/api/ai-model', {})).status).toBe(400)
    expect((await fixture.instance.post('/api/ai/generate', { prompt: 'x', model: 'model_e' })).status).toBe(
      400,
    )
  })

  it('are listed with readiness and context size', async () => {
    const { body } = await fixture.instance.get('/api/ai/models')
    expect(body.models.map(({ model }: { model: string }) => model)).toEqual(NAMES)
    expect(body.models[0]).toMatchObject({ ready: true, active: true, contextTokens: 200_000 })
    expect(body.models[3]).toMatchObject({ provider: 'openai-compatible', contextTokens: null })
    const without = await bare.get('/api/ai/models')
    expect(without.body.models.map(({ ready }: { ready: boolean }) => ready)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  it('can be named for one request without changing the selection', async () => {
    const before = fixture.providers.google.asked.length
    const { body } = await fixture.instance.post('/api/ai/generate', { prompt: 'Hello', model: 'model_c' })
    expect(body).toMatchObject({ engine: 'llm', model: 'model_c', provider: 'google' })
    expect(fixture.providers.google.asked.length).toBe(before + 1)
    expect((await fixture.instance.get('/api/ai-model')).body.model).toBe('model_a')
  })

  it('write plain letters without a key, and the response says so', async () => {
    const { status, body } = await bare.post('/api/ai/generate', {
      prompt: 'Write a note to Ana that thanks her for the cake',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      engine: 'builtin',
      provider: 'builtin',
      fallbackReason: 'no_key',
      usage: { inputTokens: 0, outputTokens: 0 },
      costUsd: 0,
      truncated: false,
    })
    expect(body.text).toMatch(/^Hi Ana,\n\nThank you very much for the cake\./)
    const short = await bare.post('/api/ai/generate', {
      prompt: 'Erinnere Ben an die Rechnung',
      maxTokens: 5,
    })
    expect([short.body.text.length, short.body.truncated]).toEqual([20, true])
    const letter = { prompt: 'Sag die Einladung zum Sommerfest ab, weil ich im Urlaub bin' }
    const { events } = await askForEvents(bare, '/api/ai/generate', letter)
    expect(events.map(({ event }) => event)).toEqual(['delta', 'done'])
    expect(events[1]?.data).toMatchObject({ engine: 'builtin', fallbackReason: 'no_key' })
    expect(events[1]?.data).toMatchObject({
      text: expect.stringContaining('Leider muss ich absagen, weil ich im Urlaub bin.'),
    })
  })

  it.each(['Write a poem', 'Summarise this:\nThe review moves to Thursday.', 'Hello', 'Thanks'])(
    'refuse to write anything else without a key: %j',
    async (prompt) => {
      const { status, body } = await bare.post('/api/ai/generate', { prompt })
      expect([status, body.code]).toEqual([409, 'not_configured'])
      expect((await askForEvents(bare, '/api/ai/generate', { prompt })).status).toBe(409)
    },
  )

  it('require a token with the right scope', async () => {
    const person = await register(fixture.instance)
    const tokenWith = async (...scopes: string[]): Promise<string> => {
      const { body } = await fixture.instance.post(
        '/api/settings/tokens',
        { password: PASSWORD, name: 't', scopes },
        person,
      )
      return body.token
    }
    const reader = await tokenWith('ai:read')
    const writer = await tokenWith('ai:write')
    expect((await fixture.instance.get('/api/ai-model', { token: reader })).status).toBe(200)
    expect(
      (await fixture.instance.post('/api/ai-model', { model: 'model_a' }, { token: reader })).status,
    ).toBe(403)
    expect((await fixture.instance.post('/api/ai/generate', { prompt: 'x' }, { token: reader })).status).toBe(
      403,
    )
    expect((await fixture.instance.post('/api/ai/generate', { prompt: 'x' }, { token: writer })).status).toBe(
      200,
    )
  })
})
