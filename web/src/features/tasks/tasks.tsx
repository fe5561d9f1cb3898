import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ListChecks, SearchX, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { useTags } from '../../api/tags.ts'
import { Page } from '../../shell/page.tsx'
import { useKeys } from '../../shell/shortcuts.ts'
import { useStartAction } from '../../shell/start-action.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Loaded, LoadedList } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useSearchField } from '../../ui/use-search-field.ts'
import { type RowTarget, VirtualList } from '../../ui/virtual-list.tsx'
import { type Group, groupTasks, type Task } from './groups.ts'
import { QuickAdd } from './quick-add.tsx'
import { EditTaskDialog, NewTaskDialog } from './task-dialog.tsx'
import { type RowActions, TaskRow } from './task-row.tsx'
import { type Filter, PRIORITIES, useUrlState, VIEWS, type View } from './url-state.ts'
import { type TaskActions, usePendingTaskDeletions, useTaskActions, useTaskList } from './use-tasks.ts'
import './tasks.css'

type Plan = Shape<'TaskPlan'>

const DAY_MS = 86_400_000
const AHEAD = { 1: 'The next 24 hours', 7: 'The next 7 days', 14: 'The next 14 days' } as const

const countOf = (blocks: number): string => (blocks === 1 ? '1 block' : `${blocks} blocks`)

