import { describe, expect, it } from 'vitest'
import type { Entry } from '../../calendar/icalendar/entry.ts'
import { areSame, mergeEntries } from './merging.ts'

const entry = (change: Partial<Entry> = {}): Entry => ({
  uid: 'review@example.org',
  recurrenceId: null,
  sequence: 1,
  revisedAt: null,
  title: 'Review',
  description: '',
  location: '',
  meetingUrl: null,
  start: '2026-03-02T09:00:00.000Z',
  end: '2026-03-02T10:00:00.000Z',
  allDay: false,
  timezone: 'Europe/Berlin',
  status: 'confirmed',
  busy: true,
  organizer: null,
  attendees: [],
  reminders: [],
  tags: [],
  recurrence: null,
  exdates: [],
  rdates: [],
  extra: null,
  ...change,
})
const LATER = { start: '2026-03-02T14:00:00.000Z', end: '2026-03-02T15:00:00.000Z' }
const TUESDAY = { start: '2026-03-03T09:00:00.000Z', end: '2026-03-03T09:30:00.000Z' }
const occurrence = (change: Partial<Entry> = {}): Entry =>
  entry({ recurrenceId: '2026-03-09T09:00:00.000Z', ...change })

describe('an event that was changed here and on its server', () => {
  it('has the changes of both', () => {
    const merged = mergeEntries(
      [entry()],
      [entry({ title: 'Quarterly review' })],
      [entry({ location: 'Room 5' })],
    )
    expect(merged).toEqual([entry({ title: 'Quarterly review', location: 'Room 5' })])
  })

  it('is as the server says where both changed the same', () => {
    const merged = mergeEntries([entry()], [entry({ title: 'Mine' })], [entry({ title: 'Theirs' })])
    expect(merged).toEqual([entry({ title: 'Theirs' })])
  })

  it('begins and ends by one of them, not at the start of one and the end of the other', () => {
    expect(mergeEntries([entry()], [entry(TUESDAY)], [entry(LATER)])).toEqual([entry(LATER)])
    expect(mergeEntries([entry()], [entry(TUESDAY)], [entry({ title: 'Theirs' })])).toEqual([
      entry({ ...TUESDAY, title: 'Theirs' }),
    ])
  })

  it('stays when one side deleted what the other changed, and goes when nobody changed it', () => {
    expect(mergeEntries([entry()], [], [entry({ title: 'Theirs' })])).toEqual([entry({ title: 'Theirs' })])
    expect(mergeEntries([entry()], [entry({ title: 'Mine' })], [])).toEqual([entry({ title: 'Mine' })])
    expect(mergeEntries([entry()], [], [entry()])).toEqual([])
    expect(mergeEntries([entry()], [entry()], [])).toEqual([])
  })

  it('is joined occurrence by occurrence', () => {
    const [here, there] = [occurrence({ title: 'Moved here' }), entry({ title: 'Moved there' })]
    expect(mergeEntries([entry()], [entry(), here], [there])).toEqual([there, here])
  })

  it('is ours where nothing is known of what both agreed upon', () => {
    expect(mergeEntries([], [entry({ title: 'Mine' })], [entry({ title: 'Theirs' })])).toEqual([
      entry({ title: 'Mine' }),
    ])
  })
})

describe('two tellings of an event', () => {
  it('are the same whoever counted its revisions, and in whichever order', () => {
    const [a, b] = [entry({ sequence: 1 }), occurrence()]
    expect(areSame([a, b], [b, { ...a, sequence: 7, revisedAt: '2026-01-01T00:00:00.000Z' }])).toBe(true)
    expect(areSame([a, b], [a])).toBe(false)
    expect(areSame([a], [entry({ title: 'Other' })])).toBe(false)
  })
})
