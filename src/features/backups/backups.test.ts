import { describe, expect, it } from 'vitest'
import { expiredBackups } from './backups.ts'
import { nextRun } from './schedule-time.ts'

const now = new Date('2026-03-31T12:00:00Z')
const backup = (id: number, state: 'proven' | 'failed' | 'written', day: string) => ({
  id,
  state,
  createdAt: `2026-${day}T03:00:00.000Z`,
})

describe('retention', () => {
  it('keeps the newest proven backups and deletes the others', () => {
    const rows = [1, 2, 3, 4].map((id) => backup(id, 'proven', `03-2${id}`))
    expect(expiredBackups(rows, { keepCount: 2, keepDays: null }, now)).toEqual([2, 1])
    expect(expiredBackups(rows, { keepCount: 9, keepDays: 9 }, now)).toEqual([2, 1])
  })

  it('never deletes the last proven backup, however old it is', () => {
    const rows = [backup(1, 'proven', '01-01'), backup(2, 'failed', '03-29'), backup(3, 'failed', '03-30')]
    expect(expiredBackups(rows, { keepCount: 1, keepDays: 1 }, now)).not.toContain(1)
  })

  it('deletes failed backups after a month', () => {
    const rows = [backup(1, 'failed', '02-01'), backup(2, 'written', '03-20')]
    expect(expiredBackups(rows, { keepCount: 1, keepDays: null }, now)).toEqual([1])
  })
})

describe('the next time of a schedule', () => {
  const daily = { frequency: 'daily', weekday: 'sunday', time: '02:30' }
  const at = (text: string, schedule = daily) =>
    nextRun(new Date(text), schedule, 'Europe/Berlin').toISOString()

  it('is a local time, also on days on which the clock changes', () => {
    expect(at('2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
    expect(at('2026-03-29T12:00:00Z')).toBe('2026-03-30T00:30:00.000Z')
    expect(at('2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z')
  })

  it('is later than now, and on the chosen day of the week', () => {
    expect(at('2026-03-10T01:30:00.000Z')).toBe('2026-03-11T01:30:00.000Z')
    expect(at('2026-03-10T12:00:00Z', { ...daily, frequency: 'weekly' })).toBe('2026-03-15T01:30:00.000Z')
  })
})
