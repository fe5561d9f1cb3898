import { useRef, useState } from 'react'

export type Selection<T extends Item> = ReturnType<typeof useSelection<T>>

type Item = { id: number }

/** Selected items. Those that leave the list are deselected. */
export const useSelection = <T extends Item>(items: readonly T[]) => {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const last = useRef<number | null>(null)
  const selected = ids.size === 0 ? [] : items.filter(({ id }) => ids.has(id))
  const selectAll = (): void => setIds(new Set(items.map(({ id }) => id)))
  const clear = (): void => {
    last.current = null
    setIds(new Set())
  }
  return {
    selected,
    has: (id: number): boolean => ids.has(id),
    /** With `isRange`, selects all items since the previously selected one. */
    set(id: number, isSelected: boolean, isRange = false): void {
      const [from, to] = [last.current, id].map((one) => items.findIndex((item) => item.id === one))
      const these =
        isRange && from !== undefined && to !== undefined && from >= 0 && to >= 0
          ? items.slice(Math.min(from, to), Math.max(from, to) + 1).map((item) => item.id)
          : [id]
      last.current = id
      setIds((before) => {
        const after = new Set(before)
        for (const each of these) isSelected ? after.add(each) : after.delete(each)
        return after
      })
    },
    all: selectAll,
    /** Selects all loaded items, or none if all are selected. */
    toggleAll: (): void => (selected.length === items.length ? clear() : selectAll()),
    clear,
  }
}
