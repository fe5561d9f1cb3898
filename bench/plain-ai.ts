/* The baseline: a bare Fastify server that passes a prompt to the AI SDK. Its request is in comparisons.ts. */

import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'
import fastify from 'fastify'

const { PROVIDER_URL, PORT } = process.env as Record<string, string>
const model = createOpenAI({ apiKey: 'sk-bench', baseURL: PROVIDER_URL as string }).chat('gpt-4.1')
const DOLLARS_PER_MILLION = { input: 2, output: 8 }
const app = fastify()

app.post('/api/ai/generate', async (request) => {
  const { prompt } = request.body as { prompt: string }
  const { text, usage, finishReason } = await generateText({ model, prompt, maxRetries: 0 })
  const { inputTokens = 0, outputTokens = 0 } = usage
  const { input, output } = DOLLARS_PER_MILLION
  return {
    text,
    truncated: finishReason === 'length',
    engine: 'llm',
    model: 'model_a',
    provider: 'openai',
    usage: { inputTokens, outputTokens },
    costUsd: (inputTokens * input + outputTokens * output) / 1e6,
    fallbackReason: null,
  }
})
app.get('/ready', async () => 'ready')
await app.listen({ port: Number(PORT) })
