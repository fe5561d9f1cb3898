import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withLongReads } from '../../database/long-reads.ts'
import { type Caller, callerKey } from '../access/caller.ts'
import { invalid } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The reads of the route may take long: always, or if the query has one of these parameters. They run in a
     * separate thread, so that other requests are answered meanwhile.
     */
    longReads?: true | readonly string[]
  }
}

/** The long reads of one account run one after another. */
export const longReadKey = (caller: Caller): string =>
  'userId' in caller ? `user:${caller.userId}` : callerKey(caller)

/** Aborts when the client disconnects before the response was sent. */
const createSignal = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(invalid('The client closed the connection.'))
  })
  return controller.signal
}

const runAsLongRead = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
  const { longReads = [] } = request.route.config
  const query = request.query as Record<string, unknown>
  if (longReads !== true && !longReads.some((name) => query[name] !== undefined)) {
    done()
    return
  }
  withLongReads({ key: longReadKey(request.caller), signal: createSignal(reply) }, done)
}

/** Runs the handlers of routes that declare `longReads` with reads in a separate thread. */
export const addLongReads = (app: FastifyInstance): void => {
  app.addHook('onRoute', (route) => {
    if (route.config?.longReads) route.preHandler = [runAsLongRead, ...[route.preHandler ?? []].flat()]
  })
}
