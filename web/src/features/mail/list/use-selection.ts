import { useRef, useState } from 'react'
import type { Thread } from '../threads.ts'

export type Selection = ReturnType<typeof useSelection>

/** Selected threads. Those that leave the list are deselected. */
export const useSelection = (threads: readonly Thread[]) => {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const last = useRef<number | null>(null)
  const selected = ids.size === 0 ? [] : threads.filter(({ id }) => ids.has(id))
  const selectAll = (): void => setIds(new Set(threads.map(({ id }) => id)))
  const clear = (): void => {
    last.current = null
    setIds(new Set())
  }
  return {
    selected,
    has: (id: number): boolean => ids.has(id),
    /** With `isRange`, selects all threads since the previously selected one. */
    set(id: number, isSelected: boolean, isRange = false): void {
      const [from, to] = [last.current, id].map((one) => threads.findIndex((thread) => thread.id === one))
      const these =
        isRange && from !== undefined && to !== undefined && from >= 0 && to >= 0
          ? threads.slice(Math.min(from, to), Math.max(from, to) + 1).map((thread) => thread.id)
          : [id]
      last.current = id
      setIds((before) => {
        const after = new Set(before)
        for (const each of these) isSelected ? after.add(each) : after.delete(each)
        return after
      })
    },
    all: selectAll,
    /** Selects all loaded threads, or none if all are selected. */
    toggleAll: (): void => (selected.length === threads.length ? clear() : selectAll()),
    clear,
  }
}
