import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useKeys } from '../../shell/shortcuts.ts'
import type { RowTarget } from '../../ui/virtual-list.tsx'
import type { Task } from './groups.ts'
import type { RescheduleDay } from './reschedule.ts'

interface RowKeys {
  /** Whether the shortcuts may change a task. */
  isEditable: (task: Task) => boolean
  onDone: (task: Task) => void
  onRemove: (task: Task) => void
  onSelect: (task: Task) => void
  /** Null removes the due date. */
  onReschedule: (task: Task, day: RescheduleDay | null) => void
  onAddSubtask: (task: Task) => void
  onRename: (task: Task) => void
  /** Undefined leaves the key to the open task. */
  onEscape: (() => void) | undefined
}

const TITLE = '.task-title'

/** Opens the popover or the menu of a value in a row. */
const openChip = (id: number, value: string): void =>
  document.querySelector<HTMLElement>(`.task[data-task="${id}"] [data-value="${value}"]`)?.click()

/** Shortcuts of a task list in display order. They act on the focused row. */
export const useRowKeys = (tasks: readonly Task[], keys: RowKeys) => {
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

  /** True if nothing has the focus, or only the menu of a removed row. A popover is in use and keeps it. */
  const isLost = (): boolean =>
    document.activeElement === document.body || document.activeElement?.closest('[role="menu"]') !== null

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

  const act = (how: (task: Task) => void) => (): void => {
    const task = tasks[focused()]
    if (task && keys.isEditable(task)) how(task)
  }
  const reschedule = (day: RescheduleDay | null) => act((task) => keys.onReschedule(task, day))
  useKeys({
    j: () => focusAt(focused() + 1, TITLE),
    k: () => focusAt(focused() - 1, TITLE),
    e: act(keys.onDone),
    '#': act(keys.onRemove),
    x: act(keys.onSelect),
    s: act(keys.onAddSubtask),
    t: reschedule('today'),
    m: reschedule('tomorrow'),
    w: reschedule('weekend'),
    W: reschedule('nextWeek'),
    '0': reschedule(null),
    F2: act(keys.onRename),
    d: act(({ id }) => openChip(id, 'due')),
    p: act(({ id }) => openChip(id, 'priority')),
    l: act(({ id }) => openChip(id, 'list')),
    a: act(({ id }) => openChip(id, 'assignee')),
    ...(keys.onEscape && { Escape: keys.onEscape }),
  })
  const focus = useCallback(({ id }: Pick<Task, 'id'>): void => setTarget({ id, part: TITLE }), [])
  return {
    target,
    focus,
    /** Call before a row may be removed. A row that only moves keeps the focus. */
    remember({ id }: Task, { moves = false } = {}) {
      const index = tasks.findIndex((task) => task.id === id)
      const part = document.activeElement?.matches('.task-box') ? '.task-box' : TITLE
      left.current = { id, index, part, moves }
    },
  }
}

export type TaskMove = 'indent' | 'outdent' | 'up' | 'down' | 'left' | 'right'
type TreeMove = TaskMove | 'fold' | 'unfold'

const ALT_MOVES: Readonly<Record<string, TreeMove>> = { ArrowUp: 'up', ArrowDown: 'down' }
const BOARD_MOVES: typeof ALT_MOVES = { ...ALT_MOVES, ArrowLeft: 'left', ArrowRight: 'right' }

interface TreeKeyOptions {
  /** Whether the sections are beside each other. */
  isBoard: boolean
  onMove: (id: number, move: TreeMove) => void
}

const readTreeMove = (
  event: KeyboardEvent,
  { isWalked, isBoard }: { isWalked: boolean; isBoard: boolean },
): TreeMove | null => {
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event
  if (key === 'Tab' && isWalked && !altKey && !ctrlKey && !metaKey) return shiftKey ? 'outdent' : 'indent'
  if (ctrlKey || metaKey || shiftKey) return null
  if (altKey) return (isBoard ? BOARD_MOVES : ALT_MOVES)[key] ?? null
  return key === 'ArrowLeft' ? 'fold' : key === 'ArrowRight' ? 'unfold' : null
}

/**
 * Keys of the rows of a tree. Tab changes the level of a row only if the row got the focus with j, k or the pointer.
 * A person who walks through the page with Tab passes the rows, and Escape lets go of a row.
 */
export const useTreeKeys = ({ isBoard, onMove }: TreeKeyOptions) => {
  const isWalked = useRef(false)
  useEffect(() => {
    const onKey = ({ key }: { key: string }): void => {
      if (key === 'j' || key === 'k') isWalked.current = true
      else if (key === 'Escape') isWalked.current = false
    }
    const onPointer = (): void => {
      isWalked.current = true
    }
    window.addEventListener('keydown', onKey)
    window.addEventListener('pointerdown', onPointer)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('pointerdown', onPointer)
    }
  }, [])
  return (event: KeyboardEvent): void => {
    const element = event.target as HTMLElement
    const id = Number(element.closest<HTMLElement>('.task')?.dataset.task)
    if (!element.matches(TITLE) || !id) return
    const move = readTreeMove(event, { isWalked: isWalked.current, isBoard })
    if (move === null) {
      // Tab without a row that moves: the focus goes on, and so do the next ones.
      if (event.key === 'Tab') isWalked.current = false
      return
    }
    event.preventDefault()
    onMove(id, move)
  }
}
