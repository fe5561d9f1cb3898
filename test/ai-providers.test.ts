import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AiDesk, askForEvents, KEYS, startAiDesk } from './support/providers/desk.ts'
import { openAiProtocol } from './support/providers/openai.ts'
import type { Asked, Said } from './support/providers/provider.ts'

const CASES = [
  { name: 'anthropic', model: 'model_a', path: '/v1/messages' },
  { name: 'openai', model: 'model_b', path: '/v1/chat/completions' },
  { name: 'google', model: 'model_c', path: /^\/v1beta\/models\/gemini-2\.5-pro:(streamG|g)enerateContent/ },
  { name: 'compatible', model: 'model_d', path: '/v1/chat/completions' },
] as const

const PROMPT = 'the marmalade is under the bridge'

let desk: AiDesk
beforeAll(async () => {
  desk = await startAiDesk()
})
afterAll(() => desk.close())

describe.each(CASES)('$name, over its own protocol', ({ name, model, path }) => {
  afterEach(() => {
    desk.providers[name].paceMs = 0
  })

  const saying = (...script: (Said | ((asked: Asked) => Said))[]) => {
    desk.providers[name].script = script
    desk.providers[name].asked = []
  }
  const generate = () =>
    desk.instance.post('/api/ai/generate', { prompt: PROMPT, model, system: 'Be brief.' })
  const stream = () => askForEvents(desk.instance, '/api/ai/generate', { prompt: PROMPT, model })

  it('is asked with its key, the prompt and the system text, and its answer is told with what made it', async () => {
    saying({ say: 'Then look there.' })
    const { status, body } = await generate()
    expect(status).toBe(200)
    expect(body).toEqual({
      text: 'Then look there.',
      truncated: false,
      because: null,
      engine: 'llm',
      model,
      provider: name === 'compatible' ? 'openai-compatible' : name,
      usage: { inputTokens: 100, outputTokens: 20 },
      costUsd: name === 'compatible' ? null : expect.any(Number),
    })
    const [asked] = desk.providers[name].asked
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

  it('says when an answer was cut at its length', async () => {
    saying({ say: 'And so', cut: true })
    expect((await generate()).body.truncated).toBe(true)
    expect((await stream()).events.at(-1)?.data.truncated).toBe(true)
  })

  it.each([400, 401, 403, 404, 429, 500, 503])(
    'a refusal with %i is a 502 that repeats nothing of it',
    async (code) => {
      saying({ status: code })
      for (const { status, body } of [await generate(), await stream()]) {
        expect([status, (body as { code: string }).code]).toEqual([502, 'upstream_failed'])
        expect(JSON.stringify(body)).toContain(`(${code})`)
        expect(JSON.stringify(body)).not.toMatch(/sk-provider-echo|marmalade/)
      }
      expect(desk.providers[name].asked).toHaveLength(2)
    },
  )

  it('is asked once more when it says when, and not a third time', async () => {
    saying({ status: 429, retryAfter: '0' }, { say: 'Now.' })
    expect((await generate()).body.text).toBe('Now.')
    saying({ status: 429, retryAfter: '0' }, { say: 'Now.' })
    expect((await stream()).events.at(-1)?.data.text).toBe('Now.')
    saying({ status: 429, retryAfter: new Date().toUTCString() }, { say: 'Now.' })
    expect((await generate()).body.text).toBe('Now.')
    desk.providers[name].asked = []
    saying({ status: 429, retryAfter: '0' })
    expect((await generate()).status).toBe(502)
    expect(desk.providers[name].asked).toHaveLength(2)
  })

  it('is not waited for longer than there is time', async () => {
    saying({ status: 429, retryAfter: '30' })
    const { status, headers } = await generate()
    expect([status, headers.get('retry-after')]).toEqual([502, '30'])
    expect(desk.providers[name].asked).toHaveLength(1)
  })

  it('answering with something else is a 502', async () => {
    saying({ fault: 'garbage' })
    for (const { status, body } of [await generate(), await stream()])
      expect([status, (body as { code: string }).code]).toEqual([502, 'upstream_failed'])
  })

  it('that says nothing at all is a 502, which is paid for', async () => {
    const called = { calls: [{ name: 'list_tasks', input: {} }] }
    for (const said of [{ say: '' }, { say: ' ' }, { say: '', cut: true }, called]) {
      saying(said)
      const whole = await generate()
      expect([said, whole.status, whole.body.code]).toEqual([said, 502, 'upstream_failed'])
      const { status, body, events } = await stream()
      const told = status === 200 ? events.at(-1)?.data : body
      expect(told).toMatchObject({ code: 'upstream_failed' })
    }
  })

  it.each(['cut', 'error-event'] as const)(
    'breaking off in the middle (%s) is told, and never passes for an answer',
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

  it('stops when the client hangs up', async () => {
    saying({ say: 'word '.repeat(500) })
    desk.providers[name].paceMs = 20
    const leaving = new AbortController()
    const response = await fetch(`${desk.instance.url}/api/ai/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ prompt: PROMPT, model }),
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    await expect.poll(() => desk.providers[name].asked[0]?.isAborted, { timeout: 5_000 }).toBe(true)
    const { db } = desk.instance.database
    const cancelled = () =>
      db
        .selectFrom('ai_requests')
        .selectAll()
        .where('outcome', '=', 'cancelled')
        .where('model', '=', model)
        .execute()
    await expect.poll(async () => (await cancelled()).length, { timeout: 5_000 }).toBe(1)
    expect((await cancelled())[0]).toMatchObject({ model, providerModel: expect.any(String) })
  })
})

describe('silence', () => {
  let hasty: AiDesk
  beforeAll(async () => {
    hasty = await startAiDesk({ environment: { AI_TIMEOUT: '2s' } })
    // The first request loads a provider's library.
    for (const { model } of CASES) await hasty.instance.post('/api/ai/generate', { prompt: PROMPT, model })
  })
  afterAll(() => hasty.close())

  /** All of them at once: they are waited for together. */
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

  it('of any provider is a 504', async () => {
    for (const answer of await askAll('silence')) {
      const { status, body } = 'whole' in answer ? answer.whole : answer.streamed
      expect([answer.name, status, (body as { code: string }).code]).toEqual([
        ...[answer.name, 504, 'upstream_timeout'],
      ])
    }
  })

  it('in the middle of an answer is told, and never passes for its end', async () => {
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
  "OpenAI's own description of its API (skipped without the shared data)",
  () => {
    /** OpenAPI's word for what JSON Schema says with a type. */
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

    it('agrees with what our stand-in answers', () => {
      const body = { model: 'gpt-5' }
      check('CreateChatCompletionResponse', openAiProtocol.whole(said, body))
      for (const chunk of openAiProtocol.chunks(said, body))
        if (!chunk.includes('[DONE]')) check('CreateChatCompletionStreamResponse', JSON.parse(chunk.slice(6)))
    })

    it('agrees with what we ask: whole, streamed, with tools, and for JSON of one form', async () => {
      const { openai } = desk.providers
      openai.script = [{ say: 'Hello.' }]
      openai.asked = []
      const asked = { prompt: PROMPT, model: 'model_b', maxTokens: 50, system: 'x' }
      await desk.instance.post('/api/ai/generate', asked)
      await askForEvents(desk.instance, '/api/ai/generate', { prompt: PROMPT, model: 'model_b' })
      await desk.instance.post('/api/ai/chat', { message: PROMPT, model: 'model_b' })
      await desk.instance.post('/api/ai/email-intelligence', { text: PROMPT, model: 'model_b' })
      expect(openai.asked).toHaveLength(4)
      expect(openai.asked[2]?.body.tools.length).toBeGreaterThan(10)
      expect(openai.asked[3]?.body.response_format.type).toBe('json_schema')
      for (const { body } of openai.asked) check('CreateChatCompletionRequest', body)
    })
  },
)
