// Texts of the calendar page: views, event details, quick create, import and private links.

import type { View } from '../../features/calendar/address.ts'
import type { Rsvp, Source, Status } from '../../features/calendar/event.ts'
import { formatNumber, plural } from '../format.ts'

export const pageName = (days: string) => `${days} · Kalender`
export const tooManyEvents = 'Zu viele Termine zum Anzeigen. Wähle weniger Tage.'
export const noMatches = 'Keine passenden Termine'
export const clearFilters = 'Filter zurücksetzen'
export const nothingPlanned = 'Nichts geplant. Klicke auf eine Zeit und schreib „Mittagessen mit Ana am See“.'
export const nothingPlannedTouch =
  'Nichts geplant. Tippe auf eine Zeit und schreib „Mittagessen mit Ana am See“.'

// Toolbar
export const views = {
  year: 'Jahr',
  month: 'Monat',
  week: 'Woche',
  day: 'Tag',
  agenda: 'Agenda',
} satisfies Record<View, string>
export const view = 'Ansicht'
export const today = 'Heute'
export const back = 'Zurück'
export const forward = 'Weiter'
export const goToDate = 'Gehe zu Datum'
export const go = 'Anzeigen'
export const date = 'Datum'
export const previousMonth = 'Voriger Monat'
export const nextMonth = 'Nächster Monat'
export const week = 'Woche'
export const weekNumber = (week: number) => `Kalenderwoche ${formatNumber(week)}`
export const weekNumberShort = (week: number) => `KW ${formatNumber(week)}`
export const secondZone = 'Zweite Zeitzone'
export const secondZoneMenu = 'Zweite Zeitzone …'
export const showZone = 'Anzeigen'
export const timeZone = 'Zeitzone'
export const weekNumbers = 'Wochennummern'
export const searchEvents = 'Termine suchen'
export const filter = 'Filter'
export const activeFilters = (count: number) =>
  plural(count, { one: 'Filter: 1 aktiv', other: `Filter: ${formatNumber(count)} aktiv` })
export const any = 'Alle'
export const moreActions = 'Weitere Kalenderaktionen'
export const importMenu = 'Importieren …'
export const exportMenu = 'Exportieren'
export const printMenu = 'Drucken'
export const subscribeMenu = 'Private Links …'
export const newEvent = 'Neuer Termin'
export const exported = 'Kalender exportiert'

// Events
export const status = 'Status'
export const statuses = {
  confirmed: 'Bestätigt',
  tentative: 'Vorläufig',
  cancelled: 'Abgesagt',
} satisfies Record<Status, string>
export const source = 'Quelle'
export const sources = {
  manual: 'Von dir erstellt',
  email: 'Aus einer E-Mail',
  chat: 'Vom Assistenten',
  bookingsvc: 'Buchung',
  ics: 'Importierte Datei',
  caldav: 'Synchronisierter Kalender',
} satisfies Record<Source, string>
export const rsvps = {
  'needs-action': 'Keine Antwort',
  accepted: 'Zugesagt',
  declined: 'Abgesagt',
  tentative: 'Vielleicht',
} satisfies Record<Rsvp, string>
export const allDay = 'Ganztägig'
export const allDayInLabel = 'ganztägig'
export const allDayRow = 'ganz\u00ADtägig'
/** Shortens a formatted range of times where space is scarce. */
export const shortHours = (hours: string) => hours.replace(/\sUhr$/, '')
export const timeRange = ({ start, end }: { start: string; end: string }) => `${start} bis ${end}`
export const bookedInLabel = 'gebucht'
export const repeatsInLabel = 'wiederholt sich'

// Views
export const hours = 'Stunden'
export const earlier = 'früher'
export const later = 'später'
export const fromTime = (time: string) => `ab ${time}`
export const untilTime = (time: string) => `bis ${time}`
export const dayOfDays = ({ day, days }: { day: number; days: number }) =>
  `Tag ${formatNumber(day)} von ${formatNumber(days)}`
