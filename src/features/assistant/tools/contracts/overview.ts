import Type from 'typebox'
import type { PriorityReason } from '../priorities.ts'
import { More, OrNull, strict, type ToolContract, type ToolSchemas } from './contract.ts'

const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A day such as 2026-03-01; default: today',
})

const Reason = Type.Object({
  code: Type.Enum(
    [
      'overdue',
      'due_today',
      'due_tomorrow',
      'due_soon',
      'priority',
      'fits_free_time',
      'urgent_mail',
      'waiting',
      'promised',
      'promise_overdue',
      'starts_soon',
    ],
    { type: 'string' },
  ),
  days: Type.Optional(Type.Integer()),
  level: Type.Optional(Type.String()),
  minutes: Type.Optional(Type.Integer()),
})

const PriorityItem = Type.Object({
  kind: Type.Enum(['task', 'email', 'event'], { type: 'string' }),
  id: Type.Integer(),
  title: Type.String(),
  at: OrNull(
    Type.String({ description: 'Due time of a task or a promise, start of an event, date of an email' }),
  ),
  person: OrNull(Type.String()),
  quote: OrNull(Type.String({ description: 'The sentence of the email that asks for something' })),
  score: Type.Number(),
  reasons: Type.Array(Type.Unsafe<PriorityReason>(Reason)),
})

export const createOverviewContracts = (schemas: ToolSchemas) => {
  const { text, summary, ...briefing } = schemas.briefing.properties
  return {
    get_statistics: {
      description: 'Returns statistics: emails, tasks, events, bookings, AI, and 14 days of activity.',
      effect: 'read',
      scope: 'ai:read',
      input: Type.Object({}, strict),
      returnsOwnText: true,
      result: () => schemas.statistics,
    },
    get_briefing: {
      description: 'Summarizes a day: events, due tasks, emails waiting for a reply, promises and conflicts.',
      effect: 'read',
      longReads: true,
      scope: 'ai:read',
      input: Type.Object({ date: Type.Optional(Day) }, strict),
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
      input: Type.Object({}, strict),
      result: () => Type.Required(Type.Object({ waiting: briefing.waiting })),
    },
    get_priorities: {
      description:
        'Returns what needs attention first, with reasons: due and overdue tasks, urgent and unanswered emails, promises, and the next event.',
      effect: 'read',
      scope: 'ai:read',
      input: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })) }, strict),
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
