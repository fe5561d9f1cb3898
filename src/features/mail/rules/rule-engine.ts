import type { Static } from 'typebox'
import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { entryOf } from '../../../database/full-text/full-text.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { Actions } from '../../undo/journal.ts'
import { toFolder, usesOf } from '../folders/folder.ts'
import { findFolder, findFolderByUse } from '../folders/repository.ts'
import { searchTextsOf } from '../messages/content.ts'
import { type Draft, EmailFlags, pickFlags, tagKeys, toContentColumns } from '../messages/email.ts'
import type { EmailRecord } from '../messages/email-repository.ts'
import { resolvePreset } from '../reminders/snooze-presets.ts'
import { listEnabled, type RuleRecord } from './repository.ts'
import {
  applyEffects,
  type Condition,
  findDifference,
  formatEffects,
  type Marked,
  type Marks,
  matchesCondition,
  parseCondition,
  parseEffects,
  type TargetFolder,
} from './rules.ts'
import type { RuleEffects } from './schema.ts'

export const KIND = 'emails.ruled'

const Folder = Type.Enum(['inbox', 'archive', 'trash', 'junk', 'sent', 'drafts', 'other'])
const ServerFolder = Type.Union([Type.Integer(), Type.Null()])
/** The undo record of a rule run. */
export const RuleChangesPayload = Type.Object({
  emails: Type.Array(
    Type.Object({
      id: Type.Integer(),
      folder: Type.Optional(Type.Object({ was: Folder, is: Folder })),
      folderId: Type.Optional(Type.Object({ was: ServerFolder, is: ServerFolder })),
      tags: Type.Optional(Type.Array(Type.String())),
      ...Type.Partial(EmailFlags).properties,
      pinned: Type.Optional(Type.Boolean()),
      snoozedUntil: Type.Optional(Type.String()),
    }),
  ),
  tasks: Type.Array(Type.Object({ id: Type.Integer(), version: Type.Integer() })),
})

/** Records the changes in the same transaction. */
export const recordRuleChanges = (
  actions: Actions,
  tx: Db,
  userId: number,
  summary: string,
  done: { emails: readonly Marked[]; tasks: Static<typeof RuleChangesPayload>['tasks'] },
): Promise<number> => actions.record(tx, { userId, kind: KIND, summary, payload: done })

/** Undefined if the rule names no server folder, or the folder no longer exists. */
export const findTarget = async (
  tx: Db,
  userId: number,
  { folderId }: RuleEffects,
): Promise<TargetFolder | undefined> => {
  const row = folderId === null ? undefined : await findFolder(tx, userId, folderId)
  return row && { id: row.id, accountId: row.accountId, folder: toFolder(row.use) }
}

export const ofAccount = (
  target: TargetFolder | undefined,
  accountId: string | null,
): TargetFolder | undefined => (target?.accountId === accountId ? target : undefined)

/** Reads the times of presets in the time zone of an account. */
export interface SnoozeTimes {
  clock: Clock
  zoneOf: (userId: number) => Promise<string>
}

export const resolveSnooze = async (
  { clock, zoneOf }: SnoozeTimes,
  userId: number,
  { snooze }: RuleEffects,
): Promise<string | null> =>
  snooze === null ? null : resolvePreset(snooze, clock.now(), await zoneOf(userId))

