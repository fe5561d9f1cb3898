import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../database/db.ts'
import type { FullText } from '../../../database/full-text/full-text.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { MailTasks } from '../../tasks/mail-tasks.ts'
import type { Actions } from '../../undo/journal.ts'
import { isOnServer, listPlaces, type Place } from '../folders/places.ts'
import { toFlags } from '../messages/email.ts'
import { createEmailLists } from '../messages/email-list-repository.ts'
import type { Emails } from '../messages/emails.ts'
import { listMarked, type MarkedEmail, type RuleRecord, ruleRows } from './repository.ts'
import {
  findTarget,
  KIND,
  ofAccount,
  RuleChangesPayload,
  recordRuleChanges,
  resolveSnooze,
  type SnoozeTimes,
} from './rule-engine.ts'
import {
  applyEffects,
  findDifference,
  formatEffects,
  type Marked,
  type Marks,
  parseCondition,
  parseEffects,
  revertEffects,
} from './rules.ts'
import type { RuleEffects, RunBody, RunResponse } from './schema.ts'

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

/** A matching email that the rule would still change. */
interface PendingChange {
  email: MarkedEmail
  after: Marks
  difference: Marked | null
  lacksTask: boolean
}

interface RuleRunnerDeps extends SnoozeTimes, Pick<Platform, 'db' | 'changes'> {
  fullText: FullText
  actions: Actions
  emails: Pick<Emails, 'change'>
  tasks: MailTasks
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
    const withTask = effects.task ? await tasks.withTasks(tx, userId, ids) : null
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
      const ids = page.map(({ id }) => id)
      pending.push(...(await findPending(tx, userId, ids, effects)))
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
      const rule = await ruleRows.get(tx, userId, id)
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
        const task = lacksTask ? await tasks.make(tx, userId, { ...email, tags: after.tags }) : null
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
  const ids = marked.map(({ id }) => id)
  const byId = new Map((await listMarked(tx, userId, ids)).map((email) => [email.id, email]))
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

export const defineUndo = (deps: { actions: Actions; emails: Pick<Emails, 'change'>; tasks: MailTasks }) =>
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
      const removed = await deps.tasks.takeBack(tx, userId, tasks)
      if (reverted + removed === 0) throw conflict('All emails and tasks of this run were changed since.')
    },
  })
