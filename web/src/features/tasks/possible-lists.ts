import type { TaskListInfo, TaskLists } from '../../api/task-lists.ts'
import type { Task } from './groups.ts'

/** A task can move between the lists of one owner only. */
export const findPossibleLists = (lists: TaskLists, { listId }: Task): readonly TaskListInfo[] => {
  const owner = lists.find(listId)?.owner?.email
  return lists.lists.filter((list) => list.role !== 'viewer' && list.owner?.email === owner)
}
