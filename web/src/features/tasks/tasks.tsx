import { ListChecks, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Page } from '../../shell/page.tsx'
import { useKeys } from '../../shell/shortcuts.ts'
import { useStartAction } from '../../shell/start-action.ts'
import { LoadedList } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { Filters } from './filters.tsx'
import { type Group, groupTasks, type Task } from './groups.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { QuickAdd } from './quick-add.tsx'
import { EditTaskDialog, NewTaskDialog } from './task-dialog.tsx'
import { type RowActions, TaskRow } from './task-row.tsx'
import { type Filter, useUrlState } from './url-state.ts'
import { useRowKeys } from './use-row-keys.ts'
import { type TaskActions, usePendingTaskDeletions, useTaskActions, useTaskList } from './use-tasks.ts'
import './tasks.css'

const EmptyTaskList = ({ filter }: { filter: Filter }) => {
  if (filter.q !== '' || filter.tag !== null || filter.priority !== null)
    return (
      <Empty icon={SearchX} title="No task fits">
        <p>Search for something else, or show all priorities and tags.</p>
      </Empty>
    )
  return filter.view === 'done' ? (
    <Empty icon={ListChecks} title="Nothing done yet">
      <p>What you complete is kept here.</p>
    </Empty>
  ) : (
    <Empty icon={ListChecks} title="Nothing to do">
      <p>Write down what is on your mind, and it will not be forgotten.</p>
    </Empty>
  )
}

/** Estimated height; most titles have one line. */
const ROW_HEIGHT = 72

interface ListProps {
  tasks: readonly Task[]
  hasMore: boolean
  filter: Filter
  actions: TaskActions
  onEdit: (task: Task) => void
  onTag: (tag: string) => void
}

const List = ({ tasks, hasMore, filter, actions, onEdit, onTag }: ListProps) => {
  const now = useNow()
  const dates = useDates()
  const isGrouped = filter.view === 'open' && filter.q === ''
  const groups: Group[] = isGrouped ? groupTasks(tasks, now, dates) : [{ title: 'Tasks', tasks }]
  const { target, remember } = useRowKeys(
    groups.flatMap((group) => group.tasks),
    { onDone: (task) => toggle(task), onRemove: (task) => removeRow(task, 'remove') },
  )
  const toggle = (task: Task) => removeRow(task, task.status === 'done' ? 'reopen' : 'complete')
  const removeRow = (
    task: Task,
    how: keyof Pick<TaskActions, 'complete' | 'reopen' | 'cancel' | 'remove'>,
  ) => {
    remember(task)
    void actions[how](task)
  }
  const rowActions: RowActions = {
    toggle,
    begin: (task) => void actions.begin(task),
    cancel: (task) => removeRow(task, 'cancel'),
    move: (task, due, day) => {
      remember(task, { moves: true })
      void actions.move(task, due, dates.nearDay(day, now))
    },
    reopen: (task) => removeRow(task, 'reopen'),
    edit: onEdit,
    remove: (task) => removeRow(task, 'remove'),
    tag: onTag,
  }
  return (
    <div className="task-groups">
      {groups.map(({ title, tasks: grouped }) => (
        <section key={title} aria-label={title}>
          <h2 className={isGrouped ? 'task-group' : 'only-heard'}>{title}</h2>
          <div className="card task-rows">
            <VirtualList
              className="rows"
              items={grouped}
              hasMore={hasMore}
              estimatedHeight={ROW_HEIGHT}
              target={target}
            >
              {(task, row) => (
                <TaskRow key={task.id} row={row} task={task} now={now} dates={dates} actions={rowActions} />
              )}
            </VirtualList>
          </div>
        </section>
      ))}
    </div>
  )
}

export const Tasks = () => {
  const { urlState, go, open, close } = useUrlState()
  const query = useTaskList({ ...urlState, q: urlState.q.trim() })
  const actions = useTaskActions()
  const [isAdding, setIsAdding] = useState(false)
  const [isPlanning, setIsPlanning] = useState(false)
  const pendingIds = usePendingTaskDeletions()
  const begin = () => document.querySelector<HTMLElement>('.task-add input[name="text"]')?.focus()
  useKeys({ n: begin })
  useStartAction('task', begin)
  return (
    <Page title="Tasks">
      <QuickAdd actions={actions} onMore={() => setIsAdding(true)} onPlan={() => setIsPlanning(true)} />
      <Filters filter={urlState} onChange={go} />
      <LoadedList
        query={query}
        itemsOf={({ tasks }) => tasks.filter(({ id }) => !pendingIds.has(id))}
        empty={<EmptyTaskList filter={urlState} />}
      >
        {(tasks) => (
          <List
            tasks={tasks}
            hasMore={query.hasNextPage}
            filter={urlState}
            actions={actions}
            onEdit={({ id }) => open(id)}
            onTag={(tag) => go({ tag })}
          />
        )}
      </LoadedList>
      <PlanDialog open={isPlanning} onClose={() => setIsPlanning(false)} />
      <NewTaskDialog open={isAdding} onClose={() => setIsAdding(false)} onSave={actions.add} />
      <EditTaskDialog id={urlState.task} onClose={close} onSave={actions.change} />
    </Page>
  )
}
