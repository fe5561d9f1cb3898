import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesPages } from './accept.ts'

export type NoPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

const API = /^\/api(?:[/?]|$)/

/** Whether a person went there in a browser, and not a program that wants data. */
export const isTypedAddress = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !API.test(url) && takesPages(headers)
