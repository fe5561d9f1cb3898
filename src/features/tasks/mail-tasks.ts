import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { privateTagsOf } from '../../engine/mail/private-tag.ts'
import { conflict } from '../../platform/errors.ts'
import type { Actions } from '../actions/actions.ts'
import { listOfEmail, listWithTasks, lockTask } from './store.ts'
import type { Tasks } from './tasks.ts'

const KIND = 'tasks.from_email'
const LONGEST_TITLE = 500
const Payload = Type.Object({
  tasks: Type.Array(Type.Object({ id: Type.Integer(), version: Type.Integer() })),
})

/** Something that a mail asks for. */
export interface MailTask {
  title: string
  dueAt: string | null
  /** Where no hour was named; `dueAt` is then where it ends. */
  dueDay: string | null
}

export type MailTasks = ReturnType<typeof createMailTasks>

const keyOf = (title: string): string => title.toLowerCase().replace(/\s+/g, ' ').trim()

/** What a mail asks for, as tasks: each once, however often it is read, and all taken back at once. */
export const createMailTasks = ({ actions, tasks }: { actions: Actions; tasks: Tasks }) => {
  actions.define({
    kind: KIND,
    about: 'task',
    payload: Payload,
    async undo(tx, payload) {
      for (const { id, version } of payload.tasks) {
        const task = await lockTask(tx, id)
        if (!task) throw conflict('One of the tasks has been removed since.')
        if (task.version !== version) throw conflict(`The task “${task.title}” has been changed since.`)
      }
      for (const { id } of payload.tasks) await tasks.remove(id, undefined)
    },
  })

  /** What is private stays so when the e-mail is gone. */
  const tagsFor = (email: { tags: readonly string[] }): string[] => privateTagsOf(email.tags)

  return {
    /** One task of an e-mail itself, by its subject, unless there is any of it. */
    async make(
      tx: Db,
      email: { id: number; subject: string; tags: readonly string[] },
    ): Promise<{ id: number; version: number } | null> {
      if ((await listOfEmail(tx, email.id)).length > 0) return null
      const title =
        email.subject.trim().slice(0, LONGEST_TITLE).toWellFormed() || 'An e-mail without a subject'
      const { id, version } = await tasks.create({ title, emailId: email.id, tags: tagsFor(email) })
      return { id, version }
    },

    /** Of these e-mails, those that a task was made of. */
    withTasks: async (tx: Db, emailIds: readonly number[]): Promise<Set<number>> =>
      new Set(emailIds.length === 0 ? [] : await listWithTasks(tx, emailIds)),

    /** Removes those that nobody has touched since, and says how many. */
    async takeBack(tx: Db, made: readonly { id: number; version: number }[]): Promise<number> {
      let count = 0
      for (const { id, version } of made) {
        const task = await lockTask(tx, id)
        if (task?.version !== version) continue
        await tasks.remove(id, undefined)
        count++
      }
      return count
    },

    /** Part of the transaction that holds the e-mail, so that two at once do not file the same twice. */
    async file(
      tx: Db,
      email: { id: number; subject: string; tags: readonly string[] },
      items: readonly MailTask[],
    ): Promise<{ taskIds: number[]; actionId: number | null }> {
      const tags = tagsFor(email)
      const known = new Map((await listOfEmail(tx, email.id)).map(({ id, title }) => [keyOf(title), id]))
      const made: { id: number; version: number }[] = []
      const taskIds: number[] = []
      for (const { title: words, dueAt, dueDay } of items) {
        const title = words.slice(0, LONGEST_TITLE).toWellFormed()
        const there = known.get(keyOf(title))
        if (there === undefined) {
          const { id, version } = await tasks.create({
            ...{ title, emailId: email.id, tags },
            ...(dueDay === null ? { dueAt } : { dueDay }),
          })
          made.push({ id, version })
          known.set(keyOf(title), id)
        }
        taskIds.push(known.get(keyOf(title)) as number)
      }
      if (made.length === 0) return { taskIds, actionId: null }
      const summary = `Made ${made.length} task${made.length === 1 ? '' : 's'} of “${email.subject.slice(0, 200)}”`
      return {
        taskIds,
        actionId: await actions.record(tx, { kind: KIND, summary, payload: { tasks: made } }),
      }
    },
  }
}
