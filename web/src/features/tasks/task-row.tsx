import {
  Ban,
  CalendarClock,
  ChevronDown,
  CircleCheck,
  Flag,
  FolderInput,
  Hash,
  ListPlus,
  PanelRightOpen,
  Pencil,
  Play,
  Repeat,
  RotateCcw,
  Trash2,
} from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useRef,
} from 'react'
import * as common from '#locale/shared-texts'
import * as listTexts from '#locale/task-lists'
import * as treeTexts from '#locale/task-trees'
import * as t from '#locale/tasks'
import type { TaskListInfo, TaskLists } from '../../api/task-lists.ts'
import { formatDuration } from '../../locales/format.ts'
import { Tag } from '../../ui/card.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { type RowAction, RowMenu } from '../../ui/row-menu.tsx'
import type { useDates } from '../../ui/time.tsx'
import type { RowProps } from '../../ui/virtual-list.tsx'
import { AssigneeChip } from './assignee.tsx'
import { ChoiceMenu } from './choice-menu.tsx'
import { DuePopover } from './due-popover.tsx'
import { isLate, type Task } from './groups.ts'
import { toListName } from './lists/list-name.ts'
import { findPossibleLists } from './possible-lists.ts'
import { describeRecurrence } from './recurrence-text.ts'
import type { Due } from './reschedule.ts'
import { TagsPopover } from './tags-popover.tsx'
import { useTaskRowDrag } from './task-drag.ts'
import { PRIORITIES } from './url-state.ts'

/** The indentation of a row. */
export const depthStyle = (depth: number) => ({ '--depth': depth }) as CSSProperties

export const isOpen = ({ status }: Task): boolean => status === 'todo' || status === 'doing'

type NotesProps = Pick<
  TaskRowProps,
  'task' | 'list' | 'namesList' | 'lists' | 'isEditable' | 'now' | 'dates' | 'actions'
>
type ChipProps = Pick<TaskRowProps, 'task' | 'now' | 'dates' | 'actions'>

const DueText = ({ task, now, dates }: Pick<ChipProps, 'task' | 'now' | 'dates'>) => {
  const { dueAt, dueDay } = task
  if (dueAt === null) return null
  const when = dates.nearDue(dueAt, dueDay, now)
  return (
    <span>
      <RichText
        text={isOpen(task) && isLate(task, now, dates) ? t.overdue(when) : t.due(when)}
        tags={{ time: (text) => <time dateTime={dueDay ?? dueAt}>{text}</time> }}
      />
    </span>
  )
}

/** The due date, or an icon that appears when the row has the pointer or the focus. Opens the due popover. */
const DueChip = ({ task, now, dates, actions }: ChipProps) => {
  const { dueAt, dueDay } = task
  const late = isOpen(task) && isLate(task, now, dates)
  return (
    <DuePopover
      task={task}
      now={now}
      dates={dates}
      onChange={(chosen) => actions.setDue(task, chosen)}
      trigger={
        <button
          type="button"
          className="task-chip"
          data-value="due"
          data-late={late}
          data-unset={dueAt === null}
          aria-label={dueAt === null ? t.setDueDate(task.title) : undefined}
          title={dueAt === null ? t.dueDate : dates.due(dueAt, dueDay)}
        >
          <CalendarClock size={14} aria-hidden="true" />
          <DueText task={task} now={now} dates={dates} />
        </button>
      }
    />
  )
}

const PriorityChip = ({ task, actions }: Pick<ChipProps, 'task' | 'actions'>) => {
  const { title, priority } = task
  const text = priority === 'normal' ? null : t.priorities[priority]
  return (
    <ChoiceMenu
      value={priority}
      choices={PRIORITIES.map((value) => [value, t.priorities[value]])}
      onChange={(chosen) => actions.setPriority(task, chosen)}
      trigger={
        <button
          type="button"
          className="task-chip"
          data-value="priority"
          data-priority={priority}
          data-unset={text === null}
          aria-label={text === null ? t.setPriority(title) : t.priorityOf({ name: title, priority: text })}
          title={t.priority}
        />
      }
    >
      <Flag size={14} aria-hidden="true" />
      {text}
    </ChoiceMenu>
  )
}

