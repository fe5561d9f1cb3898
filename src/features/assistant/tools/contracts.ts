import type { TProperties, TSchema } from 'typebox'
import Type from 'typebox'
import type { Tool } from './tool.ts'
import { withoutExamples } from './tool.ts'

/** The schemas of the API that tools return. */
export interface ToolSchemas {
  task: TSchema
  event: TSchema
  savedEvent: TSchema
  freeSlots: Type.TObject
  email: Type.TObject
  statistics: TSchema
  briefing: Type.TObject
  contact: TSchema
  commitment: TSchema
  mailRule: TSchema
  newMailRule: TSchema
  eventTypes: TSchema
  syncReport: TSchema
  streamState: TSchema
  stream: TSchema
  auditReport: TSchema
  taskPlan: Type.TObject
  mailingList: TSchema
  reservation: TSchema
  unsubscribed: TSchema
}

/** Facts about a tool that its effect does not tell. MCP clients use them to ask their user. */
interface Hints {
  /** It reads only, although it needs a confirmation. */
  isReadOnly?: true
  /** It deletes or cancels something. */
  isDestructive?: true
  /** A second call with the same input changes nothing more. */
  isIdempotent?: true
  /** It reaches other people or services. */
  isOpenWorld?: true
}

export interface ToolContract {
  /** Schema of the result, without the envelope. */
  result: TSchema
  hints: Hints
}

const More = Type.Boolean({ description: 'Whether there are more entries than requested' })
const Deleted = Type.Object({ deleted: Type.Integer({ description: 'Id of the deleted item' }) })

const pickFields = (schema: Type.TObject, names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, schema.properties[name] as TSchema]))

const listOf = (name: string, entry: TSchema) => Type.Object({ [name]: Type.Array(entry), more: More })

/** The fields of an email in a list. */
export const SUMMARY_FIELDS = [
  'id',
  'threadId',
  'folder',
  'from',
  'to',
  'subject',
  'snippet',
  'date',
  'tags',
  'read',
  'starred',
]

const createMailContracts = (schemas: ToolSchemas): Record<string, ToolContract> => {
  const { email } = schemas
  const summary = pickFields(email, SUMMARY_FIELDS)
  const sent = Type.Object(pickFields(email, ['id', 'to', 'cc', 'subject', 'delivery']))
  const attachments = Type.Array(Type.Object({ filename: Type.Unknown(), size: Type.Integer() }))
  return {
    find_emails: { result: listOf('emails', Type.Object(summary)), hints: {} },
    read_email: {
      result: Type.Object({ ...summary, ...pickFields(email, ['cc', 'text']), attachments }),
      hints: {},
    },
    tag_email: {
      result: Type.Object(pickFields(email, ['id', 'tags', 'read', 'starred', 'folder'])),
      hints: { isIdempotent: true },
    },
    ...Object.fromEntries(
      [
        ['snooze_email', 'snoozedUntil'],
        ['pin_email', 'pinned'],
        ['remind_if_unanswered', 'followUpAt'],
      ].map(([tool = '', field = '']) => [
        tool,
        {
          result: Type.Object(pickFields(email, ['id', 'threadId', 'subject', field])),
          hints: { isIdempotent: true },
        },
      ]),
    ),
    delete_email: {
      result: Type.Object(pickFields(email, ['id', 'folder'])),
      hints: { isDestructive: true, isIdempotent: true },
    },
    draft_email: {
      result: Type.Object(pickFields(email, ['id', 'to', 'cc', 'subject', 'text'])),
      hints: {},
    },
    send_email: { result: sent, hints: { isOpenWorld: true } },
    send_draft: { result: sent, hints: { isOpenWorld: true } },
    find_contact: { result: listOf('contacts', schemas.contact), hints: {} },
    create_contact: { result: schemas.contact, hints: {} },
    list_commitments: { result: listOf('commitments', schemas.commitment), hints: {} },
    close_commitment: { result: schemas.commitment, hints: { isIdempotent: true } },
    list_mail_rules: { result: listOf('mailRules', schemas.mailRule), hints: {} },
    create_mail_rule: { result: schemas.mailRule, hints: {} },
    delete_mail_rule: { result: Deleted, hints: { isDestructive: true, isIdempotent: true } },
  }
}

