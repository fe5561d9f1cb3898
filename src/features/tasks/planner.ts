import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { privateTagsOf } from '../../nlu/mail/facts.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { readInstant } from '../../platform/time.ts'
import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import type { WorkingHours } from '../auth/working-hours.ts'
import type { Actions } from '../undo/journal.ts'
import { weekdayOf } from './due.ts'
import { type Block, readBlocks, requireBookable, type Span } from './plan-blocks.ts'
import { DEFAULT_LUNCH, toMinutes, withoutLunch, withTravel } from './plan-breaks.ts'
import type { Agenda, BookedEvent, BusyTime } from './queries.ts'
import {
  deleteBlocks,
  findOpen,
  insertBlock,
  listBlocks,
  listOpen,
  lockAlarm,
  type OpenTask,
} from './repository.ts'
import type { PlanInput } from './schema.ts'
import { FIRST_CLOSED } from './task.ts'

const DAY = 86_400_000
const MINUTE = 60_000

/** Returns the number of days since 1970 in wall-clock time. */
export const dayNumberAt = (instantMs: number, timezone: string): number =>
  Math.floor(toWall(instantMs, timezone) / DAY)

/** Returns the working hours within a window as instants. */
export const workingSpans = (window: Span, hours: readonly WorkingHours[], timezone: string): Span[] => {
  const spans: Span[] = []
  const last = dayNumberAt(window.end, timezone)
  for (let day = dayNumberAt(window.start, timezone); day <= last; day++)
    for (const { day: weekday, start, end } of hours) {
      if (weekday !== weekdayOf(day)) continue
      const at = (time: string): number => toInstant(day * DAY + toMinutes(time) * MINUTE, timezone)
      const span = { start: Math.max(at(start), window.start), end: Math.min(at(end), window.end) }
      if (span.end > span.start) spans.push(span)
    }
  return spans.sort((a, b) => a.start - b.start)
}

/*
 * Plans tasks as a pure function of the tasks, the free time and a few rules. Tasks are planned in the given
 * order. Each takes the earliest free time before its due date. It is split into blocks only if no single
 * span is long enough.
 */

export interface PlanTask {
  id: number
  /** The minutes that still have to be planned. */
  minutes: number
  dueMs: number | null
}

export interface PlanRules {
  /** The current time. A task that was due before gets the earliest free time. */
  nowMs: number
  longestMinutes: number
  /** Minutes kept free between a block and whatever is before or after it. */
  bufferMinutes: number
  minutesPerDay: number | null
  /** Returns the day that contains an instant, for the limit per day. */
  dayOf(instantMs: number): string | number
}

export type Shortfall = 'due_too_soon' | 'no_time'

export interface Plan {
  /** Ordered by start. */
  blocks: Block[]
  unplanned: { taskId: number; missingMinutes: number; reason: Shortfall }[]
}
/** The minimum length of a block, unless the task is shorter. */
const MIN_MINUTES = 15
/** Blocks start at multiples of five minutes. */
const GRID = 5 * MINUTE

const onGrid = (ms: number): number => Math.ceil(ms / GRID) * GRID

/** Merges spans that touch or overlap. */
const merged = (spans: readonly Span[]): Span[] => {
  const ordered = spans.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)
  const result: Span[] = []
  for (const { start, end } of ordered) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}

/**
 * Returns `open` without `busy`, with a buffer around each busy span. Spans may overlap and be in any order.
 */
export const freeSpans = (open: readonly Span[], busy: readonly Span[], bufferMinutes: number): Span[] => {
  const buffer = bufferMinutes * MINUTE
  const lasting = busy.filter(({ start, end }) => end > start)
  const taken = merged(lasting.map(({ start, end }) => ({ start: start - buffer, end: end + buffer })))
  return merged(open)
    .flatMap(({ start, end }) => {
      const within = taken.filter((one) => one.end > start && one.start < end)
      const from = [start, ...within.map((one) => one.end)]
      const to = [...within.map((one) => one.start), end]
      return from.map((at, index) => ({ start: onGrid(at), end: to[index] as number }))
    })
    .filter(({ start, end }) => end > start)
}

/**
 * Returns how many of the available minutes (`fits`) to use, so that the rest is long enough for a block.
 * Returns 0 if the block would be too short.
 */
const portionOf = (missing: number, fits: number, least: number): number => {
  if (fits >= missing) return missing
  const portion = Math.floor(Math.min(fits, missing - least))
  return portion >= least ? portion : 0
}

