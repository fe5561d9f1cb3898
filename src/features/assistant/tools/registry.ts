import type { Static, TSchema } from 'typebox'
import Type from 'typebox'
import type { Validator } from 'typebox/compile'
import type { Db } from '../../../database/db.ts'
import { withLongReads } from '../../../database/long-reads.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type Caller, covers, userIdOf } from '../../../platform/access/caller.ts'
import { compileChecker } from '../../../platform/checker.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { isVersioned } from '../../../platform/http/etag.ts'
import { longReadKey } from '../../../platform/http/long-reads.ts'
import { explain } from '../../../platform/http/validation.ts'
import type { References } from '../../../platform/portable/references.ts'
import type { Briefing } from '../../briefing/briefing.ts'
import type { Calendar } from '../../calendar/calendar.ts'
import type { Calendars } from '../../calendar/calendars/calendars.ts'
import type { Events } from '../../calendar/events.ts'
import type { InvitingEvents } from '../../calendar/invitations/inviting-events.ts'
import type { Guests } from '../../calendar/people.ts'
import type { Commitments } from '../../commitments/commitments.ts'
import type { Contacts } from '../../contacts/contacts.ts'
import type { Dashboard } from '../../dashboard/dashboard.ts'
import type { Finding } from '../../mail/messages/email-queries.ts'
import type { Emails } from '../../mail/messages/emails.ts'
import type { Outbox } from '../../mail/outbox/outbox.ts'
import type { MailRules } from '../../mail/rules/rules.ts'
import type { AnalyzeMail } from '../../mail-analysis/analysis-service.ts'
import type { ReservationFiling } from '../../mail-analysis/reservations.ts'
import type { StreamState, Streams } from '../../stream/streams.ts'
import type { TaskLists } from '../../tasks/lists.ts'
import type { Planning } from '../../tasks/planner.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { Actions, Subject } from '../../undo/journal.ts'
import type { Audits } from '../../workflow/audits.ts'
import type { PendingActions } from '../confirmations.ts'
import { createBulkTools } from './bulk-tools.ts'
import { createCalendarTools } from './calendar-tools.ts'
import { createCommitmentTools } from './commitment-tools.ts'
import { createContactTools } from './contact-tools.ts'
import { createToolContracts, type ToolSchemas } from './contracts.ts'
import { createEventTools } from './event-tools.ts'
import { createMailReminderTools } from './mail-reminder-tools.ts'
import { createMailTools } from './mail-tools.ts'
import { createMailingListTools, type MailingListServices } from './mailing-list-tools.ts'
import { createPlanningTools } from './planning-tools.ts'
import { createRuleTools, type FolderServices } from './rule-tools.ts'
import {
  type BookingServices,
  createAuditTools,
  createBookingTools,
  createStreamTools,
} from './service-tools.ts'
import { createSummaryTools } from './summary-tools.ts'
import { createTaskTools } from './task-tools.ts'
import {
  createPrivacy,
  defineTool,
  type Outcome,
  type Privacy,
  type PrivacyCheckedItem,
  type PrivacyDeps,
  type Tool,
  type ToolUse,
} from './tool.ts'
import { isForeign, type WriteGuard } from './write-guard.ts'

const strict = { additionalProperties: false }
const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A day such as 2026-03-01; default: today',
})

type BriefingContent = Awaited<ReturnType<Briefing['of']>>

