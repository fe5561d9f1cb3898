export const commitments = 'Promises'
export const about = 'Found in your mail. Closed automatically once an email or the task shows they are done.'
export const show = 'Show'
export const views = {
  mine: 'I promised',
  theirs: 'Promised to me',
  done: 'Done',
  dismissed: 'Dismissed',
}

export const none = {
  mine: 'No open promises of yours',
  theirs: 'Nobody owes you anything',
  done: 'No kept promises yet',
  dismissed: 'Nothing dismissed',
}
export const noneHelp = {
  mine: 'When you write “I’ll send it by Friday”, it appears here.',
  theirs: 'When someone writes “I’ll call you tomorrow”, it appears here.',
  done: 'Promises that were kept appear here.',
  dismissed: 'Promises that you dismissed appear here. You can reopen them.',
}

export const to = (name: string) => `To ${name}`
export const from = (name: string) => `From ${name}`
export const due = (when: string) => `Due ${when}`
export const overdue = (when: string) => `Overdue since ${when}`
export const noDate = 'No date'
export const promisedOn = 'Promised'
export const openEmail = 'Open email'
export const openTask = 'Open task'

export const done = 'Done'
export const markDone = (text: string) => `Done: ${text}`
export const dismiss = 'Dismiss'
export const makeTask = 'Create task'
export const reopen = 'Reopen'
export const reopenCommitment = (text: string) => `Reopen: ${text}`
export const actionsFor = (text: string) => `Actions for “${text}”`

export const maybeDone = 'May be done:'
export const notYet = 'Not yet'
export const notYetCommitment = (text: string) => `Not yet: ${text}`
export const showEvidence = 'Open email'

export const closedBy = {
  email: 'Closed by an email',
  task: 'Closed by its task',
  user: 'Closed by you',
}

export const markedDone = 'Promise done'
export const dismissed = 'Promise dismissed'
export const reopened = 'Promise reopened'
export const taskCreated = 'Task created'
export const kept = 'Kept open'

export const person = 'Person'
export const everybody = 'Everybody'
export const noneWith = 'No promises with this person'
export const showEverybody = 'Show everybody'
export const edit = 'Edit…'
export const editCommitment = 'Edit promise'
export const text = 'Promise'
export const dueDay = 'Due date'
export const dueTime = 'Due time'
export const dueTimeHint = 'Empty: the whole day'
export const saved = 'Promise saved'
export const restored = 'Promise restored'
