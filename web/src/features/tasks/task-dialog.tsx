import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import * as common from '#locale/shared-texts'
import * as listTexts from '#locale/task-lists'
import * as t from '#locale/tasks'
import { type Shape, unwrapVersion } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import type { TaskListInfo, TaskLists } from '../../api/task-lists.ts'
import { formatDuration } from '../../locales/format.ts'
import { usePageSubject } from '../../shell/page-subject.ts'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { Field, Options, SelectField, TextField } from '../../ui/field.tsx'
import { readText } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { OptionalDateField, OptionalTimeField, useDateTimeText } from '../../ui/optional-date-time.tsx'
import { useDates } from '../../ui/time.tsx'
import { splitDue, useDueFields } from './due-fields.ts'
import type { Task } from './groups.ts'
import { toListName } from './lists/list-name.ts'
import { describeRecurrence, REPEATS } from './recurrence-text.ts'
import { readTags } from './tags.ts'

const REMINDER_TIME = '09:00'

const readReminder = (values: FormData, readInstant: ReturnType<typeof useDueFields>['readInstant']) =>
  readInstant(values, { day: 'remindAt', time: 'remindTime', defaultTime: REMINDER_TIME })

/** Reads the form in the format and time zone of the account. */
const useReadTask = () => {
  const { readDue, readInstant } = useDueFields()
  return (values: FormData): Shape<'NewTask'> => {
    const minutes = readText(values, 'estimateMinutes')
    const listId = readText(values, 'listId')
    return {
      title: readText(values, 'title'),
      notes: String(values.get('notes') ?? ''),
      status: readText(values, 'status') as Task['status'],
      priority: readText(values, 'priority') as Task['priority'],
      ...readDue(values),
      remindAt: readReminder(values, readInstant),
      estimateMinutes: minutes === '' ? null : Number(minutes),
      tags: readTags(readText(values, 'tags')),
      recurrence: readText(values, 'recurrence') || null,
      // The field is missing until the lists are loaded.
      ...(listId !== '' && { listId: Number(listId) }),
    }
  }
}

/** A date with an optional time. */
const DueFields = ({ task }: { task: Partial<Task> }) => {
  const { split } = useDueFields()
  const due = splitDue(task, split)
  const [hasDueTime, setHasDueTime] = useState(due.time !== null)
  return (
    <>
      <OptionalDateField name="dueDay" label={t.dueDate} required={hasDueTime} defaultValue={due.day} />
      <OptionalTimeField
        name="dueTime"
        label={t.dueTime}
        hint={t.optional}
        defaultValue={due.time}
        onChange={(typed) => setHasDueTime(typed !== '')}
      />
    </>
  )
}

const ReminderFields = ({ task }: { task: Partial<Task> }) => {
  const { split } = useDueFields()
  const { formatTime } = useDateTimeText()
  const reminder = split(task.remindAt)
  const [hasReminderTime, setHasReminderTime] = useState(reminder.time !== null)
  return (
    <>
      <OptionalDateField
        name="remindAt"
        label={t.reminderDate}
        required={hasReminderTime}
        defaultValue={reminder.day}
      />
      <OptionalTimeField
        name="remindTime"
        label={t.reminderTime}
        hint={t.defaultTime(formatTime(REMINDER_TIME))}
        defaultValue={reminder.time}
        onChange={(typed) => setHasReminderTime(typed !== '')}
      />
    </>
  )
}

/** A task can move between the lists of one owner only. A new task can go to every list that the user may change. */
const findPossibleLists = (lists: TaskLists, task: Partial<Task>): readonly TaskListInfo[] => {
  const editable = lists.lists.filter(({ role }) => role !== 'viewer')
  const current = task.id === undefined || task.listId === undefined ? undefined : lists.find(task.listId)
  return current ? editable.filter(({ owner }) => owner?.email === current.owner?.email) : editable
}

const ListField = ({ task, lists }: { task: Partial<Task>; lists: TaskLists }) => {
  const possible = findPossibleLists(lists, task)
  const inbox = possible.find(({ isInbox }) => isInbox)
  if (possible.length === 0) return null
  return (
    <SelectField name="listId" label={listTexts.list} defaultValue={task.listId ?? inbox?.id}>
      <Options
        entries={possible.map((list) => [
          list.id,
          list.owner === null
            ? toListName(list)
            : listTexts.sharedList({ name: list.name, owner: list.owner.name }),
        ])}
      />
    </SelectField>
  )
}

