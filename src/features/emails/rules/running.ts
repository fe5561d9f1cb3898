import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../database/db.ts'
import type { FullText } from '../../../database/full-text/full-text.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Changes } from '../../../platform/changes.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { Actions } from '../../actions/actions.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { Emails } from '../emails.ts'
import { createEmailLists } from '../list-store.ts'
import { conditionOf } from './condition.ts'
import { deedWords, differenceOf, type Marked, markedBy } from './deeds.ts'
import { recordDone } from './journal.ts'
import type { Deeds, RunAnswer, RunBody } from './schema.ts'
import { findRule, listMarked, type MarkedEmail, marksOf, type RuleRecord } from './store.ts'

/** Looked at, the newest: whoever writes waits meanwhile. */
const MOST = 500
/** Between so many, others are answered. */
const PIECE = 25

export interface RunningDeps {
  db: Db
  fullText: FullText
  changes: Changes
  actions: Actions
  emails: Pick<Emails, 'change'>
  tasks: () => MailTasks
}

/** Applies a rule to what lies in the inbox already, all at once; the journal knows how it was. */
export const createRunning = (deps: RunningDeps) => {
  const { db, changes, actions, emails, tasks } = deps
  const lists = createEmailLists(deps.fullText)

  const find = async (tx: Db, { q }: RuleRecord): Promise<{ found: MarkedEmail[]; more: boolean }> => {
    const condition = conditionOf(q)
    if (!condition) throw conflict('This version cannot read what this rule asks for. Change it first.')
    const { all, none } = condition.words
    const filter = {
      words: all.length + none.length > 0 ? condition.words : null,
      filters: [{ kind: 'folder', folder: 'inbox', not: false } as const, ...condition.filters],
    }
    const rows = await lists.listNewest(tx, filter, { limit: MOST, before: undefined })
    const ids = rows.slice(0, MOST).map(({ id }) => id)
    return { found: ids.length === 0 ? [] : await listMarked(tx, ids), more: rows.length > MOST }
  }

  return (id: number, { dryRun = false }: RunBody): Promise<RunAnswer> =>
    inTransaction(db, async (tx) => {
      const rule = await findRule(tx, id)
      if (!rule) throw notFound('mail rule')
      const deeds = JSON.parse(rule.does) as Deeds
      const { found, more } = await find(tx, rule)
      const withTask = deeds.task
        ? await tasks().withTasks(
            tx,
            found.map((email) => email.id),
          )
        : null
      const marked: Marked[] = []
      const made: { id: number; version: number }[] = []
      let changed = 0
      for (const [index, email] of found.entries()) {
        const before = marksOf(email)
        const after = markedBy(before, deeds)
        const difference = differenceOf(email.id, before, after)
        const lacksTask = withTask !== null && !withTask.has(email.id)
        if (difference || lacksTask) changed++
        if (dryRun) continue
        if (difference) {
          marked.push(difference)
          await emails.change(email.id, { ...after, tags: [...after.tags] }, undefined)
        }
        const task = lacksTask ? await tasks().make(tx, { ...email, tags: after.tags }) : null
        if (task) made.push(task)
        if (index % PIECE === PIECE - 1) await setImmediate()
      }
      const answer = { found: found.length, changed, more }
      if (dryRun || changed === 0) return { ...answer, actionId: null }
      const many = `${changed} e-mail${changed === 1 ? '' : 's'}`
      const summary = `By the rule “${rule.name}”: ${many} ${deedWords([deeds])}`
      const actionId = await recordDone(actions, tx, summary, { emails: marked, tasks: made })
      await changes.record(tx, {
        type: 'mail_rule.run',
        subject: String(id),
        data: { id, changed, actionId },
      })
      return { ...answer, actionId }
    })
}
