import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Visit } from '../../../platform/access/visit.ts'
import type { Changes } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { eachOnce } from '../../../platform/each-once.ts'
import { conflict, invalidField, notFound } from '../../../platform/errors.ts'
import { pageOf, readCursor } from '../../../platform/http/cursor.ts'
import { requireMatch } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Activity } from '../../auth/activity.ts'
import { tagKeyOf } from '../search.ts'
import { readCondition } from './condition.ts'
import { isNothing, NOTHING } from './deeds.ts'
import type { Deeds, MailRuleChange, NewMailRule } from './schema.ts'
import {
  countRules,
  deleteRule,
  findRule,
  insertRule,
  listRules,
  lockRule,
  type RuleRecord,
  updateRule,
} from './store.ts'

const MOST_RULES = 100

/** Who asks, and from where. */
export interface Asker {
  caller: Caller
  visit: Visit
}

const viewOf = ({ enabled, does, ...rule }: RuleRecord) => ({
  ...rule,
  enabled: enabled === 1,
  does: JSON.parse(does) as Deeds,
})

const readQ = (q: string): string => {
  readCondition(q)
  return q.trim()
}

const readDeeds = (given: Partial<Deeds>, before = NOTHING): string => {
  const deeds = { ...before, ...given }
  const whole = { ...deeds, tags: eachOnce(deeds.tags, tagKeyOf) }
  if (isNothing(whole)) throw invalidField('does', 'says nothing that is to be done')
  return JSON.stringify(whole)
}

export type MailRules = ReturnType<typeof createMailRules>

/** What is to be done by itself with mail that arrives. */
export const createMailRules = (deps: { db: Db; clock: Clock; changes: Changes; activity: Activity }) => {
  const { db, clock, changes, activity } = deps

  const tell = async (
    tx: Db,
    what: 'added' | 'changed' | 'removed',
    { id, name }: RuleRecord,
    { caller, visit }: Asker,
  ): Promise<void> => {
    if (caller.kind === 'session' || caller.kind === 'token')
      await activity.record(tx, caller.userId, visit, `mail_rule.${what}`, { name })
    await changes.record(tx, { type: `mail_rule.${what}`, subject: String(id), data: { id, name } })
  }

  const lock = async (tx: Db, id: number, ifMatch: string | undefined): Promise<RuleRecord> => {
    const rule = await lockRule(tx, id)
    if (!rule) throw notFound('mail rule')
    requireMatch(ifMatch, rule)
    return rule
  }

  return {
    async list({ limit, cursor }: PageRequest) {
      const after = readCursor(cursor, 'integer')?.[0]
      const { page, nextCursor } = pageOf(await listRules(db, { limit, after }), limit, ({ id }) => [id])
      return { mailRules: page.map(viewOf), nextCursor }
    },

    async get(id: number) {
      const rule = await findRule(db, id)
      if (!rule) throw notFound('mail rule')
      return viewOf(rule)
    },

    add: ({ name, q, does, enabled = true }: NewMailRule, asker: Asker) =>
      inTransaction(db, async (tx) => {
        if ((await countRules(tx)) >= MOST_RULES)
          throw conflict(`There are ${MOST_RULES} mail rules already. Remove one first.`)
        const now = clock.now().toISOString()
        const rule = await insertRule(tx, {
          ...{ name: name.trim(), q: readQ(q), does: readDeeds(does), enabled: enabled ? 1 : 0 },
          ...{ version: 1, createdAt: now, updatedAt: now },
        })
        await tell(tx, 'added', rule, asker)
        return viewOf(rule)
      }),

    change: (id: number, change: MailRuleChange, ifMatch: string | undefined, asker: Asker) =>
      inTransaction(db, async (tx) => {
        const rule = await lock(tx, id, ifMatch)
        const { name, q, does, enabled } = change
        const changed = await updateRule(tx, rule, {
          ...(name !== undefined && { name: name.trim() }),
          ...(q !== undefined && { q: readQ(q) }),
          ...(does !== undefined && { does: readDeeds(does, JSON.parse(rule.does) as Deeds) }),
          ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
          updatedAt: clock.now().toISOString(),
        })
        await tell(tx, 'changed', changed, asker)
        return viewOf(changed)
      }),

    remove: (id: number, ifMatch: string | undefined, asker: Asker): Promise<void> =>
      inTransaction(db, async (tx) => {
        const rule = await lock(tx, id, ifMatch)
        await deleteRule(tx, id)
        await tell(tx, 'removed', rule, asker)
      }),
  }
}
