import { describe, expect, it } from 'vitest'
import { groupTasks, isLate, type Task } from './groups.ts'
import { addDays, dayOf, instantOf, toLocalTime } from './local-time.ts'
import { findRescheduleDays, toDueOn } from './reschedule.ts'

const timeZone = 'Europe/Berlin'
const dates = { timeZone, dayOf: (at: string | Date) => dayOf(at, timeZone) }
/** Wednesday, 10:00 in Berlin. */
const NOW = new Date('2026-03-04T09:00:00.000Z')

const task = (id: number, dueAt: string | null, dueDay: string | null = null) =>
  ({ id, dueAt, dueDay }) as Task
const onDay = (id: number, day: string) => task(id, `${day}T22:59:59.000Z`, day)

describe('the local time of a task', () => {
  it('follows daylight saving time', () => {
    expect(instantOf('2026-03-28T09:00', timeZone)).toBe('2026-03-28T08:00:00.000Z')
    expect(instantOf('2026-03-29T09:00', timeZone)).toBe('2026-03-29T07:00:00.000Z')
    expect(toLocalTime('2026-03-29T07:00:00.000Z', timeZone)).toBe('2026-03-29T09:00')
  })

  it('uses the offset before the change for a time that is skipped', () => {
    expect(instantOf('2026-03-29T02:30', timeZone)).toBe('2026-03-29T01:30:00.000Z')
  })

  it('is right in zones with unusual offsets, and at midnight', () => {
    expect(instantOf('2026-03-04T00:00', 'Pacific/Chatham')).toBe('2026-03-03T10:15:00.000Z')
    expect(dayOf('2026-03-03T10:15:00.000Z', 'Pacific/Chatham')).toBe('2026-03-04')
  })

  it('counts days across months and leap years', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  })
})

describe('a due task', () => {
  it('is late from its time on, or when its day is over', () => {
    expect(isLate(task(1, '2026-03-04T09:00:00.000Z'), NOW, dates)).toBe(true)
    expect(isLate(task(1, '2026-03-04T09:01:00.000Z'), NOW, dates)).toBe(false)
    expect(isLate(onDay(1, '2026-03-04'), NOW, dates)).toBe(false)
    expect(isLate(onDay(1, '2026-03-03'), NOW, dates)).toBe(true)
    expect(isLate(task(1, null), NOW, dates)).toBe(false)
  })

  it('is in the group of its day in the time zone of the user', () => {
    const groups = groupTasks(
      [
        task(1, null),
        onDay(2, '2026-03-03'),
        onDay(3, '2026-03-04'),
        task(4, '2026-03-04T23:30:00.000Z'),
        onDay(5, '2026-03-10'),
        onDay(6, '2026-03-11'),
      ],
      NOW,
      dates,
    )
    expect(groups.map(({ tasks }) => tasks.map(({ id }) => id))).toEqual([[2], [3], [4], [5], [6], [1]])
  })

  it('can be moved to today, tomorrow or Monday, except to its own day', () => {
    expect(findRescheduleDays(task(1, null), NOW, dates)).toEqual([
      '2026-03-04',
      '2026-03-05',
      '2026-03-07',
      '2026-03-09',
    ])
    expect(findRescheduleDays(onDay(1, '2026-03-05'), NOW, dates)).toEqual([
      '2026-03-04',
      '2026-03-07',
      '2026-03-09',
    ])
    const sunday = new Date('2026-03-08T09:00:00.000Z')
    expect(findRescheduleDays(task(1, null), sunday, dates)).toEqual([
      '2026-03-08',
      '2026-03-09',
      '2026-03-14',
    ])
  })

  it('keeps its time on the new day, also across a change of the clock', () => {
    const moved = toDueOn('2026-03-30', task(1, '2026-03-04T13:00:00.000Z'), NOW, dates)
    expect(moved).toEqual({ dueAt: '2026-03-30T12:00:00.000Z', dueDay: null })
  })

  it('is due on the whole day if it has no time, or its time is over', () => {
    expect(toDueOn('2026-03-05', task(1, null), NOW, dates)).toEqual({ dueAt: null, dueDay: '2026-03-05' })
    expect(toDueOn('2026-03-04', task(1, '2026-03-03T08:00:00.000Z'), NOW, dates)).toEqual({
      dueAt: null,
      dueDay: '2026-03-04',
    })
  })
})
