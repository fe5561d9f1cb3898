export const time = 'Zeit'
export const startTimer = 'Stoppuhr starten'
export const stopTimer = 'Stoppuhr anhalten'
export const runningTimer = 'Laufende Stoppuhr'
export const stopTimerOf = (title: string) => `Stoppuhr für „${title}“ anhalten`
export const timerStarted = (title: string) => `Stoppuhr für „${title}“ gestartet`
export const timerStopped = (title: string) => `Stoppuhr für „${title}“ angehalten`
export const otherTimerStopped = (title: string) => `Stoppuhr für „${title}“ gestartet, die andere angehalten`
export const tracked = (duration: string) => `Gesamt: ${duration}`
export const running = 'läuft'
export const addTime = 'Zeit eintragen'
export const editTime = 'Zeit bearbeiten'
export const day = 'Tag'
export const from = 'Von'
export const to = 'Bis'
export const note = 'Notiz'
export const entryActions = ({ person, when }: { person: string; when: string }) =>
  `Aktionen für die Zeit von ${person}, ${when}`
export const timeDeleted = 'Zeiteintrag gelöscht'
export const timeRestored = 'Zeiteintrag wiederhergestellt'
