import { describe, expect, it } from 'vitest'
import { readEventOf } from '../../../../test/support/icalendar.ts'

const recurrenceOf = async (rule: string, start = 'DTSTART;TZID=America/New_York:20240301T090000') =>
  (await readEventOf(start, `RRULE:${rule}`)).recurrence

describe('a recurrence rule', () => {
  it.each([
    ['freq=weekly;byday=fr,mo;interval=1', 'FREQ=WEEKLY;BYDAY=MO,FR'],
    ['FREQ=WEEKLY;BYDAY=MO, TU, WE', 'FREQ=WEEKLY;BYDAY=MO,TU,WE'],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=1SU;', 'FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'],
    ['FREQ=DAILY;;COUNT=3', 'FREQ=DAILY;COUNT=3'],
    ['FREQ=DAILY;COUNT=-1', 'FREQ=DAILY'],
    ['FREQ=DAILY;COUNT=0;INTERVAL=0', 'FREQ=DAILY'],
    ['FREQ=WEEKLY;BYDAY=1MO,-1FR', 'FREQ=WEEKLY;BYDAY=MO,FR'],
    ['FREQ=WEEKLY;BYDAY=MO,', 'FREQ=WEEKLY;BYDAY=MO'],
    ['FREQ=WEEKLY;BYDAY=', 'FREQ=WEEKLY'],
    ['FREQ=DAILY;BYSETPOS=1', 'FREQ=DAILY'],
    ['FREQ=DAILY;X-FOO=bar', 'FREQ=DAILY'],
    ['FREQ=DAILY;UNTIL=20240310T100000Z;COUNT=5', 'FREQ=DAILY;UNTIL=20240310T100000Z'],
    ['', null],
  ])('%j is parsed as %j', async (rule, recurrence) => {
    expect(await recurrenceOf(rule)).toBe(recurrence)
  })

  it.each([
    ['20240310T100000Z', '20240310T100000Z'],
    ['20240310T090000', '20240310T130000Z'],
    ['20240310', '20240311T035959Z'],
    ['2024-03-10', '20240311T035959Z'],
    ['20240310T240000', '20240311T035959Z'],
  ])('of a timed event with UNTIL=%s ends at an instant', async (until, instant) => {
    expect(await recurrenceOf(`FREQ=DAILY;UNTIL=${until}`)).toBe(`FREQ=DAILY;UNTIL=${instant}`)
  })

  it.each([
    ['20240310', '20240310'],
    ['20240310T235959Z', '20240310'],
    ['20240309T230000Z', '20240310'],
    ['20240310T120000', '20240310'],
  ])('of an all-day event with UNTIL=%s ends on a date', async (until, day) => {
    expect(await recurrenceOf(`FREQ=DAILY;UNTIL=${until}`, 'DTSTART;VALUE=DATE:20240301')).toBe(
      `FREQ=DAILY;UNTIL=${day}`,
    )
  })

  it('may be one of several', async () => {
    const { recurrence } = await readEventOf(
      'DTSTART:20240301T090000Z',
      'RRULE:FREQ=DAILY',
      'RRULE:FREQ=WEEKLY',
      'RRULE:FREQ=DAILY',
    )
    expect(recurrence).toBe('FREQ=DAILY\nFREQ=WEEKLY')
  })
})
