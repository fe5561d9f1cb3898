import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { conflict, notFound } from '../../platform/errors.ts'
import { pageOf, requireTag } from '../../platform/http/etag.ts'
import type { Jobs, JobView } from '../../platform/jobs/jobs.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { Job, JobList, JobPath, JobsQuery } from './schema.ts'

/** Ignores the progress for conflicts: progress alone must not fail an `If-Match` request. */
const tagOf = ({ progress, ...job }: JobView): string =>
  `"${digest(JSON.stringify(job)).slice(0, 22)}${progress ? `~${digest(JSON.stringify(progress)).slice(0, 8)}` : ''}"`

const tags = ['Jobs']
const config = { access: 'session' } as const

/** Never returns the payload of a job: it can contain private data. */
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
          summary: 'List background jobs',
          description:
            'Newest first. Running jobs report their progress, parked jobs the error. Completed jobs are kept for 7 days.',
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
          summary: 'Get a job',
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
          summary: 'Retry a parked job',
          tags,
          params: JobPath,
          response: { 200: Job },
        },
      },
      async (request) => {
        const { id } = request.params
        if (!(await jobs.retry(id))) {
          await get(id)
          throw conflict('Only a parked job can be retried.')
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
          summary: 'Delete a waiting or parked job',
          description: 'The job will not run.',
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
          throw conflict('Only a waiting or parked job can be deleted.')
        }
        return reply.code(204).send(null)
      },
    )
  }
