import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import type { ChangeName } from '../../platform/changes.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { readByNumber } from '../../platform/resources.ts'
import { readInstant } from '../../platform/time.ts'
import { listAllCounted, listCounted, type MilestoneRecord, milestoneRows } from './repository.ts'
import type { MilestoneChange, NewMilestone, Source } from './schema.ts'
import type { ChangeContext, StreamWriter } from './stream-writer.ts'

/** Debounces bursts of changes, so that they are counted together. */
const PAUSE_MS = 50

/** Changes that can affect a count. */
const COUNTED: ReadonlySet<ChangeName> = new Set([
  'task.created',
  'task.updated',
  'task.completed',
  'task.deleted',
  'event.created',
  'event.updated',
  'event.cancelled',
  'booking.synced',
  'email.received',
])

/**
 * Updates automatic milestones after every relevant change. Runs one count at a time and queues at most one
 * more.
 * A periodic job catches up after a crash.
 */
export const createMilestoneCounter = ({ changes, jobs, log }: Platform, milestones: Milestones) => {
  let running: Promise<void> | undefined
  /** Accounts with changes. */
  let wanted = new Set<number>()
  let isStopped = false

  const count = async (): Promise<void> => {
    try {
      while (wanted.size > 0 && !isStopped) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        const accounts = wanted
        wanted = new Set()
        for (const userId of accounts) await milestones.recount(userId)
      }
    } catch (error) {
      log.error({ err: error }, 'could not count milestones')
    } finally {
      running = undefined
    }
  }
  changes.listen(({ type, userId }) => {
    if (!COUNTED.has(type)) return
    wanted.add(userId)
    running ??= count()
  })
  jobs.define({
    name: 'stream-milestones',
    payload: Type.Object({}),
    schedule: '*/5 * * * *',
    run: () => milestones.recountAll(),
  })
  return {
    /** Waits until the running count is finished. */
    async stop(): Promise<void> {
      isStopped = true
      await running
    },
  }
}

/** Counts items of an account since a point in time. Each feature counts its own items. */
export type Counts = Record<
  Exclude<Source, 'manual'>,
  (db: Db, userId: number, since: string) => Promise<number>
>

const MAX_VALUE = 1_000_000_000_000

export const viewOfMilestone = ({ userId: _, hidden: __, ...milestone }: MilestoneRecord) => ({
  ...milestone,
  source: milestone.source as Source,
  reached: milestone.reachedAt !== null,
})

export type Milestones = ReturnType<typeof createMilestones>

export const createMilestones = (
  { db }: Platform,
  {
    streamWriter,
    counts,
    timezone,
  }: { streamWriter: StreamWriter; counts: Counts; timezone: (userId: number) => Promise<string> },
) => {
  const count = (tx: Db, userId: number, source: string, since: string): Promise<number> =>
    counts[source as keyof Counts](tx, userId, since)

  const readSince = async (userId: number, given: string | undefined): Promise<string | undefined> =>
    given === undefined ? undefined : readInstant('countsFrom', given, await timezone(userId))

  /**
   * Records the change. Records `milestone_reached` only when the milestone becomes reached, so once per
   * target.
   */
  const settle = async ({ tx, state, now, emit }: ChangeContext, milestone: MilestoneRecord) => {
    const isReached = milestone.current >= milestone.target
    const isNew = isReached && milestone.reachedAt === null
    const settled = isNew ? await milestoneRows.update(tx, milestone, { reachedAt: now }) : milestone
    const view = viewOfMilestone(settled)
    await emit({
      type: 'stream.milestone_changed',
      subject: String(settled.id),
      data: { milestone: view, revision: state.revision },
    })
    if (isNew)
      await emit({
        type: 'stream.milestone_reached',
        subject: String(settled.id),
        data: { milestone: view, revision: state.revision },
      })
    return view
  }

  /** Updates the count of one milestone. */
  const recountOne = (userId: number, id: number) =>
    streamWriter.change(userId, async (context) => {
      const milestone = await milestoneRows.find(context.tx, userId, id)
      if (!milestone || milestone.source === 'manual') return
      const current = await count(context.tx, userId, milestone.source, milestone.countsFrom)
      if (current === milestone.current) return
      await settle(
        context,
        await milestoneRows.update(context.tx, milestone, { current, hidden: 0, updatedAt: context.now }),
      )
    })

  const sources = Object.keys(counts)

  /** Takes the lock only for counts that have changed. */
  const recountChanged = async (milestones: readonly MilestoneRecord[]): Promise<void> => {
    for (const { userId, id, source, countsFrom, current } of milestones)
      if ((await count(db, userId, source, countsFrom)) !== current) await recountOne(userId, id)
  }

  return {
    async list(userId: number, request: PageRequest) {
      const { page, nextCursor } = await readByNumber(milestoneRows.select(db, userId), request)
      return { milestones: page.map(viewOfMilestone), nextCursor }
    },

    get: async (userId: number, id: number) => viewOfMilestone(await milestoneRows.get(db, userId, id)),

    async create(userId: number, input: NewMilestone) {
      const { title, target, unit = '', source = 'manual' } = input
      if (source !== 'manual' && input.current !== undefined)
        throw invalidField('current', 'is counted automatically and cannot be set')
      const since = await readSince(userId, input.countsFrom)
      return streamWriter.change(userId, async (context) => {
        const { tx, now } = context
        const countsFrom = since ?? now
        const current =
          source === 'manual' ? (input.current ?? 0) : await count(tx, userId, source, countsFrom)
        const milestone = await milestoneRows.insert(tx, {
          userId,
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
    async change(userId: number, id: number, input: MilestoneChange, ifMatch: string | undefined) {
      const since = await readSince(userId, input.countsFrom)
      return streamWriter.change(userId, async (context) => {
        const { tx, now } = context
        const before = await milestoneRows.get(tx, userId, id)
        requireMatch(ifMatch, before)
        const isManual = before.source === 'manual'
        if (!isManual && input.current !== undefined)
          throw invalidField('current', 'is counted automatically and cannot be set')
        const { title = before.title, unit = before.unit, target = before.target } = input
        const countsFrom = since ?? before.countsFrom
        const current = isManual
          ? (input.current ?? before.current)
          : await count(tx, userId, before.source, countsFrom)
        const isMoved = target !== before.target && current < target
        const milestone = await milestoneRows.update(tx, before, {
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
    progress: (userId: number, id: number, amount: number) =>
      streamWriter.change(userId, async (context) => {
        const before = await milestoneRows.get(context.tx, userId, id)
        if (before.source !== 'manual') throw conflict('This milestone is counted automatically.')
        const current = before.current + amount
        if (current < 0) throw invalidField('amount', 'must not make the milestone negative')
        if (current > MAX_VALUE)
          throw invalidField('amount', `must not make the milestone exceed ${MAX_VALUE}`)
        return settle(
          context,
          await milestoneRows.update(context.tx, before, { current, hidden: 0, updatedAt: context.now }),
        )
      }),

    remove: (userId: number, id: number, ifMatch: string | undefined): Promise<void> =>
      streamWriter.change(userId, async ({ tx, state, emit }) => {
        await milestoneRows.remove(tx, userId, id, ifMatch)
        await emit({
          type: 'stream.milestone_removed',
          subject: String(id),
          data: { milestoneId: id, revision: state.revision },
        })
      }),

    /** Recounts the automatic milestones of an account. */
    recount: async (userId: number): Promise<void> => recountChanged(await listCounted(db, userId, sources)),

    /** Recounts the automatic milestones of all accounts. */
    recountAll: async (): Promise<void> => recountChanged(await listAllCounted(db, sources)),
  }
}
