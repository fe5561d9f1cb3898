import type { FastifyInstance } from 'fastify'
import { invalid } from '../errors.ts'

const refuse = (names: string[]) =>
  invalid(
    `${names[0]} is not known here.`,
    names.map((path) => ({ path, message: 'is not known here' })),
  )

/** What a route declares is validated by its schema; what it does not declare at all is refused here. */
export const addStrictness = (app: FastifyInstance): void => {
  app.addHook('preValidation', (request, _reply, done) => {
    if ((request.body === undefined || request.body === null) && !request.url.includes('?')) return done()
    const { schema, config } = request.routeOptions
    const query = Object.keys(request.query as object)
    if (!schema?.querystring && query.length > 0 && !config.page && !request.is404) return done(refuse(query))
    const { body } = request
    if (schema?.body || body === undefined || body === null) return done()
    if (typeof body !== 'object' || Array.isArray(body)) return done(invalid('This takes no body.'))
    const names = Object.keys(body)
    // An empty object says nothing, and many tools send one with every POST.
    done(names.length > 0 ? refuse(names) : undefined)
  })
}
