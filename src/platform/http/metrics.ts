import type { FastifyInstance } from 'fastify'
import type { Changes } from '../changes.ts'

/** Adds Prometheus metrics. Loaded only if enabled, because most instances are not scraped. */
export const addMetrics = async (app: FastifyInstance, changes: Changes): Promise<void> => {
  const { Counter, collectDefaultMetrics, Histogram, Registry } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  const duration = new Histogram({
    name: 'factotum_http_request_duration_seconds',
    help: 'Duration of requests by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  })
  const changed = new Counter({
    name: 'factotum_changes_total',
    help: 'Number of changes by type',
    labelNames: ['type'] as const,
    registers: [register],
  })
  changes.listen(({ type }) => changed.inc({ type }))
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { config: { access: 'switched', scope: 'any', page: true } }, async (_request, reply) =>
    reply
      .type(register.contentType)
      .header('cache-control', 'no-store')
      .send(await register.metrics()),
  )
}
