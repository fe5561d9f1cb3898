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
import { isTypedAddress, type NoPage } from './typed-address.ts'

export interface RouteEntry extends RouteRules {
  method: string
  url: string
  config: FastifyContextConfig
  schema: FastifySchema
}

declare module 'fastify' {
  /** What a route says of itself for the API's description, besides its shapes. */
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
    tags?: readonly string[]
  }
}

/** Every route with who may call it, collected as the rooms add them. */
export interface RouteTable {
  entries(): readonly RouteEntry[]
}

interface Paths {
  /** The path that is asked for, as its route has it. */
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

const allowOf = (methods: readonly string[]): string[] => [...new Set([...methods, 'OPTIONS'])].sort()

/** As the router reads it: decoded, but for what would part it elsewhere, and without what follows it. */
const decodedPathOf = ({ url }: FastifyRequest): string => {
  const path = url.split(/[?#]/, 1)[0] as string
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const wrongMethod = (allow: string[]): AppError =>
  new AppError('method_not_allowed', 'method_not_allowed', `This path takes ${allow.join(', ')}.`, {
    details: { allow },
  })

export const addRouteTable = (app: FastifyInstance): RouteTable & Paths => {
  const entries: RouteEntry[] = []
  const fixed = new Map<string, string[]>()
  /** The root of a room is found with a slash, too. */
  const slashed = new Set<string>()
  const pathOf = (request: FastifyRequest): string => {
    const path = decodedPathOf(request)
    return slashed.has(path) ? path.slice(0, -1) : path
  }
  app.addHook('onRoute', (route) => {
    for (const method of methodsOf(route)) {
      const { access, scope, purpose, ownerOnly } = requireRules(method, route.url, route.config)
      if (route.url.length > 1 && route.url.endsWith('/')) {
        slashed.add(route.url)
        continue
      }
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
  // With another method the router takes the last part of such a path for a thing's name: `/tasks/quick` is no task.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.url?.includes(':')) return done()
    const methods = fixed.get(pathOf(request))
    done(methods && wrongMethod(allowOf(methods)))
  })
  return { entries: () => entries, pathOf }
}

/** A known path with a wrong method is 405 with the right ones; `OPTIONS` tells them; anything else is 404. */
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
