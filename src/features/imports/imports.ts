import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, conflict, invalid } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import { checkTimeZone } from '../../platform/time.ts'
import {
  ACTIVE_STATES,
  announce,
  emptyCounts,
  readOptions,
  type StoredOptions,
  toFileImport,
} from './import-state.ts'
import {
  deleteProblems,
  hasActive,
  type ImportChange,
  type ImportRow,
  importRows,
  listImports,
  listProblems,
  listStale,
  type ProblemRow,
} from './repository.ts'
import type { ImportRunner, RunContext } from './runner.ts'
import type { FileImport, ImportOptions, ImportState, UploadQuery } from './schema.ts'
import type { UploadStore } from './upload-store.ts'

const JOB = 'file-import'
const RETRIES = 5
const HOUR_MS = 3_600_000
/** An upload that nobody starts is deleted after this time. */
const KEEP_READY_MS = 7 * 24 * HOUR_MS
const KEEP_UPLOADING_MS = 24 * HOUR_MS
/** A command that has not updated its import for this time has ended. */
const ABANDONED_MS = 60_000

export type VersionedImport = FileImport & { version: number }

export interface ImportsDeps {
  db: Db
  clock: Clock
  log: Logger
  changes: Changes
  jobs: Pick<Jobs, 'enqueue'>
  uploads: UploadStore
  runner: ImportRunner
  maxBytes: number
  /** Throws if the account has no such mail account, calendar or task list. */
  checkTargets: (tx: Db, userId: number, options: ImportOptions) => Promise<void>
}

/** Imports of files from other programs: upload, dry run, start, progress, report and undo. */
export class FileImports {
  private readonly deps: ImportsDeps
  readonly job = JOB
  readonly retries = RETRIES

  constructor(deps: ImportsDeps) {
    this.deps = deps
  }

  get maxBytes(): number {
    return this.deps.maxBytes
  }

  async list(userId: number, { limit, cursor }: PageRequest) {
    const below = readCursor(cursor, 'integer')?.[0]
    const rows = await listImports(this.deps.db, userId, { limit, below })
    const { page, nextCursor } = pageOf(rows, limit, ({ id }) => [id])
    return { imports: page.map(toFileImport), nextCursor }
  }

  async get(userId: number, id: number): Promise<VersionedImport> {
    return toFileImport(await importRows.get(this.deps.db, userId, id))
  }

  async listProblems(userId: number, id: number, { limit, cursor }: PageRequest) {
    await importRows.get(this.deps.db, userId, id)
    const after = readCursor(cursor, 'integer')?.[0] ?? 0
    const rows = await listProblems(this.deps.db, userId, id, { limit, after })
    const { page, nextCursor } = pageOf(rows, limit, (row) => [row.id])
    return { problems: page, nextCursor }
  }

  /** All stored problems, page by page. */
  async *eachProblem(userId: number, id: number): AsyncGenerator<ProblemRow> {
    for (let after = 0; ; ) {
      const rows = await listProblems(this.deps.db, userId, id, { limit: 499, after })
      yield* rows
      if (rows.length < 500) return
      after = (rows.at(-1) as ProblemRow).id
    }
  }

  /** Stores an upload and starts the dry run. */
  async upload(userId: number, query: UploadQuery, source: AsyncIterable<Buffer>): Promise<VersionedImport> {
    const row = await this.store(userId, query, source)
    return inTransaction(this.deps.db, async (tx) => {
      const ready = await this.beginAnalysis(tx, row)
      await this.enqueue(tx, ready)
      return toFileImport(ready)
    })
  }

