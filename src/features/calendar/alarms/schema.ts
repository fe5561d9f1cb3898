import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable } from '../../../platform/http/shapes.ts'
import { EventId } from '../event.ts'

const strict = { additionalProperties: false }
const AlarmId = Type.String({ minLength: 1, maxLength: 50, examples: ['1k3f9xz'] })

export const Alarm = Type.Object(
  {
    id: AlarmId,
    relativeTo: Nullable(
      Type.Enum(['start', 'end'], {
        type: 'string',
        examples: ['end'],
        description: 'Null for an alarm at a fixed time',
      }),
    ),
    minutesAfter: Nullable(
      Type.Number({
        examples: [-10],
        description: 'Minutes after the start or end of each occurrence; negative values are before it',
      }),
    ),
    at: Nullable(Type.String({ ...Instant, description: 'Time of an alarm at a fixed time' })),
  },
  { title: 'Alarm' },
)
export type Alarm = Static<typeof Alarm>

export const AlarmList = Type.Object(
  { alarms: Type.Array(Alarm), nextCursor: NextCursor },
  { title: 'AlarmList' },
)
export const AlarmPath = Type.Object({ id: EventId, alarmId: AlarmId }, strict)
