import type { Static } from 'typebox'
import Type from 'typebox'
import { Instant, NextCursor, strict } from '../../../platform/http/shapes.ts'

const FilterId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [3] })

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Urgent this week'] }),
  query: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: '\\S',
    examples: ['(overdue | this week) !urgent -#waiting'],
    description: 'The syntax is the one of the parameter `filter` of `GET /api/tasks`',
  }),
}

export const TaskFilterPath = Type.Object({ id: FilterId }, strict)

export const TaskFilter = Type.Object(
  { id: FilterId, ...fields, createdAt: Instant, updatedAt: Instant },
  { title: 'TaskFilter' },
)

export const TaskFilterCollection = Type.Object(
  { taskFilters: Type.Array(TaskFilter), nextCursor: NextCursor },
  { title: 'TaskFilterCollection' },
)

export const NewTaskFilter = Type.Object(fields, { ...strict, title: 'NewTaskFilter' })
export type NewTaskFilter = Static<typeof NewTaskFilter>

export const TaskFilterChange = Type.Partial(Type.Object(fields), {
  ...strict,
  title: 'TaskFilterChange',
  examples: [{ name: 'Urgent' }],
})
export type TaskFilterChange = Static<typeof TaskFilterChange>
