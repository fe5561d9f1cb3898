import {
  CalendarCheck,
  CalendarDays,
  ListTodo,
  LogOut,
  Palette,
  Pencil,
  Share2,
  Trash2,
  Users,
} from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import * as common from '#locale/shared-texts'
import * as sharingTexts from '#locale/shares'
import * as t from '#locale/task-lists'
import { days } from '#locale/task-trees'
import { type TaskListInfo, type TaskLists, useTaskListActions } from '../../../api/task-lists.ts'
import { AddButton } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { Failure } from '../../../ui/notice.tsx'
import { OptimisticCheckbox } from '../../../ui/optimistic-checkbox.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useItemDialog } from '../../../ui/use-item-dialog.ts'
import { LeaveDialog } from '../../sharing/leave-dialog.tsx'
import { ShareDialog } from '../../sharing/share-dialog.tsx'
import { useTaskDrop } from '../task-drag.ts'
import type { Chosen } from '../url-state.ts'
import { DeleteListDialog, EditListDialog, NewListDialog } from './list-dialogs.tsx'
import { toListName } from './list-name.ts'
import './lists.css'

type ListAction = 'edit' | 'share' | 'delete' | 'leave'

interface EntryProps {
  list: TaskListInfo
  href: string
  isChosen: boolean
  onChoose: () => void
  onToggle: (visible: boolean) => Promise<unknown>
  onAct: (action: ListAction) => void
}

const listActions = ({ owner, isInbox }: TaskListInfo, onAct: EntryProps['onAct']) => {
  if (owner !== null)
    return [
      { label: t.changeColor, icon: Palette, onSelect: () => onAct('edit') },
      { label: sharingTexts.leave, icon: LogOut, onSelect: () => onAct('leave') },
    ]
  return [
    { label: common.edit, icon: Pencil, onSelect: () => onAct('edit') },
    // The Inbox can be neither shared nor deleted.
    ...(isInbox
      ? []
      : [
          { label: sharingTexts.share, icon: Share2, onSelect: () => onAct('share') },
          { label: common.remove, icon: Trash2, onSelect: () => onAct('delete') },
        ]),
  ]
}

const ListEntry = ({ list, href, isChosen, onChoose, onToggle, onAct }: EntryProps) => {
  const name = toListName(list)
  const element = useRef<HTMLLIElement>(null)
  useTaskDrop(element, {
    isEnabled: list.role !== 'viewer',
    target: String(list.id),
    toTarget: () => ({ list: list.id }),
  })
  return (
    <li ref={element} className="task-list" data-visible={list.visible}>
      <OptimisticCheckbox
        className="task-list-box"
        style={{ accentColor: list.color }}
        checked={list.visible}
        aria-label={t.showInAllTasks(name)}
        title={t.showInAllTasks(name)}
        onChange={onToggle}
      />
      <Link
        href={href}
        className="task-list-link"
        aria-current={isChosen ? 'page' : undefined}
        onClick={onChoose}
      >
        <span className="task-list-name">{name}</span>
        {list.shared && (
          <>
            <Users size={14} aria-hidden="true" />
            <span className="visually-hidden">{t.shared}</span>
          </>
        )}
        {list.owner !== null && (
          <span className="task-list-owner">
            {list.owner.name}
            {list.role === 'viewer' && <Tag>{sharingTexts.roles.viewer}</Tag>}
          </span>
        )}
      </Link>
      <RowMenu label={t.actionsFor(name)} actions={listActions(list, onAct)} />
    </li>
  )
}

const PLACES = [
  { days: 'today', icon: CalendarCheck, label: days.today },
  { days: 'upcoming', icon: CalendarDays, label: days.upcoming },
  { days: null, icon: ListTodo, label: t.allTasks },
] as const

interface ListNavigationProps {
  lists: TaskLists
  chosen: Chosen
  /** Link to a list or to days that keeps the other filters. */
  hrefFor: (chosen: Chosen) => string
  onChoose: (chosen: Chosen) => void
  /** Called when the user follows a link, which changes the address itself. */
  onFollow: () => void
}

/** The task lists: chooses one, and adds, changes, shares and deletes lists. */
export const ListNavigation = ({ lists, chosen, hrefFor, onChoose, onFollow }: ListNavigationProps) => {
  const attempt = useAttempt()
  const headingId = useId()
  const { setVisible } = useTaskListActions()
  const [isAdding, setIsAdding] = useState(false)
  const { open, close, itemOf } = useItemDialog<TaskListInfo, ListAction>()
  const [sharedList, leftList] = [itemOf('share'), itemOf('leave')]
  const renderEntries = (some: readonly TaskListInfo[]): ReactNode =>
    some.map((list) => (
      <ListEntry
        key={list.id}
        list={list}
        href={hrefFor({ list: list.id, days: null })}
        isChosen={chosen.list === list.id}
        onChoose={onFollow}
        onToggle={(visible) => attempt(() => setVisible(list, visible))}
        onAct={(action) => open(action, list)}
      />
    ))
  const own = lists.lists.filter(({ owner }) => owner === null)
  const others = lists.lists.filter(({ owner }) => owner !== null)
  return (
    <>
      <nav aria-label={t.lists}>
        <ul className="task-lists">
          {PLACES.map(({ days: page, icon: Icon, label }) => (
            <li key={label} className="task-list">
              <Icon className="task-list-icon" size={18} aria-hidden="true" />
              <Link
                href={hrefFor({ list: null, days: page })}
                className="task-list-link"
                aria-current={chosen.list === null && chosen.days === page ? 'page' : undefined}
                onClick={onFollow}
              >
                <span className="task-list-name">{label}</span>
              </Link>
            </li>
          ))}
          {renderEntries(own)}
        </ul>
        {!lists.isLoaded && lists.error !== null && (
          <Failure error={lists.error} onRetry={() => void lists.refetch()} />
        )}
        {others.length > 0 && (
          <>
            <h2 id={headingId} className="task-lists-heading">
              {t.sharedWithYou}
            </h2>
            <ul className="task-lists" aria-labelledby={headingId}>
              {renderEntries(others)}
            </ul>
          </>
        )}
        <AddButton kind="quiet" onClick={() => setIsAdding(true)}>
          {t.newList}
        </AddButton>
      </nav>
      <NewListDialog
        open={isAdding}
        onClose={() => setIsAdding(false)}
        onCreated={({ id }) => onChoose({ list: id, days: null })}
      />
      <EditListDialog list={itemOf('edit')} onClose={close} />
      <DeleteListDialog
        list={itemOf('delete')}
        onClose={close}
        onDeleted={({ id }) => {
          if (id === chosen.list) onChoose({ list: null, days: null })
        }}
      />
      <ShareDialog
        resource={sharedList && { kind: 'taskList', id: sharedList.id, name: sharedList.name }}
        onClose={close}
      />
      <LeaveDialog
        share={
          leftList && {
            shareId: leftList.shareId ?? 0,
            name: leftList.name,
            ownerName: leftList.owner?.name ?? '',
          }
        }
        onClose={close}
      />
    </>
  )
}
