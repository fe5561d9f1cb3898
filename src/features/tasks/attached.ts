import type { Db } from '../../database/db.ts'
import { countComments, insertComment, listComments } from './comment-repository.ts'
import { listMembersOf } from './member-repository.ts'
import type { TaskRecord } from './repository.ts'
import { countTimeEntries, insertTimeEntry, listTimeEntriesOf } from './time-entry-repository.ts'
import { secondsBetween } from './timers.ts'

/** Tasks of a statement. */
const BATCH = 500

interface Contribution {
  personId: number | null
  memberName: string | null
}

/** The comments and time entries that are deleted with a task, as the journal of actions keeps them. */
export interface Attached {
  comments: (Contribution & { text: string; createdAt: string; updatedAt: string })[]
  timeEntries: (Contribution & { note: string; startedAt: string; endedAt: string })[]
}

/** Lists what belongs to tasks, by the task. The time of a running timer ends now. */
export const listAttached = async (
  db: Db,
  userId: number,
  taskIds: readonly number[],
  now: string,
): Promise<Map<number, Attached>> => {
  const attached = new Map<number, Attached>()
  const of = (taskId: number): Attached => {
    const known = attached.get(taskId) ?? { comments: [], timeEntries: [] }
    attached.set(taskId, known)
    return known
  }
  for (let at = 0; at < taskIds.length; at += BATCH) {
    const batch = taskIds.slice(at, at + BATCH)
    for (const row of await listComments(db, userId, batch)) {
      const { taskId, authorId: personId, memberName, text, createdAt, updatedAt } = row
      of(taskId).comments.push({ personId, memberName, text, createdAt, updatedAt })
    }
    for (const row of await listTimeEntriesOf(db, userId, batch)) {
      const { taskId, personId, memberName, note, startedAt } = row
      const endedAt = row.endedAt ?? (now < startedAt ? startedAt : now)
      of(taskId).timeEntries.push({ personId, memberName, note, startedAt, endedAt })
    }
  }
  return attached
}

/** Whether somebody commented on a task or recorded time. */
export const hasAttached = async (db: Db, { userId, id }: { userId: number; id: number }): Promise<boolean> =>
  (await countComments(db, userId, id)) > 0 || (await countTimeEntries(db, userId, id)) > 0

/** Restores what belonged to a task. */
export const writeAttached = async (
  tx: Db,
  { id: taskId, userId, listId }: TaskRecord,
  { comments, timeEntries }: Attached,
  now: string,
): Promise<void> => {
  const members = await listMembersOf(tx, userId, listId)
  /** In a journal of another instance, the id can be the one of another person. */
  const findPersonId = ({ personId, memberName }: Contribution): number | null => {
    if (memberName === null) return userId
    return members.find(({ id, name }) => id === personId && name === memberName)?.id ?? null
  }
  for (const { personId, memberName, ...comment } of comments) {
    const authorId = findPersonId({ personId, memberName })
    await insertComment(tx, { ...comment, userId, taskId, authorId, memberName, version: 1 })
  }
  for (const { personId, memberName, ...entry } of timeEntries)
    await insertTimeEntry(tx, {
      ...entry,
      seconds: secondsBetween(entry.startedAt, entry.endedAt),
      userId,
      taskId,
      personId: findPersonId({ personId, memberName }),
      memberName,
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
}
