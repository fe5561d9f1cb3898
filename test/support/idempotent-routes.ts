import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Db } from '../../src/database/db.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { AppError, conflict } from '../../src/platform/errors.ts'

const Input = Type.Object(
  { subject: Type.String(), end: Type.Optional(Type.Enum(['refuse', 'fail', 'break'])) },
  { additionalProperties: false },
)
type Input = Type.Static<typeof Input>
const Thing = Type.Object({ id: Type.Integer(), subject: Type.String() }, { title: 'Thing' })
const UPSTREAM = () => new AppError('upstream', 'upstream_failed', 'The other side failed.')

export interface IdempotentRouteHooks {
  /** Called before a request is handled. */
  arrived?(subject: string): Promise<void>
  /** Called after the change was written and before it is committed. */
  written?(subject: string): Promise<void>
  /** Called after the commit and before the response is sent. */
  committed?(subject: string): Promise<void>
}

/** A feature with one resource, a row in `changes`, created by a POST that supports `Idempotency-Key`. */
export const idempotentRoutes =
  (db: Db, { arrived, written, committed }: IdempotentRouteHooks = {}): FastifyPluginAsyncTypebox =>
  async (app) => {
    const write = (input: Input) =>
      inTransaction(db, async (tx) => {
        const { id } = await tx
          .insertInto('changes')
          .values({
            userId: 1,
            type: 'thing.made',
            subject: input.subject,
            data: '{}',
            at: new Date().toISOString(),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await written?.(input.subject)
        if (input.end === 'refuse') throw conflict('There is one already.', 'not_configured')
        if (input.end === 'fail') throw UPSTREAM()
        if (input.end === 'break') throw new Error('a bug')
        return { id, version: 3, subject: input.subject, secret: 'stays inside' }
      })

    const subjectOf = ({ body }: FastifyRequest): string => (body as Partial<Input> | null)?.subject ?? ''
    app.addHook('preHandler', async (request) => arrived?.(subjectOf(request)))
    app.addHook('onSend', async (request) => committed?.(subjectOf(request)))
    for (const [url, idempotency] of [
      ['/things', 'kept'],
      ['/others', 'kept'],
      ['/secrets', 'held'],
    ] as const)
      app.post(
        url,
        {
          config: { access: 'switched', scope: 'tasks:write', idempotency },
          schema: { body: Input, response: { 201: Thing } },
        },
        async (request, reply) => {
          const thing = await write(request.body)
          reply.code(201).header('location', `${url}/${thing.id}`)
          return thing
        },
      )
    app.put(
      '/things',
      {
        config: { access: 'switched', idempotency: 'kept' },
        schema: { body: Input, response: { 201: Thing } },
      },
      async (request, reply) => {
        reply.code(201)
        return write(request.body)
      },
    )
    app.post(
      '/empties',
      { config: { access: 'switched', idempotency: 'kept' }, schema: { body: Input } },
      async (request, reply) => {
        await write(request.body)
        reply.code(204)
        return null
      },
    )
  }
