import type { Folder } from '../../features/mail/folders.ts'
import { formatNumber, plural } from '../format.ts'

// The list of emails.
export const mail = 'E-Mail'
export const emails = 'E-Mails'
export const newEmail = 'Neue E-Mail'
export const searchEmails = 'E-Mails durchsuchen'
export const searchResults = 'Suchergebnisse'
export const loadOlder = 'Ältere E-Mails laden'
export const loadingOlder = 'Ältere E-Mails werden geladen …'

export const foldersTitle = 'Ordner'
export const folders = {
  inbox: 'Posteingang',
  drafts: 'Entwürfe',
  sent: 'Gesendet',
  archive: 'Archiv',
  trash: 'Papierkorb',
  junk: 'Spam',
  other: 'Anderer Ordner',
} satisfies Record<Folder, string>
export const inFolder = (folder: string) => `Ordner: ${folder}.`
export const backToFolder = (folder: string) => `Zurück zu „${folder}“`
export const unreadBadge = (count: string) => `, ${count} ungelesen`
export const draftsBadge = (count: string) => `, ${count} offen`
export const subscriptions = 'Abonnements'
export const rules = 'Regeln'

export const emptyFolders = {
  inbox: { title: 'Der Posteingang ist leer', about: 'Neue E-Mails erscheinen hier automatisch.' },
  drafts: { title: 'Keine Entwürfe', about: 'Entwürfe bleiben hier, bis du sie sendest.' },
  sent: { title: 'Keine gesendeten E-Mails', about: 'E-Mails, die du sendest, erscheinen hier.' },
  archive: { title: 'Keine archivierten E-Mails', about: 'Drücke e, um eine E-Mail zu archivieren.' },
  trash: {
    title: 'Der Papierkorb ist leer',
    about: 'Gelöschte E-Mails bleiben hier, bis du sie endgültig löschst.',
  },
  junk: { title: 'Kein Spam', about: 'Spam bleibt hier, bis du ihn löschst.' },
  other: { title: 'Ordner ist leer', about: 'Mit v verschiebst du E-Mails hierher.' },
} satisfies Record<Folder, { title: string; about: string }>
export const firstSync = 'Deine E-Mails werden abgerufen …'
export const firstSyncProgress = ({ stored, total }: { stored: number; total: number }) =>
  total === 0
    ? 'E-Mails erscheinen hier, sobald sie da sind.'
    : `${stored.toLocaleString('de')} von ${total.toLocaleString('de')} E-Mails`
export const noEmailsFound = 'Keine E-Mails gefunden'
export const noEmailsFoundAbout = 'Suche nach weniger Wörtern oder hebe einen Filter auf.'
export const noAccount = 'Noch kein E-Mail-Konto'
export const noAccountAbout = 'Deine E-Mails bleiben auf deinem Server. Factotum synchronisiert sie.'
export const addAccount = 'E-Mail-Konto hinzufügen'

// Filters and search.
export const unread = 'Ungelesen'
export const unreadPrefix = 'Ungelesen. '
export const tags = 'Schlagwörter'
export const onlyFolder = (folder: string) => `Nur „${folder}“`
export const clearTagFilter = 'Schlagwortfilter aufheben'
export const comfortableList = 'Liste mit mehr Abstand'
export const starred = 'Markiert'
export const noStarred = 'Keine markierten E-Mails'
export const noStarredAbout = 'Drücke s, um eine E-Mail mit einem Stern zu markieren.'
export const suggestions = 'Vorschläge'
export const savedSearches = 'Gespeicherte Suchen'
export const saveSearch = 'Suche speichern'
export const searchName = 'Name'
export const searchSaved = 'Suche gespeichert'
export const searchDeleted = (name: string) => `„${name}“ gelöscht`
export const searchActions = (name: string) => `Aktionen für ${name}`
export const rename = 'Umbenennen'
export const renameSearch = 'Suche umbenennen'
export const searchOperators = 'Suchoperatoren'
/** The words are examples. The operators are the same in every language. */
export const searchExamples = [
  { example: 'rechnung märz', meaning: 'beide Wörter' },
  { example: '"letzter bericht"', meaning: 'genaue Wortfolge' },
  { example: 'rech*', meaning: 'Wörter mit diesem Anfang' },
  { example: '-entwurf', meaning: 'ohne dieses Wort' },
  { example: 'from:ana', meaning: 'von Ana' },
  { example: 'to:ben', meaning: 'an Ben' },
  { example: 'subject:essen', meaning: 'im Betreff' },
  { example: 'tag:arbeit', meaning: 'mit diesem Schlagwort' },
  { example: 'list:news.example.org', meaning: 'von diesem Abonnement' },
  { example: 'is:unread', meaning: 'auch is:read, is:starred, is:pinned, is:snoozed' },
  { example: 'has:attachment', meaning: 'mit Anhängen' },
  { example: 'in:archive', meaning: 'in einem Ordner' },
  { example: 'after:2026-03-01', meaning: 'seit diesem Tag; auch before:' },
  { example: 'after:7d', meaning: 'letzte 7 Tage; auch 2w, 3m, 1y, yesterday' },
]

