import { describe, expect, it } from 'vitest'
import { addressOf, eventAddress, readUrlState } from './address.ts'

const TODAY = { view: 'week', date: null, status: null, source: null, search: '' } as const

describe('the address of the calendar', () => {
  it.each([
    ['/calendar?view=month&date=2026-03-02', { view: 'month', date: '2026-03-02' }],
    [
      '/calendar?view=agenda&status=tentative&search=dentist',
      {
        view: 'agenda',
        status: 'tentative',
        search: 'dentist',
      },
    ],
    ['/calendar?view=day&source=email', { view: 'day', source: 'email' }],
  ] as const)('is %s', (href, change) => {
    expect(addressOf({ ...TODAY, ...change })).toBe(href)
    expect(readUrlState(href.slice('/calendar'.length), 'week')).toEqual({ ...TODAY, ...change })
  })

  it('shows today in the view of this device if the query string has no known value', () => {
    expect(readUrlState('?view=decade&date=2026-13-01&status=maybe&source=fax', 'week')).toEqual(TODAY)
    expect(addressOf({})).toBe('/calendar')
  })

  it('of an event names its day and its occurrence', () => {
    const address = eventAddress({ id: 4, occurrence: '2026-03-02T09:00:00.000Z', day: '2026-03-02' })
    const query = new URL(address, 'http://console').searchParams
    expect(Object.fromEntries(query)).toEqual({
      view: 'day',
      date: '2026-03-02',
      event: '4@2026-03-02T09:00:00.000Z',
    })
  })
})
