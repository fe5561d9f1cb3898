import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteOptions,
} from 'fastify'
import { type RouteRules, requireRules } from '../access/route-access.ts'
import { AppError, notFound } from '../errors.ts'
import { isTypedAddress, type NoPage } from './shapes.ts'

export interface RouteEntry extends RouteRules {
  method: string
  url: string
  config: FastifyContextConfig
  schema: FastifySchema
}

declare module 'fastify' {
  /** Documentation of a route for the OpenAPI document, besides its schemas. */
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
  }
}

/** All routes with their access rules, collected as the features register them. */
export interface RouteTable {
  entries(): readonly RouteEntry[]
}

interface Paths {
  /** Returns the path pattern of the route that matches a request. */
  pathOf(request: FastifyRequest): string
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^$()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace(/\*$/, '.*')}$`,
  )

const methodsOf = (route: RouteOptions): string[] => [route.method].flat()

const allowOf = (methods: readonly string[]): string[] =>
  [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort()

/** Decodes a path like the router: escaped delimiters stay encoded, and the query is removed. */
const decodedPathOf = ({ url }: FastifyRequest): string => {
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const wrongMethod = (allow: string[]): AppError =>
  new AppError('method_not_allowed', 'method_not_allowed', `This path allows ${allow.join(', ')}.`, {
    details: { allow },
  })

export const addRouteTable = (app: FastifyInstance): RouteTable & Paths => {
  const entries: RouteEntry[] = []
  const fixed = new Map<string, string[]>()
  /** The root of a feature also matches with a trailing slash. */
  const slashed = new Set<string>()
  const pathOf = (request: FastifyRequest): string => {
    const path = decodedPathOf(request)
    return slashed.has(path) ? path.slice(0, -1) : path
  }
  app.addHook('onRoute', (route) => {
    for (const method of methodsOf(route)) {
      const { access, scope, purpose, ownerOnly } = requireRules(method, route.url, route.config)
      if (route.routePath === '') slashed.add(`${route.url}/`)
      entries.push({
        method,
        url: route.url,
        config: route.config ?? {},
        schema: route.schema ?? {},
        access,
        ...(scope && { scope }),
        ...(purpose && { purpose }),
        ...(ownerOnly && { ownerOnly }),
      })
      if (!/[:*]/.test(route.url)) fixed.set(route.url, [...(fixed.get(route.url) ?? []), method])
    }
  })
  // With another method, the router would take the last segment as an id: `/tasks/quick` is not a task.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.route.url?.includes(':')) return done()
    const methods = fixed.get(pathOf(request))
    done(methods && wrongMethod(allowOf(methods)))
  })
  return { entries: () => entries, pathOf }
}

/**
 * Answers 405 with `Allow` for a known path with a wrong method, and lists the methods for `OPTIONS`. Answers
 * 404 otherwise.
 */
export const answerUnknown = (table: RouteTable & Paths, noPage?: NoPage) => {
  let patterns: { url: string; pattern: RegExp; method: string }[] | undefined
  return (request: FastifyRequest, reply: FastifyReply) => {
    patterns ??= table
      .entries()
      .filter(({ url }) => !url.endsWith('*'))
      .map(({ url, method }) => ({ url, pattern: patternOf(url), method }))
    const path = table.pathOf(request)
    const fitting = patterns.filter(({ pattern }) => pattern.test(path))
    if (fitting.length === 0) {
      if (noPage && isTypedAddress(request)) return noPage(request, reply)
      throw notFound('page or endpoint')
    }
    const exact = fitting.filter(({ url }) => url === path)
    const allow = allowOf((exact.length > 0 ? exact : fitting).map(({ method }) => method))
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow.join(', ')).send()
    throw wrongMethod(allow)
  }
}
