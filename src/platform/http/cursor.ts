import Type, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { invalidField } from '../errors.ts'

/** A place in a list: opaque to clients, the sort key of the last row to us. */
export const writeCursor = (key: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

export const readCursor = <S extends TSchema>(schema: S, cursor: string | undefined): Static<S> | undefined => {
  if (cursor === undefined) return undefined
  let key: unknown
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    key = undefined
  }
  if (!Value.Check(schema, key)) throw invalidField('cursor', 'is not one that this list gave out')
  return key as Static<S>
}

/** The query parameters that every list takes. */
export const pageParameters = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many at most' }),
  cursor: Type.Optional(Type.String({ maxLength: 1000, description: '`nextCursor` of the page before' })),
}

/** One page out of `limit + 1` rows, and where the next one starts. */
export const pageOf = <R>(rows: R[], limit: number, keyOf: (row: R) => readonly (string | number)[]) => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: rows.length > limit && last !== undefined ? writeCursor(keyOf(last)) : null }
}
