import type { FastifyRequest } from 'fastify'

/** The value of a cookie (RFC 6265, section 4.2); undefined when it was not sent. */
export const readCookie = (request: FastifyRequest, name: string): string | undefined =>
  (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** Whether cookies get the attribute Secure. On plain http, as on a home network, a browser would drop such a cookie. */
export const createIsSecure =
  (publicUrl: string | null) =>
  (request: FastifyRequest): boolean =>
    publicUrl?.startsWith('https:') ?? request.protocol === 'https'