const createFreeTime = (free: readonly Span[], rules: PlanRules) => {
  const spans = free.map((span) => ({ ...span }))
  // With short blocks, allow half a block. Otherwise some tasks could not be split at all.
  const least = Math.min(
    MIN_MINUTES,
    Math.floor(Math.min(rules.longestMinutes, rules.minutesPerDay ?? Infinity) / 2),
  )
  const spent = new Map<string | number, number>()
  const leftOn = (day: string | number): number => (rules.minutesPerDay ?? Infinity) - (spent.get(day) ?? 0)

  const fitsIn = ({ start, end }: Span, until: number): number =>
    Math.min((Math.min(end, until) - start) / MINUTE, rules.longestMinutes, leftOn(rules.dayOf(start)))

  const takeFrom = (span: Span, minutes: number): Span => {
    const { start } = span
    const end = start + minutes * MINUTE
    const day = rules.dayOf(start)
    spent.set(day, (spent.get(day) ?? 0) + minutes)
    span.start = onGrid(end + rules.bufferMinutes * MINUTE)
    return { start, end }
  }

  /** Takes the earliest time for up to `minutes` that ends by `until`, in one block if possible. */
  const take = (minutes: number, until: number): Span[] => {
    const whole = minutes > 0 && spans.find((span) => fitsIn(span, until) >= minutes)
    if (whole) return [takeFrom(whole, minutes)]
    const taken: Span[] = []
    let missing = minutes
    for (const span of spans)
      while (missing > 0) {
        const portion = portionOf(missing, fitsIn(span, until), least)
        if (portion === 0) break
        taken.push(takeFrom(span, portion))
        missing -= portion
      }
    return taken
  }
  return { take, copy: () => createFreeTime(spans, rules) }
}

const sumMinutes = (spans: readonly Span[]): number =>
  spans.reduce((sum, { start, end }) => sum + (end - start) / MINUTE, 0)

export const planTasks = (tasks: readonly PlanTask[], free: readonly Span[], rules: PlanRules): Plan => {
  const freeTime = createFreeTime(free, rules)
  const blocks: Block[] = []
  const unplanned: Plan['unplanned'] = []
  for (const { id: taskId, minutes, dueMs } of tasks) {
    const until = dueMs === null || dueMs <= rules.nowMs ? Infinity : dueMs
    const taken = freeTime.take(minutes, until)
    blocks.push(...taken.map((span) => ({ taskId, ...span })))
    const missingMinutes = minutes - sumMinutes(taken)
    if (missingMinutes === 0) continue
    const later = until < Infinity && sumMinutes(freeTime.copy().take(missingMinutes, Infinity)) > 0
    unplanned.push({ taskId, missingMinutes, reason: later ? 'due_too_soon' : 'no_time' })
  }
  return { blocks: blocks.sort((a, b) => a.start - b.start), unplanned }
}

const MAX_WINDOW_MS = 92 * 86_400_000
const MAX_TASKS = 500
const USUAL_MINUTES = 30
const KIND = 'tasks.planned'

const Payload = Type.Object({
  events: Type.Array(Type.Object({ id: Type.Integer(), version: Type.Integer() })),
})

const spanOf = ({ start, end }: { start: string; end: string }): Span => ({
  start: Date.parse(start),
  end: Date.parse(end),
})
const text = (ms: number): string => new Date(ms).toISOString()
const lengthOf = (event: BookedEvent): number => (Date.parse(event.end) - Date.parse(event.start)) / MINUTE

const DETAILS: Record<Shortfall, (minutes: number) => string> = {
  due_too_soon: (minutes) => `The task is due before ${minutes} more minutes are free.`,
  no_time: (minutes) => `The working hours in this period have fewer than ${minutes} free minutes left.`,
}

const summaryOf = (blocks: readonly Block[]): string => {
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
  return `Planned ${count(new Set(blocks.map(({ taskId }) => taskId)).size, 'task')} in ${count(blocks.length, 'block')}`
}

interface Proposal {
  plan: Plan
  tasks: ReadonlyMap<number, OpenTask>
  /** Tasks whose whole time is already in the calendar. */
  alreadyPlanned: readonly number[]
  timezone: string
  now: number
}

type Description = ReturnType<typeof describe>

interface PlanningDeps extends Pick<Platform, 'db' | 'clock'> {
  preferences: Pick<PreferenceRules, 'get'>
  agenda: Agenda
  actions: Actions
}

