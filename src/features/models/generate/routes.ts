import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenIdOf } from '../../../platform/access/caller.ts'
import { whileConnected } from '../../../platform/http/request-limits.ts'
import { takesEvents } from '../../../platform/http/responses.ts'
import { sendEvents } from '../server-sent.ts'
import type { TextGenerator } from './generate.ts'
import { GeneratedAnswer, GenerateInput } from './schema.ts'

export const generateRoutes =
  (textGenerator: TextGenerator): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/generate',
      {
        config: { access: 'switched', scope: 'ai:write', mayAnswer: [429, 502, 504] },
        schema: {
          operationId: 'generateText',
          summary: 'Generate text with a model',
          description:
            'With `Accept: text/event-stream`, the answer is streamed. If the client disconnects, the model stops. Without a key for the model, the built-in engine answers as far as it can, and the answer says so.',
          tags: ['AI'],
          body: GenerateInput,
          response: { 200: GeneratedAnswer },
        },
      },
      (request, reply) => {
        const asker = { tokenId: tokenIdOf(request.caller), signal: whileConnected(reply) }
        return takesEvents(request.headers)
          ? sendEvents(request, reply, textGenerator.stream(request.body, asker))
          : textGenerator.generate(request.body, asker)
      },
    )
  }