const createPlanContracts = (schemas: ToolSchemas): Record<string, ToolContract> => {
  const { text, summary, ...briefing } = schemas.briefing.properties
  return {
    list_tasks: { result: listOf('tasks', schemas.task), hints: {} },
    create_task: { result: schemas.task, hints: {} },
    update_task: { result: schemas.task, hints: { isIdempotent: true } },
    delete_task: { result: Deleted, hints: { isDestructive: true, isIdempotent: true } },
    list_events: { result: listOf('events', schemas.event), hints: {} },
    // A calendar server can email the guests of an event.
    create_event: {
      result: Type.Intersect([
        schemas.savedEvent,
        Type.Object({ calendarName: Type.Optional(Type.String({ description: 'Name of its calendar' })) }),
      ]),
      hints: { isOpenWorld: true },
    },
    move_event: { result: schemas.savedEvent, hints: { isIdempotent: true, isOpenWorld: true } },
    update_event: { result: schemas.savedEvent, hints: { isIdempotent: true, isOpenWorld: true } },
    cancel_event: {
      result: schemas.savedEvent,
      hints: { isDestructive: true, isIdempotent: true, isOpenWorld: true },
    },
    delete_event: { result: Deleted, hints: { isDestructive: true, isIdempotent: true, isOpenWorld: true } },
    find_free_time: {
      result: Type.Object({
        ...schemas.freeSlots.properties,
        people: Type.Optional(
          Type.Array(
            Type.Object({
              name: Type.String(),
              isKnown: Type.Boolean({ description: 'Whether the person shares a calendar' }),
            }),
          ),
        ),
      }),
      hints: {},
    },
    get_statistics: { result: schemas.statistics, hints: {} },
    get_briefing: {
      result: Type.Object({
        ...briefing,
        summary: Type.Optional(summary as TSchema),
        text: Type.Optional(text as TSchema),
      }),
      hints: {},
    },
    find_unanswered: {
      result: Type.Object({ waiting: withoutOptional(schemas.briefing.properties.waiting as TSchema) }),
      hints: {},
    },
  }
}

const Changed = Type.Object({
  change: Type.String(),
  changed: Type.Integer({ description: 'Number of items that were changed' }),
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

const OrNull = (schema: TSchema) => Type.Union([schema, Type.Null()])

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
  reasons: Type.Array(Reason),
})

/** Contracts of the tools that summarize, order, plan and change many items. */
const createAbilityContracts = (schemas: ToolSchemas): Record<string, ToolContract> => {
  const { blocks, unplanned, start, end, timezone } = schemas.taskPlan.properties as Record<string, TSchema>
  const { eventId: _, ...block } = ((blocks as Type.TArray).items as Type.TObject).properties
  const window = { start: start as TSchema, end: end as TSchema, timezone: timezone as TSchema }
  return {
    summarize_emails: {
      result: Type.Object({
        total: Type.Integer({ description: 'Number of emails found, at most 200' }),
        more: More,
        emails: Type.Array(
          Type.Object({
            ...pickFields(schemas.email, SUMMARY_FIELDS),
            urgency: Type.Enum(['low', 'normal', 'high', 'critical'], { type: 'string' }),
            summary: Type.String(),
            quotes: Type.Array(Type.String({ description: 'Word for word from the email' })),
            reservations: Type.Optional(
              Type.Array(schemas.reservation, { description: 'Only in the summary of one email' }),
            ),
          }),
          { description: 'The most important emails first' },
        ),
        others: Type.Integer({ description: 'Emails that are neither quoted nor newsletters' }),
        newsletters: Type.Object({ count: Type.Integer(), senders: Type.Array(Type.String()) }),
      }),
      hints: {},
    },
    get_priorities: {
      result: Type.Object({
        items: Type.Array(PriorityItem, { description: 'The most important first' }),
        more: More,
        freeMinutes: Type.Integer({ description: 'Free working time from now until midnight' }),
        timezone: Type.String(),
      }),
      hints: {},
    },
    propose_plan: {
      result: Type.Object({
        ...window,
        blocks: Type.Array(Type.Object(block)),
        unplanned: unplanned as TSchema,
      }),
      hints: {},
    },
    book_plan: {
      result: Type.Object({
        ...window,
        blocks: blocks as TSchema,
        unplanned: unplanned as TSchema,
        applied: Type.Boolean(),
      }),
      hints: {},
    },
    change_emails: { result: Changed, hints: { isDestructive: true, isIdempotent: true } },
    change_tasks: { result: Changed, hints: { isDestructive: true, isIdempotent: true } },
    list_mailing_lists: { result: listOf('mailingLists', schemas.mailingList), hints: {} },
    unsubscribe: { result: schemas.unsubscribed, hints: { isIdempotent: true, isOpenWorld: true } },
    list_mail_folders: {
      result: listOf(
        'folders',
        Type.Object({
          id: Type.Integer(),
          name: Type.String(),
          path: Type.String(),
          specialUse: OrNull(Type.String()),
          selectable: Type.Boolean(),
        }),
      ),
      hints: {},
    },
    list_calendars: {
      result: listOf(
        'calendars',
        Type.Object({
          id: Type.Integer(),
          name: Type.String(),
          role: Type.String(),
          owner: OrNull(Type.Object({ name: Type.String(), email: Type.String() })),
        }),
      ),
      hints: {},
    },
    list_task_lists: {
      result: listOf(
        'taskLists',
        Type.Object({ id: Type.Integer(), name: Type.String(), role: Type.String() }),
      ),
      hints: {},
    },
    invite_guests: { result: schemas.savedEvent, hints: { isOpenWorld: true } },
  }
}

