import { describe, expect, it } from 'vitest'
import { decodeCalendar } from '../../../platform/icalendar/text.ts'

const TEXT = 'SUMMARY:Grüße, 10 € 🎄\r\n'
const utf8 = Buffer.from(TEXT)
const utf16 = Buffer.from(`\ufeff${TEXT}`, 'utf16le')

describe('decodeCalendar', () => {
  it.each([
    ['UTF-8', utf8],
    ['UTF-8 with a mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8])],
    ['UTF-16, little end first', utf16],
    ['UTF-16, big end first', Buffer.from(utf16).swap16()],
  ])('decodes %s', (_, bytes) => {
    expect(decodeCalendar(bytes)).toBe(TEXT)
  })

  it('decodes Windows-1252', () => {
    expect(decodeCalendar(Buffer.from('SUMMARY:Caf\xe9, 10 \x80', 'latin1'))).toBe('SUMMARY:Café, 10 €')
  })

  it.each(['\r\n ', '\n ', '\r\n\t'])('joins a character that %j split', (fold) => {
    for (let cut = 1; cut < utf8.length; cut++) {
      if (((utf8[cut] as number) & 0xc0) !== 0x80) continue
      const bytes = Buffer.concat([utf8.subarray(0, cut), Buffer.from(fold), utf8.subarray(cut)])
      expect(decodeCalendar(bytes)).toBe(TEXT)
    }
  })

  it('keeps valid UTF-8 when a few characters are broken', () => {
    expect(decodeCalendar(Buffer.concat([utf8, Buffer.from([0xe9, 0x41])]))).toBe(`${TEXT}\ufffdA`)
  })
})
