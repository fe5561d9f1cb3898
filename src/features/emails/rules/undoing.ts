import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../database/db.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Actions } from '../../actions/actions.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { Emails } from '../emails.ts'
import { differenceOf, type Marked, type Marks, withoutDeeds } from './deeds.ts'
import { Done, KIND } from './journal.ts'
import { listMarked, marksOf } from './store.ts'

/** Between so many, others are answered. */
const PIECE = 25

/** What has been changed otherwise since was meant to be, and is left. */
const takeBackMarks = async (
  tx: Db,
  emails: Pick<Emails, 'change'>,
  marked: readonly Marked[],
): Promise<number> => {
  if (marked.length === 0) return 0
  const there = await listMarked(
    tx,
    marked.map(({ id }) => id),
  )
  const byId = new Map(there.map((email) => [email.id, marksOf(email)]))
  let count = 0
  for (const one of marked) {
    const now = byId.get(one.id)
    const back = now && withoutDeeds(now, one)
    if (!now || !back || isSame(now, back)) continue
    await emails.change(one.id, { ...back, tags: [...back.tags] }, undefined)
    if (++count % PIECE === 0) await setImmediate()
  }
  return count
}

const isSame = (one: Marks, other: Marks): boolean =>
  differenceOf(0, one, other) === null && one.tags.length === other.tags.length

export const defineUndo = (deps: {
  actions: Actions
  emails: Pick<Emails, 'change'>
  tasks: () => MailTasks
}): void =>
  deps.actions.define({
    kind: KIND,
    about: 'task',
    payload: Done,
    async undo(tx, { emails: marked, tasks }) {
      const back = await takeBackMarks(tx, deps.emails, marked as Marked[])
      const removed = await deps.tasks().takeBack(tx, tasks)
      if (back + removed === 0) throw conflict('All of it has been changed otherwise since.')
    },
  })
