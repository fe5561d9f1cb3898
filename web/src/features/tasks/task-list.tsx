import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  CalendarArrowDown,
  IndentDecrease,
  IndentIncrease,
  Plus,
} from 'lucide-react'
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import * as boardTexts from '#locale/task-board'
import * as treeTexts from '#locale/task-trees'
import * as t from '#locale/tasks'
import type { TaskPlace } from '../../api/cached-tasks.ts'
import type { TaskListInfo, TaskLists } from '../../api/task-lists.ts'
import { Button } from '../../ui/button.tsx'
import type { RowAction } from '../../ui/row-menu.tsx'
import { useDates } from '../../ui/time.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useNow } from '../../ui/use-now.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { type RowProps, VirtualList } from '../../ui/virtual-list.tsx'
import { AddTaskRow } from './add-row.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { type Asked, CompleteDialog } from './complete-dialog.tsx'
import { DuePopover } from './due-popover.tsx'
import { groupByDay, groupTasks, type Task } from './groups.ts'
import { PrintedTasks } from './printed-tasks.tsx'
import { type Due, type RescheduleDay, toDueOn, toRescheduleDay } from './reschedule.ts'
import { type TaskMove, useRowKeys, useTreeKeys } from './row-keys.ts'
import { AddSection, SectionMenu, useSections } from './sections.tsx'
import { useTaskCommands } from './task-commands.ts'
import { type DropPoint, useTaskDrag, useTaskDrop } from './task-drag.ts'
import { isOpen, type RowActions, TaskRow } from './task-row.tsx'
import { type Section, TaskTree, type TreeRow } from './tree.ts'
import type { Filter, Layout } from './url-state.ts'
import { useStoredIds } from './use-stored-ids.ts'
import { isTree, type NewPlace, type TaskActions } from './use-tasks.ts'

/** Estimated height; most titles have one line. */
const ROW_HEIGHT = 70

/** A field for new tasks between the rows. Its id is not the id of a task. */
interface AddRow {
  id: number
  place: NewPlace
  label: string
  depth: number
}

interface VisibleGroup {
  key: string
  title: string
  rows: readonly TreeRow[]
  section?: Section | null
}

const isDay = (key: string): boolean => /^\d{4}-\d\d-\d\d$/.test(key)

interface DropGroupProps {
  group: string
  title: string
  isEnabled: boolean
  children: ReactNode
}

/** A group of rows, on which tasks can be dropped. */
const DropGroup = ({ group, title, isEnabled, children }: DropGroupProps) => {
  const element = useRef<HTMLElement>(null)
  useTaskDrop(element, { isEnabled, target: group, toTarget: () => ({ group }) })
  return (
    <section ref={element} aria-label={title}>
      {children}
    </section>
  )
}

const PHONE = '(max-width: 720px)'
/** Pixels of a level. Deep levels stay readable in a narrow window. */
const INDENT = { phone: 16, wide: 24 }

/** Moves the line without a render, because the pointer moves often. */
const showDropLine = (line: HTMLElement | null, point: DropPoint | null, inset: number): void => {
  if (!line) return
  line.hidden = point === null || !('row' in point.target)
  if (line.hidden || !point) return
  const { top, bottom, left, width } = point.element.getBoundingClientRect()
  Object.assign(line.style, {
    top: `${(point.isBelow ? bottom : top) - 1}px`,
    left: `${left + inset}px`,
    width: `${width - inset}px`,
  })
}

const toPlace = (tree: TaskTree, task: Task, move: TaskMove): TaskPlace | null => {
  if (move === 'left' || move === 'right') return tree.beside(task, move === 'left' ? -1 : 1)
  return { indent: tree.indented, outdent: tree.outdented, up: tree.up, down: tree.down }[move].call(
    tree,
    task,
  )
}

const toRow = (task: Task): TreeRow => ({ id: task.id, task, depth: 0, hasChildren: false })

/** Puts the field behind the subtasks of a task, or at the end of a section. */
const insertAddRow = (
  rows: readonly TreeRow[],
  { place, label }: Omit<AddRow, 'id' | 'depth'>,
): readonly (TreeRow | AddRow)[] => {
  if (place.parentId === undefined) return [...rows, { id: -1, place, label, depth: 0 }]
  const at = rows.findIndex(({ id }) => id === place.parentId)
  const depth = rows[at]?.depth
  if (depth === undefined) return rows
  const field: AddRow = { id: -1, place, label, depth: depth + 1 }
  const end = rows.findIndex((row, index) => index > at && row.depth <= depth)
  const before = end < 0 ? rows.length : end
  return [...rows.slice(0, before), field, ...rows.slice(before)]
}

