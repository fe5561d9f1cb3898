import { useEffect, useRef, useState } from 'react'
import { useKeys } from '../../shell/shortcuts.ts'
import type { RowTarget } from '../../ui/virtual-list.tsx'
import type { Task } from './groups.ts'

interface RowKeys {
  onDone: (task: Task) => void
  onRemove: (task: Task) => void
}

const TITLE = '.task-title'

/** Shortcuts of a task list in display order. They act on the focused row. */
export const useRowKeys = (tasks: readonly Task[], { onDone, onRemove }: RowKeys) => {
  const [target, setTarget] = useState<RowTarget | null>(null)
  /** The row that is about to be removed or moved, and its focused element. */
  const left = useRef<{ id: number; index: number; part: string; moves: boolean } | null>(null)
  const focused = (): number => {
    const row = document.activeElement?.closest<HTMLElement>('.task')
    return tasks.findIndex(({ id }) => id === Number(row?.dataset.task))
  }
  const focusAt = (index: number, part: string): void => {
    const task = tasks[Math.min(Math.max(index, 0), tasks.length - 1)]
    if (task) setTarget({ id: task.id, part })
  }

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
    if (tasks.length > 0) focusAt(now >= 0 ? now : index, part)
    else document.querySelector<HTMLElement>('.task-add input')?.focus()
  }, [tasks])

  const act = (how: (task: Task) => void): void => {
    const task = tasks[focused()]
    if (task) how(task)
  }
  useKeys({
    j: () => focusAt(focused() + 1, TITLE),
    k: () => focusAt(focused() - 1, TITLE),
    e: () => act(onDone),
    '#': () => act(onRemove),
  })
  return {
    target,
    /** Call before a row may be removed. A row that only moves keeps the focus. */
    remember({ id }: Task, { moves = false } = {}) {
      const index = tasks.findIndex((task) => task.id === id)
      const part = document.activeElement?.matches('.task-box') ? '.task-box' : TITLE
      left.current = { id, index, part, moves }
    },
  }
}
