import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { privateTagsOf } from '../../nlu/mail/facts.ts'
import { conflict } from '../../platform/errors.ts'
import type { Actions } from '../undo/journal.ts'
import { listByEmail, listWithTasks, lockTask } from './repository.ts'
import type { Tasks } from './tasks.ts'

const KIND = 'tasks.from_email'
const MAX_TITLE_LENGTH = 500
const Payload = Type.Object({
  tasks: Type.Array(Type.Object({ id: Type.Integer(), version: Type.Integer() })),
})

/** A task found in the text of an email. */
export interface MailTask {
  title: string
  dueAt: string | null
  /** Set if the email names no hour; `dueAt` is then the end of that day. */
  dueDay: string | null
}

export type MailTasks = ReturnType<typeof createMailTasks>

const keyOf = (title: string): string => title.toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * Creates tasks from emails. Reading an email again creates no duplicates, and one undo removes all its
 * tasks.
 */
export const createMailTasks = ({ actions, tasks }: { actions: Actions; tasks: Tasks }) => {
  actions.define({
    kind: KIND,
    about: 'task',
    payload: Payload,
    references: { 'tasks.*.id': 'tasks' },
    async undo(tx, payload, _parts, userId) {
      for (const { id, version } of payload.tasks) {
        const task = await lockTask(tx, userId, id)
        if (!task) throw conflict('One of the tasks has been removed since.')
        if (task.version !== version) throw conflict(`The task “${task.title}” has been changed since.`)
      }
      for (const { id } of payload.tasks) await tasks.remove(userId, id, undefined)
    },
  })

  return {
    /** Creates one task with the subject of the email, unless the email already has a task. */
    async make(
      tx: Db,
      userId: number,
      email: { id: number; subject: string; tags: readonly string[] },
    ): Promise<{ id: number; version: number } | null> {
      if ((await listByEmail(tx, userId, email.id)).length > 0) return null
      const title =
        email.subject.trim().slice(0, MAX_TITLE_LENGTH).toWellFormed() || 'Email without a subject'
      const { id, version } = await tasks.create(userId, {
        title,
        emailId: email.id,
        tags: privateTagsOf(email.tags),
      })
      return { id, version }
    },

    /** Returns those of the given emails that have a task. */
    withTasks: async (tx: Db, userId: number, emailIds: readonly number[]): Promise<Set<number>> =>
      new Set(emailIds.length === 0 ? [] : await listWithTasks(tx, userId, emailIds)),

    /** Deletes the tasks that were not changed since, and returns how many. */
    async takeBack(
      tx: Db,
      userId: number,
      made: readonly { id: number; version: number }[],
    ): Promise<number> {
      let count = 0
      for (const { id, version } of made) {
        const task = await lockTask(tx, userId, id)
        if (task?.version !== version) continue
        await tasks.remove(userId, id, undefined)
        count++
      }
      return count
    },

    /** Runs in the transaction that locks the email, so that concurrent calls create no duplicates. */
    async file(
      tx: Db,
      userId: number,
      email: { id: number; subject: string; tags: readonly string[] },
      items: readonly MailTask[],
    ): Promise<{ taskIds: number[]; actionId: number | null }> {
      // The tasks keep the private tags after the email is deleted.
      const tags = privateTagsOf(email.tags)
      const known = new Map(
        (await listByEmail(tx, userId, email.id)).map(({ id, title }) => [keyOf(title), id]),
      )
      const made: { id: number; version: number }[] = []
      const taskIds: number[] = []
      for (const { title: words, dueAt, dueDay } of items) {
        const title = words.slice(0, MAX_TITLE_LENGTH).toWellFormed()
        const existing = known.get(keyOf(title))
        if (existing === undefined) {
          const { id, version } = await tasks.create(userId, {
            title,
            emailId: email.id,
            tags,
            ...(dueDay === null ? { dueAt } : { dueDay }),
          })
          made.push({ id, version })
          known.set(keyOf(title), id)
        }
        taskIds.push(known.get(keyOf(title)) as number)
      }
      if (made.length === 0) return { taskIds, actionId: null }
      const summary = `Created ${made.length} task${made.length === 1 ? '' : 's'} from “${email.subject.slice(0, 200)}”`
      return {
        taskIds,
        actionId: await actions.record(tx, { userId, kind: KIND, summary, payload: { tasks: made } }),
      }
    },
  }
}
