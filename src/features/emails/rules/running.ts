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
import { deedWords, differenceOf, type Marked, type Marks, markedBy } from './deeds.ts'
import { recordDone } from './journal.ts'
import type { Deeds, RunAnswer, RunBody } from './schema.ts'
import { findRule, listMarked, type MarkedEmail, marksOf, type RuleRecord } from './store.ts'

/** Changed in one run, the newest first: whoever writes waits meanwhile. */
const MOST = 500
/** Looked at for them. */
const MOST_LOOKED_AT = 5_000
const PAGE = 250
/** Between so many, others are answered. */
const PIECE = 25

/** An e-mail that fits and is not yet as the rule wants it. */
interface Due {
  email: MarkedEmail
  after: Marks
  difference: Marked | null
  lacksTask: boolean
}

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

  /** Of these, the ones that are not yet as the rule wants them. */
  const dueOf = async (tx: Db, ids: number[], deeds: Deeds): Promise<Due[]> => {
    if (ids.length === 0) return []
    const withTask = deeds.task ? await tasks().withTasks(tx, ids) : null
    return (await listMarked(tx, ids))
      .map((email) => {
        const before = marksOf(email)
        const after = markedBy(before, deeds)
        const lacksTask = withTask !== null && !withTask.has(email.id)
        return { email, after, difference: differenceOf(email.id, before, after), lacksTask }
      })
      .filter(({ difference, lacksTask }) => difference || lacksTask)
  }

  const find = async (
    tx: Db,
    { q }: RuleRecord,
    deeds: Deeds,
  ): Promise<{ found: number; due: Due[]; more: boolean }> => {
    const condition = conditionOf(q)
    if (!condition) throw conflict('This version cannot read what this rule asks for. Change it first.')
    const { all, none } = condition.words
    const filter = {
      words: all.length + none.length > 0 ? condition.words : null,
      filters: [{ kind: 'folder', folder: 'inbox', not: false } as const, ...condition.filters],
    }
    const due: Due[] = []
    let found = 0
    for (let before: number | undefined; ; ) {
      const rows = await lists.listNewest(tx, filter, { limit: PAGE, before })
      const page = rows.slice(0, PAGE)
      found += page.length
      due.push(
        ...(await dueOf(
          tx,
          page.map(({ id }) => id),
          deeds,
        )),
      )
      const isLast = rows.length <= PAGE
      if (isLast || due.length >= MOST || found >= MOST_LOOKED_AT)
        return { found, due: due.slice(0, MOST), more: !isLast || due.length > MOST }
      before = page.at(-1)?.position
      await setImmediate()
    }
  }

  return (id: number, { dryRun = false }: RunBody): Promise<RunAnswer> =>
    inTransaction(db, async (tx) => {
      const rule = await findRule(tx, id)
      if (!rule) throw notFound('mail rule')
      const deeds = JSON.parse(rule.does) as Deeds
      const { found, due, more } = await find(tx, rule, deeds)
      const answer = { found, changed: due.length, more }
      if (dryRun || due.length === 0) return { ...answer, actionId: null }
      const marked: Marked[] = []
      const made: { id: number; version: number }[] = []
      for (const [index, { email, after, difference, lacksTask }] of due.entries()) {
        if (difference) {
          marked.push(difference)
          await emails.change(email.id, { ...after, tags: [...after.tags] }, undefined)
        }
        const task = lacksTask ? await tasks().make(tx, { ...email, tags: after.tags }) : null
        if (task) made.push(task)
        if (index % PIECE === PIECE - 1) await setImmediate()
      }
      const many = `${due.length} e-mail${due.length === 1 ? '' : 's'}`
      const summary = `By the rule “${rule.name}”: ${many} ${deedWords([deeds])}`
      const actionId = await recordDone(actions, tx, summary, { emails: marked, tasks: made })
      await changes.record(tx, {
        type: 'mail_rule.run',
        subject: String(id),
        data: { id, changed: due.length, actionId },
      })
      return { ...answer, actionId }
    })
}
