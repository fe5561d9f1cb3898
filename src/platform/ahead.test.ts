import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ahead } from './collections.ts'

const source = (log: string[], until = 3, fails = Number.POSITIVE_INFINITY) =>
  (async function* () {
    try {
      for (let n = 1; n <= until; n++) {
        log.push(`ask ${n}`)
        await turn()
        if (n === fails) throw new Error(`no ${n}`)
        yield n
      }
    } finally {
      log.push('end')
    }
  })()

describe('reading ahead', () => {
  it('keeps the order, and requests the next item before the current one is processed', async () => {
    const log: string[] = []
    for await (const one of ahead(source(log))) log.push(`work ${one}`)
    expect(log).toEqual(['ask 1', 'ask 2', 'work 1', 'ask 3', 'work 2', 'end', 'work 3'])
  })

  it('ends the source if its reader stops early or fails', async () => {
    const log: string[] = []
    for await (const one of ahead(source(log))) if (one === 1) break
    expect(log.at(-1)).toBe('end')
    const failing = async () => {
      for await (const _ of ahead(source(log))) throw new Error('mine')
    }
    await expect(failing()).rejects.toThrow('mine')
    expect(log.at(-1)).toBe('end')
  })

  it('reports a failure when its item is requested, and not before', async () => {
    const seen: number[] = []
    const reading = async () => {
      for await (const one of ahead(source([], 3, 2))) {
        await turn()
        await turn()
        seen.push(one)
      }
    }
    await expect(reading()).rejects.toThrow('no 2')
    expect(seen).toEqual([1])
  })
})