interface Rule {
  name: string
  createdAt: string
  condition: Condition | null
  effects: RuleEffects
  target?: TargetFolder | undefined
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

/** The server folder of a draft that a rule moves. */
const findFolderIdFor = async (tx: Db, draft: Draft, folder: Marks['folder']): Promise<number | null> => {
  if (draft.accountId === null || draft.folderId === null) return null
  return (await findFolderByUse(tx, draft.userId, draft.accountId, usesOf(folder)))?.id ?? null
}

export type RuleEngine = ReturnType<typeof createRuleEngine>

/** Applies the rules to incoming mail, in the transaction that stores it. */
export const createRuleEngine = (deps: { actions: Actions; tasks: MailTasks } & SnoozeTimes) => {
  const { actions, tasks } = deps
  const read = new Map<number, { version: number; userId: number; rule: Rule }>()
  const rulesByTransaction = new WeakMap<Db, Map<number, Promise<Rule[]>>>()

  /** Parses each version of a rule only once. */
  const parseRule = ({ id, userId, version, name, createdAt, q, does }: RuleRecord): Rule => {
    const known = read.get(id)
    if (known?.version === version) return known.rule
    const rule = {
      name,
      createdAt: truncateToSecond(createdAt),
      condition: parseCondition(q),
      effects: parseEffects(does),
    }
    read.set(id, { version, userId, rule })
    return rule
  }

  const list = async (tx: Db, userId: number): Promise<Rule[]> => {
    const rows = await listEnabled(tx, userId)
    const ids = new Set(rows.map(({ id }) => id))
    for (const [id, known] of read) if (known.userId === userId && !ids.has(id)) read.delete(id)
    const rules: Rule[] = []
    for (const row of rows) {
      const rule = parseRule(row)
      rules.push({ ...rule, target: await findTarget(tx, userId, rule.effects) })
    }
    return rules
  }

  /** Reads the rules of an account once per transaction, however many messages it stores. */
  const listRulesOnce = (tx: Db, userId: number): Promise<Rule[]> => {
    const byUser = rulesByTransaction.get(tx) ?? new Map<number, Promise<Rule[]>>()
    rulesByTransaction.set(tx, byUser)
    const known = byUser.get(userId) ?? list(tx, userId)
    byUser.set(userId, known)
    return known
  }

  return {
    /** Applies the rules in the order of creation. A later rule sees the tags that earlier ones added. */
    async judge(tx: Db, draft: Draft, arrivedAt: string): Promise<RuleResult | undefined> {
      const rules = (await listRulesOnce(tx, draft.userId)).filter(({ createdAt }) => arrivedAt >= createdAt)
      if (rules.length === 0) return undefined
      const entry = entryOf(searchTextsOf({ ...toContentColumns(draft), text: draft.content.text }))
      const hasAttachments = draft.attachments.length > 0
      const listId = draft.mailingList?.id ?? null
      let marks: Marks = draft
      const applied: Rule[] = []
      for (const rule of rules) {
        const mail = { entry, tagKeys: tagKeys(marks.tags), hasAttachments, listId }
        if (!rule.condition || !matchesCondition(rule.condition, mail)) continue
        applied.push(rule)
        const snoozedUntil = await resolveSnooze(deps, draft.userId, rule.effects)
        marks = applyEffects(marks, rule.effects, ofAccount(rule.target, draft.accountId), snoozedUntil)
      }
      if (applied.length === 0) return undefined
      const { folder, tags, pinned, snoozedUntil } = marks
      const folderId = marks.folderId ?? (await findFolderIdFor(tx, draft, folder))
      return {
        marks: { folder, folderId, tags, pinned, snoozedUntil, ...pickFlags<EmailFlags>(marks) },
        rules: applied,
      }
    },

    /** Runs after the email is stored: creates its task and records the changes for undo. */
    async conclude(tx: Db, email: EmailRecord, before: Marks, { marks, rules }: RuleResult): Promise<void> {
      const makesTask = rules.some(({ effects }) => effects.task)
      const task = makesTask ? await tasks.make(tx, email.userId, { ...email, tags: marks.tags }) : null
      const marked = findDifference(email.id, before, marks)
      if (!marked && !task) return
      const effectText = formatEffects(rules.map(({ effects }) => effects))
      const summary = `${formatRuleNames(rules)}: “${email.subject.slice(0, 200)}” ${effectText}`
      await recordRuleChanges(actions, tx, email.userId, summary, {
        emails: marked ? [marked] : [],
        tasks: task ? [task] : [],
      })
    },
  }
}