const unknownFolder = (value: string) =>
  `Den Ordner „${value}“ gibt es nicht. Verwende inbox, sent, drafts, archive, trash, junk oder den Namen eines Ordners in Anführungszeichen.`
const unknownDate = (value: string) =>
  `„${value}“ ist kein Datum. Verwende ein Datum wie 2026-03-01, einen Monat, ein Jahr, today, yesterday oder einen Zeitraum wie 7d, 2w, 3m, 1y.`
/** Explains an invalid value, by search operator. */
export const searchHints = {
  is: (value: string) =>
    `is: kennt „${value}“ nicht. Verwende unread, read, starred, unstarred, pinned oder snoozed.`,
  has: (value: string) => `has: kennt „${value}“ nicht. Verwende has:attachment.`,
  in: unknownFolder,
  folder: unknownFolder,
  before: unknownDate,
  after: unknownDate,
}

// A row of the list.
export const unknownSender = 'Unbekannter Absender'
export const noRecipients = 'Keine Empfänger'
export const toPeople = (names: string) => `An ${names}`
export const noSubject = '(kein Betreff)'
export const selectEmail = ({ subject, people }: { subject: string; people: string }) =>
  `${subject}, ${people} auswählen`
export const starEmail = (subject: string) => `${subject} mit Stern markieren`
export const messageCount = (count: number) =>
  plural(count, { one: '1 E-Mail', other: `${formatNumber(count)} E-Mails` })
export const withAttachments = 'mit Anhängen'
export const unreadable = 'Nicht lesbar'
export const deliveryStates = {
  queued: 'Ausstehend',
  failed: 'Nicht gesendet',
  uncertain: 'Möglicherweise gesendet',
}

// Actions on emails.
export const selectedEmails = 'Ausgewählte E-Mails'
export const selectedCount = (count: number) => `${formatNumber(count)} ausgewählt`
export const selectAll = 'Alle auswählen'
export const clearSelection = 'Auswahl aufheben'
export const emailActions = 'Aktionen für diese E-Mail'
export const moreEmailActions = 'Weitere Aktionen'
export const back = 'Zurück'
export const archive = 'Archivieren'
export const moveToInbox = 'In den Posteingang verschieben'
export const markRead = 'Als gelesen markieren'
export const markUnread = 'Als ungelesen markieren'
export const star = 'Mit Stern markieren'
export const unstar = 'Stern entfernen'
export const print = 'Drucken'
export const reply = 'Antworten'
export const replyAll = 'Allen antworten'
export const forward = 'Weiterleiten'
export const draftReply = 'Antwort entwerfen'
export const add = 'Hinzufügen'
export const addTag = 'Schlagwort hinzufügen'
export const newTag = 'Neues Schlagwort'
export const removeTagTitle = 'Schlagwort entfernen'
export const moveTo = 'Verschieben'
export const removeTag = (tag: string) => `Schlagwort ${tag} entfernen`
export const showTagged = (tag: string) => `E-Mails mit #${tag} anzeigen`
export const deletePermanently = 'Endgültig löschen'
export const deleteAbout = 'Anhänge werden mitgelöscht.'

/** One email is named by its subject. */
interface Emails {
  count: number
  subject: string
}

export const deleteTitle = ({ count, subject }: Emails) =>
  plural(count, {
    one: `„${subject}“ endgültig löschen?`,
    other: `${formatNumber(count)} E-Mails endgültig löschen?`,
  })
export const archived = ({ count, subject }: Emails) =>
  plural(count, { one: `„${subject}“ archiviert`, other: `${formatNumber(count)} E-Mails archiviert` })
export const movedToInbox = ({ count, subject }: Emails) =>
  plural(count, {
    one: `„${subject}“ in den Posteingang verschoben`,
    other: `${formatNumber(count)} E-Mails in den Posteingang verschoben`,
  })
