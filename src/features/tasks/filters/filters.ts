import type { RawBuilder } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { conflict, invalidField } from '../../../platform/errors.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readByNumber, versionedRows } from '../../../platform/resources.ts'
import { startOfDay, toWall } from '../../../recurrence/time-zones.ts'
import type { PreferenceRules } from '../../accounts/profile/preferences.ts'
import { listLists } from '../list-repository.ts'
import type { ListSharing } from '../lists.ts'
import { listSharedLists } from '../member-repository.ts'
import type { ListFilter } from '../repository.ts'
import { placeAt, tagKeyOf } from '../task.ts'
import { toCondition } from './filter-conditions.ts'
import type { Days, FilterExpression, FilterTerm, NamedTerm, Word } from './filter-query.ts'
import { listPeople, listVisibleSections } from './repository.ts'
import type { NewTaskFilter, TaskFilterChange } from './schema.ts'

const MAX_FILTERS = 100

const filterRows = versionedRows('task_filters', 'task filter')

/** The places that a query can be read from, for errors. */
type Path = 'filter' | 'filterId' | 'query'

interface Named {
  id: number
  name: string
}

const MISSING: Readonly<Record<NamedTerm['kind'], string>> = {
  tag: '',
  list: 'names no list that you see',
  section: 'names no section of a list that you see',
  assignee: 'names nobody who shares a list with you',
}

const rejectWord = (path: Path, { text, offset }: Word, reason: string) =>
  invalidField(path, `has the word ${text} at character ${offset + 1}, which ${reason}`)

const isNamed = (term: FilterTerm): term is NamedTerm => 'name' in term && term.kind !== 'tag'

/** The conditions for tasks, and the index for them. */
export interface TaskCondition extends Pick<ListFilter, 'priority' | 'tag'> {
  condition: RawBuilder<boolean>
  /** All tasks are in this list. */
  listId: number | undefined
  /** Whether all tasks are overdue, and therefore open. */
  isOverdue: boolean
  /** The open tasks are between these places. */
  from: number | undefined
  before: number | undefined
}

/** A day of another time zone begins up to 26 hours earlier or later. */
const ANY_ZONE_MS = 26 * 3_600_000

const toPlaces = ({ from, below }: Days, timezone: string) => ({
  from: from === null ? undefined : placeAt(startOfDay(from, timezone) - ANY_ZONE_MS),
  before: below === null ? undefined : placeAt(startOfDay(below, timezone) + ANY_ZONE_MS),
})

type Deps = Pick<Platform, 'db' | 'clock' | 'changes'> & {
  preferences: Pick<PreferenceRules, 'get'>
  sharing: ListSharing
}

/** The filters of tasks that an account has saved, and what their words mean. */
export class TaskFilters {
  private readonly deps: Deps

  constructor(deps: Deps) {
    this.deps = deps
  }

  async list(userId: number, request: PageRequest) {
    const { page, nextCursor } = await readByNumber(filterRows.select(this.deps.db, userId), request)
    return { taskFilters: page, nextCursor }
  }

  get(userId: number, id: number) {
    return filterRows.get(this.deps.db, userId, id)
  }

