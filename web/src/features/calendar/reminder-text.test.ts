import { describe, expect, it } from 'vitest'
import type { Alarm } from './event.ts'
import { describeAlarm, describeReminder } from './reminder-text.ts'

describe('the text of a reminder', () => {
  it('uses the largest unit that divides the time', () => {
    expect([15, 90, 120, 1440, 10_080].map(describeReminder)).toEqual([
      '15 minutes before',
      '90 minutes before',
      '2 hours before',
      '1 day before',
      '1 week before',
    ])
  })

  it('names the start', () => {
    expect(describeReminder(0)).toBe('At the start')
  })

  it('says to which end of the event an alarm of another program refers', () => {
    const alarm = (relativeTo: 'start' | 'end', minutesAfter: number) =>
      describeAlarm({ relativeTo, minutesAfter } as Alarm)
    expect(alarm('end', -10)).toBe('10 minutes before the end')
    expect(alarm('start', 60)).toBe('1 hour after the start')
    expect(alarm('end', 0)).toBe('At the end')
  })
})
