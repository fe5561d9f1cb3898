import type { Sharing } from '../sharing/shares.ts'
import type { Attached } from '../tasks/attached.ts'
import type { TaskLists } from '../tasks/lists.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { COMMENTS, type SampleTask, type SampleTime, TASKS, TIME_ENTRIES } from './items.ts'
import type { MarkedSample } from './marks.ts'
import type { Sample } from './sample.ts'

export interface TaskServices {
  tasks: Pick<Tasks, 'restore'>
  taskLists: Pick<TaskLists, 'create' | 'discard'>
  sharing: Pick<Sharing, 'offer'>
}

/** An address without an account here. */
const OFFERED_TO = 'jonas@keller.example'

const toDue = (sample: Sample, due: readonly [number, number?]): { dueDay: string } | { dueAt: string } => {
  const [day, hour] = due
  return hour === undefined
    ? { dueDay: sample.dateOf(day) }
    : { dueAt: sample.at(day, `${hour}:00`).toISOString() }
}

/** Inserts a task. A closed one was created, changed and closed at the same time. */
const insertTask = async (
  sample: Sample,
  { due, closedDaysAgo, list: _, tags, ...given }: SampleTask,
  [title, notes = '']: readonly [string, string?],
  { listId, attached }: { listId: number | undefined; attached: Attached },
  { tasks }: TaskServices,
): Promise<number> => {
  const { tx, userId } = sample
  const closedAt = closedDaysAgo === undefined ? undefined : sample.at(-closedDaysAgo, '15:00').toISOString()
  const { id } = await tasks.restore(
    userId,
    {
      ...given,
      ...(due && toDue(sample, due)),
      title,
      notes,
      tags: sample.tagsOf(tags),
      ...(listId !== undefined && { listId }),
    },
    { completedAt: closedAt, attached },
  )
  if (closedAt !== undefined)
    await tx
      .updateTable('tasks')
      .set({ createdAt: closedAt, updatedAt: closedAt })
      .where('userId', '=', userId)
      .where('id', '=', id)
      .execute()
  return id
}

/** Returns the comments on a task and the time that was spent on it, all of the account itself. */
const attachedOf = (sample: Sample, name: string): Attached => {
  const own = { personId: null, memberName: null }
  const at = (day: number, time: SampleTime): string => sample.at(day, time).toISOString()
  return {
    comments: Object.entries(COMMENTS).flatMap(([key, { task, day, time }]) => {
      if (task !== name) return []
      const text = sample.content.comments[key as keyof typeof COMMENTS]
      return { ...own, text, createdAt: at(day, time), updatedAt: at(day, time) }
    }),
    timeEntries: TIME_ENTRIES.flatMap(({ task, day, from, to }) =>
      task === name ? { ...own, note: '', startedAt: at(day, from), endedAt: at(day, to) } : [],
    ),
  }
}

export const fillTasks = async (sample: Sample, services: TaskServices): Promise<void> => {
  const { userId, content } = sample
  const { taskLists, sharing } = services
  const listIds: Record<string, number> = {}
  for (const [key, name] of Object.entries(content.lists)) {
    const { id } = await taskLists.create(userId, { name })
    listIds[key] = id
    await sample.mark('task_list', id)
  }
  await sharing.offer(userId, 'taskList', listIds.groceries as number, { email: OFFERED_TO, role: 'editor' })
  for (const [name, task] of Object.entries<SampleTask>(TASKS)) {
    const texts = content.tasks[name as keyof typeof TASKS]
    const more = { listId: listIds[task.list ?? ''], attached: attachedOf(sample, name) }
    await sample.mark('task', await insertTask(sample, task, texts, more, services))
  }
}

export const removeTasks = async (sample: MarkedSample, { taskLists }: TaskServices): Promise<void> => {
  await sample.deleteRows('tasks', 'task')
  for (const id of sample.idsOf('task_list')) await taskLists.discard(sample.tx, sample.userId, id, 'move')
}
