import { afterEach, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import type { Engine } from '../src/database/database.ts'
import { DAY } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { PASSWORD, register } from './support/people.ts'
import { type AiFixture, askForEvents, startAiFixture } from './support/providers/ai-fixture.ts'
import { startOpenAi } from './support/providers/openai.ts'

let fixture: AiFixture
afterEach(() => fixture.close())
const startOn = async (engine: Engine, environment: Record<string, string> = {}) => {
  fixture = await startAiFixture({ engine, environment })
  return fixture.instance
}
const tokenOf = async (): Promise<string> => {
  const person = await register(fixture.instance)
  const payload = { password: PASSWORD, name: 't', scopes: ['ai:write'] }
  return (await fixture.instance.post('/api/settings/tokens', payload, person)).body.token
}

onOneDatabase('postgres', 'AI costs', (engine) => {
  it('are recorded per request and summed up by model, token and day', async () => {
    const instance = await startOn(engine, { TZ_DEFAULT: 'Pacific/Auckland' })
    const moveTo = (at: string) => instance.clock.advance(Date.parse(at) - instance.clock.now().getTime())
    moveTo('2030-03-01T10:30:00.000Z')
    const token = await tokenOf()
    const first = await instance.post('/api/ai/generate', { prompt: 'Hello' })
    // 100 input tokens at $3 and 20 output tokens at $15 per million.
    expect(first.body.costUsd).toBe(0.0006)
    await instance.post('/api/ai/generate', { prompt: 'Hello', model: 'model_b' }, { token })
    await instance.post('/api/ai/generate', { prompt: 'Hello', model: 'model_d' })
    moveTo('2030-03-01T11:30:00.000Z')
    await instance.post('/api/ai/generate', { prompt: 'Hello' })
    const { body } = await instance.get('/api/ai/usage')
    expect(body.days).toEqual([
      { day: '2030-03-01', requests: 3, inputTokens: 300, outputTokens: 60, costUsd: 0.00096, unpriced: 1 },
      { day: '2030-03-02', requests: 1, inputTokens: 100, outputTokens: 20, costUsd: 0.0006, unpriced: 0 },
    ])
    expect(body.today.day).toBe('2030-03-02')
    expect(body.models).toMatchObject([{ model: 'model_a', requests: 1 }])
    const own = await instance.get('/api/ai/usage', { token })
    expect(own.body.days).toMatchObject([{ day: '2030-03-01', requests: 1, costUsd: 0.00036 }])
    const { body: stats } = await instance.get('/api/stats')
    expect(stats.ai).toEqual({ requests: 4, inputTokens: 400, outputTokens: 80, costUsd: null })
    const rows = await instance.database.db
      .selectFrom('ai_requests')
      .selectAll()
      .orderBy('id')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(rows.map(({ model, outcome, costNano }) => [model, outcome, costNano])).toEqual([
      ['model_a', 'answered', 600_000],
      ['model_b', 'answered', 360_000],
      ['model_d', 'answered', null],
      ['model_a', 'answered', 600_000],
    ])
  })
})

onOneDatabase('sqlite', 'AI costs', (engine) => {
  const start = (environment?: Record<string, string>) => startOn(engine, environment)

  it('use the prices that the operator configures', async () => {
    const instance = await start({ AI_PRICES: 'llama3.1=1/2,claude-sonnet-4-5=0/0' })
    const own = await instance.post('/api/ai/generate', { prompt: 'Hello', model: 'model_d' })
    expect(own.body.costUsd).toBe(0.00014)
    expect((await instance.post('/api/ai/generate', { prompt: 'Hello' })).body.costUsd).toBe(0)
  })

  it('are estimated if a server reports impossible token counts', async () => {
    const instance = await start({ AI_DAILY_LIMIT_USD: '1' })
    const choice = { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }
    for (const [prompt_tokens, completion_tokens] of [
      [-1, -1],
      [1e20, 1e20],
      [0.5, 1.5],
    ]) {
      const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens }
      const answer = {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'llama3.1',
        choices: [choice],
        usage,
      }
      fixture.providers.compatible.script = [{ status: 200, body: answer }]
      const { status, body } = await instance.post('/api/ai/generate', { prompt: 'Hello', model: 'model_d' })
      expect([status, body.usage]).toEqual([200, { inputTokens: 2, outputTokens: 2 }])
    }
    const { body } = await instance.get('/api/ai/usage')
    expect(body.today).toMatchObject({ requests: 3, inputTokens: 6, outputTokens: 6 })
  })

  it('count with the highest known price towards the limit if the price is unknown', async () => {
    // 100 input tokens at $15 and 20 output tokens at $75 per million cost 0.003.
    const instance = await start({ AI_DAILY_LIMIT_USD: '0.003' })
    const ask = (model: string) => instance.post('/api/ai/generate', { prompt: 'Hello', model })
    const first = await ask('model_d')
    expect([first.status, first.body.costUsd]).toEqual([200, null])
    const { body } = await instance.get('/api/ai/usage')
    expect(body).toMatchObject({ countedUsd: 0.003, limitUsd: 0.003, today: { costUsd: 0, unpriced: 1 } })
    expect((await ask('model_d')).status).toBe(429)
    const { body: models } = await instance.get('/api/ai/models')
    expect(models.models.map(({ price }: { price: unknown }) => price)).toEqual([
      { input: 3, output: 15, source: 'listed' },
      { input: 2, output: 8, source: 'listed' },
      { input: 1.25, output: 10, source: 'listed' },
      null,
    ])
    await fixture.close()
    const priced = await start({ AI_DAILY_LIMIT_USD: '0.003', AI_PRICES: 'llama3.1=0/0' })
    for (let n = 0; n < 3; n++)
      expect(
        (await priced.post('/api/ai/generate', { prompt: 'Hello', model: 'model_d' })).body.costUsd,
      ).toBe(0)
    expect((await priced.get('/api/ai/models')).body.models[3].price).toEqual({
      input: 0,
      output: 0,
      source: 'configured',
    })
  })

  it('are limited per day, after which requests are rejected', async () => {
    const instance = await start({ AI_DAILY_LIMIT_USD: '0.001' })
    for (const expected of [200, 200, 429, 429])
      expect((await instance.post('/api/ai/generate', { prompt: 'Hello' })).status).toBe(expected)
    const refused = await instance.post('/api/ai/generate', { prompt: 'Hello' })
    expect(refused.body.code).toBe('spending_limit')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await askForEvents(instance, '/api/ai/generate', { prompt: 'Hello' })).status).toBe(429)
    expect(fixture.providers.anthropic.asked).toHaveLength(2)
    expect((await instance.get('/api/ai/usage')).body.limitUsd).toBe(0.001)
    instance.clock.advance(DAY)
    expect((await instance.post('/api/ai/generate', { prompt: 'Hello' })).status).toBe(200)
  })

  it('fall back to the built-in engine above the limit if configured', async () => {
    const instance = await start({ AI_DAILY_LIMIT_USD: '0.0006', AI_FALLBACK: 'builtin' })
    expect((await instance.post('/api/ai/generate', { prompt: 'Hello' })).body.engine).toBe('llm')
    const { status, body } = await instance.post('/api/ai/generate', { prompt: 'Thank Ana for the cake' })
    expect([status, body.engine, body.fallbackReason]).toEqual([200, 'builtin', 'spending_limit'])
    const other = await instance.post('/api/ai/generate', { prompt: 'Hello' })
    expect([other.status, other.body.code]).toEqual([409, 'not_configured'])
  })

  it('are checked before each further step of a chat', async () => {
    const instance = await start({ AI_DAILY_LIMIT_USD: '0.0006' })
    const steps = [{ calls: [{ name: 'create_task', input: { title: 'Rake' } }] }, { say: 'Added.' }]
    const { anthropic } = fixture.providers
    for (const ask of [instance.post, askForEvents.bind(null, instance)]) {
      anthropic.script = steps
      anthropic.asked = []
      await ask('/api/ai/chat', { message: 'Add the task Rake' })
      expect(anthropic.asked).toHaveLength(1)
      const { db } = instance.database
      const rows = await eventually(async () => {
        const all = await db.selectFrom('ai_requests').selectAll().modifyEnd(ALL_ACCOUNTS).execute()
        return all.length > 0 && all
      })
      expect(rows.map(({ outcome, inputTokens }) => [outcome, inputTokens])).toEqual([['answered', 100]])
      await db.deleteFrom('ai_requests').modifyEnd(ALL_ACCOUNTS).execute()
      await db.deleteFrom('ai_days').modifyEnd(ALL_ACCOUNTS).execute()
    }
    anthropic.script = steps
    const { status, body } = await instance.post('/api/ai/chat', { message: 'Add the task Rake' })
    expect([status, body.code]).toEqual([429, 'spending_limit'])
    const { body: list } = await instance.get('/api/ai/conversations?limit=1')
    const kept = await instance.get(`/api/ai/conversations/${list.conversations[0].id}`)
    expect(kept.body.messages[1]).toMatchObject({
      interrupted: true,
      actions: [{ tool: 'create_task', status: 'done' }],
    })
    await fixture.close()
    const kind = await start({ AI_DAILY_LIMIT_USD: '0.0006', AI_FALLBACK: 'builtin' })
    fixture.providers.anthropic.script = steps
    const answer = await kind.post('/api/ai/chat', { message: 'What is due today?' })
    expect(answer.body).toMatchObject({ engine: 'builtin', fallbackReason: 'spending_limit' })
    expect(answer.body.actions[0]).toMatchObject({ tool: 'create_task', status: 'done' })
    expect(fixture.providers.anthropic.asked).toHaveLength(1)
  })

  it('are limited per token', async () => {
    const instance = await start({ AI_TOKEN_DAILY_LIMIT_USD: '0.0006' })
    const [one, other] = [await tokenOf(), await tokenOf()]
    const ask = async (token?: string) =>
      (
        await instance.post(
          '/api/ai/generate',
          { prompt: 'Thank Ana for the cake' },
          token === undefined ? {} : { token },
        )
      ).status
    expect([await ask(one), await ask(one), await ask(other), await ask(), await ask()]).toEqual([
      200, 429, 200, 200, 200,
    ])
  })

  it('are estimated for an interrupted answer', async () => {
    const instance = await start()
    fixture.providers.anthropic.script = [{ fault: 'cut' }]
    await askForEvents(instance, '/api/ai/generate', { prompt: 'x'.repeat(400) })
    await instance.get('/api/ai/usage')
    const [row] = await instance.database.db
      .selectFrom('ai_requests')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(row).toMatchObject({ outcome: 'failed', inputTokens: 100 })
  })

  it('are zero if the provider is unreachable; the built-in engine answers only if configured', async () => {
    const instance = await start()
    const gone = await startOpenAi()
    await gone.close()
    await instance.post('/api/api-keys', {
      provider: 'openai',
      key: 'sk-0123456789abcdef',
      baseUrl: gone.url,
    })
    const { status, body } = await instance.post('/api/ai/generate', { prompt: 'Hello', model: 'model_b' })
    expect([status, body.code]).toEqual([502, 'upstream_failed'])
    await fixture.close()
    const kind = await start({ AI_FALLBACK: 'builtin' })
    for (const failure of [{ status: 500 }, { fault: 'garbage' }, { status: 401 }] as const) {
      fixture.providers.openai.script = [failure]
      const payload = { prompt: 'Thank Ana for the cake', model: 'model_b' }
      const whole = await kind.post('/api/ai/generate', payload)
      expect([whole.status, whole.body.engine, whole.body.fallbackReason]).toEqual([
        200,
        'builtin',
        'provider_failed',
      ])
      const { events } = await askForEvents(kind, '/api/ai/generate', payload)
      expect(events.at(-1)).toMatchObject({
        event: 'done',
        data: { engine: 'builtin', fallbackReason: 'provider_failed' },
      })
      fixture.providers.openai.script = [failure]
      const poem = await kind.post('/api/ai/generate', { prompt: 'Write a poem', model: 'model_b' })
      expect([poem.status, poem.body.code]).toEqual([502, 'upstream_failed'])
    }
    expect((await kind.get('/api/ai/usage')).body.today.costUsd).toBe(0)
    for (const [path, payload] of [
      ['/api/ai/generate', { prompt: 'Thank Ana for the cake' }],
      ['/api/ai/chat', { message: 'Hello' }],
    ] as const) {
      fixture.providers.openai.script = [{ say: '\n' }]
      const silent = { ...payload, model: 'model_b' }
      expect((await kind.post(path, silent)).body).toMatchObject({ fallbackReason: 'provider_failed' })
      const { events } = await askForEvents(kind, path, silent)
      expect(events.at(-1)).toMatchObject({ event: 'done', data: { fallbackReason: 'provider_failed' } })
      expect(events.at(-1)?.data).not.toMatchObject({ reply: '' })
    }
    expect((await kind.get('/api/ai/usage')).body.today.costUsd).toBeGreaterThan(0)
  })
})
