import { describe, expect, it } from 'vitest'
import { decodeCalendar } from './decoding.ts'

const TEXT = 'SUMMARY:Grüße, 10 € 🎄\r\n'
const utf8 = Buffer.from(TEXT)
const utf16 = Buffer.from(`\ufeff${TEXT}`, 'utf16le')

describe('the text of a calendar file', () => {
  it.each([
    ['UTF-8', utf8],
    ['UTF-8 with a mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8])],
    ['UTF-16, little end first', utf16],
    ['UTF-16, big end first', Buffer.from(utf16).swap16()],
  ])('is read from %s', (_, bytes) => {
    expect(decodeCalendar(bytes)).toBe(TEXT)
  })

  it('is read from Windows-1252', () => {
    expect(decodeCalendar(Buffer.from('SUMMARY:Caf\xe9, 10 \x80', 'latin1'))).toBe('SUMMARY:Café, 10 €')
  })

  it.each(['\r\n ', '\n ', '\r\n\t'])(
    'is whole again where a character was folded in two with %j',
    (fold) => {
      for (let cut = 1; cut < utf8.length; cut++) {
        if (((utf8[cut] as number) & 0xc0) !== 0x80) continue
        const bytes = Buffer.concat([utf8.subarray(0, cut), Buffer.from(fold), utf8.subarray(cut)])
        expect(decodeCalendar(bytes)).toBe(TEXT)
      }
    },
  )

  it('keeps what is right when little of it is broken', () => {
    expect(decodeCalendar(Buffer.concat([utf8, Buffer.from([0xe9, 0x41])]))).toBe(`${TEXT}\ufffdA`)
  })
})