const TagsChip = ({ task, actions }: Pick<ChipProps, 'task' | 'actions'>) => (
  <TagsPopover
    tags={task.tags}
    onChange={(tags) => actions.setTags(task, tags)}
    trigger={
      <button
        type="button"
        className="task-chip"
        data-unset
        aria-label={t.setTags(task.title)}
        title={t.tags}
      >
        <Hash size={14} aria-hidden="true" />
      </button>
    }
  />
)

/** The due date and the priority of a task that the user cannot change. */
const FixedDetails = ({ task, now, dates }: Pick<ChipProps, 'task' | 'now' | 'dates'>) => {
  const { dueAt, dueDay, priority } = task
  const late = isOpen(task) && isLate(task, now, dates)
  return (
    <>
      {dueAt !== null && (
        <span className="task-fact" data-late={late} title={dates.due(dueAt, dueDay)}>
          <CalendarClock size={14} aria-hidden="true" />
          <DueText task={task} now={now} dates={dates} />
        </span>
      )}
      {priority !== 'normal' && (
        <span className="task-fact" data-priority={priority}>
          <Flag size={14} aria-hidden="true" />
          {t.priorities[priority]}
        </span>
      )}
    </>
  )
}

const ListName = ({ list }: { list: TaskListInfo }) => (
  <>
    <span className="color-dot" style={{ background: list.color }} aria-hidden="true" />
    <span aria-hidden="true">{toListName(list)}</span>
  </>
)

type ListChipProps = Pick<TaskRowProps, 'task' | 'list' | 'namesList' | 'lists' | 'actions'>

/** Moves the task to another list. The chip of the chosen list shows only its icon. */
const ListChip = ({ task, list, namesList, lists, actions }: ListChipProps) => {
  const possible = findPossibleLists(lists, task)
  if (!list || possible.length < 2) return null
  return (
    <ChoiceMenu
      value={task.listId}
      choices={possible.map((each) => [each.id, toListName(each)])}
      onChange={(listId) => actions.move(task, listId)}
      trigger={
        <button
          type="button"
          className="task-chip"
          data-value="list"
          data-unset={!namesList}
          aria-label={listTexts.listOf({ name: task.title, list: toListName(list) })}
          title={listTexts.list}
        />
      }
    >
      {namesList ? <ListName list={list} /> : <FolderInput size={14} aria-hidden="true" />}
    </ChoiceMenu>
  )
}

const Notes = ({ task, list, namesList, lists, isEditable, now, dates, actions }: NotesProps) => {
  const { near, dateTime, day } = dates
  const { completedAt } = task
  const firstLine = task.notes.split('\n')[0]
  const isListFixed = !isEditable || !list || findPossibleLists(lists, task).length < 2
  return (
    <div className="task-details">
      {namesList && list && isListFixed && (
        <span className="task-fact">
          <ListName list={list} />
          <span className="visually-hidden">{listTexts.chosenList(toListName(list))}</span>
        </span>
      )}
      {isEditable ? (
        <>
          <DueChip task={task} now={now} dates={dates} actions={actions} />
          <PriorityChip task={task} actions={actions} />
          <TagsChip task={task} actions={actions} />
          <ListChip task={task} list={list} namesList={namesList} lists={lists} actions={actions} />
        </>
      ) : (
        <FixedDetails task={task} now={now} dates={dates} />
      )}
      <AssigneeChip
        task={task}
        list={list}
        onChange={isEditable ? (assigneeId) => actions.setAssignee(task, assigneeId) : undefined}
      />
      {completedAt !== null && (
        <span>
          <RichText
            text={t.completed(near(completedAt))}
            tags={{
              time: (text) => (
                <time dateTime={completedAt} title={dateTime(completedAt)}>
                  {text}
                </time>
              ),
            }}
          />
        </span>
      )}
      {task.estimateMinutes !== null && <span>{formatDuration(task.estimateMinutes)}</span>}
      {task.recurrence !== null && (
        <span className="task-repeat">
          <Repeat size={13} aria-hidden="true" />
          {describeRecurrence(task.recurrence, day)}
        </span>
      )}
      {task.changedBy !== null && <span>{listTexts.changedBy(task.changedBy)}</span>}
      {firstLine && <span className="task-note">{firstLine}</span>}
    </div>
  )
}

