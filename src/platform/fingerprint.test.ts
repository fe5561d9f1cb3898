import { describe, expect, it } from 'vitest'
import { fingerprint, hasFingerprint, isSameJson } from './fingerprint.ts'
import { digest } from './secrets/seal.ts'

const task = { title: 'Rent', due: { day: '2026-03-01', time: null }, tags: ['a', 'b'] }
const sameTask = { tags: ['a', 'b'], due: { time: null, day: '2026-03-01' }, title: 'Rent' }

describe('a fingerprint', () => {
  it('does not depend on the order of properties', () => {
    expect(fingerprint(task)).toBe(fingerprint(sameTask))
    expect(isSameJson(task, sameTask)).toBe(true)
  })

  it('depends on values and on the order of lists', () => {
    expect(fingerprint(task)).not.toBe(fingerprint({ ...task, title: 'Lease' }))
    expect(fingerprint(task)).not.toBe(fingerprint({ ...task, tags: ['b', 'a'] }))
    expect(isSameJson(task, { ...task, tags: ['b', 'a'] })).toBe(false)
  })

  it('ignores missing values, as JSON does', () => {
    expect(isSameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true)
    expect(fingerprint({ a: 1, b: undefined })).toBe(fingerprint({ a: 1 }))
  })

  it('recognizes what version 0.2.0 stored', () => {
    expect(hasFingerprint(task, digest(JSON.stringify(task)))).toBe(true)
    expect(hasFingerprint({ ...task, title: 'Lease' }, digest(JSON.stringify(task)))).toBe(false)
    expect(hasFingerprint(sameTask, fingerprint(task))).toBe(true)
  })
})
