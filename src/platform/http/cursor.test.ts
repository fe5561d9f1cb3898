import { describe, expect, it } from 'vitest'
import type { AppError } from '../errors.ts'
import { pageOf, readCursor, writeCursor } from './etag.ts'

const encode = (text: string): string => Buffer.from(text).toString('base64url')

const pathOf = (read: () => unknown): string | undefined => {
  try {
    read()
  } catch (error) {
    return (error as AppError).details.errors?.[0]?.path
  }
  return undefined
}

describe('cursor', () => {
  it.each([
    ['a', 'b'],
    ['', ''],
    ['ü🦉"\\', '\u2028'],
  ])('restores the sort key: %j %j', (...key) => {
    const cursor = writeCursor(key)
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(readCursor(cursor, 'text', 'text')).toEqual(key)
  })

  it('can hold an instant and a number', () => {
    const key = ['2026-03-01T14:00:00.000Z', Number.MAX_SAFE_INTEGER]
    expect(readCursor(writeCursor(key), 'instant', 'integer')).toEqual(key)
  })

  it('is undefined when none is given', () => {
    expect(readCursor(undefined, 'integer')).toBeUndefined()
  })

  it.each([
    ['empty', ''],
    ['words', 'hello'],
    ['no JSON', encode('[1')],
    ['another shape', encode('{"0":1,"length":1}')],
    ['text for a number', encode('["1"]')],
    ['a fraction', encode('[1.5]')],
    ['one too many', encode('[1,2]')],
    ['beyond every id', encode('[1e300]')],
    ['beyond what counts exactly', encode('[9007199254740992]')],
  ])('rejects for a list sorted by id: %s', (_what, cursor) => {
    expect(pathOf(() => readCursor(cursor, 'integer'))).toBe('cursor')
  })

  it.each([
    ['a NUL, which PostgreSQL does not take', encode('["a\\u0000","b"]')],
    ['half a pair, which no database keeps', encode('["\\ud800","b"]')],
    ['more than any key', encode(`["${'x'.repeat(500)}","b"]`)],
  ])('rejects for a list sorted by name: %s', (_what, cursor) => {
    expect(pathOf(() => readCursor(cursor, 'text', 'text'))).toBe('cursor')
  })
})

describe('instant in a cursor', () => {
  it.each([
    '',
    'yesterday',
    '2026-03-01',
    '2026-03-01T14:00:00Z',
    '2026-13-01T14:00:00.000Z',
    '2026-03-01T14:00:00.000+01:00',
  ])('must have the canonical form, unlike "%s"', (text) => {
    expect(pathOf(() => readCursor(writeCursor([text]), 'instant'))).toBe('cursor')
  })
})

describe('page', () => {
  const rows = [{ id: 3 }, { id: 2 }, { id: 1 }]
  it.each([
    [[], 2, [], null],
    [rows.slice(0, 1), 2, [3], null],
    [rows.slice(0, 2), 2, [3, 2], null],
    [rows, 2, [3, 2], [2]],
    [rows, 1, [3], [3]],
  ])('holds %j with a limit of %i', (found, limit, ids, next) => {
    const { page, nextCursor } = pageOf(found, limit, ({ id }) => [id])
    expect(page.map(({ id }) => id)).toEqual(ids)
    expect(nextCursor).toBe(next === null ? null : writeCursor(next))
  })
})
