import { describe, expect, it } from 'vitest'
import { calendarWith, readAll } from '../../../../test/support/icalendar.ts'

// Each of these hangs a careless parser or exhausts its memory. None may reach the timeout of the test
// runner.

const START = 'DTSTART:20240301T090000Z'
const MANY = 150_000
const times = (count: number, text: string): string => text.repeat(count)

describe('the parser handles a hostile file', () => {
  it.each([
    ['many components within components', `BEGIN:VCALENDAR\n${times(MANY, 'BEGIN:X\n')}`],
    ['many calendars within calendars', times(MANY, 'BEGIN:VCALENDAR\n')],
    ['many endings of what never began', times(MANY, 'END:VEVENT\n')],
    ['many empty events', times(50_000, 'BEGIN:VEVENT\nEND:VEVENT\n')],
    ['many components within an event', calendarWith(START, times(MANY, 'BEGIN:X\r\n'))],
    ['many properties', calendarWith(START, times(MANY, 'X-A:b\r\n'))],
    ['many parameters', calendarWith(START, `X-A${times(MANY, ';a=b')}:c`)],
    ['parameters without an end', calendarWith(START, `X-A${times(MANY, ';a="')}`)],
    ['many quoted values', calendarWith(START, `X-A;B=${times(MANY, '"a",')}x:c`)],
    ['many foldings', calendarWith(START, `DESCRIPTION:x${times(MANY, '\r\n y')}`)],
    ['many broken lines of text', calendarWith(START, `DESCRIPTION:x${times(MANY, '\r\nmore')}`)],
    [
      'many soft line breaks',
      calendarWith(START, `SUMMARY;ENCODING=QUOTED-PRINTABLE:x${times(MANY, '=\r\n')}`),
    ],
    ['many spaces in a title', calendarWith(START, `SUMMARY:${times(MANY, ' ')}x`)],
    ['many line feeds in a title', calendarWith(START, `SUMMARY:${times(2000, '\\n')}x`)],
    ['many escapes', calendarWith(START, `DESCRIPTION:${times(MANY, '\\')}`)],
    ['many categories', calendarWith(START, `CATEGORIES:${times(MANY, 'a,')}`)],
    ['many exceptions', calendarWith(START, `EXDATE:${times(MANY, '20240301T090000Z,')}`)],
    ['many rules', calendarWith(START, times(20_000, 'RRULE:FREQ=DAILY\r\n'))],
    ['a rule of many parts', calendarWith(START, `RRULE:FREQ=DAILY;BYDAY=${times(MANY, 'MO,')}`)],
    ['many attendees', calendarWith(START, times(20_000, 'ATTENDEE:mailto:a@b.test\r\n'))],
    ['many alarms', calendarWith(START, times(MANY / 3, 'BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n'))],
    ['many links', calendarWith(START, `DESCRIPTION:${times(50_000, 'https://zoom.us/x ')}`)],
    ['many dots after a link', calendarWith(START, `URL:https://zoom.us/j/1${times(MANY, '.')}x`)],
    ['a long name', calendarWith(START, `${times(MANY, 'A')}:b`)],
    ['a long zone', calendarWith(`DTSTART;TZID=${times(MANY, 'America/')}:20240301T090000`)],
    ['a long duration', calendarWith(START, `DURATION:P${times(MANY, '9')}D`)],
    ['many zones', `BEGIN:VCALENDAR\n${times(20_000, 'BEGIN:VTIMEZONE\nTZID:x\nEND:VTIMEZONE\n')}`],
  ])('with %s', async (_, text) => {
    for (const found of await readAll(text)) expect(JSON.stringify(found).length).toBeLessThan(3_000_000)
  })

  it('with zones that change their offset all the time', async () => {
    const observance = (index: number) =>
      `BEGIN:DAYLIGHT\nDTSTART:16010101T000000\nTZOFFSETFROM:+0${index % 10}07\nTZOFFSETTO:+0${(index + 1) % 10}07\nRRULE:FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=999999999\nRDATE:${times(999, '20240101T000000,')}\nEND:DAYLIGHT\n`
    const zone = (name: number) =>
      `BEGIN:VTIMEZONE\nTZID:Zone ${name}\n${Array.from({ length: 200 }, (_, index) => observance(index)).join('')}END:VTIMEZONE\n`
    const event = (index: number) =>
      `BEGIN:VEVENT\nUID:${index}\nDTSTART;TZID=Zone ${index % 3}:${1950 + (index % 100)}0301T090000\nRRULE:FREQ=DAILY\nEND:VEVENT\n`
    const text =
      [0, 1, 2].map(zone).join('') + Array.from({ length: 300 }, (_, index) => event(index)).join('')
    expect((await readAll(`BEGIN:VCALENDAR\n${text}`)).length).toBe(300)
  })

  it('with names of JavaScript object properties', async () => {
    const [found] = await readAll(
      calendarWith(
        'UID:__proto__',
        'DTSTART;TZID=__proto__:20240301T090000',
        '__PROTO__:x',
        'CONSTRUCTOR;__proto__=a:b',
        'ATTENDEE;PARTSTAT=CONSTRUCTOR;__proto__=a:mailto:__proto__@b.test',
        'STATUS:CONSTRUCTOR',
      ),
    )
    expect(found).toMatchObject({ kind: 'entry', entry: { uid: '__proto__', status: 'confirmed' } })
  })
})
