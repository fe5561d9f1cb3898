import { expect, it } from 'vitest'
import { describeRecurrence } from './recurrence-text.ts'

const describeRule = (recurrence: string, locale = 'en-GB'): string =>
  describeRecurrence({ start: '2026-03-03T23:30:00.000Z', timezone: 'Europe/Berlin', recurrence }, locale)

it('describes common rules in words', () => {
  // The start is a Wednesday, the fourth of March, in the time zone of the event.
  expect(describeRule('FREQ=DAILY')).toBe('Every day')
  expect(describeRule('FREQ=DAILY;INTERVAL=3;COUNT=1')).toBe('Every 3 days, once')
  expect(describeRule('FREQ=WEEKLY')).toBe('Every week on Wednesday')
  expect(describeRule('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR')).toBe('Every week on weekdays')
  expect(describeRule('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT=8')).toBe(
    'Every 2 weeks on Tuesday and Thursday, 8 times',
  )
  expect(describeRule('FREQ=MONTHLY')).toBe('Every month on day 4')
  expect(describeRule('FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20261231')).toBe(
    'Every month on the last Friday, until 31 Dec 2026',
  )
  expect(describeRule('FREQ=YEARLY;UNTIL=20291231T225959Z')).toBe('Every year on 4 March, until 31 Dec 2029')
})

it('writes German', () => {
  expect(describeRule('FREQ=WEEKLY;BYDAY=TU', 'de-DE')).toBe('Jede Woche am Dienstag')
  expect(describeRule('FREQ=MONTHLY;INTERVAL=2;BYDAY=2MO;COUNT=6', 'de-DE')).toBe(
    'Alle 2 Monate am 2. Montag, 6-mal',
  )
})

it('gives a general text for unusual rules', () => {
  for (const rule of [
    'FREQ=HOURLY',
    'FREQ=YEARLY;BYWEEKNO=20',
    'FREQ=DAILY\nFREQ=WEEKLY',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=DAILY;UNTIL=soon',
    '',
  ])
    expect(describeRule(rule)).toBe('The event repeats.')
})
