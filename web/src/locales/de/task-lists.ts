export const lists = 'Listen'
export const allTasks = 'Alle Aufgaben'
export const inbox = 'Eingang'
export const list = 'Liste'
export const chosenList = (name: string) => `Liste: ${name}`
export const listOf = ({ name: task, list: chosen }: { name: string; list: string }) =>
  `Liste von ${task}: ${chosen}`
export const newList = 'Neue Liste'
export const editList = 'Liste bearbeiten'
export const changeColor = 'Farbe ändern'
export const addList = 'Liste hinzufügen'
export const name = 'Name'
export const actionsFor = (named: string) => `Aktionen für ${named}`
export const showInAllTasks = (named: string) => `${named} unter „Alle Aufgaben“ anzeigen`
export const shared = 'Freigegeben'
export const sharedWithYou = 'Für dich freigegeben'
export const viewOnly = (owner: string) =>
  `Kann ansehen. Nur ${owner} und Personen mit Bearbeitungsrecht können diese Liste ändern.`

export const listAdded = (named: string) => `Liste „${named}“ hinzugefügt`
export const listSaved = (named: string) => `Liste „${named}“ gespeichert`
export const listDeleted = (named: string) => `Liste „${named}“ gelöscht`

export const deleteTitle = (named: string) => `„${named}“ löschen?`
export const deleteHelp = 'Die Aufgaben werden in den Eingang verschoben.'
export const deleteSharedHelp =
  'Die Aufgaben werden in deinen Eingang verschoben. Personen, für die du die Liste freigibst, verlieren den Zugriff.'
export const deleteTasksToo = 'Auch die Aufgaben löschen. Das lässt sich nicht rückgängig machen.'

export const noTasksInList = 'Keine Aufgaben in dieser Liste'
export const noTasksToView = 'Aufgaben anderer erscheinen hier.'
export const listGone = 'Diese Liste ist nicht verfügbar'
export const listGoneHelp = 'Sie wurde gelöscht oder ist nicht mehr für dich freigegeben.'
export const showAllTasks = 'Alle Aufgaben anzeigen'

export const changedBy = (person: string) => `Geändert von ${person}`
export const lastChangedBy = (person: string) => `Zuletzt geändert von ${person}`
export const viewerReminder = 'Du kannst diese Aufgabe ansehen und dir selbst eine Erinnerung setzen.'
export const completed = 'Erledigt'
export const sharedList = ({ name: named, owner }: { name: string; owner: string }) => `${named} (${owner})`
