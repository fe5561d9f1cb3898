import { describe, expect, it } from 'vitest'
import { moveRule } from './moved-rule.ts'
import { readRule, writeRule } from './rule.ts'

const moved = (text: string, from: string, to: string): string => {
  const read = readRule(text)
  if ('fault' in read) throw new Error(read.fault)
  return writeRule(moveRule(read.rule, Date.parse(`${from}Z`), Date.parse(`${to}Z`)))
}

describe('moving the start of a series', () => {
  it.each([
    ['FREQ=WEEKLY;BYDAY=MO', '2026-03-02T09:00', '2026-03-03T09:00', 'FREQ=WEEKLY;BYDAY=TU'],
    ['FREQ=WEEKLY;BYDAY=MO,TH', '2026-03-02T09:00', '2026-03-01T09:00', 'FREQ=WEEKLY;BYDAY=WE,SU'],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
      '2026-03-02T09:00',
      '2026-03-04T10:00',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE',
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=15', '2026-03-15T09:00', '2026-03-17T09:00', 'FREQ=MONTHLY;BYMONTHDAY=17'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2026-03-31T09:00', '2026-03-30T09:00', 'FREQ=MONTHLY;BYMONTHDAY=-2'],
    ['FREQ=MONTHLY;BYDAY=2TU', '2026-03-10T09:00', '2026-03-18T09:00', 'FREQ=MONTHLY;BYDAY=3WE'],
    ['FREQ=MONTHLY;BYDAY=-1FR', '2026-03-27T09:00', '2026-03-26T09:00', 'FREQ=MONTHLY;BYDAY=-1TH'],
    ['FREQ=MONTHLY;BYDAY=4MO', '2026-03-23T09:00', '2026-03-31T09:00', 'FREQ=MONTHLY;BYDAY=-1TU'],
    [
      'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=2',
      '2026-03-02T09:00',
      '2026-04-05T09:00',
      'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=5',
    ],
    [
      'FREQ=DAILY;BYHOUR=9;BYMINUTE=0',
      '2026-03-02T09:00',
      '2026-03-02T10:30',
      'FREQ=DAILY;BYHOUR=10;BYMINUTE=30',
    ],
  ])('changes %s from %s to %s into %s', (rule, from, to, expected) => {
    expect(moved(rule, from, to)).toBe(expected)
  })

  it.each([
    ['names no day', 'FREQ=WEEKLY', '2026-03-02T09:00', '2026-03-03T09:00'],
    ['also names the new day', 'FREQ=WEEKLY;BYDAY=MO,WE', '2026-03-02T09:00', '2026-03-04T09:00'],
    ['names the working days', 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', '2026-03-02T09:00', '2026-03-05T09:00'],
    ['never named the old day', 'FREQ=WEEKLY;BYDAY=FR', '2026-03-02T09:00', '2026-03-03T09:00'],
    ['cannot express the new day', 'FREQ=MONTHLY;BYMONTHDAY=1,15', '2026-03-01T09:00', '2026-03-04T09:00'],
    ['matches after a move by one week', 'FREQ=WEEKLY;BYDAY=MO', '2026-03-02T09:00', '2026-03-09T10:00'],
  ])('keeps a rule that %s', (_, rule, from, to) => {
    expect(moved(rule, from, to)).toBe(rule)
  })
})
