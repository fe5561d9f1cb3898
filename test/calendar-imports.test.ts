import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { createExpansion } from '../src/features/calendar/event-writer.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { scaled } from './support/scale.ts'

const EVENTS = '/api/calendar/events'

const calendar = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const vevent = (...lines: string[]): string =>
  ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', 'UID:one', ...lines, 'END:VEVENT'].join('\r\n')
const daily = (...lines: string[]): string =>
  vevent('DTSTART:20260302T080000Z', 'DTEND:20260302T090000Z', 'SUMMARY:Daily', ...lines)
const changed = (day: string, ...lines: string[]): string =>
  vevent(`RECURRENCE-ID:202603${day}T080000Z`, `DTSTART:202603${day}T100000Z`, 'SUMMARY:Changed', ...lines)

interface ListedEvent {
  start: string
  title: string
  status: string
  attendees: { email: string; status: string }[]
  recurringEventId: number | null
  updatedAt: string
}

onOneDatabase('sqlite', 'the import of a calendar file', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
  })
  afterAll(() => instance.close())
  afterEach(async () => {
    await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
  })

  const send = async (file: string) => {
    const { status, body } = await instance.call('POST', '/api/calendar/import', {
      body: file,
      headers: { 'content-type': 'text/calendar' },
    })
    expect([status, body.detail]).toEqual([200, undefined])
    return body
  }
  const counts = async (file: string): Promise<number[]> => {
    const { created, updated, unchanged, skippedCount } = await send(file)
    return [created, updated, unchanged, skippedCount]
  }
  const list = async (from = '2026-03-01', until = '2026-04-01'): Promise<ListedEvent[]> =>
    (await instance.get(`${EVENTS}?start=${from}&end=${until}&limit=200`)).body.events
  const listTitles = async (from?: string, until?: string): Promise<string[]> =>
    (await list(from, until)).map(({ start, title }) => `${start.slice(8, 13)} ${title}`)
  const expand = async (): Promise<void> => {
    const expansion = createExpansion({ db: instance.database.db, clock: instance.clock })
    while (await expansion.expandNext());
  }

  it('cancels one occurrence of a series, with or without an earlier change', async () => {
    await send(calendar(daily('RRULE:FREQ=DAILY;COUNT=4'), changed('04')))
    await expand()
    const cancel = (day: string) => calendar('METHOD:CANCEL', changed(day, 'SEQUENCE:1', 'STATUS:CANCELLED'))
    expect(await counts(cancel('03'))).toEqual([0, 1, 0, 0])
    expect(await counts(cancel('04'))).toEqual([0, 1, 0, 0])
    expect(await counts(cancel('03'))).toEqual([0, 0, 1, 0])
    expect(await counts(cancel('09'))).toEqual([0, 0, 0, 1])
    expect((await list()).map(({ start, status }) => [start.slice(8, 13), status])).toEqual([
      ['02T08', 'confirmed'],
      ['03T08', 'cancelled'],
      ['04T10', 'cancelled'],
      ['05T08', 'confirmed'],
    ])
    const rest = changed('05', 'SEQUENCE:2').replace('RECURRENCE-ID', 'RECURRENCE-ID;RANGE=THISANDFUTURE')
    expect(await counts(calendar('METHOD:CANCEL', rest))).toEqual([0, 1, 0, 0])
    expect(await listTitles()).toHaveLength(3)
  })

  it('creates a cancelled event if the cancelled event is unknown', async () => {
    expect(await counts(calendar('METHOD:CANCEL', daily('SEQUENCE:1')))).toEqual([1, 0, 0, 0])
    expect((await list()).map(({ status }) => status)).toEqual(['cancelled'])
  })

  it('does not cancel an event again after a later revision revived it', async () => {
    const cancel = calendar('METHOD:CANCEL', daily('SEQUENCE:1'))
    await send(calendar(daily()))
    expect(await counts(cancel)).toEqual([0, 1, 0, 0])
    expect(await counts(calendar(daily('SEQUENCE:2', 'LAST-MODIFIED:20260102T000000Z')))).toEqual([
      0, 1, 0, 0,
    ])
    expect(await counts(cancel)).toEqual([0, 0, 1, 0])
    expect((await list())[0]?.status).toBe('confirmed')
  })

  it('stores the reply of an attendee without changing the rest of the event', async () => {
    await send(
      calendar(
        daily(
          'RRULE:FREQ=DAILY;COUNT=2',
          'ATTENDEE:mailto:ana@example.org',
          'ATTENDEE:mailto:li@example.org',
        ),
      ),
    )
    const reply = (...lines: string[]) =>
      calendar('METHOD:REPLY', vevent('LAST-MODIFIED:20260201T000000Z', 'DTSTART:20260302T080000Z', ...lines))
    expect(await counts(reply('ATTENDEE;PARTSTAT=ACCEPTED:mailto:Ana@Example.org'))).toEqual([0, 1, 0, 0])
    expect(await counts(reply('ATTENDEE;PARTSTAT=ACCEPTED:mailto:Ana@Example.org'))).toEqual([0, 0, 1, 0])
    const one = reply('RECURRENCE-ID:20260303T080000Z', 'ATTENDEE;PARTSTAT=DECLINED:mailto:li@example.org')
    expect(await counts(one)).toEqual([0, 1, 0, 0])
    expect(
      (await list()).map(({ title, attendees }) => [title, attendees.map(({ status }) => status)]),
    ).toEqual([
      ['Daily', ['accepted', 'needs-action']],
      ['Daily', ['accepted', 'declined']],
    ])
    // The organizer's next revision still applies.
    expect(await counts(calendar(daily('LAST-MODIFIED:20260115T000000Z', 'LOCATION:Room 4')))).toEqual([
      0, 1, 0, 0,
    ])
    for (const method of ['COUNTER', 'REFRESH', 'DECLINECOUNTER', 'ADD']) {
      const { skipped } = await send(calendar(`METHOD:${method}`, daily('SEQUENCE:9', 'SUMMARY:Other')))
      expect([method, skipped.length]).toEqual([method, 1])
    }
    expect((await list())[0]?.title).toBe('Daily')
    // A reply to an unknown event creates the event.
    expect(
      await counts(reply('UID:two', 'ATTENDEE:mailto:ana@example.org').replace('UID:one\r\n', '')),
    ).toEqual([1, 0, 0, 0])
  })

  it('deletes changed occurrences that a later revision of the series does not contain', async () => {
    await send(calendar(daily('RRULE:FREQ=DAILY;COUNT=4'), changed('03'), changed('04')))
    await expand()
    const moved = daily('SEQUENCE:1', 'RRULE:FREQ=DAILY;INTERVAL=2;COUNT=2')
    expect(await counts(calendar(moved))).toEqual([0, 1, 0, 0])
    expect(await listTitles()).toEqual(['02T08 Daily', '04T10 Changed'])
    expect(await counts(calendar(daily('SEQUENCE:2')))).toEqual([0, 1, 0, 0])
    expect(await list()).toMatchObject([{ title: 'Daily', recurringEventId: null }])
    // The reverse, with the changed occurrence before its series in the file.
    expect(
      await counts(calendar(changed('03', 'SEQUENCE:3'), daily('SEQUENCE:3', 'RRULE:FREQ=DAILY;COUNT=2'))),
    ).toEqual([1, 1, 0, 0])
    expect(await listTitles()).toEqual(['02T08 Daily', '03T10 Changed'])
  })

  it('excludes occurrences by a rule, after edits and exports', async () => {
    const file = calendar(daily('RRULE:FREQ=DAILY;COUNT=6', 'EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2'))
    await send(file)
    const left = ['03T08 Daily', '05T08 Daily', '06T08 Daily', '07T08 Daily']
    expect(await listTitles()).toEqual(left)
    await expand()
    expect(await listTitles()).toEqual(left)
    const [{ id, recurrence }] = (await instance.get(EVENTS)).body.events
    expect(recurrence).toBe('FREQ=DAILY;COUNT=6\nEXRULE:FREQ=DAILY;COUNT=2;INTERVAL=2')
    const written = (await instance.get('/api/calendar/export.ics')).body
    expect(written).toContain('\r\nEXRULE:FREQ=DAILY;COUNT=2;INTERVAL=2\r\n')
    expect(await counts(written)).toEqual([0, 0, 1, 0])
    await instance.call('PATCH', `${EVENTS}/${id}`, { body: { start: '2026-03-03T08:00:00Z' } })
    expect(await listTitles()).toEqual(['04T08 Daily', '06T08 Daily', '07T08 Daily', '08T08 Daily'])
    await instance.call('PATCH', `${EVENTS}/${id}?occurrence=2026-03-06T08:00:00Z&scope=following`, {
      body: { title: 'Later' },
    })
    expect(await listTitles()).toEqual(['04T08 Daily', '06T08 Later', '07T08 Later', '08T08 Later'])
    const none = await instance.post(EVENTS, {
      title: 'Never',
      start: '2026-03-02T08:00:00Z',
      recurrence: 'FREQ=DAILY\nEXRULE:FREQ=DAILY',
    })
    expect([none.status, none.body.errors[0].path]).toEqual([400, 'recurrence'])
  })

  it('supports dates before the start, and shows a series that is too dense once', async () => {
    await send(
      calendar(
        vevent('DTSTART:20260310T080000Z', 'SUMMARY:Late', 'RDATE:20260302T080000Z', 'RRULE:FREQ=DAILY'),
      ),
    )
    const both = async () => [
      await listTitles('2026-03-01', '2026-03-05'),
      await listTitles('2026-03-01', '2026-03-12'),
    ]
    const expected = [['02T08 Late'], ['02T08 Late', '10T08 Late', '11T08 Late']]
    expect(await both()).toEqual(expected)
    await expand()
    expect(await both()).toEqual(expected)
    const dense = calendar(
      vevent('UID:two', 'DTSTART:20270310T080000Z', 'RRULE:FREQ=SECONDLY', 'SUMMARY:Dense').replace(
        'UID:one\r\n',
        '',
      ),
    )
    const { created, warnings } = await send(dense)
    expect([created, warnings.length]).toEqual([1, 1])
    expect(await listTitles('2027-03-10T08:00:00Z', '2027-03-10T09:00:00Z')).toHaveLength(2)
    const written = (await instance.get('/api/calendar/export.ics')).body
    expect(written).toContain('\r\nRRULE:FREQ=SECONDLY\r\n')
  })

  it('reports adjusted data: an unknown zone, and an end before the start', async () => {
    const event = (uid: string, ...lines: string[]) => vevent(...lines).replace('UID:one', `UID:${uid}`)
    const { created, warnings } = await send(
      calendar(
        event('zone', 'DTSTART;TZID=Nowhere/City:20270310T080000'),
        event('turned', 'DTSTART:20270310T080000Z', 'DTEND:20270310T070000Z'),
        event('length', 'DTSTART:20270310T080000Z', 'DURATION:-PT1H'),
        event('moment', 'DTSTART:20270310T080000Z', 'DTEND:20270310T080000Z'),
        event('known', 'DTSTART;TZID=W. Europe Standard Time:20270310T080000'),
      ),
    )
    expect([created, warnings.map(({ uid }: { uid: string }) => uid)]).toEqual([
      5,
      ['zone', 'turned', 'length'],
    ])
  })

  it('supports many changed occurrences of one series, and recognizes all of them again', async () => {
    const first = Date.UTC(2000, 0, 1, 8)
    const dayOf = (n: number) => new Date(first + n * 86_400_000).toISOString().replace(/[-:]|\.000/g, '')
    const count = scaled({ full: 3000, short: 300 })
    const many = Array.from({ length: count }, (_, n) =>
      vevent(`RECURRENCE-ID:${dayOf(n)}`, `DTSTART:${dayOf(n)}`, 'SUMMARY:Changed'),
    )
    const file = calendar(...many, vevent('DTSTART:20000101T080000Z', 'RRULE:FREQ=DAILY'))
    expect(await counts(file)).toEqual([count + 1, 0, 0, 0])
    expect(await counts(file.replaceAll('\r\n', '\n'))).toEqual([0, 0, count + 1, 0])
    expect(await counts(file.replaceAll('SUMMARY:Changed', 'SEQUENCE:1\r\nSUMMARY:Again'))).toEqual([
      0,
      count,
      1,
      0,
    ])
  })

  it('rejects invalid parameters', async () => {
    for (const query of ['calendarId=abc', 'calendarId=1&calendarId=2', 'unknown=1']) {
      const { status, body } = await instance.call('POST', `/api/calendar/import?${query}`, {
        body: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
        headers: { 'content-type': 'text/calendar' },
      })
      expect([query, status, body.code]).toEqual([query, 400, 'validation_failed'])
    }
  })

  it('matches UIDs case-sensitively', async () => {
    await send(calendar(daily()))
    expect(await counts(calendar(daily().replace('UID:one', 'UID:ONE')))).toEqual([1, 0, 0, 0])
  })

  const undo = (id: number | null) => instance.post(`/api/actions/${id}/undo`)
  const another = (uid: string, ...lines: string[]): string =>
    ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', `UID:${uid}`, ...lines, 'END:VEVENT'].join('\r\n')

  it('recognizes changed days of a series in another zone than the instance', async () => {
    const days = { allDay: true, start: '2026-03-02', timezone: 'America/Sao_Paulo' }
    const { body: series } = await instance.post(EVENTS, {
      title: 'Days',
      ...days,
      recurrence: 'FREQ=DAILY;COUNT=3',
    })
    const [, second] = (await instance.get(`${EVENTS}?start=2026-03-01&end=2026-04-01`)).body.events
    const aim = `occurrence=${second.occurrenceStart}&scope=this`
    await instance.call('PATCH', `${EVENTS}/${series.id}?${aim}`, { body: { title: 'Another' } })
    const before = await listTitles()
    const file = (await instance.get('/api/calendar/export.ics')).body
    expect(await counts(file)).toEqual([0, 0, 2, 0])
    // A later change of that day applies to it.
    const day = 'RECURRENCE-ID;VALUE=DATE:20260303'
    const later = [day, 'DTSTART;VALUE=DATE:20260303', 'SEQUENCE:5', 'SUMMARY:Moved on']
    expect(await counts(calendar(another(series.uid, ...later)))).toEqual([0, 1, 0, 0])
    expect(await listTitles()).toEqual(before.map((line) => line.replace('Another', 'Moved on')))
  })

  it('is in the journal, and undo restores the calendar', async () => {
    await send(calendar(daily('RRULE:FREQ=DAILY;COUNT=4'), changed('04')))
    const [before, , , kept] = await list()
    await instance.call('PATCH', `${EVENTS}/${kept?.recurringEventId}`, { body: { notes: 'mine' } })
    await expand()
    const file = calendar(
      daily('RRULE:FREQ=DAILY;COUNT=3', 'SEQUENCE:7', 'LOCATION:Elsewhere'),
      changed('03', 'SEQUENCE:7'),
      another('two', 'DTSTART:20260310T080000Z', 'SUMMARY:New'),
    )
    const was = await list()
    const report = await send(file)
    expect([report.created, report.updated]).toEqual([2, 1])
    expect(await listTitles()).toEqual(['02T08 Daily', '03T10 Changed', '04T10 Changed', '10T08 New'])
    const [action] = (await instance.get('/api/actions?limit=1')).body.actions
    expect(action).toMatchObject({
      id: report.actionId,
      kind: 'calendar.imported',
      summary: 'Imported a calendar file: 2 new, 1 changed',
      undoneAt: null,
    })
    await expand()
    expect((await undo(report.actionId)).status).toBe(200)
    const said = (events: ListedEvent[]) => events.map(({ updatedAt: _, ...event }) => event)
    expect(said(await list())).toEqual(said(was))
    await expand()
    expect(said(await list())).toEqual(said(was))
    expect(before?.start).toBe(was[0]?.start)
    expect((await undo(report.actionId)).status).toBe(409)
    expect(await counts(file)).toEqual([2, 1, 0, 0])
  })

  describe('with RANGE=THISANDFUTURE', () => {
    const from = (day: string, ...lines: string[]) =>
      vevent(
        `RECURRENCE-ID;RANGE=THISANDFUTURE:202603${day}T080000Z`,
        ...[`DTSTART:202603${day}T093000Z`, `DTEND:202603${day}T100000Z`, ...lines],
      )
    const RULE = ['RRULE:FREQ=DAILY;COUNT=6', 'EXDATE:20260306T080000Z']
    const DAILY = ['02T08 Daily', '03T08 Daily', '04T08 Daily', '05T08 Daily', '07T08 Daily']
    const SPLIT = ['02T08 Daily', '03T08 Daily', '04T09 Later', '05T09 Later', '07T10 Changed']
    const file = calendar(
      from('04', 'SUMMARY:Later', 'SEQUENCE:1'),
      ...[changed('07', 'SEQUENCE:1'), daily(...RULE)],
    )

    it('ends the series there and creates a second one, which later imports, exports and undo recognize', async () => {
      await send(calendar(daily(...RULE)))
      const report = await send(file)
      expect([report.created, report.updated, report.warnings]).toEqual([2, 1, []])
      expect(await listTitles()).toEqual(SPLIT)
      await expand()
      expect(await listTitles()).toEqual(SPLIT)
      const [, , later] = await list()
      expect(later).toMatchObject({ start: '2026-03-04T09:30:00.000Z', end: '2026-03-04T10:00:00.000Z' })
      expect(await counts(file)).toEqual([0, 0, 3, 0])
      const ours = (await instance.get('/api/calendar/export.ics')).body
      expect(await counts(ours)).toEqual([0, 0, 3, 0])
      expect((await undo(report.actionId)).status).toBe(200)
      expect(await listTitles()).toEqual(DAILY)
      await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
      await send(ours)
      expect(await listTitles()).toEqual(SPLIT)
    })

    it('supports several changes, a change of the first occurrence, and a separate file', async () => {
      const twice = calendar(
        daily(...RULE),
        from('04', 'SUMMARY:Later'),
        vevent(
          ...['RECURRENCE-ID;RANGE=THISANDFUTURE:20260305T080000Z', 'DTSTART:20260305T080000Z'],
          ...['DTEND:20260305T090000Z', 'SUMMARY:Back'],
        ),
      )
      expect(await counts(twice)).toEqual([3, 0, 0, 0])
      expect(await listTitles()).toEqual([...SPLIT.slice(0, 3), '05T08 Back', '07T08 Back'])
      await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
      await send(calendar(daily(...RULE), from('02', 'SUMMARY:Later')))
      const all = DAILY.map((line) => line.replace('8 Daily', '9 Later'))
      expect(await listTitles()).toEqual(all)
      await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
      // The first existing occurrence may be after the start.
      await send(calendar(daily(...RULE, 'EXDATE:20260302T080000Z'), from('03', 'SUMMARY:Later')))
      expect(await listTitles()).toEqual(all.slice(1))
      await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
      await send(calendar(daily(...RULE)))
      const { actionId } = await send(calendar(from('04', 'SUMMARY:Later')))
      const rest = ['04T09 Later', '05T09 Later', '07T09 Later']
      expect(await listTitles()).toEqual([...SPLIT.slice(0, 2), ...rest])
      expect(await counts(calendar(from('04', 'SUMMARY:Later')))).toEqual([0, 0, 1, 0])
      expect(await counts(calendar(from('04', 'SUMMARY:Last', 'SEQUENCE:9')))).toEqual([0, 1, 0, 0])
      expect(await listTitles()).toEqual([
        ...SPLIT.slice(0, 2),
        ...rest.map((line) => line.replace('ter', 'st')),
      ])
      expect((await undo(actionId)).status).toBe(409)
    })

    it('applies later revisions, including one without the change', async () => {
      const first = await send(file)
      const report = await send(calendar(daily(...RULE, 'SEQUENCE:2')))
      expect(await listTitles()).toEqual(DAILY)
      expect((await undo(report.actionId)).status).toBe(200)
      expect(await listTitles()).toEqual(SPLIT)
      expect((await undo(first.actionId)).status).toBe(200)
      expect(await listTitles()).toEqual([])
    })

    it('changes only one occurrence if the range has no match, and reports it', async () => {
      const { warnings } = await send(calendar(daily(...RULE), from('20', 'SUMMARY:Odd')))
      expect(warnings).toHaveLength(1)
      expect(await listTitles()).toEqual([...DAILY, '20T09 Odd'])
    })
  })

  it('records changed occurrences as changes of their series and increases its version', async () => {
    await send(calendar(daily('RRULE:FREQ=DAILY;COUNT=4')))
    const [{ id }] = (await list()) as unknown as [{ id: number }]
    const path = `${EVENTS}/${id}?occurrence=2026-03-04T08:00:00Z`
    const etag = async () => (await instance.get(path)).headers.get('etag')
    const readNewChanges = async () => {
      const { db } = instance.database
      const rows = await db
        .selectFrom('changes')
        .select(['type', 'subject', 'data'])
        .orderBy('id')
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
      await db.deleteFrom('changes').modifyEnd(ALL_ACCOUNTS).execute()
      return rows
        .filter(({ subject }) => subject === String(id))
        .map(({ type, data }) => [type, JSON.parse(data).occurrenceStart])
    }
    await readNewChanges()
    const revisions = [
      calendar(changed('04')),
      calendar(changed('04', 'SEQUENCE:1', 'LOCATION:Hall')),
      calendar('METHOD:CANCEL', changed('04', 'SEQUENCE:2', 'STATUS:CANCELLED')),
    ]
    const [occurrence, actions] = ['2026-03-04T08:00:00.000Z', [] as number[]]
    const tags = [await etag()]
    for (const file of revisions) {
      actions.push((await send(file)).actionId)
      tags.push(await etag())
    }
    const updated = ['event.updated', occurrence]
    expect(await readNewChanges()).toEqual([updated, updated, ['event.cancelled', occurrence]])
    for (const action of actions.reverse()) {
      expect((await undo(action)).status).toBe(200)
      tags.push(await etag())
      expect(await readNewChanges()).toEqual([updated])
    }
    expect(new Set(tags).size).toBe(tags.length)
    expect(await listTitles()).toEqual(['02T08 Daily', '03T08 Daily', '04T08 Daily', '05T08 Daily'])
  })

  it('names the days of a moved series correctly', async () => {
    const day = (summary: string, ...lines: string[]) => vevent(`SUMMARY:${summary}`, ...lines)
    await send(
      calendar(
        day('Days', 'DTSTART;VALUE=DATE:20260302', 'RRULE:FREQ=WEEKLY;COUNT=3'),
        day('Changed', 'RECURRENCE-ID;VALUE=DATE:20260309', 'DTSTART;VALUE=DATE:20260309'),
      ),
    )
    const [{ id }] = (await list()) as unknown as [{ id: number }]
    const patch = (body: unknown, query = '') => instance.call('PATCH', `${EVENTS}/${id}${query}`, { body })
    await patch(
      { start: '2026-03-17T10:00:00Z', end: '2026-03-17T11:00:00Z', allDay: false },
      '?occurrence=2026-03-16',
    )
    await patch({ start: '2026-03-03' })
    const { body } = await instance.get('/api/calendar/export.ics')
    expect(body.match(/^RECURRENCE-ID.*$/gm).map((line: string) => line.trim())).toEqual([
      'RECURRENCE-ID;VALUE=DATE:20260310',
      'RECURRENCE-ID;VALUE=DATE:20260317',
    ])
    await patch({ allDay: false, end: '2026-03-03T10:00:00Z' })
    const { body: timed } = await instance.get('/api/calendar/export.ics')
    expect(timed.match(/^RECURRENCE-ID.*$/gm).map((line: string) => line.trim())).toEqual([
      'RECURRENCE-ID:20260310T000000Z',
      'RECURRENCE-ID:20260317T000000Z',
    ])
  })

  it('is not in the journal if it changed nothing', async () => {
    const file = calendar(daily())
    expect((await send(file)).actionId).toBeTypeOf('number')
    expect((await send(file)).actionId).toBeNull()
  })

  it('cannot be undone after one of its events was changed, and events deleted meanwhile stay deleted', async () => {
    const file = calendar(
      another('two', 'DTSTART:20260310T080000Z', 'SUMMARY:Two'),
      another('three', 'DTSTART:20260311T080000Z', 'SUMMARY:Three'),
    )
    const { actionId } = await send(file)
    const [two, three] = (await list()) as (ListedEvent & { id: number })[]
    await instance.call('DELETE', `${EVENTS}/${two?.id}`)
    await instance.call('PATCH', `${EVENTS}/${three?.id}`, { body: { title: 'Mine' } })
    const refused = await undo(actionId)
    expect([refused.status, refused.body.detail]).toEqual([409, 'The event “Mine” has been changed since.'])
    expect(await listTitles()).toEqual(['11T08 Mine'])
    await instance.database.db.updateTable('events').set({ version: 1 }).modifyEnd(ALL_ACCOUNTS).execute()
    expect((await undo(actionId)).status).toBe(200)
    expect(await listTitles()).toEqual([])
  })

  it('can be undone after a later import was undone, in reverse order', async () => {
    await send(calendar(daily('RRULE:FREQ=DAILY;COUNT=4'), changed('04')))
    const said = async () => (await list()).map(({ updatedAt: _, ...event }) => event)
    const [first] = (await list()) as unknown as { recurringEventId: number }[]
    await instance.call('PATCH', `${EVENTS}/${first?.recurringEventId}`, { body: { notes: 'mine' } })
    const was = await said()
    const one = await send(
      calendar(
        daily('RRULE:FREQ=DAILY;COUNT=5', 'SEQUENCE:7', 'LOCATION:Here'),
        another('two', 'DTSTART:20260310T080000Z', 'SUMMARY:New'),
      ),
    )
    const between = await said()
    const two = await send(
      calendar(
        daily('RRULE:FREQ=DAILY;COUNT=2', 'SEQUENCE:8', 'LOCATION:There'),
        another('two', 'DTSTART:20260311T080000Z', 'SUMMARY:Newer', 'SEQUENCE:1'),
      ),
    )
    expect((await undo(one.actionId)).status).toBe(409)
    expect((await undo(two.actionId)).status).toBe(200)
    const bare = (events: Awaited<ReturnType<typeof said>>) =>
      events.map(({ id: _, ...event }: Record<string, unknown>) => event)
    expect(bare(await said())).toEqual(bare(between))
    expect((await undo(one.actionId)).status).toBe(200)
    expect(bare(await said())).toEqual(bare(was))
  })

  it('restores an occurrence that was imported before its series', async () => {
    await send(calendar(changed('03')))
    await send(calendar(daily('RRULE:FREQ=DAILY;COUNT=3')))
    const [action] = (await instance.get('/api/actions?limit=1')).body.actions
    expect(await listTitles()).toEqual(['02T08 Daily', '03T10 Changed', '04T08 Daily'])
    expect((await undo(action.id)).status).toBe(200)
    expect(await listTitles()).toEqual(['03T10 Changed'])
  })

  it('is one journal entry regardless of the number of batches', async () => {
    const many = Array.from({ length: 450 }, (_, index) =>
      another(`m${index}`, 'DTSTART:20260310T080000Z', `SUMMARY:${index}`),
    )
    // The same event appears again in another batch, as a later revision.
    const again = another('m0', 'DTSTART:20260311T080000Z', 'SUMMARY:Later', 'SEQUENCE:3')
    const report = await send(calendar(...many, again))
    expect([report.created, report.updated]).toEqual([450, 1])
    expect((await undo(report.actionId)).status).toBe(200)
    expect(await listTitles()).toEqual([])
  })
})
