import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { FeatureRoutes } from '../platform.ts'

const rejectParser = (): never => {
  throw new Error(
    'Add a body parser in a nested plugin or with `ownParsers`, so that other routes do not use it.',
  )
}

/**
 * Lets several features add their routes to one plugin. Fastify completes each route in a further plugin, because
 * hooks and error handlers may follow. Here all of them precede the routes, so that each is complete at once.
 */
const shareScope = (scope: FastifyInstance): void => {
  const { addContentTypeParser, removeAllContentTypeParsers } = scope
  const nest = scope.register.bind(scope) as (plugin: FastifyPluginAsync) => unknown
  const own = { addContentTypeParser, removeAllContentTypeParsers }
  Object.assign(scope, {
    after: (complete: (error: null, done: () => void) => void) => complete(null, () => {}),
    addContentTypeParser: rejectParser,
    removeAllContentTypeParsers: rejectParser,
    // A nested plugin runs after this one. Nothing waits for it.
    register(plugin: FastifyPluginAsync) {
      nest(async (nested, options) => {
        Object.assign(nested, own)
        await plugin(nested, options)
      })
    },
  })
}

/** Adds the routes of all features. Those with the same prefix share a plugin, because plugins slow down the start. */
export const addFeatureRoutes = (app: FastifyInstance, routes: readonly FeatureRoutes[]): void => {
  const shared = routes.filter(({ ownParsers }) => !ownParsers)
  for (const [prefix, group] of Map.groupBy(shared, (each) => each.prefix))
    app.register(
      async (scope) => {
        shareScope(scope)
        for (const { plugin } of group) await plugin(scope, {})
      },
      { prefix },
    )
  for (const { prefix, plugin, ownParsers } of routes) if (ownParsers) app.register(plugin, { prefix })
}
