import { createHash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { AppError, isTemporary, toUnreadableReason } from '../../platform/errors.ts'
import { fingerprint } from '../../platform/fingerprint.ts'
import type { FileEvents } from '../calendar/imports/file-events.ts'
import type { Changed } from '../calendar/imports/journal.ts'
import type { ContactImport, ContactState } from '../contacts/import.ts'
import type { MailStore, ReadMessage } from '../mail/messages/mail-store.ts'
import type { MessageHead } from '../mail/messages/message-head.ts'
import type { TaskLists } from '../tasks/lists.ts'
import type { Sections } from '../tasks/sections.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { type ImportRecord, type Kind, type Problem, type TaskRecord, toProblem } from './import-record.ts'
import {
  findListNamed,
  findSectionNamed,
  findVersion,
  hasSubtasks,
  hasTasksIn,
  type ItemRow,
  insertItems,
  listItemIds,
  listItemsOfKey,
} from './repository.ts'
import type { ImportOptions } from './schema.ts'

/** The features that imported items belong to. */
export interface TargetPorts {
  emails: Pick<MailStore, 'read' | 'stageUnreadable' | 'placeAll' | 'file' | 'find' | 'remove'>
  readHead(raw: Buffer): MessageHead
  contacts: Pick<ContactImport, 'importCard' | 'revert' | 'announce' | 'isKnown'>
  events: FileEvents
  tasks: Pick<Tasks, 'restore' | 'remove'>
  lists: Pick<TaskLists, 'create' | 'remove'>
  sections: Pick<Sections, 'create'>
}

/** One import while it is written. */
export interface ImportTarget {
  userId: number
  importId: number
  options: ImportOptions
  /** The date of mail without one. */
  startedAt: string
}

export interface Outcome {
  kind: Kind
  result: 'created' | 'updated' | 'duplicates' | 'skipped'
  problems?: Problem[]
}

type RecordOf<K extends Kind> = ImportRecord & { kind: K }

export interface TaskKeys {
  key: string
  formerKey: string
}

/** How an import knows a task again, and the task above it. */
export interface TaskIdentity extends TaskKeys {
  parent?: TaskKeys | undefined
}

/** A message that was parsed outside the transaction. Undefined: mail of the service itself. */
export type PreparedMail = ReadMessage | undefined

const LOST_PARENT = 'The task above it was not imported. The subtask became a task of its own.'

const MAX_KEY_LENGTH = 500

const hash = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** The name of a list or a section. */
const toName = (given: string | null | undefined): string =>
  given
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed() ?? ''

const skipped = (record: ImportRecord, kind: Kind, reason: string, value = ''): Outcome => ({
  kind,
  result: 'skipped',
  problems: [toProblem({ file: record.file, line: record.line, value }, 'skipped', reason)],
})

/** The marks that the user can change. Reading a message does not count as a change. */
const toMailState = (email: {
  folder: string
  folderId: number | null
  starred: boolean
  tags: readonly string[]
}): string => JSON.stringify([email.folder, email.folderId, email.starred, email.tags])

/** Writes records to the features, and remembers what was created. */
export class ImportTargets {
  private readonly ports: TargetPorts

  constructor(ports: TargetPorts) {
    this.ports = ports
  }

  /** Parses a message and stages its bytes, outside the transaction that files it. */
  async prepareMail(record: RecordOf<'emails'>): Promise<PreparedMail> {
    const { emails } = this.ports
    try {
      return await emails.read(record.raw)
    } catch (error) {
      if (isTemporary(error)) throw error
      return emails.stageUnreadable({
        raw: record.raw,
        head: record.raw,
        envelope: { messageId: null, subject: '', from: null },
        reason: toUnreadableReason(error),
      })
    }
  }

  /** Stores the bytes of all messages of a batch, before they are written. */
  async placeMail(tx: Db, messages: Iterable<PreparedMail>): Promise<void> {
    await this.ports.emails.placeAll(
      tx,
      [...messages].filter((message) => message !== undefined),
    )
  }

  async writeMail(
    tx: Db,
    target: ImportTarget,
    record: RecordOf<'emails'>,
    message: PreparedMail,
  ): Promise<Outcome> {
    const { emails } = this.ports
    const { userId, importId, options } = target
    if (message === undefined) return skipped(record, 'emails', 'Factotum sent this message itself.')
    const key = this.toMailKey(record.raw, message.messageId)
    if (message.messageId === null && (await this.hasItem(tx, userId, 'emails', key))) {
      await message.discard()
      return { kind: 'emails', result: 'duplicates' }
    }
    const { tags, read, starred } = record.marks
    const folder = options.mailFolder ?? record.marks.folder
    const filed = await emails.file(tx, {
      raw: message,
      userId,
      accountId: options.mailAccountId ?? null,
      folder,
      folderId: null,
      tags,
      read,
      starred,
      receivedAt: record.receivedAt ?? target.startedAt,
      isNew: false,
      isImported: true,
    })
    if (!filed.created) return { kind: 'emails', result: 'duplicates' }
    const payload = toMailState({ folder, folderId: null, starred, tags })
    await insertItems(tx, [{ userId, importId, kind: 'emails', key, itemId: filed.id, payload }])
    return { kind: 'emails', result: 'created' }
  }

  toMailKey(raw: Buffer, messageId: string | null): string {
    return messageId === null ? `sha256:${hash(raw)}` : messageId.slice(0, MAX_KEY_LENGTH)
  }

  async writeContact(tx: Db, target: ImportTarget, record: RecordOf<'contacts'>): Promise<Outcome> {
    const { userId, importId } = target
    const outcome = await this.ports.contacts.importCard(tx, userId, record.card)
    const { file, line } = record
    const remarks = outcome.remarks.map((remark) =>
      toProblem({ file, line, value: record.card.name }, 'changed', remark),
    )
    const reported = remarks.length > 0 && { problems: remarks }
    if (outcome.result === 'skipped')
      return outcome.reason === null
        ? { kind: 'contacts', result: 'duplicates', ...reported }
        : skipped(record, 'contacts', outcome.reason, record.card.name)
    const { id, version } = outcome
    const before = outcome.result === 'updated' ? outcome.before : null
    const payload = JSON.stringify({ version, before })
    await insertItems(tx, [{ userId, importId, kind: 'contacts', key: String(id), itemId: id, payload }])
    return { kind: 'contacts', result: before ? 'updated' : 'created', ...reported }
  }

  async writeEvents(
    tx: Db,
    target: ImportTarget,
    records: readonly RecordOf<'events'>[],
  ): Promise<Outcome[]> {
    const { userId, importId, options } = target
    const { verdicts, changed } = await this.ports.events.write(
      tx,
      userId,
      records.map(({ event }) => event),
      options.calendarId ?? undefined,
    )
    const byUid = Map.groupBy(changed, ({ uid }) => uid)
    await insertItems(
      tx,
      [...byUid].map(([uid, changes]) => ({
        userId,
        importId,
        kind: 'events',
        key: hash(uid),
        itemId: null,
        payload: JSON.stringify(changes),
      })),
    )
    return verdicts.map((verdict, index) => {
      if (verdict === 'unchanged') return { kind: 'events', result: 'duplicates' }
      if (typeof verdict === 'string') return { kind: 'events', result: verdict }
      const record = records[index] as RecordOf<'events'>
      if ('kept' in verdict) {
        const { file, line, title } = record
        const problem = toProblem({ file, line, value: title }, 'changed', verdict.kept)
        return { kind: 'events', result: 'duplicates', problems: [problem] }
      }
      return skipped(record, 'events', verdict.reason, record.title)
    })
  }

  async writeTask(
    tx: Db,
    target: ImportTarget,
    record: TaskRecord,
    { key, formerKey, parent }: TaskIdentity,
  ): Promise<Outcome> {
    const { userId, importId } = target
    const {
      list,
      completedAt,
      recurrence,
      dueDay,
      dueAt,
      startDay,
      startAt,
      dateText: _,
      ...fields
    } = record.task
    if (await this.hasItem(tx, userId, 'tasks', key, formerKey))
      return { kind: 'tasks', result: 'duplicates' }
    const parentId = parent && (await this.findItem(tx, userId, 'tasks', parent.key, parent.formerKey))
    const { listId, problem } =
      parentId === undefined ? await this.findList(tx, target, list, record) : { listId: undefined }
    const sectionId =
      parentId === undefined ? await this.findSection(tx, target, listId, record.place?.section) : undefined
    const input = {
      ...fields,
      recurrence,
      ...(listId !== undefined && { listId }),
      ...(sectionId !== undefined && { sectionId }),
      ...(parentId !== undefined && { parentId }),
      ...(dueDay === null ? { dueAt } : { dueDay }),
      ...(startDay ? { startDay } : startAt && { startAt }),
    }
    try {
      const task = await this.ports.tasks.restore(userId, input, { completedAt: completedAt ?? undefined })
      const payload = JSON.stringify({ version: task.version })
      await insertItems(tx, [{ userId, importId, kind: 'tasks', key, itemId: task.id, payload }])
      const isLost = record.place?.parent !== undefined && parentId === undefined
      const lost = isLost ? [toProblem({ ...record, field: 'parent' }, 'changed', LOST_PARENT)] : []
      return { kind: 'tasks', result: 'created', problems: [...(problem ? [problem] : []), ...lost] }
    } catch (error) {
      // The input is checked before anything is written, so the transaction can continue.
      if (!(error instanceof AppError) || error.kind !== 'invalid') throw error
      return skipped(record, 'tasks', error.message, fields.title)
    }
  }

  /** Whether an earlier import created this item, and it still exists. */
  async hasItem(db: Db, userId: number, kind: 'emails' | 'tasks', ...keys: string[]): Promise<boolean> {
    return (await this.findItem(db, userId, kind, ...keys)) !== undefined
  }

  /** Returns the newest item that an import created from a record, if it still exists. */
  private async findItem(
    db: Db,
    userId: number,
    kind: 'emails' | 'tasks',
    ...keys: string[]
  ): Promise<number | undefined> {
    for (const key of keys)
      for (const id of (await listItemIds(db, userId, kind, key)).toSorted((a, b) => b - a))
        if ((await findVersion(db, kind, userId, id)) !== undefined) return id
    return undefined
  }

  /**
   * Two tasks are the same if all their content is. Dates count as the file has them: “tomorrow” is another day each time.
   * Version 0.2.0 stored `formerKey`, which hashes the properties in their order.
   */
  toTaskKeys({ task, former }: TaskRecord, occurrence: number): TaskKeys {
    const { dueDay, dueAt, dateText = dueDay ?? dueAt, ...all } = task
    const { startAt, startDay, percentComplete, recurrenceFrom, ...content } = all
    const identity = [{ ...content, ...former, dateText }, occurrence]
    return { key: fingerprint(identity), formerKey: hash(JSON.stringify(identity)) }
  }

  /** Reverts one item. Returns the items that were handled, and whether the user's data was kept. */
  async undo(
    tx: Db,
    target: { userId: number; importId: number },
    item: ItemRow,
  ): Promise<{ items: number[]; isKept: boolean }> {
    const { userId, importId } = target
    if (item.kind === 'events') {
      // Several batches can change the events of one UID. They are reverted together.
      const items = await listItemsOfKey(tx, userId, importId, 'events', item.key)
      const changed = items.flatMap(({ payload }) => JSON.parse(payload) as Changed[])
      const isReverted = await this.ports.events.revert(tx, userId, changed)
      return { items: items.map(({ id }) => id), isKept: !isReverted }
    }
    return { items: [item.id], isKept: !(await this.revert(tx, userId, item)) }
  }

  private async revert(tx: Db, userId: number, { kind, itemId, payload }: ItemRow): Promise<boolean> {
    if (itemId === null) return true
    const { emails, contacts, tasks, lists } = this.ports
    if (kind === 'emails') {
      const email = await emails.find(tx, userId, itemId)
      if (!email) return true
      if (toMailState(email) !== payload) return false
      return emails.remove(tx, userId, itemId)
    }
    const state = JSON.parse(payload) as { version: number; before?: ContactState | null }
    if (kind === 'contacts')
      return contacts.revert(tx, userId, { id: itemId, version: state.version, before: state.before ?? null })
    const table = kind === 'tasks' ? 'tasks' : 'task_lists'
    const version = await findVersion(tx, table, userId, itemId)
    if (version === undefined) return true
    if (version !== state.version) return false
    if (kind === 'tasks') {
      // Subtasks of the import are reverted before. Others belong to the person.
      if (await hasSubtasks(tx, userId, itemId)) return false
      await tasks.remove(userId, itemId, undefined)
    } else {
      if (await hasTasksIn(tx, userId, itemId)) return false
      await lists.remove(userId, itemId, 'move', undefined)
    }
    return true
  }

  /** Finds the list of a task by its name, or creates it. */
  private async findList(
    tx: Db,
    { userId, importId, options }: ImportTarget,
    name: string | null,
    record: ImportRecord,
  ): Promise<{ listId: number | undefined; problem?: Problem }> {
    if (options.taskListId) return { listId: options.taskListId }
    const clean = toName(name)
    if (clean === '' || /^inbox$|^eingang$/i.test(clean)) return { listId: undefined }
    const known = await findListNamed(tx, userId, clean)
    if (known) return { listId: known.id }
    try {
      const list = await this.ports.lists.create(userId, { name: clean })
      const payload = JSON.stringify({ version: list.version })
      await insertItems(tx, [{ userId, importId, kind: 'lists', key: clean, itemId: list.id, payload }])
      return { listId: list.id }
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'conflict') throw error
      const place = { file: record.file, line: record.line, field: 'list', value: clean }
      return {
        listId: undefined,
        problem: toProblem(place, 'changed', `${error.message} The task is in the Inbox.`),
      }
    }
  }

  /** Finds the section of a task by its name, or creates it. A list that is full takes the task without a section. */
  private async findSection(
    tx: Db,
    { userId }: ImportTarget,
    listId: number | undefined,
    given: string | undefined,
  ): Promise<number | undefined> {
    const name = toName(given)
    if (listId === undefined || name === '') return undefined
    const known = await findSectionNamed(tx, userId, listId, name)
    if (known) return known.id
    try {
      return (await this.ports.sections.create(userId, listId, { name })).id
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'conflict') throw error
      return undefined
    }
  }
}
