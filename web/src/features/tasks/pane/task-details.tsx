import { useQuery } from '@tanstack/react-query'
import { CornerLeftUp, Trash2 } from 'lucide-react'
import * as common from '#locale/shared-texts'
import * as listTexts from '#locale/task-lists'
import * as t from '#locale/task-pane'
import * as texts from '#locale/tasks'
import type { Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import type { TaskLists } from '../../../api/task-lists.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Options } from '../../../ui/field.tsx'
import { OptimisticCheckbox } from '../../../ui/optimistic-checkbox.tsx'
import { OptimisticSelect } from '../../../ui/optimistic-select.tsx'
import { useDates } from '../../../ui/time.tsx'
import { Assignee } from '../assignee.tsx'
import { Comments } from '../comments.tsx'
import type { Task } from '../groups.ts'
import { describeRecurrence, REPEATS } from '../recurrence-text.ts'
import { TagsPopover } from '../tags-popover.tsx'
import { TimeEntries } from '../time-entries.tsx'
import { PRIORITIES } from '../url-state.ts'
import { type RowChange, type TaskActions, taskQuery } from '../use-tasks.ts'
import { Dates } from './date-fields.tsx'
import { PaneValue } from './pane-value.tsx'
import { PlaceFields } from './place-fields.tsx'
import { Subtasks } from './subtasks.tsx'
import { Effort, TitleAndNotes } from './text-fields.tsx'

interface RecurrenceProps {
  task: Task
  onChange: (change: RowChange) => Promise<void>
}

const Recurrence = ({ task, onChange }: RecurrenceProps) => {
  const { day } = useDates()
  const { recurrence, recurrenceFrom } = task
  const isUsual = recurrence === null || REPEATS.some(([rule]) => rule === recurrence)
  return (
    <>
      <OptimisticSelect
        name="recurrence"
        label={texts.repeat}
        value={recurrence ?? ''}
        onChange={(rule) => onChange({ recurrence: rule || null })}
      >
        <option value="">{texts.doesNotRepeat}</option>
        <Options entries={REPEATS} />
        {!isUsual && <option value={recurrence}>{describeRecurrence(recurrence, day)}</option>}
      </OptimisticSelect>
      {recurrence !== null && (
        <OptimisticSelect
          name="recurrenceFrom"
          label={t.repeatFrom}
          value={recurrenceFrom}
          onChange={(from) => onChange({ recurrenceFrom: from as Task['recurrenceFrom'] })}
        >
          <Options entries={Object.entries(t.repeatsFrom)} />
        </OptimisticSelect>
      )}
    </>
  )
}

interface TaskDetailsProps {
  current: Versioned<Task>
  lists: TaskLists
  actions: TaskActions
  onOpen: (id: number) => void
}

/** The fields of a task. A choice takes effect at once, with an undo. */
export const TaskDetails = ({ current, lists, actions, onOpen }: TaskDetailsProps) => {
  const task = current.value
  const { title, parentId } = task
  const client = useClient()
  const parent = useQuery({ ...taskQuery(client, parentId ?? 0), enabled: parentId !== null }).data?.value
  const change = (fields: RowChange) => actions.update([task], () => fields, texts.taskSaved(title))
  return (
    <>
      <div className="task-pane-head">
        <OptimisticCheckbox
          className="task-box"
          checked={task.status === 'done'}
          aria-label={texts.doneNamed(title)}
          onChange={(isDone) => (isDone ? actions.complete(task) : actions.reopen(task))}
        />
        {parent && (
          <Button
            kind="quiet"
            size="small"
            aria-label={texts.openNamed(parent.title)}
            onClick={() => onOpen(parent.id)}
          >
            <CornerLeftUp size={16} aria-hidden="true" />
            <span>{parent.title}</span>
          </Button>
        )}
        <IconButton
          label={t.deleteTask}
          title={common.remove}
          icon={Trash2}
          onClick={() => actions.remove(task)}
        />
      </div>
      <TitleAndNotes current={current} actions={actions} />
      <div className="task-fields">
        <Dates task={task} onChange={(fields) => void change(fields)} />
        <OptimisticSelect
          name="priority"
          label={texts.priority}
          value={task.priority}
          onChange={(priority) => change({ priority: priority as Task['priority'] })}
        >
          <Options entries={PRIORITIES.map((priority) => [priority, texts.priorities[priority]])} />
        </OptimisticSelect>
        <OptimisticSelect
          name="status"
          label={texts.status}
          value={task.status}
          onChange={(status) => change({ status: status as Task['status'] })}
        >
          <Options entries={Object.entries(texts.statuses)} />
        </OptimisticSelect>
        <TagsPopover
          tags={task.tags}
          onChange={(tags) => void change({ tags })}
          trigger={
            <PaneValue label={texts.tags}>{task.tags.map((tag) => `#${tag}`).join(' ') || t.none}</PaneValue>
          }
        />
        <Assignee
          task={task}
          list={lists.find(task.listId)}
          onChange={(assigneeId) => change({ assigneeId })}
        />
        <PlaceFields task={task} parent={parent} lists={lists} actions={actions} />
        <Recurrence task={task} onChange={change} />
        <Effort current={current} actions={actions} />
      </div>
      {task.changedBy && <p className="quiet small">{listTexts.lastChangedBy(task.changedBy)}</p>}
      <Subtasks task={task} actions={actions} onOpen={onOpen} />
      <Comments task={task} />
      <TimeEntries task={task} />
    </>
  )
}
