import { describe, expect, it } from 'vitest'
import { DEFAULT_LUNCH, travelMinutesOf, withoutLunch } from './plan-breaks.ts'

const at = (time: string): number => Date.parse(`2030-03-04T${time}:00Z`)
const span = (start: string, end: string) => ({ start: at(start), end: at(end) })

describe('withoutLunch', () => {
  it.each([
    ['divides a span over noon', span('09:00', '17:00'), [span('09:00', '12:00'), span('13:00', '17:00')]],
    ['keeps a span that ends at noon', span('09:00', '12:30'), [span('09:00', '12:30')]],
    ['keeps a span in the afternoon', span('13:00', '17:00'), [span('13:00', '17:00')]],
    ['begins after lunch if it is noon', span('12:20', '17:00'), [span('13:00', '17:00')]],
  ])('%s', (_, given, expected) => {
    expect(withoutLunch([given], DEFAULT_LUNCH, 'UTC')).toEqual(expected)
  })

  it('keeps all time without a break', () => {
    expect(withoutLunch([span('09:00', '17:00')], null, 'UTC')).toEqual([span('09:00', '17:00')])
  })
})

describe('travelMinutesOf', () => {
  const event = { start: '', end: '', allDay: false, isReservation: false }
  it.each([
    ['Main Street 5, Springfield', 30],
    ['Café Luise', 30],
    ['', 0],
    ['https://meet.example.org/abc', 0],
    ['Zoom', 0],
    ['Room 4', 0],
    ['+49 30 1234567', 0],
    ['Telefon', 0],
  ])('%j takes %i minutes', (location, minutes) => {
    expect(travelMinutesOf({ ...event, location }, 30)).toBe(minutes)
  })

  it('takes longer to a trip, and nothing to an event of the whole day', () => {
    expect(travelMinutesOf({ ...event, location: 'BER', isReservation: true }, 30)).toBe(60)
    expect(travelMinutesOf({ ...event, location: 'Berlin', allDay: true }, 30)).toBe(0)
  })
})