const createServiceContracts = (schemas: ToolSchemas): Record<string, ToolContract> => ({
  list_bookings: { result: listOf('bookings', schemas.event), hints: {} },
  list_booking_types: { result: schemas.eventTypes, hints: { isOpenWorld: true } },
  sync_bookings: { result: schemas.syncReport, hints: { isIdempotent: true, isOpenWorld: true } },
  get_stream: { result: schemas.streamState, hints: {} },
  list_streams: { result: listOf('streams', schemas.stream), hints: {} },
  change_stream: { result: schemas.streamState, hints: { isIdempotent: true, isOpenWorld: true } },
  audit_page: { result: schemas.auditReport, hints: { isReadOnly: true, isOpenWorld: true } },
})

const withoutOptional = (schema: TSchema): TSchema => Type.Unsafe(JSON.parse(JSON.stringify(schema)))

/** The result of a tool that can change something: done, or waiting for a confirmation. */
const toEnvelope = (result: TSchema): TSchema =>
  Type.Object({
    status: Type.Enum(['done', 'needs_confirmation'], {
      type: 'string',
      description: '`needs_confirmation`: nothing was done. The person confirms it in the console',
    }),
    result: Type.Optional(result),
    undoId: Type.Optional(Type.Integer({ description: 'Id for undo: `POST /api/actions/{undoId}/undo`' })),
    confirmation: Type.Optional(
      Type.Object({ actionId: Type.String(), summary: Type.String(), expiresAt: Type.String() }),
    ),
  })

/** Describes the results and effects of the tools for MCP clients. */
export const createToolContracts = (schemas: ToolSchemas) => {
  const contracts: Record<string, ToolContract> = {
    ...createMailContracts(schemas),
    ...createPlanContracts(schemas),
    ...createAbilityContracts(schemas),
    ...createServiceContracts(schemas),
  }
  const outputs = new Map<string, TSchema>()

  return {
    /** Returns the schema of the structured content; undefined for a tool without a contract. */
    outputOf({ name, effect }: Tool): TSchema | undefined {
      const contract = contracts[name]
      if (!contract) return undefined
      const output =
        outputs.get(name) ??
        withoutExamples(effect === 'read' ? contract.result : toEnvelope(contract.result))
      outputs.set(name, output)
      return output
    },

    annotationsOf({ name, effect }: Tool) {
      const { isReadOnly, isDestructive, isIdempotent, isOpenWorld } = contracts[name]?.hints ?? {}
      const readOnlyHint = effect === 'read' || isReadOnly === true
      return {
        readOnlyHint,
        destructiveHint: isDestructive === true,
        idempotentHint: readOnlyHint || isIdempotent === true,
        openWorldHint: isOpenWorld === true,
      }
    },
  }
}
