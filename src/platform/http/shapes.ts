import Type from 'typebox'

/** Shapes that every room uses. */
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
  { additionalProperties: false },
)

/** The query parameters that every list takes. */
export const pageParameters = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many at most' }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1000,
      examples: ['WyIyMDI2LTAzLTAxIiw0Ml0'],
      description: '`nextCursor` of the page before',
    }),
  ),
}
export const Page = Type.Object(pageParameters, { additionalProperties: false })
export interface PageRequest {
  limit: number
  cursor?: string | undefined
}
