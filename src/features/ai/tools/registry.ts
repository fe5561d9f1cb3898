import type { Validator } from 'typebox/compile'
import type { Db } from '../../../database/db.ts'
import { type Caller, covers } from '../../../platform/access/caller.ts'
import { compileChecker } from '../../../platform/checker.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { explain } from '../../../platform/http/validation.ts'
import type { Actions } from '../../actions/actions.ts'
import type { Briefing } from '../../briefing/briefing.ts'
import type { Calendar } from '../../calendar/calendar.ts'
import type { Events } from '../../calendar/events.ts'
import type { Dashboard } from '../../dashboard/dashboard.ts'
import type { Emails } from '../../emails/emails.ts'
import type { Finding } from '../../emails/finding.ts'
import type { Outbox } from '../../mail-accounts/outbox/outbox.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { AnalyzeMail } from '../intelligence/mail-analyzer.ts'
import { createEventTools } from './event-tools.ts'
import { createJournal } from './journal.ts'
import { createMailTools } from './mail-tools.ts'
import { createOverviewTools } from './overview-tools.ts'
import { createPrivacy, type PrivacyDeps } from './privacy.ts'
import { createTaskTools } from './task-tools.ts'
import type { Tool } from './tool.ts'

/** The rules of the other rooms: the assistant does nothing that a route would not do. */
export interface Rooms {
  tasks: Tasks
  events: Events
  calendar: Calendar
  emails: Emails
  finding: Finding
  outbox: Outbox
  dashboard: Dashboard
  briefing: Briefing
  actions: Actions
  traces: PrivacyDeps
  analyzeMail: AnalyzeMail
  clock: Clock
  timezone: () => Promise<string>
}

export type Registry = ReturnType<typeof createRegistry>

/** Everything that can be done for the person, by a model, by the built-in engine, or over MCP alike. */
export const createRegistry = (db: Db, rooms: Rooms) => {
  const journal = createJournal({ db, actions: rooms.actions })
  const privacy = createPrivacy(rooms.traces)
  const tools: readonly Tool[] = [
    ...createMailTools({ ...rooms, journal }),
    ...createTaskTools({ ...rooms, journal, privacy }),
    ...createEventTools({ ...rooms, journal, privacy }),
    ...createOverviewTools({ ...rooms, privacy }),
  ]
  const checkers = new Map<string, Validator>()

  const find = (name: string): Tool | undefined => tools.find((tool) => tool.name === name)

  const mayUse = (caller: Caller, { scope }: Tool): boolean =>
    caller.kind !== 'token' || covers(caller.scopes, scope)

  return {
    /** What a caller may use; a token what its scopes cover. */
    offer: (caller: Caller): readonly Tool[] => tools.filter((tool) => mayUse(caller, tool)),

    /** The tool, if there is one and the caller may use it. */
    get(name: string, caller: Caller): Tool {
      const tool = find(name)
      if (!tool || !mayUse(caller, tool))
        throw new AppError('not_found', 'not_found', 'There is no such tool.')
      return tool
    },

    /** The input as the tool takes it, or an error that says what is wrong with it. */
    check({ name, input }: Tool, given: unknown): unknown {
      const checker = checkers.get(name) ?? (compileChecker(input) as Validator)
      checkers.set(name, checker)
      if (checker.Check(given)) return given
      const errors = explain(input, checker.Errors(given), given)
      throw invalid('The input does not fit the tool.', errors.slice(0, 10))
    },
  }
}
