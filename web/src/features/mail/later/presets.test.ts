import { describe, expect, it } from 'vitest'
import { listFollowUpPresets, listSendPresets, listSnoozePresets, type Preset } from './presets.ts'

const at = (local: string) => new Date(`${local}:00+01:00`)
const times = (presets: readonly Preset[]) => presets.map(({ day, time }) => `${day} ${time}`)
const BERLIN = 'Europe/Berlin'

describe('the usual times', () => {
  it('of a snooze are later today, tomorrow, the weekend and next week', () => {
    expect(times(listSnoozePresets(at('2026-03-04T10:20'), BERLIN))).toEqual([
      '2026-03-04 13:00',
      '2026-03-05 08:00',
      '2026-03-07 08:00',
      '2026-03-09 08:00',
    ])
  })

  it('of a snooze do not end at night', () => {
    expect(times(listSnoozePresets(at('2026-03-04T18:20'), BERLIN))[0]).toBe('2026-03-05 08:00')
  })

  it.each([
    ['Friday', '2026-03-06', ['2026-03-07 08:00', '2026-03-09 08:00']],
    ['Saturday', '2026-03-07', ['2026-03-08 08:00', '2026-03-09 08:00']],
    ['Sunday', '2026-03-08', ['2026-03-09 08:00']],
  ])('of a snooze on %s name each day once', (_, day, expected) => {
    expect(times(listSnoozePresets(at(`${day}T20:00`), BERLIN))).toEqual(expected)
  })

  it('of sending are this afternoon, tomorrow and Monday', () => {
    expect(times(listSendPresets(at('2026-03-04T12:59'), BERLIN))).toEqual([
      '2026-03-04 13:00',
      '2026-03-05 08:00',
      '2026-03-09 08:00',
    ])
    expect(times(listSendPresets(at('2026-03-08T14:00'), BERLIN))).toEqual(['2026-03-09 08:00'])
  })

  it('to wait for an answer are one, two and seven days', () => {
    expect(times(listFollowUpPresets(at('2026-03-04T12:00'), BERLIN))).toEqual([
      '2026-03-05 08:00',
      '2026-03-06 08:00',
      '2026-03-11 08:00',
    ])
  })
})
