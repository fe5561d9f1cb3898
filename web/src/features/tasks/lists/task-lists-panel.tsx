import { ChevronDown } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import * as t from '#locale/task-lists'
import type { TaskLists } from '../../../api/task-lists.ts'
import { useMediaQuery } from '../../../ui/use-media-query.ts'
import { toListName } from './list-name.ts'
import { ListNavigation } from './list-navigation.tsx'

/** The same width as in lists.css. */
const NARROW = '(max-width: 1199px)'

interface TaskListsPanelProps {
  lists: TaskLists
  chosenId: number | null
  hrefFor: (listId: number | null) => string
  onChoose: (listId: number | null) => void
}

/** The lists beside the tasks. In a narrow window they open from a button that names the chosen list. */
export const TaskListsPanel = ({ lists, chosenId, hrefFor, onChoose }: TaskListsPanelProps) => {
  const isNarrow = useMediaQuery(NARROW)
  const [isOpen, setIsOpen] = useState(false)
  const contentId = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const closePanel = () => {
    setIsOpen(false)
    // The followed link is hidden now and would lose the focus.
    toggle.current?.focus()
  }
  const chosen = chosenId === null ? undefined : lists.find(chosenId)
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
          {chosen && <span className="color-dot" style={{ background: chosen.color }} />}
          <span className="task-list-name">{t.chosenList(chosen ? toListName(chosen) : t.allTasks)}</span>
          <ChevronDown size={18} aria-hidden="true" />
        </button>
      )}
      <div id={contentId} hidden={isNarrow && !isOpen}>
        <ListNavigation
          lists={lists}
          chosenId={chosenId}
          hrefFor={hrefFor}
          onChoose={onChoose}
          onFollow={closePanel}
        />
      </div>
    </div>
  )
}
