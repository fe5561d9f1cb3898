export const time = 'Time'
export const startTimer = 'Start timer'
export const stopTimer = 'Stop timer'
export const runningTimer = 'Running timer'
export const stopTimerOf = (title: string) => `Stop the timer of “${title}”`
export const timerStarted = (title: string) => `Timer of “${title}” started`
export const timerStopped = (title: string) => `Timer of “${title}” stopped`
export const otherTimerStopped = (title: string) => `Timer of “${title}” started, the other one stopped`
export const tracked = (duration: string) => `Total: ${duration}`
export const running = 'running'
export const addTime = 'Add time'
export const editTime = 'Edit time'
export const day = 'Day'
export const from = 'From'
export const to = 'To'
export const note = 'Note'
export const entryActions = ({ person, when }: { person: string; when: string }) =>
  `Actions for the time of ${person}, ${when}`
export const timeDeleted = 'Time entry deleted'
export const timeRestored = 'Time entry restored'
