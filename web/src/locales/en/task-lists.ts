export const lists = 'Lists'
export const allTasks = 'All tasks'
export const inbox = 'Inbox'
export const list = 'List'
export const chosenList = (name: string) => `List: ${name}`
export const listOf = ({ name: task, list: chosen }: { name: string; list: string }) =>
  `List of ${task}: ${chosen}`
export const newList = 'New list'
export const editList = 'Edit list'
export const changeColor = 'Change color'
export const addList = 'Add list'
export const name = 'Name'
export const actionsFor = (named: string) => `Actions for ${named}`
export const showInAllTasks = (named: string) => `Show ${named} in All tasks`
export const shared = 'Shared'
export const sharedWithYou = 'Shared with you'
export const viewOnly = (owner: string) => `Can view. Only ${owner} and editors can change this list.`

export const listAdded = (named: string) => `List “${named}” added`
export const listSaved = (named: string) => `List “${named}” saved`
export const listDeleted = (named: string) => `List “${named}” deleted`

export const deleteTitle = (named: string) => `Delete “${named}”?`
export const deleteHelp = 'Its tasks move to the Inbox.'
export const deleteSharedHelp =
  'Its tasks move to your Inbox. People with whom you share the list lose access.'
export const deleteTasksToo = 'Delete its tasks too. This cannot be undone.'

export const noTasksInList = 'No tasks in this list'
export const noTasksToView = 'Tasks of others appear here.'
export const listGone = 'This list is not available'
export const listGoneHelp = 'It was deleted, or it is no longer shared with you.'
export const showAllTasks = 'Show all tasks'

export const changedBy = (person: string) => `Changed by ${person}`
export const lastChangedBy = (person: string) => `Last changed by ${person}`
export const viewerReminder = 'You can view this task and set your own reminder.'
export const completed = 'Completed'
export const sharedList = ({ name: named, owner }: { name: string; owner: string }) => `${named} (${owner})`
