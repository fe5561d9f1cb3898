import { Pencil, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/task-comments'
import { useProfile } from '../../api/account.ts'
import { type TaskComment, useTaskCommentActions, useTaskComments } from '../../api/task-comments.ts'
import { useTaskLists } from '../../api/task-lists.ts'
import { CancelButton } from '../../ui/dialog.tsx'
import { AreaField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { readText } from '../../ui/form-values.ts'
import { LoadedList } from '../../ui/loaded.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Time } from '../../ui/time.tsx'
import { usePendingDeletionIds, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import type { Task } from './groups.ts'
import './records.css'

const DELETION_KIND = 'task-comment'
const MAX_LENGTH = 10_000

interface CommentFormProps {
  label: string
  action: string
  savedAs: string
  text?: string
  onSubmit: (text: string) => Promise<void>
  onCancel?: () => void
}

const CommentForm = ({ label, action, savedAs, text = '', onSubmit, onCancel }: CommentFormProps) => (
  <Form
    savedAs={savedAs}
    resetOnSuccess={onCancel === undefined}
    onSubmit={(values) => onSubmit(readText(values, 'text'))}
  >
    <AreaField
      name="text"
      label={label}
      rows={2}
      maxLength={MAX_LENGTH}
      required
      defaultValue={text}
      autoFocus={onCancel !== undefined}
    />
    <div className="task-record-actions">
      {onCancel && <CancelButton onClose={onCancel} />}
      <Submit>{action}</Submit>
    </div>
  </Form>
)

interface CommentProps {
  comment: TaskComment
  isOwn: boolean
  canDelete: boolean
  onChange: (text: string) => Promise<void>
  onDelete: () => void
}

const Comment = ({ comment, isOwn, canDelete, onChange, onDelete }: CommentProps) => {
  const [isEdited, setIsEdited] = useState(false)
  const { id, authorName, text, createdAt, updatedAt } = comment
  const actions = [
    ...(isOwn ? [{ label: common.edit, icon: Pencil, onSelect: () => setIsEdited(true) }] : []),
    ...(canDelete ? [{ label: common.remove, icon: Trash2, onSelect: onDelete }] : []),
  ]
  return (
    <li className="task-record">
      <div className="task-record-head">
        <strong>{authorName}</strong>
        <span className="quiet small">
          <Time at={createdAt} />
          {updatedAt !== createdAt && ` · ${t.edited}`}
        </span>
        {actions.length > 0 && <RowMenu label={t.commentActions(authorName)} actions={actions} />}
      </div>
      {isEdited ? (
        <CommentForm
          label={t.editComment}
          action={common.save}
          savedAs={`task-comment ${id}`}
          text={text}
          onCancel={() => setIsEdited(false)}
          onSubmit={async (changed) => {
            await onChange(changed)
            setIsEdited(false)
          }}
        />
      ) : (
        <p className="task-record-text">{text}</p>
      )}
    </li>
  )
}

/** The comments on a task. Who may only view the list reads them. */
export const Comments = ({ task: { id: taskId, listId } }: { task: Task }) => {
  const headingId = useId()
  const lists = useTaskLists()
  const callerId = useProfile().data?.value.id
  const query = useTaskComments(taskId)
  const { add, change, send } = useTaskCommentActions(taskId)
  const deleteWithUndo = useUndoableDelete()
  const pendingIds = usePendingDeletionIds(DELETION_KIND)
  const isEditable = lists.isEditable(listId)
  const remove = (comment: TaskComment): void =>
    deleteWithUndo({
      kind: DELETION_KIND,
      target: comment.id,
      toastText: t.commentDeleted,
      undoneText: t.commentRestored,
      send: () => send(comment),
    })
  return (
    <section aria-labelledby={headingId} className="task-records">
      <h3 id={headingId}>{t.comments}</h3>
      <LoadedList
        query={query}
        needsClick
        itemsOf={({ comments }) => comments.filter(({ id }) => !pendingIds.has(id))}
        empty={null}
      >
        {(comments) => (
          <ul>
            {comments.map((comment) => {
              const isOwn = comment.authorId === callerId
              return (
                <Comment
                  key={comment.id}
                  comment={comment}
                  isOwn={isEditable && isOwn}
                  canDelete={isEditable && (isOwn || lists.isOwn(listId))}
                  onChange={(text) => change(comment, text)}
                  onDelete={() => remove(comment)}
                />
              )
            })}
          </ul>
        )}
      </LoadedList>
      {isEditable && (
        <CommentForm
          key={taskId}
          label={t.writeComment}
          action={t.addComment}
          savedAs={`task-comments ${taskId}`}
          onSubmit={add}
        />
      )}
    </section>
  )
}
