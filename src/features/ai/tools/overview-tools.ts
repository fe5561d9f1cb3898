import Type from 'typebox'
import type { Briefing } from '../../briefing/briefing.ts'
import type { Events } from '../../calendar/events.ts'
import type { Dashboard } from '../../dashboard/dashboard.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { Privacy, Traced } from './privacy.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'

const strict = { additionalProperties: false }
const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A day such as 2026-03-01; today unless given',
})

type Told = Awaited<ReturnType<Briefing['of']>>

export const createOverviewTools = (deps: {
  dashboard: Dashboard
  briefing: Briefing
  tasks: Tasks
  events: Events
  privacy: Privacy
}): Tool[] => {
  const { dashboard, briefing, tasks, events, privacy } = deps
  const traced = (shown: { text: string }): Traced => JSON.parse(shown.text) as Traced

  /** The ids among these that no model may hear of. */
  const hiddenTasks = async (ids: readonly number[]) => {
    const all: Traced[] = []
    for (const id of new Set(ids)) all.push(traced(await tasks.get(id)))
    return privacy.tasks(all)
  }
  const hiddenEvents = async (ids: readonly number[]) => {
    const all: Traced[] = []
    for (const id of new Set(ids)) all.push({ ...traced(await events.get(id)), id })
    return privacy.events(all)
  }

  /** The words of a briefing tell of everything in it: a model gets the lists, without what is private. */
  const openPart = async ({ text: _, summary: __, ...told }: Told) => {
    const mails = await privacy.emails(
      [...(told.waiting ?? []), ...(told.promises ?? [])].map(({ emailId }) => emailId),
    )
    const work = await hiddenTasks([...(told.due ?? []), ...(told.overdue ?? [])].map(({ id }) => id))
    const taken = await hiddenEvents((told.events ?? []).map(({ id }) => id))
    const isOpenMail = ({ emailId }: { emailId: number }): boolean => !mails.has(emailId)
    const isOpenTask = ({ id }: { id: number }): boolean => !work.has(id)
    const isOpenEvent = ({ id }: { id: number }): boolean => !taken.has(id)
    return {
      ...told,
      ...(told.events && { events: told.events.filter(isOpenEvent) }),
      ...(told.conflicts && { conflicts: told.conflicts.filter((one) => one.events.every(isOpenEvent)) }),
      ...(told.due && { due: told.due.filter(isOpenTask) }),
      ...(told.overdue && { overdue: told.overdue.filter(isOpenTask) }),
      ...(told.waiting && { waiting: told.waiting.filter(isOpenMail) }),
      ...(told.promises && { promises: told.promises.filter(isOpenMail) }),
    }
  }

  const read = async (date: string | undefined, { caller, leaves }: ToolUse) => {
    const told = await briefing.of(caller, date)
    const open = leaves ? await openPart(told) : told
    const mails = [...(open.waiting ?? []), ...(open.promises ?? [])].map(({ emailId }) => emailId)
    return { told: open, mails: [...new Set(mails)] }
  }

  return [
    defineTool({
      name: 'get_statistics',
      description: 'How things stand: e-mails, tasks, events, bookings, AI, and 14 days of activity.',
      effect: 'read',
      scope: 'ai:read',
      input: Type.Object({}, strict),
      async run(_input, { caller, leaves }) {
        const figures = await dashboard.read(caller)
        const next = figures.events?.next
        const isHidden = leaves && next && (await hiddenEvents([next.id])).has(next.id)
        return {
          result: isHidden ? { ...figures, events: { ...figures.events, next: null } } : figures,
        }
      },
    }),
    defineTool({
      name: 'get_briefing',
      description:
        'A day at a glance: events, what is due, who waits for an answer, what was promised by whom, conflicts.',
      effect: 'read',
      scope: 'ai:read',
      input: Type.Object({ date: Type.Optional(Day) }, strict),
      async run({ date }, use) {
        const { told, mails } = await read(date, use)
        // The words of it name everything: what is private may be among it.
        return { result: told, emails: mails, isPrivate: !use.leaves }
      },
    }),
    defineTool({
      name: 'find_unanswered',
      description:
        'Who waits for an answer: mails of the last 14 days that asked something and were not answered, the newest first.',
      effect: 'read',
      scope: 'mail:read',
      input: Type.Object({}, strict),
      async run(_input, use) {
        const { told } = await read(undefined, use)
        const waiting = told.waiting ?? []
        return { result: { waiting }, emails: waiting.map(({ emailId }) => emailId) }
      },
    }),
  ]
}
