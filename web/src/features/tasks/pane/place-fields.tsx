import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as boardTexts from '#locale/task-board'
import * as listTexts from '#locale/task-lists'
import * as t from '#locale/task-pane'
import * as treeTexts from '#locale/task-trees'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import type { TaskLists } from '../../../api/task-lists.ts'
import { Options } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { OptimisticSelect } from '../../../ui/optimistic-select.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import type { Task } from '../groups.ts'
import { toListName } from '../lists/list-name.ts'
import { findPossibleLists } from '../possible-lists.ts'
import { useSections } from '../sections.tsx'
import type { TaskActions } from '../use-tasks.ts'
import { PaneValue } from './pane-value.tsx'

interface ParentsProps {
  task: Task
  onChoose: (parentId: number | null) => void
}

/** Open tasks of the list that match a text. */
const Parents = ({ task, onChoose }: ParentsProps) => {
  const client = useClient()
  const [typed, setTyped] = useState('')
  const q = useDebouncedValue(typed.trim())
  const { id, listId, parentId } = task
  const query = useQuery({
    queryKey: ['task-parents', listId, q],
    queryFn: () =>
      unwrap(
        client.GET('/api/tasks', {
          params: { query: { listId, status: 'open', limit: 20, ...(q !== '' && { q }) } },
        }),
      ),
    gcTime: 0,
  })
  return (
    <>
      <input
        className="input"
        type="search"
        aria-label={t.searchParent}
        placeholder={t.searchParent}
        maxLength={200}
        data-first
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="task-due-choices">
        {parentId !== null && (
          <button type="button" className="menu-item" onClick={() => onChoose(null)}>
            {t.noParent}
          </button>
        )}
        <Loaded query={query}>
          {({ tasks }) =>
            tasks
              .filter((other) => other.id !== id && other.id !== parentId)
              .map((other) => (
                <button key={other.id} type="button" className="menu-item" onClick={() => onChoose(other.id)}>
                  {other.title}
                </button>
              ))
          }
        </Loaded>
      </div>
    </>
  )
}

interface PlaceFieldsProps {
  task: Task
  parent: Task | undefined
  lists: TaskLists
  actions: TaskActions
}

/** The list, the section and the parent. A move puts the task at the end of its new place. */
export const PlaceFields = ({ task, parent, lists, actions }: PlaceFieldsProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const { listId, sectionId, parentId } = task
  const sections = useSections(listId)
  const before = { listId, sectionId, parentId, afterId: undefined }
  const move = (change: Partial<typeof before>) =>
    actions.move(
      task,
      { ...before, sectionId: null, parentId: null, ...change },
      before,
      treeTexts.taskMoved(task.title),
    )
  return (
    <>
      <OptimisticSelect
        name="listId"
        label={listTexts.list}
        value={String(listId)}
        onChange={(value) => move({ listId: Number(value) })}
      >
        <Options
          entries={findPossibleLists(lists, task).map((list) => [
            list.id,
            list.owner === null
              ? toListName(list)
              : listTexts.sharedList({ name: list.name, owner: list.owner.name }),
          ])}
        />
      </OptimisticSelect>
      {parentId === null && sections.length > 0 && (
        <OptimisticSelect
          name="sectionId"
          label={t.section}
          value={String(sectionId ?? '')}
          onChange={(value) => move({ sectionId: value === '' ? null : Number(value) })}
        >
          <option value="">{boardTexts.noSection}</option>
          <Options entries={sections.map(({ id, name }) => [id, name])} />
        </OptimisticSelect>
      )}
      <Popover
        open={isOpen}
        onOpen={() => setIsOpen(true)}
        onClose={() => setIsOpen(false)}
        trigger={<PaneValue label={t.parent}>{parent?.title ?? t.none}</PaneValue>}
        title={t.parent}
        size="small"
      >
        <Parents
          task={task}
          onChoose={(chosen) => {
            setIsOpen(false)
            void move({ parentId: chosen })
          }}
        />
      </Popover>
    </>
  )
}
