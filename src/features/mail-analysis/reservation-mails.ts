import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { afterCommit, inTransaction, isInTransaction } from '../../database/transaction.ts'
import { AppError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { createYielder } from '../../platform/yield.ts'
import type { MailQueue, StoredMail } from '../commitments/mail-reader.ts'
import type { Analyses } from '../mail/messages/analyses.ts'
import type { EngineAnalysis } from './engine-analysis.ts'
import { findMail, listQueued, queueMail, SOURCE_FOLDERS, takeQueued } from './repository.ts'
import type { ReservationStore } from './reservation-store.ts'

const JOB = 'read-reservations'
const DAY_MS = 86_400_000
/** Older mail is about trips and bills of the past. */
const MAX_DAYS = 60
/** Emails that one request reads before its list. The job reads the rest. */
const MAX_IN_REQUEST = 30
const BATCH = 100

/** The email was deleted or cannot be parsed. A retry would fail again. */
export const isPermanent = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'not_found' || error.code === 'unreadable_message')

/** Queues stored mail of the last weeks for the reader below. */
export class ReservationMails implements MailQueue {
  private readonly clock: Platform['clock']
  /** Accounts without queued mail. At the start, all of them may have some. */
  readonly settled = new Set<number>()

  constructor({ clock }: Pick<Platform, 'clock'>) {
    this.clock = clock
  }

  /** Whether the mail is of a folder and an age that are read. */
  isRead({ folder, date }: Pick<StoredMail, 'folder' | 'date'>): boolean {
    const oldest = this.clock.now().getTime() - MAX_DAYS * DAY_MS
    return SOURCE_FOLDERS.some((one) => one === folder) && Date.parse(date) >= oldest
  }

  async queue(tx: Db, userId: number, { id, ...mail }: Omit<StoredMail, 'isBulk'>): Promise<void> {
    if (!this.isRead(mail)) return
    await queueMail(tx, { userId, emailId: id })
    const setPending = (): void => {
      this.settled.delete(userId)
    }
    if (isInTransaction()) afterCommit(setPending)
    else setPending()
  }
}

interface ReaderDeps extends Pick<Platform, 'db' | 'jobs' | 'log'> {
  mails: ReservationMails
  analyses: Pick<Analyses, 'read'>
  engineAnalysis: Pick<EngineAnalysis, 'analyze'>
  store: Pick<ReservationStore, 'keep'>
}

/**
 * Reads queued mail for reservations with the built-in engine. Listing the reservations of an account, or a job, reads the
 * queue, so that a sync does not wait. The analysis itself is not stored: old mail must not become urgent.
 */
export class ReservationReader {
  private readonly deps: ReaderDeps
  private readonly settling = new Map<number, Promise<void>>()

  constructor(deps: ReaderDeps) {
    this.deps = deps
    deps.jobs.define({
      name: JOB,
      payload: Type.Object({}),
      schedule: '*/5 * * * *',
      run: async (_payload, { signal }) => {
        const yieldIfNeeded = createYielder()
        for (;;) {
          const queued = await listQueued(deps.db, undefined, BATCH)
          for (const { userId, emailId } of queued) {
            signal.throwIfAborted()
            await this.read(userId, emailId)
            await yieldIfNeeded()
          }
          if (queued.length < BATCH) return
        }
      },
    })
  }

  /** Reads the newest queued mail of an account, up to a limit, so that a list contains its reservations. */
  async settle(userId: number): Promise<void> {
    // Inside a transaction, a failed mail would undo the work of the caller.
    if (isInTransaction() || this.deps.mails.settled.has(userId)) return
    const running = this.settling.get(userId) ?? this.readQueued(userId)
    this.settling.set(userId, running)
    await running
  }

  private async readQueued(userId: number): Promise<void> {
    const { db, log, mails } = this.deps
    const yieldIfNeeded = createYielder()
    try {
      mails.settled.add(userId)
      const queued = await listQueued(db, userId, MAX_IN_REQUEST)
      if (queued.length === MAX_IN_REQUEST) mails.settled.delete(userId)
      for (const { emailId } of queued) {
        await this.read(userId, emailId)
        await yieldIfNeeded()
      }
    } catch (error) {
      mails.settled.delete(userId)
      log.warn({ err: error }, 'could not read mail for reservations')
    } finally {
      this.settling.delete(userId)
    }
  }

  /** Reads one queued email. Its reservations and its removal from the queue are one transaction. */
  private async read(userId: number, emailId: number): Promise<void> {
    const { db, store } = this.deps
    const found = await this.find(userId, emailId)
    await inTransaction(db, async (tx) => {
      if (!(await takeQueued(tx, { userId, emailId })) || !found) return
      await store.keep(userId, found.mail, found.reservations)
    })
  }

  /** Returns undefined for an email that is not to be read, or cannot be. */
  private async find(userId: number, emailId: number) {
    const { db, analyses, engineAnalysis, mails } = this.deps
    const stored = await findMail(db, userId, emailId)
    if (!stored || stored.unreadable !== null || !mails.isRead(stored)) return undefined
    try {
      const mail = await analyses.read(userId, emailId)
      const { view } = await engineAnalysis.analyze(mail)
      return { mail, reservations: view().reservations }
    } catch (error) {
      if (isPermanent(error)) return undefined
      throw error
    }
  }
}
