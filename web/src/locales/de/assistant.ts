import { formatNumber, plural } from '../format.ts'

export const assistant = 'Assistent'
export const assistantHelp = 'Frage nach E-Mails, Aufgaben und Terminen'
export const conversations = 'Unterhaltungen'
export const conversation = 'Unterhaltung'
export const newConversation = 'Neue Unterhaltung'
export const deleteConversation = (title: string) => `„${title}“ löschen`
export const conversationDeleted = (title: string) => `„${title}“ gelöscht`
export const renameConversation = 'Umbenennen …'
export const renameTitle = 'Unterhaltung umbenennen'
export const renamed = 'Umbenannt'
export const deleteLabel = 'Löschen'
export const moreFor = (title: string) => `Mehr: ${title}`
export const searchConversations = 'Unterhaltungen durchsuchen'
export const noConversations = 'Keine Unterhaltungen gefunden'
export const loadMore = 'Mehr laden'
export const openAsPage = 'Als Seite öffnen'
export const panelWidth = 'Breite des Assistenten'
export const backToChat = 'Zurück zur Unterhaltung'
export const showConversations = 'Unterhaltungen'
export const conversationRestored = (title: string) => `„${title}“ wiederhergestellt`

export const howCanIHelp = 'Wie kann ich helfen?'
export const asksFirst = 'Ich frage nach, bevor ich etwas sende, lösche oder Gäste benachrichtige.'
/** Vorschläge, die ohne Sprachmodell funktionieren. */
export const suggestions = {
  general: [
    'Was ist heute wichtig?',
    'Was habe ich morgen?',
    'Wer wartet auf eine Antwort?',
    'Erinnere mich am Freitag ans Blumengießen',
  ],
  mail: [
    'Fasse meine ungelesenen Mails zusammen',
    'Wer wartet auf eine Antwort?',
    'Welche E-Mails sind dringend?',
  ],
  email: [
    'Fasse diese E-Mail zusammen',
    'Antworte auf diese Mail',
    'Stelle diese Mail bis morgen zurück',
    'Archiviere diese Mail',
  ],
  calendar: ['Wann habe ich diese Woche Zeit?', 'Was habe ich morgen?', 'Was habe ich nächste Woche?'],
  event: ['Verschiebe diesen Termin auf morgen', 'Verlängere diesen Termin auf eine Stunde'],
  tasks: ['Womit soll ich anfangen?', 'Plane meine Aufgaben für heute', 'Welche Aufgaben sind überfällig?'],
  task: [
    'Diese Aufgabe ist erledigt',
    'Verschiebe diese Aufgabe auf Freitag',
    'Gib dieser Aufgabe hohe Priorität',
  ],
  contacts: ['Wer wartet auf eine Antwort?', 'Welche Zusagen sind überfällig?'],
  commitments: ['Was habe ich zugesagt?', 'Was wurde mir zugesagt?', 'Welche Zusagen sind überfällig?'],
} as const satisfies Record<string, readonly string[]>
/** Vorschläge, die ein Sprachmodell brauchen. */
export const modelSuggestions = {
  email: ['Fasse diese E-Mail zusammen', 'Antworte auf diese Mail', 'Bis wann ist das zu erledigen?'],
  calendar: ['Wie voll ist meine Woche?'],
  event: ['Bereite mich auf diesen Termin vor'],
  task: ['Teile diese Aufgabe in Schritte auf'],
} as const satisfies Record<string, readonly string[]>
export const contactSuggestions = (name: string): readonly string[] => [
  `Zeige E-Mails von ${name}`,
  `Wann treffe ich ${name}?`,
  `Was habe ich ${name} zugesagt?`,
]
export const suggestionsLabel = 'Vorschläge'
export const message = 'Nachricht'
export const askOrTell = 'Frage oder Auftrag …'
export const send = 'Senden'
export const stop = 'Stopp'
export const you = 'Du:'
export const theAssistant = 'Assistent:'
export const about = 'Bezug:'
export const removeContext = (title: string) => `Nicht auf „${title}“ beziehen`
export const newest = 'Neueste Nachricht'
export const answering = 'Der Assistent antwortet.'
export const retry = 'Erneut versuchen'
export const retryAnswer = 'Diese Antwort neu erzeugen'
export const copyAnswer = 'Antwort kopieren'
export const copied = 'Kopiert'
export const copyFailed = 'Kopieren fehlgeschlagen'
export const editQuestion = 'Deine letzte Nachricht bearbeiten'
export const editingQuestion = 'Du bearbeitest deine letzte Nachricht'
export const cancelEdit = 'Bearbeiten abbrechen'
export const changesStay = (changes: string) => `Diese Änderungen bleiben: ${changes}`
export const undoChanges = 'Änderungen rückgängig machen'
export const retryTitle = 'Diese Antwort neu erzeugen?'
export const keepChanges = 'Änderungen behalten und neu erzeugen'
export const undoAndRetry = 'Änderungen rückgängig machen und neu erzeugen'
export const unfinished = 'Diese Antwort ist unvollständig.'
export const notices = {
  no_tools: 'Dieses Modell hat keine Werkzeuge. Es konnte nichts nachsehen und nichts ändern.',
}
export const builtInRules = 'Eingebaute Regeln'
export const languageModel = 'Sprachmodell'
export const connectionLost = 'Verbindung verloren. Versuche es erneut.'

