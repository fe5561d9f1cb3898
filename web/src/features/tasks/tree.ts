import type { TaskPlace } from '../../api/cached-tasks.ts'
import type { Shape } from '../../api/client.ts'
import type { Task } from './groups.ts'
import type { NewPlace } from './use-tasks.ts'

export type Section = Shape<'TaskSection'>

/** A task in the order of its list. */
export interface TreeRow {
  id: number
  task: Task
  /** 0 for a topmost task. */
  depth: number
  hasChildren: boolean
}

export interface SectionRows {
  /** Null for the tasks without a section. */
  section: Section | null
  rows: readonly TreeRow[]
}

interface Options {
  isFolded: (id: number) => boolean
  /** Until all tasks are loaded, a task without its parent waits for it. Then the parent is not open. */
  isComplete: boolean
}

const pushTo = <K>(map: Map<K, Task[]>, key: K, task: Task): void => {
  const tasks = map.get(key)
  if (tasks) tasks.push(task)
  else map.set(key, [task])
}

/** The open tasks of a list as a tree. Its tasks have the order of the list. */
export class TaskTree {
  private readonly tasks = new Map<number, Task>()
  private readonly children = new Map<number, Task[]>()
  private readonly roots = new Map<number | null, Task[]>()
  private readonly sections: readonly Section[]

  constructor(
    tasks: readonly Task[],
    sections: readonly Section[],
    { isComplete }: Pick<Options, 'isComplete'>,
  ) {
    this.sections = sections
    const sectionIds = new Set(sections.map(({ id }) => id))
    for (const task of tasks) this.tasks.set(task.id, task)
    for (const task of tasks) {
      const { parentId, sectionId } = task
      if (parentId !== null && this.tasks.has(parentId)) pushTo(this.children, parentId, task)
      else if (parentId === null || isComplete)
        pushTo(this.roots, sectionId !== null && sectionIds.has(sectionId) ? sectionId : null, task)
    }
  }

  /** Returns the visible rows of each section. */
  toRows(isFolded: Options['isFolded']): SectionRows[] {
    const sections: readonly (Section | null)[] = [null, ...this.sections]
    return sections.map((section) => {
      const rows: TreeRow[] = []
      const add = (tasks: readonly Task[], depth: number): void => {
        for (const task of tasks) {
          const children = this.childrenOf(task.id)
          rows.push({ id: task.id, task, depth, hasChildren: children.length > 0 })
          if (!isFolded(task.id)) add(children, depth + 1)
        }
      }
      add(this.roots.get(section?.id ?? null) ?? [], 0)
      return { section, rows }
    })
  }

  /** Returns the subtasks of a task at every level, parents first. */
  listSubtasks(id: number): Task[] {
    return this.childrenOf(id).flatMap((child) => [child, ...this.listSubtasks(child.id)])
  }

  /** Whether a task is another one or below it. */
  isWithin(id: number, other: number): boolean {
    for (let at: number | null | undefined = id; at != null; at = this.tasks.get(at)?.parentId)
      if (at === other) return true
    return false
  }

  find(id: number): Task | undefined {
    return this.tasks.get(id)
  }

  /** The place of a task now, for an undo. */
  placeOf(task: Task): TaskPlace {
    const { siblings, index } = this.locate(task)
    return this.behind(task, siblings[index - 1] ?? null)
  }

  /** The last place under the task in front of this one. */
  indented(task: Task): TaskPlace | null {
    const { siblings, index } = this.locate(task)
    const parent = siblings[index - 1]
    return parent ? this.lastUnder(parent) : null
  }

  lastUnder({ id, listId }: Task): TaskPlace {
    return { listId, parentId: id, sectionId: null, afterId: this.childrenOf(id).at(-1)?.id ?? null }
  }

