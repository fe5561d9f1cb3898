import { CalendarClock, Eye, ListChecks, ListX, Printer, SearchX, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import * as common from '#locale/shared-texts'
import * as listTexts from '#locale/task-lists'
import * as treeTexts from '#locale/task-trees'
import * as t from '#locale/tasks'
import { useTags } from '../../api/tags.ts'
import { type TaskListInfo, useTaskLists } from '../../api/task-lists.ts'
import { Page } from '../../shell/page.tsx'
import { useHasPageWidth } from '../../shell/panel-state.ts'
import { useKeys } from '../../shell/shortcuts.ts'
import { useStartAction } from '../../shell/start-action.ts'
import { Button } from '../../ui/button.tsx'
import { Options } from '../../ui/field.tsx'
import { LoadedList } from '../../ui/loaded.tsx'
import { Empty, Notice } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useSearchField } from '../../ui/use-search-field.ts'
import type { Task } from './groups.ts'
import { LayoutSwitch, useLayout } from './layout.tsx'
import { toListName } from './lists/list-name.ts'
import { TaskListsPanel } from './lists/task-lists-panel.tsx'
import { addDays, instantOf } from './local-time.ts'
import { TaskPane } from './pane/task-pane.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { QuickAddTask } from './quick-add.tsx'
import { TaskList } from './task-list.tsx'
import { type Filter, PRIORITIES, useUrlState, VIEWS } from './url-state.ts'
import { isTree, usePendingTaskDeletions, useTaskActions, useTaskList } from './use-tasks.ts'
import '../../ui/style/segments.css'
import './tasks.css'
import './board.css'

interface FiltersProps {
  filter: Filter
  layout: ReturnType<typeof useLayout>
  onChange: (change: Partial<Filter>, options?: { replace?: boolean }) => void
  onPrint: () => void
}

const Filters = ({ filter, layout, onChange, onPrint }: FiltersProps) => {
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
      {layout && <LayoutSwitch layout={layout.layout} onChange={layout.choose} />}
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
  if (filter.days !== null && filter.view === 'open')
    return (
      <Empty
        icon={ListChecks}
        title={filter.days === 'today' ? treeTexts.noneToday : treeTexts.noneUpcoming}
        about={t.addFirstTask}
      />
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

/** Windows with the open task beside the list. */
const BESIDE_PX = 900
/** Windows with the lists beside the tasks. */
const WITH_LISTS_PX = 1200
const WITH_LISTS_AND_TASK_PX = 1400

/** 1,000 tasks. */
const MAX_PRINTED_PAGES = 20

export const Tasks = () => {
  const { urlState, go, hrefFor, open, close } = useUrlState()
  const { dayOf, timeZone } = useDates()
  const now = useNow()
  const tomorrow = instantOf(`${addDays(dayOf(now), 1)}T00:00`, timeZone)
  const query = useTaskList(
    { ...urlState, q: urlState.q.trim() },
    { dueBefore: urlState.days === 'today' ? tomorrow : null },
  )
  const layout = useLayout(urlState, go)
  const lists = useTaskLists()
  const actions = useTaskActions()
  const [isPlanning, setIsPlanning] = useState(false)
  const pendingIds = usePendingTaskDeletions()
  const isBeside = useHasPageWidth(BESIDE_PX)
  const openId = urlState.task
  const isNarrow = !useHasPageWidth(openId === null ? WITH_LISTS_PX : WITH_LISTS_AND_TASK_PX)
  const chosen = urlState.list === null ? undefined : lists.find(urlState.list)
  const daysName = urlState.days === null ? null : treeTexts.days[urlState.days]
  const name = chosen ? toListName(chosen) : daysName
  const isMissing = urlState.list !== null && lists.isLoaded && !chosen
  const isReadOnly = chosen?.role === 'viewer' || isMissing
  const isOpenDeleted = openId !== null && pendingIds.has(openId)
  useEffect(() => {
    if (isOpenDeleted) close()
  }, [isOpenDeleted, close])
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
  const renderList = (tasks: readonly Task[]) => (
    <TaskList
      key={`${urlState.list} ${urlState.days}`}
      tasks={tasks}
      hasMore={query.hasNextPage}
      filter={urlState}
      layout={layout?.layout ?? 'list'}
      lists={lists}
      actions={actions}
      openId={openId}
      onEdit={({ id }) => open(id)}
      onTag={(tag) => go({ tag })}
    />
  )
  return (
    <Page title={t.tasks} {...(name !== null && { name, within: t.tasks })}>
      <div className="task-columns" data-narrow={isNarrow} data-open={openId !== null && isBeside}>
        <TaskListsPanel isNarrow={isNarrow} lists={lists} chosen={urlState} hrefFor={hrefFor} onChoose={go} />
        <div className="task-column">
          {chosen?.role === 'viewer' && (
            <Notice icon={Eye}>{listTexts.viewOnly(chosen.owner?.name ?? '')}</Notice>
          )}
          {!isReadOnly && (
            <div className="task-tools">
              <QuickAddTask listId={urlState.list} onOpen={open} />
              <Button onClick={() => setIsPlanning(true)}>
                <CalendarClock size={16} aria-hidden="true" />
                {t.planTasks}
              </Button>
            </div>
          )}
          {!isMissing && (
            <Filters filter={urlState} layout={layout} onChange={go} onPrint={() => void printAll()} />
          )}
          {isMissing ? (
            <MissingList onShowAll={() => go({ list: null, days: null })} />
          ) : (
            <LoadedList
              query={query}
              itemsOf={({ tasks }) => tasks.filter(isDisplayed)}
              empty={
                <>
                  <EmptyTaskList
                    filter={urlState}
                    chosen={chosen}
                    onClear={() => go({ q: '', tag: null, priority: null })}
                  />
                  {isTree(urlState) && renderList([])}
                </>
              }
            >
              {renderList}
            </LoadedList>
          )}
        </div>
        {openId !== null && !isOpenDeleted && (
          <TaskPane
            key={openId}
            id={openId}
            isBeside={isBeside}
            lists={lists}
            actions={actions}
            onOpen={open}
            onClose={close}
          />
        )}
      </div>
      <PlanDialog open={isPlanning} onClose={() => setIsPlanning(false)} />
    </Page>
  )
}