const describe = (window: Span, { plan, tasks, alreadyPlanned, timezone, now }: Proposal) => {
  const titleOf = (id: number): string => tasks.get(id)?.title ?? ''
  const isLate = (id: number): boolean => {
    const lateAt = tasks.get(id)?.lateAt
    return lateAt != null && Date.parse(lateAt) <= now
  }
  const ofTask = Map.groupBy(plan.blocks, ({ taskId }) => taskId)
  return {
    start: text(window.start),
    end: text(window.end),
    timezone,
    blocks: plan.blocks.map((block) => {
      const { taskId, start, end } = block
      const siblings = ofTask.get(taskId) as Block[]
      return {
        taskId,
        title: titleOf(taskId),
        start: text(start),
        end: text(end),
        part: siblings.indexOf(block) + 1,
        parts: siblings.length,
        late: isLate(taskId),
        eventId: null as number | null,
      }
    }),
    unplanned: [
      ...plan.unplanned.map(({ taskId, missingMinutes, reason }: Plan['unplanned'][number]) => ({
        taskId,
        title: titleOf(taskId),
        missingMinutes,
        reason: reason as Shortfall | 'already_planned',
        detail: DETAILS[reason](missingMinutes),
      })),
      ...alreadyPlanned.map((taskId) => ({
        taskId,
        title: titleOf(taskId),
        missingMinutes: 0,
        reason: 'already_planned' as const,
        detail: 'All time for this task is already in the calendar.',
      })),
    ],
  }
}

/** Proposes time in the calendar for open tasks, and books it if `apply` is set. */
export class Planning {
  private readonly deps: PlanningDeps

  constructor(deps: PlanningDeps) {
    this.deps = deps
    this.deps.actions.define({
      kind: KIND,
      about: 'event',
      payload: Payload,
      references: { 'events.*.id': 'events' },
      undo: async (tx, { events }, _parts, userId) => {
        const ids = events.map(({ id }) => id)
        const found = new Map(
          (await this.deps.agenda.find(tx, userId, ids)).map((event) => [event.id, event]),
        )
        for (const { id, version } of events) {
          const event = found.get(id)
          if (!event) throw conflict('One of the planned blocks has been removed since.')
          if (event.version !== version)
            throw conflict(`The planned block “${event.title}” has been changed since.`)
        }
        for (const id of ids) await this.deps.agenda.remove(tx, userId, id)
        await deleteBlocks(tx, userId, ids)
      },
    })
  }

  async plan(userId: number, input: PlanInput) {
    const window = await this.readWindow(userId, input)
    if (!input.apply) {
      const description = describe(window, await this.propose(this.deps.db, userId, window, input))
      return { ...description, applied: false, actionId: null }
    }
    return inTransaction(this.deps.db, async (tx) => {
      // Concurrent plans would use the same free time. The lock makes the second wait for the first.
      await lockAlarm(tx)
      const proposal = await this.propose(tx, userId, window, input)
      const description = describe(window, proposal)
      if (description.blocks.length === 0) return { ...description, applied: false, actionId: null }
      const { actionId, eventIds } = await this.book(tx, userId, description, proposal)
      const blocks = description.blocks.map((block, index) => ({
        ...block,
        eventId: eventIds[index] ?? null,
      }))
      return { ...description, blocks, applied: true, actionId }
    })
  }

  /** Sums the minutes from now on that are already booked for each task. */
  private async bookedMinutes(tx: Db, userId: number, tasks: readonly OpenTask[], now: number) {
    const taskIds = tasks.map(({ id }) => id)
    const blocks = await listBlocks(tx, userId, taskIds)
    const eventIds = blocks.map(({ eventId }) => eventId)
    const events = new Map(
      (await this.deps.agenda.find(tx, userId, eventIds)).map((event) => [event.id, event]),
    )
    const minutes = new Map<number, number>()
    for (const { eventId, taskId } of blocks) {
      const event = events.get(eventId)
      if (event && Date.parse(event.end) > now)
        minutes.set(taskId, (minutes.get(taskId) ?? 0) + lengthOf(event))
    }
    return minutes
  }

  private async listBusy(tx: Db, userId: number, { start, end }: Span): Promise<readonly BusyTime[]> {
    return start < end ? this.deps.agenda.busyBetween(tx, userId, text(start), text(end)) : []
  }

