import type { FastifyReply, FastifyRequest } from 'fastify'
import { tokenIdOf } from '../../platform/access/caller.ts'
import { whileConnected } from '../../platform/http/while-connected.ts'
import type { Asker } from './consulting.ts'
import type { ModelName } from './providers.ts'

/** Whose request it is, for as long as they wait. */
export const askerOf = (request: FastifyRequest, reply: FastifyReply, model?: ModelName): Asker => ({
  ...{ tokenId: tokenIdOf(request.caller), signal: whileConnected(reply), model },
})
