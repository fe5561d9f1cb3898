import { createBreather } from '../breather.ts'

/*
 * What a worker thread has read, as pieces of JSON. They are moved instead of copied, and each is small: the thread
 * that gets them takes one at a time.
 */

const MOST_ITEMS = 100
const MOST_CHARACTERS = 256 * 1024

export interface PageWriter {
  add(item: unknown): void
  /** In bytes, or somewhat less. */
  size(): number
  finish(): Uint8Array[]
}

export const createPageWriter = (): PageWriter => {
  const encoder = new TextEncoder()
  const pages: Uint8Array[] = []
  let items: string[] = []
  let length = 0
  let size = 0
  const flush = (): void => {
    if (items.length > 0) pages.push(encoder.encode(`[${items.join(',')}]`))
    items = []
    length = 0
  }
  return {
    add(item) {
      const text = JSON.stringify(item)
      items.push(text)
      length += text.length
      size += text.length
      if (items.length >= MOST_ITEMS || length >= MOST_CHARACTERS) flush()
    },
    size: () => size,
    finish() {
      flush()
      return pages
    },
  }
}

/** The items of all pages in order. Between two pages others get their turn. */
export async function* readPages<T>(pages: readonly Uint8Array[]): AsyncGenerator<T> {
  const decoder = new TextDecoder()
  const breathe = createBreather()
  for (const page of pages) {
    await breathe()
    yield* JSON.parse(decoder.decode(page)) as T[]
  }
}
