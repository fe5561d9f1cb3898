import type { Shape } from '../../api/client.ts'

export const task = 'Task'
export const deleteTask = 'Delete task'
export const none = 'None'
export const savedText = (text: string) => `Saved: “${text}”.`

export const start = 'Start'
export const startTime = 'Start time'
export const reminder = 'Reminder'
export const section = 'Section'
export const parent = 'Parent task'
export const noParent = 'No parent task'
export const searchParent = 'Search tasks of the list'
export const assignee = 'Assignee'
export const nobody = 'Nobody'
export const assign = (name: string) => `Assign ${name}`
export const assignedTo = (person: string) => `Assigned to ${person}`
export const percentComplete = 'Progress (%)'
export const repeatFrom = 'Repeat from'
export const repeatsFrom = {
  due: 'Due date',
  completion: 'Completion',
} satisfies Record<Shape<'Task'>['recurrenceFrom'], string>
export const subtasks = 'Subtasks'
