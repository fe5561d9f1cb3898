import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

export interface Draining {
  /** Takes nothing new, waits for what is at work, and hangs up on whoever is left. */
  drain(withinMs: number): Promise<void>
}

const stopping = (): AppError =>
  new AppError('unavailable', 'unavailable', 'This instance is stopping.', {
    details: { retryAfterSeconds: 5 },
  })

/** Lets a server end well. Health goes on answering until the end: it is how others learn of it. */
export const addDraining = (app: FastifyInstance): Draining => {
  let draining = false
  const atWork = new Set<object>()
  let whenQuiet = () => {}

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.whileDraining) return done()
    if (draining) return done(stopping())
    atWork.add(request)
    // Not `onResponse`: it is never called when the client hangs up in the middle of a stream.
    reply.raw.once('close', () => {
      if (atWork.delete(request) && atWork.size === 0) whenQuiet()
    })
    done()
  })
  // A connection that was busy when the end began would otherwise be kept open for a next request.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining) reply.header('connection', 'close')
    done(null, payload)
  })

  const waitUntilQuiet = (withinMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      whenQuiet = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    async drain(withinMs) {
      draining = true
      if (atWork.size > 0) await waitUntilQuiet(withinMs)
      const closed = app.close()
      // Browsers keep connections in reserve that were never used: Node does not count those as idle.
      setImmediate(() => app.server.closeAllConnections())
      await closed
    },
  }
}
