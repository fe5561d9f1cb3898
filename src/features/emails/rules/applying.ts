import type { Db } from '../../../database/db.ts'
import { entryOf } from '../../../database/full-text/matching.ts'
import type { Actions } from '../../actions/actions.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import { searchTextsOf } from '../content.ts'
import { type Draft, fieldsOf, tagKeys } from '../draft.ts'
import type { EmailRecord } from '../store.ts'
import { type Condition, conditionOf, fits } from './condition.ts'
import { deedWords, differenceOf, type Marks, markedBy } from './deeds.ts'
import { recordDone } from './journal.ts'
import type { Deeds } from './schema.ts'
import { listEnabled, type RuleRecord } from './store.ts'

interface Rule {
  name: string
  madeAt: string
  condition: Condition | null
  deeds: Deeds
}

/** What rules make of mail that arrives. */
export interface Ruled {
  marks: Marks
  rules: readonly Pick<Rule, 'name' | 'deeds'>[]
}

/** Mail servers tell the second in which a message came. */
const secondOf = (instant: string): string => `${instant.slice(0, 19)}.000Z`

const namesOf = (rules: Ruled['rules']): string =>
  `${rules.length === 1 ? 'By the rule' : 'By the rules'} ${rules.map(({ name }) => `“${name}”`).join(', ')}`

export type RuleApplying = ReturnType<typeof createRuleApplying>

/** Applies the rules to mail as it arrives, within the transaction that files it. */
export const createRuleApplying = ({ actions, tasks }: { actions: Actions; tasks: () => MailTasks }) => {
  const read = new Map<number, { version: number; rule: Rule }>()
  const listed = new WeakMap<Db, Promise<Rule[]>>()

  /** Each version of a rule is read once. */
  const ruleOf = ({ id, version, name, createdAt, q, does }: RuleRecord): Rule => {
    const known = read.get(id)
    if (known?.version === version) return known.rule
    const rule = {
      ...{ name, madeAt: secondOf(createdAt), condition: conditionOf(q) },
      deeds: JSON.parse(does) as Deeds,
    }
    read.set(id, { version, rule })
    return rule
  }

  const list = async (tx: Db): Promise<Rule[]> => {
    const rows = await listEnabled(tx)
    if (read.size > rows.length) {
      const ids = new Set(rows.map(({ id }) => id))
      for (const id of read.keys()) if (!ids.has(id)) read.delete(id)
    }
    return rows.map(ruleOf)
  }

  /** Asked for once in a transaction, however many messages it files. */
  const rulesIn = (tx: Db): Promise<Rule[]> => {
    const known = listed.get(tx) ?? list(tx)
    listed.set(tx, known)
    return known
  }

  return {
    /** One after the other, in the order in which they were made: a later one sees the tags of those before. */
    async judge(tx: Db, draft: Draft, arrivedAt: string): Promise<Ruled | undefined> {
      const rules = (await rulesIn(tx)).filter(({ madeAt }) => arrivedAt >= madeAt)
      if (rules.length === 0) return undefined
      const entry = entryOf(searchTextsOf({ ...fieldsOf(draft), text: draft.content.text }))
      const hasAttachments = draft.attachments.length > 0
      const listId = draft.mailingList?.id ?? null
      let marks: Marks = draft
      const applied: Rule[] = []
      for (const rule of rules) {
        const mail = { entry, tagKeys: tagKeys(marks.tags), hasAttachments, listId }
        if (!rule.condition || !fits(rule.condition, mail)) continue
        applied.push(rule)
        marks = markedBy(marks, rule.deeds)
      }
      if (applied.length === 0) return undefined
      const { folder, tags, read: isRead, starred } = marks
      return { marks: { folder, tags, read: isRead, starred }, rules: applied }
    },

    /** What is left to do once it is filed: its task, and to write down what was done. */
    async conclude(tx: Db, email: EmailRecord, before: Marks, { marks, rules }: Ruled): Promise<void> {
      const makesTask = rules.some(({ deeds }) => deeds.task)
      const task = makesTask ? await tasks().make(tx, { ...email, tags: marks.tags }) : null
      const marked = differenceOf(email.id, before, marks)
      if (!marked && !task) return
      const words = deedWords(rules.map(({ deeds }) => deeds))
      const summary = `${namesOf(rules)}: “${email.subject.slice(0, 200)}” ${words}`
      await recordDone(actions, tx, summary, {
        ...{ emails: marked ? [marked] : [], tasks: task ? [task] : [] },
      })
    },
  }
}
