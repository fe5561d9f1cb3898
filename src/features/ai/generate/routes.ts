import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenIdOf } from '../../../platform/access/caller.ts'
import { takesEvents } from '../../../platform/http/accept.ts'
import { whileConnected } from '../../../platform/http/while-connected.ts'
import { sendEvents } from '../server-sent.ts'
import type { Generating } from './generate.ts'
import { GeneratedAnswer, GenerateWish } from './schema.ts'

export const generateRoutes =
  (generating: Generating): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/generate',
      {
        config: { access: 'switched', scope: 'ai:write', mayAnswer: [429, 502, 504] },
        schema: {
          operationId: 'generateText',
          summary: 'Let the model write something',
          description:
            'With `Accept: text/event-stream` the answer comes as it is written. Hang up, and the model stops. Without a key for the model the built-in engine says what it can, and that it did.',
          tags: ['AI'],
          body: GenerateWish,
          response: { 200: GeneratedAnswer },
        },
      },
      (request, reply) => {
        const asker = { tokenId: tokenIdOf(request.caller), signal: whileConnected(reply) }
        return takesEvents(request.headers)
          ? sendEvents(request, reply, generating.stream(request.body, asker))
          : generating.generate(request.body, asker)
      },
    )
  }
