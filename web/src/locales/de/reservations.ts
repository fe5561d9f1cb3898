/** Texte der Karten für Reisen, Aufenthalte, Pakete und Rechnungen in einer E-Mail. */

export const departure = 'Abfahrt'
export const arrival = 'Ankunft'
export const checkIn = 'Anreise'
export const checkOut = 'Abreise'
export const pickUp = 'Abholung'
export const dropOff = 'Rückgabe'
export const starts = 'Beginn'
export const ends = 'Ende'
export const delivery = 'Erwartet'
export const ordered = 'Bestellt'
export const amount = 'Betrag'
export const due = 'Fällig'
export const place = 'Ort'
export const number = 'Nummer'
export const seat = 'Sitzplatz'
export const platform = 'Gleis oder Gate'
export const travellers = 'Reisende'
export const items = 'Artikel'
export const statuses = {
  confirmed: '',
  pending: '',
  cancelled: 'Storniert',
  paid: 'Bezahlt',
  delivered: 'Zugestellt',
}
export const zoneAssumed = 'In deiner Zeitzone. Die E-Mail nennt keine.'
export const trackParcel = 'Sendung verfolgen'
export const addAll = 'Alle hinzufügen'
export const addToCalendar = 'Zum Kalender hinzufügen'
export const addToCalendarNamed = (title: string) => `Zum Kalender hinzufügen: ${title}`
export const updateCalendar = 'Kalender aktualisieren'
export const updateCalendarNamed = (title: string) => `Kalender aktualisieren: ${title}`
export const addTask = 'Aufgabe hinzufügen'
export const addTaskNamed = (title: string) => `Aufgabe hinzufügen: ${title}`
export const updateTask = 'Aufgabe aktualisieren'
export const updateTaskNamed = (title: string) => `Aufgabe aktualisieren: ${title}`
export const inCalendar = 'In deinem Kalender'
export const inTasks = 'In deinen Aufgaben'
export const showInCalendar = 'Im Kalender zeigen'
export const openTask = 'Aufgabe öffnen'
export const changed = 'Diese E-Mail ändert den Eintrag.'
export const outdated = 'Überholt. Eine spätere E-Mail hat den Eintrag geändert.'
export const calendarUpdated = 'Kalender aktualisiert'
export const tasksUpdated = 'Aufgaben aktualisiert'
export const undone = 'Rückgängig gemacht'
export const list = 'Buchungen in dieser E-Mail'
