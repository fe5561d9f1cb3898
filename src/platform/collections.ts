import { setTimeout as sleep } from 'node:timers/promises'

/** Removes duplicates by key, and keeps the first spelling. */
export const eachOnce = (given: readonly string[], keyOf: (text: string) => string): string[] => {
  const byKey = new Map<string, string>()
  for (const text of given) if (!byKey.has(keyOf(text))) byKey.set(keyOf(text), text.trim())
  return [...byKey.values()]
}

/** Picks properties. A missing one becomes undefined. */
export const pick = <T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> => {
  const picked: Partial<Pick<T, K>> = {}
  for (const name of names) picked[name] = from[name]
  return picked as Pick<T, K>
}

/**
 * Fetches the next item while the consumer works on the current one. A consumer that stops early also ends
 * the source.
 */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]()
  const ask = (): Promise<IteratorResult<T>> => {
    const next = iterator.next()
    // The consumer gets the rejection when it asks for the item. Until then it must not count as unhandled.
    next.catch(() => undefined)
    return next
  }
  let next = ask()
  try {
    for (let one = await next; !one.done; one = await next) {
      next = ask()
      // Lets the request for the next item leave first, because the consumer may block the event loop.
      await sleep(1)
      yield one.value
    }
  } finally {
    await next.catch(() => undefined)
    await iterator.return?.()
  }
}

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}

const MAX_NAME_LENGTH = 64

/** Returns the known name that is most similar to `name`; undefined if none is similar. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > MAX_NAME_LENGTH) return undefined
  const spelled = name.toLowerCase().replace(/[_-]/g, '')
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(spelled, candidate.toLowerCase()) }))
    // A distance equal to the length means that the names have nothing in common.
    .filter(({ candidate, far }) => far < Math.max(spelled.length, candidate.length))
    .sort((a, b) => a.far - b.far)
  const best = ranked[0]
  return best && best.far <= Math.max(2, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined
}
