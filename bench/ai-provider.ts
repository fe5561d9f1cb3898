/*
 * A Chat Completions provider that replies after a fixed delay. The first chunk of a stream contains its send
 * time, from the clock that all processes of the machine share.
 */
import { createServer } from 'node:http'

const DELAY_MS = Number(process.env.DELAY_MS ?? 20)
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const base = { id: 'chatcmpl-1', created: 1_767_225_600, model: 'gpt-4.1' }
const whole = JSON.stringify({
  ...base,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello there.', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage,
})
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const end = `${chunk({}, 'stop')}data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage })}\n\ndata: [DONE]\n\n`

createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const isStream = Buffer.concat(parts).includes('"stream":true')
    setTimeout(() => {
      if (!isStream) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(whole)
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(
        chunk({ role: 'assistant', content: `at ${performance.timeOrigin + performance.now()} ` }),
      )
      setTimeout(() => response.end(chunk({ content: 'Hello there.' }) + end), DELAY_MS)
    }, DELAY_MS)
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
