import { describe, expect, it } from 'vitest'
import type { Entry } from '../../ical/entry.ts'
import { areSame, mergeEntries } from './remote-objects.ts'

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

describe('an event changed locally and on the server', () => {
  it('gets the changes of both', () => {
    const merged = mergeEntries(
      [entry()],
      [entry({ title: 'Quarterly review' })],
      [entry({ location: 'Room 5' })],
    )
    expect(merged).toEqual([entry({ title: 'Quarterly review', location: 'Room 5' })])
  })

  it('gets the server value if both changed the same field', () => {
    const merged = mergeEntries([entry()], [entry({ title: 'Mine' })], [entry({ title: 'Theirs' })])
    expect(merged).toEqual([entry({ title: 'Theirs' })])
  })

  it('gets start and end from the same side', () => {
    expect(mergeEntries([entry()], [entry(TUESDAY)], [entry(LATER)])).toEqual([entry(LATER)])
    expect(mergeEntries([entry()], [entry(TUESDAY)], [entry({ title: 'Theirs' })])).toEqual([
      entry({ ...TUESDAY, title: 'Theirs' }),
    ])
  })

  it('stays if one side deleted and the other changed it, and is deleted if nobody changed it', () => {
    expect(mergeEntries([entry()], [], [entry({ title: 'Theirs' })])).toEqual([entry({ title: 'Theirs' })])
    expect(mergeEntries([entry()], [entry({ title: 'Mine' })], [])).toEqual([entry({ title: 'Mine' })])
    expect(mergeEntries([entry()], [], [entry()])).toEqual([])
    expect(mergeEntries([entry()], [entry()], [])).toEqual([])
  })

  it('is merged occurrence by occurrence', () => {
    const [here, there] = [occurrence({ title: 'Moved here' }), entry({ title: 'Moved there' })]
    expect(mergeEntries([entry()], [entry(), here], [there])).toEqual([there, here])
  })

  it('keeps the local value without a common version', () => {
    expect(mergeEntries([], [entry({ title: 'Mine' })], [entry({ title: 'Theirs' })])).toEqual([
      entry({ title: 'Mine' }),
    ])
  })
})

describe('two versions of an event', () => {
  it('are equal regardless of their revisions and order', () => {
    const [a, b] = [entry({ sequence: 1 }), occurrence()]
    expect(areSame([a, b], [b, { ...a, sequence: 7, revisedAt: '2026-01-01T00:00:00.000Z' }])).toBe(true)
    expect(areSame([a, b], [a])).toBe(false)
    expect(areSame([a], [entry({ title: 'Other' })])).toBe(false)
  })
})
