import { describe, expect, it } from 'vitest'
import { hasTravelMails, scoreReservations } from '../bench/nlu/reservations.ts'

const there = hasTravelMails()
if (!there) console.log('travel-mails: skipped, the data is absent')

/** The formats with structured data, whose facts need no guess. */
const MARKUP = ['json-ld', 'microdata']

describe.skipIf(!there)('reservations in public travel mails', () => {
  for (const part of ['tuning', 'validation'] as const)
    it(`are all found in the structured data of the ${part} part, and no others`, () => {
      const { byFormat } = scoreReservations(part)
      for (const format of MARKUP) {
        const score = byFormat.get(format)
        expect([format, score?.right, score?.found]).toEqual([format, score?.expected, score?.expected])
      }
    })

  it('are found in at least 90 % of the tuning part, with at most 10 % errors', () => {
    const { right = 0, found = 0, expected = 0 } = scoreReservations('tuning').byType.get('all') ?? {}
    expect(right / expected).toBeGreaterThan(0.9)
    expect(right / found).toBeGreaterThan(0.9)
  })
})

describe('reservations in mails of unknown companies', () => {
  it.each(['tuning', 'validation'] as const)('are found in at least 80 %% of the %s part', (part) => {
    const { right = 0, found = 0, expected = 0 } = scoreReservations(part, 'own').byType.get('all') ?? {}
    expect(right / expected).toBeGreaterThan(0.8)
    expect(right / found).toBeGreaterThan(0.9)
  })
})