const createOverviewTools = (deps: {
  dashboard: Dashboard
  briefing: Briefing
  tasks: Tasks
  events: Events
  privacy: Privacy
}): Tool[] => {
  const { dashboard, briefing, tasks, events, privacy } = deps

  /** Returns the ids of private tasks. */
  const hiddenTasks = async (userId: number, ids: readonly number[]) => {
    const all: PrivacyCheckedItem[] = []
    for (const id of new Set(ids)) all.push(await tasks.get(userId, id))
    return privacy.tasks(userId, all)
  }
  const hiddenEvents = async (userId: number, ids: readonly number[]) => {
    const all: PrivacyCheckedItem[] = []
    for (const id of new Set(ids)) all.push(await events.get(userId, id))
    return privacy.events(userId, all)
  }

  /** Removes private items for a model. The text and summary mention all items, so they are omitted. */
  const withoutPrivate = async (userId: number, { text: _, summary: __, ...content }: BriefingContent) => {
    const mails = await privacy.emails(
      userId,
      [...(content.waiting ?? []), ...(content.promises ?? [])].flatMap(({ emailId }) => emailId ?? []),
    )
    const work = await hiddenTasks(
      userId,
      [...(content.due ?? []), ...(content.overdue ?? [])].map(({ id }) => id),
    )
    const taken = await hiddenEvents(
      userId,
      (content.events ?? []).map(({ id }) => id),
    )
    // The tags of a deleted email are unknown, so that a promise in it may be private.
    const isOpenMail = ({ emailId }: { emailId: number | null }): boolean =>
      emailId !== null && !mails.has(emailId)
    const isOpenTask = ({ id }: { id: number }): boolean => !work.has(id)
    const isOpenEvent = ({ id }: { id: number }): boolean => !taken.has(id)
    return {
      ...content,
      ...(content.events && { events: content.events.filter(isOpenEvent) }),
      ...(content.conflicts && {
        conflicts: content.conflicts.filter((one) => one.events.every(isOpenEvent)),
      }),
      ...(content.due && { due: content.due.filter(isOpenTask) }),
      ...(content.overdue && { overdue: content.overdue.filter(isOpenTask) }),
      ...(content.waiting && { waiting: content.waiting.filter(isOpenMail) }),
      ...(content.promises && { promises: content.promises.filter(isOpenMail) }),
    }
  }

  const read = async (date: string | undefined, { caller, sendsToModel }: ToolUse) => {
    const content = await briefing.of(caller, date)
    const open = sendsToModel ? await withoutPrivate(userIdOf(caller), content) : content
    const mails = [...(open.waiting ?? []), ...(open.promises ?? [])].flatMap(({ emailId }) => emailId ?? [])
    return { content: open, mails: [...new Set(mails)] }
  }

  return [
    defineTool({
      name: 'get_statistics',
      description: 'Returns statistics: emails, tasks, events, bookings, AI, and 14 days of activity.',
      effect: 'read',
      scope: 'ai:read',
      input: Type.Object({}, strict),
      returnsOwnText: true,
      async run(_input, { caller, sendsToModel }) {
        const figures = await dashboard.read(caller)
        const next = figures.events?.next
        const isHidden =
          sendsToModel && next && (await hiddenEvents(userIdOf(caller), [next.id])).has(next.id)
        if (!sendsToModel || !next) return { result: figures }
        // The title may come from an email that becomes private later; `list_events` names its source.
        const open = isHidden ? null : { ...next, title: '' }
        return { result: { ...figures, events: { ...figures.events, next: open } } }
      },
    }),
    defineTool({
      name: 'get_briefing',
      description: 'Summarizes a day: events, due tasks, emails waiting for a reply, promises and conflicts.',
      effect: 'read',
      longReads: true,
      scope: 'ai:read',
      input: Type.Object({ date: Type.Optional(Day) }, strict),
      async run({ date }, use) {
        const { content, mails } = await read(date, use)
        // The text mentions all items, so private ones may be among them.
        return { result: content, emails: mails, isPrivate: !use.sendsToModel }
      },
    }),
    defineTool({
      name: 'find_unanswered',
      description: 'Lists emails of the last 14 days that ask something and have no reply yet, newest first.',
      effect: 'read',
      longReads: true,
      scope: 'mail:read',
      input: Type.Object({}, strict),
      async run(_input, use) {
        const { content } = await read(undefined, use)
        const waiting = content.waiting ?? []
        return { result: { waiting }, emails: waiting.map(({ emailId }) => emailId) }
      },
    }),
  ]
}

/** Kinds of items in journal entries. Only a subject can be changed by several actions in turn. */
type JournalItem = Subject | 'contact' | 'rule' | 'commitment'

/** The ids in the journal entries about each kind of item. */
const REFERENCES: Readonly<Record<JournalItem, References>> = {
  contact: { id: 'contacts' },
  rule: { id: 'mail_rules' },
  commitment: { id: 'commitments' },
  task: {
    id: 'tasks',
    'tasks.*.id': 'tasks',
    'deleted.*.before.emailId': 'emails',
    'deleted.*.before.eventId': 'events',
    'deleted.*.before.listId': 'task_lists',
    'before.emailId': 'emails',
    'before.eventId': 'events',
    'before.listId': 'task_lists',
  },
  event: {
    id: 'events',
    'before.emailId': 'emails',
    'before.calendarId': 'calendars',
    'after.emailId': 'emails',
    'after.calendarId': 'calendars',
  },
  email: { id: 'emails', 'emails.*.id': 'emails' },
}

export type Journal = ReturnType<typeof createJournal>

