import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPace, createTurns } from './turns.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const work = (ms: number) => (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('turns', () => {
  it('run no more work at the same time than the limit, in order', async () => {
    const takeTurn = createTurns(2)
    const events: string[] = []
    const all = ['a', 'b', 'c'].map((name) =>
      takeTurn(async () => {
        events.push(`${name} begins`)
        await work(10)()
        events.push(`${name} ends`)
      }),
    )
    await vi.advanceTimersByTimeAsync(30)
    await Promise.all(all)
    expect(events).toEqual(['a begins', 'b begins', 'a ends', 'c begins', 'b ends', 'c ends'])
  })

  it('pass on after a failure', async () => {
    const takeTurn = createTurns(1)
    const failing = takeTurn(() => Promise.reject(new Error('failed')))
    const next = takeTurn(() => Promise.resolve('done'))
    await expect(failing).rejects.toThrow('failed')
    await expect(next).resolves.toBe('done')
  })

  it('pause as long as the work took, but only while others wait', async () => {
    const takeTurn = createTurns(1, { pauses: true })
    const began: number[] = []
    const record = async (): Promise<void> => {
      began.push(performance.now())
      await work(20)()
    }
    const start = performance.now()
    const all = [takeTurn(record), takeTurn(record)]
    await vi.advanceTimersByTimeAsync(100)
    await Promise.all(all)
    const last = takeTurn(record)
    await vi.advanceTimersByTimeAsync(100)
    await last
    expect(began.map((at) => at - start)).toEqual([0, 40, 100])
  })
})

describe('a pace', () => {
  it('resolves at once, and then at the interval', async () => {
    const pace = createPace(50)
    const start = performance.now()
    const times: number[] = []
    const all = [1, 2, 3].map(() => pace().then(() => times.push(performance.now() - start)))
    await vi.advanceTimersByTimeAsync(100)
    await Promise.all(all)
    expect(times).toEqual([0, 50, 100])
  })
})
