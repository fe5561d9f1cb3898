import { describe, expect, it } from 'vitest'
import { AppError, type ErrorKind } from '../errors.ts'
import type { Random } from '../random.ts'
import { decideOutcome } from './worker.ts'

const always = (byte: number): Random => ({ bytes: (size) => Buffer.alloc(size, byte) })
const job = { retries: 20, backoffSeconds: 10 }

describe('the outcome of a failed job', () => {
  it.each([
    [1, 5, 10],
    [2, 10, 20],
    [3, 20, 40],
    [9, 1280, 2560],
    [10, 1800, 3600],
    [20, 1800, 3600],
  ])('waits after attempt %i between %i and %i seconds', (attempt, least, most) => {
    const waits = [0x00, 0x55, 0xaa, 0xff].map((byte) => {
      const outcome = decideOutcome(new Error('no'), job, attempt, always(byte))
      return outcome.fate === 'retry' ? outcome.delayMs : Number.NaN
    })
    expect(waits[0]).toBe(least * 1000)
    expect(waits[3]).toBeCloseTo(most * 1000, -1)
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  })

  it.each<[ErrorKind, 'retry' | 'park']>([
    ['upstream', 'retry'],
    ['unavailable', 'retry'],
    ['rate_limited', 'retry'],
    ['invalid', 'park'],
    ['unauthenticated', 'park'],
    ['forbidden', 'park'],
    ['not_found', 'park'],
    ['conflict', 'park'],
    ['precondition', 'park'],
    ['too_large', 'park'],
    ['unsupported', 'park'],
  ])('maps error kind %s to %s', (kind, fate) => {
    expect(decideOutcome(new AppError(kind, 'code', 'Why.'), job, 1, always(0))).toMatchObject({
      fate,
      error: 'Why.',
    })
  })

  it('never retries more often than allowed', () => {
    expect(decideOutcome(new Error('no'), { ...job, retries: 3 }, 3, always(0)).fate).toBe('retry')
    expect(decideOutcome(new Error('no'), { ...job, retries: 3 }, 4, always(0)).fate).toBe('park')
    expect(decideOutcome(new Error('no'), { ...job, retries: 0 }, 1, always(0)).fate).toBe('park')
  })

  it('truncates a long error without splitting a character', () => {
    const { error } = decideOutcome(
      new AppError('invalid', 'code', `a${'🦊'.repeat(2000)}`),
      job,
      1,
      always(0),
    )
    expect(error.length).toBeLessThanOrEqual(1000)
    expect(error.isWellFormed()).toBe(true)
  })
})
