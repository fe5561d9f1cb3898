import { expect, it } from 'vitest'
import { etagOf, isVersioned, requireMatch } from './etag.ts'

const thing = { id: 7, version: 3 }

it('an ETag is quoted and separates id and version', () => {
  expect(etagOf(thing)).toBe('"7.3"')
  expect(etagOf({ id: 73, version: 1 })).not.toBe(etagOf({ id: 7, version: 31 }))
})

it.each([
  [undefined, true],
  ['"7.3"', true],
  ['*', true],
  [' * ', true],
  ['"1.1", "7.3"', true],
  ['"1.1","7.3" ', true],
  ['W/"7.3"', true],
  ['"7.2"', false],
  ['"17.3"', false],
  ['"7.33"', false],
  ['7.3', false],
  ["'7.3'", false],
  ['w/"7.3"', false],
  ['"7.3', false],
  ['', false],
  [',', false],
  ['"*"', false],
  ['*, "1.1"', false],
])('evaluates If-Match: %s', (header, matches) => {
  const attempt = () => requireMatch(header, thing)
  if (matches) expect(attempt).not.toThrow()
  else expect(attempt).toThrow(expect.objectContaining({ kind: 'precondition', code: 'precondition_failed' }))
})

it.each([
  [{ id: 1, version: 1 }, true],
  [{ id: 'a', version: 0 }, true],
  [{ id: 1 }, false],
  [{ id: 1, version: '1.0' }, false],
  [{ version: '0.1.0', status: 'ok' }, false],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
])('recognizes whether %j is versioned: %s', (payload, versioned) => {
  expect(isVersioned(payload)).toBe(versioned)
})
