import { useEffect, useRef } from 'react'
import { useKeys } from '../../shell/shortcuts.ts'
import type { Task } from './groups.ts'

interface RowKeys {
  onDone: (task: Task) => void
  onRemove: (task: Task) => void
}

/** Shortcuts of a task list in display order. They act on the focused row. */
export const useRowKeys = (tasks: readonly Task[], { onDone, onRemove }: RowKeys) => {
  const list = useRef<HTMLDivElement>(null)
  /** The row that is about to be removed or moved, and its focused element. */
  const left = useRef<{ id: number; index: number; part: string; moves: boolean } | null>(null)
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('.task') ?? [])]
  const focused = (): number => rows().findIndex((row) => row.contains(document.activeElement))
  const focus = (row: HTMLElement | undefined, part = '.task-title') =>
    row?.querySelector<HTMLElement>(part)?.focus()

  /** True if nothing has the focus, or only the menu of a removed row. */
  const isLost = (): boolean =>
    document.activeElement === document.body || document.activeElement?.closest('.menu') !== null

  // After a row was removed, focuses the row in its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list has changed
  useEffect(() => {
    if (left.current === null || !isLost()) return
    const { id, index, part, moves } = left.current
    const now = tasks.findIndex((task) => task.id === id)
    if (now >= 0 && !moves) return
    left.current = null
    const visibleRows = rows()
    if (visibleRows.length > 0)
      focus(visibleRows[now >= 0 ? now : Math.min(index, visibleRows.length - 1)], part)
    else document.querySelector<HTMLElement>('.task-add input')?.focus()
  }, [tasks])

  const step = (by: 1 | -1): void => {
    const visibleRows = rows()
    const row = visibleRows[Math.min(Math.max(focused() + by, 0), visibleRows.length - 1)]
    row?.scrollIntoView({ block: 'nearest' })
    focus(row)
  }
  const act = (how: (task: Task) => void): void => {
    const task = tasks[focused()]
    if (task) how(task)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    e: () => act(onDone),
    '#': () => act(onRemove),
  })
  return {
    list,
    /** Call before a row may be removed. A row that only moves keeps the focus. */
    remember({ id }: Task, { moves = false } = {}) {
      const index = tasks.findIndex((task) => task.id === id)
      const part = document.activeElement?.matches('.task-box') ? '.task-box' : '.task-title'
      left.current = { id, index, part, moves }
    },
  }
}
