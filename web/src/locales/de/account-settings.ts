// Texts of the settings for profile, preferences and data.
import { formatList, formatNumber, plural } from '../format.ts'

// Profile
export const yourName = 'Dein Name'
export const nameSaved = 'Name gespeichert'
export const savedNameIs = (name: string) => `Der gespeicherte Name ist „${name}“.`
export const pictureAbout = 'PNG, JPEG oder WebP, bis 2 MB'
export const uploadPicture = 'Bild hochladen'
export const changePicture = 'Bild ändern'
export const deletePicture = 'Bild löschen'
export const pictureSaved = 'Bild gespeichert'
export const pictureDeleted = 'Bild gelöscht'
export const wrongPictureType = 'Wähle ein Bild im Format PNG, JPEG oder WebP.'
export const pictureTooLarge = (megabytes: number) =>
  `Dieses Bild hat ${formatNumber(megabytes)} MB. Wähle eines mit höchstens 2 MB.`
export const unreadablePicture = 'Diese Datei ist kein Bild im Format PNG, JPEG oder WebP. Wähle eine andere.'
export const emailAbout = 'Mit dieser Adresse meldest du dich an'
export const changeEmail = 'E-Mail-Adresse ändern'
export const newEmail = 'Neue E-Mail-Adresse'
export const newEmailAbout = 'Künftig meldest du dich mit der neuen Adresse an.'
export const emailChanged = (email: string) => `Du meldest dich jetzt mit ${email} an.`

// Preferences
export const timeZone = 'Zeitzone'
export const timeZoneHint = 'Gib eine Stadt oder Region ein'
export const language = 'Sprache'
export const languageHint = 'Bestimmt auch das Format von Datum und Zahlen'
export const weekStart = 'Wochenbeginn'
export const preferencesSaved = 'Einstellungen gespeichert'
export const savedPreferencesAre = ({
  timezone,
  locale,
  weekStart: day,
}: {
  timezone: string
  locale: string
  weekStart: string
}) => `Gespeichert sind ${timezone}, ${locale} und ${day} als Wochenbeginn.`
export const remoteImagesAbout = 'Sie verraten Absendern, wann du eine E-Mail liest'
export const loadRemoteImages = 'Externe Bilder laden'
export const remoteImageChoices = { ask: 'Bei jeder E-Mail fragen', never: 'Nie' }
export const imageSenders = 'Von diesen Absendern immer laden'
export const imageSendersHint = 'Eine Adresse pro Zeile'
export const savedImageSendersAre = (addresses: readonly string[]) =>
  addresses.length === 0
    ? 'Die gespeicherte Liste ist leer.'
    : `Gespeicherte Absender: ${formatList(addresses)}.`
export const workingHours = 'Arbeitszeiten'
export const workingHoursAbout = 'In deiner Zeitzone, auch mehrere pro Tag'
export const workingHoursSaved = 'Arbeitszeiten gespeichert'
export const savedHoursAre = (hours: number) =>
  plural(hours, {
    one: 'Gespeichert ist 1 Stunde pro Woche.',
    other: `Gespeichert sind ${formatNumber(hours)} Stunden pro Woche.`,
  })
export const conferencingLink = 'Link für neue Videoanrufe'
export const conferencingLinkHint = '{random} wird für jeden Termin zu einem geheimen Namen.'
export const conferencingLinkSaved = 'Link für Videoanrufe gespeichert'
export const savedConferencingLinkIs = (link: string | null) =>
  link === null ? 'Kein Link ist gespeichert.' : `Der gespeicherte Link ist ${link}.`
export const hoursFrom = (day: string) => `Beginn am ${day}`
export const hoursTo = (day: string) => `Ende am ${day}`
export const addHours = (day: string) => `Zeiten am ${day} hinzufügen`
export const deleteHours = ({ day, start, end }: { day: string; start: string; end: string }) =>
  `${day}, ${start} bis ${end} löschen`
export const noHours = 'Frei'
export const copyMonday = 'Montag auf alle Werktage übertragen'

// Data
export const exportAbout = 'Eine Zip-Datei mit allen deinen Daten, ohne Passwörter und Tokens'
export const exportAction = 'Exportieren'
export const exportTitle = 'Deine Daten exportieren'
export const exportConfirm = 'Gib dein Passwort ein, um den Download zu starten.'
export const exportDone = 'Export heruntergeladen'
export const importAbout =
  'Stellt einen Export in einem Konto ohne Daten wieder her. E-Mail-Konten und Webhooks bleiben aus, bis du ihre Passwörter erneut eingibst.'
export const chooseZip = 'Zip-Datei auswählen'
export const zipToImport = 'Zip-Datei für den Import'
export const importUploading = (name: string) => `${name} wird hochgeladen und geprüft …`
export const importing = (name: string) => `${name} wird importiert`
export const importProgress = ({ done, total }: { done: number; total: number }) =>
  `Import: ${formatNumber(done)} von ${formatNumber(total)}`
export const importDone = (items: string) => `Import abgeschlossen: ${items}`
export const importDoneSettings = 'Import abgeschlossen: nur Einstellungen'
export const importInterrupted =
  'Die Verbindung wurde unterbrochen. Lade die Seite neu, um das Ergebnis zu prüfen.'
export const importedItems = {
  emails: (count: number) => plural(count, { one: '1 E-Mail', other: `${formatNumber(count)} E-Mails` }),
  events: (count: number) => plural(count, { one: '1 Termin', other: `${formatNumber(count)} Termine` }),
  tasks: (count: number) => plural(count, { one: '1 Aufgabe', other: `${formatNumber(count)} Aufgaben` }),
  streams: (count: number) => plural(count, { one: '1 Stream', other: `${formatNumber(count)} Streams` }),
  conversations: (count: number) =>
    plural(count, { one: '1 Unterhaltung', other: `${formatNumber(count)} Unterhaltungen` }),
}
export const sampleAbout = 'Deine eigenen Daten bleiben erhalten'
export const deleteSample = 'Beispieldaten löschen'
export const deleteSampleTitle = 'Beispieldaten löschen?'
export const deleteSampleAbout = 'Das lässt sich nicht rückgängig machen. Das Beispielkonto wird abgemeldet.'
export const sampleDeleted = 'Beispieldaten gelöscht'
export const deleteAccountAbout =
  'Löscht dein Konto, deine Einstellungen und Tokens. Exportiere vorher deine Daten.'
export const deleteAccount = 'Konto löschen'
export const deleteAccountTitle = 'Dein Konto löschen?'
export const deleteAccountConfirm = (email: string) =>
  `Das Konto ${email} und seine Daten werden gelöscht. Das lässt sich nicht rückgängig machen.`
export const ownerTitle = 'Diese Instanz gehört dir'
export const ownerWarning =
  'Mit dem Konto des Inhabers wird die ganze Instanz für alle gelöscht: alle Konten, E-Mails, Aufgaben, Termine und Dateien. Das lässt sich nicht rückgängig machen.'
export const deleteEverything = 'Alles löschen'
export const confirmationPhrase = 'alles löschen'
export const typePhrase = (phrase: string) => `Gib zur Bestätigung „${phrase}“ ein`
export const phraseMissing = (phrase: string) => `Gib „${phrase}“ ein, um fortzufahren.`
