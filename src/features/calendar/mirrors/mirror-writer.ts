import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { beforeCommit, inTransaction } from '../../../database/transaction.ts'
import type { RecordedChange } from '../../../platform/changes.ts'
import type { JobContext } from '../../../platform/jobs/jobs.ts'
import type { Platform } from '../../../platform/platform.ts'
import { orderedId } from '../../../platform/random.ts'
import type { EventRecord } from '../event.ts'
import { deleteEvents, deleteOccurrences, findAny, listOverrides, lockEvents } from '../event-repository.ts'
import type { Saving } from '../event-writer.ts'
import { MIRROR } from '../job-names.ts'
import { isMirroredUid, type MirroredContent, toMirroredContent, toMirroredUid } from './mirrored-fields.ts'
import {
  listMirrored,
  listMirroredIds,
  listMirrors,
  listOriginalIds,
  type MirrorRecord,
} from './repository.ts'

/** More events are brought up to date by a job. */
const MAX_IN_TRANSACTION = 200
const BATCH_SIZE = 50
/** Changes within this time share a job. It starts after they are committed. */
const COLLECT_MS = 2000

/** The rows of one calendar that show one original. */
interface Stored {
  whole: EventRecord | undefined
  occurrences: Map<string, EventRecord>
}

const toStored = (rows: readonly EventRecord[]): Stored => ({
  whole: rows.find(({ recurrenceId }) => recurrenceId === ''),
  occurrences: new Map(rows.flatMap((row) => (row.recurrenceId === '' ? [] : [[row.recurrenceId, row]]))),
})

const isEmpty = ({ whole, occurrences }: MirroredContent | Stored): boolean =>
  whole === undefined && occurrences.size === 0

/** A changed occurrence is part of its series. */
const isOriginal = ({ seriesId, mirrorOf, uid }: EventRecord): boolean =>
  seriesId === null && mirrorOf === null && !isMirroredUid(uid)

export type MirrorWriter = ReturnType<typeof createMirrorWriter>

/**
 * Keeps mirrored events equal to their originals. A change of an original updates them in its own transaction; a change
 * of many is followed by a job.
 */
