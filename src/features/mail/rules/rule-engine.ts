import type { Db } from '../../../database/db.ts'
import { entryOf } from '../../../database/full-text/full-text.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { Actions } from '../../undo/journal.ts'
import { searchTextsOf } from '../content.ts'
import { type Draft, fieldsOf, tagKeys } from '../email.ts'
import type { EmailRecord } from '../email-repository.ts'
import { listEnabled, type RuleRecord } from './repository.ts'
import {
  applyEffects,
  type Condition,
  findDifference,
  formatEffects,
  type Marks,
  matchesCondition,
  parseCondition,
} from './rules.ts'
import { recordRuleChanges } from './run.ts'
import type { RuleEffects } from './schema.ts'

interface Rule {
  name: string
  createdAt: string
  condition: Condition | null
  effects: RuleEffects
}

/** The result of applying the rules to an incoming email. */
export interface RuleResult {
  marks: Marks
  rules: readonly Pick<Rule, 'name' | 'effects'>[]
}

/** Mail servers report arrival times in whole seconds. */
const truncateToSecond = (instant: string): string => `${instant.slice(0, 19)}.000Z`

const formatRuleNames = (rules: RuleResult['rules']): string =>
  `${rules.length === 1 ? 'By the rule' : 'By the rules'} ${rules.map(({ name }) => `“${name}”`).join(', ')}`

export type RuleEngine = ReturnType<typeof createRuleEngine>

/** Applies the rules to incoming mail, in the transaction that stores it. */
export const createRuleEngine = ({ actions, tasks }: { actions: Actions; tasks: () => MailTasks }) => {
  const read = new Map<number, { version: number; rule: Rule }>()
  const rulesByTransaction = new WeakMap<Db, Promise<Rule[]>>()

  /** Parses each version of a rule only once. */
  const parseRule = ({ id, version, name, createdAt, q, does }: RuleRecord): Rule => {
    const known = read.get(id)
    if (known?.version === version) return known.rule
    const rule = {
      name,
      createdAt: truncateToSecond(createdAt),
      condition: parseCondition(q),
      effects: JSON.parse(does) as RuleEffects,
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
    return rows.map(parseRule)
  }

  /** Reads the rules once per transaction, however many messages it stores. */
  const listRulesOnce = (tx: Db): Promise<Rule[]> => {
    const known = rulesByTransaction.get(tx) ?? list(tx)
    rulesByTransaction.set(tx, known)
    return known
  }

  return {
    /** Applies the rules in the order of creation. A later rule sees the tags that earlier ones added. */
    async judge(tx: Db, draft: Draft, arrivedAt: string): Promise<RuleResult | undefined> {
      const rules = (await listRulesOnce(tx)).filter(({ createdAt }) => arrivedAt >= createdAt)
      if (rules.length === 0) return undefined
      const entry = entryOf(searchTextsOf({ ...fieldsOf(draft), text: draft.content.text }))
      const hasAttachments = draft.attachments.length > 0
      const listId = draft.mailingList?.id ?? null
      let marks: Marks = draft
      const applied: Rule[] = []
      for (const rule of rules) {
        const mail = { entry, tagKeys: tagKeys(marks.tags), hasAttachments, listId }
        if (!rule.condition || !matchesCondition(rule.condition, mail)) continue
        applied.push(rule)
        marks = applyEffects(marks, rule.effects)
      }
      if (applied.length === 0) return undefined
      const { folder, tags, read: isRead, starred } = marks
      return { marks: { folder, tags, read: isRead, starred }, rules: applied }
    },

    /** Runs after the email is stored: creates its task and records the changes for undo. */
    async conclude(tx: Db, email: EmailRecord, before: Marks, { marks, rules }: RuleResult): Promise<void> {
      const makesTask = rules.some(({ effects }) => effects.task)
      const task = makesTask ? await tasks().make(tx, { ...email, tags: marks.tags }) : null
      const marked = findDifference(email.id, before, marks)
      if (!marked && !task) return
      const effectText = formatEffects(rules.map(({ effects }) => effects))
      const summary = `${formatRuleNames(rules)}: “${email.subject.slice(0, 200)}” ${effectText}`
      await recordRuleChanges(actions, tx, summary, {
        emails: marked ? [marked] : [],
        tasks: task ? [task] : [],
      })
    },
  }
}
