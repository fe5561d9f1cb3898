import { setImmediate } from 'node:timers/promises'

const PAGE = 500

/** Reads a table page by page, so that no export holds more than a page of it, and others have their turn in between. */
export async function* everyRow<R>(
  read: (after: R | undefined, limit: number) => Promise<R[]>,
): AsyncGenerator<R> {
  let after: R | undefined
  for (;;) {
    const rows = await read(after, PAGE)
    yield* rows
    after = rows.at(-1)
    if (rows.length < PAGE) return
    await setImmediate()
  }
}
