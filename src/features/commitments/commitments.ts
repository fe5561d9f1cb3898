import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import { isPrivate } from '../../nlu/mail/facts.ts'
import { conflict } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { readInstant } from '../../platform/time.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Actions } from '../undo/journal.ts'
import type { commitmentChanges } from './changes.ts'
import {
  type CommitmentChange,
  type CommitmentRecord,
  type Due,
  dueOnDay,
  readDue,
  type Status,
  toCommitment,
  toPlace,
  toRemindAt,
  type VersionedCommitment,
} from './commitment.ts'
import {
  type CommitmentFilter,
  type CommitmentUpdate,
  commitmentRows,
  findContactIds,
  listCommitments,
  listDueOnDay,
  listOfTask,
  type NewCommitment,
  setLateAt,
  takeDueCommitments,
} from './repository.ts'
import type { CommitmentCollection, CommitmentQuery } from './schema.ts'

const TASK_CREATED = 'commitment.task_created'
const CLOSED = 'commitment.closed'
const PRIVATE_TAG = 'private'
const MAX_TITLE_LENGTH = 500
/** Pages that a search by name reads at most. */
const MAX_SEARCHED = 500
const PAGE = 200

const REMINDED_AT_ONCE = 200
/** After a longer downtime, a reminder is no longer useful. */
const LATEST_REMINDER_MS = 86_400_000

const Reference = Type.Object({ id: Type.Integer(), version: Type.Integer() })
type Reference = Type.Static<typeof Reference>

