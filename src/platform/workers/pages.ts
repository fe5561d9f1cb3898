import { createYielder } from '../yield.ts'

/*
 * Results of a worker thread as pages of JSON. They are transferred instead of copied. Each is small, so that
 * the receiving thread parses one at a time.
 */

const MAX_ITEMS = 100
const MAX_CHARACTERS = 256 * 1024

export interface PageWriter {
  add(item: unknown): void
  /** Size in bytes, or slightly less. */
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
      if (items.length >= MAX_ITEMS || length >= MAX_CHARACTERS) flush()
    },
    size: () => size,
    finish() {
      flush()
      return pages
    },
  }
}

/** Yields the items of all pages in order, and lets other work run between two pages. */
export async function* readPages<T>(pages: readonly Uint8Array[]): AsyncGenerator<T> {
  const decoder = new TextDecoder()
  const yieldIfNeeded = createYielder()
  for (const page of pages) {
    await yieldIfNeeded()
    yield* JSON.parse(decoder.decode(page)) as T[]
  }
}
