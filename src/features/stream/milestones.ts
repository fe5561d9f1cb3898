import type { Db } from '../../database/db.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { readInstant } from '../../platform/time.ts'
import type { MilestoneChange, NewMilestone, Source } from './milestone-schema.ts'
import {
  deleteMilestone,
  findMilestone,
  insertMilestone,
  listCounted,
  listMilestones,
  type MilestoneRecord,
  updateMilestone,
} from './milestone-store.ts'
import type { Scene, Stage } from './stage.ts'

/** How many there have been since then: each room counts its own. */
export type Counts = Record<Exclude<Source, 'manual'>, (db: Db, since: string) => Promise<number>>

const LARGEST = 1_000_000_000_000

export const viewOfMilestone = ({ hidden: _, ...milestone }: MilestoneRecord) => ({
  ...milestone,
  source: milestone.source as Source,
  reached: milestone.reachedAt !== null,
})

export type Milestones = ReturnType<typeof createMilestones>

export const createMilestones = (deps: {
  db: Db
  stage: Stage
  counts: Counts
  timezone: () => Promise<string>
}) => {
  const { db, stage, counts } = deps

  const count = (tx: Db, source: string, since: string): Promise<number> =>
    counts[source as keyof Counts](tx, since)

  const get = async (tx: Db, id: number): Promise<MilestoneRecord> => {
    const milestone = await findMilestone(tx, id)
    if (!milestone) throw notFound('milestone')
    return milestone
  }

  const readSince = async (given: string | undefined): Promise<string | undefined> =>
    given === undefined ? undefined : readInstant('countsFrom', given, await deps.timezone())

  /** Tells it, and that it was reached where it was not before: so that is told once, whoever adds the last of it. */
  const settle = async ({ tx, now, tell }: Scene, milestone: MilestoneRecord) => {
    const isReached = milestone.current >= milestone.target
    const isNew = isReached && milestone.reachedAt === null
    const settled = isNew ? await updateMilestone(tx, milestone.id, { reachedAt: now }) : milestone
    const view = viewOfMilestone(settled)
    await tell('stream.milestone_changed', settled.id, { milestone: view })
    if (isNew) await tell('stream.milestone_reached', settled.id, { milestone: view })
    return view
  }

  /** Takes over the count of one whose things have changed. */
  const recountOne = (id: number) =>
    stage.change(async (scene) => {
      const milestone = await findMilestone(scene.tx, id)
      if (!milestone || milestone.source === 'manual') return
      const current = await count(scene.tx, milestone.source, milestone.countsFrom)
      if (current === milestone.current) return
      await settle(scene, await updateMilestone(scene.tx, id, { current, hidden: 0, updatedAt: scene.now }))
    })

  return {
    async list({ limit, cursor }: PageRequest) {
      const above = readCursor(cursor, 'integer')?.[0]
      const rows = await listMilestones(db, { limit, above })
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => [id])
      return { milestones: page.map(viewOfMilestone), nextCursor }
    },

    get: async (id: number) => viewOfMilestone(await get(db, id)),

    async create(wish: NewMilestone) {
      const { title, target, unit = '', source = 'manual' } = wish
      if (source !== 'manual' && wish.current !== undefined)
        throw invalidField('current', 'is counted, and cannot be given')
      const since = await readSince(wish.countsFrom)
      return stage.change(async (scene) => {
        const { tx, now } = scene
        const countsFrom = since ?? now
        const current = source === 'manual' ? (wish.current ?? 0) : await count(tx, source, countsFrom)
        const milestone = await insertMilestone(tx, {
          ...{ title: title.trim(), unit: unit.trim(), target, current, source, countsFrom },
          ...{ reachedAt: null, hidden: 0, version: 1, createdAt: now, updatedAt: now },
        })
        return settle(scene, milestone)
      })
    },

    /** One that was reached has yet to be reached when its target is moved beyond where it stands. */
    async change(id: number, wish: MilestoneChange, ifMatch: string | undefined) {
      const since = await readSince(wish.countsFrom)
      return stage.change(async (scene) => {
        const { tx, now } = scene
        const before = await get(tx, id)
        requireMatch(ifMatch, before)
        const isManual = before.source === 'manual'
        if (!isManual && wish.current !== undefined)
          throw invalidField('current', 'is counted, and cannot be given')
        const { title = before.title, unit = before.unit, target = before.target } = wish
        const countsFrom = since ?? before.countsFrom
        const current = isManual
          ? (wish.current ?? before.current)
          : await count(tx, before.source, countsFrom)
        const isMoved = target !== before.target && current < target
        const milestone = await updateMilestone(tx, id, {
          ...{
            title: title.trim(),
            unit: unit.trim(),
            target,
            current,
            countsFrom,
            hidden: 0,
            updatedAt: now,
          },
          ...(isMoved && { reachedAt: null }),
        })
        return settle(scene, milestone)
      })
    },

    /** Adds up exactly, however many add at the same time. */
    progress: (id: number, amount: number) =>
      stage.change(async (scene) => {
        const before = await get(scene.tx, id)
        if (before.source !== 'manual') throw conflict('This milestone counts by itself.')
        const current = before.current + amount
        if (current < 0) throw invalidField('amount', 'would leave less than nothing')
        if (current > LARGEST) throw invalidField('amount', `would make more than ${LARGEST}`)
        return settle(
          scene,
          await updateMilestone(scene.tx, id, { current, hidden: 0, updatedAt: scene.now }),
        )
      }),

    remove: (id: number, ifMatch: string | undefined): Promise<void> =>
      stage.change(async ({ tx, tell }) => {
        requireMatch(ifMatch, await get(tx, id))
        await deleteMilestone(tx, id)
        await tell('stream.milestone_removed', id, { milestoneId: id })
      }),

    /** Counts anew what counts by itself; holds nobody up where nothing has changed. */
    async recount(): Promise<void> {
      for (const { id, source, countsFrom, current } of await listCounted(db, Object.keys(counts)))
        if ((await count(db, source, countsFrom)) !== current) await recountOne(id)
    },
  }
}
