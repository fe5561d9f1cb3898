import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { filterOnlyText } from '../../../database/planner.ts'
import { foldWords, holdWords } from '../../../database/word-index.ts'
import { startOfDay } from '../../../recurrence/time-zones.ts'
import { hasTag } from '../repository.ts'
import { tagKeyOf } from '../task.ts'
import type { Days, FilterExpression, FilterTerm, NamedTerm } from './filter-query.ts'

type Condition = RawBuilder<boolean>

const TRUE = sql<boolean>`1 = 1`

/** The values of the words of a query for a caller. */
export interface FilterContext {
  userId: number
  timezone: string
  /** The current instant. */
  now: string
  /** The ids that a term names. */
  idsOf(term: NamedTerm): readonly number[]
}

const toInstant = (day: string, timezone: string): string => new Date(startOfDay(day, timezone)).toISOString()

const isBetween = (column: string, from: string | null, below: string | null): Condition => {
  const name = sql.ref(`tasks.${column}`)
  const bounds = [
    ...(from === null ? [] : [sql`${name} >= ${from}`]),
    ...(below === null ? [] : [sql`${name} < ${below}`]),
  ]
  return bounds.length === 0 ? TRUE : sql<boolean>`${sql.join(bounds, sql` and `)}`
}

/** Never null, so that a negation includes the tasks without a due date. */
const isDue = ({ from, below }: Days, timezone: string): Condition => {
  const at = (day: string | null) => (day === null ? null : toInstant(day, timezone))
  return sql<boolean>`(tasks."dueAt" is not null and
    case when tasks."dueDay" is null then ${isBetween('dueAt', at(from), at(below))}
    else ${isBetween('dueDay', from, below)} end)`
}

/** The places of the tasks choose the index, which has their order. */
export const isLate = (now: string): Condition =>
  sql<boolean>`(tasks."lateAt" is not null and ${filterOnlyText('tasks.lateAt')} <= ${now})`

/** Subtasks are in the section of their topmost task. */
const isInSections = (ids: readonly number[]): Condition => sql<boolean>`exists (
  with recursive path (id, "parentId", "sectionId") as (
    select tasks.id, tasks."parentId", tasks."sectionId"
    union all
    select parent.id, parent."parentId", parent."sectionId"
    from path inner join tasks as parent on parent.id = path."parentId"
  ) select 1 from path where path."sectionId" in (${sql.join(ids)}))`

const toTermCondition = (db: Db, term: FilterTerm, context: FilterContext): Condition => {
  switch (term.kind) {
    case 'tag':
      return hasTag(tagKeyOf(term.name))
    case 'priority':
      return sql<boolean>`tasks.priority = ${term.priority}`
    case 'list':
      return sql<boolean>`tasks."listId" in (${sql.join(context.idsOf(term))})`
    case 'section':
      return isInSections(context.idsOf(term))
    case 'me':
      return sql<boolean>`coalesce(tasks."assigneeId", 0) = ${context.userId}`
    case 'assignee':
      return sql<boolean>`coalesce(tasks."assigneeId", 0) in (${sql.join(context.idsOf(term))})`
    case 'due':
      return isDue(term.days, context.timezone)
    case 'overdue':
      return isLate(context.now)
    case 'text':
      return holdWords(db, foldWords(term.value), [])
    case 'without':
      if (term.field === 'tag') return sql<boolean>`tasks.tags = '[]'`
      return sql<boolean>`${sql.ref(term.field === 'date' ? 'tasks.dueAt' : 'tasks.assigneeId')} is null`
  }
}

/** Converts an expression to a condition on rows of the table `tasks`. */
export const toCondition = (db: Db, expression: FilterExpression, context: FilterContext): Condition => {
  switch (expression.kind) {
    case 'not':
      return sql<boolean>`not (${toCondition(db, expression.of, context)})`
    case 'and':
    case 'or': {
      const parts = expression.of.map((part) => toCondition(db, part, context))
      return sql<boolean>`(${sql.join(parts, expression.kind === 'and' ? sql` and ` : sql` or `)})`
    }
    default:
      return toTermCondition(db, expression, context)
  }
}
