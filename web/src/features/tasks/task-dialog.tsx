import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Shape, unwrapVersion, type Versioned } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { Field, SelectField, TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useDates } from '../../ui/time.tsx'
import type { Task } from './groups.ts'
import { instantOf, toLocalTime } from './local-time.ts'
import { describeRecurrence, REPEATS } from './recurrence-text.ts'

const PRIORITIES = { low: 'Low', normal: 'Normal', high: 'High', urgent: 'Urgent' } as const
const STATUSES = { todo: 'To do', doing: 'Begun', done: 'Done', cancelled: 'Cancelled' } as const

const text = (values: FormData, name: string): string => String(values.get(name) ?? '').trim()

const readTask = (values: FormData, timeZone: string): Shape<'NewTask'> => {
  const moment = (name: string): string | null => {
    const wall = text(values, name)
    return wall === '' ? null : instantOf(wall.slice(0, 16), timeZone)
  }
  const [day, time] = [text(values, 'dueDay'), text(values, 'dueTime')]
  const minutes = text(values, 'estimateMinutes')
  return {
    title: text(values, 'title'),
    notes: String(values.get('notes') ?? ''),
    status: text(values, 'status') as Task['status'],
    priority: text(values, 'priority') as Task['priority'],
    // A date without a time means the whole day.
    dueDay: day === '' || time !== '' ? null : day,
    dueAt: day === '' || time === '' ? null : instantOf(`${day}T${time.slice(0, 5)}`, timeZone),
    remindAt: moment('remindAt'),
    estimateMinutes: minutes === '' ? null : Number(minutes),
    tags: text(values, 'tags')
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
    recurrence: text(values, 'recurrence') || null,
  }
}

/** Due date with an optional time. */
const DueFields = ({ task, timeZone }: { task: Partial<Task>; timeZone: string }) => {
  const { dueAt = null, dueDay = null } = task
  const wall = dueAt === null ? '' : toLocalTime(dueAt, timeZone)
  const [hasTime, setHasTime] = useState(dueAt !== null && dueDay === null)
  return (
    <>
      <TextField
        name="dueDay"
        label="Due on"
        type="date"
        max="9999-12-31"
        required={hasTime}
        defaultValue={dueDay ?? wall.slice(0, 10)}
      />
      <TextField
        name="dueTime"
        label="Due at"
        type="time"
        hint="Without a time, it has the whole day."
        defaultValue={dueDay === null ? wall.slice(11) : ''}
        onChange={(event) => setHasTime(event.currentTarget.value !== '')}
      />
    </>
  )
}

const Fields = ({ task, timeZone }: { task: Partial<Task>; timeZone: string }) => {
  const wall = (instant: string | null | undefined) => (instant ? toLocalTime(instant, timeZone) : '')
  const { recurrence = null } = task
  const isUsual = recurrence === null || REPEATS.some(([rule]) => rule === recurrence)
  return (
    <>
      <TextField
        name="title"
        label="Title"
        defaultValue={task.title}
        maxLength={500}
        autoComplete="off"
        required
      />
      <Field name="notes" label="Notes">
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
      <div className="task-fields">
        <DueFields task={task} timeZone={timeZone} />
        <TextField
          name="remindAt"
          label="Remind me"
          type="datetime-local"
          defaultValue={wall(task.remindAt)}
        />
        <SelectField name="priority" label="Priority" defaultValue={task.priority ?? 'normal'}>
          {Object.entries(PRIORITIES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField name="status" label="Status" defaultValue={task.status ?? 'todo'}>
          {Object.entries(STATUSES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField name="recurrence" label="Repeats" defaultValue={recurrence ?? ''}>
          <option value="">Never</option>
          {REPEATS.map(([rule, words]) => (
            <option key={rule} value={rule}>
              {words}
            </option>
          ))}
          {!isUsual && <option value={recurrence}>{describeRecurrence(recurrence)}</option>}
        </SelectField>
        <TextField
          name="estimateMinutes"
          label="Minutes it takes"
          type="number"
          min={1}
          max={10_080}
          defaultValue={task.estimateMinutes ?? ''}
        />
      </div>
      <TextField
        name="tags"
        label="Tags"
        hint="Parted by commas."
        defaultValue={task.tags?.join(', ')}
        autoComplete="off"
      />
    </>
  )
}

interface NewProps {
  open: boolean
  onClose: () => void
  onSave: (task: Shape<'NewTask'>) => Promise<void>
}

export const NewTaskDialog = ({ open, onClose, onSave }: NewProps) => {
  const { timeZone } = useDates()
  const save = async (values: FormData) => {
    await onSave(readTask(values, timeZone))
    onClose()
  }
  return (
    <FormDialog open={open} onClose={onClose} title="New task" size="large" action="Add task" onSubmit={save}>
      <Fields task={{}} timeZone={timeZone} />
    </FormDialog>
  )
}

interface EditProps {
  /** Null closes the dialog. */
  id: number | null
  onClose: () => void
  onSave: (id: number, change: Shape<'TaskChange'>, etag: string | null) => Promise<void>
}

/** Edits the latest version of a task. The ETag prevents overwriting changes of others. */
export const EditTaskDialog = ({ id, onClose, onSave }: EditProps) => {
  const client = useClient()
  const { timeZone } = useDates()
  const query = useQuery({
    queryKey: ['task', id],
    queryFn: () => unwrapVersion(client.GET('/api/tasks/{id}', { params: { path: { id: id ?? 0 } } })),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { isEdited: true },
  })
  const save =
    ({ value, etag }: Versioned<Task>) =>
    async (values: FormData) => {
      await onSave(value.id, readTask(values, timeZone), etag)
      onClose()
    }
  if (query.data === undefined)
    return (
      <Dialog open={id !== null} onClose={onClose} title="Edit task" size="large">
        <Loaded query={query} lines={6}>
          {() => null}
        </Loaded>
      </Dialog>
    )
  return (
    <FormDialog
      open={id !== null}
      onClose={onClose}
      title="Edit task"
      size="large"
      action="Save task"
      savedAs={`task ${query.data.value.id}`}
      onSubmit={save(query.data)}
    >
      <Fields key={query.data.etag} task={query.data.value} timeZone={timeZone} />
    </FormDialog>
  )
}
