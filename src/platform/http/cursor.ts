import { invalidField } from '../errors.ts'

/** What the parts of a sort key are. */
interface KeyKinds {
  text: string
  integer: number
  /** An instant as we write it, so that it can be compared as one. */
  instant: string
}
type KeyKind = keyof KeyKinds
type KeyOf<K extends readonly KeyKind[]> = { [I in keyof K]: KeyKinds[K[I]] }

const LONGEST_TEXT = 200
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const fits = (kind: KeyKind, value: unknown): boolean => {
  if (kind === 'integer') return Number.isSafeInteger(value)
  if (
    typeof value !== 'string' ||
    value.length > LONGEST_TEXT ||
    !value.isWellFormed() ||
    value.includes('\0')
  )
    return false
  return kind === 'text' || (INSTANT.test(value) && !Number.isNaN(Date.parse(value)))
}

/** A place in a list: opaque to clients, the sort key of the last row to us. */
export const writeCursor = (key: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

const parse = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** The sort key in a cursor, if there is one; refuses what this list did not give out. */
export const readCursor = <const K extends readonly KeyKind[]>(
  cursor: string | undefined,
  ...kinds: K
): KeyOf<K> | undefined => {
  if (cursor === undefined) return undefined
  const key = parse(cursor)
  if (
    !Array.isArray(key) ||
    key.length !== kinds.length ||
    !kinds.every((kind, index) => fits(kind, key[index]))
  )
    throw invalidField('cursor', 'is not one that this list gave out')
  return key as unknown as KeyOf<K>
}

/** One page out of `limit + 1` rows, and where the next one starts. */
export const pageOf = <R>(rows: R[], limit: number, keyOf: (row: R) => readonly (string | number)[]) => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: rows.length > limit && last !== undefined ? writeCursor(keyOf(last)) : null }
}
