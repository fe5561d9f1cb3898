import { setTimeout as sleep } from 'node:timers/promises'

/** The next one is on its way while this one is worked on. Whoever stops early ends the source as well. */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]()
  const ask = (): Promise<IteratorResult<T>> => {
    const next = iterator.next()
    // Told to whoever asks for it; until then nobody may be listening.
    next.catch(() => undefined)
    return next
  }
  let next = ask()
  try {
    for (let one = await next; !one.done; one = await next) {
      next = ask()
      // It gets a moment to leave: whoever works on this one may keep the event loop to himself.
      await sleep(1)
      yield one.value
    }
  } finally {
    await next.catch(() => undefined)
    await iterator.return?.()
  }
}
