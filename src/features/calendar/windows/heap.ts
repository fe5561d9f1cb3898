/** Numbers of which the least is always at hand, however many there are. */
export const createHeap = () => {
  const heap: number[] = []
  const at = (index: number): number => heap[index] ?? Number.POSITIVE_INFINITY
  const swap = (a: number, b: number): void => {
    ;[heap[a], heap[b]] = [at(b), at(a)]
  }
  return {
    size: () => heap.length,
    /** Infinity when there is none. */
    least: () => at(0),
    add(value: number): void {
      heap.push(value)
      for (let child = heap.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1
        if (at(parent) <= at(child)) return
        swap(parent, child)
        child = parent
      }
    },
    removeLeast(): void {
      const last = heap.pop()
      if (last === undefined || heap.length === 0) return
      heap[0] = last
      for (let parent = 0; ; ) {
        const left = 2 * parent + 1
        const child = at(left + 1) < at(left) ? left + 1 : left
        if (at(parent) <= at(child)) return
        swap(parent, child)
        parent = child
      }
    },
  }
}