  /** Reads the blocks that the person chose. Throws if one of them cannot be booked. */
  private async choose(tx: Db, userId: number, given: NonNullable<PlanInput['blocks']>): Promise<Proposal> {
    const { timezone } = await this.deps.preferences.get(userId)
    const now = this.deps.clock.now().getTime()
    const blocks = readBlocks(given, timezone, now)
    const ids = [...new Set(blocks.map(({ taskId }) => taskId))]
    const tasks = new Map((await findOpen(tx, userId, FIRST_CLOSED, ids)).map((task) => [task.id, task]))
    const busy = await this.listBusy(tx, userId, {
      start: Math.min(...blocks.map(({ start }) => start)),
      end: Math.max(...blocks.map(({ end }) => end)),
    })
    requireBookable(given, blocks, tasks, busy)
    return { plan: { blocks, unplanned: [] }, tasks, alreadyPlanned: [], timezone, now }
  }

  private async propose(tx: Db, userId: number, window: Span, input: PlanInput): Promise<Proposal> {
    if (input.blocks) return this.choose(tx, userId, input.blocks)
    const { timezone, workingHours } = await this.deps.preferences.get(userId)
    const now = this.deps.clock.now().getTime()
    const ahead = { start: Math.max(window.start, now), end: window.end }
    const tasks = input.taskIds
      ? await findOpen(tx, userId, FIRST_CLOSED, input.taskIds)
      : await listOpen(tx, userId, FIRST_CLOSED, MAX_TASKS)
    const booked = await this.bookedMinutes(tx, userId, tasks, now)
    const bufferMinutes = input.bufferMinutes ?? 10
    const travelMinutes = input.travelMinutes ?? 30
    // An event outside of the window may need travel within it.
    const around = Math.max(bufferMinutes, 2 * travelMinutes) * MINUTE
    const busy = await this.listBusy(tx, userId, {
      start: ahead.start - around,
      end: Math.max(ahead.start, ahead.end) + around,
    })
    const { lunch = DEFAULT_LUNCH } = input
    const open = withoutLunch(workingSpans(ahead, workingHours, timezone), lunch, timezone)
    const free = freeSpans(
      open,
      busy.map((event) => withTravel(event, travelMinutes, bufferMinutes)),
      bufferMinutes,
    )
    const wanted = tasks.map((task) => ({
      id: task.id,
      minutes: Math.max(0, (task.estimateMinutes ?? USUAL_MINUTES) - (booked.get(task.id) ?? 0)),
      dueMs: task.lateAt === null ? null : Date.parse(task.lateAt),
    }))
    const plan = planTasks(wanted, free, {
      nowMs: now,
      longestMinutes: input.blockMinutes ?? 90,
      bufferMinutes,
      minutesPerDay: input.minutesPerDay ?? null,
      dayOf: (instant) => dayNumberAt(instant, timezone),
    })
    const alreadyPlanned = wanted.filter(({ minutes }) => minutes === 0).map(({ id }) => id)
    return { plan, tasks: new Map(tasks.map((task) => [task.id, task])), alreadyPlanned, timezone, now }
  }

  private async book(tx: Db, userId: number, { blocks, timezone }: Description, proposal: Proposal) {
    const events: BookedEvent[] = []
    for (const { taskId, title, start, end, part, parts } of blocks)
      events.push(
        await this.deps.agenda.create(tx, userId, {
          title: parts === 1 ? title : `${title} (${part}/${parts})`,
          description: '',
          start,
          end,
          timezone,
          tags: ['focus', ...privateTagsOf(JSON.parse(proposal.tasks.get(taskId)?.tags ?? '[]') as string[])],
        }),
      )
    const payload = { events: events.map(({ id, version }) => ({ id, version })) }
    const actionId = await this.deps.actions.record(tx, {
      userId,
      kind: KIND,
      summary: summaryOf(proposal.plan.blocks),
      payload,
    })
    for (const [index, { taskId }] of blocks.entries())
      await insertBlock(tx, { userId, eventId: (events[index] as BookedEvent).id, taskId, actionId })
    return { actionId, eventIds: events.map(({ id }) => id) }
  }

  private async readWindow(userId: number, { start, end }: PlanInput): Promise<Span> {
    const { timezone } = await this.deps.preferences.get(userId)
    const window = spanOf({
      start: readInstant('start', start, timezone),
      end: readInstant('end', end, timezone),
    })
    if (window.end <= window.start) throw invalidField('end', 'must be after the start')
    if (window.end - window.start > MAX_WINDOW_MS)
      throw invalidField('end', 'must be at most 92 days after the start')
    return window
  }
}
