import { CalendarClock, Eye, ListChecks, ListPlus, ListX, Printer, SearchX, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import * as common from '#locale/shared-texts'
import * as listTexts from '#locale/task-lists'
import * as t from '#locale/tasks'
import { useTags } from '../../api/tags.ts'
import { type TaskListInfo, type TaskLists, useTaskLists } from '../../api/task-lists.ts'
import { Page } from '../../shell/page.tsx'
import { useKeys } from '../../shell/shortcuts.ts'
import { useStartAction } from '../../shell/start-action.ts'
import { Button } from '../../ui/button.tsx'
import { Options } from '../../ui/field.tsx'
import { LoadedList } from '../../ui/loaded.tsx'
import { Empty, Notice } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useNow } from '../../ui/use-now.ts'
import { useSearchField } from '../../ui/use-search-field.ts'
import { type RowTarget, VirtualList } from '../../ui/virtual-list.tsx'
import { type Group, groupTasks, type Task } from './groups.ts'
import { toListName } from './lists/list-name.ts'
import { TaskListsPanel } from './lists/task-lists-panel.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { PrintedTasks } from './printed-tasks.tsx'
import { QuickAddTask } from './quick-add.tsx'
import { useTaskCommands } from './task-commands.ts'
import { EditTaskDialog, NewTaskDialog } from './task-dialog.tsx'
import { type RowActions, TaskRow } from './task-row.tsx'
import { type Filter, PRIORITIES, useUrlState, VIEWS } from './url-state.ts'
import { type TaskActions, usePendingTaskDeletions, useTaskActions, useTaskList } from './use-tasks.ts'
import '../../ui/style/segments.css'
import './tasks.css'

interface FiltersProps {
  filter: Filter
  onChange: (change: Partial<Filter>, options?: { replace?: boolean }) => void
  onPrint: () => void
}

const Filters = ({ filter, onChange, onPrint }: FiltersProps) => {
  const tags = useTags('tasks')
  const { typed, setTyped } = useSearchField(filter.q, (q, options) => onChange({ q }, options))
  return (
    <search className="task-filters">
      <fieldset className="segments">
        <legend className="visually-hidden">{t.show}</legend>
        {VIEWS.map((view) => (
          <label key={view}>
            <input
              type="radio"
              name="view"
              checked={filter.view === view}
              onChange={() => onChange({ view })}
            />
            <span>{t.views[view]}</span>
          </label>
        ))}
      </fieldset>
      <input
        className="input"
        type="search"
        aria-label={t.searchTasks}
        placeholder={common.search}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <select
        className="input"
        aria-label={t.priority}
        value={filter.priority ?? ''}
        onChange={(event) => onChange({ priority: (event.target.value || null) as Task['priority'] | null })}
      >
        <option value="">{t.anyPriority}</option>
        <Options entries={PRIORITIES.map((priority) => [priority, t.priorities[priority]])} />
      </select>
      {filter.tag === null && tags.length > 0 && (
        <select
          className="input"
          aria-label={t.tag}
          value=""
          onChange={(event) => onChange({ tag: event.target.value || null })}
        >
          <option value="">{t.anyTag}</option>
          <Options entries={tags.map((tag) => [tag, `#${tag}`])} />
        </select>
      )}
      {filter.tag !== null && (
        <button
          type="button"
          className="tag task-tag"
          data-tone="accent"
          aria-label={t.showAllTags(filter.tag)}
          onClick={() => onChange({ tag: null })}
        >
          #{filter.tag}
          <X size={14} aria-hidden="true" />
        </button>
      )}
      <Button kind="quiet" shape="icon" aria-label={t.print} title={t.print} onClick={onPrint}>
        <Printer size={18} aria-hidden="true" />
      </Button>
    </search>
  )
}

interface RowKeys {
  /** Whether the shortcuts may change a task. */
  isEditable: (task: Task) => boolean
  onDone: (task: Task) => void
  onRemove: (task: Task) => void
}

const TITLE = '.task-title'

