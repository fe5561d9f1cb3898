import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHeap } from './heap.ts'

it('gives numbers back in their order, whichever way they came', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (values) => {
      const heap = createHeap()
      for (const value of values) heap.add(value)
      const given: number[] = []
      for (; heap.size() > 0; heap.removeLeast()) given.push(heap.least())
      expect(given).toEqual(values.toSorted((a, b) => a - b))
      expect(heap.least()).toBe(Number.POSITIVE_INFINITY)
    }),
  )
})
