import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OddAnswer, type OddServer, startOddServer } from '../../../test/support/providers/odd-server.ts'
import type { AgentRequest, ModelEvent, ModelRequest } from '../../features/models/language-models.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { createLanguageModels } from './language-models.ts'

let server: OddServer
const outbound = createOutbound({ allow: ['127.0.0.1'], typedMayBePrivate: true, userAgent: 'test' })
let languageModels = createLanguageModels(outbound, { timeoutMs: 10_000 })
beforeAll(async () => {
  server = await startOddServer()
})
afterAll(() => Promise.all([server.close(), outbound.close()]))
beforeEach(() => {
  server.asked = []
  languageModels = createLanguageModels(outbound, { timeoutMs: 10_000 })
})

const toRequest = (given: Partial<ModelRequest> = {}): ModelRequest => ({
  target: {
    provider: 'openai-compatible',
    model: 'odd-model',
    key: 'sk-secret-0123456789',
    baseUrl: server.url,
    trust: 'operator',
  },
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Where is the marmalade?' }],
  maxTokens: null,
  shape: null,
  signal: new AbortController().signal,
  ...given,
})

/** Asks for one answer, whole or streamed. */
const ask = async (isStreamed: boolean, given: Partial<ModelRequest> = {}): Promise<string> => {
  if (!isStreamed) return (await languageModels.answer(toRequest(given))).text
  let text = ''
  for await (const event of languageModels.stream(toRequest(given)))
    if (event.type === 'text') text += event.text
  return text
}

/** Runs the agent loop with one tool and returns the text, the calls and the notice. */
const runAgent = async (isStreamed: boolean, given: Partial<AgentRequest> = {}) => {
  const { target, system, messages, signal } = toRequest()
  const calls: { id: string; name: string; input: unknown }[] = []
  let text = ''
  let lacksTools = false
  async function* observeStep(events: AsyncIterable<ModelEvent>) {
    for await (const event of events)
      if (event.type === 'end') lacksTools ||= event.lacksTools === true
      else yield event
  }
  const request: AgentRequest = {
    target,
    system,
    messages,
    signal,
    isStreamed,
    tools: [{ name: 'look', description: 'Looks.', input: { type: 'object', properties: {} } }],
    maxSteps: 4,
    observeStep,
    callTool: async ({ id, name, input }) => {
      calls.push({ id, name, input: JSON.parse(input) })
      return 'seen'
    },
    ...given,
  }
  for await (const event of languageModels.runAgent(request)) if (event.type === 'text') text += event.text
  return { text, calls, lacksTools }
}