export interface RowActions {
  toggle: (task: Task) => void
  begin: (task: Task) => void
  cancel: (task: Task) => void
  setDue: (task: Task, due: Due) => void
  setPriority: (task: Task, priority: Task['priority']) => void
  setTags: (task: Task, tags: string[]) => void
  setAssignee: (task: Task, assigneeId: number | null) => void
  /** Moves a task to another list. */
  move: (task: Task, listId: number) => void
  beginRename: (task: Task) => void
  /** Null keeps the title. */
  rename: (task: Task, title: string | null) => void
  reopen: (task: Task) => void
  edit: (task: Task) => void
  remove: (task: Task) => void
  tag: (tag: string) => void
  /** Selects a task, or with `isRange` all tasks since the last selected one. Without `isRange`, it toggles. */
  select: (task: Task, isRange: boolean) => void
}

/** The place of a row in a tree. */
interface RowTree {
  depth: number
  hasChildren: boolean
  isFolded: boolean
  onFold: () => void
  onAddSubtask: () => void
  /** The possible moves, for people who neither drag nor use keys. */
  moves: readonly RowAction[]
}

interface TaskRowProps {
  row: RowProps
  task: Task
  /** The list of the task. */
  list: TaskListInfo | undefined
  namesList: boolean
  lists: TaskLists
  /** False for a task of a list that the user can only view. */
  isEditable: boolean
  isSelected: boolean
  /** Whether the task is open beside the list. */
  isOpened: boolean
  isRenamed: boolean
  /** Whether other tasks are selected, so that a tap selects this one, too. */
  isSelecting: boolean
  /** Undefined in a list without an order of its own. */
  tree: RowTree | undefined
  now: Date
  dates: ReturnType<typeof useDates>
  actions: RowActions
}

const LONG_PRESS_MS = 500

/** Calls back after a long press with a finger. The press ends with a click, which is ignored. */
const useLongPress = (onLongPress: () => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isPressed = useRef(false)
  const stop = (): void => clearTimeout(timer.current)
  return {
    onPointerDown({ pointerType }: PointerEvent): void {
      isPressed.current = false
      if (pointerType !== 'touch') return
      timer.current = setTimeout(() => {
        isPressed.current = true
        onLongPress()
      }, LONG_PRESS_MS)
    },
    onPointerMove: stop,
    onPointerUp: stop,
    onPointerCancel: stop,
    onClickCapture(event: MouseEvent): void {
      if (isPressed.current) event.stopPropagation()
      isPressed.current = false
    },
  }
}

const FoldButton = ({ tree, title }: { tree: RowTree; title: string }) =>
  tree.hasChildren ? (
    <button
      type="button"
      className="task-fold"
      aria-expanded={!tree.isFolded}
      aria-label={tree.isFolded ? treeTexts.showSubtasks(title) : treeTexts.hideSubtasks(title)}
      onClick={tree.onFold}
    >
      <ChevronDown size={16} aria-hidden="true" />
    </button>
  ) : (
    <span className="task-fold" />
  )

interface TitleFieldProps {
  title: string
  /** Null keeps the title. */
  onSave: (title: string | null) => void
}

