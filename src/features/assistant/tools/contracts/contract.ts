import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import type { Scope } from '../../../../platform/access/caller.ts'
import { pick } from '../../../../platform/collections.ts'
import type { EventTypes, SyncReport } from '../../../bookings/schema.ts'
import type { DailyBriefing } from '../../../briefing/schema.ts'
import type { Event } from '../../../calendar/event.ts'
import type { FreeSlots, SavedEvent } from '../../../calendar/schema.ts'
import type { Commitment } from '../../../commitments/commitment.ts'
import type { Contact } from '../../../contacts/contact.ts'
import type { Stats } from '../../../dashboard/schema.ts'
import type { MailingList, UnsubscribeResponse } from '../../../mail/mailing-lists/schema.ts'
import type { Email, EmailFlags } from '../../../mail/messages/email.ts'
import type { MailRule, NewMailRule } from '../../../mail/rules/schema.ts'
import type { KnownReservation, StoredReservation } from '../../../mail-analysis/reservation-schema.ts'
import type { Stream, StreamState } from '../../../stream/schema.ts'
import type { TaskComment } from '../../../tasks/comment-schema.ts'
import type { Task, TaskChange, TaskPlan } from '../../../tasks/schema.ts'
import type { StartedTimer, TimeEntry } from '../../../tasks/time-entry-schema.ts'
import type { auditReport } from '../../../workflow/schema.ts'

/** The schemas of the API that contracts refer to. Features import each other as types only, so `app.ts` passes them. */
export interface ToolSchemas {
  task: typeof Task
  taskFields: (typeof TaskChange)['properties']
  taskPlan: typeof TaskPlan
  taskComment: typeof TaskComment
  timeEntry: typeof TimeEntry
  startedTimer: typeof StartedTimer
  event: typeof Event
  savedEvent: typeof SavedEvent
  freeSlots: typeof FreeSlots
  email: typeof Email
  emailFlags: typeof EmailFlags
  /** Explains the search syntax of emails. */
  searchSyntax: string
  statistics: typeof Stats
  briefing: typeof DailyBriefing
  contact: typeof Contact
  commitment: typeof Commitment
  mailRule: typeof MailRule
  newMailRule: typeof NewMailRule
  eventTypes: typeof EventTypes
  syncReport: typeof SyncReport
  streamState: typeof StreamState
  stream: typeof Stream
  auditReport: ReturnType<typeof auditReport<Record<never, never>>>
  mailingList: typeof MailingList
  reservation: typeof StoredReservation
  knownReservation: typeof KnownReservation
  unsubscribed: typeof UnsubscribeResponse
}

/** Everything about a tool that does not depend on its implementation. */
export interface ToolContract<I extends Type.TObject = Type.TObject, R extends Type.TObject = Type.TObject> {
  description: string
  /**
   * `write` can be undone: it runs at once, unless it reaches other people or the write guard stops it.
   * `confirm` always waits for the person.
   */
  effect: 'read' | 'write' | 'confirm'
  /** `word`: a typed yes confirms it, unless it reaches other people. `button`: only the button does. */
  confirmedBy?: 'word' | 'button'
  /** Scope that a personal access token needs. */
  scope: Scope
  input: I
  /** Schema of the result, without the envelope. Created on first use, because all of them would slow down the start. */
  result: () => R
  /** Its reads may take long, so they run in a separate thread. */
  longReads?: true
  /** The result has no words of others, such as numbers only. Unless a tool declares that, its result counts as foreign text. */
  returnsOwnText?: true
  /** Fields that the assistant writes itself, such as the text of a draft. */
  composes?: readonly string[]
  /** It reads only, although it needs a confirmation. */
  isReadOnly?: true
  /** It deletes or cancels something. */
  isDestructive?: true
  /** A second call with the same input changes nothing more. */
  isIdempotent?: true
  /** It reaches other people or services. */
  isOpenWorld?: true
}

const strict = { additionalProperties: false }
/** An input without other fields. */
export const closed = <P extends TProperties>(properties: P) => Type.Object(properties, strict)
/** A type beside the values, which some models need. */
export const oneOf = <const V extends string>(values: readonly V[]) =>
  Type.Enum([...values], { type: 'string' })
export const limitTo = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }))
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const Moment = Type.String({
  maxLength: 40,
  description: 'RFC 3339 with an offset, or a day such as 2026-03-01',
})
export const More = Type.Boolean({ description: 'Whether there are more entries than requested' })
export const Deleted = Type.Object({ deleted: Type.Integer({ description: 'Id of the deleted item' }) })

/** The limit of one confirmation of a bulk change. Other writers wait during its transaction. */
export const MAX_BULK = 500
export const BulkChange = Type.Object({
  change: Type.String(),
  changed: Type.Integer({ description: 'Number of items that were changed' }),
})
export const BulkIds = (description: string) =>
  Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MAX_BULK, description }))

export const OrNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const listOf = <N extends string, S extends TSchema>(name: N, entry: S) =>
  Type.Object({ ...nameProperty(name, Type.Array(entry)), more: More })

/** Names the only property of an object. TypeScript widens a computed key to `string`. */
const nameProperty = <N extends string, S extends TSchema>(name: N, schema: S) =>
  ({ [name]: schema }) as Record<N, S>

export const pickFields = <P extends TProperties, K extends keyof P & string>(
  { properties }: Type.TObject<P>,
  names: readonly K[],
): NoInfer<Pick<P, K>> => pick(properties, names)

/** Removes examples from a schema, because a client reads the schema with every connection. */
export const withoutExamples = <S extends TSchema>(schema: S): S =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'examples' ? undefined : value)))

type ToolFields<P extends TProperties> = {
  [N in keyof P]: Type.TOptional<Type.TUnsafe<Exclude<Static<P[N]>, null>>>
}

/**
 * Derives tool fields from fields of the API. A tool does not clear fields, so they are not nullable. Examples
 * are left out, because a model reads the schema with every message.
 */
export const toToolFields = <P extends TProperties>(properties: P): ToolFields<P> => {
  const toField = (schema: TSchema): TSchema =>
    Type.Optional(
      withoutExamples('anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf[0] : schema),
    )
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, toField(schema)]),
    // The mapped type describes what `toField` does to each property.
  ) as ToolFields<P>
}