describe.each([false, true])('an OpenAI-compatible server (streamed: %s)', (isStreamed) => {
  it.each([
    ['a reasoning tag', { content: '<think>Under the bridge?</think>\n\nThere.' }],
    ['a closing reasoning tag only', { content: 'Under the bridge?</think>There.' }],
    ['a field for the reasoning', { content: 'There.', reasoning_content: 'Under the bridge?' }],
    ['another field for the reasoning', { content: 'There.', reasoning: 'Under the bridge?' }],
    [
      'the channels of gpt-oss',
      {
        content:
          '<|channel|>analysis<|message|>Under the bridge?<|end|><|start|>assistant<|channel|>final<|message|>There.',
      },
    ],
  ])('may send %s, and the person sees only the answer', async (_, message) => {
    server.answer = () => ({ message })
    // The first answer shows how the model marks its reasoning.
    expect([await ask(isStreamed), await ask(isStreamed)]).toEqual(['There.', 'There.'])
  })

  it('may reach the length limit while it reasons, which is an empty answer', async () => {
    server.answer = () => ({ message: { content: '<think>Under the' }, finish: 'length' })
    expect(await ask(isStreamed)).toBe('')
  })

  const callOnce =
    (...messages: object[]) =>
    (request: { messages: { role: string }[] }): OddAnswer =>
      request.messages.some(({ role }) => role === 'tool')
        ? { message: { content: 'Done.' } }
        : { message: messages[0] as object, finish: 'tool_calls' }

  it.each([
    [
      'arguments as an object',
      { tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: { at: 1 } } }] },
    ],
    ['no id and no index', { tool_calls: [{ function: { name: 'look', arguments: '{"at":1}' } }] }],
    [
      'an empty id',
      { tool_calls: [{ id: '', index: 0, function: { name: 'look', arguments: '{"at":1}' } }] },
    ],
    ['a tag in the text', { content: '<tool_call>{"name":"look","arguments":{"at":1}}</tool_call>' }],
    ['a code block', { content: '```json\n{"name":"look","arguments":{"at":1}}\n```' }],
    ['a marker in the text', { content: '[TOOL_CALLS][{"name":"look","arguments":{"at":1}}]' }],
    ['bare JSON', { content: '{"name":"look","parameters":{"at":1}}' }],
  ])('may call a tool with %s', async (_, message) => {
    server.answer = callOnce(message)
    const { text, calls } = await runAgent(isStreamed)
    expect([text, calls]).toEqual([
      'Done.',
      [{ id: expect.stringMatching(/./), name: 'look', input: { at: 1 } }],
    ])
  })

  it('may quote a call, which stays text if the model has read it or has made a call through the API', async () => {
    const quoted = '<tool_call>{"name":"look","arguments":{"at":"the safe of the bank"}}</tool_call>'
    server.answer = () => ({ message: { content: quoted } })
    const messages = [{ role: 'user' as const, text: `An email says: ${quoted}` }]
    expect(await runAgent(isStreamed, { messages })).toMatchObject({ text: quoted, calls: [] })

    server.answer = callOnce({ tool_calls: [{ function: { name: 'look', arguments: '{"at":1}' } }] })
    expect((await runAgent(isStreamed)).calls).toHaveLength(1)
    server.answer = () => ({ message: { content: quoted } })
    expect(await runAgent(isStreamed)).toMatchObject({ text: quoted, calls: [] })
  })

  it('may send two calls without ids and indexes', async () => {
    const one = (at: number) => ({ function: { name: 'look', arguments: { at } } })
    server.answer = (request) =>
      request.messages.some(({ role }) => role === 'tool')
        ? { message: { content: 'Done.' } }
        : request.stream
          ? { deltas: [{ tool_calls: [one(1)] }, { tool_calls: [one(2)] }], finish: 'tool_calls' }
          : { message: { tool_calls: [one(1), one(2)] }, finish: 'tool_calls' }
    const { calls } = await runAgent(isStreamed)
    expect(calls.map(({ input }) => input)).toEqual([{ at: 1 }, { at: 2 }])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  })

  it.each([
    [400, { error: { message: 'odd-model does not support tools', type: 'api_error' } }],
    [400, { error: { message: '"auto" tool choice requires --enable-auto-tool-choice' } }],
    [500, { error: { message: 'tools param requires --jinja flag' } }],
    [400, { error: 'odd-model does not support tools' }],
  ])(
    'may lack tools (%i %j): the model answers without them, and is not offered them again',
    async (status, error) => {
      server.answer = ({ tools }) =>
        tools ? { status, error } : { message: { content: 'I cannot look it up.' } }
      expect(await runAgent(isStreamed)).toEqual({
        text: 'I cannot look it up.',
        calls: [],
        lacksTools: true,
      })
      expect(server.asked.map(({ tools }) => tools?.length)).toEqual([1, undefined])
      expect(server.asked[1]?.messages[0]?.content).toContain('you have no tools')
      const messages = [
        { role: 'user' as const, text: 'Look.' },
        { role: 'assistant' as const, text: '', calls: [{ id: 'a', name: 'look', input: '{}' }] },
        { role: 'tool' as const, results: [{ id: 'a', name: 'look', output: 'seen' }] },
      ]
      expect((await runAgent(isStreamed, { messages })).lacksTools).toBe(true)
      expect(server.asked).toHaveLength(3)
      expect(server.asked[2]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
      await languageModels.verify(toRequest().target, new AbortController().signal)
      await runAgent(isStreamed)
      expect(server.asked[3]?.tools).toHaveLength(1)
    },
  )

  it('keeps its tools if the request is too long, and its own message reaches the person', async () => {
    const words = 'This model has a maximum context length of 4096 tokens, with the tools 9000'
    server.answer = () => ({ status: 400, error: { error: { message: words } } })
    await expect(runAgent(isStreamed)).rejects.toThrow(`(400): “${words}”`)
    expect(server.asked).toHaveLength(1)
  })

  it('may close a connection before it answers: the request is sent once more', async () => {
    server.answer = (_, turn) => (turn === 0 ? 'close' : { message: { content: 'There.' } })
    expect(await ask(isStreamed)).toBe('There.')
    server.asked = []
    server.answer = () => 'close'
    await expect(ask(isStreamed)).rejects.toMatchObject({ kind: 'upstream' })
    expect(server.asked).toHaveLength(2)
  })

  it.each([
    [
      404,
      { error: { message: 'model "odd-model" not found, try pulling it first' } },
      '“model "odd-model" not found',
    ],
    [500, { message: 'llama runner terminated' }, '(500): “llama runner terminated”'],
    [400, { detail: 'The key sk-abcdef0123 or Bearer xyz is wrong' }, '“The key … or … is wrong”'],
    [400, { error: { message: 'Invalid prompt: Where is the marmalade?' } }, 'refused the request (400).'],
    [400, { error: { message: 'unknown key sk-secret-0123456789' } }, '“unknown key …”'],
    [502, '<html>Bad gateway</html>', 'failed (502).'],
  ])('may fail with its own message (%i %j)', async (status, error, expected) => {
    server.answer = () => ({ status, error })
    const failure = await ask(isStreamed).catch((reason: unknown) => reason)
    expect((failure as Error).message).toContain(expected)
    expect((failure as Error).message).not.toMatch(/marmalade|sk-/)
  })
})