  /** Stores an upload without starting a job, for the command line. */
  async store(userId: number, query: UploadQuery, source: AsyncIterable<Buffer>): Promise<ImportRow> {
    const { db, uploads, maxBytes } = this.deps
    const { filename, format, timezone } = query
    if (timezone !== undefined) checkTimeZone('timezone', timezone)
    const options: StoredOptions = { ...(format && { format }), ...(timezone && { timezone }) }
    const now = this.now()
    const row = await inTransaction(db, (tx) =>
      importRows.insert(tx, {
        userId,
        filename:
          filename
            .replace(/\p{Cc}/gu, '')
            .split(/[\\/]/)
            .at(-1) || 'file',
        format: null,
        size: 0,
        state: 'uploading',
        options: JSON.stringify(options),
        analysis: null,
        counts: JSON.stringify(emptyCounts()),
        doneRecords: 0,
        problemCount: 0,
        error: null,
        version: 1,
        createdAt: now,
        updatedAt: now,
        finishedAt: null,
      }),
    )
    try {
      const size = await uploads.write({ userId, importId: row.id }, source, maxBytes)
      if (size === 0) throw invalid('The file is empty.')
      return await inTransaction(db, (tx) => this.setState(tx, row, { size }))
    } catch (error) {
      await inTransaction(db, async (tx) => {
        await uploads.remove(tx, { userId, importId: row.id })
        await importRows.delete(tx, userId, row.id)
      })
      throw error
    }
  }

  /** Sets the state of a stored upload, without starting a job. */
  beginAnalysis(tx: Db, row: ImportRow): Promise<ImportRow> {
    return this.setState(tx, row, { state: 'analysing' })
  }

  /** Starts the import, or continues one that failed or was cancelled while it ran. */
  start(
    userId: number,
    id: number,
    options: ImportOptions,
    ifMatch: string | undefined,
  ): Promise<VersionedImport> {
    return inTransaction(this.deps.db, async (tx) => {
      const running = await this.prepareStart(tx, userId, id, options, ifMatch)
      await this.enqueue(tx, running)
      return toFileImport(running)
    })
  }

  /** Checks the options and sets the state, without starting a job. */
  async prepareStart(
    tx: Db,
    userId: number,
    id: number,
    options: ImportOptions,
    ifMatch?: string,
  ): Promise<ImportRow> {
    const row = await importRows.getLocked(tx, userId, id, ifMatch)
    const isContinued = row.analysis !== null && row.state === 'failed'
    if (row.state !== 'ready' && !isContinued)
      throw conflict(
        `Only an import in the state “ready” can be started. This one is in the state “${row.state}”.`,
      )
    await this.requireIdle(tx, userId, id)
    if (options.timezone !== undefined) checkTimeZone('timezone', options.timezone)
    await this.deps.checkTargets(tx, userId, options)
    // The run reports every problem again, at its place in the file.
    if (!isContinued) await deleteProblems(tx, userId, id)
    const merged = { ...readOptions(row), ...options }
    return this.setState(tx, row, {
      state: 'running',
      options: JSON.stringify(merged),
      error: null,
      ...(!isContinued && { problemCount: 0, doneRecords: 0 }),
    })
  }

  /** Stops an import. What was imported stays, and can be undone. */
  cancel(userId: number, id: number, ifMatch: string | undefined): Promise<VersionedImport> {
    return inTransaction(this.deps.db, async (tx) => {
      const row = await importRows.getLocked(tx, userId, id, ifMatch)
      const states: readonly string[] = ['uploading', 'analysing', 'ready', 'running', 'failed']
      if (!states.includes(row.state)) throw conflict('This import has ended. Undo it instead.')
      await this.deps.uploads.remove(tx, { userId, importId: id })
      return toFileImport(await this.setState(tx, row, { state: 'cancelled', finishedAt: this.now() }))
    })
  }

  /** Starts to remove what the import created. */
  undo(userId: number, id: number, ifMatch: string | undefined): Promise<VersionedImport> {
    return inTransaction(this.deps.db, async (tx) => {
      const undoing = await this.prepareUndo(tx, userId, id, ifMatch)
      await this.enqueue(tx, undoing)
      return toFileImport(undoing)
    })
  }

  async prepareUndo(tx: Db, userId: number, id: number, ifMatch?: string): Promise<ImportRow> {
    const row = await importRows.getLocked(tx, userId, id, ifMatch)
    const states: readonly string[] = ['done', 'cancelled', 'failed']
    if (!states.includes(row.state))
      throw conflict(
        row.state === 'undone'
          ? 'This import has already been undone.'
          : 'Only an import that has ended can be undone. Cancel it first.',
      )
    await this.requireIdle(tx, userId, id)
    await this.deps.uploads.remove(tx, { userId, importId: id })
    return this.setState(tx, row, { state: 'undoing', error: null })
  }

