import type { FastifyInstance } from 'fastify'
import type { Changes } from '../changes.ts'

/** Adds Prometheus metrics. Loaded only if enabled, because most instances are not scraped. */
export const addMetrics = async (
  app: FastifyInstance,
  changes: Changes,
  { lastProvenAt }: { lastProvenAt: () => Promise<string | null> },
): Promise<void> => {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
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
  new Gauge({
    name: 'factotum_backup_last_proven_timestamp_seconds',
    help: 'Time of the last backup that was proven restorable; 0 without one',
    registers: [register],
    async collect() {
      const at = await lastProvenAt().catch(() => undefined)
      if (at !== undefined) this.set(at === null ? 0 : Date.parse(at) / 1000)
    },
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
