import type { Selectable } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { TaskTemplateRow } from '../../../database/tables/tasks.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { conflict, invalidField } from '../../../platform/errors.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readByNumber, versionedRows } from '../../../platform/resources.ts'
import { toWall } from '../../../recurrence/time-zones.ts'
import type { PreferenceRules } from '../../accounts/profile/preferences.ts'
import type { Actions } from '../../undo/journal.ts'
import { dayText, isDay } from '../due.ts'
import { findSharedTask } from '../member-repository.ts'
import type { TaskMembers } from '../members.ts'
import { positionAtEnd } from '../position.ts'
import { findTask, lockTask, type TaskRecord } from '../repository.ts'
import { BLANK, tagKeyOf, taskColumns, toMemberTask } from '../task.ts'
import type { Tasks } from '../tasks.ts'
import type { TaskTree } from '../tree.ts'
import { findSectionOf, listSections, listTree, type Place } from '../tree-repository.ts'
import type { TaskWriter } from '../writer.ts'
import type {
  AppliedTemplate,
  NewTaskTemplate,
  TaskTemplate,
  TaskTemplateChange,
  TemplateApplication,
  TemplateTask,
} from './schema.ts'
import { datesOf, readTemplateTasks, toTemplateTasks } from './template-tasks.ts'

const MAX_TEMPLATES = 100
const DAY_MS = 86_400_000
const KIND = 'tasks.from_template'
const Payload = Type.Object({
  tasks: Type.Array(Type.Object({ id: Type.Integer(), version: Type.Integer() })),
})

type TemplateRecord = Selectable<TaskTemplateRow>
const templateRows = versionedRows('task_templates', 'task template')

const toView = ({ userId: _, tasks, ...template }: TemplateRecord): TaskTemplate & { version: number } => ({
  ...template,
  tasks: JSON.parse(tasks) as TemplateTask[],
})

type Deps = Pick<Platform, 'db' | 'clock' | 'changes'> & {
  preferences: Pick<PreferenceRules, 'get'>
  actions: Actions
  tasks: Pick<Tasks, 'getTree' | 'remove'>
  members: Pick<TaskMembers, 'findTarget'>
  tree: Pick<TaskTree, 'lock' | 'append'>
  writer: TaskWriter
}

/** Trees of tasks with relative dates, from which an account creates tasks. */
export class TaskTemplates {
  private readonly deps: Deps

  constructor(deps: Deps) {
    this.deps = deps
    deps.actions.define({
      kind: KIND,
      about: 'task',
      payload: Payload,
      references: { 'tasks.*.id': 'tasks' },
      undo: (tx, payload, _parts, userId) => this.takeBack(tx, userId, payload.tasks),
    })
  }

  async list(userId: number, request: PageRequest) {
    // Without the tasks, which can be large.
    const query = this.deps.db
      .selectFrom('task_templates')
      .select(['id', 'name', 'createdAt', 'updatedAt'])
      .where('userId', '=', userId)
    const { page, nextCursor } = await readByNumber(query, request)
    return { taskTemplates: page, nextCursor }
  }

  async get(userId: number, id: number) {
    return toView(await templateRows.get(this.deps.db, userId, id))
  }

