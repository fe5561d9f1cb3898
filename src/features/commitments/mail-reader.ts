import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { afterCommit, inTransaction, isInTransaction } from '../../database/transaction.ts'
import { findClosing, isSameCommitment } from '../../nlu/mail/commitment-closings.ts'
import type { CommitmentRequest } from '../../nlu/mail/commitment-task.ts'
import type { FoundCommitment } from '../../nlu/mail/commitments.ts'
import { isPrivate } from '../../nlu/mail/facts.ts'
import { AppError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { runTask } from '../../platform/workers/run-task.ts'
import { defineTask } from '../../platform/workers/task.ts'
import { createYielder } from '../../platform/yield.ts'
import type { Analyses } from '../mail/messages/analyses.ts'
import type { Address } from '../mail/mime/addresses.ts'
import { type CommitmentRecord, type Due, dueAtTime, dueOnDay, NO_DUE } from './commitment.ts'
import type { Commitments } from './commitments.ts'
import {
  commitmentRows,
  findMail,
  hasCommitmentsOf,
  listLaterMails,
  listOpenWith,
  listQueued,
  type MailRecord,
  queueMail,
  takeQueued,
} from './repository.ts'

const JOB = 'read-commitments'
const DAY_MS = 86_400_000
/** Promises in older mail are kept or forgotten. */
const MAX_DAYS = 60
const READ_FOLDERS: readonly string[] = ['inbox', 'archive', 'sent', 'other']
/** Emails that one request reads before its list. The job reads the rest. */
const MAX_IN_REQUEST = 30
const BATCH = 100
const MAX_RECIPIENTS = 20
const MAX_OPEN = 50
const MAX_LATER = 20
/** Larger texts go to a worker thread. */
const SMALL_TEXT = 4_000
const MAX_TEXT_LENGTH = 30_000

const TASK = defineTask<CommitmentRequest, FoundCommitment[]>(
  new URL('../../nlu/mail/commitment-task.ts', import.meta.url),
  'find',
)

/** A stored email, as far as the queue needs it. */
export interface StoredMail {
  id: number
  folder: string
  date: string
  isBulk: boolean
}

/** Queues a mail in the transaction that stores it. */
export interface MailQueue {
  queue(tx: Db, userId: number, mail: StoredMail): Promise<void>
}

export interface MailReaderDeps extends Pick<Platform, 'db' | 'clock' | 'log' | 'jobs' | 'workers'> {
  analyses: Pick<Analyses, 'read'>
  commitments: () => Commitments
  zoneOf: (userId: number) => Promise<string>
  ownAddresses: (userId: number) => Promise<ReadonlySet<string>>
}

interface ReadMail extends MailRecord {
  text: string
  isOwn: boolean
  /** The people on the other side, the first one first. */
  others: Address[]
}

/** The email was deleted or cannot be parsed. A retry would fail again. */
const isPermanent = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'not_found' || error.code === 'unreadable_message')

const fileNames = ({ attachments }: Pick<MailRecord, 'attachments'>): string[] =>
  (JSON.parse(attachments) as { filename: string | null }[]).flatMap(({ filename }) => filename ?? [])

const readRecipients = ({ to, cc }: MailRecord): Address[] =>
  [to, cc].flatMap((json) => JSON.parse(json) as Address[])

const toLower = (address: string): string => address.trim().toLowerCase()