export const online = 'Online'
export const repeats = 'Wiederholt sich'
export const attendeeCount = (count: number) =>
  plural(count, { one: '1 Person', other: `${formatNumber(count)} Teilnehmende` })
export const noEvents = 'Keine Termine'
export const eventsOnDay = ({ day, count }: { day: string; count: number }) =>
  plural(count, { one: `${day}: 1 Termin`, other: `${day}: ${formatNumber(count)} Termine` })
export const eventsOnToday = ({ day, count }: { day: string; count: number }) =>
  plural(count, { one: `${day}, heute: 1 Termin`, other: `${day}, heute: ${formatNumber(count)} Termine` })
export const moreOnDay = ({ count, day }: { count: number; day: string }) =>
  `${formatNumber(count)} weitere am ${day}`
export const moreEvents = 'weitere'

// Event details
export const time = 'Zeit'
export const location = 'Ort'
export const meetingLink = 'Besprechungslink'
export const attendees = 'Teilnehmende'
export const organizer = 'Organisiert'
export const reminders = 'Erinnerungen'
export const description = 'Beschreibung'
export const notes = 'Notizen'
export const tags = 'Schlagwörter'
export const timeInZone = ({ hours: time, city }: { hours: string; city: string }) =>
  `${time} (Zeitzone des Termins: ${city})`
export const repeatsOnDates = 'Wiederholt sich an ausgewählten Tagen'
export const bookingManaged = 'Buchung. Zeit, Status und Gäste folgen dem Buchungsanbieter.'
export const join = 'Teilnehmen'
export const buffer = 'Weg und Puffer'
export const bufferInLabel = (time: string) => `Weg oder Puffer: ${time}`
export const going = 'Nimmst du teil?'
export const answers = { accepted: 'Ja', tentative: 'Vielleicht', declined: 'Nein' }
export const remindersSaved = 'Erinnerungen gespeichert'
export const responseSent = (title: string) => `Antwort auf „${title}“ gesendet`

// Quick create
export const title = 'Titel'
export const titleExample = 'Kaffee mit Ben Montag 15 Uhr am See'
export const understoodKinds = {
  title: 'Titel',
  start: 'Beginn',
  end: 'Ende',
  allDay: 'Ganztägig',
  place: 'Ort',
  person: 'Person',
  recurrence: 'Wiederholung',
  reminder: 'Erinnerung',
  zone: 'Zeitzone',
}
export const moreOptionsKey = 'Umschalt+Enter'
export const addAsPlainText = 'Als reinen Text übernehmen'
export const moreOptions = 'Weitere Optionen'
export const create = 'Anlegen'

// Repeating events
export const changeSeries = 'Serientermin bearbeiten'
export const deleteSeries = 'Serientermin löschen'
export const respondToSeries = 'Auf Serientermin antworten'
export const change = 'Speichern'
export const respond = 'Senden'
export const whichEvents = 'Termine'
export const scopes = {
  this: 'Nur diesen Termin',
  following: 'Diesen und alle folgenden Termine',
  all: 'Alle Termine',
}

// Results of actions
export const eventAdded = (name: string) => `„${name}“ hinzugefügt`
export const eventSaved = (name: string) => `„${name}“ gespeichert`
export const eventMoved = (name: string) => `„${name}“ verschoben`
export const eventCopied = (name: string) =>
  `„${name}“ kopiert. Strg+V fügt den Termin am ausgewählten Tag ein.`
export const duplicate = 'Duplizieren'
export const moveCancelled = 'Verschieben abgebrochen'
export const moveUndone = 'Verschieben rückgängig gemacht'
export const eventDeleted = (name: string) => `„${name}“ gelöscht`
export const seriesDeleted = (name: string) => `„${name}“ und Wiederholungen gelöscht`
export const eventRestored = (name: string) => `„${name}“ wiederhergestellt`
export const overlapsWith = ({ text, first, others }: { text: string; first: string; others: number }) =>
  others === 0
    ? `${text}. Überschneidet sich mit „${first}“`
    : plural(others, {
        one: `${text}. Überschneidet sich mit „${first}“ und 1 weiteren Termin`,
        other: `${text}. Überschneidet sich mit „${first}“ und ${formatNumber(others)} weiteren Terminen`,
      })
