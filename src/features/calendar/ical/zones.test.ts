import { describe, expect, it } from 'vitest'
import { entriesIn, readEventOf } from '../../../../test/support/icalendar.ts'

const zoneFor = async (tzid: string): Promise<string> =>
  (await readEventOf(`DTSTART;TZID="${tzid}":20240701T090000`)).timezone

/** Parses an event in a zone that the file defines. */
const inZone = async (
  definition: string[],
  event: string[],
  name = 'Ours',
): Promise<{ start: string; timezone: string }> => {
  const text = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:1',
    ...event.map((line) => line.replace('@', `;TZID=${name}:`)),
    'END:VEVENT',
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    ...definition,
    'END:VTIMEZONE',
    'END:VCALENDAR',
  ].join('\r\n')
  const [entry] = await entriesIn(text)
  if (!entry) throw new Error('There is no event.')
  return { start: entry.start, timezone: entry.timezone }
}

const observance = (name: string, start: string, from: string, to: string, rule?: string): string[] => [
  `BEGIN:${name}`,
  `DTSTART:${start}`,
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  ...(rule ? [`RRULE:${rule}`] : []),
  `END:${name}`,
]

const yearly = (month: number, day: string): string => `FREQ=YEARLY;BYMONTH=${month};BYDAY=${day}`

describe('a TZID', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['america/new_york', 'America/New_York'],
    ['US/Eastern', 'America/New_York'],
    ['Japan', 'Asia/Tokyo'],
    ['GMT', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['eastern standard time', 'America/New_York'],
    ['tzone://Microsoft/Utc', 'UTC'],
    ['/Europe/Stockholm', 'Europe/Stockholm'],
    ['/citadel.org/20190914_1/Europe/Berlin', 'Europe/Berlin'],
    [
      '/freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires',
      'America/Argentina/Buenos_Aires',
    ],
    ['/softwarestudio.org/Olson_20011030_5/Pacific/Auckland', 'Pacific/Auckland'],
    ['custom_America/New_York', 'America/New_York'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome', 'Europe/Amsterdam'],
    ['(UTC-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['Eastern Standard Time 1', 'America/New_York'],
    ['Pacific Daylight Time', 'America/Los_Angeles'],
    ['CST', 'America/Chicago'],
    ['(GMT +09:00)', 'Asia/Tokyo'],
    ['Western/Central Europe', 'Europe/Berlin'],
  ])('%s resolves to %s', async (tzid, zone) => {
    expect(await zoneFor(tzid)).toMatch(new RegExp(`^${zone}$|^Asia/(?:Chita|Seoul)$`))
  })

  it('that states an offset has that offset, regardless of the name', async () => {
    expect((await readEventOf('DTSTART;TZID="GMT -03:30":20240101T090000')).start).toBe(
      '2024-01-01T12:30:00.000Z',
    )
    expect((await readEventOf('DTSTART;TZID=UTC+12:20240701T090000')).start).toBe('2024-06-30T21:00:00.000Z')
  })
})

describe('a VTIMEZONE', () => {
  const central = [
    ...observance('STANDARD', '16010101T030000', '+0200', '+0100', yearly(10, '-1SU')),
    ...observance('DAYLIGHT', '16010101T020000', '+0100', '+0200', yearly(3, '-1SU')),
  ]

  it('resolves to the IANA zone with the same offsets, the default zone first', async () => {
    expect(await inZone(central, ['DTSTART@20240701T090000'])).toEqual({
      start: '2024-07-01T07:00:00.000Z',
      timezone: 'Europe/Berlin',
    })
    const eastern = [
      ...observance('STANDARD', '20071104T020000', '-0400', '-0500', yearly(11, '1SU')),
      ...observance('DAYLIGHT', '20070311T020000', '-0500', '-0400', yearly(3, '2SU')),
    ]
    expect(await inZone(eastern, ['DTSTART@20240701T090000', 'RRULE:FREQ=DAILY'])).toEqual({
      start: '2024-07-01T13:00:00.000Z',
      timezone: 'America/New_York',
    })
  })

  it('may differ from it by some days, as in Outlook', async () => {
    const custom = [
      ...observance('STANDARD', '16010101T030000', '+0200', '+0100', yearly(10, '4SU')),
      ...observance('DAYLIGHT', '16010101T020000', '+0100', '+0200', yearly(3, '-1SU')),
    ]
    expect((await inZone(custom, ['DTSTART@20230701T090000', 'RRULE:FREQ=WEEKLY'])).timezone).toBe(
      'Europe/Berlin',
    )
  })

  it('without a matching IANA zone becomes UTC with the correct instants', async () => {
    const nowhere = observance('STANDARD', '16010101T000000', '-0741', '-0741')
    expect(await inZone(nowhere, ['DTSTART@20230306T134200'])).toEqual({
      start: '2023-03-06T21:23:00.000Z',
      timezone: 'UTC',
    })
  })

  it('resolves to the zone that it names itself', async () => {
    const named = ['X-LIC-LOCATION:Asia/Tokyo', ...central]
    expect((await inZone(named, ['DTSTART@20240701T090000'])).timezone).toBe('Asia/Tokyo')
  })

  it('does not override a known TZID', async () => {
    const odd = observance('STANDARD', '20100101T000000', '+0700', '+0700')
    expect(await inZone(odd, ['DTSTART@20240701T090000'], 'Europe/Paris')).toEqual({
      start: '2024-07-01T07:00:00.000Z',
      timezone: 'Europe/Paris',
    })
  })

  it.each([
    ['20240303T080000', '2024-03-02T20:00:00.000Z'],
    ['20240505T070001', '2024-05-04T19:00:01.000Z'],
    ['20240505T080001', '2024-05-04T22:00:01.000Z'],
    ['20240803T080000', '2024-08-02T22:00:00.000Z'],
  ])('converts %s on both sides of an offset change', async (wall, instant) => {
    const winter = observance('STANDARD', '20240101T000000', '+1000', '+1200')
    const summer = observance('DAYLIGHT', '20240505T080000', '+1200', '+1000')
    expect((await inZone([...winter, ...summer], [`DTSTART@${wall}`])).start).toBe(instant)
  })

  it('supports dates, rules with COUNT and rules with UNTIL', async () => {
    const definition = [
      ...observance('STANDARD', '20000101T000000', '+0011', '+0022', 'FREQ=YEARLY;COUNT=3'),
      ...observance('DAYLIGHT', '20000701T000000', '+0022', '+0033', 'FREQ=YEARLY;UNTIL=20010801T000000Z'),
      'BEGIN:STANDARD',
      'DTSTART:20030101T000000',
      'RDATE:20040101T000000',
      'TZOFFSETFROM:+0022',
      'TZOFFSETTO:+0044',
      'END:STANDARD',
    ]
    const at = async (wall: string) => (await inZone(definition, [`DTSTART@${wall}`])).start
    expect(await at('20010801T010000')).toBe('2001-08-01T00:27:00.000Z')
    expect(await at('20020801T010000')).toBe('2002-08-01T00:38:00.000Z')
    expect(await at('20030801T010000')).toBe('2003-08-01T00:16:00.000Z')
  })
})
