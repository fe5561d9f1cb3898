import { describe, expect, it } from 'vitest'
import type { Task } from './groups.ts'
import { type Section, TaskTree } from './tree.ts'

const task = (id: number, parentId: number | null = null, sectionId: number | null = null) =>
  ({ id, parentId, sectionId, listId: 1 }) as Task
const TASKS = [task(1), task(2), task(3, 2), task(4, 2), task(5, 4), task(6, null, 8), task(7, 99)]
const SECTIONS = [{ id: 8 }, { id: 9 }] as Section[]
const tree = (isComplete = true) => new TaskTree(TASKS, SECTIONS, { isComplete })
const place = (parentId: number | null, sectionId: number | null, afterId: number | null) => ({
  listId: 1,
  parentId,
  sectionId,
  afterId,
})
const outline = (isFolded = (_: number) => false, isComplete = true) =>
  tree(isComplete)
    .toRows(isFolded)
    .map(({ rows }) => rows.map(({ id, depth }) => '-'.repeat(depth) + id))

describe('the tree of a list', () => {
  it('has the rows of each section in their order', () => {
    expect(outline()).toEqual([['1', '2', '-3', '-4', '--5', '7'], ['6'], []])
    expect(outline((id) => id === 4)).toEqual([['1', '2', '-3', '-4', '7'], ['6'], []])
    expect(
      tree()
        .listSubtasks(2)
        .map(({ id }) => id),
    ).toEqual([3, 4, 5])
  })

  it('leaves a subtask out until its parent is loaded', () => {
    expect(outline(undefined, false)[0]).not.toContain('7')
  })

  it('indents under the task in front, behind its last subtask', () => {
    expect(tree().indented(task(2))).toEqual(place(1, null, null))
    expect(tree().indented(task(4, 2))).toEqual(place(3, null, null))
    expect(tree().indented(task(7, 99))).toEqual(place(2, null, 4))
    expect(tree().indented(task(1))).toBe(null)
  })

  it('outdents behind the parent', () => {
    expect(tree().outdented(task(3, 2))).toEqual(place(null, null, 2))
    expect(tree().outdented(task(1))).toBe(null)
  })

  it('moves up and down among its siblings, and into the next section', () => {
    expect(tree().up(task(2))).toEqual(place(null, null, null))
    expect(tree().down(task(1))).toEqual(place(null, null, 2))
    expect(tree().up(task(6, null, 8))).toEqual(place(null, null, 7))
    expect(tree().down(task(6, null, 8))).toEqual(place(null, 9, null))
    expect(tree().down(task(4, 2))).toBe(null)
    expect(tree().up(task(1))).toBe(null)
  })

  it('finds the place between two rows at the wanted level', () => {
    const rows = tree().toRows(() => false)
    const first = rows[0] as (typeof rows)[number]
    const drop = (id: number, gap: number, depth: number) =>
      tree().between(TASKS.find((one) => one.id === id) as Task, first, { gap, depth })
    expect(drop(7, 0, 3)).toEqual({ ...place(null, null, null), depth: 0 })
    // In front of the first subtask there is only one level.
    expect(drop(1, 2, 0)).toEqual({ ...place(2, null, null), depth: 1 })
    expect(drop(1, 5, 2)).toEqual({ ...place(4, null, 5), depth: 2 })
    expect(drop(1, 5, 1)).toEqual({ ...place(2, null, 4), depth: 1 })
    expect(drop(1, 5, 0)).toEqual({ ...place(null, null, 2), depth: 0 })
    expect(drop(7, 5, 9)).toEqual({ ...place(5, null, null), depth: 3 })
    // A task does not go under its own subtasks.
    expect(drop(2, 4, 2)).toEqual({ ...place(1, null, null), depth: 1 })
    const empty = rows[2] as (typeof rows)[number]
    expect(tree().between(task(1), empty, { gap: 0, depth: 0 })).toEqual({
      ...place(null, 9, null),
      depth: 0,
    })
  })

  it('knows the place of a task and the tasks above it', () => {
    expect(tree().placeOf(task(4, 2))).toEqual(place(2, null, 3))
    expect(tree().isWithin(5, 2)).toBe(true)
    expect(tree().isWithin(2, 5)).toBe(false)
  })
})