export const createMirrorWriter = (
  deps: Pick<Platform, 'db' | 'clock' | 'random' | 'jobs' | 'changes'> & {
    /** Writes mirrored events. */
    saving: Saving
  },
) => {
  const { db, clock, random, jobs, changes, saving } = deps

  const newUid = (): string => toMirroredUid(orderedId(random, clock.now()))

  const removeAll = async (tx: Db, { whole, occurrences }: Stored): Promise<void> => {
    // A series takes its changed occurrences with it.
    if (whole) return saving.remove(tx, whole)
    for (const row of occurrences.values()) await saving.remove(tx, row)
  }

  const insert = async (
    tx: Db,
    original: EventRecord,
    calendarId: number,
    { whole, occurrences }: MirroredContent,
    stored?: { uid: string; id: number },
  ): Promise<void> => {
    const { userId, id: mirrorOf } = original
    const uid = stored?.uid ?? newUid()
    const made = whole
      ? await saving.insertAll(tx, userId, [{ fields: { ...whole, uid }, kept: { calendarId, mirrorOf } }])
      : []
    const seriesId = stored?.id ?? made[0]?.id ?? null
    if (occurrences.size === 0) return
    await saving.insertAll(
      tx,
      userId,
      [...occurrences].map(([recurrenceId, fields]) => ({
        fields: { ...fields, uid },
        kept: { calendarId, mirrorOf, seriesId, recurrenceId },
      })),
    )
    if (seriesId !== null) await deleteOccurrences(tx, userId, seriesId, [...occurrences.keys()])
  }

  const update = async (
    tx: Db,
    original: EventRecord,
    whole: EventRecord,
    content: MirroredContent & { whole: NonNullable<MirroredContent['whole']> },
    stored: Stored,
  ): Promise<void> => {
    const { userId } = original
    const { id, uid, calendarId } = whole
    await saving.update(tx, whole, { ...content.whole, uid })
    const gone = [...stored.occurrences.values()].filter((row) => !content.occurrences.has(row.recurrenceId))
    const news = new Map([...content.occurrences].filter(([start]) => !stored.occurrences.has(start)))
    if (gone.length > 0) {
      await deleteEvents(
        tx,
        userId,
        gone.map((row) => row.id),
      )
      await saving.expandAnew(tx, userId, id)
    }
    let isChanged = gone.length > 0
    for (const [start, row] of stored.occurrences) {
      const fields = content.occurrences.get(start)
      if (fields && (await saving.update(tx, row, { ...fields, uid }))) isChanged = true
    }
    await insert(tx, original, calendarId, { whole: undefined, occurrences: news }, { uid, id })
    if (isChanged) await saving.touch(tx, userId, [id])
  }

  /** Writes what one calendar shows of an original. */
  const settle = async (
    tx: Db,
    original: EventRecord,
    calendarId: number,
    content: MirroredContent,
    stored: Stored,
  ): Promise<void> => {
    const { whole } = content
    if (stored.whole && whole) return update(tx, original, stored.whole, { ...content, whole }, stored)
    await removeAll(tx, stored)
    if (!isEmpty(content)) await insert(tx, original, calendarId, content)
  }

  /** Brings everything that shows an event up to date. `mirrors` are those of the account. */
  const follow = async (
    tx: Db,
    userId: number,
    id: number,
    mirrors: readonly MirrorRecord[],
  ): Promise<void> => {
    const found = await findAny(tx, userId, id)
    const original = found && isOriginal(found) ? found : undefined
    const overrides = original ? await listOverrides(tx, userId, id) : []
    const rows = await listMirrored(tx, userId, [id, ...overrides.map((one) => one.id)])
    // A changed occurrence was imported before its series, and is now part of it.
    const orphans = rows.filter(({ mirrorOf }) => mirrorOf !== id)
    const stored = Map.groupBy(
      rows.filter(({ mirrorOf }) => mirrorOf === id),
      ({ calendarId }) => calendarId,
    )
    for (const orphan of orphans) await saving.remove(tx, orphan)
    const wanted = original
      ? mirrors.filter(({ sourceCalendarId }) => sourceCalendarId === original.calendarId)
      : []
    const targets = new Map(wanted.map((mirror) => [mirror.targetCalendarId, mirror]))
    for (const [calendarId, many] of stored) if (!targets.has(calendarId)) await removeAll(tx, toStored(many))
    if (!original) return
    for (const { targetCalendarId, detail } of targets.values()) {
      const before = toStored(stored.get(targetCalendarId) ?? [])
      await settle(tx, original, targetCalendarId, toMirroredContent(original, overrides, detail), before)
    }
  }

  const enqueue = async (tx: Db, userId: number): Promise<void> => {
    const slot = Math.floor(clock.now().getTime() / COLLECT_MS)
    const runAt = new Date((slot + 2) * COLLECT_MS)
    await jobs.enqueue(tx, MIRROR, { userId }, { key: `${userId}-${slot}`, runAt })
  }

  /** Brings what shows some events up to date: at once, or with a job if they are many. */
  const followAll = async (tx: Db, userId: number, ids: readonly number[]): Promise<void> => {
    const mirrors = await listMirrors(tx, userId)
    if (mirrors.length === 0 && (await listMirroredIds(tx, userId, 0, 1)).length === 0) return
    if (ids.length > MAX_IN_TRANSACTION) return enqueue(tx, userId)
    for (const id of ids) await follow(tx, userId, id, mirrors)
  }

  /** Events that were changed in an open transaction, by account. */
  const changed = new WeakMap<Db, Map<number, Set<number>>>()

  const note = (tx: Db, recorded: readonly RecordedChange[]): void => {
    const events = changed.get(tx) ?? new Map<number, Set<number>>()
    // Copies for members of a shared calendar have no UID.
    for (const { userId, type, data } of recorded)
      if (
        (type === 'event.created' || type === 'event.updated' || type === 'event.cancelled') &&
        data.uid &&
        data.mirrorOf === undefined
      )
        events.set(userId, (events.get(userId) ?? new Set()).add(data.id))
    if (events.size === 0) return
    changed.set(tx, events)
    // A change of a series is recorded before that of its occurrences, so only the end shows all of it.
    beforeCommit('calendar-mirrors', async (last) => {
      changed.delete(tx)
      for (const [userId, ids] of events) await followAll(last, userId, [...ids])
    })
  }

  changes.accompany(async (tx, recorded) => note(tx, recorded))

  /** Calls `work` with the ids of a list in batches, each in its own transaction. */
  const eachBatch = async (
    { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
    userId: number,
    list: (after: number, limit: number) => Promise<number[]>,
    done: number,
  ): Promise<number> => {
    for (let after = 0; ; ) {
      signal.throwIfAborted()
      const ids = await list(after, BATCH_SIZE)
      await inTransaction(db, async (tx) => {
        await lockEvents(tx, userId, ids)
        const mirrors = await listMirrors(tx, userId)
        for (const id of ids) await follow(tx, userId, id, mirrors)
      })
      done += ids.length
      await progress(done)
      if (ids.length < BATCH_SIZE) return done
      after = ids.at(-1) as number
    }
  }

  jobs.define({
    name: MIRROR,
    payload: Type.Object({ userId: Type.Integer() }),
    async run({ userId }, context) {
      const content = await eachBatch(
        context,
        userId,
        (after, limit) => listMirroredIds(db, userId, after, limit),
        0,
      )
      const sources = (await listMirrors(db, userId)).map(({ sourceCalendarId }) => sourceCalendarId)
      await eachBatch(
        context,
        userId,
        (after, limit) => listOriginalIds(db, userId, [...new Set(sources)], after, limit),
        content,
      )
    },
  })

  return {
    /** Brings everything that shows events of a calendar up to date, after its mirrors have changed. */
    async followCalendar(tx: Db, userId: number, calendarId: number): Promise<void> {
      const ids = await listOriginalIds(tx, userId, [calendarId], 0, MAX_IN_TRANSACTION + 1)
      // Also finds events that another transaction adds at the same time.
      await enqueue(tx, userId)
      if (ids.length <= MAX_IN_TRANSACTION) await followAll(tx, userId, ids)
    },

    /** Brings all mirrored events of an account up to date, after an import of its data. */
    async followLater(tx: Db, userId: number): Promise<void> {
      const isUsed =
        (await listMirrors(tx, userId)).length > 0 || (await listMirroredIds(tx, userId, 0, 1)).length > 0
      if (isUsed) await enqueue(tx, userId)
    },
  }
}
