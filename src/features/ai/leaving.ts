import type { FastifyReply, FastifyRequest } from 'fastify'
import { tokenIdOf } from './asking.ts'
import type { Asker } from './consulting.ts'
import type { ModelName } from './providers.ts'

/** Aborted when the client hangs up before it has its answer: nobody waits for what was asked. */
export const whileConnected = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The client has gone.'))
  })
  return controller.signal
}

/** Whose request it is, for as long as they wait. */
export const askerOf = (request: FastifyRequest, reply: FastifyReply, model?: ModelName): Asker => ({
  ...{ tokenId: tokenIdOf(request.caller), signal: whileConnected(reply), model },
})
