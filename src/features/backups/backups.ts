import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { readEpoch } from '../../database/change-order.ts'
import type { Db } from '../../database/db.ts'
import { getLocalUserId } from '../../database/local-account.ts'
import type { BackupRow } from '../../database/tables/backups.ts'
import { inTransaction } from '../../database/transaction.ts'
import { AppError, conflict, notFound } from '../../platform/errors.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { readByNumber } from '../../platform/resources.ts'
import type { BackupDestination } from './destination.ts'
import {
  advanceSchedule,
  type BackupRecord,
  deleteBackup,
  findBackup,
  insertBackup,
  listByState,
  type ScheduleRecord,
  selectBackups,
  updateBackup,
} from './repository.ts'
import type { BackupSchedules } from './schedule.ts'
import { nextRun } from './schedule-time.ts'

export const RUN_JOB = 'backup.run'
export const SCHEDULE_JOB = 'backup.schedule'

/** Runs a command of Factotum in its own process, with these settings added to those of the instance. */
export type RunCommand = (
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<{ code: number | null; stderr: string }>

const DAY_MS = 86_400_000
const MAX_LISTED = 2_000
/** A clock that was far ahead has left a next time that would never come. */
const FARTHEST_MS = 8 * DAY_MS
const FAILED_KEPT_DAYS = 30
const MAX_PROBLEM_LENGTH = 1_000
const INTERRUPTED = 'The server stopped while this backup was running.'
/** A prefix that backups leave out of their files (commands/backup.ts). */
const SCRATCH = 'verifying-backup-'

interface BackupsDeps extends Pick<Platform, 'db' | 'clock' | 'log' | 'jobs' | 'changes' | 'blobs'> {
  schedules: BackupSchedules
  zoneOf: (userId: number) => Promise<string>
  dataDir: string
  runCommand: RunCommand
}

const viewOf = ({ encrypted, epoch: _epoch, ...row }: BackupRecord) => ({
  ...row,
  encrypted: encrypted === 1,
  size: row.size === null ? null : Number(row.size),
})

/** Decides which finished backups are deleted. The newest proven one never is. */
export const expiredBackups = (
  rows: readonly Pick<BackupRecord, 'id' | 'state' | 'createdAt'>[],
  { keepCount, keepDays }: { keepCount: number; keepDays: number | null },
  now: Date,
): number[] => {
  const isOlder = (createdAt: string, days: number): boolean =>
    Date.parse(createdAt) < now.getTime() - days * DAY_MS
  const newestFirst = rows.toSorted((one, other) => other.id - one.id)
  const proven = newestFirst.filter(({ state }) => state === 'proven')
  const expired = proven.filter(
    ({ createdAt }, index) =>
      index > 0 && (index >= keepCount || (keepDays !== null && isOlder(createdAt, keepDays))),
  )
  const unproven = newestFirst.filter(
    ({ state, createdAt }) =>
      (state === 'failed' || state === 'written') &&
      isOlder(createdAt, Math.min(keepDays ?? FAILED_KEPT_DAYS, FAILED_KEPT_DAYS)),
  )
  return [...expired, ...unproven].map(({ id }) => id)
}

/** Makes, proves, lists and deletes backups. */
export class Backups {
  private readonly deps: BackupsDeps

  constructor(deps: BackupsDeps) {
    this.deps = deps
  }

  async list(request: PageRequest) {
    const { page, nextCursor } = await readByNumber(selectBackups(this.deps.db), request, 'desc')
    return { backups: page.map(viewOf), nextCursor }
  }

  async get(id: number) {
    return viewOf(await this.find(id))
  }

  /** Requests a backup now. Only one runs at a time. */
  async start() {
    const row = await inTransaction(this.deps.db, (tx) => this.request(tx, 'manual'))
    if (!row) throw conflict('A backup is already running. Wait until it has finished.')
    return viewOf(row)
  }

  /** Starts a backup whose time has come, also one that was missed while the server did not run. */
  async startDue(): Promise<void> {
    const { db, clock, schedules } = this.deps
    await inTransaction(db, async (tx) => {
      const schedule = await schedules.read(tx)
      if (schedule.enabled === 0) return
      const now = clock.now()
      const due = schedule.nextRunAt === null ? 0 : Date.parse(schedule.nextRunAt)
      if (due > now.getTime() && due < now.getTime() + FARTHEST_MS) return
      const zone = await this.deps.zoneOf(await getLocalUserId(tx))
      const next = nextRun(now, schedule, zone).toISOString()
      if (!(await advanceSchedule(tx, schedule, next))) return
      await this.arm(tx, next)
      if (due > 0 && due <= now.getTime()) await this.request(tx, 'schedule')
    })
  }

  /** Looks at the schedule at this time, and not only at the next tick. */
  async arm(tx: Db, nextRunAt: string | null): Promise<void> {
    if (nextRunAt === null) return
    await this.deps.jobs.enqueue(tx, SCHEDULE_JOB, {}, { runAt: new Date(nextRunAt), key: nextRunAt })
  }

  async download(id: number): Promise<{ filename: string; size: number | null; content: Readable }> {
    const row = await this.find(id)
    if (row.state === 'running') throw conflict('This backup is still running.')
    const destination = await this.destinationOf(row)
    return { ...viewOf(row), content: await destination.read(row.filename) }
  }

  async remove(id: number): Promise<void> {
    const row = await this.find(id)
    if (row.state === 'running') throw conflict('This backup is still running.')
    await (await this.destinationOf(row)).remove(row.filename)
    await deleteBackup(this.deps.db, id)
  }

  /** Runs a requested backup. Failures are recorded in its row, so the job itself succeeds. */
  async run(id: number, signal: AbortSignal): Promise<void> {
    const { row, lost } = await this.claim(id)
    for (const each of lost) await this.removeIncomplete(each)
    const scratch = join(this.deps.dataDir, `${SCRATCH}${row.id}`)
    try {
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      await this.removeScratch(scratch)
      await this.makeAndProve(row, scratch, signal)
    } catch (error) {
      if (signal.aborted) {
        // The job runs again after the restart, with the same row.
        await updateBackup(this.deps.db, row.id, { step: 'waiting', startedAt: null })
        throw error
      }
      await this.fail(row, error)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
    await this.expire()
  }

  private async find(id: number): Promise<BackupRecord> {
    const row = await findBackup(this.deps.db, id)
    if (!row) throw notFound('backup')
    return row
  }

  private async request(tx: Db, cause: BackupRow['cause']): Promise<BackupRecord | undefined> {
    const { jobs, schedules, clock } = this.deps
    const schedule = await schedules.read(tx)
    const row = await this.insert(tx, cause, schedule)
    const jobId = await jobs.enqueue(tx, RUN_JOB, { id: row.id }, { key: 'backup' })
    if (jobId !== null) return row
    await deleteBackup(tx, row.id)
    if (cause === 'schedule') this.deps.log.warn({ at: clock.now() }, 'a backup is still running')
    return undefined
  }

  private async insert(tx: Db, cause: BackupRow['cause'], schedule: ScheduleRecord): Promise<BackupRecord> {
    const { clock, schedules } = this.deps
    const at = clock.now().toISOString()
    const { kind, location } = schedules.openDestination(schedule)
    const isEncrypted = schedules.passphraseOf(schedule) !== null
    const row = await insertBackup(tx, {
      cause,
      state: 'running',
      step: 'waiting',
      destination: kind,
      location,
      filename: '',
      encrypted: isEncrypted ? 1 : 0,
      size: null,
      problem: null,
      createdAt: at,
      startedAt: null,
      finishedAt: null,
      provenAt: null,
      epoch: await readEpoch(tx),
    })
    const stamp = at.replace(/[-:]|\.\d{3}/g, '')
    const filename = `factotum-${stamp}-${row.id}.zip${isEncrypted ? '.enc' : ''}`
    await updateBackup(tx, row.id, { filename })
    return { ...row, filename }
  }

  /**
   * Marks the backups of killed processes as failed: only one job runs at a time, so a started row has lost its
   * process. The job then continues with a new row.
   */
  private claim(id: number): Promise<{ row: BackupRecord; lost: BackupRecord[] }> {
    const { db, clock, schedules } = this.deps
    return inTransaction(db, async (tx) => {
      const unfinished = [
        ...(await listByState(tx, 'running', MAX_LISTED)),
        ...(await listByState(tx, 'written', MAX_LISTED)),
      ]
      const lost = unfinished.filter(({ startedAt, step }) => startedAt !== null && step !== null)
      for (const each of lost) await this.recordFailure(tx, each, INTERRUPTED)
      const found = await findBackup(tx, id)
      const isFresh = found?.state === 'running' && found.startedAt === null
      const row = isFresh
        ? found
        : await this.insert(tx, found?.cause ?? 'schedule', await schedules.read(tx))
      const startedAt = clock.now().toISOString()
      await updateBackup(tx, row.id, { startedAt, step: 'writing' })
      return { row: { ...row, startedAt }, lost }
    })
  }

  /** Removes the part of a file that a killed process left. */
  private async removeIncomplete(row: BackupRecord): Promise<void> {
    if (row.state !== 'running') return
    try {
      await (await this.destinationOf(row)).remove(row.filename)
    } catch (error) {
      this.deps.log.warn({ err: error, backupId: row.id }, 'could not delete an incomplete backup')
    }
  }

  private async makeAndProve(row: BackupRecord, scratch: string, signal: AbortSignal): Promise<void> {
    const { db, clock, schedules, blobs } = this.deps
    const schedule = await schedules.read(db)
    const destination = schedules.openDestination(schedule)
    const passphrase = schedules.passphraseOf(schedule)
    const settings = { BACKUP_PASSPHRASE: passphrase ?? '' }
    const { filename } = row
    await updateBackup(db, row.id, { location: destination.location, destination: destination.kind })
    const written = await destination.prepare(filename, scratch)
    await blobs.withoutRemovals(() => this.command(['backup', written], settings, filename, signal))
    const { size } = await stat(written)
    await updateBackup(db, row.id, { size, step: 'uploading' })
    await destination.store(filename, written, signal)
    await updateBackup(db, row.id, { state: 'written', step: 'downloading' })
    const copy = await destination.fetch(filename, scratch, signal)
    await updateBackup(db, row.id, { step: 'verifying' })
    await this.command(['verify', copy], settings, filename, signal)
    const provenAt = clock.now().toISOString()
    await updateBackup(db, row.id, { state: 'proven', step: null, provenAt, finishedAt: provenAt })
  }

  private async command(
    args: readonly [string, string],
    settings: Record<string, string>,
    filename: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { code, stderr } = await this.deps.runCommand(args, settings, signal)
    signal.throwIfAborted()
    if (code === 0) return
    const lines = stderr.trim().split('\n')
    const said = lines.findLast((line) => line.startsWith('factotum: '))?.slice('factotum: '.length)
    throw new AppError(
      'unavailable',
      'unavailable',
      said?.replaceAll(args[1], filename) ?? `The process of the backup ended with ${code ?? 'a signal'}.`,
    )
  }

  private async fail(row: BackupRecord, error: unknown): Promise<void> {
    const { db, log } = this.deps
    log.error({ err: error, backupId: row.id }, 'a backup failed')
    const problem =
      error instanceof AppError ? error.message : 'An unexpected error occurred. See the log of the server.'
    await inTransaction(db, (tx) => this.recordFailure(tx, row, problem))
  }

  /** The change notifies the owner. */
  private async recordFailure(tx: Db, { id, filename }: BackupRecord, problem: string): Promise<void> {
    const { changes, clock } = this.deps
    const text = problem.slice(0, MAX_PROBLEM_LENGTH)
    await updateBackup(tx, id, {
      state: 'failed',
      step: null,
      problem: text,
      finishedAt: clock.now().toISOString(),
    })
    const userId = await getLocalUserId(tx)
    await changes.record(tx, {
      userId,
      type: 'backup.failed',
      subject: String(id),
      data: { filename, problem: text },
    })
  }

  /** Deletes the files and rows that retention no longer keeps. A file that cannot be deleted keeps its row. */
  private async expire(): Promise<void> {
    const { db, clock, log, schedules } = this.deps
    const schedule = await schedules.read(db)
    const epoch = await readEpoch(db)
    const { location } = schedules.openDestination(schedule)
    const finished = [
      ...(await listByState(db, 'proven', MAX_LISTED)),
      ...(await listByState(db, 'failed', MAX_LISTED)),
      ...(await listByState(db, 'written', MAX_LISTED)),
    ].filter((row) => row.location === location && Number(row.epoch) === epoch)
    for (const id of expiredBackups(finished, schedule, clock.now()))
      await this.remove(id).catch((error: unknown) =>
        log.warn({ err: error, backupId: id }, 'could not delete an old backup'),
      )
  }

  /** Another destination may hold the file, but its keys are no longer known. */
  private async destinationOf({ location, destination }: BackupRecord): Promise<BackupDestination> {
    const { db, schedules } = this.deps
    const schedule = await schedules.read(db)
    const current = schedules.openDestination(schedule)
    if (current.location === location) return current
    if (destination === 'folder')
      return schedules.openDestination({ ...schedule, destination: 'folder', folder: location })
    throw conflict(
      `This backup is in ${location}, which is no longer the destination of backups. Delete its file there.`,
    )
  }

  /** Removes the directories that killed processes left. */
  private async removeScratch(current: string): Promise<void> {
    const { dataDir } = this.deps
    const left = (await readdir(dataDir)).filter((name) => name.startsWith(SCRATCH))
    for (const path of left.map((name) => join(dataDir, name)))
      if (path !== current) await rm(path, { recursive: true, force: true })
  }
}
