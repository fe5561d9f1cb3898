import type { FastifyReply } from 'fastify'

/** Aborted when the client hangs up before it has its answer: nobody waits for what was asked. */
export const whileConnected = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The client has gone.'))
  })
  return controller.signal
}
