import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { takesPages } from './responses.ts'

/** Rejects unknown properties of a request. */
export const strict = { additionalProperties: false }

/** Schemas that all features share. */
export const Instant = Type.String({ format: 'date-time', examples: ['2026-03-01T14:00:00.000Z'] })
export const OpaqueId = Type.String({ examples: ['q3vYw1y0T2uJf0b2nq8XVA'] })
export const Nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const NextCursor = Nullable(
  Type.String({
    examples: ['WyIyMDI2LTAzLTAxIiw0Ml0'],
    description: '`cursor` of the next page; null on the last',
  }),
)

export const IdPath = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }) },
  strict,
)

/** Query parameters of every list. */
export const pageParameters = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of entries' }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1000,
      examples: ['WyIyMDI2LTAzLTAxIiw0Ml0'],
      description: '`nextCursor` of the previous page',
    }),
  ),
}
export const Page = Type.Object(pageParameters, strict)
export interface PageRequest {
  limit: number
  cursor?: string | undefined
}

export type NoPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

const API = /^\/api(?:[/?]|$)/

/** Whether a user opened the address in a browser, and not a program that expects data. */
export const isTypedAddress = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && !API.test(url) && takesPages(headers)
