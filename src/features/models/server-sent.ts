import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors.ts'

export interface SentEvent {
  event: string
  data: unknown
}

const textOf = ({ event, data }: SentEvent): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Reports a failure as an event: the HTTP status has already been sent. */
const failureOf = (error: unknown): SentEvent => {
  const known = error instanceof AppError ? error : undefined
  const detail = known?.message ?? 'Internal error. See the server log for details.'
  return { event: 'error', data: { code: known?.code ?? 'internal', detail } }
}

async function* written(
  first: SentEvent,
  rest: AsyncIterator<SentEvent>,
  onFault: (error: unknown) => void,
): AsyncGenerator<string> {
  try {
    yield textOf(first)
    for (;;) {
      const next = await rest.next()
      if (next.done) return
      yield textOf(next.value)
    }
  } catch (error) {
    onFault(error)
    yield textOf(failureOf(error))
  } finally {
    await rest.return?.()
  }
}

/**
 * Responds with server-sent events. Waits for the first event, so that early failures get an HTTP error
 * status.
 * If the client disconnects, the generator is closed.
 */
export const sendEvents = async (
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncGenerator<SentEvent>,
): Promise<FastifyReply> => {
  const first = await events.next()
  if (first.done) throw new Error('The event source is empty.')
  const onFault = (error: unknown): void => {
    if (request.raw.destroyed || reply.raw.destroyed) return
    request.log.error({ requestId: request.id, err: error }, 'event stream failed')
  }
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(written(first.value, events, onFault), { objectMode: false }))
}
