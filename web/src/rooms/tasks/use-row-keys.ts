import { useEffect, useRef } from 'react'
import { useKeys } from '../../shell/shortcuts.ts'
import type { Task } from './groups.ts'

interface RowKeys {
  onDone: (task: Task) => void
  onRemove: (task: Task) => void
}

/** The keys of a list of tasks, in the order in which they are shown. They act on the row that has the focus. */
export const useRowKeys = (tasks: readonly Task[], { onDone, onRemove }: RowKeys) => {
  const list = useRef<HTMLDivElement>(null)
  /** Which row is about to leave or to move, and what in it had the focus. */
  const left = useRef<{ id: number; index: number; part: string; moves: boolean } | null>(null)
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('.task') ?? [])]
  const focused = (): number => rows().findIndex((row) => row.contains(document.activeElement))
  const focus = (row: HTMLElement | undefined, part = '.task-title') =>
    row?.querySelector<HTMLElement>(part)?.focus()

  /** In nothing, or in the menu of a row that is gone. */
  const isLost = (): boolean =>
    document.activeElement === document.body || document.activeElement?.closest('.menu') !== null

  // Who completes a task with the keyboard goes on with the one that takes its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the list has changed
  useEffect(() => {
    if (left.current === null || !isLost()) return
    const { id, index, part, moves } = left.current
    const now = tasks.findIndex((task) => task.id === id)
    if (now >= 0 && !moves) return
    left.current = null
    const shown = rows()
    if (shown.length > 0) focus(shown[now >= 0 ? now : Math.min(index, shown.length - 1)], part)
    else document.querySelector<HTMLElement>('.task-add input')?.focus()
  }, [tasks])

  const step = (by: 1 | -1): void => {
    const shown = rows()
    const row = shown[Math.min(Math.max(focused() + by, 0), shown.length - 1)]
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
    /** Before a row may leave, with the focus in it or in its menu; one that only moves keeps the focus. */
    remember({ id }: Task, { moves = false } = {}) {
      const index = tasks.findIndex((task) => task.id === id)
      const part = document.activeElement?.matches('.task-box') ? '.task-box' : '.task-title'
      left.current = { id, index, part, moves }
    },
  }
}
