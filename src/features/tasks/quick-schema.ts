import Type from 'typebox'
import { Nullable } from '../../platform/http/shapes.ts'
import { Task } from './schema.ts'

const strict = { additionalProperties: false }

export const QuickWish = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      examples: ['pay rent every month on the 1st !high #home'],
    }),
    dryRun: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Only tells what would be made, as while one types' }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        examples: ['Europe/Berlin'],
        description: 'Of its times; the instance’s unless told',
      }),
    ),
  },
  { ...strict, title: 'QuickWish' },
)
export type QuickWish = Type.Static<typeof QuickWish>

const understood = {
  timed: Type.Boolean({ examples: [false], description: 'An hour was said, not only a day' }),
  understood: Type.Array(
    Type.Object(
      {
        kind: Type.Enum(['due', 'zone', 'recurrence', 'priority', 'tag', 'estimate'], {
          type: 'string',
          examples: ['priority'],
        }),
        text: Type.String({ examples: ['!high'] }),
        offset: Type.Integer({
          minimum: 0,
          examples: [32],
          description: 'Where it stands in the text, in UTF-16 units',
        }),
      },
      { title: 'Understood' },
    ),
    { description: 'What was read as something else than the title' },
  ),
}

export const QuickTask = Type.Object({ ...Task.properties, ...understood }, { title: 'QuickTask' })
export type QuickTask = Type.Static<typeof QuickTask>

const { title, dueAt, dueDay, priority, tags, recurrence, estimateMinutes } = Task.properties
export const QuickPreview = Type.Object(
  {
    id: Nullable(Type.Integer({ examples: [42], description: 'Null: there is no such task yet' })),
    ...{ title, dueAt, dueDay, priority, tags, recurrence, estimateMinutes },
    ...understood,
  },
  { title: 'QuickPreview' },
)
export type QuickPreview = Type.Static<typeof QuickPreview>
