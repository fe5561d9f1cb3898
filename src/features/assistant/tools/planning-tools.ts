import { hasScope, requireScope } from '../../../platform/access/caller.ts'
import { toInstant, toWall } from '../../../recurrence/time-zones.ts'
import type { ToolInput } from './contracts.ts'
import { createUrgencyRating } from './mail-urgency.ts'
import { rankPriorities } from './priorities.ts'
import { formatStart, getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'

const DAY_MS = 86_400_000
const MAX_ITEMS = 10
const MAX_TASKS = 50
/** Limits for rating unread emails: number and age in days. */
const MAX_UNREAD = 30
const URGENT_DAYS = 14
/** Blocks that a confirmation names. */
const MAX_NAMED = 3
type Person = { name: string; address: string } | null

const toIso = (ms: number): string => new Date(ms).toISOString()

const nameOf = (person: Person): string => person?.name || person?.address || ''

const createPriorityTool = (deps: ToolDeps): Tool => {
  const { tasks, briefing, calendar, finding, privacy, clock, zoneOf } = deps
  const rateUrgency = createUrgencyRating(deps)

  const listTasks = async (use: ToolUse) => {
    const { tasks: open } = await tasks.list(use.userId, { status: 'open', limit: MAX_TASKS })
    return (await privacy.filter('task', open, use)).visible
  }

  /** Counts the free working time from now until midnight. */
  const countFreeMinutes = async (userId: number, now: number, timezone: string): Promise<number> => {
    const midnight = (Math.floor(toWall(now, timezone) / DAY_MS) + 1) * DAY_MS
    const { slots } = await calendar.free(userId, {
      start: toIso(now),
      end: toIso(toInstant(midnight, timezone)),
      minutes: 5,
      buffer: 0,
      tentative: 'busy',
      limit: 100,
    })
    return slots.reduce((sum, { minutes }) => sum + minutes, 0)
  }

  /** Lists urgent unread emails. Those without a stored analysis are rated with the built-in engine. */
  const listUrgent = async (userId: number, now: number) => {
    const { emails: unread } = await finding.list(userId, {
      folder: 'inbox',
      unread: true,
      limit: MAX_UNREAD,
    })
    const since = toIso(now - URGENT_DAYS * DAY_MS)
    const levels = await rateUrgency(
      userId,
      unread.filter(({ date }) => date >= since),
    )
    return unread.flatMap((email) => {
      const level = levels.get(email.id)
      return level === 'critical' || level === 'high' ? [{ ...email, level }] : []
    })
  }

  return defineTool(deps.contracts.get_priorities, {
    async run({ limit = MAX_ITEMS }, use) {
      const { caller, userId, sendsToModel } = use
      const [now, timezone] = [clock.now().getTime(), await zoneOf(userId)]
      const content = await briefing.of(caller, undefined)
      const open = hasScope(caller, 'tasks:read') ? await listTasks(use) : []
      const urgent = hasScope(caller, 'mail:read') ? await listUrgent(userId, now) : []
      // A promise outlives its email. Here it needs one to link to.
      const promised = (content.commitments ?? []).flatMap(({ by, emailId, text, dueAt, who }) =>
        by === 'me' && emailId !== null ? [{ emailId, text, dueAt, person: nameOf(who) }] : [],
      )
      const ids = [
        ...(content.waiting ?? []).map(({ emailId }) => emailId),
        ...promised.map(({ emailId }) => emailId),
        ...urgent.map(({ id }) => id),
      ]
      const hidden = sendsToModel ? await privacy.emails(userId, ids) : new Set<number>()
      const events = sendsToModel ? [] : (content.events ?? [])
      const freeMinutes = hasScope(caller, 'calendar:read')
        ? await countFreeMinutes(userId, now, timezone)
        : 0
      const items = rankPriorities({
        now,
        dayOf: (instant) => Math.floor(toWall(instant, timezone) / DAY_MS),
        freeMinutes,
        tasks: open.map(({ id, title, dueAt, dueDay, priority, estimateMinutes }) => ({
          id,
          title,
          dueAt,
          // A task that is due on a day is late after the end of that day.
          lateAt: dueDay === null ? dueAt : toIso(toInstant(Date.parse(dueDay) + DAY_MS, timezone)),
          priority,
          estimateMinutes,
        })),
        waiting: (content.waiting ?? [])
          .filter(({ emailId }) => !hidden.has(emailId))
          .map(({ emailId, subject, date, from, asks }) => ({
            emailId,
            subject,
            date,
            person: nameOf(from),
            asks,
          })),
        promises: promised.filter(({ emailId }) => !hidden.has(emailId)),
        urgent: urgent
          .filter(({ id }) => !hidden.has(id))
          .map(({ id, subject, date, from, level }) => ({ id, subject, date, person: nameOf(from), level })),
        events,
      })
      return {
        result: { items: items.slice(0, limit), more: items.length > limit, freeMinutes, timezone },
        emails: items.filter(({ kind }) => kind === 'email').map(({ id }) => id),
        isPrivate: !sendsToModel,
      }
    },
  })
}

const createProposalTool = ({ contracts, planning, tasks, privacy }: ToolDeps): Tool =>
  defineTool(contracts.propose_plan, {
    async run(input, { caller, userId, sendsToModel }) {
      requireScope(caller, 'calendar:read')
      const { actionId: _, applied: __, ...plan } = await planning.plan(userId, input)
      const ids = [...plan.blocks, ...plan.unplanned].map(({ taskId }) => taskId)
      const all = []
      for (const id of sendsToModel ? new Set(ids) : []) all.push(await tasks.get(userId, id))
      const hidden = await privacy.tasks(userId, all)
      const isOpen = ({ taskId }: { taskId: number }): boolean => !hidden.has(taskId)
      return {
        result: {
          ...plan,
          blocks: plan.blocks.filter(isOpen).map(({ eventId: ___, ...block }) => block),
          unplanned: plan.unplanned.filter(isOpen),
        },
        isPrivate: !sendsToModel,
      }
    },
  })

const createBookingTool = ({ contracts, planning, tasks, privacy, zoneOf }: ToolDeps): Tool =>
  defineTool(contracts.book_plan, {
    async propose({ blocks }, use) {
      requireScope(use.caller, 'tasks:read')
      const userId = use.userId
      // Checks the blocks: overlaps, closed tasks and past times are rejected before the person sees them.
      const checked = await planning.plan(userId, toPlanInput(blocks))
      for (const { taskId } of checked.blocks)
        await privacy.requireOpen('task', await tasks.get(userId, taskId), use)
      const timezone = await zoneOf(userId)
      const named = checked.blocks
        .slice(0, MAX_NAMED)
        .map(({ title, start }) => `“${title}” ${formatStart({ start }, timezone, use.language)}`)
      const summary = getProposalTexts(use.language).bookPlan(checked.blocks.length, named)
      return { summary, about: null }
    },
    async run({ blocks }, { userId }) {
      const { actionId, applied, ...plan } = await planning.plan(userId, {
        ...toPlanInput(blocks),
        apply: true,
      })
      return { result: { ...plan, applied }, ...(actionId !== null && { undoId: actionId }) }
    },
  })

/** The window of a plan with chosen blocks only has to contain them. */
const toPlanInput = (blocks: ToolInput<'book_plan'>['blocks']) => ({
  start: '2000-01-01',
  end: '2000-01-02',
  blocks,
})

/** Tools that order the work of a person and find time for it. */
export const createPlanningTools = (deps: ToolDeps): Tool[] => [
  createPriorityTool(deps),
  createProposalTool(deps),
  createBookingTool(deps),
]
