import { describe, expect, it } from 'vitest'
import { dayOf } from '../days.ts'
import type { CalendarEvent } from '../event.ts'
import { bodyOf, changesBetween, draftOf, newDraft, withTimes } from './draft.ts'

const REVIEW = {
  calendarId: 1,
  title: 'Review',
  allDay: false,
  start: '2026-03-02T14:00:00.000Z',
  end: '2026-03-02T15:00:00.000Z',
  timezone: 'Europe/Berlin',
  location: '',
  meetingUrl: null,
  attendees: [],
  reminders: [{ minutesBefore: 10 }],
  description: '',
  notes: '',
  tags: ['work'],
  status: 'confirmed',
  busy: true,
} as unknown as CalendarEvent
const FEAST = {
  ...REVIEW,
  allDay: true,
  start: '2026-03-03T23:00:00.000Z',
  end: '2026-03-05T23:00:00.000Z',
} as CalendarEvent

const OPTIONS = { timezone: 'Europe/Berlin', wholeDays: null, calendarId: null }

describe('the form of an event', () => {
  it('has the time of the event in its own time zone', () => {
    const { startDay, startTime, endTime, reminders } = draftOf(REVIEW, null)
    expect({ startDay, startTime, endTime, reminders }).toEqual({
      startDay: '2026-03-02',
      startTime: '15:00',
      endTime: '16:00',
      reminders: [10],
    })
  })

  it('shows the last day of an all-day event, which the API does not include', () => {
    const draft = draftOf(FEAST, null)
    expect([draft.startDay, draft.endDay]).toEqual(['2026-03-04', '2026-03-05'])
    expect(bodyOf(draft)).toMatchObject({ start: '2026-03-04', end: '2026-03-06' })
  })

  it('ends on the next day if a new event lasts until midnight', () => {
    const draft = newDraft({ day: dayOf('2026-03-04'), from: 23 * 60, to: 24 * 60 }, OPTIONS)
    expect([draft.endDay, draft.endTime]).toEqual(['2026-03-05', '00:00'])
  })

  it('reminds of a new event with a time, but not of one that lasts all day', () => {
    const start = { day: dayOf('2026-03-04'), from: 540, to: 600 }
    expect(newDraft(start, OPTIONS)).toMatchObject({ reminders: [15], busy: true })
    const allDay = newDraft(start, { ...OPTIONS, wholeDays: dayOf('2026-03-06') })
    expect(allDay).toMatchObject({ reminders: [], busy: false, endDay: '2026-03-06' })
  })

  it('moves the end with the start, and keeps the start when the end changes', () => {
    const draft = draftOf(REVIEW, null)
    expect(withTimes(draft, { startTime: '23:30' })).toMatchObject({
      endDay: '2026-03-03',
      endTime: '00:30',
    })
    expect(withTimes(draft, { endTime: '18:00' })).toMatchObject({ startTime: '15:00', endTime: '18:00' })
  })
})

describe('the request of the form', () => {
  it('has no empty or repeated tags, and no link for an empty field', () => {
    const body = bodyOf({ ...draftOf(REVIEW, null), tags: ' work, ,home,work ', meetingUrl: ' ' })
    expect(body).toMatchObject({ tags: ['work', 'home'], meetingUrl: null })
  })

  it('contains only the changed fields', () => {
    const before = bodyOf(draftOf(REVIEW, null))
    expect(changesBetween(before, { ...before, title: 'Big review' })).toEqual({ title: 'Big review' })
  })

  it('contains all fields of the time if one of them has changed', () => {
    const before = bodyOf(draftOf(REVIEW, null))
    const after = bodyOf(withTimes(draftOf(REVIEW, null), { endTime: '17:00' }))
    expect(changesBetween(before, after)).toEqual({
      start: '2026-03-02T14:00:00.000Z',
      end: '2026-03-02T16:00:00.000Z',
      allDay: false,
      timezone: 'Europe/Berlin',
    })
  })
})
