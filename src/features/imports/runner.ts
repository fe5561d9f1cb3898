import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, isTemporary } from '../../platform/errors.ts'
import type { JobContext } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import type { StorageQuota } from '../../platform/storage-quota.ts'
import { createYielder } from '../../platform/yield.ts'
import { toWall } from '../../recurrence/time-zones.ts'
import type { ReaderPorts, RecordReader } from './formats/reader.ts'
import { type Format, type ImportRecord, type Kind, type Problem, skip } from './import-record.ts'
import { announce, emptyAnalysis, readOptions } from './import-state.ts'
import {
  deleteItems,
  deleteProblems,
  type ImportChange,
  type ImportRow,
  importRows,
  insertProblems,
  listKnownMessageIds,
  listLastItems,
} from './repository.ts'
import type { ImportAnalysis, ImportCounts, KindAnalysis } from './schema.ts'
import type {
  ImportTarget,
  ImportTargets,
  Outcome,
  PreparedMail,
  TargetPorts,
  TaskIdentity,
  TaskKeys,
} from './targets.ts'

/** The tasks that were read so far. */
interface KnownTasks {
  /** The number of earlier tasks with the same content. */
  occurrences: Map<string, number>
  /** The keys of earlier tasks, by their identity in the file. */
  keys: Map<string, TaskKeys>
}

const newKnownTasks = (): KnownTasks => ({ occurrences: new Map(), keys: new Map() })

import type { UploadStore } from './upload-store.ts'

/** Limits of one batch. They bound the memory, and the time that the transaction blocks other writers. */
const BATCH_RECORDS = 25
const BATCH_BYTES = 2 * 1024 * 1024
const UNDO_BATCH = 20
/** Messages that are parsed and staged at the same time. */
const PREPARED_TOGETHER = 8
const ANALYSIS_BATCH = 500
/** Problems above this number are only counted. */
const MAX_PROBLEMS = 5000
const SAMPLES = 5
const MAX_SAMPLE_LENGTH = 200
/** The time between two announcements of the progress. */
const PROGRESS_MS = 2000
/**
 * The pause between two transactions, as a share of the time of a batch. Other jobs and writers continue meanwhile, and
 * the next batch is prepared.
 */
const PAUSE_SHARE = 0.25
/** Other requests wait at most this long for the next turn of the event loop. */
const TURN_MS = 8

export interface RunnerDeps {
  db: Db
  clock: Clock
  log: Logger
  changes: Changes
  quota: StorageQuota
  uploads: UploadStore
  targets: ImportTargets
  ports: ReaderPorts & Pick<TargetPorts, 'contacts' | 'events' | 'readHead'>
  zoneOf: (userId: number) => Promise<string>
  maxBytes: number
}

/** The part of a job that a run needs. The command line runs without a job. */
export interface RunContext extends Pick<JobContext, 'signal'> {
  /** Called after each batch. */
  onProgress?(row: ImportRow): void
}

/** The user cancelled the import, or deleted it. */
class Stopped extends Error {}

const sizeOf = (record: ImportRecord): number => (record.kind === 'emails' ? record.raw.length : 1024)

