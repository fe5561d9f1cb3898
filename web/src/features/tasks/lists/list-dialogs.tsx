import * as common from '#locale/shared-texts'
import * as t from '#locale/task-lists'
import { type TaskListInfo, useTaskListActions } from '../../../api/task-lists.ts'
import { ColorField } from '../../../ui/color-field.tsx'
import { ConfirmDialog, FormDialog } from '../../../ui/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { toListName } from './list-name.ts'

const readColor = (values: FormData): string => String(values.get('color'))
const readName = (values: FormData): string => readText(values, 'name')

const NameField = ({ defaultValue }: { defaultValue?: string }) => (
  <TextField
    name="name"
    label={t.name}
    defaultValue={defaultValue}
    maxLength={100}
    autoComplete="off"
    required
  />
)

interface NewListDialogProps {
  open: boolean
  onClose: () => void
  onCreated: (list: TaskListInfo) => void
}

export const NewListDialog = ({ open, onClose, onCreated }: NewListDialogProps) => {
  const notify = useNotify()
  const { create } = useTaskListActions()
  const submit = async (values: FormData) => {
    const list = await create({ name: readName(values), color: readColor(values) })
    onClose()
    notify(t.listAdded(list.name))
    onCreated(list)
  }
  return (
    <FormDialog open={open} onClose={onClose} title={t.newList} action={t.addList} onSubmit={submit}>
      <NameField />
      <ColorField name="color" />
    </FormDialog>
  )
}

interface ListDialogProps {
  /** Null closes the dialog. */
  list: TaskListInfo | null
  onClose: () => void
}

/** Edits an own list. A list of somebody else has only an own color. */
export const EditListDialog = ({ list, onClose }: ListDialogProps) => {
  const notify = useNotify()
  const { change } = useTaskListActions()
  const edited = useLastValue(list)
  const isOwn = edited?.owner === null
  const submit = async (values: FormData) => {
    if (!list) return
    const name = isOwn ? readName(values) : list.name
    // An untouched Inbox keeps its name, so that it stays translated.
    const isRenamed = isOwn && name !== toListName(list)
    await change(list, { color: readColor(values), ...(isRenamed && { name }) })
    onClose()
    notify(t.listSaved(name))
  }
  return (
    <FormDialog
      open={list !== null}
      onClose={onClose}
      title={isOwn ? t.editList : t.changeColor}
      savedAs={`task-list ${edited?.id}`}
      onSubmit={submit}
    >
      {edited && isOwn && <NameField defaultValue={toListName(edited)} />}
      {edited && <ColorField name="color" defaultValue={edited.color} />}
    </FormDialog>
  )
}

interface DeleteListDialogProps extends ListDialogProps {
  onDeleted: (list: TaskListInfo) => void
}

export const DeleteListDialog = ({ list, onClose, onDeleted }: DeleteListDialogProps) => {
  const notify = useNotify()
  const { remove } = useTaskListActions()
  const confirm = async (deleted: TaskListInfo, values: FormData) => {
    await remove(deleted, values.get('deleteTasks') === null ? 'move' : 'delete')
    notify(t.listDeleted(deleted.name))
    onDeleted(deleted)
  }
  return (
    <ConfirmDialog
      item={list}
      onClose={onClose}
      title={({ name }) => t.deleteTitle(name)}
      about={({ shared }) => (shared ? t.deleteSharedHelp : t.deleteHelp)}
      action={common.remove}
      onConfirm={confirm}
    >
      <CheckField name="deleteTasks" label={t.deleteTasksToo} />
    </ConfirmDialog>
  )
}
