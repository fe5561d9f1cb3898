/** Smaller buffers are cheaper to copy than to detach. */
const SMALLEST = 4 * 1024
const MOST_VISITED = 10_000

/**
 * The large buffers in a value, to be moved to another thread instead of copied. A view of a part of a larger buffer
 * is not among them: moving it would detach the other parts.
 */
export const findTransferable = (value: unknown): ArrayBuffer[] => {
  const found = new Set<ArrayBuffer>()
  const pending: unknown[] = [value]
  for (let visited = 0; pending.length > 0 && visited < MOST_VISITED; visited++) {
    const next = pending.pop()
    if (next === null || typeof next !== 'object') continue
    if (next instanceof ArrayBuffer) found.add(next)
    else if (ArrayBuffer.isView(next)) {
      const { buffer, byteLength } = next
      if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength >= SMALLEST)
        found.add(buffer)
    } else pending.push(...(Array.isArray(next) ? next.slice(0, MOST_VISITED) : Object.values(next)))
  }
  return [...found]
}