interface ListProps {
  tasks: readonly Task[]
  hasMore: boolean
  filter: Filter
  layout: Layout
  lists: TaskLists
  actions: TaskActions
  /** The task that is open beside the list. */
  openId: number | null
  onEdit: (task: Task) => void
  onTag: (tag: string) => void
}

/** The loaded tasks: a tree with sections, a board of them, days, or groups by due date. */
export const TaskList = (props: ListProps) => {
  const { tasks, hasMore, filter, layout, lists, actions, openId, onEdit, onTag } = props
  const isBoard = layout === 'board'
  const now = useNow()
  const dates = useDates()
  // The virtual list renders only the rows near the visible part, so paper gets a list of its own.
  const isPrinting = useMediaQuery('print')
  const indent = useMediaQuery(PHONE) ? INDENT.phone : INDENT.wide
  const listId = isTree(filter) ? filter.list : null
  const sections = useSections(listId)
  const folded = useStoredIds('folded-tasks')
  const [adding, setAdding] = useState<Omit<AddRow, 'id' | 'depth'> | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const tree = useMemo(
    () => (listId === null ? null : new TaskTree(tasks, sections, { isComplete: !hasMore })),
    [listId, tasks, sections, hasMore],
  )
  const isGrouped = filter.view === 'open' && filter.q === ''
  const groups = useMemo((): VisibleGroup[] => {
    if (tree)
      return tree
        .toRows((id) => folded.ids.has(id))
        .map(({ section, rows }) => ({
          key: `section ${section?.id}`,
          title: section?.name ?? (isBoard ? boardTexts.noSection : t.tasks),
          rows,
          section,
        }))
    const plain = !isGrouped
      ? [{ key: 'tasks', title: t.tasks, tasks }]
      : filter.days === null
        ? groupTasks(tasks, now, dates)
        : groupByDay(tasks, { days: filter.days, now, isComplete: !hasMore, dates })
    return plain.map(({ tasks: grouped, ...group }) => ({ ...group, rows: grouped.map(toRow) }))
  }, [tree, isBoard, folded.ids, isGrouped, filter.days, tasks, now, dates, hasMore])
  const displayed = useMemo(() => groups.flatMap(({ rows }) => rows.map(({ task }) => task)), [groups])
  const isEditable = ({ listId: ofTask }: Task) => lists.isEditable(ofTask)
  // A name on each row tells nothing while there is only the Inbox, or one list is chosen.
  const findDisplayedList = ({ listId: ofTask }: Task): TaskListInfo | undefined =>
    filter.list === null && lists.lists.length > 1 ? lists.find(ofTask) : undefined
  const selection = useSelection(displayed)
  /** The selected tasks, or the given one. */
  const toTargets = (task: Task): readonly Task[] =>
    selection.selected.length > 0 ? selection.selected : [task]

  const complete = (task: Task): void => {
    const subtasks = tree?.listSubtasks(task.id) ?? []
    if (isOpen(task) && subtasks.length > 0) setAsked({ task, subtasks })
    else removeRow(task, task.status === 'done' ? 'reopen' : 'complete')
  }
  const { target, focus, remember } = useRowKeys(displayed, {
    isEditable,
    onDone: complete,
    onRemove: (task) => removeRow(task, 'remove'),
    onSelect: (task) => selection.set(task.id, !selection.has(task.id)),
    onReschedule: (task, day) => reschedule(toTargets(task), day),
    onAddSubtask: (task) => tree && addSubtask(task),
    onRename: ({ id }) => setRenamedId(id),
    onEscape: selection.selected.length > 0 ? selection.clear : undefined,
  })
  const lastOpenId = useRef(openId)
  // The pane that had the focus is closed, so its row gets the focus.
  useEffect(() => {
    const id = lastOpenId.current
    lastOpenId.current = openId
    if (openId === null && id !== null && document.activeElement === document.body) focus({ id })
  }, [openId, focus])
  const [renamedId, setRenamedId] = useState<number | null>(null)
  const rename = (task: Task, title: string | null): void => {
    setRenamedId(null)
    focus(task)
    if (title === null || title === '' || title === task.title) return
    void actions.update([task], () => ({ title }), t.taskSaved(title))
  }
  const removeRow = (
    task: Task,
    how: keyof Pick<TaskActions, 'complete' | 'reopen' | 'cancel' | 'remove'>,
  ) => {
    remember(task)
    void actions[how](task)
  }
  /** Changes one task, or all selected ones if it is one of them. */
  const setDue = (these: readonly Task[], toDue: (task: Task) => Due): void => {
    const [first] = these
    if (!first) return
    remember(first, { moves: true })
    const due = toDue(first)
    const day = due.dueDay ?? (due.dueAt === null ? null : dates.dayOf(due.dueAt))
    const describeOne = () =>
      day === null
        ? t.dueDateRemoved(first.title)
        : t.taskDue({ name: first.title, day: dates.nearDay(day, now) })
    const toastText = these.length === 1 ? describeOne() : treeTexts.tasksChanged(these.length)
    void actions.update(these, toDue, toastText)
  }
  const reschedule = (these: readonly Task[], name: RescheduleDay | null): void => {
    const day = name === null ? null : toRescheduleDay(name, dates.dayOf(now))
    setDue(these.filter(isEditable), (task) =>
      day === null ? { dueAt: null, dueDay: null } : toDueOn(day, task, now, dates),
    )
  }
  const addSubtask = (task: Task): void => {
    folded.set(task.id, false)
    setAdding({ place: { parentId: task.id }, label: treeTexts.addSubtaskTo(task.title) })
  }
  /** Moves the field for new tasks below the last task of its place, or out of the parent of its place. */
  const changeAddLevel = (step: 1 | -1): boolean => {
    const place = adding && tree ? tree.levelOf(adding.place, step) : null
    if (!place) return false
    if (place.parentId !== undefined) folded.set(place.parentId, false)
    const parent = place.parentId === undefined ? undefined : tree?.find(place.parentId)
    setAdding({ place, label: parent ? treeTexts.addSubtaskTo(parent.title) : t.newTask })
    return true
  }
  const closeAdding = (): void => {
    const parent = adding?.place.parentId === undefined ? undefined : tree?.find(adding.place.parentId)
    if (parent && document.activeElement?.closest('.task-add-row')) focus(parent)
    setAdding(null)
  }
  const dropLine = useRef<HTMLDivElement>(null)
  /** The place in the tree that the pointer names. */
  const findDrop = ({ task: id, target: to, isBelow, inset }: DropPoint) => {
    const task = tree?.find(id)
    if (!tree || !task || 'list' in to) return null
    const group = groups.find(({ key, rows }) =>
      'group' in to ? key === to.group : rows.some((row) => row.id === to.row),
    )
    if (!group) return null
    const { rows, section = null } = group
    const index = 'row' in to ? rows.findIndex((row) => row.id === to.row) + (isBelow ? 1 : 0) : rows.length
    // A card is dropped between others wherever the pointer holds it.
    const depth = 'row' in to && !isBoard ? Math.floor(inset / indent) : 0
    const { depth: level, ...place } = tree.between(task, { section, rows }, { gap: index, depth })
    return { task, place, level }
  }
  const board = useRef<HTMLDivElement>(null)
  useTaskDrag({
    scroller: board,
    onOver: (point) =>
      showDropLine(dropLine.current, point, ((point && findDrop(point)?.level) ?? 0) * indent),
    onDrop: (point) => {
      const task = displayed.find(({ id }) => id === point.task)
      if (!task) return
      const day = 'group' in point.target && isDay(point.target.group) ? point.target.group : null
      if (day !== null) setDue(toTargets(task), (each) => toDueOn(day, each, now, dates))
      else if ('list' in point.target) {
        moveToList(task, point.target.list)
      } else moveTask(task, findDrop(point)?.place ?? null)
    },
    onPress: (id) => selection.set(id, !selection.has(id)),
  })
  const moveToList = (task: Task, to: number): void => {
    const { listId: from, parentId, sectionId } = task
    const before = tree?.placeOf(task) ?? { listId: from, parentId, sectionId, afterId: undefined }
    remember(task, { moves: true })
    void actions.move(
      task,
      { listId: to, parentId: null, sectionId: null, afterId: undefined },
      before,
      treeTexts.taskMoved(task.title),
    )
  }
  const onTreeKey = useTreeKeys({
    isBoard,
    onMove(id, move) {
      const task = tree?.find(id)
      if (!tree || !task) return
      if (move === 'fold' || move === 'unfold') return folded.set(id, move === 'fold')
      if (!isEditable(task)) return
      moveTask(task, toPlace(tree, task, move))
    },
  })
  const listBoardMoves = (tree: TaskTree, task: Task) =>
    ([-1, 1] as const).flatMap((step) => {
      const to = tree.beside(task, step)
      const name = sections.find(({ id }) => id === to?.sectionId)?.name ?? boardTexts.noSection
      return to
        ? [{ label: boardTexts.moveToSection(name), icon: step < 0 ? ArrowLeft : ArrowRight, to }]
        : []
    })
  /** The moves of a row that change something. */
  const listMoves = (tree: TaskTree, task: Task): RowAction[] =>
    [
      { label: treeTexts.indent, icon: IndentIncrease, to: tree.indented(task) },
      { label: treeTexts.outdent, icon: IndentDecrease, to: tree.outdented(task) },
      { label: treeTexts.moveUp, icon: ArrowUp, to: tree.up(task) },
      { label: treeTexts.moveDown, icon: ArrowDown, to: tree.down(task) },
      ...(isBoard ? listBoardMoves(tree, task) : []),
    ].flatMap(({ to, ...action }) => (to === null ? [] : [{ ...action, onSelect: () => moveTask(task, to) }]))
  const moveTask = (task: Task, to: TaskPlace | null): void => {
    if (!tree || to === null) return
    if (to.parentId !== null) folded.set(to.parentId, false)
    remember(task, { moves: true })
    void actions.move(task, to, tree.placeOf(task), treeTexts.taskMoved(task.title))
  }

  const rowActions: RowActions = {
    toggle: complete,
    begin: (task) => void actions.begin(task),
    cancel: (task) => removeRow(task, 'cancel'),
    setDue: (task, due) => setDue([task], () => due),
    setPriority: (task, priority) => {
      remember(task, { moves: true })
      const toastText = t.priorityChanged({ name: task.title, priority: t.priorities[priority] })
      void actions.update([task], () => ({ priority }), toastText)
    },
    setTags: (task, tags) => {
      remember(task, { moves: true })
      void actions.update([task], () => ({ tags }), t.tagsChanged(task.title))
    },
    move: moveToList,
    setAssignee: (task, assigneeId) => {
      remember(task, { moves: true })
      void actions.update([task], () => ({ assigneeId }), t.taskSaved(task.title))
    },
    beginRename: ({ id }) => setRenamedId(id),
    rename,
    reopen: (task) => removeRow(task, 'reopen'),
    edit: onEdit,
    remove: (task) => removeRow(task, 'remove'),
    tag: onTag,
    select: (task, isRange) => selection.set(task.id, isRange || !selection.has(task.id), isRange),
  }
  useTaskCommands({ tasks, isEditable, actions: rowActions, now, dates })

  const renderRow = (item: TreeRow | AddRow, row: RowProps): ReactNode =>
    'place' in item ? (
      <AddTaskRow key="add" row={row} {...item} onClose={closeAdding} onLevel={changeAddLevel} />
    ) : (
      <TaskRow
        key={item.id}
        row={row}
        task={item.task}
        list={lists.find(item.task.listId)}
        namesList={findDisplayedList(item.task) !== undefined}
        lists={lists}
        isEditable={isEditable(item.task)}
        isSelected={selection.has(item.id)}
        isOpened={item.id === openId}
        isRenamed={item.id === renamedId}
        isSelecting={selection.selected.length > 0}
        tree={
          tree
            ? {
                depth: item.depth,
                hasChildren: item.hasChildren,
                isFolded: folded.ids.has(item.id),
                onFold: () => folded.set(item.id, !folded.ids.has(item.id)),
                onAddSubtask: () => addSubtask(item.task),
                moves: listMoves(tree, item.task),
              }
            : undefined
        }
        now={now}
        dates={dates}
        actions={rowActions}
      />
    )
  const canEditList = listId !== null && lists.isEditable(listId)
  const renderHeading = ({ key, title, section, rows }: VisibleGroup): ReactNode => (
    <header className="task-group-head">
      <h2 className={isBoard || (section !== null && isGrouped) ? 'task-group' : 'visually-hidden'}>
        {title}
      </h2>
      {section && canEditList && <SectionMenu section={section} sections={sections} />}
      {key === 'overdue' && filter.days !== null && (
        <RescheduleAll tasks={rows.map(({ task }) => task).filter(isEditable)} onChange={setDue} />
      )}
    </header>
  )
  const isVisible = ({ rows, section }: VisibleGroup): boolean =>
    isBoard || rows.length > 0 || section !== null
  if (isPrinting)
    return (
      <PrintedTasks
        groups={groups.map(({ rows, ...group }) => ({ ...group, tasks: rows.map(({ task }) => task) }))}
        hasHeadings={isGrouped && (!tree || sections.length > 0)}
        findDisplayedList={findDisplayedList}
      />
    )
  const renderGroup = (group: VisibleGroup): ReactNode => {
    const { key, title, rows, section } = group
    const isAdding = adding?.place.parentId !== undefined || adding?.place.sectionId === section?.id
    const items = adding && isAdding ? insertAddRow(rows, adding) : rows
    return (
      <DropGroup key={key} group={key} title={title} isEnabled={tree !== null || isDay(key)}>
        {renderHeading(group)}
        {items.length > 0 && (
          <div className="card task-rows">
            <VirtualList
              className="rows"
              items={items}
              hasMore={hasMore}
              estimatedHeight={ROW_HEIGHT}
              target={target}
            >
              {renderRow}
            </VirtualList>
          </div>
        )}
        {listId !== null && canEditList && (section || isBoard) && (
          <Button
            kind="quiet"
            size="small"
            aria-label={treeTexts.addTaskTo(title)}
            onClick={() =>
              setAdding({
                place: { listId, ...(section && { sectionId: section.id }) },
                label: treeTexts.addTaskTo(title),
              })
            }
          >
            <Plus size={16} aria-hidden="true" />
            {t.addTask}
          </Button>
        )}
      </DropGroup>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the titles, which are buttons
    <div className="task-groups" style={{ '--indent': `${indent}px` } as CSSProperties} onKeyDown={onTreeKey}>
      <div ref={board} className={isBoard ? 'task-board' : 'task-groups'}>
        {groups.filter(isVisible).map(renderGroup)}
        {listId !== null && canEditList && (
          <div>
            <AddSection listId={listId} />
          </div>
        )}
      </div>
      <div ref={dropLine} className="task-drop-line" hidden />
      {selection.selected.length > 0 && (
        <BulkBar
          count={selection.selected.length}
          lists={lists.lists.filter(({ id, owner }) => owner === null && lists.isEditable(id))}
          onComplete={() => {
            void actions.update(
              selection.selected,
              () => ({ status: 'done' }),
              treeTexts.tasksCompleted(selection.selected.length),
            )
            selection.clear()
          }}
          onReschedule={(day) => reschedule(selection.selected, day)}
          onPriority={(priority) =>
            void actions.update(
              selection.selected,
              () => ({ priority }),
              treeTexts.tasksChanged(selection.selected.length),
            )
          }
          onList={({ id }) => {
            void actions.update(
              selection.selected,
              () => ({ listId: id }),
              treeTexts.tasksChanged(selection.selected.length),
            )
            selection.clear()
          }}
          onRemove={() => {
            actions.remove(...selection.selected)
            selection.clear()
          }}
          onClear={selection.clear}
        />
      )}
      <CompleteDialog
        asked={asked}
        onClose={() => setAsked(null)}
        onComplete={(task, subtasks) => {
          remember(task)
          void actions.complete(task, subtasks)
        }}
      />
    </div>
  )
}

interface RescheduleAllProps {
  tasks: readonly Task[]
  onChange: (tasks: readonly Task[], toDue: (task: Task) => Due) => void
}

/** Moves all overdue tasks to one day. Each keeps its time of day only if a time was chosen with the day. */
const RescheduleAll = ({ tasks, onChange }: RescheduleAllProps) => {
  const now = useNow()
  const dates = useDates()
  const [first] = tasks
  if (!first) return null
  return (
    <DuePopover
      task={first}
      now={now}
      dates={dates}
      onChange={(due) => onChange(tasks, () => due)}
      trigger={
        <Button kind="quiet" size="small">
          <CalendarArrowDown size={16} aria-hidden="true" />
          {treeTexts.rescheduleAll}
        </Button>
      }
    />
  )
}