export const show = 'Anzeigen'
export const changedMeanwhile = 'Der Termin wurde inzwischen geändert. Du siehst jetzt die neueste Version.'

// Tasks
export const showTasks = 'Aufgaben an ihrem Tag'
export const showTaskLane = 'Aufgabenliste neben den Stunden'
export const tasks = 'Aufgaben'
export const noTasks = 'Keine offenen Aufgaben'
export const taskLaneHint = 'Ziehe eine Aufgabe auf die Stunden'
export const plan = 'Einplanen'
export const planUndone = 'Planung rückgängig gemacht'
export const planTime = (name: string) => `Zeit für „${name}“ einplanen`
export const completeTask = (name: string) => `„${name}“ erledigen`
export const taskPlanned = ({ title, when }: { title: string; when: string }) =>
  `„${title}“ eingeplant: ${when}`

// Import
export const importTitle = 'Kalender importieren'
export const importAbout = 'Eine .ics-Datei. Vorhandene Termine werden nicht doppelt angelegt.'
export const importLost =
  'Verbindung verloren. Importiere die Datei noch einmal; vorhandene Termine werden nicht doppelt angelegt.'
export const fileTooLarge =
  'Import nicht möglich: Die Datei ist größer als 25 MB. Teile sie auf und versuche es erneut.'
export const dropFile = 'Datei hier ablegen oder'
export const chooseFile = 'Datei auswählen'
export const calendarFile = 'Kalenderdatei'
export const importing = (name: string) => `„${name}“ wird importiert …`
export const importProgress = (counts: {
  found: number
  created: number
  updated: number
  skipped: number
}) =>
  `${plural(counts.found, { one: '1 Eintrag', other: `${formatNumber(counts.found)} Einträge` })}: ${formatNumber(counts.created)} neu, ${formatNumber(counts.updated)} aktualisiert, ${formatNumber(counts.skipped)} übersprungen`
export const importDone = (report: {
  name: string
  created: number
  updated: number
  unchanged: number
  skipped: number
}) =>
  `„${report.name}“: ${plural(report.created, { one: '1 neuer Termin', other: `${formatNumber(report.created)} neue Termine` })}, ${formatNumber(report.updated)} aktualisiert, ${formatNumber(report.unchanged)} unverändert, ${formatNumber(report.skipped)} übersprungen`
export const line = 'Zeile'
export const skippedEntries = 'Übersprungene Einträge'
export const adjustedEntries = 'Angepasste Einträge'
export const imported = (name: string) => `„${name}“ importiert`
export const importUndone = 'Import rückgängig gemacht'
export const importAnother = 'Weitere Datei importieren'
export const done = 'Fertig'

// Private links
export const privateLinks = 'Private Links'
export const privateLinksAbout = 'Zeige diesen Kalender in einer anderen App. Ein Link pro App.'
export const newPrivateLink = 'Neuer privater Link'
export const linkName = 'Name'
export const linkNameExample = 'Handy'
export const createLink = 'Link erstellen'
export const noPrivateLinks = 'Keine privaten Links'
export const neverUsed = 'nie verwendet'
export const lastUsed = (when: string) => `verwendet ${when}`
export const revoke = 'Widerrufen'
export const revokeLink = (name: string) => `${name} widerrufen`
export const linkCreated = 'Privater Link erstellt'
export const linkCreatedAbout =
  'Füge ihn in deiner Kalender-App hinzu. Wer diesen Link hat, kann deinen Kalender lesen. Kopiere ihn jetzt; er wird nur einmal angezeigt.'
export const revokeQuestion = (name: string) => `„${name}“ widerrufen?`
export const revokeAbout =
  'Apps, die diesen Link verwenden, verlieren den Zugriff. Das lässt sich nicht rückgängig machen.'
export const linkRevoked = (name: string) => `„${name}“ widerrufen`