export interface CommitmentsDeps extends Pick<Platform, 'db' | 'clock' | 'changes'> {
  actions: Actions
  tasks: Pick<Tasks, 'create' | 'remove' | 'get'>
  zoneOf: (userId: number) => Promise<string>
  /** Returns the tags of those emails that the account has. */
  emailTags: (userId: number, ids: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>
  /** Reads queued mail of the account first, so that a list contains its promises. */
  settle: (userId: number) => Promise<void>
}

/** A search of the assistant. */
export interface CommitmentSearch {
  direction?: CommitmentRecord['direction'] | undefined
  status?: Status | undefined
  /** Words of the name, or the address. */
  person?: string | undefined
  overdue?: boolean | undefined
  limit: number
}

const SUBJECT_AND_VERB =
  /^(?:(?:and|so|then|great|ok|okay|yes|sure)[\s,]+)*(?:i|we)(?:['’]ll| will| shall|(?:['’]m| am|['’]re| are) going to)\s+/iu

/** Turns a promise into the title of a task: "I'll send you the offer" becomes "Send Ana the offer". */
export const toTaskTitle = ({
  direction,
  text,
  personName,
  personAddress,
}: Pick<CommitmentRecord, 'direction' | 'text' | 'personName' | 'personAddress'>): string => {
  const name = personName || personAddress
  const bare = text.replace(/[\s.!,;:]{1,10}$/u, '')
  if (direction === 'theirs') return `${name}: ${bare}`.slice(0, MAX_TITLE_LENGTH).toWellFormed()
  const isEnglish = SUBJECT_AND_VERB.test(bare)
  const words = bare.replace(SUBJECT_AND_VERB, '')
  const first = personName.split(/\s+/)[0] || name
  const title = isEnglish ? words.replace(/(?<!\p{L})you(?!\p{L})/u, first) : `${words} (${name})`
  return `${title.charAt(0).toLocaleUpperCase()}${title.slice(1)}`.slice(0, MAX_TITLE_LENGTH).toWellFormed()
}

/** Lists and changes the promises of an account. */
export class Commitments {
  private readonly deps: CommitmentsDeps

  constructor(deps: CommitmentsDeps) {
    this.deps = deps
    deps.actions.define({
      kind: TASK_CREATED,
      payload: Type.Object({ commitment: Reference, task: Reference }),
      references: { 'commitment.id': 'commitments', 'task.id': 'tasks' },
      undo: (tx, { commitment, task }, _parts, userId) => this.removeTask(tx, userId, commitment, task),
    })
    deps.actions.define({
      kind: CLOSED,
      payload: Type.Object({ commitments: Type.Array(Reference) }),
      references: { 'commitments.*.id': 'commitments' },
      undo: (tx, payload, _parts, userId) => this.reopenAll(tx, userId, payload.commitments),
    })
  }

  async list(userId: number, query: CommitmentQuery): Promise<CommitmentCollection> {
    const { direction, status, address, overdue, dueBefore, limit, cursor } = query
    const after = readCursor(cursor, 'integer', 'integer')
    const now = this.deps.clock.now()
    const before =
      dueBefore === undefined
        ? undefined
        : Date.parse(readInstant('dueBefore', dueBefore, await this.deps.zoneOf(userId)))
    const below = Math.min(
      before ?? Number.POSITIVE_INFINITY,
      overdue ? now.getTime() : Number.POSITIVE_INFINITY,
    )
    const onlyOpen = overdue || before !== undefined
    if (after === undefined) await this.deps.settle(userId)
    const filter: CommitmentFilter = {
      direction,
      status: status ?? (onlyOpen ? 'open' : undefined),
      address: address?.trim().toLowerCase(),
      below: onlyOpen ? below : undefined,
      lateAt: overdue ? now.toISOString() : undefined,
    }
    const { db } = this.deps
    const rows = await listCommitments(db, userId, filter, {
      after: after && { place: after[0], id: after[1] },
      limit,
    })
    const { page, nextCursor } = pageOf(rows, limit, ({ place, id }) => [place, id])
    return { commitments: await this.toViews(db, userId, page), nextCursor }
  }

  /** Lists by the name of a person. Private ones are marked, so that they do not reach a model. */
  async search(
    userId: number,
    { person, limit, ...filter }: CommitmentSearch,
  ): Promise<{ commitments: VersionedCommitment[]; more: boolean; privateIds: ReadonlySet<number> }> {
    await this.deps.settle(userId)
    const now = this.deps.clock.now()
    const words = (person ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    const isWanted = ({ personName, personAddress }: CommitmentRecord): boolean => {
      const names = `${personName} ${personAddress}`.toLowerCase().split(/[^\p{L}\d]+/u)
      return words.every(
        (word) => personAddress === word || names.some((name) => name !== '' && name.startsWith(word)),
      )
    }
    const { overdue, direction, status } = filter
    const found: CommitmentRecord[] = []
    let after: { place: number; id: number } | undefined
    for (let read = 0; read < MAX_SEARCHED && found.length <= limit; read += PAGE) {
      const rows = await listCommitments(
        this.deps.db,
        userId,
        {
          direction,
          status: overdue ? 'open' : status,
          below: overdue ? now.getTime() : undefined,
          lateAt: overdue ? now.toISOString() : undefined,
        },
        { after, limit: PAGE },
      )
      found.push(...rows.slice(0, PAGE).filter(isWanted))
      const last = rows.at(PAGE - 1)
      if (rows.length <= PAGE || !last) break
      after = { place: last.place, id: last.id }
    }
    const page = found.slice(0, limit)
    return {
      commitments: await this.toViews(this.deps.db, userId, page),
      more: found.length > limit,
      privateIds: await this.findPrivate(userId, page),
    }
  }

  async get(userId: number, id: number): Promise<VersionedCommitment> {
    const view = transactionOr(this.deps.db)
    return this.toView(view, userId, await commitmentRows.get(view, userId, id))
  }

  /** Whether the promise must not reach a model. */
  async isPrivate(userId: number, id: number): Promise<boolean> {
    const row = await commitmentRows.find(transactionOr(this.deps.db), userId, id)
    return row !== undefined && (await this.findPrivate(userId, [row])).has(id)
  }

  async change(
    userId: number,
    id: number,
    change: CommitmentChange,
    ifMatch: string | undefined,
  ): Promise<VersionedCommitment> {
    const due = readDue(change, await this.deps.zoneOf(userId))
    return inTransaction(this.deps.db, async (tx) => {
      const row = await commitmentRows.getLocked(tx, userId, id, ifMatch)
      const { status, text } = change
      const isReopened = status === 'open' && row.status !== 'open'
      const fields: CommitmentUpdate = {
        ...(text !== undefined && { text: text.trim() }),
        ...due,
        ...(status !== undefined && status !== row.status && this.toStatusFields(status, 'user')),
        ...((change.rejectSuggestion || isReopened) && { closingEmailId: null, closingQuote: null }),
      }
      const isSame = Object.entries(fields).every(([name, value]) => row[name as keyof typeof row] === value)
      if (isSame) return this.toView(tx, userId, row)
      return this.toView(tx, userId, await this.save(tx, row, fields))
    })
  }

  /** Creates a task from the promise. A second call returns the same task. */
  makeTask(
    userId: number,
    id: number,
  ): Promise<{ commitment: VersionedCommitment; taskId: number; actionId: number | null }> {
    return inTransaction(this.deps.db, async (tx) => {
      const row = await commitmentRows.getLocked(tx, userId, id, undefined)
      if (row.taskId !== null)
        return { commitment: await this.toView(tx, userId, row), taskId: row.taskId, actionId: null }
      const isHidden = (await this.findPrivate(userId, [row])).has(id)
      const task = await this.deps.tasks.create(userId, {
        title: toTaskTitle(row),
        notes: row.quote,
        emailId: row.emailId,
        ...(isHidden && { tags: [PRIVATE_TAG] }),
        ...(row.dueDay === null ? { dueAt: row.dueAt } : { dueDay: row.dueDay }),
      })
      const saved = await this.save(tx, row, { taskId: task.id })
      const actionId = await this.deps.actions.record(tx, {
        userId,
        kind: TASK_CREATED,
        summary: `Created a task from a promise: “${task.title.slice(0, 200)}”`,
        payload: {
          commitment: { id, version: saved.version },
          task: { id: task.id, version: task.version },
        },
      })
      return { commitment: await this.toView(tx, userId, saved), taskId: task.id, actionId }
    })
  }

  async insert(
    tx: Db,
    row: Omit<NewCommitment, 'place' | 'remindAt' | 'version' | 'createdAt' | 'updatedAt'>,
  ): Promise<CommitmentRecord> {
    const at = this.deps.clock.now()
    const now = at.toISOString()
    const inserted = await commitmentRows.insert(tx, {
      ...row,
      place: toPlace(row as CommitmentRecord),
      remindAt: toRemindAt(row as CommitmentRecord, at.getTime()),
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    await this.record(tx, 'commitment.created', inserted)
    return inserted
  }

  /** Moves the due date of a promise that was repeated. */
  async postpone(tx: Db, row: CommitmentRecord, due: Due): Promise<void> {
    if (due.dueAt !== null && due.dueAt !== row.dueAt) await this.save(tx, row, due)
  }

  /** Notes the email that may show that the promise was kept. */
  async suggest(tx: Db, row: CommitmentRecord, evidence: { emailId: number; quote: string }): Promise<void> {
    if (row.closingEmailId !== null) return
    await this.save(tx, row, { closingEmailId: evidence.emailId, closingQuote: evidence.quote })
  }

  /** Closes promises that an email keeps. One undo opens them again. */
  async closeByEmail(
    tx: Db,
    userId: number,
    kept: readonly { row: CommitmentRecord; quote: string }[],
    email: { id: number; subject: string; date: string },
  ): Promise<void> {
    const closed: Reference[] = []
    for (const { row, quote } of kept) {
      const saved = await this.save(tx, row, {
        ...this.toStatusFields('done', 'email'),
        closingEmailId: email.id,
        closingQuote: quote,
      })
      closed.push({ id: saved.id, version: saved.version })
    }
    if (closed.length === 0) return
    const count = closed.length === 1 ? 'a promise' : `${closed.length} promises`
    await this.deps.actions.record(tx, {
      userId,
      kind: CLOSED,
      summary: `Closed ${count} kept by “${email.subject.slice(0, 200)}”`,
      payload: { commitments: closed },
    })
  }

  /** Follows a task: its completion closes the promise, and its reopening opens it again. */
  async followTask(tx: Db, userId: number, taskId: number, status: string): Promise<void> {
    const isDone = status === 'done'
    for (const row of await listOfTask(tx, userId, taskId)) {
      if (isDone && row.status === 'open') await this.save(tx, row, this.toStatusFields('done', 'task'))
      if (!isDone && row.status === 'done' && row.closedBy === 'task' && status !== 'cancelled')
        await this.save(tx, row, this.toStatusFields('open', 'task'))
    }
  }

  /** Keeps open promises on their due day when the time zone of their account changes. */
  async recalculateDays(tx: Db, userId: number, timezone: string): Promise<void> {
    for (const row of await listDueOnDay(tx, userId)) {
      const due = dueOnDay(row.dueDay as string, timezone)
      if (due.dueAt !== row.dueAt) await this.save(tx, row, due)
      else if (due.lateAt !== row.lateAt) await setLateAt(tx, userId, row.id, due.lateAt)
    }
  }

  async toViews(view: Db, userId: number, rows: readonly CommitmentRecord[]): Promise<VersionedCommitment[]> {
    const addresses = rows.map(({ personAddress }) => personAddress)
    const contacts = await findContactIds(view, userId, addresses)
    const now = this.deps.clock.now().toISOString()
    return rows.map((row) => toCommitment(row, contacts.get(row.personAddress) ?? null, now))
  }

  private async toView(view: Db, userId: number, row: CommitmentRecord): Promise<VersionedCommitment> {
    return (await this.toViews(view, userId, [row]))[0] as VersionedCommitment
  }

  private async findPrivate(userId: number, rows: readonly CommitmentRecord[]): Promise<Set<number>> {
    const ids = [...new Set(rows.flatMap(({ emailId }) => emailId ?? []))]
    const tags: ReadonlyMap<number, readonly string[]> =
      ids.length === 0 ? new Map() : await this.deps.emailTags(userId, ids)
    return new Set(
      rows
        .filter(
          (row) => row.isPrivate === 1 || (row.emailId !== null && isPrivate(tags.get(row.emailId) ?? [])),
        )
        .map(({ id }) => id),
    )
  }

  /** Records `commitment.due` for promises whose reminder is due. Returns whether there may be more. */
  remind(): Promise<boolean> {
    const now = this.deps.clock.now()
    return inTransaction(this.deps.db, async (tx) => {
      const due = await takeDueCommitments(tx, now.toISOString(), REMINDED_AT_ONCE)
      const oldest = new Date(now.getTime() - LATEST_REMINDER_MS).toISOString()
      for (const { row, remindAt } of due)
        if (remindAt >= oldest) await this.record(tx, 'commitment.due', row)
      return due.length === REMINDED_AT_ONCE
    })
  }

  private toStatusFields(status: Status, by: 'email' | 'task' | 'user'): CommitmentUpdate {
    return status === 'open'
      ? { status, closedAt: null, closedBy: null }
      : { status, closedAt: this.deps.clock.now().toISOString(), closedBy: by }
  }

  private async save(tx: Db, row: CommitmentRecord, fields: CommitmentUpdate): Promise<CommitmentRecord> {
    const now = this.deps.clock.now()
    const next = { ...row, ...fields } as CommitmentRecord
    // A change of the text must not remind again.
    const isMoved = next.dueAt !== row.dueAt || next.status !== row.status
    const saved = await commitmentRows.update(tx, row, {
      ...fields,
      place: toPlace(next),
      updatedAt: now.toISOString(),
      ...(isMoved && { remindAt: toRemindAt(next, now.getTime()) }),
    })
    await this.record(tx, 'commitment.updated', saved)
    return saved
  }

  private async record(tx: Db, type: keyof typeof commitmentChanges, row: CommitmentRecord): Promise<void> {
    const { version: _, extra: __, ...data } = await this.toView(tx, row.userId, row)
    await this.deps.changes.record(tx, { userId: row.userId, type, subject: String(row.id), data })
  }

  private async removeTask(tx: Db, userId: number, commitment: Reference, task: Reference): Promise<void> {
    const row = await commitmentRows.lock(tx, userId, commitment.id)
    if (!row || row.taskId !== task.id) throw conflict('The task has been removed since.')
    const { version, title } = await this.deps.tasks.get(userId, task.id)
    if (version !== task.version) throw conflict(`The task “${title}” has been changed since.`)
    await this.save(tx, row, { taskId: null })
    await this.deps.tasks.remove(userId, task.id, undefined)
  }

  private async reopenAll(tx: Db, userId: number, closed: readonly Reference[]): Promise<void> {
    for (const { id, version } of closed) {
      const row = await commitmentRows.lock(tx, userId, id)
      if (!row || row.version !== version) throw conflict('The promise has been changed since.')
      await this.save(tx, row, {
        ...this.toStatusFields('open', 'user'),
        closingEmailId: null,
        closingQuote: null,
      })
    }
  }
}
