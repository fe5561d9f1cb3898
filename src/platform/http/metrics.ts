import type { FastifyInstance } from 'fastify'
import { read } from '../access/route-access.ts'
import type { Changes } from '../changes.ts'
import { forbidden } from '../errors.ts'
import type { Logger } from '../log.ts'

export interface GaugeValue {
  labels?: Record<string, string>
  value: number
}

/** A figure that is read when the metrics are requested. */
export interface GaugeDefinition {
  name: string
  help: string
  /** The names of the labels of its values. */
  labels?: readonly string[]
  /** Whether the value is read for every request, because it is in memory and changes quickly. */
  isCurrent?: boolean
  read(): Promise<GaugeValue[]>
}

/** Several programs may read the metrics, and figures of the database cost a query each. */
const CACHE_MS = 10_000

/** Adds Prometheus metrics. Loaded only if enabled, because most instances are not scraped. */
export const addMetrics = async (
  app: FastifyInstance,
  deps: { changes: Changes; log: Logger; gauges: readonly GaugeDefinition[] },
): Promise<void> => {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  const duration = new Histogram({
    name: 'factotum_http_request_duration_seconds',
    help: 'Duration of requests by route',
    labelNames: ['method', 'route', 'status'] as const,
    // Each bucket is a series for every route and status.
    buckets: [0.01, 0.05, 0.25, 1, 10],
    registers: [register],
  })
  const inFlight = new Gauge({
    name: 'factotum_http_requests_in_progress',
    help: 'Requests without a complete response, including event streams',
    registers: [register],
  })
  const changed = new Counter({
    name: 'factotum_changes_total',
    help: 'Number of changes by type',
    labelNames: ['type'] as const,
    registers: [register],
  })
  const failed = new Counter({
    name: 'factotum_metrics_errors_total',
    help: 'Figures that could not be read',
    labelNames: ['name'] as const,
    registers: [register],
  })
  for (const { name, help, labels: labelNames = [], isCurrent, read } of deps.gauges) {
    let readAt = Number.NEGATIVE_INFINITY
    new Gauge<string>({
      name,
      help,
      labelNames,
      registers: [register],
      async collect() {
        if (!isCurrent && performance.now() - readAt < CACHE_MS) return
        try {
          const values = await read()
          readAt = performance.now()
          this.reset()
          for (const { labels = {}, value } of values) this.set(labels, value)
        } catch (error) {
          // One unreadable figure must not hide the others.
          this.reset()
          failed.inc({ name })
          deps.log.warn({ err: error, metric: name }, 'could not read a metric')
        }
      },
    })
  }
  deps.changes.listen(({ type }) => changed.inc({ type }))
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight.inc()
    reply.raw.once('close', () => inFlight.dec())
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
    done()
  })
  const config = { ...read('metrics'), page: true } as const
  app.get('/metrics', { config }, async ({ caller }, reply) => {
    if (caller.kind === 'session' && !caller.isOwner)
      throw forbidden(
        'Only the owner of this instance, or a token with the scope metrics:read, may read metrics.',
      )
    return reply
      .type(register.contentType)
      .header('cache-control', 'no-store')
      .send(await register.metrics())
  })
}
