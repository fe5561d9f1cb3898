import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tokenIdOf, visitOf } from '../../platform/access/caller.ts'
import { person, read, write } from '../../platform/access/route-access.ts'
import { whileConnected } from '../../platform/http/request-limits.ts'
import { takesEvents } from '../../platform/http/responses.ts'
import type { Models } from './catalog.ts'
import { askerOf } from './consultation.ts'
import type { TextGenerator } from './generate.ts'
import type { Keys } from './keys.ts'
import {
  ActiveModel,
  GeneratedAnswer,
  GenerateInput,
  Key,
  KeyList,
  KeyPath,
  ModelChoice,
  ModelList,
  NewKey,
  UsageQuery,
  UsageReport,
} from './schema.ts'
import { sendEvents } from './server-sent.ts'
import type { UsageTracker } from './usage.ts'

export const keyRoutes =
  (keys: Keys): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: person,
        schema: {
          operationId: 'listAiKeys',
          summary: 'List the status of the provider keys',
          description: 'Returns only the status, never a key.',
          response: { 200: KeyList },
        },
      },
      async (request) => ({ keys: await keys.list(request.user), nextCursor: null }),
    )

    app.post(
      '/',
      {
        config: { ...person, idempotency: 'noted' },
        schema: {
          operationId: 'setAiKey',
          summary: 'Add or replace the key of a provider',
          description:
            'Applies from the next request on, on every instance. The key is verified with the provider and saved in any case; see `verified` and `reason`.',
          body: NewKey,
          response: { 200: Key, 201: Key },
        },
      },
      async (request, reply) => {
        const who = { caller: request.caller, visit: visitOf(request) }
        const { made, key } = await keys.save(request.body, who, whileConnected(reply))
        reply.code(made ? 201 : 200).header('location', `/api/api-keys/${key.keyId}`)
        return key
      },
    )

    app.get(
      '/:keyId',
      {
        config: person,
        schema: {
          operationId: 'getAiKey',
          summary: 'Get the status of a provider key',
          params: KeyPath,
          response: { 200: Key },
        },
      },
      (request) => keys.get(request.user, request.params.keyId),
    )

    app.post(
      '/:keyId/verify',
      {
        config: { ...person, mayAnswer: [409] },
        schema: {
          operationId: 'verifyAiKey',
          summary: 'Verify a key with its provider',
          params: KeyPath,
          response: { 200: Key },
        },
      },
      (request, reply) => keys.verify(request.user, request.params.keyId, whileConnected(reply)),
    )

    app.delete(
      '/:keyId',
      {
        config: person,
        schema: {
          operationId: 'deleteAiKey',
          summary: 'Delete a key that was saved at run time',
          description:
            'From the next request on, the key from the environment applies again, if there is one for this account.',
          params: KeyPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const who = { caller: request.caller, visit: visitOf(request) }
        await keys.remove(request.params.keyId, who, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }

export const modelRoutes =
  (models: Models): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/ai-model',
      {
        config: read('ai'),
        schema: {
          operationId: 'getAiModel',
          summary: 'Get the selected model',
          response: { 200: ActiveModel },
        },
      },
      (request) => models.current(request.user),
    )

    app.post(
      '/ai-model',
      {
        config: write('ai'),
        schema: {
          operationId: 'setAiModel',
          summary: 'Select the model',
          description:
            'The selection is stored. Without a key for its provider, the built-in engine answers, and each answer says so.',
          body: ModelChoice,
          response: { 200: ActiveModel },
        },
      },
      (request) => models.choose(request.user, request.body.model),
    )

    app.get(
      '/ai/models',
      {
        config: read('ai'),
        schema: {
          operationId: 'listAiModels',
          summary: 'List the four models and their status',
          response: { 200: ModelList },
        },
      },
      async (request) => ({ models: await models.list(request.user), nextCursor: null }),
    )
  }

export const usageRoutes =
  (usage: UsageTracker): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/usage',
      {
        config: read('ai'),
        schema: {
          operationId: 'getAiUsage',
          summary: 'Get AI usage and costs',
          description: 'A personal access token sees only its own usage.',
          querystring: UsageQuery,
          response: { 200: UsageReport },
        },
      },
      ({ caller, user, query }) => usage.read(user, query.days, tokenIdOf(caller)) as never,
    )
  }

export const generateRoutes =
  (textGenerator: TextGenerator): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/generate',
      {
        config: { ...write('ai'), mayAnswer: [409, 429, 502, 504] },
        schema: {
          operationId: 'generateText',
          summary: 'Generate text with a model',
          description:
            'With `Accept: text/event-stream`, the answer is streamed. If the client disconnects, the model stops. Without a key for the model, the built-in engine writes plain letters in English and German (thanks, decline, accept, ask, remind, move a meeting, apology). Anything else responds with 409 `not_configured`.',
          body: GenerateInput,
          response: { 200: GeneratedAnswer },
        },
      },
      (request, reply) => {
        const asker = askerOf(request, reply)
        return takesEvents(request.headers)
          ? sendEvents(request, reply, textGenerator.stream(request.body, asker))
          : textGenerator.generate(request.body, asker)
      },
    )
  }