const Fields = ({ task, lists }: { task: Partial<Task>; lists: TaskLists }) => {
  const { day } = useDates()
  const { recurrence = null } = task
  const isUsual = recurrence === null || REPEATS.some(([rule]) => rule === recurrence)
  return (
    <>
      <TextField
        name="title"
        label={t.title}
        defaultValue={task.title}
        maxLength={500}
        autoComplete="off"
        required
      />
      <Field name="notes" label={t.notes}>
        {(control) => (
          <textarea
            className="input task-notes"
            rows={3}
            maxLength={20_000}
            defaultValue={task.notes}
            {...control}
          />
        )}
      </Field>
      <ListField task={task} lists={lists} />
      <div className="task-fields">
        <DueFields task={task} />
        <ReminderFields task={task} />
        <SelectField name="priority" label={t.priority} defaultValue={task.priority ?? 'normal'}>
          <Options entries={Object.entries(t.priorities)} />
        </SelectField>
        <SelectField name="status" label={t.status} defaultValue={task.status ?? 'todo'}>
          <Options entries={Object.entries(t.statuses)} />
        </SelectField>
        <SelectField name="recurrence" label={t.repeat} defaultValue={recurrence ?? ''}>
          <option value="">{t.doesNotRepeat}</option>
          <Options entries={REPEATS} />
          {!isUsual && <option value={recurrence}>{describeRecurrence(recurrence, day)}</option>}
        </SelectField>
        <TextField
          name="estimateMinutes"
          label={t.estimate}
          type="number"
          min={1}
          max={10_080}
          defaultValue={task.estimateMinutes ?? ''}
        />
      </div>
      <TextField
        name="tags"
        label={t.tags}
        hint={t.separateWithCommas}
        defaultValue={task.tags?.join(', ')}
        autoComplete="off"
      />
      {task.changedBy && <p className="quiet small">{listTexts.lastChangedBy(task.changedBy)}</p>}
    </>
  )
}

interface NewProps {
  open: boolean
  onClose: () => void
  lists: TaskLists
  /** The list that is chosen at first; null for the Inbox. */
  listId: number | null
  onSave: (task: Shape<'NewTask'>) => Promise<void>
}

export const NewTaskDialog = ({ open, onClose, lists, listId, onSave }: NewProps) => {
  const readTask = useReadTask()
  const save = async (values: FormData) => {
    await onSave(readTask(values))
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.newTask}
      size="large"
      action={t.addTask}
      onSubmit={save}
    >
      <Fields task={listId === null ? {} : { listId }} lists={lists} />
    </FormDialog>
  )
}

/** A task of a list that the user can only view, with the user's own reminder. */
const ViewedTask = ({ task, list }: { task: Task; list: TaskListInfo | undefined }) => {
  const { due, dateTime, day } = useDates()
  const facts = [
    [listTexts.list, list ? toListName(list) : null],
    [t.dueDate, task.dueAt === null ? null : due(task.dueAt, task.dueDay)],
    [t.priority, t.priorities[task.priority]],
    [t.status, t.statuses[task.status]],
    [listTexts.completed, task.completedAt === null ? null : dateTime(task.completedAt)],
    [t.repeat, task.recurrence === null ? null : describeRecurrence(task.recurrence, day)],
    [t.estimate, task.estimateMinutes === null ? null : formatDuration(task.estimateMinutes)],
    [t.tags, task.tags.map((tag) => `#${tag}`).join(' ') || null],
  ] as const
  return (
    <>
      {task.notes !== '' && <p className="task-viewed-notes">{task.notes}</p>}
      <dl className="facts">
        {facts.map(
          ([label, value]) =>
            value !== null && (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </Fragment>
            ),
        )}
      </dl>
      {task.changedBy && <p className="quiet small">{listTexts.lastChangedBy(task.changedBy)}</p>}
      <div className="task-fields">
        <ReminderFields task={task} />
      </div>
    </>
  )
}

interface EditProps {
  /** Null closes the dialog. */
  id: number | null
  onClose: () => void
  lists: TaskLists
  onSave: (id: number, change: Shape<'TaskChange'>, etag: string | null) => Promise<void>
}

/** Edits the latest version of a task. The ETag prevents overwriting changes of others. */
export const EditTaskDialog = ({ id, onClose, lists, onSave }: EditProps) => {
  const client = useClient()
  const readTask = useReadTask()
  const { readInstant } = useDueFields()
  const query = useQuery({
    queryKey: ['task', id],
    queryFn: () => unwrapVersion(client.GET('/api/tasks/{id}', { params: { path: { id: id ?? 0 } } })),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { isEdited: true },
  })
  const loaded = id === null ? undefined : query.data?.value
  usePageSubject(loaded ? { type: 'task', id: loaded.id, title: loaded.title } : null, { isTransient: true })
  if (query.data === undefined || lists.isPending)
    return (
      <Dialog open={id !== null} onClose={onClose} title={t.editTask} size="large">
        <Loaded query={query} lines={6}>
          {() => <Skeleton lines={6} />}
        </Loaded>
      </Dialog>
    )
  const { value: task, etag } = query.data
  const isEditable = lists.isEditable(task.listId)
  const save = async (values: FormData) => {
    const change = isEditable ? readTask(values) : { remindAt: readReminder(values, readInstant) }
    await onSave(task.id, change, etag)
    onClose()
  }
  return (
    <FormDialog
      open={id !== null}
      onClose={onClose}
      title={isEditable ? t.editTask : task.title}
      about={isEditable ? undefined : listTexts.viewerReminder}
      size="large"
      action={common.save}
      savedAs={`task ${task.id}`}
      onSubmit={save}
    >
      {isEditable ? (
        <Fields key={etag} task={task} lists={lists} />
      ) : (
        <ViewedTask key={etag} task={task} list={lists.find(task.listId)} />
      )}
    </FormDialog>
  )
}
