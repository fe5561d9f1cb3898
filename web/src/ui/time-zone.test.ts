import { describe, expect, it } from 'vitest'
import { haveSameOffsets, isSupportedTimeZone, toCityName } from './time-zone.ts'

describe('a time zone', () => {
  it('is the same as another if their clocks agree all year', () => {
    expect(haveSameOffsets('Asia/Calcutta', 'Asia/Kolkata')).toBe(true)
    expect(haveSameOffsets('Europe/Berlin', 'Europe/Paris')).toBe(true)
    // Both are one hour ahead of UTC in winter.
    expect(haveSameOffsets('Europe/Berlin', 'Africa/Lagos', new Date('2026-01-15T12:00:00Z'))).toBe(false)
  })

  it('is named after its city', () => {
    expect(toCityName('America/Argentina/Buenos_Aires')).toBe('Buenos Aires')
  })

  it('may be unknown to the browser', () => {
    expect(isSupportedTimeZone('Europe/Berlin')).toBe(true)
    expect(isSupportedTimeZone('Etc/Unknown')).toBe(false)
  })
})
