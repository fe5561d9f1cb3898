// Texte zu Importen von Dateien aus anderen Programmen.
import { formatNumber, plural } from '../format.ts'

export const uploadAbout =
  'E-Mails (mbox, Maildir), Google Takeout, iCalendar, vCard, Outlook-CSV, Todoist, TickTick und Vikunja. Importiert wird erst, nachdem du das Ergebnis eines Probelaufs gesehen hast.'
export const chooseFile = 'Dateien auswählen'
export const fileToImport = 'Dateien zum Importieren'
export const dropHere = 'Oder zieh Dateien hierher.'
export const howToExport = 'So exportierst du aus Gmail, Outlook oder Todoist'
export const uploading = (name: string) => `${name} wird hochgeladen`
export const none = 'Noch keine Importe'
export const noneAbout = 'Wähle eine Datei aus, um ihren Inhalt zu sehen.'
export const states = {
  uploading: 'Wird hochgeladen',
  analysing: 'Wird gelesen',
  ready: 'Bereit',
  running: 'Wird importiert',
  done: 'Fertig',
  failed: 'Fehlgeschlagen',
  cancelled: 'Abgebrochen',
  undoing: 'Wird rückgängig gemacht',
  undone: 'Rückgängig gemacht',
}
export const formats = {
  mbox: 'mbox',
  eml: 'E-Mail',
  maildir: 'Maildir',
  takeout: 'Google Takeout',
  ics: 'iCalendar',
  vcard: 'vCard',
  'contacts-csv': 'Kontakte (CSV)',
  'outlook-calendar-csv': 'Outlook-Kalender (CSV)',
  'todoist-csv': 'Todoist',
  'ticktick-csv': 'TickTick',
  vikunja: 'Vikunja',
  'google-tasks': 'Google Tasks',
  archive: 'Archiv',
}
export const kinds = { emails: 'E-Mails', contacts: 'Kontakte', events: 'Termine', tasks: 'Aufgaben' }
export const found = ({ count, duplicates }: { count: number; duplicates: number }) =>
  duplicates === 0
    ? formatNumber(count)
    : `${formatNumber(count)}, davon ${formatNumber(duplicates)} schon vorhanden`
export const examples = (texts: string) => `Zum Beispiel: ${texts}`
export const nothingFound = 'Die Datei enthält nichts zum Importieren.'
export const written = (counts: { created: number; updated: number; duplicates: number; skipped: number }) =>
  [
    plural(counts.created, { one: '1 neu', other: `${formatNumber(counts.created)} neu` }),
    ...(counts.updated > 0 ? [`${formatNumber(counts.updated)} aktualisiert`] : []),
    ...(counts.duplicates > 0 ? [`${formatNumber(counts.duplicates)} schon vorhanden`] : []),
    ...(counts.skipped > 0 ? [`${formatNumber(counts.skipped)} übersprungen`] : []),
  ].join(', ')
export const removed = ({ removed, kept }: { removed: number; kept: number }) =>
  kept === 0
    ? plural(removed, { one: '1 Eintrag entfernt', other: `${formatNumber(removed)} Einträge entfernt` })
    : `${formatNumber(removed)} entfernt, ${formatNumber(kept)} behalten, weil du sie geändert hast`
export const progress = ({ done, total }: { done: number; total: number | null }) =>
  total === null
    ? `${formatNumber(done)} Datensätze`
    : `${formatNumber(done)} von ${formatNumber(total)} Datensätzen`
export const progressOf = (name: string) => `Fortschritt von ${name}`
export const problems = (count: number) =>
  plural(count, {
    one: '1 Teil hat nicht gepasst',
    other: `${formatNumber(count)} Teile haben nicht gepasst`,
  })
export const showProblems = 'Anzeigen'
export const hideProblems = 'Ausblenden'
export const downloadProblems = 'Als CSV herunterladen'
export const line = (number: number) => `Zeile ${formatNumber(number)}`
export const severities = { skipped: 'Nicht importiert', changed: 'Geändert', unknown: 'Unbekannt' }
export const moreProblems = (count: number) =>
  plural(count, {
    one: '1 weiterer in der CSV-Datei',
    other: `${formatNumber(count)} weitere in der CSV-Datei`,
  })
export const mailAccount = 'E-Mail-Konto'
export const noAccount = 'Kein Konto (lokale E-Mails)'
export const mailFolder = 'E-Mail-Ordner'
export const folders = {
  auto: 'Wie in der Datei',
  inbox: 'Posteingang',
  sent: 'Gesendet',
  drafts: 'Entwürfe',
  archive: 'Archiv',
  trash: 'Papierkorb',
  junk: 'Spam',
}
export const calendar = 'Kalender'
export const defaultCalendar = 'Standardkalender'
export const taskList = 'Aufgabenliste'
export const listsOfFile = 'Listen wie in der Datei'
export const timeZone = 'Zeitzone'
export const timeZoneHint = 'Für Zeiten ohne Zeitzone'
export const start = 'Importieren'
export const startAgain = 'Fortsetzen'
export const cancelImport = 'Import abbrechen'
export const undoImport = 'Import rückgängig machen'
export const undoAbout =
  'Entfernt, was dieser Import hinzugefügt hat. Einträge, die du seitdem geändert hast, bleiben.'
export const undoTitle = (name: string) => `Import von ${name} rückgängig machen?`
export const deleteRecord = (name: string) => `Bericht zu ${name} löschen`