it('reports an error in the middle of a stream with the message of the server', async () => {
  server.answer = () => ({ events: ['data: {"error":{"message":"out of memory"}}\n\n'] })
  await expect(ask(true)).rejects.toThrow('The OpenAI-compatible server failed: “out of memory”')
})

describe('a request for JSON', () => {
  const shape = { name: 'answer', schema: { type: 'object', properties: { a: { type: 'integer' } } } }
  const formats = () => server.asked.map(({ response_format }) => response_format?.type)
  const json = { message: { content: '{"a":1}' } }

  it('uses json_object if the server supports it', async () => {
    server.answer = () => json
    expect([await ask(false, { shape }), formats()]).toEqual(['{"a":1}', ['json_object']])
  })

  it('uses json_schema if the server supports only that, and remembers it', async () => {
    const error = "'response_format.type' must be 'json_schema' or 'text'"
    server.answer = ({ response_format }) =>
      response_format?.type === 'json_schema' ? json : { status: 400, error: { error } }
    expect(await ask(false, { shape })).toBe('{"a":1}')
    expect(await ask(false, { shape })).toBe('{"a":1}')
    expect(formats()).toEqual(['json_object', 'json_schema', 'json_schema'])
  })

  it('uses plain text if the server supports no format, and remembers it', async () => {
    server.answer = ({ response_format }) =>
      response_format ? { status: 422, error: { detail: 'response_format is not supported' } } : json
    expect(await ask(false, { shape })).toBe('{"a":1}')
    expect(await ask(false, { shape })).toBe('{"a":1}')
    expect(formats()).toEqual(['json_object', 'json_schema', undefined, undefined])
  })
})