  async create(userId: number, { name, query }: NewTaskFilter) {
    await this.read(userId, query, 'query')
    return inTransaction(this.deps.db, async (tx) => {
      if ((await filterRows.count(tx, userId)) >= MAX_FILTERS)
        throw conflict(`The limit of ${MAX_FILTERS} task filters is reached. Delete one first.`)
      const now = this.now()
      const filter = await filterRows.insert(tx, {
        userId,
        name: name.trim(),
        query: query.trim(),
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
      await this.record(tx, 'added', filter)
      return filter
    })
  }

  async change(userId: number, id: number, { name, query }: TaskFilterChange, ifMatch: string | undefined) {
    if (query !== undefined) await this.read(userId, query, 'query')
    return inTransaction(this.deps.db, async (tx) => {
      const before = await filterRows.getLocked(tx, userId, id, ifMatch)
      const filter = await filterRows.update(tx, before, {
        ...(name !== undefined && { name: name.trim() }),
        ...(query !== undefined && { query: query.trim() }),
        updatedAt: this.now(),
      })
      await this.record(tx, 'changed', filter)
      return filter
    })
  }

  remove(userId: number, id: number, ifMatch: string | undefined): Promise<void> {
    return inTransaction(this.deps.db, async (tx) => {
      await this.record(tx, 'removed', await filterRows.remove(tx, userId, id, ifMatch))
    })
  }

  /** Returns what tasks of a query meet, or of a saved one. */
  async find(userId: number, given: { filter?: string; filterId?: number }): Promise<TaskCondition> {
    if (given.filterId === undefined) return this.read(userId, given.filter ?? '', 'filter')
    const saved = await filterRows.find(this.deps.db, userId, given.filterId)
    if (!saved) throw invalidField('filterId', 'names a filter that does not exist')
    return this.read(userId, saved.query, 'filterId')
  }

  private async read(userId: number, query: string, path: Path): Promise<TaskCondition> {
    const { db, clock, preferences } = this.deps
    const { timezone } = await preferences.get(userId)
    const now = clock.now()
    // Loads the parser with the first filter, so that it does not delay startup.
    const { FilterFault, listCommonTerms, listTerms, parseFilter } = await import('./filter-query.ts')
    let expression: FilterExpression
    try {
      expression = parseFilter(query, { now: toWall(now.getTime(), timezone), timezone })
    } catch (error) {
      if (error instanceof FilterFault) throw rejectWord(path, error.word, error.message)
      throw error
    }
    const ids = await this.findNamed(userId, listTerms(expression).filter(isNamed), path)
    const idsOf = (term: NamedTerm): readonly number[] => ids.get(term) ?? []
    const common = listCommonTerms(expression)
    const find = <K extends FilterTerm['kind']>(kind: K) =>
      common.find((term): term is Extract<FilterTerm, { kind: K }> => term.kind === kind)
    const [list, due, tag] = [find('list'), find('due'), find('tag')]
    const lists = list ? idsOf(list) : []
    return {
      condition: toCondition(db, expression, { userId, timezone, now: now.toISOString(), idsOf }),
      priority: find('priority')?.priority,
      tag: tag && tagKeyOf(tag.name),
      listId: lists.length === 1 ? lists[0] : undefined,
      isOverdue: find('overdue') !== undefined,
      ...(due ? toPlaces(due.days, timezone) : { from: undefined, before: undefined }),
    }
  }

  /** Finds the lists, sections and people that a query names. */
  private async findNamed(
    userId: number,
    terms: readonly NamedTerm[],
    path: Path,
  ): Promise<Map<NamedTerm, number[]>> {
    const { db, sharing } = this.deps
    const found = new Map<NamedTerm, number[]>()
    if (terms.length === 0) return found
    const shares = await sharing.accepted(db, userId, 'taskList')
    const read: Record<NamedTerm['kind'], () => Promise<Named[]>> = {
      tag: async () => [],
      list: async () => [...(await listLists(db, userId)), ...(await listSharedLists(db, userId))],
      section: () => listVisibleSections(db, userId, shares),
      assignee: () => listPeople(db, userId, shares),
    }
    const known = new Map<NamedTerm['kind'], Named[]>()
    for (const term of terms) {
      const { kind, name } = term
      const named = known.get(kind) ?? (await read[kind]())
      known.set(kind, named)
      const key = tagKeyOf(name)
      const matches = named.filter((one) => tagKeyOf(one.name) === key)
      const byFirstName = kind === 'assignee' && matches.length === 0
      const all = byFirstName ? named.filter((one) => tagKeyOf(one.name).startsWith(`${key} `)) : matches
      if (all.length === 0) throw rejectWord(path, term, MISSING[kind])
      found.set(term, [...new Set(all.map(({ id }) => id))])
    }
    return found
  }

  private record(
    tx: Db,
    verb: 'added' | 'changed' | 'removed',
    { id, userId, name }: Named & { userId: number },
  ): Promise<void> {
    const { changes } = this.deps
    return changes.record(tx, {
      userId,
      type: `task_filter.${verb}`,
      subject: String(id),
      data: { id, name },
    })
  }

  private now(): string {
    return this.deps.clock.now().toISOString()
  }
}
