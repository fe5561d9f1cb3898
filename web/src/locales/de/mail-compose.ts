import type { SaveState } from '../../features/mail/compose/use-draft.ts'

export const from = 'Von'
export const to = 'An'
export const cc = 'Cc'
export const bcc = 'Bcc'
export const subject = 'Betreff'
export const text = 'Text'
export const send = 'Senden'
export const sendLater = 'Später senden'
export const attachFiles = 'Dateien anhängen'
export const attachedFiles = 'Angehängte Dateien'
export const saveAndClose = 'Speichern und schließen'
export const editorLoading = 'Der Editor wird geladen. Du kannst schon schreiben.'
export const discardDraft = 'Entwurf verwerfen'
export const removeFile = (filename: string) => `${filename} entfernen`
export const couldNotAttach = ({ filename, error }: { filename: string; error: string }) =>
  `${filename} konnte nicht angehängt werden. ${error}`
export const fileTooLarge = ({ filename, limit }: { filename: string; limit: string }) =>
  `${filename} ist zu groß. Eine Datei darf bis zu ${limit} groß sein.`
export const totalSize = ({ size, limit }: { size: string; limit: string }) =>
  `${size} von ${limit} angehängt`
export const tooLarge = ({ size, limit }: { size: string; limit: string }) =>
  `${size} angehängt, der Mailserver nimmt aber nur ${limit} an. Entferne einige Dateien.`

// Format and templates.
export const plainText = 'Nur Text'
export const plainTextTitle = 'Zu reinem Text wechseln?'
export const plainTextAbout = 'Die Formatierung geht verloren. Bilder werden zu Anhängen.'
export const removeFormatting = 'Formatierung entfernen'
export const templates = 'Vorlagen'
export const unfilledFields = (fields: string) =>
  `Fülle ${fields} aus, oder sende noch einmal, um es so zu senden.`

// Recipients.
export const recipientsOf = (label: string) => `${label}: Empfänger`
export const editRecipient = (name: string) => `${name} bearbeiten`
export const removeRecipient = (name: string) => `${name} entfernen`
export const invalidAddresses = (addresses: string) => `Ungültige Adresse: ${addresses}`
export const recipientRequired = 'Gib mindestens einen Empfänger an.'

// Drafts.
export const saveStates = {
  untouched: '',
  dirty: 'Noch nicht gespeichert',
  saving: 'Wird gespeichert …',
  saved: 'In Entwürfen gespeichert',
  failed: 'Nicht gespeichert. Neuer Versuch beim Weiterschreiben.',
  elsewhere: 'Nicht gespeichert',
} satisfies Record<SaveState, string>
export const couldNotSave =
  'Der Entwurf konnte nicht gespeichert werden. Dein Text bleibt in diesem Tab erhalten.'
export const couldNotSaveBecause = (error: string) =>
  `Der Entwurf konnte nicht gespeichert werden. ${error} Dein Text bleibt in diesem Tab erhalten.`
export const changedElsewhere =
  'Dieser Entwurf wurde in einem anderen Fenster geändert oder gesendet. Deine Änderungen sind nicht gespeichert.'
export const saveMyVersion = 'Meine Version speichern'
export const draftDiscarded = 'Entwurf verworfen'
export const noAccount = 'Kein E-Mail-Konto zum Senden. Entwürfe werden trotzdem gespeichert.'

// Send later.
export const thisAfternoon = 'Heute Nachmittag'
export const tomorrowMorning = 'Morgen früh'
export const mondayMorning = 'Montag früh'
export const scheduleAbout = 'Die E-Mail bleibt bis dahin in den Entwürfen.'
export const schedule = 'Planen'

// Delivery.
export const sending = (subject: string) => `„${subject}“ wird gesendet`
export const sendingAgain = (subject: string) => `„${subject}“ wird erneut gesendet`
export const scheduled = (date: string) => `Geplant für ${date}`
export const sendingUndone = 'Senden rückgängig gemacht'
export const sent = (subject: string) => `„${subject}“ gesendet`
export const sentWithProblem = ({ subject, error }: { subject: string; error: string }) =>
  `„${subject}“ gesendet. ${error}`
export const notSent = ({ subject, error }: { subject: string; error: string }) =>
  `„${subject}“ konnte nicht gesendet werden. ${error}`
export const possiblySent = (subject: string) =>
  `Es ist ungewiss, ob „${subject}“ gesendet wurde. Siehe „Gesendet“.`
export const notSentYet = (subject: string) =>
  `„${subject}“ ist noch nicht gesendet. Factotum versucht es automatisch erneut.`
export const markedAsSent = (subject: string) => `„${subject}“ als gesendet markiert`
export const sendDiscarded = (subject: string) => `„${subject}“ nicht gesendet, in den Papierkorb verschoben`
export const confirmInAssistant = 'Bestätige das Senden im Assistenten.'

// Quoted emails.
export const attribution = ({ date, sender }: { date: string; sender: string }) =>
  `Am ${date} schrieb ${sender}:`
export const forwardedEmail = '---------- Weitergeleitete Nachricht ----------'
export const forwardedHeaders = {
  from: (people: string) => `Von: ${people}`,
  date: (date: string) => `Datum: ${date}`,
  subject: (subject: string) => `Betreff: ${subject}`,
  to: (people: string) => `An: ${people}`,
  cc: (people: string) => `Cc: ${people}`,
}
