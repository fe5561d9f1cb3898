import type { Shape } from '../../api/client.ts'

export const task = 'Aufgabe'
export const deleteTask = 'Aufgabe löschen'
export const none = 'Keine Angabe'
export const savedText = (text: string) => `Gespeichert ist: „${text}“.`

export const start = 'Beginn'
export const startTime = 'Uhrzeit des Beginns'
export const reminder = 'Erinnerung'
export const section = 'Abschnitt'
export const parent = 'Übergeordnete Aufgabe'
export const noParent = 'Keine übergeordnete Aufgabe'
export const searchParent = 'Aufgaben der Liste suchen'
export const assignee = 'Zuständig'
export const nobody = 'Niemand'
export const assign = (name: string) => `${name} zuweisen`
export const assignedTo = (person: string) => `Zuständig: ${person}`
export const percentComplete = 'Fortschritt (%)'
export const repeatFrom = 'Wiederholen ab'
export const repeatsFrom = {
  due: 'Fälligkeit',
  completion: 'Erledigung',
} satisfies Record<Shape<'Task'>['recurrenceFrom'], string>
export const subtasks = 'Unteraufgaben'
