import { formatNumber, plural } from '../format.ts'

export const addSubtask = 'Add subtask'
export const addSubtaskTo = (name: string) => `Subtask of ${name}`
export const addTaskTo = (section: string) => `Add task to ${section}`
export const showSubtasks = (name: string) => `Show subtasks of ${name}`
export const hideSubtasks = (name: string) => `Hide subtasks of ${name}`
export const indent = 'Make subtask'
export const outdent = 'Move out of parent'
export const moveUp = 'Move up'
export const moveDown = 'Move down'
export const taskMoved = (name: string) => `“${name}” moved`

export const addSection = 'Add section'
export const sectionName = 'Name of the section'
export const sectionActions = (name: string) => `Actions for section ${name}`
export const rename = 'Rename'
export const renameSection = 'Rename section'
export const deleteSection = (name: string) => `Delete section “${name}”?`
export const deleteSectionHelp = 'Its tasks stay in the list.'

export const completeTitle = (name: string) => `Complete “${name}”?`
export const openSubtasks = (count: number) =>
  plural(count, { one: 'It has 1 open subtask.', other: `It has ${formatNumber(count)} open subtasks.` })
export const completeAll = 'Complete all'
export const onlyThisTask = 'Only this task'
export const subtasksStayOpen = (count: number) =>
  plural(count, { one: '1 subtask stays open', other: `${formatNumber(count)} subtasks stay open` })

export const days = { today: 'Today', upcoming: 'Upcoming' }
export const noneToday = 'Nothing due today'
export const noneUpcoming = 'No upcoming tasks'
export const rescheduleAll = 'Reschedule all'
export const rescheduleDays = {
  today: 'Today',
  tomorrow: 'Tomorrow',
  weekend: 'This weekend',
  nextWeek: 'Next week',
}

export const select = 'Select'
export const selected = 'Selected'
export const selectedTasks = 'Selected tasks'
export const clearSelection = 'Clear selection'
export const selectedCount = (count: number) =>
  plural(count, { one: '1 selected', other: `${formatNumber(count)} selected` })
export const completeSelected = 'Complete'
export const moveToList = 'Move to list'
export const tasksCompleted = (count: number) =>
  plural(count, { one: '1 task completed', other: `${formatNumber(count)} tasks completed` })
export const tasksChanged = (count: number) =>
  plural(count, { one: '1 task changed', other: `${formatNumber(count)} tasks changed` })
export const tasksDeleted = (count: number) =>
  plural(count, { one: '1 task deleted', other: `${formatNumber(count)} tasks deleted` })
