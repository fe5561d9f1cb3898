import { Menu } from '@base-ui/react/menu'
import { CalendarArrowDown, Check, Flag, FolderInput, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/task-trees'
import * as texts from '#locale/tasks'
import type { TaskListInfo } from '../../api/task-lists.ts'
import { IconButton } from '../../ui/button.tsx'
import type { Task } from './groups.ts'
import { toListName } from './lists/list-name.ts'
import { RESCHEDULE_DAYS, type RescheduleDay } from './reschedule.ts'
import { PRIORITIES } from './url-state.ts'

interface BulkMenuProps {
  label: string
  icon: typeof Flag
  children: ReactNode
}

const BulkMenu = ({ label, icon, children }: BulkMenuProps) => (
  <Menu.Root>
    <Menu.Trigger render={<IconButton label={label} title={label} icon={icon} />} />
    <Menu.Portal>
      <Menu.Positioner className="menu-place" sideOffset={4} align="end" collisionPadding={8}>
        <Menu.Popup className="menu">{children}</Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)

interface BulkBarProps {
  count: number
  lists: readonly TaskListInfo[]
  onComplete: () => void
  /** Null removes the due date. */
  onReschedule: (day: RescheduleDay | null) => void
  onPriority: (priority: Task['priority']) => void
  onList: (list: TaskListInfo) => void
  onRemove: () => void
  onClear: () => void
}

/** Actions on the selected tasks. */
export const BulkBar = (props: BulkBarProps) => {
  const { count, lists, onComplete, onReschedule, onPriority, onList, onRemove, onClear } = props
  return (
    <div className="task-bulk" role="toolbar" aria-label={t.selectedTasks}>
      <IconButton label={t.clearSelection} title={t.clearSelection} icon={X} onClick={onClear} />
      <strong aria-live="polite">{t.selectedCount(count)}</strong>
      <IconButton label={t.completeSelected} title={t.completeSelected} icon={Check} onClick={onComplete} />
      <BulkMenu label={texts.dueDate} icon={CalendarArrowDown}>
        {[...RESCHEDULE_DAYS, null].map((day) => (
          <Menu.Item key={day} className="menu-item" onClick={() => onReschedule(day)}>
            {day === null ? texts.noDueDate : t.rescheduleDays[day]}
          </Menu.Item>
        ))}
      </BulkMenu>
      <BulkMenu label={texts.priority} icon={Flag}>
        {PRIORITIES.map((priority) => (
          <Menu.Item key={priority} className="menu-item" onClick={() => onPriority(priority)}>
            {texts.priorities[priority]}
          </Menu.Item>
        ))}
      </BulkMenu>
      <BulkMenu label={t.moveToList} icon={FolderInput}>
        {lists.map((list) => (
          <Menu.Item key={list.id} className="menu-item" onClick={() => onList(list)}>
            {toListName(list)}
          </Menu.Item>
        ))}
      </BulkMenu>
      <IconButton label={common.remove} title={common.remove} icon={Trash2} onClick={onRemove} />
    </div>
  )
}
