import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readDuration,
  readOffset,
  readTime,
  writeDate,
  writeDateTime,
  writeDuration,
  writeOffset,
} from '../../../platform/icalendar/values.ts'
import { instantText } from './event-times.ts'

const at = (text: string): number => Date.parse(text)

describe('a time', () => {
  it.each([
    ['20240229', '2024-02-29T00:00:00Z', true, null],
    ['2024-02-29', '2024-02-29T00:00:00Z', true, null],
    ['20240105T093015', '2024-01-05T09:30:15Z', false, null],
    ['20240105T093015Z', '2024-01-05T09:30:15Z', false, 0],
    ['20240105t093015z', '2024-01-05T09:30:15Z', false, 0],
    ['2024-01-05T09:30:15.123Z', '2024-01-05T09:30:15Z', false, 0],
    ['20240105T0930', '2024-01-05T09:30:00Z', false, null],
    ['20240105T093000+0200', '2024-01-05T09:30:00Z', false, 7_200_000],
    ['20240105T240000', '2024-01-06T00:00:00Z', false, null],
    ['20161231T235960Z', '2016-12-31T23:59:59Z', false, 0],
    ['00500101', '0050-01-01T00:00:00Z', true, null],
    [' 20240105 ', '2024-01-05T00:00:00Z', true, null],
  ])('%s is parsed', (text, wall, isDate, offset) => {
    expect(readTime(text)).toEqual({ wall: at(wall), isDate, offset })
  })

  it.each([
    '',
    '20240230',
    '20241301',
    '00000101',
    '-0011130T100000',
    '20240105T250000',
    '20240105T096000',
    '083000',
    '20240105T',
    'tomorrow',
    '2024010',
  ])('%j is rejected', (text) => {
    expect(readTime(text)).toBeUndefined()
  })

  it('is the same after writing and parsing', () => {
    const second = fc.integer({
      min: at('0001-01-01T00:00:00Z') / 1000,
      max: at('9999-12-31T23:59:59Z') / 1000,
    })
    fc.assert(
      fc.property(second, (seconds) => {
        expect(readTime(writeDateTime(seconds * 1000))?.wall).toBe(seconds * 1000)
        expect(readTime(writeDate(seconds * 1000))?.isDate).toBe(true)
      }),
    )
  })

  it('has a four-digit year', () => {
    expect(instantText(at('0001-01-01T00:00:00Z'))).toBe('0001-01-01T00:00:00.000Z')
    expect(instantText(at('0001-01-01T00:00:00Z') - 1)).toBeUndefined()
    expect(instantText(at('9999-12-31T23:59:59.999Z') + 1)).toBeUndefined()
  })
})

describe('a duration', () => {
  it.each([
    ['PT1H30M', 0, 5_400_000],
    ['-P1DT2H', -1, -7_200_000],
    ['P2W', 14, 0],
    ['+PT15S', 0, 15_000],
    ['-P0DT0H10M0S', -0, -600_000],
    ['P1W2D', 9, 0],
    ['pt5m', 0, 300_000],
  ])('%s is parsed', (text, days, ms) => {
    expect(readDuration(text)).toEqual({ days, ms })
  })

  it.each(['', 'P', 'PT', 'P1Y', '1H', 'PT1', 'PTH', 'P1H'])('%j is rejected', (text) => {
    expect(readDuration(text)).toBeUndefined()
  })

  it('is the same after writing and parsing', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), (seconds) => {
        expect((readDuration(writeDuration(seconds * 1000))?.ms ?? 0) + 0).toBe(seconds * 1000)
      }),
    )
  })
})

describe('an offset', () => {
  it.each([
    ['+0100', 3_600_000],
    ['-0330', -12_600_000],
    ['-0000', 0],
    ['+005328', 3_208_000],
    ['+05:30', 19_800_000],
    ['Z', 0],
  ])('%s is parsed', (text, ms) => {
    expect((readOffset(text) ?? Number.NaN) + 0).toBe(ms)
  })

  it('is the same after writing and parsing', () => {
    fc.assert(
      fc.property(fc.integer({ min: -57_600, max: 57_600 }), (seconds) => {
        expect((readOffset(writeOffset(seconds * 1000)) ?? Number.NaN) + 0).toBe(seconds * 1000)
      }),
    )
  })
})
