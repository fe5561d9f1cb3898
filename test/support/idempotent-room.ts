import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Db } from '../../src/database/db.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { AppError, conflict } from '../../src/platform/errors.ts'

const Wish = Type.Object(
  { subject: Type.String(), end: Type.Optional(Type.Enum(['refuse', 'fail', 'break'])) },
  { additionalProperties: false },
)
type Wish = Type.Static<typeof Wish>
const Thing = Type.Object({ id: Type.Integer(), subject: Type.String() }, { title: 'Thing' })
const UPSTREAM = () => new AppError('upstream', 'upstream_failed', 'The other side failed.')

export interface IdempotentRoomHooks {
  /** Called when a request is about to be handled. */
  arrived?(subject: string): Promise<void>
  /** Called after the change was written and before it is committed. */
  written?(subject: string): Promise<void>
  /** Called after the change was committed and before anything of the answer is sent. */
  committed?(subject: string): Promise<void>
}

/** A room whose one thing is a row in `changes`, made by a POST that honours `Idempotency-Key`. */
export const idempotentRoom =
  (db: Db, { arrived, written, committed }: IdempotentRoomHooks = {}): FastifyPluginAsyncTypebox =>
  async (app) => {
    const write = (wish: Wish) =>
      inTransaction(db, async (tx) => {
        const { id } = await tx
          .insertInto('changes')
          .values({ type: 'thing.made', subject: wish.subject, data: '{}', at: new Date().toISOString() })
          .returning('id')
          .executeTakeFirstOrThrow()
        await written?.(wish.subject)
        if (wish.end === 'refuse') throw conflict('There is one already.', 'not_configured')
        if (wish.end === 'fail') throw UPSTREAM()
        if (wish.end === 'break') throw new Error('a bug')
        return { id, version: 3, subject: wish.subject, secret: 'stays inside' }
      })

    const subjectOf = ({ body }: FastifyRequest): string => (body as Partial<Wish> | null)?.subject ?? ''
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
          schema: { body: Wish, response: { 201: Thing } },
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
        schema: { body: Wish, response: { 201: Thing } },
      },
      async (request, reply) => {
        reply.code(201)
        return write(request.body)
      },
    )
    app.post(
      '/empties',
      { config: { access: 'switched', idempotency: 'kept' }, schema: { body: Wish } },
      async (request, reply) => {
        await write(request.body)
        reply.code(204)
        return null
      },
    )
  }