const GREETED = /^\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin|servus)\s+(\p{L}[\p{L}'’-]{1,30})/iu

/** Returns the recipient whom the greeting names, or else the first one. */
const findAddressee = (text: string, others: readonly Address[]): Address | undefined => {
  const name = GREETED.exec(text.slice(0, 200))?.[1]?.toLowerCase()
  const isGreeted = (person: Address): boolean =>
    name !== undefined && person.name.toLowerCase().split(/\s+/).includes(name)
  return others.find(isGreeted) ?? others[0]
}

const toDue = ({ dueAt, dueDay }: FoundCommitment, timezone: string): Due => {
  if (dueAt === null) return NO_DUE
  return dueDay === null ? dueAtTime(new Date(dueAt).toISOString()) : dueOnDay(dueDay, timezone)
}

/**
 * Reads mail for promises, and for what keeps them. Storing a mail queues it. Reading the promises of an account, or a
 * job, reads the queue, so that a sync does not wait.
 */
export class CommitmentMailReader implements MailQueue {
  private readonly deps: MailReaderDeps
  /** Accounts with queued mail. At the start, all of them may have some. */
  private readonly settled = new Set<number>()
  private readonly settling = new Map<number, Promise<void>>()

  constructor(deps: MailReaderDeps) {
    this.deps = deps
    deps.jobs.define({
      name: JOB,
      payload: Type.Object({}),
      schedule: '*/5 * * * *',
      run: async (_payload, { signal }) => {
        for (;;) {
          const queued = await listQueued(deps.db, undefined, BATCH)
          for (const { userId, emailId } of queued) {
            signal.throwIfAborted()
            await this.read(userId, emailId)
          }
          if (queued.length < BATCH) return
        }
      },
    })
  }

  /** Whether the mail is of a folder and an age that are read. */
  private isRead({ folder, date }: Pick<StoredMail, 'folder' | 'date'>): boolean {
    const oldest = this.deps.clock.now().getTime() - MAX_DAYS * DAY_MS
    return READ_FOLDERS.includes(folder) && Date.parse(date) >= oldest
  }

  async queue(tx: Db, userId: number, { id, isBulk, ...mail }: StoredMail): Promise<void> {
    if (isBulk || !this.isRead(mail)) return
    await queueMail(tx, { userId, emailId: id })
    const setPending = (): void => {
      this.settled.delete(userId)
    }
    if (isInTransaction()) afterCommit(setPending)
    else setPending()
  }

  /** Reads the queued mail of an account, up to a limit, so that a list contains its promises. */
  async settle(userId: number): Promise<void> {
    // Inside a transaction, a failed mail would undo the work of the caller.
    if (isInTransaction() || this.settled.has(userId)) return
    const running = this.settling.get(userId) ?? this.readQueued(userId)
    this.settling.set(userId, running)
    await running
  }

  private async readQueued(userId: number): Promise<void> {
    const yieldIfNeeded = createYielder()
    try {
      this.settled.add(userId)
      const queued = await listQueued(this.deps.db, userId, MAX_IN_REQUEST)
      if (queued.length === MAX_IN_REQUEST) this.settled.delete(userId)
      for (const { emailId } of queued) {
        await this.read(userId, emailId)
        await yieldIfNeeded()
      }
    } catch (error) {
      this.settled.delete(userId)
      this.deps.log.warn({ err: error }, 'could not read mail for promises')
    } finally {
      this.settling.delete(userId)
    }
  }

  /** Reads one queued email. Its promises and its removal from the queue are one transaction. */
  private async read(userId: number, emailId: number): Promise<void> {
    const { db } = this.deps
    const timezone = await this.deps.zoneOf(userId)
    const mail = await this.load(userId, emailId)
    const found = mail ? await this.find(userId, mail, timezone) : undefined
    await inTransaction(db, async (tx) => {
      if (!(await takeQueued(tx, { userId, emailId })) || !mail || !found) return
      await this.closeKept(tx, userId, mail)
      if (found.commitments.length === 0 || (await hasCommitmentsOf(tx, userId, emailId))) return
      for (const one of found.commitments) await this.file(tx, userId, mail, one, found, timezone)
    })
  }

  private async load(userId: number, emailId: number): Promise<ReadMail | undefined> {
    const mail = await findMail(this.deps.db, userId, emailId)
    if (!mail || mail.listId !== null || mail.unreadable !== null || !this.isRead(mail)) return undefined
    return this.toReadMail(userId, mail, '')
  }

  private async toReadMail(userId: number, mail: MailRecord, text: string): Promise<ReadMail> {
    const own = await this.deps.ownAddresses(userId)
    const isOwn = mail.folder === 'sent' || own.has(toLower(mail.fromAddress))
    const sender = { name: mail.fromName, address: mail.fromAddress }
    const recipients = readRecipients(mail)
    const others = (isOwn ? recipients : [sender])
      .map(({ name, address }) => ({ name, address: toLower(address) }))
      .filter(({ address }) => address !== '' && !own.has(address))
      .slice(0, MAX_RECIPIENTS)
    return { ...mail, text, isOwn, others }
  }

  /** Reads the text, and finds the promises. Returns undefined if the email cannot be read. */
  private async find(userId: number, mail: ReadMail, timezone: string) {
    try {
      const { text, headers, tags } = await this.deps.analyses.read(userId, mail.id)
      mail.text = text.slice(0, MAX_TEXT_LENGTH)
      const recipients = readRecipients(mail)
      const commitments = await runTask(
        this.deps.workers,
        TASK,
        {
          mail: {
            text: mail.text,
            subject: mail.subject,
            from: mail.fromAddress,
            headers,
            isOwn: mail.isOwn,
            people: mail.isOwn ? [] : recipients.map(({ name }) => name).slice(0, MAX_RECIPIENTS),
          },
          options: { date: Date.parse(mail.date), timezone },
        },
        { isCheap: mail.text.length <= SMALL_TEXT, subject: 'the text', code: 'unreadable_message' },
      )
      return { commitments, isPrivate: isPrivate(tags), recipients }
    } catch (error) {
      if (isPermanent(error)) return undefined
      throw error
    }
  }

  private async file(
    tx: Db,
    userId: number,
    mail: ReadMail,
    found: FoundCommitment,
    { isPrivate: isHidden, recipients }: { isPrivate: boolean; recipients: readonly Address[] },
    timezone: string,
  ): Promise<void> {
    const own = await this.deps.ownAddresses(userId)
    const person =
      found.person === null
        ? findAddressee(mail.text, mail.others)
        : recipients.find(({ name, address }) => name === found.person && !own.has(toLower(address)))
    if (!person) return
    const address = toLower(person.address)
    const direction = mail.isOwn ? 'mine' : 'theirs'
    const due = toDue(found, timezone)
    const known = (await listOpenWith(tx, userId, [address], MAX_OPEN)).find(
      (row) =>
        row.direction === direction &&
        row.threadId === mail.threadId &&
        (row.quote === found.quote ? row.text === found.text : isSameCommitment(row.text, found.text)),
    )
    const commitments = this.deps.commitments()
    if (known) {
      if (known.promisedAt <= mail.date) await commitments.postpone(tx, known, due)
      return
    }
    const row = await commitments.insert(tx, {
      userId,
      direction,
      personName: person.name,
      personAddress: address,
      text: found.text,
      quote: found.quote,
      quoteOffset: found.offset,
      emailId: mail.id,
      threadId: mail.threadId,
      subject: mail.subject,
      promisedAt: mail.date,
      confidence: Math.round(found.confidence * 100),
      ...due,
      status: 'open',
      closedAt: null,
      closedBy: null,
      closingEmailId: null,
      closingQuote: null,
      taskId: null,
      isPrivate: isHidden ? 1 : 0,
    })
    await this.closeByLater(tx, userId, row, mail)
  }

  /** Closes or suggests to close what this mail keeps. */
  private async closeKept(tx: Db, userId: number, mail: ReadMail): Promise<void> {
    const addresses = mail.others.map(({ address }) => address)
    const open = await listOpenWith(tx, userId, addresses, MAX_OPEN)
    const earlier = open.filter(({ promisedAt, emailId }) => promisedAt < mail.date && emailId !== mail.id)
    await this.judge(tx, userId, mail, earlier)
  }

  /** Mail can arrive in any order, so that a later mail may be known already. */
  private async closeByLater(tx: Db, userId: number, row: CommitmentRecord, mail: ReadMail): Promise<void> {
    for (const later of await listLaterMails(tx, userId, mail, MAX_LATER)) {
      const current = await commitmentRows.lock(tx, userId, row.id)
      if (current?.status !== 'open' || !READ_FOLDERS.includes(later.folder)) continue
      const read = await this.toReadMail(userId, later, later.text)
      if (read.others.some(({ address }) => address === row.personAddress))
        await this.judge(tx, userId, read, [current])
    }
  }

  private async judge(
    tx: Db,
    userId: number,
    mail: ReadMail,
    open: readonly CommitmentRecord[],
  ): Promise<void> {
    const kept: { row: CommitmentRecord; quote: string }[] = []
    const commitments = this.deps.commitments()
    for (const row of open) {
      const isSameThread = row.threadId === mail.threadId
      const closing = findClosing(
        row.text,
        {
          text: mail.text,
          subject: mail.subject,
          files: fileNames(mail),
          isByAuthor: mail.isOwn === (row.direction === 'mine'),
          isSameThread,
        },
        {
          isOnly: !open.some(
            (other) =>
              other.id !== row.id && other.threadId === row.threadId && other.direction === row.direction,
          ),
        },
      )
      if (closing?.verdict === 'closed') kept.push({ row, quote: closing.quote })
      else if (closing) await commitments.suggest(tx, row, { emailId: mail.id, quote: closing.quote })
    }
    await commitments.closeByEmail(tx, userId, kept, mail)
  }
}
