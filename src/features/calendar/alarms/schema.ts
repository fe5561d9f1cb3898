import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable } from '../../../platform/http/shapes.ts'
import { EventId } from '../schema.ts'

const strict = { additionalProperties: false }
const AlarmId = Type.String({ minLength: 1, maxLength: 50, examples: ['1k3f9xz'] })

export const Alarm = Type.Object(
  {
    id: AlarmId,
    relativeTo: Nullable(
      Type.Enum(['start', 'end'], {
        type: 'string',
        examples: ['end'],
        description: 'Null when it is told once',
      }),
    ),
    minutesAfter: Nullable(
      Type.Number({
        examples: [-10],
        description: 'After the start or the end of each occurrence; less than none is before it',
      }),
    ),
    at: Nullable(Type.String({ ...Instant, description: 'The one moment at which it is told' })),
  },
  { title: 'Alarm' },
)
export type Alarm = Static<typeof Alarm>

export const AlarmList = Type.Object(
  { alarms: Type.Array(Alarm), nextCursor: NextCursor },
  { title: 'AlarmList' },
)
export const AlarmPath = Type.Object({ id: EventId, alarmId: AlarmId }, strict)
