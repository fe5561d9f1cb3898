import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The path of PUBLIC_URL, such as `/factotum`, or an empty text. */
    basePath: string
  }
}

/** Returns `/factotum` for `https://home.example/factotum`, and an empty text for an address without a path. */
export const toBasePath = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')

/**
 * Removes the base path from the URL of a request. A proxy may also have removed it, so a URL without it stays as it
 * is. The configuration rejects base paths that begin with a path of the application.
 */
export const createUrlRewriter =
  (basePath: string) =>
  ({ url = '/' }: { url?: string | undefined }): string => {
    if (basePath === '' || !url.startsWith(basePath)) return url
    const rest = url.slice(basePath.length)
    if (rest === '' || rest.startsWith('?')) return `/${rest}`
    return rest.startsWith('/') ? rest : url
  }

const COOKIE_PATH = /(?<=;\s*path=)\//i

/**
 * Adds the base path to redirects, to `Location` and to the paths of cookies. Routes name their own paths only, and a
 * browser would not send a cookie of `/api/auth` to `/factotum/api/auth`.
 */
export const addBasePath = (app: FastifyInstance, basePath: string): void => {
  app.decorate('basePath', basePath)
  if (basePath === '') return
  const isOwnPath = (location: string): boolean =>
    location.startsWith('/') && !location.startsWith('//') && !location.startsWith(`${basePath}/`)
  app.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location')
    if (typeof location === 'string' && isOwnPath(location))
      reply.header('location', `${basePath}${location}`)
    const cookies = reply.getHeader('set-cookie')
    if (cookies !== undefined) {
      const given = Array.isArray(cookies) ? cookies : [String(cookies)]
      reply.removeHeader('set-cookie')
      reply.header(
        'set-cookie',
        given.map((cookie) => cookie.replace(COOKIE_PATH, `${basePath}/`)),
      )
    }
    done(null, payload)
  })
}
