import { formatNumber, plural } from '../format.ts'

export const contacts = 'Kontakte'
export const newContact = 'Neuer Kontakt'
export const addContact = 'Kontakt hinzufügen'
export const editContact = 'Kontakt bearbeiten'
export const searchContacts = 'Kontakte durchsuchen'
export const show = 'Anzeigen'
export const views = { known: 'Kontakte', all: 'Alle' }
export const viewsHelp =
  'Kontakte: Personen, die du gespeichert oder angeschrieben hast. Alle: auch Personen, die dir geschrieben haben.'
export const listOfContacts = 'Liste der Kontakte'

export const noContacts = 'Noch keine Kontakte'
export const noContactsHelp =
  'Personen, denen du schreibst, erscheinen hier. Du kannst Kontakte auch hinzufügen oder importieren.'
export const noMatches = 'Keine passenden Kontakte'
export const showEveryone = 'Alle anzeigen'
export const nobodyChosen = 'Wähle einen Kontakt aus'
export const backToList = 'Kontakte'

export const importContacts = 'vCard importieren'
export const exportContacts = 'Als vCard exportieren'
export const findDuplicates = 'Duplikate suchen'
export const moreActions = 'Weitere Aktionen'
export const actionsFor = (name: string) => `Aktionen für ${name}`

export const writeTo = 'E-Mail schreiben'
export const writeToAddress = (address: string) => `An ${address} schreiben`
export const merge = 'Zusammenführen'
export const exportOne = 'vCard exportieren'

export const name = 'Name'
export const givenName = 'Vorname'
export const familyName = 'Nachname'
export const organization = 'Organisation'
export const jobTitle = 'Position'
export const notes = 'Notizen'
export const email = 'E-Mail'
export const phone = 'Telefon'
export const label = 'Bezeichnung'
export const numbered = ({ field, index }: { field: string; index: number }) => `${field} ${index}`
export const labelExample = 'Arbeit, privat …'
export const addAddress = 'E-Mail hinzufügen'
export const addPhone = 'Telefon hinzufügen'
export const moreFields = 'Weitere Felder'
export const birthday = 'Geburtstag'
export const day = 'Tag'
export const month = 'Monat'
export const yearIfKnown = 'Jahr (optional)'
export const bornOn = (day: string) => `Geburtstag: ${day}`
export const postalAddress = 'Postanschrift'
export const postalAddresses = 'Postanschriften'
export const addPostalAddress = 'Postanschrift hinzufügen'
export const street = 'Straße'
export const postalCode = 'Postleitzahl'
export const city = 'Ort'
export const region = 'Bundesland oder Region'
export const country = 'Land'
export const website = 'Website'
export const websites = 'Websites'
export const addWebsite = 'Website hinzufügen'
export const categories = 'Kategorien'
export const separateWithCommas = 'Mit Kommas trennen'
export const removeField = (field: string) => `${field} entfernen`

export const addresses = 'E-Mail-Adressen'
export const phones = 'Telefonnummern'
export const neverUsed = 'Noch nicht verwendet'
export const usage = ({ sent, received }: { sent: number; received: number }) =>
  `${formatNumber(sent)} gesendet, ${formatNumber(received)} empfangen`
export const notSaved = 'Aus E-Mails erstellt'

export const commitments = 'Zusagen'
export const noCommitments = 'Keine offenen Zusagen'
export const allCommitments = 'Alle Zusagen anzeigen'
export const emails = 'E-Mails'
export const allEmails = 'Alle E-Mails anzeigen'
export const noEmails = 'Keine E-Mails mit dieser Person'
export const noSubject = '(kein Betreff)'
export const sentMark = 'Gesendet'
export const meetings = 'Termine'
export const noMeetings = 'Keine Termine in den letzten und nächsten drei Monaten'
export const tasks = 'Offene Aufgaben aus ihren E-Mails'
export const noTasks = 'Keine offenen Aufgaben'

export const contactAdded = (named: string) => `Kontakt „${named}“ hinzugefügt`
export const contactSaved = (named: string) => `Kontakt „${named}“ gespeichert`
export const contactDeleted = (named: string) => `Kontakt „${named}“ gelöscht`
export const contactRestored = (named: string) => `Kontakt „${named}“ wiederhergestellt`

export const mergeTitle = 'Kontakte zusammenführen'
export const mergeHelp = 'Der erste Kontakt behält seine Texte und bekommt alle Adressen und Nummern.'
export const mergeInto = (named: string) => `Mit ${named} zusammenführen`
export const searchOther = 'Anderen Kontakt suchen'
export const merged = (named: string) => `Mit „${named}“ zusammengeführt`
export const mergeUndone = 'Zusammenführung rückgängig gemacht'
export const duplicatesTitle = 'Duplikate'
export const noDuplicates = 'Keine Duplikate gefunden'
export const duplicateReasons = { name: 'Gleicher Name', address: 'Ähnliche Adressen' }
export const mergeGroup = (named: string) => `${named} zusammenführen`

export const importTitle = 'Kontakte importieren'
export const importHelp =
  'Wähle eine vCard-Datei (.vcf) aus Google, Apple, Outlook oder einem anderen Programm.'
export const chooseFile = 'Datei auswählen'
export const importing = (file: string) => `${file} wird importiert …`
export const fileTooLarge = 'Die Datei ist größer als 25 MB. Teile sie auf und importiere die Teile.'
export const importDone = (counts: { added: number; updated: number; skipped: number }) =>
  `${plural(counts.added, { one: '1 Kontakt hinzugefügt', other: `${formatNumber(counts.added)} Kontakte hinzugefügt` })}, ${formatNumber(counts.updated)} aktualisiert, ${formatNumber(counts.skipped)} übersprungen.`
export const line = 'Zeile'
export const reason = 'Grund'
export const exportName = 'kontakte.vcf'
