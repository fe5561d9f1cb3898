import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../platform/access/caller.ts'
import { session } from '../../platform/access/route-access.ts'
import type { SampleData } from './sample-data.ts'

export const sampleRoutes =
  (sample: SampleData): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.delete(
      '/sample-data',
      {
        config: session,
        schema: {
          operationId: 'deleteSampleData',
          summary: 'Remove the sample data',
          description:
            'Ends the sessions of the sample account. If other accounts exist, it is deleted with everything in it. Otherwise it keeps what was added to it, and the next registration takes it over.',
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await sample.remove(sessionOf(request), visitOf(request))
        reply.code(204)
        return null
      },
    )
  }