const Blocks = ({ blocks }: Pick<Plan, 'blocks'>) => {
  const { dayInFull, hours } = useDates()
  const days = new Map<string, Plan['blocks']>()
  for (const block of blocks) {
    const day = dayInFull(block.start)
    days.set(day, [...(days.get(day) ?? []), block])
  }
  return [...days].map(([day, planned]) => (
    <section key={day} aria-label={day}>
      <h3 className="plan-day">{day}</h3>
      <ul className="plan-blocks">
        {planned.map(({ taskId, title, start, end, part, parts }) => (
          <li key={`${taskId} ${part}`}>
            <span className="plan-hours">{hours(start, end)}</span>
            <span>
              {title}
              {parts > 1 && <span className="quiet"> ({`${part} of ${parts}`})</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  ))
}

const Proposal = ({ plan: { blocks, unplanned } }: { plan: Plan }) => (
  <div className="plan">
    {blocks.length === 0 ? (
      <p>There is no task to find time for, or no time to be found.</p>
    ) : (
      <Blocks blocks={blocks} />
    )}
    {unplanned.length > 0 && (
      <section aria-label="Without a place">
        <h3 className="plan-day">Without a place</h3>
        <ul className="plan-blocks">
          {unplanned.map(({ taskId, title, detail }) => (
            <li key={taskId}>
              <span>
                {title} <span className="quiet">{detail}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    )}
  </div>
)

/** Proposes calendar times for open tasks and books them on request. */
const PlanDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [days, setDays] = useState(7)
  // The same start time for preview and booking, so that the booked times match the displayed ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: recomputed each time the dialog opens
  const stretch = useMemo(() => {
    const now = Date.now()
    return { start: new Date(now).toISOString(), end: new Date(now + days * DAY_MS).toISOString() }
  }, [days, open])
  const ask = (apply: boolean) => unwrap(client.POST('/api/tasks/plan', { body: { ...stretch, apply } }))
  const query = useQuery({
    queryKey: ['plan', stretch],
    queryFn: () => ask(false),
    enabled: open,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const changed = () => queries.invalidateQueries({ queryKey: ['calendar'] })
  const undo = async (id: number): Promise<void> => {
    try {
      await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } }))
      notify('The plan is taken back.')
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
    await changed()
  }
  const book = async () => {
    const { blocks, actionId } = await ask(true)
    onClose()
    await changed()
    if (actionId === null) notify('There was nothing to book.')
    else notify(`${countOf(blocks.length)} booked in the calendar.`, { undo: () => void undo(actionId) })
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Plan my tasks"
      about="Time for open tasks around what is in the calendar, within your working hours. Nothing is booked until you say so."
      size="large"
      action="Book these times"
      onSubmit={book}
    >
      <SelectField
        name="days"
        label="For"
        defaultValue={String(days)}
        onChange={(event) => setDays(Number(event.target.value))}
      >
        {Object.entries(AHEAD).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Loaded query={query} lines={4}>
        {(plan) => <Proposal plan={plan} />}
      </Loaded>
    </FormDialog>
  )
}

const VIEW_WORDS: Record<View, string> = { open: 'Open', done: 'Done', all: 'All' }
const PRIORITY_WORDS: Record<Task['priority'], string> = {
  urgent: 'Urgent',
  high: 'High',
  normal: 'Normal',
  low: 'Low',
}

interface FiltersProps {
  filter: Filter
  onChange: (change: Partial<Filter>, options?: { replace?: boolean }) => void
}

const Filters = ({ filter, onChange }: FiltersProps) => {
  const tags = useTags('tasks')
  const { typed, setTyped } = useSearchField(filter.q, (q, options) => onChange({ q }, options))
  return (
    <search className="task-filters">
      <fieldset className="segments">
        <legend className="only-heard">Show</legend>
        {VIEWS.map((view) => (
          <label key={view}>
            <input
              type="radio"
              name="view"
              checked={filter.view === view}
              onChange={() => onChange({ view })}
            />
            <span>{VIEW_WORDS[view]}</span>
          </label>
        ))}
      </fieldset>
      <input
        className="input"
        type="search"
        aria-label="Search tasks"
        placeholder="Search"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <select
        className="input"
        aria-label="Priority"
        value={filter.priority ?? ''}
        onChange={(event) => onChange({ priority: (event.target.value || null) as Task['priority'] | null })}
      >
        <option value="">Any priority</option>
        {PRIORITIES.map((priority) => (
          <option key={priority} value={priority}>
            {PRIORITY_WORDS[priority]}
          </option>
        ))}
      </select>
      {filter.tag === null && tags.length > 0 && (
        <select
          className="input"
          aria-label="Tag"
          value=""
          onChange={(event) => onChange({ tag: event.target.value || null })}
        >
          <option value="">Any tag</option>
          {tags.map((tag) => (
            <option key={tag} value={tag}>
              #{tag}
            </option>
          ))}
        </select>
      )}
      {filter.tag !== null && (
        <button
          type="button"
          className="tag task-tag"
          data-tone="accent"
          onClick={() => onChange({ tag: null })}
        >
          #{filter.tag}
          <X size={14} aria-hidden="true" />
          <span className="only-heard"> Show all tags</span>
        </button>
      )}
    </search>
  )
}

interface RowKeys {
  onDone: (task: Task) => void
  onRemove: (task: Task) => void
}

const TITLE = '.task-title'

/** Shortcuts of a task list in display order. They act on the focused row. */
const useRowKeys = (tasks: readonly Task[], { onDone, onRemove }: RowKeys) => {
  const [target, setTarget] = useState<RowTarget | null>(null)
  /** The row that is about to be removed or moved, and its focused element. */
  const left = useRef<{ id: number; index: number; part: string; moves: boolean } | null>(null)
  const focused = (): number => {
    const row = document.activeElement?.closest<HTMLElement>('.task')
    return tasks.findIndex(({ id }) => id === Number(row?.dataset.task))
  }
  const focusAt = (index: number, part: string): void => {
    const task = tasks[Math.min(Math.max(index, 0), tasks.length - 1)]
    if (task) setTarget({ id: task.id, part })
  }

  /** True if nothing has the focus, or only the menu of a removed row. */
  const isLost = (): boolean =>
    document.activeElement === document.body || document.activeElement?.closest('.menu') !== null

  // After a row was removed, focuses the row in its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list has changed
  useEffect(() => {
    if (left.current === null || !isLost()) return
    const { id, index, part, moves } = left.current
    const now = tasks.findIndex((task) => task.id === id)
    if (now >= 0 && !moves) return
    left.current = null
    if (tasks.length > 0) focusAt(now >= 0 ? now : index, part)
    else document.querySelector<HTMLElement>('.task-add input')?.focus()
  }, [tasks])

  const act = (how: (task: Task) => void): void => {
    const task = tasks[focused()]
    if (task) how(task)
  }
  useKeys({
    j: () => focusAt(focused() + 1, TITLE),
    k: () => focusAt(focused() - 1, TITLE),
    e: () => act(onDone),
    '#': () => act(onRemove),
  })
  return {
    target,
    /** Call before a row may be removed. A row that only moves keeps the focus. */
    remember({ id }: Task, { moves = false } = {}) {
      const index = tasks.findIndex((task) => task.id === id)
      const part = document.activeElement?.matches('.task-box') ? '.task-box' : TITLE
      left.current = { id, index, part, moves }
    },
  }
}

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
