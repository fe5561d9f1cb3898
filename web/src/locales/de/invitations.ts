/** Texte zu Einladungen: die Karte in einer E-Mail und die Frage vor dem Senden von Einladungen. */

export const kinds: Readonly<Record<string, string>> = {
  REQUEST: 'Einladung',
  CANCEL: 'Absage',
  REPLY: 'Antwort',
  COUNTER: 'Anderer Termin vorgeschlagen',
}
export const event = 'Termin'
export const untitled = 'Ohne Titel'
export const cardTitle = ({ kind, title }: { kind: string; title: string }) => `${kind}: ${title}`
export const states = {
  ready: 'Dein Kalender wird aktualisiert.',
  applied: 'Dein Kalender wurde automatisch aktualisiert.',
  undone: 'Die Aktualisierung wurde rückgängig gemacht.',
  removed: 'Aus deinem Kalender entfernt.',
  current: 'Dein Kalender ist aktuell.',
  outdated: 'Überholt. Dein Kalender hat einen neueren Stand.',
}
export const addedAsTentative = 'Mit Vorbehalt in deinem Kalender.'
export const cancelled = 'Dieser Termin ist abgesagt.'
export const was = (text: string) => `Geändert, bisher: ${text}`
export const now = (text: string) => `In deinem Kalender: ${text}`
export const time = 'Zeit'
export const location = 'Ort'
export const organizer = 'Organisator'
export const organizedBy = (name: string) => `Organisiert von ${name}`
export const attendees = 'Teilnehmer'
export const attendeeCount = (count: number) => `${count} Teilnehmer`
export const repeats = 'Wiederholung'
export const repeatsOnDates = 'Wiederholt sich an bestimmten Tagen'
export const meetingLink = 'Videolink'
export const conflicts = 'Überschneidungen'
export const conflictsWith = (titles: string) => `Zur gleichen Zeit: ${titles}`
export const timeInPlace = ({ time, place }: { time: string; place: string }) => `${time} in ${place}`
export const allDay = ({ day }: { day: string }) => `${day}, ganztägig`
export const going = 'Nimmst du teil?'
export const answers = { accepted: 'Zusagen', tentative: 'Vielleicht', declined: 'Ablehnen' }
export const yourAnswer = {
  accepted: 'Du hast zugesagt.',
  tentative: 'Du hast mit „Vielleicht“ geantwortet.',
  declined: 'Du hast abgelehnt.',
}
export const addNote = 'Nachricht hinzufügen'
export const note = 'Nachricht an den Organisator'
export const answerSent = (name: string) => `Antwort an ${name} gesendet`
export const showInCalendar = 'Im Kalender anzeigen'
export const addToCalendar = 'Zum Kalender hinzufügen'
export const updateCalendar = 'Kalender aktualisieren'
export const calendarUpdated = 'Kalender aktualisiert'
export const undone = 'Rückgängig gemacht'

export const sendInvitations = 'Einladungen senden?'
export const sendUpdates = 'Änderung mitteilen?'
export const sendCancellation = 'Absage senden?'
export const tellOrganizer = 'Organisator benachrichtigen?'
export const sendTo = (names: string) => `Die E-Mail geht an ${names}.`
export const declineTo = (name: string) => `${name} erfährt, dass du absagst.`
export const sendFrom = 'Senden von'
export const send = 'Senden'
export const doNotSend = 'Nicht senden'
export const back = 'Zurück'
export const withInvitations = (text: string) => `${text}. E-Mail wird gesendet.`
