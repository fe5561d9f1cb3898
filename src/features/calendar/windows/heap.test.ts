import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHeap } from './window.ts'

it('createHeap returns numbers in ascending order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (values) => {
      const heap = createHeap()
      for (const value of values) heap.add(value)
      const returned: number[] = []
      for (; heap.size() > 0; heap.removeLeast()) returned.push(heap.least())
      expect(returned).toEqual(values.toSorted((a, b) => a - b))
      expect(heap.least()).toBe(Number.POSITIVE_INFINITY)
    }),
  )
})
