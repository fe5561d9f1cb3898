import { describe, expect, it } from 'vitest'
import {
  type EditedBlock,
  findOverlaps,
  minutesOf,
  moveBlockBy,
  moveToLocal,
  resizeBlock,
} from './plan-blocks.ts'

const block = (key: string, start: string, end: string, isIncluded = true): EditedBlock => ({
  key,
  taskId: 1,
  title: 'Report',
  part: 1,
  parts: 1,
  start: `2026-03-02T${start}:00.000Z`,
  end: `2026-03-02T${end}:00.000Z`,
  isIncluded,
})

describe('a block of a plan', () => {
  it('keeps its length when it moves', () => {
    const moved = moveBlockBy(block('a', '09:00', '10:30'), -15)
    expect(moved).toMatchObject({ start: '2026-03-02T08:45:00.000Z', end: '2026-03-02T10:15:00.000Z' })
    expect(moveToLocal(moved, '2026-03-29T09:00', 'Europe/Berlin').start).toBe('2026-03-29T07:00:00.000Z')
  })

  it('lasts five minutes to a day', () => {
    const lengths = [-10, 30, 5_000].map((minutes) =>
      minutesOf(resizeBlock(block('a', '09:00', '10:00'), minutes)),
    )
    expect(lengths).toEqual([5, 30, 1440])
  })

  it('overlaps only included blocks, and none that begins when it ends', () => {
    const blocks = [
      block('a', '09:00', '10:00'),
      block('b', '09:30', '10:30'),
      block('c', '10:30', '11:00'),
      block('d', '09:00', '11:00', false),
    ]
    expect([...findOverlaps(blocks)]).toEqual(['a', 'b'])
  })
})