/** Runs a change of the assistant and records how to undo it, in one transaction. */
export const createJournal = ({ db, actions }: { db: Db; actions: Actions }) => ({
  define<S extends TSchema>(
    kind: string,
    payload: S,
    undo: (payload: Static<S>, tx: Db, userId: number) => Promise<unknown>,
  ): (
    userId: number,
    act: (tx: Db) => Promise<{ result: unknown; summary: string; payload: Static<S> }>,
  ) => Promise<Required<Pick<Outcome, 'result' | 'undoId'>> & Pick<Outcome, 'before'>> {
    const name = `assistant.${kind}`
    const item = kind.split('_', 1)[0] as JournalItem
    const about = item === 'contact' || item === 'rule' || item === 'commitment' ? undefined : item
    actions.define({
      kind: name,
      ...(about && { about }),
      payload,
      references: REFERENCES[item],
      undo: async (tx, given, _parts, userId) => {
        const thing = await undo(given, tx, userId)
        const { id, found } = given as { id: number; found?: number }
        if (about && found !== undefined && isVersioned(thing))
          await actions.restoreVersion(tx, userId, about, { id, version: found }, thing.version)
      },
    })
    return (userId, act) =>
      inTransaction(db, async (tx) => {
        const { result, summary, payload: kept } = await act(tx)
        const undoId = await actions.record(tx, { userId, kind: name, summary, payload: kept })
        const { before } = kept as Pick<Outcome, 'before'>
        return { result, undoId, ...(before && { before }) }
      })
  },
})

/** Services of the other features. The assistant uses the same services as the HTTP routes. */
export interface AssistantServices {
  tasks: Tasks
  events: Events
  calendar: Calendar
  guests: Guests
  /** The email addresses of the person that a caller acts for, in lower case. */
  ownAddresses: (caller: Caller) => Promise<ReadonlySet<string>>
  emails: Emails
  finding: Finding
  outbox: Outbox
  dashboard: Dashboard
  briefing: Briefing
  actions: Actions
  traces: PrivacyDeps
  analyzeMail: AnalyzeMail
  reservations: Pick<ReservationFiling, 'list'>
  contacts: Contacts
  commitments: Commitments
  mailRules: MailRules
  folders: FolderServices
  mailingLists: MailingListServices
  planning: Pick<Planning, 'plan'>
  calendars: Pick<Calendars, 'list'>
  inviting: Pick<InvitingEvents, 'change'>
  taskLists: Pick<TaskLists, 'list'>
  bookings: BookingServices
  stream: { state: StreamState; streams: Streams }
  audits: Audits
  schemas: ToolSchemas
  clock: Clock
  zoneOf: (userId: number) => Promise<string>
}

export type Registry = ReturnType<typeof createRegistry>

/** Holds the tools that models, the built-in engine and MCP clients use. */
export const createRegistry = (db: Db, services: AssistantServices) => {
  const journal = createJournal({ db, actions: services.actions })
  const privacy = createPrivacy(services.traces)
  // Created at the start, because each tool also defines how its changes are undone.
  const tools: readonly Tool[] = [
    ...createMailTools({ ...services, journal }),
    ...createMailReminderTools({ ...services, journal }),
    ...createTaskTools({ ...services, journal, privacy }),
    ...createEventTools({ ...services, journal, privacy }),
    ...createOverviewTools({ ...services, privacy }),
    ...createContactTools({ ...services, journal }),
    ...createRuleTools({ ...services, journal, newMailRule: services.schemas.newMailRule }),
    ...createCalendarTools(services),
    ...createSummaryTools(services),
    ...createPlanningTools({ ...services, privacy }),
    ...createBulkTools({ ...services, journal, privacy }),
    ...createMailingListTools({ ...services, journal }),
    ...createCommitmentTools({ ...services, journal }),
    ...createBookingTools({ ...services, privacy }),
    ...createStreamTools(services),
    ...createAuditTools(services),
  ]
  // Created for the first use, because the schemas would slow down the start.
  let contracts: ReturnType<typeof createToolContracts> | undefined
  const checkers = new Map<string, Validator>()

  const find = (name: string): Tool | undefined => tools.find((tool) => tool.name === name)

  const mayUse = (caller: Caller, { scope }: Tool): boolean =>
    caller.kind !== 'token' || covers(caller.scopes, scope)

  return {
    /** Lists the tools that a caller may use. The scopes of a token limit them. */
    offer: (caller: Caller): readonly Tool[] => tools.filter((tool) => mayUse(caller, tool)),

    has: (name: string, caller: Caller): boolean => {
      const tool = find(name)
      return tool !== undefined && mayUse(caller, tool)
    },

    /** Tells whether an outcome can contain words of others. */
    isForeign: ({ tool, status }: Pick<ToolCallOutcome, 'tool' | 'status'>): boolean =>
      isForeign(find(tool) ?? {}, status),

    get contracts() {
      contracts ??= createToolContracts(services.schemas)
      return contracts
    },

    /** Throws if the tool does not exist or the caller may not use it. */
    get(name: string, caller: Caller): Tool {
      const tool = find(name)
      if (!tool || !mayUse(caller, tool))
        throw new AppError(
          'not_found',
          'not_found',
          'This tool does not exist, or this token has no access to it.',
        )
      return tool
    },

    /** Validates the input of a tool. Throws an error that lists the invalid fields. */
    check({ name, input }: Tool, given: unknown): unknown {
      const checker = checkers.get(name) ?? (compileChecker(input) as Validator)
      checkers.set(name, checker)
      if (checker.Check(given)) return given
      const errors = explain(input, checker.Errors(given), given)
      throw invalid('The input does not match the schema of the tool.', errors.slice(0, 10))
    },
  }
}

