import { ChevronDown } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import * as t from '#locale/task-lists'
import { days } from '#locale/task-trees'
import type { TaskLists } from '../../../api/task-lists.ts'
import type { Chosen } from '../url-state.ts'
import { toListName } from './list-name.ts'
import { ListNavigation } from './list-navigation.tsx'

interface TaskListsPanelProps {
  isNarrow: boolean
  lists: TaskLists
  chosen: Chosen
  hrefFor: (chosen: Chosen) => string
  onChoose: (chosen: Chosen) => void
}

/** The lists beside the tasks. On a narrow page they open from a button that names the chosen list. */
export const TaskListsPanel = ({ isNarrow, lists, chosen, hrefFor, onChoose }: TaskListsPanelProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const contentId = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const closePanel = () => {
    setIsOpen(false)
    // The followed link is hidden now and would lose the focus.
    toggle.current?.focus()
  }
  const list = chosen.list === null ? undefined : lists.find(chosen.list)
  const daysName = chosen.days === null ? t.allTasks : days[chosen.days]
  return (
    <div className="task-lists-panel">
      {isNarrow && (
        <button
          ref={toggle}
          type="button"
          className="task-lists-toggle"
          aria-expanded={isOpen}
          aria-controls={contentId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {list && <span className="color-dot" style={{ background: list.color }} />}
          <span className="task-list-name">{t.chosenList(list ? toListName(list) : daysName)}</span>
          <ChevronDown size={18} aria-hidden="true" />
        </button>
      )}
      <div id={contentId} hidden={isNarrow && !isOpen}>
        <ListNavigation
          lists={lists}
          chosen={chosen}
          hrefFor={hrefFor}
          onChoose={onChoose}
          onFollow={closePanel}
        />
      </div>
    </div>
  )
}