export const decided = {
  done: (at: string) => `Erledigt, ${at}`,
  failed: (reason: string) => `Fehlgeschlagen: ${reason}`,
  rejected: (at: string) => `Abgelehnt, ${at}`,
  expired: 'Abgelaufen. Frage erneut, wenn es noch geschehen soll.',
}
export const steps = (count: number) =>
  plural(count, { one: '1 Schritt', other: `${formatNumber(count)} Schritte` })

/** The numbers of a reason depend on its code. */
interface ReasonNumbers {
  days?: number
  minutes?: number
  level?: string
}

export const cards = {
  emailArchived: (subject: string) => `„${subject}“ archiviert`,
  taskCompleted: (title: string) => `„${title}“ erledigt`,
  taskReopened: (title: string) => `„${title}“ wieder offen`,
  eventStart: 'Beginn',
  reasons: {
    overdue: ({ days = 0 }) =>
      days === 0
        ? 'Überfällig'
        : plural(days, {
            one: 'Seit 1 Tag überfällig',
            other: `Seit ${formatNumber(days)} Tagen überfällig`,
          }),
    due_today: () => 'Heute fällig',
    due_tomorrow: () => 'Morgen fällig',
    due_soon: ({ days = 0 }) =>
      plural(days, { one: 'In 1 Tag fällig', other: `In ${formatNumber(days)} Tagen fällig` }),
    priority: ({ level }) => (level === 'urgent' ? 'Dringend' : 'Hohe Priorität'),
    fits_free_time: () => 'Passt in deine freie Zeit',
    urgent_mail: ({ level }) => (level === 'critical' ? 'Kritisch' : 'Dringend'),
    waiting: () => 'Wartet auf deine Antwort',
    promised: () => 'Hast du für heute zugesagt',
    promise_overdue: () => 'Hast du zugesagt, überfällig',
    starts_soon: ({ minutes = 0 }) => `Beginnt in ${formatNumber(minutes)} Min.`,
  } as Readonly<Record<string, (reason: ReasonNumbers) => string>>,
  emails: 'E-Mails',
  open: (title: string) => `Öffnen: ${title}`,
  archive: 'Archivieren',
  archived: 'Archiviert',
  reply: 'Antworten',
  snooze: 'Zurückstellen',
  snoozedUntil: (at: string) => `Zurückgestellt bis ${at}`,
  draft: 'Entwurf',
  editDraft: 'Bearbeiten',
  sendDraft: 'Senden',
  sendDraftMessage: 'Sende den Entwurf',
  sent: 'Gesendet',
  due: (at: string) => `Fällig ${at}`,
  done: 'Erledigt',
  complete: (title: string) => `Erledigt: ${title}`,
  cancelled: 'Abgesagt',
  gone: 'Existiert nicht mehr',
  trashed: 'Im Papierkorb',
  freeTime: 'Freie Zeiten',
  book: (when: string) => `Termin anlegen: ${when}`,
  newEvent: 'Neuer Termin',
  createEvent: 'Anlegen',
  eventTitle: 'Titel',
  eventCreated: (title: string) => `„${title}“ angelegt`,
  showAll: (count: number) => `Alle ${formatNumber(count)} anzeigen`,
  allDay: 'Ganztägig',
  to: (names: string) => `An ${names}`,
}

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
const emails = (count: number) => plural(count, { one: '1 E-Mail', other: `${formatNumber(count)} E-Mails` })
const tasks = (count: number) => plural(count, { one: '1 Aufgabe', other: `${formatNumber(count)} Aufgaben` })
/** The button that confirms a change of several emails. */
export const changeEmails: Readonly<Record<string, (count: number) => string>> = {
  archive: (count) => `${emails(count)} archivieren`,
  trash: (count) => `${emails(count)} in den Papierkorb verschieben`,
  read: (count) => `${emails(count)} als gelesen markieren`,
  unread: (count) => `${emails(count)} als ungelesen markieren`,
  star: (count) => `${emails(count)} mit Stern markieren`,
  unstar: (count) => `Stern von ${emails(count)} entfernen`,
  tag: (count) => `${emails(count)} mit Tag versehen`,
}
export const changeTasks: Readonly<Record<string, (count: number) => string>> = {
  complete: (count) => `${tasks(count)} als erledigt markieren`,
  delete: (count) => `${tasks(count)} löschen`,
  move: (count) => `${tasks(count)} verschieben`,
}
export const completeTask = 'Aufgabe erledigen'
export const reject = 'Ablehnen'
export const editAction = 'Bearbeiten …'
export const bookBlocks = (count: number) =>
  plural(count, {
    one: '1 Block in den Kalender eintragen',
    other: `${formatNumber(count)} Blöcke in den Kalender eintragen`,
  })
export const yes = 'Ja'
export const no = 'Nein'
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
  update_contact: 'Kontakt ändern',
  read_contact: 'Kontakt lesen',
  list_reservations: 'Buchungen auflisten',
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
  list_commitments: 'Zusagen auflisten',
  close_commitment: 'Zusage abschließen',
  book_plan: 'Plan eintragen',
  change_emails: 'E-Mails ändern',
  change_tasks: 'Aufgaben ändern',
  get_priorities: 'Wichtiges suchen',
  invite_guests: 'Einladungen senden',
  list_calendars: 'Kalender auflisten',
  list_mail_folders: 'E-Mail-Ordner auflisten',
  list_mailing_lists: 'Newsletter auflisten',
  list_task_lists: 'Aufgabenlisten auflisten',
  add_task_comment: 'Kommentieren',
  list_task_comments: 'Kommentare auflisten',
  start_timer: 'Stoppuhr starten',
  stop_timer: 'Stoppuhr anhalten',
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
  blocks: 'Blöcke',
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
