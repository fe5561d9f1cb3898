import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { visitOf } from '../../platform/access/caller.ts'
import { owner, write } from '../../platform/access/route-access.ts'
import { whileConnected } from '../../platform/http/request-limits.ts'
import type { Models } from './catalog.ts'
import { askerOf } from './consultation.ts'
import type { Keys } from './keys.ts'
import type { LocalModelServers } from './local-servers.ts'
import type { ModelTester } from './model-test.ts'
import { ActiveModel, LocalModelChoice, LocalServerList, ModelTestInput, ModelTestResult } from './schema.ts'

export const localModelRoutes =
  (localServers: LocalModelServers, keys: Keys, models: Models): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/local-models',
      {
        config: owner,
        schema: {
          operationId: 'findLocalModels',
          summary: 'Look for local models',
          description:
            'Sends one `GET /v1/models` to the default addresses of Ollama, llama.cpp, LM Studio and vLLM on 127.0.0.1. With several instances, it searches the machine of the instance that answers.',
          response: { 200: LocalServerList },
        },
      },
      async (_request, reply) => ({
        servers: await localServers.search(whileConnected(reply)),
        nextCursor: null,
      }),
    )

    app.put(
      '/local-models',
      {
        config: { ...owner, mayAnswer: [409] },
        schema: {
          operationId: 'setLocalModel',
          summary: 'Select a local model',
          description:
            'Saves the address of the server and activates its model, `MODEL_D` by default. Other accounts cannot connect to this address. With several instances, each instance uses the server on the same machine.',
          body: LocalModelChoice,
          response: { 200: ActiveModel },
        },
      },
      async (request, reply) => {
        const model = models.requireCompatible()
        const who = { caller: request.caller, visit: visitOf(request) }
        await keys.saveLocal(request.body, who, whileConnected(reply))
        return models.choose(request.user, model)
      },
    )
  }

export const modelTestRoutes =
  (modelTester: ModelTester): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/model-test',
      {
        config: { ...write('ai'), mayAnswer: [409, 429, 502, 504] },
        schema: {
          operationId: 'testAiModel',
          summary: 'Test a model',
          description:
            'Asks the selected model, or the one in `model`, for a tool call and for JSON. The answer says what it supports. An error contains the message of an OpenAI-compatible server.',
          body: ModelTestInput,
          response: { 200: ModelTestResult },
        },
      },
      (request, reply) => modelTester.test(askerOf(request, reply, request.body?.model)),
    )
  }
