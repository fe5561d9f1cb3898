import type { Db } from '../../database/db.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import { conflict, forbidden, notFound } from '../../platform/errors.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { readByNumber } from '../../platform/resources.ts'
import {
  type CommentRecord,
  countComments,
  deleteComment,
  getLockedComment,
  insertComment,
  listAuthorIds,
  selectComments,
  updateComment,
} from './comment-repository.ts'
import type { CommentInput, TaskComment, TaskCommentCollection } from './comment-schema.ts'
import type { ListSharing } from './lists.ts'
import { findUserName, listMembersOf } from './member-repository.ts'
import type { TaskMembers } from './members.ts'
import type { TaskRecord } from './repository.ts'

const MAX_COMMENTS = 1000
/** The characters of a comment that its notification can quote. */
const MAX_QUOTE = 500

export type VersionedComment = TaskComment & { version: number }

const toComment = (row: CommentRecord, ownerName: string): VersionedComment => {
  const { id, taskId, authorId, memberName, text, version, createdAt, updatedAt } = row
  return { id, taskId, authorId, authorName: memberName ?? ownerName, text, version, createdAt, updatedAt }
}

/** The comments on tasks. Members who can edit a list can comment on its tasks, viewers can read the comments. */
export class Comments {
  private readonly deps: Pick<Platform, 'database' | 'clock' | 'changes'> & {
    members: TaskMembers
    sharing: ListSharing
  }

  constructor(deps: Comments['deps']) {
    this.deps = deps
  }

  async list(userId: number, taskId: number, page: PageRequest): Promise<TaskCommentCollection> {
    const { db } = this.deps.database
    const { userId: ownerId } = await this.deps.members.find(db, userId, taskId)
    const { page: rows, nextCursor } = await readByNumber(selectComments(db, ownerId, taskId), page)
    const ownerName = await findUserName(db, ownerId)
    return { comments: rows.map((row) => toComment(row, ownerName)), nextCursor }
  }

  /** Whether others see the comments on a task. */
  async areShared(userId: number, taskId: number): Promise<boolean> {
    const db = transactionOr(this.deps.database.db)
    const { userId: ownerId, listId } = await this.deps.members.find(db, userId, taskId)
    return ownerId !== userId || (await this.deps.sharing.sharedIds(db, userId, 'taskList')).has(listId)
  }

  create(userId: number, taskId: number, { text }: CommentInput): Promise<VersionedComment> {
    return this.edit(userId, taskId, async (tx, task) => {
      const { userId: ownerId } = task
      if ((await countComments(tx, ownerId, taskId)) >= MAX_COMMENTS)
        throw conflict(`A task can have ${MAX_COMMENTS} comments. Delete one first.`)
      const earlierAuthorIds = await listAuthorIds(tx, ownerId, taskId)
      const now = this.now()
      const row = await insertComment(tx, {
        userId: ownerId,
        taskId,
        authorId: userId,
        memberName: userId === ownerId ? null : await findUserName(tx, userId),
        text: text.trim(),
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
      const comment = await this.record(tx, 'task.comment_created', task, row)
      await this.notify(tx, task, comment, earlierAuthorIds)
      return comment
    })
  }

  change(
    userId: number,
    { taskId, id }: { taskId: number; id: number },
    { text }: CommentInput,
    ifMatch: string | undefined,
  ): Promise<VersionedComment> {
    return this.edit(userId, taskId, async (tx, task) => {
      const before = await this.getLocked(tx, task, id, ifMatch)
      if (before.authorId !== userId) throw forbidden('Only its author can change a comment.')
      if (before.text === text.trim()) return toComment(before, await findUserName(tx, task.userId))
      const row = await updateComment(tx, before, { text: text.trim(), updatedAt: this.now() })
      return this.record(tx, 'task.comment_updated', task, row)
    })
  }

  remove(
    userId: number,
    { taskId, id }: { taskId: number; id: number },
    ifMatch: string | undefined,
  ): Promise<void> {
    return this.edit(userId, taskId, async (tx, task) => {
      const { authorId } = await this.getLocked(tx, task, id, ifMatch)
      if (authorId !== userId && task.userId !== userId)
        throw forbidden('Only its author and the owner of the list can delete a comment.')
      await deleteComment(tx, task.userId, id)
      await this.deps.changes.record(tx, {
        userId: task.userId,
        type: 'task.comment_deleted',
        subject: String(id),
        data: { taskId, listId: task.listId },
      })
    })
  }

  /** Runs a change of the comments of a task, which is locked. */
  private edit<T>(
    userId: number,
    taskId: number,
    change: (tx: Db, task: TaskRecord) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.deps.database.db, async (tx) =>
      change(tx, await this.deps.members.lockAsEditor(tx, userId, taskId)),
    )
  }

  private async getLocked(
    tx: Db,
    task: TaskRecord,
    id: number,
    ifMatch: string | undefined,
  ): Promise<CommentRecord> {
    const comment = await getLockedComment(tx, task.userId, id, ifMatch)
    if (comment.taskId !== task.id) throw notFound('comment')
    return comment
  }

  private async record(
    tx: Db,
    type: 'task.comment_created' | 'task.comment_updated',
    { userId, listId }: TaskRecord,
    row: CommentRecord,
  ): Promise<VersionedComment> {
    const comment = toComment(row, await findUserName(tx, userId))
    const { version: _, ...data } = comment
    await this.deps.changes.record(tx, { userId, type, subject: String(row.id), data: { ...data, listId } })
    return comment
  }

  /** Notifies the owner of the list, the assignee and the earlier authors, as far as they still see the list. */
  private async notify(
    tx: Db,
    { id, userId: ownerId, listId, title, assigneeId }: TaskRecord,
    { authorId, authorName, text }: TaskComment,
    earlierAuthorIds: readonly number[],
  ): Promise<void> {
    const members = await listMembersOf(tx, ownerId, listId)
    const concerned = members.filter(
      (member) => member.id === assigneeId || earlierAuthorIds.includes(member.id),
    )
    const data = { taskId: id, title, by: authorName, text: text.slice(0, MAX_QUOTE) }
    await this.deps.changes.recordAll(
      tx,
      [ownerId, ...concerned.map((member) => member.id)]
        .filter((userId) => userId !== authorId)
        .map((userId) => ({ userId, type: 'task.commented', subject: String(id), data })),
    )
  }

  private now(): string {
    return this.deps.clock.now().toISOString()
  }
}
