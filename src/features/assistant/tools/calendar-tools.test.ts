import { expect, it } from 'vitest'
import { applyConditions } from './calendar-tools.ts'

const at = (time: string): number => Date.parse(`2030-03-${time}:00Z`)
const span = (start: string, end: string) => ({ start: at(start), end: at(end) })
const base = { minutes: 60, timezone: 'UTC' }

it('cuts slots by the hour, leaves out days, and subtracts the busy time of others', () => {
  const slots = [span('04T09:00', '04T17:00'), span('08T09:00', '08T17:00')]
  const busy = [span('04T12:00', '04T13:00')]
  expect(
    applyConditions(slots, busy, { ...base, notBefore: '10:00', notAfter: '16:00', exceptDays: ['friday'] }),
  ).toEqual([span('04T10:00', '04T12:00'), span('04T13:00', '04T16:00')])
})

it('drops slots that are too short', () => {
  expect(applyConditions([span('04T09:00', '04T10:30')], [], { ...base, notBefore: '10:00' })).toEqual([])
})
