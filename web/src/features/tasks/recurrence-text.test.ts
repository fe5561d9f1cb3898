import { describe, expect, it } from 'vitest'
import { describeRecurrence } from './recurrence-text.ts'

describe('the text of a recurrence rule', () => {
  it.each([
    ['FREQ=DAILY', 'Every day'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
    ['FREQ=WEEKLY;INTERVAL=2', 'Every 2 weeks'],
    ['FREQ=WEEKLY;BYDAY=MO,WE', 'Every Monday and Wednesday'],
    ['FREQ=MONTHLY;BYMONTHDAY=15', 'Every month on the 15th'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'Every month on the last day'],
    ['FREQ=MONTHLY;BYDAY=1MO', 'Every month on the first Monday'],
    ['FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=2', 'Every year on the 2nd of March'],
    ['FREQ=DAILY;COUNT=3', 'Every day, 3 times'],
    ['FREQ=DAILY;UNTIL=20260331T215959Z', 'Every day, until 2026-03-31'],
  ])('of %s is “%s”', (rule, text) => expect(describeRecurrence(rule, (day) => day)).toBe(text))

  it.each(['FREQ=HOURLY', 'FREQ=MONTHLY;BYSETPOS=2;BYDAY=MO', 'FREQ=WEEKLY;BYDAY=XX', 'nonsense'])(
    'of %s names the rule itself',
    (rule) => expect(describeRecurrence(rule, (day) => day)).toContain(rule),
  )
})