export const movedToTrash = ({ count, subject }: Emails) =>
  plural(count, {
    one: `„${subject}“ in den Papierkorb verschoben`,
    other: `${formatNumber(count)} E-Mails in den Papierkorb verschoben`,
  })
export const deleted = ({ count, subject }: Emails) =>
  plural(count, { one: `„${subject}“ gelöscht`, other: `${formatNumber(count)} E-Mails gelöscht` })
export const restored = ({ count, subject }: Emails) =>
  plural(count, {
    one: `„${subject}“ wiederhergestellt`,
    other: `${formatNumber(count)} E-Mails wiederhergestellt`,
  })
export const tagAdded = ({ tag, count }: { tag: string; count: number }) =>
  plural(count, {
    one: `#${tag} zu 1 E-Mail hinzugefügt`,
    other: `#${tag} zu ${formatNumber(count)} E-Mails hinzugefügt`,
  })
export const tagRemoved = ({ tag, count }: { tag: string; count: number }) =>
  plural(count, {
    one: `#${tag} bei 1 E-Mail entfernt`,
    other: `#${tag} bei ${formatNumber(count)} E-Mails entfernt`,
  })

// An open email.
export const emailNotFound = 'E-Mail nicht gefunden'
export const emailNotFoundAbout = 'Vielleicht wurde sie gelöscht.'
export const draft = 'Entwurf'
export const continueDraft = 'Fortsetzen'
export const fromSender = (sender: string) => `Von ${sender}`
export const emailFrom = (sender: string) => `E-Mail von ${sender}`
export const replyToSender = (sender: string) => `Antwort an ${sender}`
export const moreActions = (sender: string) => `Weitere Aktionen für die E-Mail von ${sender}`
export const showDetails = 'Details anzeigen'
export const hideDetails = 'Details ausblenden'
export const showFormatted = 'Mit Formatierung anzeigen'
export const showPlainText = 'Als reinen Text anzeigen'
export const createRule = 'Regel aus dieser E-Mail erstellen'
export const downloadEmail = 'Herunterladen (.eml)'
export const deleteEmail = 'Diese E-Mail löschen'
export const toRecipients = ({ names, more }: { names: string; more: number }) =>
  more === 0 ? `an ${names}` : `an ${names} und ${formatNumber(more)} weitere`
export const details = {
  from: 'Von',
  replyTo: 'Antwort an',
  to: 'An',
  cc: 'Cc',
  bcc: 'Bcc',
  date: 'Datum',
  folder: 'Ordner',
}
export const couldNotRead = 'Diese E-Mail konnte nicht gelesen werden.'
export const downloadOriginal = 'Original herunterladen'
export const imagesBlocked = 'Externe Bilder sind blockiert, um deine Privatsphäre zu schützen.'
export const loadImages = 'Bilder laden'
export const alwaysLoadImages = 'Von diesem Absender immer laden'
export const imagesAlwaysLoaded = (address: string) => `Bilder von ${address} werden jetzt immer geladen.`
export const hiddenTextNotice = (text: string) => `Text dieser E-Mail, der nicht angezeigt wird: „${text}“`
export const showQuote = 'Zitierten Text anzeigen'
export const hideQuote = 'Zitierten Text ausblenden'
export const noText = 'Diese E-Mail hat keinen Text.'

// Delivery of a sent email.
export const waitingToSend = 'Diese E-Mail wird gleich gesendet.'
export const scheduledFor = (date: string) => `Diese E-Mail wird am ${date} gesendet.`
export const notSentYet = 'Noch nicht gesendet. Factotum versucht es automatisch erneut.'
export const cancelAndEdit = 'Abbrechen und bearbeiten'
export const notSent = 'Diese E-Mail wurde nicht gesendet.'
export const notSentAbout = 'Korrigiere die E-Mail und sende sie erneut, oder teste das Konto.'
export const sendAgain = 'Erneut senden'
export const doNotSend = 'Verwerfen'
export const emailAccounts = 'E-Mail-Konten'
export const possiblySent = 'Es ist ungewiss, ob diese E-Mail gesendet wurde.'
export const connectionLost = 'Die Verbindung ist beim Senden abgebrochen.'
export const possiblySentAbout = 'Sie bleibt unter „Gesendet“ und wird nicht automatisch erneut gesendet.'
export const markAsSent = 'Als gesendet markieren'
export const sendAgainTitle = 'Erneut senden?'
export const sendAgainAbout = 'Empfänger erhalten diese E-Mail vielleicht zweimal.'
export const notDeliveredToAll = 'Einige Empfänger haben diese E-Mail nicht erhalten.'

