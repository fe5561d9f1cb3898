import type { Db } from '../../../database/db.ts'
import { type Entry, matchesEntry } from '../../../database/full-text/full-text.ts'
import { FLAG_COLUMNS, type Folder } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type Caller, userIdOf, type Visit } from '../../../platform/access/caller.ts'
import { eachOnce } from '../../../platform/collections.ts'
import { conflict, invalidField } from '../../../platform/errors.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readByNumber } from '../../../platform/resources.ts'
import type { Activity } from '../../auth/activity.ts'
import { findFolder } from '../folders/repository.ts'
import {
  type EmailFlags,
  findChangedFlags,
  MAX_TAGS,
  mapFlags,
  NO_FLAGS,
  tagKeys,
} from '../messages/email.ts'
import { type Filter, hasTooManyTerms, readSearch, type Search, tagKeyOf } from '../messages/search.ts'
import { type RuleRecord, ruleRows } from './repository.ts'
import { FLAG_PHRASES, type MailRuleChange, type NewMailRule, type RuleEffects } from './schema.ts'

/** Filters that a rule supports, in addition to words. */
type RuleFilter = { not: boolean } & (
  | { kind: 'tag'; tag: string }
  | { kind: 'attachment'; value: boolean }
  | { kind: 'list'; list: string | null }
)

export interface Condition extends Search {
  filters: readonly RuleFilter[]
}

/** The properties of an incoming email that a condition can test. */
export interface IncomingEmail {
  entry: Entry
  tagKeys: readonly string[]
  hasAttachments: boolean
  listId: string | null
}

const isRuleFilter = (filter: Filter): filter is RuleFilter =>
  filter.kind === 'tag' || filter.kind === 'attachment' || filter.kind === 'list'

const UNSUPPORTED: Readonly<Record<Exclude<Filter['kind'], RuleFilter['kind']>, string>> = {
  flag: 'is:',
  pinned: 'is:',
  snoozed: 'is:',
  folder: 'in:',
  folderId: 'in:',
  before: 'before:',
  after: 'after:',
}

/** Day filters are rejected, so their text needs no parsing. */
const readDay = (text: string): string => text

/**
 * Parses the condition of a rule, written as a search. Rejects filters that make no sense for incoming mail.
 */
export const readCondition = (q: string): Condition => {
  if (hasTooManyTerms(q)) throw invalidField('q', 'has too many terms; split it into several rules')
  const search = readSearch(q, { readDay })
  if (!search) throw invalidField('q', 'is empty; enter a sender, a word or a filter')
  const refused = search.filters.find((filter) => !isRuleFilter(filter))
  if (refused)
    throw invalidField(
      'q',
      `cannot use ${UNSUPPORTED[refused.kind as keyof typeof UNSUPPORTED]} because rules apply to incoming mail`,
    )
  const [hint] = search.hints
  if (hint) throw invalidField('q', `is invalid: ${hint.message}`)
  return search as Condition
}

/** Parses a stored condition. Null if it is invalid, for example because another version wrote it. */
export const parseCondition = (q: string): Condition | null => {
  try {
    return readCondition(q)
  } catch {
    return null
  }
}

const matchesFilter = (filter: RuleFilter, mail: IncomingEmail): boolean => {
  switch (filter.kind) {
    case 'tag':
      return mail.tagKeys.includes(filter.tag)
    case 'attachment':
      return mail.hasAttachments === filter.value
    case 'list':
      return filter.list === null ? mail.listId !== null : mail.listId === filter.list
  }
}

/** Whether a search with this condition would find the email. */
export const matchesCondition = ({ words, filters }: Condition, mail: IncomingEmail): boolean =>
  filters.every((filter) => matchesFilter(filter, mail) !== filter.not) && matchesEntry(mail.entry, words)

/** The properties of an email that rules can change. */
export interface Marks extends EmailFlags {
  folder: Folder
  /** The server folder. Null if the mail server decides it. */
  folderId: number | null
  tags: readonly string[]
  pinned: boolean
  snoozedUntil: string | null
}

const NO_EFFECTS: RuleEffects = {
  tags: [],
  folder: null,
  folderId: null,
  ...NO_FLAGS,
  task: false,
  snooze: null,
  pinned: false,
}

const isEmpty = ({ tags, folder, folderId, task, snooze, pinned, ...flags }: RuleEffects): boolean =>
  tags.length === 0 &&
  folder === null &&
  folderId === null &&
  !task &&
  snooze === null &&
  !pinned &&
  !FLAG_COLUMNS.some((name) => flags[name])

