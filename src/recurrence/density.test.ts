import { expect, it } from 'vitest'
import { closestAverage } from './expansion.ts'
import { readRule } from './rule.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

it.each([
  ['FREQ=YEARLY', DAY],
  ['FREQ=WEEKLY;BYDAY=MO,TU', DAY],
  ['FREQ=DAILY;BYHOUR=8,20', DAY / 2],
  ['FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0,15,30,45', DAY / 8],
  ['FREQ=MONTHLY;BYDAY=MO;BYHOUR=8,9,10;BYSETPOS=1', DAY],
  ['FREQ=HOURLY', 60 * MINUTE],
  ['FREQ=HOURLY;BYHOUR=9,10;BYMINUTE=0,30', DAY / 4],
  ['FREQ=HOURLY;INTERVAL=6;BYMINUTE=0,30', 180 * MINUTE],
  ['FREQ=MINUTELY;INTERVAL=5', 5 * MINUTE],
  ['FREQ=MINUTELY', MINUTE],
  ['FREQ=MINUTELY;BYHOUR=9', DAY / 60],
  ['FREQ=SECONDLY;INTERVAL=90061', 90_061_000],
  ['FREQ=SECONDLY;BYSECOND=0;BYMINUTE=0', DAY / 24],
])('rule %s recurs every %i ms on its busiest day', (text, average) => {
  const read = readRule(text)
  expect('rule' in read && closestAverage(read.rule)).toBe(average)
})
