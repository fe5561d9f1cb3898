import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { privateTagsOf } from '../../engine/mail/private-tag.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import { readInstant } from '../../platform/time.ts'
import type { Actions } from '../actions/actions.ts'
import type { PreferenceRules } from '../settings/profile/preferences.ts'
import type { Agenda, BookedEvent } from './agenda.ts'
import { deleteBlocks, insertBlock, listBlocks } from './block-store.ts'
import { FIRST_CLOSED } from './place.ts'
import { type Block, freeSpans, type Plan, planTasks, type Shortfall, type Span } from './plan.ts'
import type { PlanWish } from './plan-schema.ts'
import { listOpen, lockAlarm, type OpenTask } from './store.ts'
import { dayNumberAt, workingSpans } from './working-time.ts'

const MINUTE = 60_000
const LONGEST_WINDOW = 92 * 86_400_000
const MOST_TASKS = 500
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
  due_too_soon: (minutes) => `It is due before ${minutes} more minutes are free.`,
  no_time: (minutes) => `The working hours of these days have no room for ${minutes} more minutes.`,
}

const summaryOf = (blocks: readonly Block[]): string => {
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
  return `Planned ${count(new Set(blocks.map(({ taskId }) => taskId)).size, 'task')} in ${count(blocks.length, 'block')}`
}

export type Planning = ReturnType<typeof createPlanning>

/** Proposes time in the calendar for open tasks, and books it when asked. */
export const createPlanning = (deps: {
  db: Db
  clock: Clock
  preferences: Pick<PreferenceRules, 'ofInstance'>
  agenda: Agenda
  actions: Actions
}) => {
  const { db, clock, agenda, actions } = deps

  /** What of each task's time is already in the calendar, from now on. */
  const bookedMinutes = async (tx: Db, tasks: readonly OpenTask[], now: number) => {
    const blocks = await listBlocks(
      tx,
      tasks.map(({ id }) => id),
    )
    const events = new Map(
      (
        await agenda.find(
          tx,
          blocks.map(({ eventId }) => eventId),
        )
      ).map((event) => [event.id, event]),
    )
    const minutes = new Map<number, number>()
    for (const { eventId, taskId } of blocks) {
      const event = events.get(eventId)
      if (event && Date.parse(event.end) > now)
        minutes.set(taskId, (minutes.get(taskId) ?? 0) + lengthOf(event))
    }
    return minutes
  }

  const propose = async (tx: Db, window: Span, wish: PlanWish) => {
    const { timezone, workingHours } = await deps.preferences.ofInstance()
    const now = clock.now().getTime()
    const ahead = { start: Math.max(window.start, now), end: window.end }
    const tasks = await listOpen(tx, FIRST_CLOSED, MOST_TASKS)
    const booked = await bookedMinutes(tx, tasks, now)
    const bufferMinutes = wish.bufferMinutes ?? 10
    const around = bufferMinutes * MINUTE
    const busy =
      ahead.start < ahead.end
        ? await agenda.busyBetween(tx, text(ahead.start - around), text(ahead.end + around))
        : []
    const free = freeSpans(workingSpans(ahead, workingHours, timezone), busy.map(spanOf), bufferMinutes)
    const wanted = tasks.map((task) => ({
      id: task.id,
      minutes: Math.max(0, (task.estimateMinutes ?? USUAL_MINUTES) - (booked.get(task.id) ?? 0)),
      dueMs: task.lateAt === null ? null : Date.parse(task.lateAt),
    }))
    const plan = planTasks(wanted, free, {
      nowMs: now,
      longestMinutes: wish.blockMinutes ?? 90,
      bufferMinutes,
      minutesPerDay: wish.minutesPerDay ?? null,
      dayOf: (instant) => dayNumberAt(instant, timezone),
    })
    const settled = wanted.filter(({ minutes }) => minutes === 0).map(({ id }) => id)
    return { plan, tasks: new Map(tasks.map((task) => [task.id, task])), settled, timezone, now }
  }
  type Proposal = Awaited<ReturnType<typeof propose>>

  const describe = (window: Span, { plan, tasks, settled, timezone, now }: Proposal) => {
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
        ...settled.map((taskId) => ({
          taskId,
          title: titleOf(taskId),
          missingMinutes: 0,
          reason: 'already_planned' as const,
          detail: 'All its time is in the calendar already.',
        })),
      ],
    }
  }
  type Description = ReturnType<typeof describe>

  const book = async (tx: Db, { blocks, timezone }: Description, proposal: Proposal) => {
    const events: BookedEvent[] = []
    for (const { taskId, title, start, end, part, parts } of blocks)
      events.push(
        await agenda.create(tx, {
          title: parts === 1 ? title : `${title} (${part}/${parts})`,
          description: '',
          start,
          end,
          timezone,
          tags: ['focus', ...privateTagsOf(JSON.parse(proposal.tasks.get(taskId)?.tags ?? '[]') as string[])],
        }),
      )
    const payload = { events: events.map(({ id, version }) => ({ id, version })) }
    const actionId = await actions.record(tx, {
      kind: KIND,
      summary: summaryOf(proposal.plan.blocks),
      payload,
    })
    for (const [index, { taskId }] of blocks.entries())
      await insertBlock(tx, { eventId: (events[index] as BookedEvent).id, taskId, actionId })
    return { actionId, eventIds: events.map(({ id }) => id) }
  }

  actions.define({
    kind: KIND,
    about: 'event',
    payload: Payload,
    async undo(tx, { events }) {
      const ids = events.map(({ id }) => id)
      const found = new Map((await agenda.find(tx, ids)).map((event) => [event.id, event]))
      for (const { id, version } of events) {
        const event = found.get(id)
        if (!event) throw conflict('One of the planned blocks has been removed since.')
        if (event.version !== version)
          throw conflict(`The planned block “${event.title}” has been changed since.`)
      }
      for (const id of ids) await agenda.remove(tx, id)
      await deleteBlocks(tx, ids)
    },
  })

  const readWindow = async ({ start, end }: PlanWish): Promise<Span> => {
    const { timezone } = await deps.preferences.ofInstance()
    const window = spanOf({
      start: readInstant('start', start, timezone),
      end: readInstant('end', end, timezone),
    })
    if (window.end <= window.start) throw invalidField('end', 'must be after the start')
    if (window.end - window.start > LONGEST_WINDOW)
      throw invalidField('end', 'must be at most 92 days after the start')
    return window
  }

  return {
    async plan(wish: PlanWish) {
      const window = await readWindow(wish)
      if (!wish.apply) {
        const description = describe(window, await propose(db, window, wish))
        return { ...description, applied: false, actionId: null }
      }
      return inTransaction(db, async (tx) => {
        // Two plans at once would find the same time free: the second waits for the first.
        await lockAlarm(tx)
        const proposal = await propose(tx, window, wish)
        const description = describe(window, proposal)
        if (description.blocks.length === 0) return { ...description, applied: false, actionId: null }
        const { actionId, eventIds } = await book(tx, description, proposal)
        const blocks = description.blocks.map((block, index) => ({
          ...block,
          eventId: eventIds[index] ?? null,
        }))
        return { ...description, blocks, applied: true, actionId }
      })
    },
  }
}
