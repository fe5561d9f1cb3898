import { describe, expect, it } from 'vitest'
import { parameterOf, readLine, regularLine, unfold } from '../../../platform/icalendar/text.ts'

const unfolded = (text: string): string[] => unfold(text, 0, text.length)

describe('unfolding', () => {
  it.each([
    ['CRLF', 'SUMMARY:one\r\n  two\r\nUID:1\r\n'],
    ['LF', 'SUMMARY:one\n  two\nUID:1'],
    ['CR', 'SUMMARY:one\r  two\rUID:1\r'],
    ['CR CR LF', 'SUMMARY:one\r\r\n  two\r\r\nUID:1\r\r\n'],
    ['a tab', 'SUMMARY:one\r\n\t two\r\nUID:1'],
    ['empty lines between', 'SUMMARY:one\n\n  two\n\n\nUID:1'],
  ])('joins a line folded with %s', (_, text) => {
    expect(unfolded(text)).toEqual(['SUMMARY:one two', 'UID:1'])
  })

  it('joins a name with the value on the next line', () => {
    expect(unfolded('METHOD\n\n :PUBLISH\nDTSTART\n ;VALUE=DATE\n :20240105')).toEqual([
      'METHOD:PUBLISH',
      'DTSTART;VALUE=DATE:20240105',
    ])
  })

  it('appends lines without a property name to the text before them', () => {
    expect(unfolded('DESCRIPTION:Room\n3.11\nSee https://x.test\nhttps://y.test\nUID:1')).toEqual([
      'DESCRIPTION:Room\\n3.11\\nSee https://x.test\\nhttps://y.test',
      'UID:1',
    ])
  })

  it('drops a line without a property name if no text precedes it', () => {
    expect(unfolded('UID:1\nX-APPLE-RADIUS=49.9\nSEQUENCE:2')).toEqual(['UID:1', 'SEQUENCE:2'])
  })

  it('joins lines after the soft line breaks of vCalendar 1.0', () => {
    expect(unfolded('SUMMARY;ENCODING=QUOTED-PRINTABLE:one=20=\r\ntwo\r\nUID:1')).toEqual([
      'SUMMARY;ENCODING=QUOTED-PRINTABLE:one=20two',
      'UID:1',
    ])
  })
})

describe('a content line', () => {
  it('has a name, parameters and a value', () => {
    expect(readLine('Attendee;cn="a;b:c";ROLE=CHAIR:mailto:a@b.test')).toEqual({
      name: 'ATTENDEE',
      parameters: [
        { name: 'CN', values: ['a;b:c'] },
        { name: 'ROLE', values: ['CHAIR'] },
      ],
      value: 'mailto:a@b.test',
    })
  })

  it('may have many quoted values in a parameter', () => {
    const line = readLine('ATTENDEE;MEMBER="mailto:a@b","mailto:c@d","mailto:e@f":mailto:g@h')
    expect(line?.parameters[0]?.values).toEqual(['mailto:a@b', 'mailto:c@d', 'mailto:e@f'])
    expect(line?.value).toBe('mailto:g@h')
  })

  it.each([
    ["CN=George ^'Babe^' Ruth", 'George "Babe" Ruth'],
    ['CN=a^nb^^c', 'a\nb^c'],
    ['CN=Doe, Jane', 'Doe, Jane'],
    ['CN=""', ''],
    ['CN="unclosed', 'unclosed'],
    [';;CN=x', 'x'],
    ['LANGUAGE;CN=x', 'x'],
  ])('parses the parameter %s', (parameter, value) => {
    const line = readLine(`ATTENDEE;${parameter}:mailto:a@b.test`)
    expect(line && parameterOf(line, 'CN')).toBe(value)
    expect(line?.value).toBe('mailto:a@b.test')
  })

  it.each(['no colon', 'ORGANIZER;CN=Sixt SE', ':value', '', '=x:y'])('is not recognized in %j', (text) => {
    expect(readLine(text)).toBeUndefined()
  })

  it.each([
    ['X-A;b=c:d', 'X-A;B=c:d'],
    ['X-A;B="c:d",e:f', 'X-A;B="c:d",e:f'],
    ['X-A;B="unclosed:f', 'X-A;B=unclosed:f'],
    ['X-A:one\u0000two', 'X-A:onetwo'],
    ['X_A:one', undefined],
  ])('%j has the normalized form %j', (text, regular) => {
    const line = readLine(text)
    expect(line && regularLine(line)).toBe(regular)
  })
})