/** Reads stored effects. Older versions had fewer. */
export const parseEffects = (does: string): RuleEffects => ({
  ...NO_EFFECTS,
  ...(JSON.parse(does) as Partial<RuleEffects>),
})

/** The server folder that a rule moves mail to. */
export interface TargetFolder {
  id: number
  accountId: string
  /** The folder of its emails. */
  folder: Folder
}

/**
 * The marks after the effects are applied. `target` is the server folder of the effects. It is undefined if the effects
 * name none, or the email belongs to another mail account. `snoozedUntil` is the time of the snooze, if there is one.
 */
export const applyEffects = (
  marks: Marks,
  effects: RuleEffects,
  target: TargetFolder | undefined,
  snoozedUntil: string | null,
): Marks => {
  const place = toPlace(marks, effects, target)
  return {
    ...place,
    tags: eachOnce([...marks.tags, ...effects.tags], tagKeyOf).slice(
      0,
      Math.max(MAX_TAGS, marks.tags.length),
    ),
    ...mapFlags((name) => marks[name] || effects[name]),
    pinned: marks.pinned || effects.pinned,
    snoozedUntil: place.folder === 'trash' ? null : (marks.snoozedUntil ?? snoozedUntil),
  }
}

const toPlace = (
  { folder, folderId }: Marks,
  effects: RuleEffects,
  target: TargetFolder | undefined,
): Pick<Marks, 'folder' | 'folderId'> => {
  if (target) return { folder: target.folder, folderId: target.id }
  if (effects.folder === null || effects.folder === folder) return { folder, folderId }
  return { folder: effects.folder, folderId: null }
}

/** The changes of one email, stored for undo. */
export interface Marked extends Partial<EmailFlags> {
  id: number
  folder?: { was: Folder; is: Folder }
  /** The server folders of a move. */
  folderId?: { was: number | null; is: number | null }
  /** Only the added tags. */
  tags?: string[]
  pinned?: boolean
  snoozedUntil?: string
}

/** Null if nothing changed. */
export const findDifference = (id: number, before: Marks, after: Marks): Marked | null => {
  const known = tagKeys(before.tags)
  const tags = after.tags.filter((tag) => !known.includes(tagKeyOf(tag)))
  const marked: Marked = {
    id,
    ...(before.folder !== after.folder && { folder: { was: before.folder, is: after.folder } }),
    ...(before.folderId !== after.folderId && { folderId: { was: before.folderId, is: after.folderId } }),
    ...(tags.length > 0 && { tags }),
    ...findChangedFlags(before, after),
    ...(after.pinned && !before.pinned && { pinned: true }),
    ...(after.snoozedUntil !== null &&
      after.snoozedUntil !== before.snoozedUntil && { snoozedUntil: after.snoozedUntil }),
  }
  return Object.keys(marked).length > 1 ? marked : null
}

/** Reverts the recorded changes. Keeps values that were changed since. */
export const revertEffects = (marks: Marks, marked: Marked): Marks => {
  const added = tagKeys(marked.tags ?? [])
  const isStillThere =
    marks.folder === (marked.folder?.is ?? marks.folder) &&
    (typeof marked.folderId?.is !== 'number' || marks.folderId === marked.folderId.is)
  return {
    folder: marked.folder && isStillThere ? marked.folder.was : marks.folder,
    folderId: marked.folderId && isStillThere ? marked.folderId.was : marks.folderId,
    tags: marks.tags.filter((tag) => !added.includes(tagKeyOf(tag))),
    ...mapFlags((name) => marks[name] && !marked[name]),
    pinned: marks.pinned && marked.pinned !== true,
    snoozedUntil: marks.snoozedUntil === (marked.snoozedUntil ?? null) ? null : marks.snoozedUntil,
  }
}

const FOLDERS = { archive: 'archived', trash: 'moved to the trash' } as const