  /** Deletes the record of an import with its report. What was imported stays and can no longer be undone. */
  remove(userId: number, id: number, ifMatch: string | undefined): Promise<void> {
    return inTransaction(this.deps.db, async (tx) => {
      const row = await importRows.getLocked(tx, userId, id, ifMatch)
      if (ACTIVE_STATES.includes(row.state as ImportState))
        throw conflict('The import is running. Cancel it first.')
      await this.deps.uploads.remove(tx, { userId, importId: id })
      await importRows.delete(tx, userId, id)
      await announce(this.deps.changes, tx, row)
    })
  }

  /** Does the work of the current state. A failure of the file ends the import with a reason. */
  async work(
    userId: number,
    id: number,
    context: RunContext & { isLastAttempt: boolean },
  ): Promise<ImportRow | undefined> {
    const { db, runner, log } = this.deps
    const row = await importRows.find(db, userId, id)
    if (!row) return undefined
    try {
      if (row.state === 'analysing') return await runner.analyse(row, context)
      if (row.state === 'running') return await runner.run(row, context)
      if (row.state === 'undoing') return await runner.undo(row, context)
      return row
    } catch (error) {
      if (runner.isStopped(error)) return importRows.find(db, userId, id)
      const isFault = error instanceof AppError && (error.kind === 'invalid' || error.kind === 'too_large')
      if (context.signal.aborted || (!isFault && !context.isLastAttempt)) throw error
      if (!isFault) log.error({ err: error, importId: id }, 'an import failed')
      const reason = isFault ? (error as AppError).message : 'The import failed because of an internal error.'
      return inTransaction(db, async (tx) => {
        const current = await importRows.lock(tx, userId, id)
        if (!current || !ACTIVE_STATES.includes(current.state as ImportState)) return current
        return this.setState(tx, current, { state: 'failed', error: reason, finishedAt: this.now() })
      })
    }
  }

  /** Lets a job continue the work of a command, if the command ends early. Call it in the transaction of the start. */
  async watch(tx: Db, { userId, id }: Pick<ImportRow, 'userId' | 'id'>): Promise<void> {
    const runAt = new Date(this.deps.clock.now().getTime() + ABANDONED_MS)
    await this.deps.jobs.enqueue(tx, JOB, { userId, importId: id, isWatch: true }, { runAt })
  }

  /** Whether a command still works on an import. It updates the row after each batch. */
  async isAttended(userId: number, id: number): Promise<boolean> {
    const row = await importRows.find(this.deps.db, userId, id)
    if (!row || !ACTIVE_STATES.includes(row.state as ImportState)) return false
    return this.deps.clock.now().getTime() - Date.parse(row.updatedAt) < ABANDONED_MS
  }

  /** Deletes uploads that nobody started, and the rest of interrupted uploads. */
  async prune(): Promise<void> {
    const { db, uploads } = this.deps
    const before = (ms: number): string => new Date(this.deps.clock.now().getTime() - ms).toISOString()
    for (const { id, userId } of await listStale(db, ['ready', 'failed'], before(KEEP_READY_MS)))
      await inTransaction(db, async (tx) => {
        const row = await importRows.lock(tx, userId, id)
        if (!row) return
        await uploads.remove(tx, { userId, importId: id })
        if (row.state === 'ready')
          await this.setState(tx, row, { state: 'cancelled', finishedAt: this.now() })
      })
    for (const { id, userId } of await listStale(db, ['uploading'], before(KEEP_UPLOADING_MS)))
      await inTransaction(db, async (tx) => {
        await uploads.remove(tx, { userId, importId: id })
        await importRows.delete(tx, userId, id)
      })
  }

  private now(): string {
    return this.deps.clock.now().toISOString()
  }

  private async requireIdle(tx: Db, userId: number, id: number): Promise<void> {
    if (await hasActive(tx, userId, ['running', 'undoing'], id))
      throw conflict('Another import is running. Wait until it has ended, or cancel it.')
  }

  private async setState(tx: Db, { userId, id }: ImportRow, change: ImportChange): Promise<ImportRow> {
    const row = await importRows.update(tx, { userId, id }, { ...change, updatedAt: this.now() })
    await announce(this.deps.changes, tx, row)
    return row
  }

  private async enqueue(tx: Db, { userId, id }: ImportRow): Promise<void> {
    await this.deps.jobs.enqueue(tx, JOB, { userId, importId: id })
  }
}
