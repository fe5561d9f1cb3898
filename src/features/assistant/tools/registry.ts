import type { Db } from '../../../database/db.ts'
import { type Caller, covers } from '../../../platform/access/caller.ts'
import { compileChecker } from '../../../platform/checker.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { explain } from '../../../platform/http/validation.ts'
import { createBulkTools } from './bulk-tools.ts'
import { createCalendarTools } from './calendar-tools.ts'
import { createCommitmentTools } from './commitment-tools.ts'
import { createContactTools } from './contact-tools.ts'
import { createToolContracts } from './contracts.ts'
import { createEventTools } from './event-tools.ts'
import { createJournal } from './journal.ts'
import { createMailReminderTools } from './mail-reminder-tools.ts'
import { createMailTools } from './mail-tools.ts'
import { createMailingListTools } from './mailing-list-tools.ts'
import type { ToolCallOutcome } from './outcome.ts'
import { createOverviewTools } from './overview-tools.ts'
import { createPlanningTools } from './planning-tools.ts'
import { createPrivacy } from './privacy.ts'
import { createReservationTools } from './reservation-tools.ts'
import { createRuleTools } from './rule-tools.ts'
import { createAuditTools, createBookingTools, createStreamTools } from './service-tools.ts'
import type { AssistantServices } from './services.ts'
import { createSummaryTools } from './summary-tools.ts'
import { createTaskRecordTools } from './task-record-tools.ts'
import { createTaskTools } from './task-tools.ts'
import type { Tool } from './tool.ts'
import { isForeign } from './write-guard.ts'

export type Registry = ReturnType<typeof createRegistry>

/** Holds the tools that models, the built-in engine and MCP clients use. */
export const createRegistry = (db: Db, services: AssistantServices) => {
  const journal = createJournal({ db, actions: services.actions })
  const privacy = createPrivacy(services.traces)
  const contracts = createToolContracts({
    ...services.schemas,
    taskFields: services.tasks.fields,
    emailFlags: services.emails.flags,
    searchSyntax: services.finding.syntax,
  })
  const deps = { ...services, contracts, journal, privacy }
  // Created at the start, because each tool also defines how its changes are undone.
  const tools: readonly Tool[] = [
    ...createMailTools(deps),
    ...createMailReminderTools(deps),
    ...createTaskTools(deps),
    ...createTaskRecordTools(deps),
    ...createEventTools(deps),
    ...createOverviewTools(deps),
    ...createContactTools(deps),
    ...createReservationTools(deps),
    ...createRuleTools(deps),
    ...createCalendarTools(deps),
    ...createSummaryTools(deps),
    ...createPlanningTools(deps),
    ...createBulkTools(deps),
    ...createMailingListTools(deps),
    ...createCommitmentTools(deps),
    ...createBookingTools(deps),
    ...createStreamTools(deps),
    ...createAuditTools(deps),
  ]

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
    check({ input }: Tool, given: unknown): unknown {
      const checker = compileChecker(input)
      if (checker.Check(given)) return given
      const errors = explain(input, checker.Errors(given), given)
      throw invalid('The input does not match the schema of the tool.', errors.slice(0, 10))
    },
  }
}
