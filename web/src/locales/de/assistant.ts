export const assistant = 'Assistent'
export const assistantHelp = 'Frage nach E-Mails, Aufgaben und Terminen'
export const conversations = 'Unterhaltungen'
export const conversation = 'Unterhaltung'
export const newConversation = 'Neue Unterhaltung'
export const deleteConversation = (title: string) => `„${title}“ löschen`
export const conversationDeleted = (title: string) => `„${title}“ gelöscht`
export const conversationRestored = (title: string) => `„${title}“ wiederhergestellt`

export const howCanIHelp = 'Wie kann ich helfen?'
export const asksFirst = 'Ich frage nach, bevor ich etwas sende, lösche oder Gäste benachrichtige.'
export const examples: readonly string[] = [
  'Was habe ich morgen?',
  'Wer wartet auf eine Antwort?',
  'Erinnere mich am Freitag, die Pflanzen zu gießen',
  'Wann habe ich diese Woche Zeit?',
]
export const message = 'Nachricht'
export const askOrTell = 'Stelle eine Frage oder gib einen Auftrag …'
export const send = 'Senden'
export const stop = 'Stopp'
export const you = 'Du:'
export const theAssistant = 'Assistent:'
export const unfinished = 'Diese Antwort ist unvollständig.'
export const notices = {
  no_tools: 'Dieses Modell hat keine Werkzeuge. Es konnte nichts nachsehen und nichts ändern.',
}
export const withoutModel = 'Ohne Sprachmodell beantwortet'
export const withModel = 'Von einem Sprachmodell beantwortet'
export const connectionLost = 'Verbindung verloren. Sende die Nachricht erneut.'

export const actionDone = (action: string) => `${action}: erledigt`
export const actionFailed = (action: string) => `${action}: fehlgeschlagen`
export const actionWaiting = (action: string) => `${action}: wartet auf deine Bestätigung`
export const actionUndone = (action: string) => `${action}: rückgängig gemacht`
export const actionRejected = (action: string) => `${action}: abgelehnt`
export const actionExpired = (action: string) => `${action}: abgelaufen`
export const undoAction = (action: string) => `Rückgängig: ${action}`
export const undone = 'Rückgängig gemacht'
export const done = 'Erledigt'

export const answers = 'Antworten'
export const needsConfirmation = 'Wartet auf deine Bestätigung'
export const confirm = 'Bestätigen'
export const reject = 'Ablehnen'
export const editAction = 'Bearbeiten …'
export const openDraft = 'Entwurf öffnen'
export const editActionTitle = 'Aktion bearbeiten'
export const editActionHelp = 'Wird genau so ausgeführt, wie es hier steht'
export const invalidJson = 'Der Text in Klammern ist nicht lesbar. Prüfe Anführungszeichen und Kommas.'
export const separateWithCommas = 'Mit Kommas trennen'
export const timeOf = (field: string) => `${field}: Uhrzeit`

export const tools: Readonly<Record<string, string>> = {
  audit_page: 'Seite prüfen',
  cancel_event: 'Termin absagen',
  change_stream: 'Stream ändern',
  create_contact: 'Kontakt anlegen',
  create_event: 'Termin anlegen',
  create_mail_rule: 'E-Mail-Regel anlegen',
  create_task: 'Aufgabe anlegen',
  delete_email: 'E-Mail löschen',
  delete_event: 'Termin löschen',
  delete_mail_rule: 'E-Mail-Regel löschen',
  delete_task: 'Aufgabe löschen',
  draft_email: 'E-Mail entwerfen',
  find_contact: 'Kontakt suchen',
  find_emails: 'E-Mails suchen',
  find_free_time: 'Freie Zeit suchen',
  find_unanswered: 'Unbeantwortete E-Mails suchen',
  get_briefing: 'Tagesüberblick abrufen',
  get_statistics: 'Statistik abrufen',
  get_stream: 'Stream anzeigen',
  list_booking_types: 'Terminarten anzeigen',
  list_bookings: 'Buchungen anzeigen',
  list_events: 'Termine auflisten',
  list_mail_rules: 'E-Mail-Regeln anzeigen',
  list_streams: 'Streams anzeigen',
  list_tasks: 'Aufgaben auflisten',
  move_event: 'Termin verschieben',
  read_email: 'E-Mail lesen',
  send_draft: 'Entwurf senden',
  send_email: 'E-Mail senden',
  sync_bookings: 'Buchungen abgleichen',
  tag_email: 'E-Mail einordnen',
  snooze_email: 'E-Mail zurückstellen',
  pin_email: 'E-Mail anheften',
  remind_if_unanswered: 'Ohne Antwort erinnern',
  update_event: 'Termin ändern',
  update_task: 'Aufgabe ändern',
  book_plan: 'Plan eintragen',
  change_emails: 'E-Mails ändern',
  change_tasks: 'Aufgaben ändern',
  get_priorities: 'Wichtiges suchen',
  invite_guests: 'Einladungen senden',
  list_calendars: 'Kalender auflisten',
  list_mail_folders: 'E-Mail-Ordner auflisten',
  list_mailing_lists: 'Newsletter auflisten',
  list_task_lists: 'Aufgabenlisten auflisten',
  propose_plan: 'Aufgaben einplanen',
  summarize_emails: 'E-Mails zusammenfassen',
  unsubscribe: 'Newsletter abbestellen',
}
export const fields: Readonly<Record<string, string>> = {
  add: 'Schlagwörter hinzufügen',
  allDay: 'Ganztägig',
  archived: 'Archiviert',
  attachments: 'Anhänge',
  attendees: 'Teilnehmende',
  bcc: 'Bcc',
  cc: 'Cc',
  date: 'Datum',
  description: 'Beschreibung',
  dueAt: 'Fällig',
  dueBefore: 'Fällig vor',
  end: 'Ende',
  estimateMinutes: 'Aufwand (Min.)',
  folder: 'Ordner',
  html: 'HTML',
  id: 'ID',
  limit: 'Höchstzahl',
  location: 'Ort',
  minutes: 'Minuten',
  notes: 'Notizen',
  occurrence: 'Einzelner Termin',
  priority: 'Priorität',
  query: 'Suche',
  read: 'Gelesen',
  recurrence: 'Wiederholen',
  remindAt: 'Erinnerung',
  remove: 'Schlagwörter entfernen',
  replyTo: 'Antwort an',
  sendAt: 'Senden am',
  starred: 'Markiert',
  start: 'Beginn',
  status: 'Status',
  subject: 'Betreff',
  tag: 'Schlagwort',
  tags: 'Schlagwörter',
  text: 'Text',
  title: 'Titel',
  to: 'An',
  unread: 'Ungelesen',
  urgency: 'Dringlichkeit',
}
