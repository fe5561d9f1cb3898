import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { visitOf } from '../../../platform/access/visit.ts'
import { whileConnected } from '../../../platform/http/while-connected.ts'
import type { Keys } from './keys.ts'
import { Key, KeyList, KeyPath, NewKey } from './schema.ts'

const tags = ['AI']
/** No scope: a personal access token never reaches keys. */
const config = { access: 'switched', ownerOnly: true } as const

export const keyRoutes =
  (keys: Keys): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listAiKeys',
          summary: 'How it stands with the keys of the providers',
          description: 'Status only: no answer ever holds a key.',
          tags,
          response: { 200: KeyList },
        },
      },
      async () => ({ keys: await keys.list(), nextCursor: null }),
    )

    app.post(
      '/',
      {
        config: { ...config, idempotency: 'noted' },
        schema: {
          operationId: 'saveAiKey',
          summary: 'Add or replace the key of a provider',
          description:
            'Counts from the next request on, on every instance. The provider is asked whether it takes the key; it is kept either way, and `verified` and `reason` say.',
          tags,
          body: NewKey,
          response: { 200: Key, 201: Key },
        },
      },
      async (request, reply) => {
        const who = { caller: request.caller, visit: visitOf(request), signal: whileConnected(reply) }
        const { made, key } = await keys.save(request.body, who)
        reply.code(made ? 201 : 200).header('location', `/api/api-keys/${key.keyId}`)
        return key
      },
    )

    app.get(
      '/:keyId',
      {
        config,
        schema: {
          operationId: 'getAiKey',
          summary: 'How it stands with the key of one provider',
          tags,
          params: KeyPath,
          response: { 200: Key },
        },
      },
      (request) => keys.get(request.params.keyId),
    )

    app.post(
      '/:keyId/verify',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'verifyAiKey',
          summary: 'Ask the provider whether it takes the key',
          tags,
          params: KeyPath,
          response: { 200: Key },
        },
      },
      (request, reply) => keys.verify(request.params.keyId, whileConnected(reply)),
    )

    app.delete(
      '/:keyId',
      {
        config,
        schema: {
          operationId: 'deleteAiKey',
          summary: 'Remove a key that was given at run time',
          description: "From the next request on the environment's counts again, where there is one.",
          tags,
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
