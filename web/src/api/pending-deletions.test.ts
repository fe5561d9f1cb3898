import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPendingDeletions } from './pending-deletions.ts'

const TASK = { kind: 'task', target: 7 }

/** The only part of the browser that the module uses. */
const page = new EventTarget()

describe('a pending deletion', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('window', page)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('hides its item at once, and shows it again after undo without a request', () => {
    const { deletions, schedule } = createPendingDeletions()
    const send = vi.fn(async () => {})
    const deletion = schedule(TASK, send)
    expect(deletions.get()).toEqual([TASK])
    expect(deletion.cancel()).toBe(true)
    expect(deletions.get()).toEqual([])
    deletion.commit()
    expect(send).not.toHaveBeenCalled()
  })

  it('is sent once, and keeps its item hidden until the service has answered', async () => {
    const { deletions, schedule, commitAll } = createPendingDeletions()
    let answer = () => {}
    const send = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)))
    const deletion = schedule(TASK, send)
    deletion.commit()
    deletion.commit()
    expect(send).toHaveBeenCalledExactlyOnceWith(false)
    expect(deletion.cancel()).toBe(false)
    expect(deletions.get()).toEqual([TASK])
    answer()
    await commitAll()
    expect(deletions.get()).toEqual([])
  })

  it('is sent after a minute, even if its toast stays open', () => {
    const { schedule } = createPendingDeletions()
    const send = vi.fn(async () => {})
    schedule(TASK, send)
    vi.advanceTimersByTime(59_000)
    expect(send).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1_000)
    expect(send).toHaveBeenCalledOnce()
  })

  it('is sent when the page is left, in a request that outlives the page', () => {
    const { schedule } = createPendingDeletions()
    const send = vi.fn(async () => {})
    schedule(TASK, send)
    page.dispatchEvent(new Event('pagehide'))
    expect(send).toHaveBeenCalledExactlyOnceWith(true)
  })

  it('shows its item again after a failed request', async () => {
    const { deletions, schedule, commitAll } = createPendingDeletions()
    schedule(TASK, () => Promise.reject(new Error('409')))
    await commitAll()
    expect(deletions.get()).toEqual([])
  })

  it('of the previous user is never sent', async () => {
    const { deletions, schedule, discardAll, commitAll } = createPendingDeletions()
    const send = vi.fn(async () => {})
    schedule(TASK, send)
    discardAll()
    await commitAll()
    expect(deletions.get()).toEqual([])
    expect(send).not.toHaveBeenCalled()
  })
})
