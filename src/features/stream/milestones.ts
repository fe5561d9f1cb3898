import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import type { Changes } from '../../platform/changes.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import { readInstant } from '../../platform/time.ts'
import type { ChangeContext, StreamWriter } from './overlay.ts'
import {
  deleteMilestone,
  findMilestone,
  insertMilestone,
  listCounted,
  listMilestones,
  type MilestoneRecord,
  updateMilestone,
} from './repository.ts'
import type { MilestoneChange, NewMilestone, Source } from './schema.ts'

/** Debounces bursts of changes, so that they are counted together. */
const PAUSE_MS = 50

/** Types of changes that can affect a count. */
const COUNTED_TYPES = /^(?:task|event|booking|email)\./

/**
 * Updates automatic milestones after every relevant change. Runs one count at a time and queues at most one
 * more.
 * A periodic job catches up after a crash.
 */
export const createMilestoneCounter = (deps: {
  changes: Changes
  jobs: Jobs
  log: Logger
  milestones: Milestones
}) => {
  const { changes, jobs, log, milestones } = deps
  let running: Promise<void> | undefined
  let isWanted = false
  let isStopped = false

  const count = async (): Promise<void> => {
    try {
      while (isWanted && !isStopped) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        isWanted = false
        await milestones.recount()
      }
    } catch (error) {
      log.error({ err: error }, 'could not count milestones')
    } finally {
      running = undefined
    }
  }
  changes.listen(({ type }) => {
    if (!COUNTED_TYPES.test(type)) return
    isWanted = true
    running ??= count()
  })
  jobs.define({
    name: 'stream-milestones',
    payload: Type.Object({}),
    schedule: '*/5 * * * *',
    run: () => milestones.recount(),
  })
  return {
    /** Waits until the running count is finished. */
    async stop(): Promise<void> {
      isStopped = true
      await running
    },
  }
}

/** Counts items since a point in time. Each feature counts its own items. */
export type Counts = Record<Exclude<Source, 'manual'>, (db: Db, since: string) => Promise<number>>

const MAX_VALUE = 1_000_000_000_000

export const viewOfMilestone = ({ hidden: _, ...milestone }: MilestoneRecord) => ({
  ...milestone,
  source: milestone.source as Source,
  reached: milestone.reachedAt !== null,
})

export type Milestones = ReturnType<typeof createMilestones>

export const createMilestones = (deps: {
  db: Db
  streamWriter: StreamWriter
  counts: Counts
  timezone: () => Promise<string>
}) => {
  const { db, streamWriter, counts } = deps

  const count = (tx: Db, source: string, since: string): Promise<number> =>
    counts[source as keyof Counts](tx, since)

  const get = async (tx: Db, id: number): Promise<MilestoneRecord> => {
    const milestone = await findMilestone(tx, id)
    if (!milestone) throw notFound('milestone')
    return milestone
  }

  const readSince = async (given: string | undefined): Promise<string | undefined> =>
    given === undefined ? undefined : readInstant('countsFrom', given, await deps.timezone())

  /**
   * Records the change. Records `milestone_reached` only when the milestone becomes reached, so once per
   * target.
   */
  const settle = async ({ tx, now, emit }: ChangeContext, milestone: MilestoneRecord) => {
    const isReached = milestone.current >= milestone.target
    const isNew = isReached && milestone.reachedAt === null
    const settled = isNew ? await updateMilestone(tx, milestone.id, { reachedAt: now }) : milestone
    const view = viewOfMilestone(settled)
    await emit('stream.milestone_changed', settled.id, { milestone: view })
    if (isNew) await emit('stream.milestone_reached', settled.id, { milestone: view })
    return view
  }

  /** Updates the count of one milestone. */
  const recountOne = (id: number) =>
    streamWriter.change(async (context) => {
      const milestone = await findMilestone(context.tx, id)
      if (!milestone || milestone.source === 'manual') return
      const current = await count(context.tx, milestone.source, milestone.countsFrom)
      if (current === milestone.current) return
      await settle(
        context,
        await updateMilestone(context.tx, id, { current, hidden: 0, updatedAt: context.now }),
      )
    })

  return {
    async list({ limit, cursor }: PageRequest) {
      const above = readCursor(cursor, 'integer')?.[0]
      const rows = await listMilestones(db, { limit, above })
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => [id])
      return { milestones: page.map(viewOfMilestone), nextCursor }
    },

    get: async (id: number) => viewOfMilestone(await get(db, id)),

    async create(input: NewMilestone) {
      const { title, target, unit = '', source = 'manual' } = input
      if (source !== 'manual' && input.current !== undefined)
        throw invalidField('current', 'is counted automatically and cannot be set')
      const since = await readSince(input.countsFrom)
      return streamWriter.change(async (context) => {
        const { tx, now } = context
        const countsFrom = since ?? now
        const current = source === 'manual' ? (input.current ?? 0) : await count(tx, source, countsFrom)
        const milestone = await insertMilestone(tx, {
          title: title.trim(),
          unit: unit.trim(),
          target,
          current,
          source,
          countsFrom,
          reachedAt: null,
          hidden: 0,
          version: 1,
          createdAt: now,
          updatedAt: now,
        })
        return settle(context, milestone)
      })
    },

    /** Raising the target above the current value resets `reachedAt`. */
    async change(id: number, input: MilestoneChange, ifMatch: string | undefined) {
      const since = await readSince(input.countsFrom)
      return streamWriter.change(async (context) => {
        const { tx, now } = context
        const before = await get(tx, id)
        requireMatch(ifMatch, before)
        const isManual = before.source === 'manual'
        if (!isManual && input.current !== undefined)
          throw invalidField('current', 'is counted automatically and cannot be set')
        const { title = before.title, unit = before.unit, target = before.target } = input
        const countsFrom = since ?? before.countsFrom
        const current = isManual
          ? (input.current ?? before.current)
          : await count(tx, before.source, countsFrom)
        const isMoved = target !== before.target && current < target
        const milestone = await updateMilestone(tx, id, {
          title: title.trim(),
          unit: unit.trim(),
          target,
          current,
          countsFrom,
          hidden: 0,
          updatedAt: now,
          ...(isMoved && { reachedAt: null }),
        })
        return settle(context, milestone)
      })
    },

    /** Adds exactly, even with concurrent requests. */
    progress: (id: number, amount: number) =>
      streamWriter.change(async (context) => {
        const before = await get(context.tx, id)
        if (before.source !== 'manual') throw conflict('This milestone is counted automatically.')
        const current = before.current + amount
        if (current < 0) throw invalidField('amount', 'must not make the milestone negative')
        if (current > MAX_VALUE)
          throw invalidField('amount', `must not make the milestone exceed ${MAX_VALUE}`)
        return settle(
          context,
          await updateMilestone(context.tx, id, { current, hidden: 0, updatedAt: context.now }),
        )
      }),

    remove: (id: number, ifMatch: string | undefined): Promise<void> =>
      streamWriter.change(async ({ tx, emit }) => {
        requireMatch(ifMatch, await get(tx, id))
        await deleteMilestone(tx, id)
        await emit('stream.milestone_removed', id, { milestoneId: id })
      }),

    /** Recounts automatic milestones. Takes the lock only for counts that have changed. */
    async recount(): Promise<void> {
      for (const { id, source, countsFrom, current } of await listCounted(db, Object.keys(counts)))
        if ((await count(db, source, countsFrom)) !== current) await recountOne(id)
    },
  }
}
