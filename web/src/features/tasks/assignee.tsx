import { useQuery } from '@tanstack/react-query'
import { UserRoundPlus } from 'lucide-react'
import * as t from '#locale/task-pane'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import type { TaskListInfo } from '../../api/task-lists.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Options } from '../../ui/field.tsx'
import { OptimisticSelect } from '../../ui/optimistic-select.tsx'
import { ChoiceMenu } from './choice-menu.tsx'
import type { Task } from './groups.ts'

type Member = Shape<'TaskListMember'>

const NONE: readonly Member[] = []

/** The people of a shared list. Nobody for another list. */
const useMembers = (list: TaskListInfo | undefined): readonly Member[] => {
  const client = useClient()
  const id = list?.id ?? 0
  const isShared = list !== undefined && (list.shared || list.owner !== null)
  const query = useQuery({
    queryKey: ['task-lists', 'members', id],
    queryFn: () => unwrap(client.GET('/api/task-lists/{id}/members', { params: { path: { id } } })),
    enabled: isShared,
  })
  return (isShared && query.data?.members) || NONE
}

interface AssigneeProps {
  task: Task
  list: TaskListInfo | undefined
  onChange: (assigneeId: number | null) => Promise<void>
}

/** Chooses one of the people of a shared list. */
export const Assignee = ({ task, list, onChange }: AssigneeProps) => {
  const members = useMembers(list)
  if (members.length === 0) return null
  return (
    <OptimisticSelect
      name="assigneeId"
      label={t.assignee}
      value={String(task.assigneeId ?? '')}
      onChange={(id) => onChange(id === '' ? null : Number(id))}
    >
      <option value="">{t.nobody}</option>
      <Options entries={members.map(({ id, name }) => [id, name])} />
    </OptimisticSelect>
  )
}

interface AssigneeChipProps {
  task: Task
  list: TaskListInfo | undefined
  /** Undefined for a task that the user cannot change. */
  onChange: ((assigneeId: number | null) => void) | undefined
}

/** The face of the assignee in a row of a shared list. */
export const AssigneeChip = ({ task, list, onChange }: AssigneeChipProps) => {
  const members = useMembers(list)
  const assignee = members.find(({ id }) => id === task.assigneeId)
  const face = assignee && (
    <>
      <Avatar name={assignee.name} avatarUrl={null} />
      <span className="visually-hidden">{t.assignedTo(assignee.name)}</span>
    </>
  )
  if (!onChange || members.length === 0) return assignee && <span className="task-fact">{face}</span>
  return (
    <ChoiceMenu
      value={task.assigneeId}
      choices={[[null, t.nobody], ...members.map(({ id, name }) => [id, name] as const)]}
      onChange={onChange}
      trigger={
        <button
          type="button"
          className="task-chip"
          data-value="assignee"
          data-unset={!assignee}
          aria-label={assignee ? undefined : t.assign(task.title)}
          title={assignee?.name ?? t.assignee}
        />
      }
    >
      {face ?? <UserRoundPlus size={14} aria-hidden="true" />}
    </ChoiceMenu>
  )
}
