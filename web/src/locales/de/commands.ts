// Texts of the command palette, of quick add and of the commands that pages add to the palette.
import { formatNumber, plural } from '../format.ts'

export const palette = 'Befehlspalette'
export const placeholder = 'Suchen oder Befehl eingeben'
export const results = 'Ergebnisse'
export const resultCount = (count: number) =>
  plural(count, { one: '1 Ergebnis', other: `${formatNumber(count)} Ergebnisse` })
export const noResults = 'Keine Ergebnisse'
export const groups = {
  recent: 'Zuletzt verwendet',
  create: 'Erstellen',
  goTo: 'Gehe zu',
  commands: 'Befehle',
  emails: 'E-Mails',
  tasks: 'Aufgaben',
  events: 'Termine',
  settings: 'Einstellungen',
  search: 'Aktionen',
}
export const newEmail = 'Neue E-Mail'
export const newEmailKeywords = 'schreiben verfassen nachricht'
export const newEvent = 'Neuer Termin'
export const newEventKeywords = 'besprechung treffen kalender erstellen'
export const newTask = 'Neue Aufgabe'
export const newTaskKeywords = 'todo erinnerung erstellen'
export const quickAdd = 'Schnell hinzufügen'
export const quickAddKeywords = 'neue aufgabe neuer termin erstellen'
export const askAssistant = 'Den Assistenten fragen'
export const assistantKeywords = 'ki chat hilfe zusammenfassen'
export const subscriptions = 'Abonnements'
export const subscriptionsKeywords = 'newsletter mailinglisten abbestellen'
export const rules = 'Regeln'
export const rulesKeywords = 'filter e-mail automatisierung'
export const theme = 'Design wechseln'
export const themeKeywords = 'darstellung dunkel hell modus farben theme'
export const themeNames = { system: 'Design des Systems', light: 'Helles Design', dark: 'Dunkles Design' }
export const languageKeywords = 'sprache language englisch deutsch'
export const switchLanguage = (language: string) => `Sprache ändern: ${language}`
export const shortcuts = 'Tastenkürzel'
export const shortcutsKeywords = 'tastatur hilfe'
export const print = 'Diese Seite drucken'
export const printKeywords = 'papier pdf'
export const signOut = 'Abmelden'
export const signOutKeywords = 'ausloggen verlassen'
export const addTask = (text: string) => `Aufgabe „${text}“ hinzufügen`
export const searchMail = (text: string) => `E-Mails nach „${text}“ durchsuchen`
export const searchCalendar = (text: string) => `Kalender nach „${text}“ durchsuchen`
export const due = (day: string) => `Fällig ${day}`
export const statuses = { done: 'Erledigt', cancelled: 'Abgebrochen' }

export const selectedEmails = (count: number) =>
  plural(count, { one: '1 E-Mail ausgewählt', other: `${formatNumber(count)} E-Mails ausgewählt` })
export const archive = 'Archivieren'
export const moveToInbox = 'In den Posteingang verschieben'
export const star = 'Mit Stern markieren'
export const unstar = 'Stern entfernen'
export const markRead = 'Als gelesen markieren'
export const markUnread = 'Als ungelesen markieren'
export const addTag = 'Schlagwort hinzufügen …'
export const createTag = (tag: string) => `Schlagwort „${tag}“ erstellen`
export const remove = 'Löschen'
export const edit = 'Bearbeiten'
export const complete = 'Erledigen'
export const reopen = 'Wieder öffnen'
export const start = 'Beginnen'
export const setDue = 'Fälligkeit festlegen …'
export const today = 'Heute'
export const showDetails = 'Details anzeigen'
export const joinMeeting = 'Besprechung beitreten'
export const moveToTomorrow = 'Auf morgen verschieben'
export const moveByOneWeek = 'Um eine Woche verschieben'
export const duplicate = 'Duplizieren'
export const goToDate = 'Gehe zu Datum'
export const calendarViews = {
  year: 'Jahresansicht',
  month: 'Monatsansicht',
  week: 'Wochenansicht',
  day: 'Tagesansicht',
  agenda: 'Agendaansicht',
}

export const taskOrEvent = 'Art'
export const task = 'Aufgabe'
export const event = 'Termin'
export const taskText = 'Neue Aufgabe'
export const eventText = 'Neuer Termin'
export const taskExample = 'Miete zahlen jeden Monat am 1. !hoch #zuhause'
export const eventExample = 'Mittagessen mit Bo morgen um 12:30 für 1h'
export const add = 'Hinzufügen'
export const taskAdded = (title: string) => `Aufgabe „${title}“ hinzugefügt`
export const eventAdded = (title: string) => `Termin „${title}“ hinzugefügt`
export const notAdded = (title: string) => `„${title}“ gelöscht`
export const open = 'Öffnen'
export const needsDate = 'Füge einen Tag oder eine Uhrzeit hinzu, zum Beispiel „morgen um 9“.'
export const openFolder = (name: string) => `Ordner ${name}`
