import { formatNumber, plural } from '../format.ts'

export const addSubtask = 'Unteraufgabe hinzufügen'
export const addSubtaskTo = (name: string) => `Unteraufgabe von ${name}`
export const addTaskTo = (section: string) => `Aufgabe hinzufügen zu ${section}`
export const showSubtasks = (name: string) => `Unteraufgaben von ${name} anzeigen`
export const hideSubtasks = (name: string) => `Unteraufgaben von ${name} ausblenden`
export const indent = 'Zur Unteraufgabe machen'
export const outdent = 'Aus der Aufgabe herausnehmen'
export const moveUp = 'Nach oben'
export const moveDown = 'Nach unten'
export const taskMoved = (name: string) => `„${name}“ verschoben`

export const addSection = 'Abschnitt hinzufügen'
export const sectionName = 'Name des Abschnitts'
export const sectionActions = (name: string) => `Aktionen für Abschnitt ${name}`
export const rename = 'Umbenennen'
export const renameSection = 'Abschnitt umbenennen'
export const deleteSection = (name: string) => `Abschnitt „${name}“ löschen?`
export const deleteSectionHelp = 'Seine Aufgaben bleiben in der Liste.'

export const completeTitle = (name: string) => `„${name}“ erledigen?`
export const openSubtasks = (count: number) =>
  plural(count, {
    one: 'Sie hat 1 offene Unteraufgabe.',
    other: `Sie hat ${formatNumber(count)} offene Unteraufgaben.`,
  })
export const completeAll = 'Alle erledigen'
export const onlyThisTask = 'Nur diese Aufgabe'
export const subtasksStayOpen = (count: number) =>
  plural(count, {
    one: '1 Unteraufgabe bleibt offen',
    other: `${formatNumber(count)} Unteraufgaben bleiben offen`,
  })

export const days = { today: 'Heute', upcoming: 'Demnächst' }
export const noneToday = 'Heute ist nichts fällig'
export const noneUpcoming = 'Keine anstehenden Aufgaben'
export const rescheduleAll = 'Alle verschieben'
export const rescheduleDays = {
  today: 'Heute',
  tomorrow: 'Morgen',
  weekend: 'Am Wochenende',
  nextWeek: 'Nächste Woche',
}

export const select = 'Auswählen'
export const selected = 'Ausgewählt'
export const selectedTasks = 'Ausgewählte Aufgaben'
export const clearSelection = 'Auswahl aufheben'
export const selectedCount = (count: number) =>
  plural(count, { one: '1 ausgewählt', other: `${formatNumber(count)} ausgewählt` })
export const completeSelected = 'Erledigen'
export const moveToList = 'In Liste verschieben'
export const tasksCompleted = (count: number) =>
  plural(count, { one: '1 Aufgabe erledigt', other: `${formatNumber(count)} Aufgaben erledigt` })
export const tasksChanged = (count: number) =>
  plural(count, { one: '1 Aufgabe geändert', other: `${formatNumber(count)} Aufgaben geändert` })
export const tasksDeleted = (count: number) =>
  plural(count, { one: '1 Aufgabe gelöscht', other: `${formatNumber(count)} Aufgaben gelöscht` })
