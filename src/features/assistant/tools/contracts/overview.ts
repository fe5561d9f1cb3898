import Type, { type Static } from 'typebox'
import { closed, limitTo, More, OrNull, oneOf, type ToolContract, type ToolSchemas } from './contract.ts'

const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A day such as 2026-03-01; default: today',
})

const reason = <const C extends string>(...codes: C[]) => ({ code: oneOf(codes) })

/** Why an item comes early. The assistant says each one in the language of the person. */
const PriorityReason = Type.Union([
  Type.Object(
    reason('due_today', 'due_tomorrow', 'fits_free_time', 'waiting', 'promised', 'promise_overdue'),
  ),
  Type.Object({ ...reason('overdue', 'due_soon'), days: Type.Integer() }),
  Type.Object({ ...reason('priority', 'urgent_mail'), level: Type.String() }),
  Type.Object({ ...reason('starts_soon'), minutes: Type.Integer() }),
])
export type PriorityReason = Static<typeof PriorityReason>

const PriorityItem = Type.Object({
  kind: oneOf(['task', 'email', 'event']),
  id: Type.Integer(),
  title: Type.String(),
  at: OrNull(
    Type.String({ description: 'Due time of a task or a promise, start of an event, date of an email' }),
  ),
  person: OrNull(Type.String({ description: 'The other person of an email' })),
  quote: OrNull(Type.String({ description: 'The sentence of the email that asks for something' })),
  score: Type.Number(),
  reasons: Type.Array(PriorityReason),
})
export type PriorityItem = Static<typeof PriorityItem>

export const createOverviewContracts = (schemas: ToolSchemas) => {
  const { text, summary, ...briefing } = schemas.briefing.properties
  return {
    get_statistics: {
      description: 'Returns statistics: emails, tasks, events, bookings, AI, and 14 days of activity.',
      effect: 'read',
      scope: 'ai:read',
      input: closed({}),
      returnsOwnText: true,
      result: () => schemas.statistics,
    },
    get_briefing: {
      description: 'Summarizes a day: events, due tasks, emails waiting for a reply, promises and conflicts.',
      effect: 'read',
      longReads: true,
      scope: 'ai:read',
      input: closed({ date: Type.Optional(Day) }),
      result: () =>
        Type.Object({
          ...briefing,
          summary: Type.Optional(summary),
          text: Type.Optional(text),
        }),
    },
    find_unanswered: {
      description: 'Lists emails of the last 14 days that ask something and have no reply yet, newest first.',
      effect: 'read',
      longReads: true,
      scope: 'mail:read',
      input: closed({}),
      result: () => Type.Required(Type.Object({ waiting: briefing.waiting })),
    },
    get_priorities: {
      description:
        'Returns what needs attention first, with reasons: due and overdue tasks, urgent and unanswered emails, promises, and the next event.',
      effect: 'read',
      scope: 'ai:read',
      input: closed({ limit: limitTo(50) }),
      result: () =>
        Type.Object({
          items: Type.Array(PriorityItem, { description: 'The most important first' }),
          more: More,
          freeMinutes: Type.Integer({ description: 'Free working time from now until midnight' }),
          timezone: Type.String(),
        }),
    },
  } satisfies Record<string, ToolContract>
}
