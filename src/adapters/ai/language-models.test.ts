import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startOpenAi } from '../../../test/support/providers/openai.ts'
import type { Provider } from '../../../test/support/providers/provider.ts'
import type { AgentRequest, ModelEvent } from '../../features/models/language-models.ts'
import { AppError } from '../../platform/errors.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { createLanguageModels } from './language-models.ts'

let provider: Provider
const outbound = createOutbound({ allow: ['127.0.0.1'], typedMayBePrivate: true, userAgent: 'test' })
const languageModels = createLanguageModels(outbound, { timeoutMs: 10_000 })
beforeAll(async () => {
  provider = await startOpenAi()
})
afterAll(() => Promise.all([provider.close(), outbound.close()]))
beforeEach(() => {
  provider.asked = []
  provider.paceMs = 0
})

async function* passOn(events: AsyncIterable<ModelEvent>) {
  for await (const event of events) if (event.type !== 'end') yield event
}

const toRequest = (given: Partial<AgentRequest> = {}): AgentRequest => ({
  target: { provider: 'openai', model: 'gpt-4.1', key: 'k', baseUrl: provider.url, trust: 'operator' },
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [{ name: 'look', description: 'Looks.', input: { type: 'object', properties: {} } }],
  maxSteps: 4,
  isStreamed: true,
  signal: new AbortController().signal,
  observeStep: passOn,
  callTool: async () => 'seen',
  ...given,
})

const collect = async (request: AgentRequest): Promise<string[]> => {
  const events: string[] = []
  for await (const event of languageModels.runAgent(request))
    events.push(event.type === 'text' ? event.text : event.type)
  return events
}

const look = { name: 'look', input: {} }

it.each([true, false])(
  'runs tools between the steps of the agent loop (streamed: %s)',
  async (isStreamed) => {
    provider.script = [{ say: 'Wait.', calls: [look, look] }, { say: 'Done.' }]
    expect(await collect(toRequest({ isStreamed }))).toEqual(['Wait.', 'result', 'result', 'Done.'])
    const [first, second] = provider.asked
    expect(first?.isStream).toBe(isStreamed)
    expect(first?.body.tool_choice).toBeUndefined()
    expect(second?.body.messages.slice(2)).toMatchObject([
      { role: 'assistant', content: 'Wait.' },
      { role: 'tool', content: 'seen' },
      { role: 'tool', content: 'seen' },
    ])
  },
)

it('runs every tool call in order, also those that `streamText` would reject', async () => {
  const inputs = ['{"a":1}', 'no JSON', '{"__proto__":{"b":2}}', '']
  provider.script = [{ calls: inputs.map((input) => ({ name: 'look', input })) }, { say: 'Done.' }]
  const seen: string[] = []
  const callTool: AgentRequest['callTool'] = async ({ input }) => {
    seen.push(input)
    return 'seen'
  }
  await collect(toRequest({ callTool }))
  expect(seen).toEqual(inputs)
  provider.script = [{ calls: [{ name: 'other', input: { a: 1 } }, look] }, { say: 'Done.' }]
  const names: string[] = []
  await collect(toRequest({ callTool: async ({ name }) => String(names.push(name)) }))
  expect(names).toEqual(['other', 'look'])
  for (const { body } of provider.asked) expect(body.tools).toHaveLength(1)
})

it('offers no tools in the last step', async () => {
  provider.script = [{ calls: [look] }]
  await collect(toRequest({ maxSteps: 3 }))
  expect(provider.asked.map(({ body }) => body.tools?.length)).toEqual([1, 1, undefined])
})

it('ends with the unchanged error of a tool or of an observer', async () => {
  const error = new Error('The disk is full.')
  let runs = 0
  const callTool = async () => {
    runs += 1
    throw error
  }
  provider.script = [{ calls: [look, look] }, { say: 'Done.' }]
  await expect(collect(toRequest({ callTool }))).rejects.toBe(error)
  expect([runs, provider.asked.length]).toEqual([1, 1])
  const refusal = new AppError('rate_limited', 'spending_limit', 'Enough.')
  async function* refuse(events: AsyncIterable<ModelEvent>) {
    if (refusal) throw refusal
    yield* passOn(events)
  }
  await expect(collect(toRequest({ observeStep: refuse }))).rejects.toBe(refusal)
  expect(provider.asked).toHaveLength(1)
})

it('passes on the text before a provider failure', async () => {
  provider.script = [{ fault: 'cut' }]
  const texts: string[] = []
  const read = async () => {
    for await (const event of languageModels.runAgent(toRequest()))
      if (event.type === 'text') texts.push(event.text)
  }
  await expect(read()).rejects.toMatchObject({ kind: 'upstream' })
  expect(texts.join('')).toBe('The answer ')
})

it('aborts the request to the provider and ends the step if the reader stops', async () => {
  provider.script = [{ say: 'word '.repeat(500) }]
  provider.paceMs = 20
  let hasEnded = false
  async function* observeStep(events: AsyncIterable<ModelEvent>) {
    try {
      yield* passOn(events)
    } finally {
      hasEnded = true
    }
  }
  for await (const event of languageModels.runAgent(toRequest({ observeStep }))) {
    expect(event).toEqual({ type: 'text', text: 'word ' })
    break
  }
  await expect.poll(() => provider.asked[0]?.isAborted, { timeout: 60_000 }).toBe(true)
  await expect.poll(() => hasEnded, { timeout: 60_000 }).toBe(true)
})

it('waits for a running tool after an abort, and runs no further one', async () => {
  provider.script = [{ calls: [look, look] }, { say: 'Done.' }]
  const client = new AbortController()
  const log: string[] = []
  const callTool = async () => {
    log.push('begin')
    client.abort(new Error('The client has disconnected.'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    log.push('end')
    return 'seen'
  }
  await expect(collect(toRequest({ callTool, signal: client.signal }))).rejects.toThrow('disconnected')
  expect(log).toEqual(['begin', 'end'])
  expect(provider.asked).toHaveLength(1)
})