const TitleField = ({ title, onSave }: TitleFieldProps) => {
  const isEnded = useRef(false)
  const end = (typed: string | null): void => {
    // The field loses the focus when it is removed.
    if (isEnded.current) return
    isEnded.current = true
    onSave(typed)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    end(event.key === 'Enter' ? event.currentTarget.value.trim() : null)
  }
  return (
    <input
      className="input"
      type="text"
      maxLength={500}
      autoComplete="off"
      aria-label={t.title}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field
      autoFocus
      defaultValue={title}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget }) => end(currentTarget.value.trim())}
    />
  )
}

export const TaskRow = (props: TaskRowProps) => {
  const { row, task, isEditable, isSelected, isOpened, isRenamed, isSelecting, tree, actions } = props
  const { title, status } = task
  const { ref: measure, ...place } = row
  const element = useRef<HTMLLIElement>(null)
  const setElement = useCallback(
    (li: HTMLLIElement | null) => {
      element.current = li
      measure(li)
    },
    [measure],
  )
  useTaskRowDrag(element, { id: task.id, isEnabled: isEditable, isTarget: tree !== undefined })
  const press = useLongPress(() => isEditable && actions.select(task, false))
  const onTitle = ({ shiftKey, ctrlKey, metaKey }: MouseEvent) => {
    if (isEditable && (shiftKey || ctrlKey || metaKey || isSelecting)) actions.select(task, shiftKey)
    else actions.edit(task)
  }
  return (
    <li
      ref={setElement}
      {...place}
      {...press}
      className="task"
      data-task={task.id}
      data-status={status}
      data-selected={isSelected || undefined}
      data-opened={isOpened || undefined}
      {...(tree && { 'aria-level': tree.depth + 1, style: depthStyle(tree.depth) })}
    >
      {tree && <FoldButton tree={tree} title={title} />}
      <input
        type="checkbox"
        className="task-box"
        checked={status === 'done'}
        disabled={!isEditable}
        aria-label={t.doneNamed(title)}
        onChange={() => actions.toggle(task)}
      />
      <div className="row-main">
        <p className="row-title">
          {isRenamed ? (
            <TitleField title={title} onSave={(typed) => actions.rename(task, typed)} />
          ) : (
            <button
              type="button"
              className="task-title"
              aria-label={isEditable ? t.editNamed(title) : t.openNamed(title)}
              aria-current={isOpened || undefined}
              aria-description={isSelected ? treeTexts.selected : undefined}
              onClick={onTitle}
            >
              {title}
            </button>
          )}
          {status === 'doing' && <Tag tone="accent">{t.statuses.doing}</Tag>}
          {status === 'cancelled' && <Tag>{t.statuses.cancelled}</Tag>}
          {task.tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className="tag task-tag"
              aria-label={t.showTagged(tag)}
              onClick={() => actions.tag(tag)}
            >
              #{tag}
            </button>
          ))}
        </p>
        <Notes {...props} />
      </div>
      {isEditable && (
        <div className="row-actions">
          <RowMenu
            label={t.moreFor(title)}
            actions={[
              { label: common.edit, icon: PanelRightOpen, onSelect: () => actions.edit(task) },
              { label: treeTexts.rename, icon: Pencil, onSelect: () => actions.beginRename(task) },
              ...(tree ? [{ label: treeTexts.addSubtask, icon: ListPlus, onSelect: tree.onAddSubtask }] : []),
              ...(tree?.moves ?? []),
              { label: treeTexts.select, icon: CircleCheck, onSelect: () => actions.select(task, false) },
              ...(status === 'todo'
                ? [{ label: t.start, icon: Play, onSelect: () => actions.begin(task) }]
                : []),
              ...(isOpen(task)
                ? [{ label: t.cancelTask, icon: Ban, onSelect: () => actions.cancel(task) }]
                : [{ label: t.reopen, icon: RotateCcw, onSelect: () => actions.reopen(task) }]),
              { label: common.remove, icon: Trash2, onSelect: () => actions.remove(task) },
            ]}
          />
        </div>
      )}
    </li>
  )
}
