import type { FastifyReply, FastifyRequest } from 'fastify'

export type NoPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

const API = /^\/api(?:[/?]|$)/
const TAKES_PAGES = /\btext\/html\b(?!\s*;\s*q=0(?:\.0+)?\b)/i

/** Whether a person went there in a browser, and not a program that wants data. */
export const isTypedAddress = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !API.test(url) && TAKES_PAGES.test(headers.accept ?? '')
