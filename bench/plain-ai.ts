/* The baseline: a bare Fastify server that passes a prompt to the AI SDK and returns its text. */

import { createOpenAI } from '@ai-sdk/openai'
import { generateText, streamText } from 'ai'
import fastify from 'fastify'

const { PROVIDER_URL, PORT } = process.env as Record<string, string>
const model = createOpenAI({ apiKey: 'sk-bench', baseURL: PROVIDER_URL as string }).chat('gpt-4.1')
const app = fastify()

app.post('/generate', async (request) => {
  const { prompt } = request.body as { prompt: string }
  const { text, usage } = await generateText({ model, prompt, maxRetries: 0 })
  return { text, usage }
})
app.post('/stream', async (request, reply) => {
  const { prompt } = request.body as { prompt: string }
  const { textStream } = streamText({ model, prompt, maxRetries: 0 })
  return reply.type('text/event-stream').send(textStream)
})
app.get('/ready', async () => 'ready')
await app.listen({ port: Number(PORT) })