/** Describes the outcome of a tool call. */
export interface ToolCallOutcome {
  tool: string
  input: unknown
  status: 'done' | 'failed' | 'needs_confirmation'
  result: unknown
  /** Set if the call waits for confirmation. */
  actionId: string | null
  /** Entry of the undo journal, if the call can be undone. */
  undoId: number | null
  /** The changed fields of an existing item before the change. Answers of earlier versions have none. */
  before?: Readonly<Record<string, unknown>> | null
  /** Ids of the emails that the result quotes. */
  emails: readonly number[]
  /** The result contains data that must not be sent to a model. */
  isPrivate: boolean
  /** Set if the call waits: whether a typed yes confirms it. Answers of earlier versions have none. */
  confirmedBy?: 'word' | 'button' | null
}

export interface ToolCallContext {
  use: ToolUse
  /** Set if a model calls the tool for a message of the person. */
  writeGuard: WriteGuard | null
  source: 'chat' | 'mcp'
  conversationId: string | null
}

/** Removes internal fields: clients do not need to know which emails a result quotes. */
export const toPublicAction = ({ emails: _, isPrivate: __, confirmedBy: ___, ...action }: ToolCallOutcome) =>
  action

const NOTHING = {
  actionId: null,
  undoId: null,
  before: null,
  emails: [],
  isPrivate: false,
  confirmedBy: null,
}

/** The only place that decides whether a call waits for the person. */
const mustWait = async (
  tool: Tool,
  input: unknown,
  { use, writeGuard }: ToolCallContext,
): Promise<boolean> => {
  if (tool.effect === 'read') return false
  if (tool.effect === 'confirm' || (await tool.needsConfirmation?.(input, use))) return true
  return writeGuard !== null && !(await writeGuard.allows(tool, input, () => tool.propose(input, use)))
}

export type ToolRunner = ReturnType<typeof createToolRunner>

/**
 * Runs tools on behalf of a model, the built-in engine or an MCP client. All tool calls pass through here.
 * Tools that need a confirmation are never run here. They are queued for the person.
 */
export const createToolRunner = ({
  registry,
  pendingActions,
}: {
  registry: Registry
  pendingActions: PendingActions
}) => ({
  async run(name: string, given: unknown, from: ToolCallContext): Promise<ToolCallOutcome> {
    const called = { tool: name, input: given, ...NOTHING }
    const call = async (tool: Tool, input: unknown): Promise<ToolCallOutcome> => {
      if (await mustWait(tool, input, from)) {
        const { id, summary, expiresAt, confirmedBy } = await pendingActions.queue({ tool, input }, from)
        const result = { summary, expiresAt }
        from.writeGuard?.noteResult(tool, 'needs_confirmation', result)
        return { ...called, status: 'needs_confirmation', result, actionId: id, confirmedBy }
      }
      const outcome = await tool.run(input, from.use)
      const { result, undoId = null, before = null, emails = [], isPrivate = false } = outcome
      from.writeGuard?.noteResult(tool, 'done', result)
      return { ...called, status: 'done', result, undoId, before, emails, isPrivate }
    }
    let tool: Tool | undefined
    try {
      const { caller } = from.use
      tool = registry.get(name, caller)
      const input = registry.check(tool, given)
      if (!tool.longReads) return await call(tool, input)
      const read = { key: longReadKey(caller), signal: new AbortController().signal }
      const longTool = tool
      return await withLongReads(read, () => call(longTool, input))
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error
      const { errors } = error.details
      if (tool) from.writeGuard?.noteResult(tool, 'failed', error.message)
      return {
        ...called,
        status: 'failed',
        result: { error: error.message, code: error.code, ...(errors?.length && { errors }) },
      }
    }
  },
})