async function* toBatches(
  records: AsyncIterable<ImportRecord>,
  most: { records: number; bytes: number },
): AsyncGenerator<ImportRecord[]> {
  let batch: ImportRecord[] = []
  let bytes = 0
  const pause = createYielder(TURN_MS)
  for await (const record of records) {
    await pause()
    if (batch.length >= most.records || (batch.length > 0 && bytes + sizeOf(record) > most.bytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(record)
    bytes += sizeOf(record)
  }
  if (batch.length > 0) yield batch
}

/** Reads, writes and reverts imports, in batches of one transaction each. */
export class ImportRunner {
  private readonly deps: RunnerDeps
  /** When the progress of an import was last announced. */
  private readonly announcedAt = new Map<number, number>()

  constructor(deps: RunnerDeps) {
    this.deps = deps
  }

  /** The dry run: counts the records and stores the problems, and changes nothing else. */
  async analyse(row: ImportRow, context: RunContext): Promise<ImportRow> {
    const { db } = this.deps
    const { userId, id } = row
    await inTransaction(db, (tx) => deleteProblems(tx, userId, id))
    const analysis = emptyAnalysis()
    let problemCount = 0
    let format: Format | null = null
    const seen = new Set<string>()
    const known = newKnownTasks()
    let announcedAt = performance.now()
    const records = this.readRecords(row, (found) => {
      format = found
    })
    for await (const batch of toBatches(await records, { records: ANALYSIS_BATCH, bytes: BATCH_BYTES * 4 })) {
      context.signal.throwIfAborted()
      analysis.records += batch.length
      await this.analyseBatch(userId, batch, analysis, { seen, known })
      const problems = batch.flatMap((record) => record.problems ?? [])
      const isDue = performance.now() - announcedAt > PROGRESS_MS
      if (problems.length > 0 || isDue)
        await inTransaction(db, async (tx) => {
          await this.requireState(tx, row, 'analysing')
          await this.storeProblems(tx, row, problems, problemCount)
          if (isDue) await this.update(tx, row, { doneRecords: analysis.records })
        })
      if (isDue) announcedAt = performance.now()
      problemCount += problems.length
      await setTimeout(0)
    }
    return inTransaction(db, async (tx) => {
      await this.requireState(tx, row, 'analysing')
      return this.update(tx, row, {
        state: 'ready',
        format,
        analysis: JSON.stringify(analysis),
        doneRecords: 0,
        problemCount,
      })
    })
  }

  /** Writes all records that are not written yet. */
  async run(given: ImportRow, context: RunContext): Promise<ImportRow> {
    const { db, quota } = this.deps
    let row = given
    let index = 0
    let rest: Promise<unknown> = Promise.resolve()
    const known = newKnownTasks()
    for await (const batch of toBatches(await this.readRecords(row), {
      records: BATCH_RECORDS,
      bytes: BATCH_BYTES,
    })) {
      context.signal.throwIfAborted()
      const identities = batch.map((record) => this.identify(record, known))
      const start = index
      index += batch.length
      if (index <= row.doneRecords) continue
      // Batches of an earlier attempt have the same borders, but the limits may have changed with a release.
      const from = Math.max(0, row.doneRecords - start)
      if (!(await quota.hasSpace(row.userId)))
        throw new AppError(
          'too_large',
          'storage_full',
          'Your storage is full. Delete emails, then start the import again.',
        )
      const began = performance.now()
      row = await this.writeBatch(row, batch.slice(from), identities.slice(from), rest)
      context.onProgress?.(row)
      rest = setTimeout((performance.now() - began) * PAUSE_SHARE)
    }
    return inTransaction(db, async (tx) => {
      await this.requireState(tx, row, 'running')
      await this.deps.uploads.remove(tx, { userId: row.userId, importId: row.id })
      return this.update(tx, row, { state: 'done', finishedAt: this.now(), error: null })
    })
  }

  /** Removes what the import created, newest first. Items that were changed since stay. */
  async undo(given: ImportRow, context: RunContext): Promise<ImportRow> {
    const { db, targets } = this.deps
    let row = given
    for (;;) {
      context.signal.throwIfAborted()
      const began = performance.now()
      const { next, isEmpty } = await inTransaction(db, async (tx) => {
        const current = await this.requireState(tx, row, 'undoing')
        const items = await listLastItems(tx, row.userId, row.id, UNDO_BATCH)
        const counts = JSON.parse(current.counts) as ImportCounts
        const undo = counts.undo ?? { removed: 0, kept: 0 }
        const handled = new Set<number>()
        for (const item of items) {
          if (handled.has(item.id)) continue
          const result = await targets.undo(tx, { userId: row.userId, importId: row.id }, item)
          for (const id of result.items) handled.add(id)
          if (result.isKept) undo.kept++
          else undo.removed++
        }
        await deleteItems(tx, row.userId, [...handled])
        const isEmpty = items.length < UNDO_BATCH
        const next = await this.update(tx, current, {
          counts: JSON.stringify({ ...counts, undo }),
          ...(isEmpty && { state: 'undone', finishedAt: this.now() }),
        })
        return { next, isEmpty }
      })
      row = next
      context.onProgress?.(row)
      if (isEmpty) return row
      await setTimeout((performance.now() - began) * PAUSE_SHARE)
    }
  }

  isStopped(error: unknown): boolean {
    return error instanceof Stopped
  }

  private now(): string {
    return this.deps.clock.now().toISOString()
  }

  private async readRecords(row: ImportRow, onFormat?: (format: Format) => void) {
    const { uploads, ports, zoneOf, maxBytes } = this.deps
    const { userId, id } = row
    const options = readOptions(row)
    const timezone = options.timezone ?? (await zoneOf(userId))
    // Loaded with the first import: the readers need the language understanding.
    const { RecordReader: Reader } = await import('./formats/reader.ts')
    const reader: RecordReader = new Reader(ports)
    return reader.read(uploads.open({ userId, importId: id }, row), {
      userId,
      timezone,
      now: toWall(Date.parse(row.createdAt), timezone),
      format: (options.format ?? undefined) as Format | undefined,
      maxBytes,
      ...(onFormat && { onFormat }),
    })
  }

  /** The row, if the import is still in this state. A cancelled import ends here. */
  private async requireState(tx: Db, { userId, id }: ImportRow, state: string): Promise<ImportRow> {
    const current = await importRows.lock(tx, userId, id)
    if (current?.state !== state) throw new Stopped('The import was cancelled.')
    return current
  }

  private async update(tx: Db, { userId, id }: ImportRow, change: ImportChange): Promise<ImportRow> {
    const row = await importRows.update(tx, { userId, id }, { ...change, updatedAt: this.now() })
    const isDue = performance.now() - (this.announcedAt.get(id) ?? 0) > PROGRESS_MS
    if (change.state === undefined && !isDue) return row
    this.announcedAt.set(id, performance.now())
    if (change.state !== undefined) this.announcedAt.delete(id)
    await announce(this.deps.changes, tx, row)
    return row
  }

  private async storeProblems(
    tx: Db,
    { userId, id }: ImportRow,
    problems: readonly Problem[],
    before: number,
  ): Promise<void> {
    const kept = problems.slice(0, Math.max(0, MAX_PROBLEMS - before))
    await insertProblems(
      tx,
      kept.map((problem) => ({ ...problem, userId, importId: id })),
    )
  }

  /** Numbers equal tasks in the order of the file, and finds the task above each. */
  private identify(record: ImportRecord, { occurrences, keys }: KnownTasks): TaskIdentity | undefined {
    if (record.kind !== 'tasks') return undefined
    const { targets } = this.deps
    const { key } = targets.toTaskKeys(record, 0)
    const number = occurrences.get(key) ?? 0
    occurrences.set(key, number + 1)
    const identity = targets.toTaskKeys(record, number)
    const { file, place } = record
    if (place) keys.set(`${file}\n${place.ref}`, identity)
    const parent = place?.parent === undefined ? undefined : keys.get(`${file}\n${place.parent}`)
    return { ...identity, parent }
  }

  private async writeBatch(
    row: ImportRow,
    batch: readonly ImportRecord[],
    identities: readonly (TaskIdentity | undefined)[],
    rest: Promise<unknown>,
  ): Promise<ImportRow> {
    try {
      return await this.tryBatch(row, batch, identities, rest)
    } catch (error) {
      if (error instanceof Stopped || isTemporary(error)) throw error
      this.deps.log.warn(
        { err: error, importId: row.id },
        'a batch of an import failed, importing its records one by one',
      )
    }
    let current = row
    for (const [index, record] of batch.entries()) {
      try {
        current = await this.tryBatch(current, [record], [identities[index]])
      } catch (error) {
        if (error instanceof Stopped || isTemporary(error)) throw error
        this.deps.log.warn({ err: error, importId: row.id }, 'could not import a record')
        const reason = error instanceof AppError ? error.message : 'The record could not be stored.'
        current = await this.tryBatch(current, [skip(record, reason)], [undefined])
      }
    }
    return current
  }

  private async tryBatch(
    row: ImportRow,
    batch: readonly ImportRecord[],
    identities: readonly (TaskIdentity | undefined)[],
    rest?: Promise<unknown>,
  ): Promise<ImportRow> {
    const { db } = this.deps
    const prepared = new Map<ImportRecord, PreparedMail>()
    try {
      await this.prepareAll(batch, prepared)
      await rest
      return await inTransaction(db, async (tx) => {
        const current = await this.requireState(tx, row, 'running')
        // Another worker took over, because the lease of this one had ended.
        if (current.doneRecords !== row.doneRecords) throw new Stopped('Another worker continues the import.')
        const outcomes = await this.writeRecords(tx, current, batch, identities, prepared)
        const counts = JSON.parse(current.counts) as ImportCounts
        for (const { kind, result } of outcomes) counts[kind][result]++
        const problems = [
          ...batch.flatMap((record) => record.problems ?? []),
          ...outcomes.flatMap(({ problems = [] }) => problems),
        ]
        await this.storeProblems(tx, current, problems, current.problemCount)
        return this.update(tx, current, {
          counts: JSON.stringify(counts),
          doneRecords: current.doneRecords + batch.length,
          problemCount: current.problemCount + problems.length,
        })
      })
    } catch (error) {
      for (const message of prepared.values()) await message?.discard()
      throw error
    }
  }

  /** Several at a time, so that they wait for the disk together. */
  private async prepareAll(
    batch: readonly ImportRecord[],
    prepared: Map<ImportRecord, PreparedMail>,
  ): Promise<void> {
    const pause = createYielder(TURN_MS)
    const waiting = batch.filter((record) => record.kind === 'emails').values()
    const prepareNext = async (): Promise<void> => {
      for (const record of waiting) {
        prepared.set(record, await this.deps.targets.prepareMail(record))
        await pause()
      }
    }
    const results = await Promise.allSettled(Array.from({ length: PREPARED_TOGETHER }, prepareNext))
    // Thrown after all have ended, because the caller discards what is prepared.
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  private async writeRecords(
    tx: Db,
    row: ImportRow,
    batch: readonly ImportRecord[],
    identities: readonly (TaskIdentity | undefined)[],
    prepared: ReadonlyMap<ImportRecord, PreparedMail>,
  ): Promise<Outcome[]> {
    const { targets, ports } = this.deps
    const target: ImportTarget = {
      userId: row.userId,
      importId: row.id,
      options: readOptions(row),
      startedAt: row.createdAt,
    }
    const outcomes: Outcome[] = []
    const pause = createYielder(TURN_MS)
    await targets.placeMail(tx, prepared.values())
    for (const [index, record] of batch.entries()) {
      await pause()
      if (record.kind === 'emails')
        outcomes.push(await targets.writeMail(tx, target, record, prepared.get(record)))
      else if (record.kind === 'contacts') outcomes.push(await targets.writeContact(tx, target, record))
      else if (record.kind === 'tasks')
        outcomes.push(await targets.writeTask(tx, target, record, identities[index] as TaskIdentity))
    }
    const events = batch.filter((record) => record.kind === 'events')
    if (events.length > 0) outcomes.push(...(await targets.writeEvents(tx, target, events)))
    const isChanged = ({ kind, result }: Outcome): boolean =>
      kind === 'contacts' && (result === 'created' || result === 'updated')
    if (outcomes.some(isChanged)) await ports.contacts.announce(tx, row.userId)
    return outcomes
  }

  private async analyseBatch(
    userId: number,
    batch: readonly ImportRecord[],
    analysis: ImportAnalysis,
    /** The keys of earlier messages, and the earlier tasks. */
    { seen, known: tasks }: { seen: Set<string>; known: KnownTasks },
  ): Promise<void> {
    const { db, ports, targets } = this.deps
    const messageIds: string[] = []
    const addTo = (kind: Kind, sample: string, at: string | null): KindAnalysis => {
      const part = analysis[kind]
      part.count++
      if (part.samples.length < SAMPLES && sample !== '')
        part.samples.push(sample.slice(0, MAX_SAMPLE_LENGTH).toWellFormed())
      if (at !== null && (part.earliest === null || at < part.earliest)) part.earliest = at
      if (at !== null && (part.latest === null || at > part.latest)) part.latest = at
      return part
    }
    const pause = createYielder(TURN_MS)
    for (const record of batch) {
      await pause()
      if (record.kind === 'emails') {
        const head = ports.readHead(record.raw)
        const part = addTo('emails', head.subject, head.date ?? record.receivedAt)
        const key = targets.toMailKey(record.raw, head.messageId)
        if (seen.has(key)) part.duplicates++
        else if (head.messageId !== null) messageIds.push(head.messageId)
        else if (await targets.hasItem(db, userId, 'emails', key)) part.duplicates++
        seen.add(key)
      } else if (record.kind === 'contacts') {
        const part = addTo('contacts', record.card.name || (record.card.addresses[0]?.address ?? ''), null)
        if (await ports.contacts.isKnown(userId, record.card)) part.duplicates++
      } else if (record.kind === 'events') {
        const part = addTo('events', record.title, record.start)
        part.duplicates += await ports.events.countKnown(userId, [record.event])
      } else if (record.kind === 'tasks') {
        const part = addTo('tasks', record.task.title, record.task.dueAt)
        const { key, formerKey } = this.identify(record, tasks) as TaskIdentity
        if (await targets.hasItem(db, userId, 'tasks', key, formerKey)) part.duplicates++
      }
    }
    const known = await listKnownMessageIds(db, userId, messageIds)
    analysis.emails.duplicates += messageIds.filter((id) => known.has(id)).length
  }
}
