import { setImmediate } from 'node:timers/promises'
import type { Static } from 'typebox'
import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { entryOf, type FullText } from '../../../database/full-text/full-text.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Changes } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { Actions } from '../../undo/journal.ts'
import { toFolder, usesOf } from '../folders/folder.ts'
import { isOnServer, listPlaces, type Place } from '../folders/places.ts'
import { findFolder, findFolderByUse } from '../folders/repository.ts'
import { searchTextsOf } from '../messages/content.ts'
import { type Draft, EmailFlags, pickFlags, tagKeys, toContentColumns, toFlags } from '../messages/email.ts'
import { createEmailLists } from '../messages/email-list-repository.ts'
import type { EmailRecord } from '../messages/email-repository.ts'
import type { Emails } from '../messages/emails.ts'
import { resolvePreset } from '../reminders/snooze-presets.ts'
import { listEnabled, listMarked, type MarkedEmail, type RuleRecord, ruleRows } from './repository.ts'
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
  revertEffects,
  type TargetFolder,
} from './rules.ts'
import type { RuleEffects, RunBody, RunResponse } from './schema.ts'

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

/** Limit for the changes of one run, newest emails first. Other writers wait during the transaction. */
const MAX_CHANGES = 500
/** Limit for the matching emails that are examined. */
const MAX_MATCHES = 5_000
const PAGE = 250
/** Yields to other requests after this number of emails. */
const YIELD_INTERVAL = 25

const toMarks = (email: MarkedEmail): Marks => ({
  folder: email.folder,
  folderId: email.folderId,
  tags: JSON.parse(email.tags) as string[],
  ...toFlags(email),
  pinned: email.pinned === 1,
  snoozedUntil: email.snoozedUntil,
})

/** Undefined if the rule names no server folder, or the folder no longer exists. */
const findTarget = async (
  tx: Db,
  userId: number,
  { folderId }: RuleEffects,
): Promise<TargetFolder | undefined> => {
  const row = folderId === null ? undefined : await findFolder(tx, userId, folderId)
  return row && { id: row.id, accountId: row.accountId, folder: toFolder(row.use) }
}

const ofAccount = (target: TargetFolder | undefined, accountId: string | null): TargetFolder | undefined =>
  target?.accountId === accountId ? target : undefined

/** Reads the times of presets in the time zone of an account. */
export interface SnoozeTimes {
  clock: Clock
  zoneOf: (userId: number) => Promise<string>
}

const resolveSnooze = async (
  { clock, zoneOf }: SnoozeTimes,
  userId: number,
  { snooze }: RuleEffects,
): Promise<string | null> =>
  snooze === null ? null : resolvePreset(snooze, clock.now(), await zoneOf(userId))

/** A matching email that the rule would still change. */
interface PendingChange {
  email: MarkedEmail
  after: Marks
  difference: Marked | null
  lacksTask: boolean
}

export interface RuleRunnerDeps extends SnoozeTimes {
  db: Db
  fullText: FullText
  changes: Changes
  actions: Actions
  emails: Pick<Emails, 'change'>
  tasks: () => MailTasks
}