  /** The place of a new task one level deeper, under the last task of a place, or one level higher. */
  levelOf(place: NewPlace, step: 1 | -1): NewPlace | null {
    const { parentId, sectionId = null } = place
    if (step === 1) {
      const last = (parentId === undefined ? this.roots.get(sectionId) : this.children.get(parentId))?.at(-1)
      return last ? { parentId: last.id } : null
    }
    const parent = parentId === undefined ? undefined : this.tasks.get(parentId)
    if (!parent) return null
    if (parent.parentId !== null) return { parentId: parent.parentId }
    return { listId: parent.listId, ...(parent.sectionId !== null && { sectionId: parent.sectionId }) }
  }

  /** The place behind the parent. */
  outdented({ parentId }: Task): TaskPlace | null {
    const parent = parentId === null ? undefined : this.tasks.get(parentId)
    return parent ? this.behind(parent, parent) : null
  }

  /** One place up, for a topmost task also into the section above. */
  up(task: Task): TaskPlace | null {
    const { siblings, index } = this.locate(task)
    if (index > 0) return this.behind(task, siblings[index - 2] ?? null)
    return this.inSection(task, -1)
  }

  down(task: Task): TaskPlace | null {
    const { siblings, index } = this.locate(task)
    const next = siblings[index + 1]
    return next ? this.behind(next, next) : this.inSection(task, 1)
  }

  /** The last place in the section before or after that of the task. A subtask becomes a topmost task. */
  beside({ id, listId }: Task, step: 1 | -1): TaskPlace | null {
    const section = this.neighbour(this.sectionOf(id), step)
    if (section === undefined) return null
    return {
      listId,
      parentId: null,
      sectionId: section,
      afterId: this.roots.get(section)?.at(-1)?.id ?? null,
    }
  }

  /**
   * The place between two visible rows. `gap` is the number of rows in front of it, and `depth` the wanted level, of which
   * the nearest possible one is taken. The task and its subtasks do not count.
   */
  between(
    task: Task,
    { section, rows }: SectionRows,
    { gap, depth }: { gap: number; depth: number },
  ): TaskPlace & { depth: number } {
    const isOther = ({ id }: TreeRow): boolean => !this.isWithin(id, task.id)
    const before = rows.slice(0, gap).filter(isOther)
    const next = rows.slice(gap).find(isOther)
    const last = before.at(-1)
    const level = Math.max(Math.min(depth, last ? last.depth + 1 : 0), next?.depth ?? 0)
    if (last && level > last.depth) {
      const isOpen = next !== undefined && next.depth > last.depth
      return { ...this.lastUnder(last.task), ...(isOpen && { afterId: null }), depth: level }
    }
    const sibling = before.findLast((row) => row.depth === level)?.task
    const first = { listId: task.listId, parentId: null, sectionId: section?.id ?? null, afterId: null }
    return { ...(sibling ? this.behind(sibling, sibling) : first), depth: level }
  }

  private childrenOf(id: number): readonly Task[] {
    return this.children.get(id) ?? []
  }

  private locate(task: Task): { siblings: readonly Task[]; index: number } {
    const siblings =
      (task.parentId === null ? undefined : this.children.get(task.parentId)) ??
      this.roots.get(task.sectionId) ??
      []
    return { siblings, index: siblings.findIndex(({ id }) => id === task.id) }
  }

  private behind({ listId, parentId, sectionId }: Task, before: Task | null): TaskPlace {
    return { listId, parentId, sectionId, afterId: before?.id ?? null }
  }

  private inSection({ listId, parentId, sectionId }: Task, step: 1 | -1): TaskPlace | null {
    if (parentId !== null) return null
    const target = this.neighbour(sectionId, step)
    if (target === undefined) return null
    const afterId = step === 1 ? null : (this.roots.get(target)?.at(-1)?.id ?? null)
    return { listId, parentId: null, sectionId: target, afterId }
  }

  /** The section of the topmost task above a task. */
  private sectionOf(id: number): number | null {
    const task = this.tasks.get(id)
    const parent = task?.parentId == null ? undefined : this.tasks.get(task.parentId)
    return parent ? this.sectionOf(parent.id) : (task?.sectionId ?? null)
  }

  private neighbour(sectionId: number | null, step: 1 | -1): number | null | undefined {
    const ids = [null, ...this.sections.map(({ id }) => id)]
    return ids[ids.indexOf(sectionId) + step]
  }
}
