import { expect, it } from 'vitest'
import { everyRow } from './schema-info.ts'

it('everyRow yields every row in order, and lets other work run between the pages', async () => {
  const rows = Array.from({ length: 1_234 }, (_, id) => id)
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const given: number[] = []
  const turnsBefore: number[] = []
  const pages = everyRow<number>(async (after = -1, limit) => {
    turnsBefore.push(turns)
    return rows.slice(after + 1, after + 1 + limit)
  })
  for await (const row of pages) given.push(row)
  isDone = true
  expect(given).toEqual(rows)
  expect(turnsBefore).toEqual([0, 1, 2])
})
