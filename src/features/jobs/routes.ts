import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { owner } from '../../platform/access/route-access.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { fingerprint } from '../../platform/fingerprint.ts'
import { pageOf, requireTag } from '../../platform/http/etag.ts'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { toJobTitle } from '../../platform/jobs/job-titles.ts'
import type { Jobs, JobView } from '../../platform/jobs/jobs.ts'
import type { LanguageOf } from '../../platform/language.ts'

const STATES = ['waiting', 'running', 'parked', 'done'] as const
const ID = '0b6f7c1e-2f0a-4f0b-9f0e-3a1d5c7e9b21'

const Progress = Type.Object(
  {
    done: Type.Integer({ examples: [120] }),
    total: Nullable(Type.Integer({ examples: [500] })),
    note: Type.String({ examples: ['events'] }),
  },
  { title: 'JobProgress' },
)

const Job = Type.Object(
  {
    id: Type.String({ examples: [ID] }),
    name: Type.String({ examples: ['calendar.expand'] }),
    title: Type.String({
      examples: ['Calculate repeating events'],
      description: 'In the language of your preferences',
    }),
    state: Type.Enum([...STATES], { description: '`parked`: no more retries; `error` contains the reason' }),
    runAt: Instant,
    attempts: Type.Integer({ examples: [1], description: 'Number of times the job was started' }),
    error: Nullable(Type.String({ examples: ['The mail server refused the password.'] })),
    progress: Nullable(Progress),
    createdAt: Instant,
    finishedAt: Nullable(Type.String({ format: 'date-time' })),
  },
  { title: 'Job' },
)
const JobList = Type.Object({ jobs: Type.Array(Job), nextCursor: NextCursor })

const JobsQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum([...STATES])),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of jobs' }),
    cursor: Type.Optional(
      Type.String({
        maxLength: 1000,
        examples: ['WyIyMDI2LTAzLTAxIiw0Ml0'],
        description: '`nextCursor` of the previous page',
      }),
    ),
  },
  { additionalProperties: false },
)
const JobPath = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 100, examples: [ID] }) },
  { additionalProperties: false },
)

/** Ignores progress and title for conflicts: they alone must not fail an `If-Match` request. */
const tagOf = ({ progress, ...job }: JobView, title = ''): string =>
  `"${fingerprint(job).slice(0, 24)}~${fingerprint([progress, title]).slice(0, 10)}"`

/** Never returns the payload of a job: it can contain private data. */
export const jobRoutes =
  (jobs: Jobs, languageOf: LanguageOf): FastifyPluginAsyncTypebox =>
  async (app) => {
    const get = async (id: string, request: FastifyRequest) => {
      const job = await jobs.find(id)
      if (!job) throw notFound('job')
      return { ...job, title: toJobTitle(job.name, await languageOf(request.user)) }
    }

    app.get(
      '/',
      {
        config: owner,
        schema: {
          operationId: 'listJobs',
          summary: 'List background jobs',
          description:
            'Newest first. Running jobs report their progress, parked jobs the error. Completed jobs are kept for 7 days.',
          querystring: JobsQuery,
          response: { 200: JobList },
        },
      },
      async ({ user, query }) => {
        const { state, limit, cursor } = query
        const rows = await jobs.list({
          limit: limit + 1,
          ...(state !== undefined && { state }),
          ...(cursor !== undefined && { after: cursor }),
        })
        const { page, nextCursor } = pageOf(rows, limit, (job) => [job.createdAt, job.id])
        const language = await languageOf(user)
        return { jobs: page.map((job) => ({ ...job, title: toJobTitle(job.name, language) })), nextCursor }
      },
    )

    app.get(
      '/:id',
      {
        config: owner,
        schema: {
          operationId: 'getJob',
          summary: 'Get a job',
          params: JobPath,
          response: { 200: Job },
        },
      },
      async (request, reply) => {
        const { title, ...job } = await get(request.params.id, request)
        reply.header('etag', tagOf(job, title))
        return { ...job, title }
      },
    )

    app.post(
      '/:id/retry',
      {
        config: { ...owner, mayAnswer: [409] },
        schema: {
          operationId: 'retryJob',
          summary: 'Retry a parked job',
          params: JobPath,
          response: { 200: Job },
        },
      },
      async (request) => {
        const { id } = request.params
        if (!(await jobs.retry(id))) {
          await get(id, request)
          throw conflict('Only a parked job can be retried.')
        }
        return get(id, request)
      },
    )

    app.delete(
      '/:id',
      {
        config: { ...owner, mayAnswer: [409] },
        schema: {
          operationId: 'deleteJob',
          summary: 'Delete a waiting or parked job',
          description: 'The job will not run.',
          params: JobPath,
          response: { 204: Type.Null() },
        },
      },
      async (request) => {
        const { id } = request.params
        if (!(await jobs.drop(id, (job) => requireTag(request.ifMatch, tagOf(job))))) {
          await get(id, request)
          throw conflict('Only a waiting or parked job can be deleted.')
        }
      },
    )
  }