/** Applies a rule to the emails in the inbox in one transaction, and records the changes for undo. */
export const createRuleRunner = (deps: RuleRunnerDeps) => {
  const { db, changes, actions, emails, tasks } = deps
  const lists = createEmailLists(deps.fullText, ['id'])

  /** Returns the emails that the rule would still change. */
  const findPending = async (
    tx: Db,
    userId: number,
    ids: number[],
    effects: RuleEffects,
  ): Promise<PendingChange[]> => {
    if (ids.length === 0) return []
    const withTask = effects.task ? await tasks().withTasks(tx, userId, ids) : null
    const target = await findTarget(tx, userId, effects)
    const snoozedUntil = await resolveSnooze(deps, userId, effects)
    return (await listMarked(tx, userId, ids))
      .map((email) => {
        const before = toMarks(email)
        const after = applyEffects(before, effects, ofAccount(target, email.accountId), snoozedUntil)
        const lacksTask = withTask !== null && !withTask.has(email.id)
        return { email, after, difference: findDifference(email.id, before, after), lacksTask }
      })
      .filter(({ difference, lacksTask }) => difference || lacksTask)
  }

  const find = async (
    tx: Db,
    { userId, q }: RuleRecord,
    effects: RuleEffects,
  ): Promise<{ found: number; pending: PendingChange[]; more: boolean }> => {
    const condition = parseCondition(q)
    if (!condition)
      throw conflict('This version cannot parse the condition of the rule. Change the condition first.')
    const { all, none } = condition.words
    const filter = {
      userId,
      words: all.length + none.length > 0 ? condition.words : null,
      filters: [{ kind: 'folder', folder: 'inbox', not: false } as const, ...condition.filters],
    }
    const pending: PendingChange[] = []
    let found = 0
    for (let before: number | undefined; ; ) {
      const rows = await lists.listNewest(tx, filter, { limit: PAGE, before })
      const page = rows.slice(0, PAGE)
      found += page.length
      pending.push(
        ...(await findPending(
          tx,
          userId,
          page.map(({ id }) => id),
          effects,
        )),
      )
      const isLast = rows.length <= PAGE
      if (isLast || pending.length >= MAX_CHANGES || found >= MAX_MATCHES)
        return {
          found,
          pending: pending.slice(0, MAX_CHANGES),
          more: !isLast || pending.length > MAX_CHANGES,
        }
      before = page.at(-1)?.position
      await setImmediate()
    }
  }

  return (userId: number, id: number, { dryRun = false }: RunBody): Promise<RunResponse> =>
    inTransaction(db, async (tx) => {
      const rule = await ruleRows.find(tx, userId, id)
      if (!rule) throw notFound('mail rule')
      const effects = parseEffects(rule.does)
      const { found, pending, more } = await find(tx, rule, effects)
      const response = { found, changed: pending.length, more }
      if (dryRun || pending.length === 0) return { ...response, actionId: null }
      const marked: Marked[] = []
      const createdTasks: { id: number; version: number }[] = []
      for (const [index, { email, after, difference, lacksTask }] of pending.entries()) {
        if (difference) {
          marked.push(difference)
          await emails.change(userId, email.id, { ...after, tags: [...after.tags] }, undefined)
        }
        const task = lacksTask ? await tasks().make(tx, userId, { ...email, tags: after.tags }) : null
        if (task) createdTasks.push(task)
        if (index % YIELD_INTERVAL === YIELD_INTERVAL - 1) await setImmediate()
      }
      const emailCount = `${pending.length} email${pending.length === 1 ? '' : 's'}`
      const summary = `By the rule “${rule.name}”: ${emailCount} ${formatEffects([effects])}`
      const actionId = await recordRuleChanges(actions, tx, userId, summary, {
        emails: marked,
        tasks: createdTasks,
      })
      await changes.record(tx, {
        userId,
        type: 'mail_rule.run',
        subject: String(id),
        data: { id, changed: pending.length, actionId },
      })
      return { ...response, actionId }
    })
}

/** The folder into which the rule moved the email, if it is still there. */
const findMovedPlace = (email: MarkedEmail, { folder, folderId }: Marked): Place | undefined =>
  listPlaces(email)
    .filter(isOnServer)
    .find(({ id, role }) => role === folder?.is && (typeof folderId?.is !== 'number' || id === folderId.is))

/** Reverts the recorded changes. Keeps values that the user changed since. */
const revertMarks = async (
  tx: Db,
  userId: number,
  emails: Pick<Emails, 'change'>,
  marked: readonly Marked[],
): Promise<number> => {
  if (marked.length === 0) return 0
  const existing = await listMarked(
    tx,
    userId,
    marked.map(({ id }) => id),
  )
  const byId = new Map(existing.map((email) => [email.id, email]))
  let count = 0
  for (const change of marked) {
    const email = byId.get(change.id)
    if (!email) continue
    const place = findMovedPlace(email, change)
    const now = { ...toMarks(email), ...(place && { folder: place.role, folderId: place.id }) }
    const reverted = revertEffects(now, change)
    if (areEqual(now, reverted)) continue
    const input = { ...reverted, tags: [...reverted.tags] }
    await emails.change(userId, change.id, input, undefined, { folderId: place?.id })
    if (++count % YIELD_INTERVAL === 0) await setImmediate()
  }
  return count
}

const areEqual = (one: Marks, other: Marks): boolean =>
  findDifference(0, one, other) === null &&
  one.tags.length === other.tags.length &&
  one.pinned === other.pinned &&
  one.snoozedUntil === other.snoozedUntil

export const defineUndo = (deps: {
  actions: Actions
  emails: Pick<Emails, 'change'>
  tasks: () => MailTasks
}) =>
  deps.actions.define({
    kind: KIND,
    about: 'task',
    payload: RuleChangesPayload,
    references: {
      'emails.*.id': 'emails',
      'emails.*.folderId.was': 'mail_folders',
      'emails.*.folderId.is': 'mail_folders',
      'tasks.*.id': 'tasks',
    },
    async undo(tx, { emails: marked, tasks }, _parts, userId) {
      const reverted = await revertMarks(tx, userId, deps.emails, marked as Marked[])
      const removed = await deps.tasks().takeBack(tx, userId, tasks)
      if (reverted + removed === 0) throw conflict('All emails and tasks of this run were changed since.')
    },
  })

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
export const createRuleEngine = (deps: { actions: Actions; tasks: () => MailTasks } & SnoozeTimes) => {
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
      const task = makesTask ? await tasks().make(tx, email.userId, { ...email, tags: marks.tags }) : null
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