/** Shortcuts of a task list in display order. They act on the focused row. */
const useRowKeys = (tasks: readonly Task[], { isEditable, onDone, onRemove }: RowKeys) => {
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

  /** True if nothing has the focus, or only the menu of a removed row. A popover is in use and keeps it. */
  const isLost = (): boolean =>
    document.activeElement === document.body || document.activeElement?.closest('[role="menu"]') !== null

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
    if (task && isEditable(task)) how(task)
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

interface EmptyTaskListProps {
  filter: Filter
  chosen: TaskListInfo | undefined
  onClear: () => void
}

const EmptyTaskList = ({ filter, chosen, onClear }: EmptyTaskListProps) => {
  if (filter.q !== '' || filter.tag !== null || filter.priority !== null)
    return (
      <Empty icon={SearchX} title={t.noMatches}>
        <Button onClick={onClear}>{t.clearFilters}</Button>
      </Empty>
    )
  return filter.view === 'done' ? (
    <Empty icon={ListChecks} title={t.noneDone} about={t.doneAppearHere} />
  ) : (
    <Empty
      icon={ListChecks}
      title={chosen ? listTexts.noTasksInList : t.noTasks}
      about={chosen?.role === 'viewer' ? listTexts.noTasksToView : t.addFirstTask}
    />
  )
}

/** The list of the address was deleted, or somebody stopped sharing it while it was open. */
const MissingList = ({ onShowAll }: { onShowAll: () => void }) => (
  <Empty icon={ListX} title={listTexts.listGone}>
    <p>{listTexts.listGoneHelp}</p>
    <Button onClick={onShowAll}>{listTexts.showAllTasks}</Button>
  </Empty>
)

/** 1,000 tasks. */
const MAX_PRINTED_PAGES = 20

/** Estimated height; most titles have one line. */
const ROW_HEIGHT = 70

interface ListProps {
  tasks: readonly Task[]
  hasMore: boolean
  filter: Filter
  lists: TaskLists
  actions: TaskActions
  onEdit: (task: Task) => void
  onTag: (tag: string) => void
}

const List = ({ tasks, hasMore, filter, lists, actions, onEdit, onTag }: ListProps) => {
  const now = useNow()
  const dates = useDates()
  // The virtual list renders only the rows near the visible part, so paper gets a list of its own.
  const isPrinting = useMediaQuery('print')
  const isGrouped = filter.view === 'open' && filter.q === ''
  const groups: Group[] = isGrouped ? groupTasks(tasks, now, dates) : [{ title: t.tasks, tasks }]
  const isEditable = ({ listId }: Task) => lists.isEditable(listId)
  // A name on each row tells nothing while there is only the Inbox, or one list is chosen.
  const findDisplayedList = ({ listId }: Task): TaskListInfo | undefined =>
    filter.list === null && lists.lists.length > 1 ? lists.find(listId) : undefined
  const { target, remember } = useRowKeys(
    groups.flatMap((group) => group.tasks),
    { isEditable, onDone: (task) => toggle(task), onRemove: (task) => removeRow(task, 'remove') },
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
    setDue: (task, due) => {
      remember(task, { moves: true })
      const day = due.dueDay ?? (due.dueAt === null ? null : dates.dayOf(due.dueAt))
      const toastText =
        day === null
          ? t.dueDateRemoved(task.title)
          : t.taskDue({ name: task.title, day: dates.nearDay(day, now) })
      void actions.update(task, due, toastText)
    },
    setPriority: (task, priority) => {
      remember(task, { moves: true })
      const toastText = t.priorityChanged({ name: task.title, priority: t.priorities[priority] })
      void actions.update(task, { priority }, toastText)
    },
    setTags: (task, tags) => {
      remember(task, { moves: true })
      void actions.update(task, { tags }, t.tagsChanged(task.title))
    },
    reopen: (task) => removeRow(task, 'reopen'),
    edit: onEdit,
    remove: (task) => removeRow(task, 'remove'),
    tag: onTag,
  }
  useTaskCommands({ tasks, isEditable, actions: rowActions, now, dates })
  return isPrinting ? (
    <PrintedTasks groups={groups} hasHeadings={isGrouped} findDisplayedList={findDisplayedList} />
  ) : (
    <div className="task-groups">
      {groups.map(({ title, tasks: grouped }) => (
        <section key={title} aria-label={title}>
          <h2 className={isGrouped ? 'task-group' : 'visually-hidden'}>{title}</h2>
          <div className="card task-rows">
            <VirtualList
              className="rows"
              items={grouped}
              hasMore={hasMore}
              estimatedHeight={ROW_HEIGHT}
              target={target}
            >
              {(task, row) => (
                <TaskRow
                  key={task.id}
                  row={row}
                  task={task}
                  list={findDisplayedList(task)}
                  isEditable={isEditable(task)}
                  now={now}
                  dates={dates}
                  actions={rowActions}
                />
              )}
            </VirtualList>
          </div>
        </section>
      ))}
    </div>
  )
}

export const Tasks = () => {
  const { urlState, go, hrefForList, open, close } = useUrlState()
  const query = useTaskList({ ...urlState, q: urlState.q.trim() })
  const lists = useTaskLists()
  const actions = useTaskActions()
  const [isAdding, setIsAdding] = useState(false)
  const [isPlanning, setIsPlanning] = useState(false)
  const pendingIds = usePendingTaskDeletions()
  const chosen = urlState.list === null ? undefined : lists.find(urlState.list)
  const isMissing = urlState.list !== null && lists.isLoaded && !chosen
  const isReadOnly = chosen?.role === 'viewer' || isMissing
  const isDisplayed = ({ id, listId }: Task): boolean =>
    !pendingIds.has(id) && (urlState.list !== null || lists.isVisible(listId))
  const begin = () => document.querySelector<HTMLElement>('.task-add input[name="text"]')?.focus()
  useKeys({ n: begin })
  useStartAction('task', begin)
  const printAll = async () => {
    let page = query
    // Paper shows all pages of the list, up to a limit that keeps the browser responsive.
    for (let count = 1; count < MAX_PRINTED_PAGES && page.hasNextPage && !page.isError; count++)
      page = await page.fetchNextPage()
    window.print()
  }
  return (
    <Page title={t.tasks} {...(chosen && { name: toListName(chosen), within: t.tasks })}>
      <div className="task-columns">
        <TaskListsPanel
          lists={lists}
          chosenId={urlState.list}
          hrefFor={hrefForList}
          onChoose={(list) => go({ list })}
        />
        <div className="task-column">
          {chosen?.role === 'viewer' && (
            <Notice icon={Eye}>{listTexts.viewOnly(chosen.owner?.name ?? '')}</Notice>
          )}
          {!isReadOnly && (
            <div className="task-tools">
              <QuickAddTask listId={urlState.list} />
              <Button onClick={() => setIsAdding(true)}>
                <ListPlus size={16} aria-hidden="true" />
                {t.addDetails}
              </Button>
              <Button onClick={() => setIsPlanning(true)}>
                <CalendarClock size={16} aria-hidden="true" />
                {t.planTasks}
              </Button>
            </div>
          )}
          {!isMissing && <Filters filter={urlState} onChange={go} onPrint={() => void printAll()} />}
          {isMissing ? (
            <MissingList onShowAll={() => go({ list: null })} />
          ) : (
            <LoadedList
              query={query}
              itemsOf={({ tasks }) => tasks.filter(isDisplayed)}
              empty={
                <EmptyTaskList
                  filter={urlState}
                  chosen={chosen}
                  onClear={() => go({ q: '', tag: null, priority: null })}
                />
              }
            >
              {(tasks) => (
                <List
                  tasks={tasks}
                  hasMore={query.hasNextPage}
                  filter={urlState}
                  lists={lists}
                  actions={actions}
                  onEdit={({ id }) => open(id)}
                  onTag={(tag) => go({ tag })}
                />
              )}
            </LoadedList>
          )}
        </div>
      </div>
      <PlanDialog open={isPlanning} onClose={() => setIsPlanning(false)} />
      <NewTaskDialog
        open={isAdding}
        onClose={() => setIsAdding(false)}
        lists={lists}
        listId={urlState.list}
        onSave={actions.add}
      />
      <EditTaskDialog id={urlState.task} onClose={close} lists={lists} onSave={actions.change} />
    </Page>
  )
}
