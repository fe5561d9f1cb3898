import Type from 'typebox'

const TYPE = '[a-z]+\\.(?:[a-z_]+|\\*)'

export const EventsQuery = Type.Object(
  {
    types: Type.Optional(
      Type.String({
        maxLength: 1000,
        pattern: `^${TYPE}(?:,${TYPE})*$`,
        description: 'Only these types, separated by commas: `task.created`, or `task.*` for all task events',
        example: 'task.*,event.starting',
      }),
    ),
  },
  { additionalProperties: false },
)

export const EventStream = {
  'text/event-stream': {
    schema: { type: 'string' },
    example:
      'id: 42\nevent: task.created\ndata: {"id":42,"type":"task.created","subject":"7","timestamp":"2026-03-02T09:00:00.000Z","data":{"id":7,"title":"Pay the rent"}}\n\n',
  },
}
