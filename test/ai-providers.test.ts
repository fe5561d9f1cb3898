import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { type AiFixture, askForEvents, KEYS, startAiFixture } from './support/providers/ai-fixture.ts'
import { openAiProtocol } from './support/providers/openai.ts'
import type { ReceivedRequest, ScriptedAnswer } from './support/providers/provider.ts'

const CASES = [
  { name: 'anthropic', model: 'model_a', path: '/v1/messages' },
  { name: 'openai', model: 'model_b', path: '/v1/chat/completions' },
  { name: 'google', model: 'model_c', path: /^\/v1beta\/models\/gemini-2\.5-pro:(streamG|g)enerateContent/ },
  { name: 'compatible', model: 'model_d', path: '/v1/chat/completions' },
] as const

const PROMPT = 'the marmalade is under the bridge'

let fixture: AiFixture
beforeAll(async () => {
  fixture = await startAiFixture()
})
afterAll(() => fixture.close())

describe.each(CASES)('$name, over its own protocol', ({ name, model, path }) => {
  afterEach(() => {
    fixture.providers[name].paceMs = 0
  })

  const saying = (...script: (ScriptedAnswer | ((asked: ReceivedRequest) => ScriptedAnswer))[]) => {
    fixture.providers[name].script = script
    fixture.providers[name].asked = []
  }
  const generate = () =>
    fixture.instance.post('/api/ai/generate', { prompt: PROMPT, model, system: 'Be brief.' })
  const stream = () => askForEvents(fixture.instance, '/api/ai/generate', { prompt: PROMPT, model })

  it('receives the key, the prompt and the system text, and the response names model and usage', async () => {
    saying({ say: 'Then look there.' })
    const { status, body } = await generate()
    expect(status).toBe(200)
    expect(body).toEqual({
      text: 'Then look there.',
      truncated: false,
      fallbackReason: null,
      engine: 'llm',
      model,
      provider: name === 'compatible' ? 'openai-compatible' : name,
      usage: { inputTokens: 100, outputTokens: 20 },
      costUsd: name === 'compatible' ? null : expect.any(Number),
    })
    const [asked] = fixture.providers[name].asked
    expect(asked?.path).toEqual(typeof path === 'string' ? path : expect.stringMatching(path))
    expect(JSON.stringify(asked?.headers)).toContain(KEYS[name])
    expect(JSON.stringify(asked?.body)).toContain(PROMPT)
    expect(JSON.stringify(asked?.body)).toContain('Be brief.')
  })

  it('streams word by word', async () => {
    saying({ say: 'One two three.' })
    const { status, events } = await stream()
    expect(status).toBe(200)
    expect(events.map(({ event }) => event)).toEqual(['delta', 'delta', 'delta', 'done'])
    expect(events.slice(0, 3).map(({ data }) => data.text)).toEqual(['One ', 'two ', 'three.'])
    expect(events.at(-1)?.data).toMatchObject({
      text: 'One two three.',
      engine: 'llm',
      model,
      usage: { inputTokens: 100, outputTokens: 20 },
    })
  })

  it('reports an answer that was truncated', async () => {
    saying({ say: 'And so', cut: true })
    expect((await generate()).body.truncated).toBe(true)
    expect((await stream()).events.at(-1)?.data.truncated).toBe(true)
  })

  it.each([400, 401, 403, 404, 429, 500, 503])(
    'maps status %i to a 502 that repeats nothing of the response',
    async (code) => {
      saying({ status: code })
      for (const { status, body } of [await generate(), await stream()]) {
        expect([status, (body as { code: string }).code]).toEqual([502, 'upstream_failed'])
        expect(JSON.stringify(body)).toContain(`(${code})`)
        expect(JSON.stringify(body)).not.toMatch(/sk-provider-echo|marmalade/)
      }
      expect(fixture.providers[name].asked).toHaveLength(2)
    },
  )

  it('is retried once after Retry-After', async () => {
    saying({ status: 429, retryAfter: '0' }, { say: 'Now.' })
    expect((await generate()).body.text).toBe('Now.')
    saying({ status: 429, retryAfter: '0' }, { say: 'Now.' })
    expect((await stream()).events.at(-1)?.data.text).toBe('Now.')
    saying({ status: 429, retryAfter: new Date().toUTCString() }, { say: 'Now.' })
    expect((await generate()).body.text).toBe('Now.')
    fixture.providers[name].asked = []
    saying({ status: 429, retryAfter: '0' })
    expect((await generate()).status).toBe(502)
    expect(fixture.providers[name].asked).toHaveLength(2)
  })

  it('is not retried if Retry-After exceeds the timeout', async () => {
    saying({ status: 429, retryAfter: '30' })
    const { status, headers } = await generate()
    expect([status, headers.get('retry-after')]).toEqual([502, '30'])
    expect(fixture.providers[name].asked).toHaveLength(1)
  })

  it('causes a 502 if its response cannot be parsed', async () => {
    saying({ fault: 'garbage' })
    for (const { status, body } of [await generate(), await stream()])
      expect([status, (body as { code: string }).code]).toEqual([502, 'upstream_failed'])
  })

  it('causes a 502 if its answer is empty, and the usage is recorded', async () => {
    const called = { calls: [{ name: 'list_tasks', input: {} }] }
    for (const said of [{ say: '' }, { say: ' ' }, { say: '', cut: true }, called]) {
      saying(said)
      const whole = await generate()
      expect([said, whole.status, whole.body.code]).toEqual([said, 502, 'upstream_failed'])
      const { status, body, events } = await stream()
      const failure = status === 200 ? events.at(-1)?.data : body
      expect(failure).toMatchObject({ code: 'upstream_failed' })
    }
  })

  it.each(['cut', 'error-event'] as const)(
    'reports an interrupted answer (%s) as an error',
    async (fault) => {
      saying({ fault })
      const whole = await generate()
      expect([whole.status, whole.body.code]).toEqual([502, 'upstream_failed'])
      const { status, events } = await stream()
      expect(status).toBe(200)
      expect(events.some(({ event }) => event === 'delta')).toBe(true)
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'upstream_failed' } })
      expect(events.some(({ event }) => event === 'done')).toBe(false)
    },
  )

  it('is aborted when the client disconnects', async () => {
    saying({ say: 'word '.repeat(500) })
    fixture.providers[name].paceMs = 20
    const leaving = new AbortController()
    const response = await fetch(`${fixture.instance.url}/api/ai/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ prompt: PROMPT, model }),
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    await expect.poll(() => fixture.providers[name].asked[0]?.isAborted, { timeout: 60_000 }).toBe(true)
    const { db } = fixture.instance.database
    const cancelled = () =>
      db
        .selectFrom('ai_requests')
        .selectAll()
        .where('outcome', '=', 'cancelled')
        .where('model', '=', model)
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
    await expect.poll(async () => (await cancelled()).length, { timeout: 60_000 }).toBe(1)
    expect((await cancelled())[0]).toMatchObject({ model, providerModel: expect.any(String) })
  })
})

describe('a provider that does not respond', () => {
  let hasty: AiFixture
  beforeAll(async () => {
    hasty = await startAiFixture({ environment: { AI_TIMEOUT: '2s' } })
    // The first request loads a provider's library.
    for (const { model } of CASES) await hasty.instance.post('/api/ai/generate', { prompt: PROMPT, model })
  })
  afterAll(() => hasty.close())

  /** Sends all requests concurrently, so that the timeouts overlap. */
  const askAll = (fault: 'silence' | 'silent-stream') => {
    for (const { name } of CASES) hasty.providers[name].script = [{ fault }]
    return Promise.all(
      CASES.flatMap(({ name, model }) => [
        hasty.instance.post('/api/ai/generate', { prompt: PROMPT, model }).then((whole) => ({ name, whole })),
        askForEvents(hasty.instance, '/api/ai/generate', { prompt: PROMPT, model }).then((streamed) => ({
          name,
          streamed,
        })),
      ]),
    )
  }

  it('causes a 504', async () => {
    for (const answer of await askAll('silence')) {
      const { status, body } = 'whole' in answer ? answer.whole : answer.streamed
      expect([answer.name, status, (body as { code: string }).code]).toEqual([
        answer.name,
        504,
        'upstream_timeout',
      ])
    }
  })

  it('is reported if it stops in the middle of a stream', async () => {
    for (const answer of await askAll('silent-stream')) {
      if ('whole' in answer) {
        expect([answer.name, answer.whole.status]).toEqual([answer.name, 504])
        continue
      }
      const { status, events } = answer.streamed
      expect([answer.name, status]).toEqual([answer.name, 200])
      expect(events.some(({ event }) => event === 'delta')).toBe(true)
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'upstream_timeout' } })
      expect(events.some(({ event }) => event === 'done')).toBe(false)
    }
  })
})

const OPENAI = '../shared/data/openapi-peers/openai.json'

describe.skipIf(!existsSync(OPENAI))(
  'the OpenAPI description of OpenAI (skipped without the shared data)',
  () => {
    /** Converts `nullable` of OpenAPI to the type of JSON Schema. */
    const withoutNullable = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(withoutNullable)
      if (typeof value !== 'object' || value === null) return value
      const { nullable, ...schema } = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, withoutNullable(inner)]),
      )
      return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
    }
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
    beforeAll(() => {
      const { components } = JSON.parse(readFileSync(OPENAI, 'utf8'))
      ajv.addSchema({ $id: 'openai', components: withoutNullable(components) as object })
    })
    const check = (name: string, value: unknown): void => {
      const validate = ajv.getSchema(`openai#/components/schemas/${name}`)
      if (!validate) throw new Error(`There is no schema ${name}.`)
      validate(value)
      expect(validate.errors ?? []).toEqual([])
    }
    const said = {
      words: ['Hi ', 'there'],
      calls: [{ name: 'list_tasks', input: { limit: 3 } }],
      isCut: false,
    }

    it('matches the responses of the fake provider', () => {
      const body = { model: 'gpt-5' }
      check('CreateChatCompletionResponse', openAiProtocol.whole(said, body))
      for (const chunk of openAiProtocol.chunks(said, body))
        if (!chunk.includes('[DONE]')) check('CreateChatCompletionStreamResponse', JSON.parse(chunk.slice(6)))
    })

    it('matches our requests: whole, streamed, with tools, and with a JSON schema', async () => {
      const { openai } = fixture.providers
      openai.script = [{ say: 'Hello.' }]
      openai.asked = []
      const asked = { prompt: PROMPT, model: 'model_b', maxTokens: 50, system: 'x' }
      await fixture.instance.post('/api/ai/generate', asked)
      await askForEvents(fixture.instance, '/api/ai/generate', { prompt: PROMPT, model: 'model_b' })
      await fixture.instance.post('/api/ai/chat', { message: PROMPT, model: 'model_b' })
      await fixture.instance.post('/api/ai/email-intelligence', { text: PROMPT, model: 'model_b' })
      expect(openai.asked).toHaveLength(4)
      expect(openai.asked[2]?.body.tools.length).toBeGreaterThan(10)
      expect(openai.asked[3]?.body.response_format.type).toBe('json_schema')
      for (const { body } of openai.asked) check('CreateChatCompletionRequest', body)
    })
  },
)
