import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { privateTagsOf } from '../../engine/mail/private-tag.ts'
import { conflict } from '../../platform/errors.ts'
import type { Actions } from '../actions/actions.ts'
import { listOfEmail, lockTask } from './store.ts'
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

  return {
    /** Part of the transaction that holds the e-mail, so that two at once do not file the same twice. */
    async file(
      tx: Db,
      email: { id: number; subject: string; tags: readonly string[] },
      items: readonly MailTask[],
    ): Promise<{ taskIds: number[]; actionId: number | null }> {
      // What is private stays so when the e-mail is gone.
      const tags = privateTagsOf(email.tags)
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