  async create(userId: number, { name, tasks: given, taskId }: NewTaskTemplate) {
    if (given !== undefined && taskId !== undefined)
      throw invalidField('taskId', 'cannot be combined with tasks')
    if (given === undefined && taskId === undefined) throw invalidField('tasks', 'is required, or taskId')
    const tasks = taskId === undefined ? readTemplateTasks(given ?? []) : await this.copy(userId, taskId)
    return inTransaction(this.deps.db, async (tx) => {
      if ((await templateRows.count(tx, userId)) >= MAX_TEMPLATES)
        throw conflict(`The limit of ${MAX_TEMPLATES} task templates is reached. Delete one first.`)
      const now = this.now()
      const template = await templateRows.insert(tx, {
        userId,
        name: name.trim(),
        tasks: JSON.stringify(tasks),
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
      await this.record(tx, 'added', template)
      return toView(template)
    })
  }

  change(userId: number, id: number, { name, tasks }: TaskTemplateChange, ifMatch: string | undefined) {
    const read = tasks && readTemplateTasks(tasks)
    return inTransaction(this.deps.db, async (tx) => {
      const before = await templateRows.getLocked(tx, userId, id, ifMatch)
      const template = await templateRows.update(tx, before, {
        ...(name !== undefined && { name: name.trim() }),
        ...(read !== undefined && { tasks: JSON.stringify(read) }),
        updatedAt: this.now(),
      })
      await this.record(tx, 'changed', template)
      return toView(template)
    })
  }

  remove(userId: number, id: number, ifMatch: string | undefined): Promise<void> {
    return inTransaction(this.deps.db, async (tx) => {
      await this.record(tx, 'removed', await templateRows.remove(tx, userId, id, ifMatch))
    })
  }

  /** Creates the tasks of a template. One undo deletes all of them. */
  async apply(userId: number, id: number, input: TemplateApplication): Promise<AppliedTemplate> {
    const date = await this.readDate(userId, input.date)
    return inTransaction(this.deps.db, async (tx) => {
      const { name, tasks } = toView(await templateRows.get(tx, userId, id))
      const created = await this.insert(tx, userId, tasks, date, input)
      const actionId = await this.deps.actions.record(tx, {
        userId,
        kind: KIND,
        summary: `Created ${created.length} task${created.length === 1 ? '' : 's'} from the template “${name}”`,
        payload: { tasks: created.map((task) => ({ id: task.id, version: task.version })) },
      })
      const topmost = created.filter((_, index) => tasks[index]?.depth === 0)
      const views = topmost.map((row) => {
        const task = taskColumns.fromRow(row)
        return row.userId === userId ? task : toMemberTask(task, null)
      })
      return { tasks: views, created: created.length, actionId }
    })
  }

  private async insert(
    tx: Db,
    userId: number,
    tasks: readonly TemplateTask[],
    date: number,
    input: TemplateApplication,
  ): Promise<TaskRecord[]> {
    const { sectionId = null, parentId = null } = input
    const { members, tree, writer, preferences } = this.deps
    const { ownerId, listId, changedBy } = await members.findTarget(tx, userId, input)
    await tree.lock(tx, { userId: ownerId, listId })
    const clock = await preferences.get(ownerId)
    const target: Place = { listId, sectionId, parentId }
    await tree.append(tx, ownerId, target, {
      count: tasks.length,
      levels: Math.max(...tasks.map(({ depth }) => depth)) + 1,
    })
    const named = new Map(
      parentId === null
        ? (await listSections(tx, ownerId, listId)).map((section) => [tagKeyOf(section.name), section.id])
        : [],
    )
    /** The last position of each place. */
    const ends = new Map<string, string>()
    const created: TaskRecord[] = []
    /** The last task of each level. */
    const path: number[] = []
    for (const given of tasks) {
      const {
        depth,
        section,
        dueAfterDays: _,
        dueTime: __,
        startAfterDays: ___,
        startTime: ____,
        ...fields
      } = given
      const isTopmost = depth === 0
      const place: Place = isTopmost
        ? { ...target, sectionId: (section !== null && named.get(tagKeyOf(section))) || sectionId }
        : { listId, sectionId: null, parentId: path[depth - 1] as number }
      const key = `${place.sectionId} ${place.parentId}`
      const isFirst = isTopmost && !ends.has(key)
      const position = isFirst ? await tree.append(tx, ownerId, place) : positionAtEnd(ends.get(key) ?? null)
      ends.set(key, position)
      const dates = datesOf(given, date, clock.timezone)
      const task = await writer.insert(tx, ownerId, { ...BLANK, ...fields, ...dates, ...place }, clock, {
        position,
        changedBy,
      })
      path[depth] = task.id
      created.push(task)
    }
    return created
  }

  /** Deletes the tasks of a template, unless somebody has changed them. */
  private async takeBack(
    tx: Db,
    userId: number,
    created: readonly { id: number; version: number }[],
  ): Promise<void> {
    const ids = new Set(created.map(({ id }) => id))
    const topmost: TaskRecord[] = []
    for (const { id, version } of created) {
      const task = (await lockTask(tx, userId, id)) ?? (await findSharedTask(tx, userId, id))
      if (!task) throw conflict('One of the tasks has been removed since.')
      if (task.version !== version) throw conflict(`The task “${task.title}” has been changed since.`)
      if (task.parentId === null || !ids.has(task.parentId)) topmost.push(task)
    }
    for (const task of topmost) {
      const nodes = await listTree(tx, task.userId, task.id)
      if (nodes.some(({ id }) => !ids.has(id)))
        throw conflict(`The task “${task.title}” has got new subtasks since.`)
      await this.deps.tasks.remove(userId, task.id, undefined)
    }
  }

  private async copy(userId: number, taskId: number): Promise<TemplateTask[]> {
    const { db, tasks, preferences } = this.deps
    const task = (await findTask(db, userId, taskId)) ?? (await findSharedTask(db, userId, taskId))
    if (!task) throw invalidField('taskId', 'names a task that does not exist')
    const section = task.sectionId === null ? undefined : await findSectionOf(db, task.sectionId)
    return toTemplateTasks(await tasks.getTree(userId, taskId), {
      timezone: (await preferences.get(userId)).timezone,
      section: section?.name ?? null,
    })
  }

  /** Returns the days since 1 January 1970. */
  private async readDate(userId: number, given: string | undefined): Promise<number> {
    const { clock, preferences } = this.deps
    const today = dayText(toWall(clock.now().getTime(), (await preferences.get(userId)).timezone))
    const date = given ?? today
    if (!isDay(date) || date < '1900-01-01' || date >= '9900-01-01')
      throw invalidField('date', 'must be a day from 1900 to 9899, such as 2026-03-01')
    return Date.parse(date) / DAY_MS
  }

  private record(
    tx: Db,
    verb: 'added' | 'changed' | 'removed',
    { id, userId, name }: TemplateRecord,
  ): Promise<void> {
    return this.deps.changes.record(tx, {
      userId,
      type: `task_template.${verb}`,
      subject: String(id),
      data: { id, name },
    })
  }

  private now(): string {
    return this.deps.clock.now().toISOString()
  }
}
