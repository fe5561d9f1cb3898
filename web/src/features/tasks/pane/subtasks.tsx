import { useId, useState } from 'react'
import * as t from '#locale/task-pane'
import * as treeTexts from '#locale/task-trees'
import * as texts from '#locale/tasks'
import { AddButton } from '../../../ui/button.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { AddTaskField } from '../add-row.tsx'
import type { Task } from '../groups.ts'
import { type TaskActions, usePendingTaskDeletions, useSubtasks } from '../use-tasks.ts'

interface SubtasksProps {
  task: Task
  actions: TaskActions
  onOpen: (id: number) => void
}

/** The subtasks of a task, with a field that adds them by typing. */
export const Subtasks = ({ task, actions, onOpen }: SubtasksProps) => {
  const query = useSubtasks(task.id)
  const headingId = useId()
  const pendingIds = usePendingTaskDeletions()
  const [isAdding, setIsAdding] = useState(false)
  return (
    <section aria-labelledby={headingId} className="task-subtasks">
      <h3 id={headingId}>{t.subtasks}</h3>
      <LoadedList
        query={query}
        needsClick
        itemsOf={({ tasks }) => tasks.filter(({ id }) => !pendingIds.has(id))}
        empty={null}
      >
        {(subtasks) => (
          <ul>
            {subtasks.map((subtask) => (
              <li key={subtask.id} className="task" data-status={subtask.status}>
                <input
                  type="checkbox"
                  className="task-box"
                  checked={subtask.status === 'done'}
                  aria-label={texts.doneNamed(subtask.title)}
                  onChange={({ target }) =>
                    void (target.checked ? actions.complete(subtask) : actions.reopen(subtask))
                  }
                />
                <button
                  type="button"
                  className="task-title"
                  aria-label={texts.openNamed(subtask.title)}
                  onClick={() => onOpen(subtask.id)}
                >
                  {subtask.title}
                </button>
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
      {isAdding ? (
        <AddTaskField
          place={{ parentId: task.id }}
          label={treeTexts.addSubtaskTo(task.title)}
          onClose={() => setIsAdding(false)}
        />
      ) : (
        <AddButton kind="quiet" onClick={() => setIsAdding(true)}>
          {treeTexts.addSubtask}
        </AddButton>
      )}
    </section>
  )
}
