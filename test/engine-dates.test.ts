import { describe, expect, it } from 'vitest'
import { ctCases, isCtRight, readCt } from '../bench/engine/ctparse.ts'
import { hasData, percent, type Rate, rate } from '../bench/engine/data.ts'
import {
  ducklingCore,
  ducklingDurations,
  ducklingNegatives,
  isDucklingRight,
  isDurationRight,
  readDuckling,
} from '../bench/engine/duckling.ts'
import { isRecognizersRight, readRecognizers, recognizersCases } from '../bench/engine/recognizers.ts'
import { readTimes, type TimeExpression } from '../src/engine/dates/read.ts'

const NOW = Date.parse('2024-05-15T09:00:00Z')
const read = (text: string): TimeExpression[] => readTimes(text, { now: NOW })
const wall = ({ start }: TimeExpression): string | undefined =>
  start && new Date(start.day * 86_400_000 + (start.seconds ?? 0) * 1000).toISOString().slice(0, 16)

const report = (name: string, result: Rate): number => {
  console.log(`${name}: ${percent(result).toFixed(1)} % of ${result.of}`)
  return percent(result)
}

describe('reading times', () => {
  it.each([
    ['see you tomorrow at 3pm', '2024-05-16T15:00'],
    ['wir treffen uns übermorgen um halb acht', '2024-05-17T19:30'],
    ['am Dienstag, den 21.5. um 14 Uhr', '2024-05-21T14:00'],
    ['in zwei Wochen', '2024-05-29T00:00'],
    ['nächsten Montag um 9:15 Uhr', '2024-05-20T09:15'],
    ['kommenden Freitag', '2024-05-17T00:00'],
    ['the last Friday of June', '2024-06-28T00:00'],
    ['half past nine tomorrow morning', '2024-05-16T09:30'],
  ])('%s', (text, expected) => {
    expect(read(text).map(wall)).toEqual([expected])
  })

  it('says where each time stands', () => {
    const text = 'Either Tuesday at 10 or Thursday, 2pm to 3pm (Berlin time), works for me.'
    const found = read(text)
    expect(found.map(({ text }) => text)).toEqual(['Tuesday at 10', 'Thursday, 2pm to 3pm'])
    expect(
      found.every(({ offset, text: piece }) => text.slice(offset, offset + piece.length) === piece),
    ).toBe(true)
    expect(found[1]?.zone?.name).toBe('Europe/Berlin')
  })

  it.each([
    ['every Monday and Thursday at 8am', 'FREQ=WEEKLY;BYDAY=MO,TH'],
    ['jeden zweiten Dienstag', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['every 3 months', 'FREQ=MONTHLY;INTERVAL=3'],
    ['monthly on the 15th', 'FREQ=MONTHLY;BYMONTHDAY=15'],
    ['every weekday until June 30', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20240630'],
    ['the last Friday of every month', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['täglich um 7 Uhr', 'FREQ=DAILY'],
  ])('%s comes back by %s', (text, expected) => {
    expect(read(text).map(({ rule }) => rule)).toEqual([expected])
  })

  it.each([
    'You may march on, but I second that.',
    'The sun sat on the wall.',
    'Version 2.10 costs 12.50 € and weighs 3.5 kg.',
    'Call +49 30 123456-78 or 650-283-4757.',
    'https://example.com/2024/05/16/report?at=15:00',
    'Good morning, and good night!',
    'room 12.10',
  ])('finds no time in: %s', (text) => {
    expect(read(text).map(({ text }) => text)).toEqual([])
  })

  it('reads a megabyte of digits, marks and words without losing its way', () => {
    for (const piece of [
      '1 ',
      '12:',
      'may ',
      '1/',
      'next ',
      'monday ',
      '- ',
      '5-7 ',
      'a.',
      "1'",
      '12.12.',
      'from 1 to ',
    ])
      expect(read(piece.repeat(1_000_000 / piece.length))).toBeInstanceOf(Array)
  }, 60_000)
})

describe.skipIf(!hasData('datetime-duckling'))('the public date sets', () => {
  it('duckling, without feasts: at least 85 %', () => {
    const result = rate(ducklingCore(), (one) => isDucklingRight(one, readDuckling(one)))
    expect(report('duckling core', result)).toBeGreaterThanOrEqual(85)
  })

  it('duckling, durations: at least 95 %', () => {
    expect(report('duckling durations', rate(ducklingDurations(), isDurationRight))).toBeGreaterThanOrEqual(
      95,
    )
  })

  it('duckling, negatives: no false alarm', () => {
    expect(rate(ducklingNegatives(), (one) => readDuckling(one) === undefined).wrong).toEqual([])
  })

  it('ctparse: at least 80 % in English, 86 % in German', () => {
    const result = (part: 'en' | 'de_other') => rate(ctCases(part), (one) => isCtRight(one, readCt(one)))
    expect(report('ctparse English', result('en'))).toBeGreaterThanOrEqual(80)
    expect(report('ctparse German', result('de_other'))).toBeGreaterThanOrEqual(86)
  })

  it('recognizers: at least 84 %, 20 points above its own package', () => {
    const result = rate(recognizersCases(), (one) => isRecognizersRight(one, readRecognizers(one)))
    expect(report('recognizers', result)).toBeGreaterThanOrEqual(84)
  })
})
