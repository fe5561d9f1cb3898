import { formatNumber, plural } from '../format.ts'

export const skipToContent = 'Zum Inhalt springen'
export const homeLink = 'Factotum, Start'
export const mainNavigation = 'Hauptnavigation'
export const pages = {
  home: 'Start',
  mail: 'E-Mail',
  calendar: 'Kalender',
  tasks: 'Aufgaben',
  contacts: 'Kontakte',
  commitments: 'Zusagen',
  assistant: 'Assistent',
  stream: 'Stream',
  insights: 'Einblicke',
  audit: 'Audit',
  settings: 'Einstellungen',
}
export const assistantPanel = 'Assistent an der Seite'
export const toggleAssistant = 'Assistenten öffnen oder schließen'
export const more = 'Mehr'
export const arrangeNavigation = 'Navigation anordnen'
export const arrangeNavigationHelp = 'Andere Seiten stehen unter „Mehr“. Auf diesem Gerät gespeichert.'
export const movePageUp = (page: string) => `Nach oben: ${page}`
export const movePageDown = (page: string) => `Nach unten: ${page}`
export const resetNavigation = 'Zurücksetzen'
export const navigationDone = 'Fertig'
export const connectionStates = { live: 'Live', connecting: 'Verbindung wird hergestellt …' }
export const offline =
  'Factotum ist nicht erreichbar. Diese Seite ist vielleicht nicht aktuell. Neuer Versuch läuft …'
export const pageNotFound = 'Seite nicht gefunden'
export const pageNotFoundHelp = 'Prüfe die Adresse oder öffne eine andere Seite.'
export const account = 'Konto'
export const accountPrefix = 'Konto:'
export const profile = 'Profil'
export const appearance = 'Darstellung'
export const themes = { system: 'System', light: 'Hell', dark: 'Dunkel' }
export const language = 'Sprache'
export const languageSaved = 'Sprache gespeichert. Lade die Seite neu, um sie zu verwenden.'
export const help = 'Hilfe'
export const shortcuts = 'Tastenkürzel'
export const apiReference = 'API-Referenz'
export const signOut = 'Abmelden'
export const signOutFailed =
  'Du bist noch angemeldet: Factotum ist nicht erreichbar. Versuche es noch einmal.'

export const notifications = 'Benachrichtigungen'
export const newNotifications = (count: number) => `Benachrichtigungen, ${formatNumber(count)} neu`
export const unreadCount = (count: number) =>
  plural(count, {
    one: '1 ungelesene Benachrichtigung',
    other: `${formatNumber(count)} ungelesene Benachrichtigungen`,
  })
export const unread = 'Ungelesen:'
/** The server gives this reason in English. Other reasons are the words of a mail server. */
const NO_ACCOUNT = 'No mail account can send mail.'
export const emailFailed = (reason: string) =>
  `E-Mail nicht gesendet: ${reason === NO_ACCOUNT ? 'Kein E-Mail-Konto kann senden.' : reason}`
export const emailUncertain = 'E-Mail wurde vielleicht nicht gesendet'
export const undoNotification = (title: string) => `Rückgängig: ${title}`
export const deleteNotification = (title: string) => `Löschen: ${title}`
export const noNotifications = 'Keine Benachrichtigungen'
export const noNotificationsHelp = 'Neue Benachrichtigungen erscheinen hier.'
export const undone = 'Rückgängig gemacht'
export const markAllRead = 'Als gelesen markieren'
export const deleteAll = 'Alle löschen'

export const timeZone = 'Zeitzone'
export const otherTimeZone = ({ device, account }: { device: string; account: string }) =>
  `Dein Gerät ist auf ${device} eingestellt, Factotum auf ${account}.`
export const switchTimeZone = (city: string) => `${city} verwenden`
export const keepTimeZone = (city: string) => `${city} behalten`
export const timeZoneChanged = (city: string) => `Zeitzone auf ${city} geändert`

export const singleKeys = 'Tastenkürzel mit einer Taste verwenden'
export const singleKeysHint = 'Bei Sprachsteuerung ausschalten'
export const everywhere = 'Überall'
export const goTo = (page: string) => `Gehe zu: ${page}`
export const thenKey = (key: string) => `<kbd>g</kbd> dann <kbd>${key}</kbd>`
export const openPalette = 'Befehlspalette'
export const quickAdd = 'Schnell hinzufügen'
export const searchPage = 'Auf dieser Seite suchen'
export const undoLast = 'Rückgängig'
export const lastNotification = 'Zur letzten Meldung springen'
export const showShortcuts = 'Tastenkürzel anzeigen'
export const submit = 'Senden oder speichern'
export const closeOverlay = 'Dialog oder Menü schließen'
export const dueTodayOrTomorrow = 'Fällig heute, morgen'
export const dueWeekendOrNextWeek = 'Fällig am Wochenende, nächste Woche'
export const noDueDate = 'Ohne Datum'
export const addSubtask = 'Unteraufgabe hinzufügen'
export const changeTitle = 'Titel ändern'
export const changeValues = 'Datum, Priorität, Liste oder Zuständige ändern'
export const indentAndOutdent = 'Zur Unteraufgabe machen und zurück'
export const moveTask = 'Nach oben und unten verschieben'
export const foldAndUnfold = 'Unteraufgaben aus- und einblenden'
export const newTask = 'Neue Aufgabe'
export const nextAndPrevious = 'Nächster und vorheriger Eintrag'
export const open = 'Öffnen'
export const completeOrReopen = 'Erledigen oder wieder öffnen'
export const moveToFolder = 'In Ordner verschieben'
export const snooze = 'Zurückstellen'
export const pin = 'Anheften oder lösen'
export const spam = 'Als Spam melden'
export const deleteItem = 'Löschen'
export const select = 'Auswählen'
export const selectAll = 'Alle auswählen'
export const archive = 'Archivieren'
export const readOrUnread = 'Als gelesen oder ungelesen markieren'
export const star = 'Mit Stern markieren'
export const replies = 'Antworten, allen antworten, weiterleiten'
export const newEmail = 'Neue E-Mail'
export const newEvent = 'Neuer Termin'
export const today = 'Heute'
export const forwardAndBack = 'Vor und zurück'
export const calendarViews = 'Tag, Woche, Monat, Jahr, Agenda'
export const moveEvent = 'Ausgewählten Termin verschieben'
export const goToDate = 'Gehe zu Datum'
export const editEvent = 'Ausgewählten Termin bearbeiten'
export const changeEnd = 'Sein Ende ändern'
export const changeStart = 'Seinen Beginn ändern'
export const toAllDay = 'Ganztägig machen'
export const toHours = 'Mit Uhrzeit versehen'
export const copyEvent = 'Termin kopieren und einfügen'
export const deleteKey = 'Entf'
export const shiftKey = 'Umschalt'
export const arrowKeys = 'Pfeil'
export const pageUpKey = 'Bild auf'
export const pageDownKey = 'Bild ab'
export const controlKey = 'Strg'
/** Name of the field that takes the keys until a dialog has loaded. */
export const typeAhead = 'Wird geladen. Du kannst schon tippen.'
export const collapseNavigation = 'Navigation einklappen'
export const expandNavigation = 'Navigation ausklappen'
export const snoozeChoice = 'Bis zu einem Vorschlag zurückstellen'
export const addTag = 'Tag hinzufügen'
export const join = 'Teilnehmen'
export const joinEvent = (title: string) => `Teilnehmen: ${title}`