/** Describes the effects as a phrase that follows the name of an email. */
export const formatEffects = (all: readonly RuleEffects[]): string => {
  const tags = eachOnce(
    all.flatMap((effects) => effects.tags),
    tagKeyOf,
  )
  const mover = all.findLast(({ folder, folderId }) => folder !== null || folderId !== null)
  return [
    ...(mover ? [mover.folder === null ? 'moved to a folder' : FOLDERS[mover.folder]] : []),
    ...(tags.length > 0 ? [`tagged ${tags.map((tag) => `#${tag}`).join(' ')}`] : []),
    ...FLAG_COLUMNS.filter((name) => all.some((effects) => effects[name])).map((name) => FLAG_PHRASES[name]),
    ...(all.some(({ pinned }) => pinned) ? ['pinned'] : []),
    ...(all.some(({ snooze }) => snooze !== null) ? ['snoozed'] : []),
    ...(all.some(({ task }) => task) ? ['created a task'] : []),
  ].join(', ')
}

const MAX_RULES = 100

/** The caller, and the client it used. */
export interface Requester {
  caller: Caller
  visit: Visit
}

const viewOf = ({ userId: _, enabled, does, ...rule }: RuleRecord) => ({
  ...rule,
  enabled: enabled === 1,
  does: parseEffects(does),
})

const validateQuery = (q: string): string => {
  readCondition(q)
  return q.trim()
}

const readEffects = (given: Partial<RuleEffects>, before = NO_EFFECTS): string => {
  const effects = { ...before, ...given }
  const whole = { ...effects, tags: eachOnce(effects.tags, tagKeyOf) }
  if (isEmpty(whole)) throw invalidField('does', 'must contain at least one effect')
  if (whole.folder !== null && whole.folderId !== null)
    throw invalidField('does', 'can contain folder or folderId, not both')
  return JSON.stringify(whole)
}

/** A new move replaces the previous one, whichever kind it was. */
const validateTarget = async (
  tx: Db,
  userId: number,
  does: Partial<RuleEffects>,
): Promise<Partial<RuleEffects>> => {
  const { folder = null, folderId = null } = does
  if (folderId === null) return folder === null ? does : { ...does, folderId: null }
  const target = await findFolder(tx, userId, folderId)
  if (!target || target.selectable === 0) throw invalidField('does.folderId', 'is not a folder for emails')
  return { folder: null, ...does }
}

export type MailRules = ReturnType<typeof createMailRules>

/** Manages the rules for incoming mail. */
export const createMailRules = (
  { db, clock, changes }: Pick<Platform, 'db' | 'clock' | 'changes'>,
  activity: Activity,
) => {
  const recordChange = async (
    tx: Db,
    verb: 'added' | 'changed' | 'removed',
    { id, userId, name }: RuleRecord,
    { caller, visit }: Requester,
  ): Promise<void> => {
    if (caller.kind === 'session' || caller.kind === 'token')
      await activity.record(tx, caller.userId, visit, `mail_rule.${verb}`, { name })
    await changes.record(tx, { userId, type: `mail_rule.${verb}`, subject: String(id), data: { id, name } })
  }

  return {
    /** Throws if the condition of a rule is invalid. */
    requireValid: (q: string): void => void readCondition(q),

    async list(userId: number, request: PageRequest) {
      const { page, nextCursor } = await readByNumber(ruleRows.select(db, userId), request)
      return { mailRules: page.map(viewOf), nextCursor }
    },

    get: async (userId: number, id: number) => viewOf(await ruleRows.get(db, userId, id)),

    add: ({ name, q, does, enabled = true }: NewMailRule, requester: Requester) =>
      inTransaction(db, async (tx) => {
        const userId = userIdOf(requester.caller)
        if ((await ruleRows.count(tx, userId)) >= MAX_RULES)
          throw conflict(`The limit of ${MAX_RULES} mail rules is reached. Remove one first.`)
        const now = clock.now().toISOString()
        const rule = await ruleRows.insert(tx, {
          userId,
          name: name.trim(),
          q: validateQuery(q),
          does: readEffects(await validateTarget(tx, userId, does)),
          enabled: enabled ? 1 : 0,
          version: 1,
          createdAt: now,
          updatedAt: now,
        })
        await recordChange(tx, 'added', rule, requester)
        return viewOf(rule)
      }),

    change: (id: number, change: MailRuleChange, ifMatch: string | undefined, requester: Requester) =>
      inTransaction(db, async (tx) => {
        const rule = await ruleRows.getLocked(tx, userIdOf(requester.caller), id, ifMatch)
        const { name, q, enabled } = change
        const does = change.does && (await validateTarget(tx, rule.userId, change.does))
        const changed = await ruleRows.update(tx, rule, {
          ...(name !== undefined && { name: name.trim() }),
          ...(q !== undefined && { q: validateQuery(q) }),
          ...(does !== undefined && { does: readEffects(does, parseEffects(rule.does)) }),
          ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
          updatedAt: clock.now().toISOString(),
        })
        await recordChange(tx, 'changed', changed, requester)
        return viewOf(changed)
      }),

    remove: (id: number, ifMatch: string | undefined, requester: Requester): Promise<void> =>
      inTransaction(db, async (tx) => {
        const rule = await ruleRows.remove(tx, userIdOf(requester.caller), id, ifMatch)
        await recordChange(tx, 'removed', rule, requester)
      }),
  }
}