// Invitations.
export const addToCalendar = 'Zum Kalender hinzufügen'
export const undone = 'Rückgängig gemacht'

// Analysis of an email.
export const aboutEmail = 'Über diese E-Mail'
export const unreadableLanguage = (code: string) =>
  `Sprache dieser E-Mail: ${new Intl.DisplayNames(['de'], { type: 'language' }).of(code) ?? code}. Ohne Sprachmodell versteht Factotum nur Deutsch und Englisch.`
export const noReplyReasons = {
  phishing: 'Diese E-Mail ist vielleicht Phishing. Antworte nicht darauf.',
  dunning: 'Das ist eine Zahlungsaufforderung. Prüfe sie selbst, bevor du antwortest.',
  advertising: 'Das ist Werbung. Eine Antwort würde nur deine Adresse bestätigen.',
  'no-reply': 'Die Absenderadresse nimmt keine E-Mails an.',
  newsletter: 'Das ist ein Newsletter. Niemand erwartet eine Antwort.',
  notification: 'Das ist eine automatische Benachrichtigung. Niemand erwartet eine Antwort.',
  shipping: 'Das ist eine automatische Versandmeldung. Niemand erwartet eine Antwort.',
  security: 'Das ist eine Sicherheitsmeldung. Sende niemals einen Code oder ein Passwort.',
  'auto-reply': 'Das ist eine automatische Antwort. Niemand erwartet eine Antwort darauf.',
  bounce: 'Das ist ein Zustellungsfehler. Niemand erwartet eine Antwort.',
}
export const phishingWarning = (text: string) =>
  `Der Absender dieser E-Mail ist vielleicht gefälscht: „${text}“. Öffne keine Links darin.`
export const injectionWarning = (text: string) =>
  `Diese E-Mail enthält Anweisungen für KI-Assistenten: „${text}“. Factotum ignoriert sie.`
export const hiddenTextWarning = (text: string) => `Diese E-Mail enthält versteckten Text: „${text}“.`
export const urgencyLevels = { low: 'Niedrig', normal: 'Normal', high: 'Hoch', critical: 'Kritisch' }
export const urgency = (level: string) => `Dringlichkeit: ${level}`
export const urgentTags = { high: 'Dringend', critical: 'Kritisch' }
export const categories = {
  conversation: 'Unterhaltung',
  meeting: 'Besprechung',
  newsletter: 'Newsletter',
  receipt: 'Beleg',
  shipping: 'Versand',
  notification: 'Benachrichtigung',
  security: 'Sicherheit',
  'auto-reply': 'Automatische Antwort',
  bounce: 'Unzustellbar',
}
export const tasks = 'Aufgaben'
export const events = 'Termine'
export const questions = 'Fragen'
export const taskCount = (count: number) =>
  plural(count, { one: '1 Aufgabe', other: `${formatNumber(count)} Aufgaben` })
export const eventCount = (count: number) =>
  plural(count, { one: '1 Termin', other: `${formatNumber(count)} Termine` })
export const questionCount = (count: number) =>
  plural(count, { one: '1 Frage', other: `${formatNumber(count)} Fragen` })
export const promisedBySender = 'Vom Absender zugesagt'
export const due = (date: string) => `fällig ${date}`
export const addTask = 'Aufgabe hinzufügen'
export const addTaskNamed = (title: string) => `Aufgabe hinzufügen: ${title}`
export const added = 'Hinzugefügt'
export const addedNamed = (title: string) => `Hinzugefügt: ${title}`
export const addToCalendarNamed = (title: string) => `Zum Kalender hinzufügen: ${title}`
export const taskAdded = (title: string) => `Aufgabe „${title}“ hinzugefügt`
export const eventAdded = (title: string) => `„${title}“ zum Kalender hinzugefügt`
export const eventExists = (title: string) => `„${title}“ ist schon in deinem Kalender`
export const replyDrafted = 'Antwort entworfen. Prüfe sie vor dem Senden.'
export const replyDraftedWithGaps = 'Antwort entworfen. Fülle die [Klammern] vor dem Senden aus.'
export const layout = 'Anordnung'
export const readingPane = 'Lesebereich'
export const readingPanes = { right: 'Rechts', below: 'Unten', off: 'Aus' }
export const folderColumn = 'Ordnerspalte'
export const foldersWidth = 'Breite der Ordner'
export const listWidth = 'Breite der Liste'
export const listHeight = 'Höhe der Liste'
