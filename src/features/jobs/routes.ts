import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { conflict, notFound } from '../../platform/errors.ts'
import { pageOf } from '../../platform/http/cursor.ts'
import { requireTag } from '../../platform/http/etag.ts'
import type { Jobs, JobView } from '../../platform/jobs/jobs.ts'
import { digest } from '../../platform/secrets/digest.ts'
import { Job, JobList, JobPath, JobsQuery } from './schema.ts'

/** How far it has come is no change that anyone could be in conflict with. */
const tagOf = ({ progress, ...job }: JobView): string =>
  `"${digest(JSON.stringify(job)).slice(0, 22)}${progress ? `~${digest(JSON.stringify(progress)).slice(0, 8)}` : ''}"`

const tags = ['Jobs']
const config = { access: 'session' } as const

/** What a job works on is not shown: it may name what is nobody else's business. */
export const jobRoutes =
  (jobs: Jobs): FastifyPluginAsyncTypebox =>
  async (app) => {
    const get = async (id: string) => {
      const job = await jobs.find(id)
      if (!job) throw notFound('job')
      return job
    }

    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listJobs',
          summary: 'What is done in the background, the newest first',
          description:
            'Running ones say how far they are, parked ones why. Those that are done are kept for 7 days.',
          tags,
          querystring: JobsQuery,
          response: { 200: JobList },
        },
      },
      async (request) => {
        const { state, limit, cursor } = request.query
        const rows = await jobs.list({
          limit: limit + 1,
          ...(state !== undefined && { state }),
          ...(cursor !== undefined && { after: cursor }),
        })
        const { page, nextCursor } = pageOf(rows, limit, (job) => [job.createdAt, job.id])
        return { jobs: page, nextCursor }
      },
    )

    app.get(
      '/:id',
      {
        config,
        schema: {
          operationId: 'getJob',
          summary: 'One job',
          tags,
          params: JobPath,
          response: { 200: Job },
        },
      },
      async (request, reply) => {
        const job = await get(request.params.id)
        reply.header('etag', tagOf(job))
        return job
      },
    )

    app.post(
      '/:id/retry',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'retryJob',
          summary: 'Try a parked job again',
          tags,
          params: JobPath,
          response: { 200: Job },
        },
      },
      async (request) => {
        const { id } = request.params
        if (!(await jobs.retry(id))) {
          await get(id)
          throw conflict('Only a job that is parked can be tried again.')
        }
        return get(id)
      },
    )

    app.delete(
      '/:id',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'dropJob',
          summary: 'Give up a waiting or parked job',
          description: 'What it would have done is not done.',
          tags,
          params: JobPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const ifMatch = request.headers['if-match']
        if (!(await jobs.drop(id, (job) => requireTag(ifMatch, tagOf(job))))) {
          await get(id)
          throw conflict('Only a job that waits or is parked can be given up.')
        }
        return reply.code(204).send(null)
      },
    )
  }
